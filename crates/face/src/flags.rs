//! The flags of gcc and clang: how many arguments each takes, and what capture does with it.

mod table;

/// What a flag is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Decides what the source means: bitcode is made with it.
    Meaning,
    /// The same, and only gcc knows it: bitcode is made without it, and the report says so.
    Gcc,
    /// Says nothing about the meaning: optimisation, warnings, debug information.
    Plain,
    /// A sanitizer.
    Sanitizer,
    /// Writes dependency files.
    Depend,
    /// `-Wp,`: preprocessor flags in one word.
    Preprocessor,
    /// Where the output goes.
    Output,
    /// `-c`.
    Compile,
    /// `-S`.
    Assembly,
    /// `-E`, `-M`, `-MM`.
    Preprocess,
    /// A question to the compiler; nothing is compiled.
    Query,
    /// `-x`.
    Language,
    /// For links, given to the driver.
    Link,
    /// Only for links: `-l`.
    Library,
    /// Only for links: `-L`.
    LibraryFolder,
    /// `-Wl,` or `-Xlinker`.
    Linker,
}

/// How a flag takes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// The whole word.
    Word,
    /// A prefix; the value follows in the same word (may be empty).
    Joined,
    /// The value is the next word.
    Next,
    /// Joined, or the next word where nothing follows.
    Either,
}

use Class::*;
use Shape::*;
use table::{FLAGS, MACHINE, PLAIN_F};

/// A flag as it stands on a command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    /// What it is for.
    pub class: Class,
    /// Its name as in the table.
    pub name: String,
    /// Its value, joined or from the next word.
    pub value: Option<String>,
    /// How many words it takes: 1 or 2.
    pub words: usize,
}

impl Flag {
    /// The flag as it stood on the command line.
    pub fn given(&self) -> Vec<String> {
        let value = self.value.clone().unwrap_or_default();
        match self.words {
            2 => vec![self.name.clone(), value],
            _ => vec![format!("{}{value}", self.name)],
        }
    }
}

/// Reads the flag at the start of `words`.
pub fn read(words: &[String]) -> Option<Flag> {
    let word = words.first()?;
    let fits = |&&(name, shape, _): &&(&str, Shape, Class)| match shape {
        Word | Next => word == name,
        Joined | Either => word.starts_with(name),
    };
    let &(name, shape, class) = FLAGS.iter().filter(fits).max_by_key(|(name, ..)| name.len())?;
    let rest = &word[name.len()..];
    let class = refine(name, rest, class);
    let next = || words.get(1).cloned();
    let (value, count) = match shape {
        Word => (None, 1),
        Joined => ((!rest.is_empty()).then(|| rest.to_owned()), 1),
        Next => (next(), 2),
        Either if rest.is_empty() => (next(), 2),
        Either => (Some(rest.to_owned()), 1),
    };
    Some(Flag { class, name: name.to_owned(), value, words: count.min(words.len()) })
}

fn refine(name: &str, rest: &str, class: Class) -> Class {
    let listed = |list: &[&str]| list.iter().any(|prefix| rest.strip_prefix("no-").unwrap_or(rest).starts_with(prefix));
    match name {
        "-f" if listed(PLAIN_F) => Plain,
        "-m" if listed(MACHINE) => Meaning,
        _ => class,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(words: &str) -> (Class, usize) {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let flag = read(&words).unwrap();
        (flag.class, flag.words)
    }

    #[test]
    fn each_flag_has_its_class_and_takes_its_words() {
        let table = [
            ("-DX=1 a.c", Meaning, 1),
            ("-D X=1", Meaning, 2),
            ("-Iinc", Meaning, 1),
            ("-include config.h", Meaning, 2),
            ("-std=gnu99", Meaning, 1),
            ("-funsigned-char", Meaning, 1),
            ("-fcommon", Meaning, 1),
            ("-O2", Plain, 1),
            ("-ggdb3", Plain, 1),
            ("-Werror=format", Plain, 1),
            ("-Wl,-rpath,/x", Linker, 1),
            ("-Wp,-MD,x.d", Preprocessor, 1),
            ("-fno-strict-aliasing", Plain, 1),
            ("-fstack-protector-strong", Plain, 1),
            ("-fsanitize=address", Sanitizer, 1),
            ("-fplan9-extensions", Gcc, 1),
            ("-fsome-new-thing", Gcc, 1),
            ("-fno-some-new-thing", Plain, 1),
            ("-mavx2", Meaning, 1),
            ("-mno-sse", Meaning, 1),
            ("-mpreferred-stack-boundary=4", Gcc, 1),
            ("-MF x.d", Depend, 2),
            ("-MMD", Depend, 1),
            ("-M", Preprocess, 1),
            ("-E", Preprocess, 1),
            ("-o x.o", Output, 2),
            ("-ox.o", Output, 1),
            ("-c", Compile, 1),
            ("-lm", Library, 1),
            ("-L lib", LibraryFolder, 2),
            ("-shared", Link, 1),
            ("-dumpversion", Query, 1),
            ("-print-prog-name=ld", Query, 1),
            ("-fno-wrapv", Meaning, 1),
            ("-fwrapv-pointer", Meaning, 1),
            ("-fprofile-arcs", Plain, 1),
            ("-pthread", Meaning, 1),
            ("-isystem dir", Meaning, 2),
            ("-T script.ld", Link, 2),
            ("-static-libgcc", Link, 1),
            ("-fno-rtti", Meaning, 1),
            ("-stdlib=libc++", Meaning, 1),
            ("-fpermissive", Plain, 1),
        ];
        for (words, expected, count) in table {
            assert_eq!(class(words), (expected, count), "{words}");
        }
    }
}
