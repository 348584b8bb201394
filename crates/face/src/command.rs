//! A command line of a compiler driver, taken apart.

use std::{fs, path::Path};

use crate::{
    context::Context,
    flags::{self, Class, Flag},
};

/// What the driver is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Objects.
    Compile,
    /// Assembly.
    Assembly,
    /// Preprocessed text or dependencies.
    Preprocess,
    /// A program, a shared library, or an object by `-r`.
    Link,
    /// An answer about the compiler.
    Query,
}

/// Language of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// Preprocessed C.
    PreprocessedC,
    /// C++.
    Cxx,
    /// Preprocessed C++.
    PreprocessedCxx,
    /// A language that is not captured; its name.
    Other(&'static str),
    /// Something for the linker.
    Linked,
}

impl Language {
    /// What clang's `-x` calls it; none where it is not captured.
    pub fn captured_as(self) -> Option<&'static str> {
        match self {
            Language::C => Some("c"),
            Language::PreprocessedC => Some("cpp-output"),
            Language::Cxx => Some("c++"),
            Language::PreprocessedCxx => Some("c++-cpp-output"),
            Language::Other(_) | Language::Linked => None,
        }
    }

    /// C++, preprocessed or not.
    pub fn is_cxx(self) -> bool {
        matches!(self, Language::Cxx | Language::PreprocessedCxx)
    }
}

/// A part of a command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A flag.
    Flag(Flag),
    /// A file.
    Input(String, Language),
}

/// A command line.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// What is asked.
    pub mode: Mode,
    /// Parts in order; response files are read.
    pub items: Vec<Item>,
    /// `-o`.
    pub output: Option<String>,
    /// A `-x` stands on it that holds at its end.
    pub forced_language: bool,
}

impl Command {
    /// Takes a command line apart; none when it cannot be understood, it then runs as it is.
    pub fn parse(context: &Context, arguments: &[String]) -> Option<Command> {
        let words = expand(&context.folder, arguments, 0)?;
        let mut command = Command { mode: Mode::Link, items: Vec::new(), output: None, forced_language: false };
        let (mut forced, mut query) = (None::<String>, false);
        let (mut preprocess, mut assembly, mut compile) = (false, false, false);
        let mut rest = &words[..];
        while let Some(word) = rest.first() {
            if !word.starts_with('-') || word == "-" {
                let language = match &forced {
                    Some(name) => named_language(name),
                    None => language_of(word, context.tool.is_cxx()),
                };
                command.items.push(Item::Input(word.clone(), language));
                rest = &rest[1..];
                continue;
            }
            let Some(flag) = flags::read(rest) else {
                // Unknown: a gcc-only flag without a value, as far as we can tell.
                let flag = Flag { class: Class::Gcc, name: word.clone(), value: None, words: 1 };
                command.items.push(Item::Flag(flag));
                rest = &rest[1..];
                continue;
            };
            rest = &rest[flag.words..];
            match flag.class {
                Class::Query => query = true,
                Class::Preprocess => preprocess = true,
                Class::Assembly => assembly = true,
                Class::Compile => compile = true,
                Class::Output => command.output = flag.value.clone(),
                Class::Language => forced = flag.value.clone().filter(|name| name != "none"),
                _ => {}
            }
            command.items.push(Item::Flag(flag));
        }
        command.forced_language = forced.is_some();
        let reads_input = command.inputs().any(|(name, _)| name == "-");
        command.mode = if query || command.inputs().next().is_none() || reads_input {
            Mode::Query
        } else if preprocess {
            Mode::Preprocess
        } else if assembly {
            Mode::Assembly
        } else if compile {
            Mode::Compile
        } else {
            Mode::Link
        };
        Some(command)
    }

    /// Files in order.
    pub fn inputs(&self) -> impl Iterator<Item = (&str, Language)> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(name, language) => Some((name.as_str(), *language)),
            _ => None,
        })
    }

    /// Sources in order that are neither C nor C++.
    pub fn foreign(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.inputs().filter_map(|(name, language)| match language {
            Language::Other(other) => Some((name, other)),
            _ => None,
        })
    }

    /// C and C++ sources in order.
    pub fn sources(&self) -> impl Iterator<Item = (&str, Language)> {
        self.inputs().filter(|(_, language)| language.captured_as().is_some())
    }

    /// Flags in order.
    pub fn flags(&self) -> impl Iterator<Item = &Flag> {
        self.items.iter().filter_map(|item| match item {
            Item::Flag(flag) => Some(flag),
            _ => None,
        })
    }

    /// Whether a flag stands on it.
    pub fn has(&self, name: &str) -> bool {
        self.flags().any(|flag| flag.name == name)
    }
}

/// Reads response files (`@file`); quoting as gcc has it.
pub fn expand(folder: &Path, arguments: &[String], depth: usize) -> Option<Vec<String>> {
    let mut out = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(file) = argument.strip_prefix('@') else {
            out.push(argument.clone());
            continue;
        };
        // As gcc: what cannot be read is an argument like any other.
        let Ok(text) = fs::read(folder.join(file)) else {
            out.push(argument.clone());
            continue;
        };
        if depth > 16 {
            return None;
        }
        out.extend(expand(folder, &split(&String::from_utf8(text).ok()?), depth + 1)?);
    }
    Some(out)
}

fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut started, mut quote) = (String::new(), false, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => {
                word.extend(characters.next());
                started = true;
            }
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                started = true;
            }
            (c, None) if c.is_whitespace() => {
                if started {
                    words.push(std::mem::take(&mut word));
                }
                started = false;
            }
            (c, _) => {
                word.push(c);
                started = true;
            }
        }
    }
    if started {
        words.push(word);
    }
    words
}

fn named_language(name: &str) -> Language {
    match name {
        "c" => Language::C,
        "cpp-output" => Language::PreprocessedC,
        "c-header" | "c++-header" => Language::Other("a precompiled header"),
        "assembler" | "assembler-with-cpp" => Language::Other("assembly"),
        "c++" => Language::Cxx,
        "c++-cpp-output" => Language::PreprocessedCxx,
        _ => Language::Other("neither C nor C++"),
    }
}

fn language_of(path: &str, cxx: bool) -> Language {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "c" if cxx => Language::Cxx,
        "i" if cxx => Language::PreprocessedCxx,
        "c" => Language::C,
        "i" => Language::PreprocessedC,
        "s" | "S" | "sx" => Language::Other("assembly"),
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "tcc" => Language::Cxx,
        "ii" => Language::PreprocessedCxx,
        "h" | "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" => Language::Other("a precompiled header"),
        "m" | "mi" | "M" | "mm" | "mii" => Language::Other("Objective-C"),
        "f" | "for" | "ftn" | "F" | "FOR" | "fpp" | "FPP" | "FTN" | "f90" | "f95" | "f03" | "f08" | "F90" | "F95"
        | "F03" | "F08" => Language::Other("Fortran"),
        "go" => Language::Other("Go"),
        "d" | "di" | "dd" => Language::Other("D"),
        "adb" | "ads" => Language::Other("Ada"),
        _ => Language::Linked,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{context::Tool, store::Store};

    pub(crate) fn context(name: &str) -> Context {
        Context {
            store: Store::at("/nowhere"),
            build: None,
            tool: Tool {
                name: name.into(),
                real: format!("/usr/bin/{name}").into(),
                standard: None,
                standard_cxx: None,
            },
            faces: "/nowhere/faces".into(),
            clang: "clang-22".into(),
            optimised: false,
            folder: "/nowhere".into(),
        }
    }

    pub(crate) fn parse(tool: &str, line: &str) -> Command {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Command::parse(&context(tool), &words).unwrap()
    }

    #[test]
    fn the_mode_is_what_the_driver_would_do() {
        let table = [
            ("-c a.c", Mode::Compile),
            ("-S a.c", Mode::Assembly),
            ("-E a.c", Mode::Preprocess),
            ("-c -M a.c", Mode::Preprocess),
            ("-MD -c a.c", Mode::Compile),
            ("a.c -o a", Mode::Link),
            ("--version", Mode::Query),
            ("-v", Mode::Query),
            ("-print-search-dirs", Mode::Query),
            ("-c -x c -", Mode::Query),
            ("-shared a.o -o a.so", Mode::Link),
        ];
        for (line, mode) in table {
            assert_eq!(parse("gcc", line).mode, mode, "{line}");
        }
    }

    #[test]
    fn inputs_have_the_language_that_the_driver_gives_them() {
        use Language::*;
        let languages = |tool, line| parse(tool, line).inputs().map(|(_, language)| language).collect::<Vec<_>>();
        let mixed = languages("gcc", "a.c b.S -x c c.txt -x none d.o e.cc f.ii -x c++ g.h");
        assert_eq!(mixed, [C, Other("assembly"), C, Linked, Cxx, PreprocessedCxx, Cxx]);
        assert_eq!(languages("g++", "-c a.c b.i c.C"), [Cxx, PreprocessedCxx, Cxx]);
        assert_eq!(parse("gcc", "a.c b.S d.o e.cc").sources().count(), 2);
    }

    #[test]
    fn response_files_are_read_with_their_quotes() {
        assert_eq!(split("-DX=\"a b\" 'c d'\n e\\ f \"\""), ["-DX=a b", "c d", "e f", ""]);
    }
}
