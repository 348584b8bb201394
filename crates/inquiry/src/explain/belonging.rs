//! Which files a program is made of, as its debug information and its sources tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use whydunit_changes::{Change, ChangeKind};

/// What a changed file is to the program, the likeliest to matter first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Belonging {
    /// The program is made of it, or was.
    Program,
    /// It says how the program is built.
    Build,
    /// The program may be made by it, or read it: scripts, data.
    Beside,
    /// It is another program's source, or there for people to read.
    Apart,
}

/// The files of a program.
pub struct Parts {
    /// Those that its debug information names, and headers that these include.
    files: BTreeSet<String>,
    /// Headers are included by names that macros make: any may be a part.
    hidden: bool,
}

impl Parts {
    /// Of a program whose debug information names some files. `sources` are the lines of all files of its version.
    pub fn of(named: BTreeSet<String>, sources: &HashMap<String, Vec<String>>) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
        for path in sources.keys() {
            by_name.entry(base(path)).or_default().push(path);
        }
        let mut open: Vec<String> = named.iter().cloned().collect();
        let (mut files, mut hidden) = (named, false);
        while let Some(path) = open.pop() {
            for line in sources.get(&path).into_iter().flatten() {
                let Some(included) = included(line) else { continue };
                hidden |= included.is_none();
                for path in included.and_then(|name| by_name.get(base(name))).into_iter().flatten() {
                    if files.insert((*path).clone()) {
                        open.push((*path).clone());
                    }
                }
            }
        }
        Self { files, hidden }
    }

    /// What a changed file is to the program. Rust's benchmarks, examples and tests of other packages lie in folders of which the program has
    /// none; what is not there any more may have been a part.
    pub fn belonging(&self, change: &Change) -> Belonging {
        let file = &change.file;
        let lies_there = !matches!(change.kind, ChangeKind::Deleted);
        if is_document(file) {
            return Belonging::Apart;
        }
        let is_part = self.files.contains(file);
        let is_part = match file.rsplit_once('.').map_or("", |(_, end)| end) {
            "c" | "cc" | "cpp" | "cxx" | "C" | "c++" => is_part || !lies_there,
            "h" | "hh" | "hpp" | "hxx" | "inc" | "inl" | "ipp" | "tcc" | "def" => is_part || !lies_there || self.hidden,
            "rs" => file.rsplit_once('/').is_none_or(|(folder, _)| {
                self.files.iter().any(|file| file.ends_with(".rs") && Path::new(file).starts_with(folder))
            }),
            _ if is_part => true,
            _ if is_of_build(file) => return Belonging::Build,
            _ => return Belonging::Beside,
        };
        if is_part { Belonging::Program } else { Belonging::Apart }
    }
}

/// What a line includes, if anything: a file's name, or none where a macro says it.
fn included(line: &str) -> Option<Option<&str>> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let close = match rest.chars().next()? {
        '"' => '"',
        '<' => '>',
        _ => return Some(None),
    };
    Some(rest[1..].split_once(close).map(|(name, _)| name))
}

/// Whether a file says how programs are built.
fn is_of_build(file: &str) -> bool {
    let name = base(file);
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    let names = [
        "CMakeLists.txt",
        "meson.build",
        "meson_options.txt",
        "meson.options",
        "Cargo.toml",
        "SConstruct",
        "configure",
    ];
    let stem = name.split('.').next().unwrap_or(name);
    names.contains(&name)
        || ["Makefile", "makefile", "GNUmakefile"].contains(&stem)
        || ["cmake", "mk", "am", "ac", "m4", "in"].contains(&end)
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a file is there to be read by people, or by services: what it names is no part of the program.
pub fn is_document(file: &str) -> bool {
    let name = base(file);
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    let ends = ["md", "markdown", "rst", "adoc", "html", "htm", "tex", "texi"];
    let is_manual = end.len() == 1 && end.chars().all(|digit| digit.is_ascii_digit() && digit != '0');
    let stems = ["readme", "changelog", "changes", "news", "license", "copying", "authors", "todo", "history"];
    let is_plain = ["", "txt", "orig"].contains(&end);
    let services = [".travis.yml", "appveyor.yml", ".appveyor.yml", ".clang-format", ".editorconfig"];
    let is_hosting = file.split('/').any(|part| part.starts_with(".git")) || services.contains(&name);
    ends.contains(&end) || is_manual || is_hosting || is_plain && stems.contains(&stem.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(file: &str, kind: ChangeKind) -> Change {
        Change { id: String::new(), file: file.into(), kind }
    }

    fn parts(named: &[&str], sources: &[(&str, &str)]) -> Parts {
        let lines = |text: &str| text.lines().map(String::from).collect();
        let sources = sources.iter().map(|(path, text)| ((*path).to_owned(), lines(text))).collect();
        Parts::of(named.iter().map(|file| (*file).to_owned()).collect(), &sources)
    }

    #[test]
    fn documents() {
        assert!(is_document("lib/README.md") && is_document("ChangeLog") && is_document("doc/lua.1"));
        assert!(is_document(".github/workflows/ci.yml") && is_document(".gitignore"));
        assert!(!is_document("src/changes.c") && !is_document("table.txt") && !is_document("Makefile"));
    }

    #[test]
    fn sources_of_other_programs_and_headers_that_nobody_includes() {
        let sources = [
            ("main.c", "#include <stdio.h>\n# include \"lib/a.h\"\n"),
            ("lib/a.h", "#include \"b.h\"\n"),
            ("lib/b.h", "int b;\n"),
            ("c.h", "int c;\n"),
            ("other.c", "#include \"c.h\"\n"),
        ];
        let own = parts(&["main.c"], &sources);
        let of = |file: &str| own.belonging(&change(file, ChangeKind::Content));
        assert_eq!(["main.c", "lib/a.h", "lib/b.h"].map(of), [Belonging::Program; 3]);
        assert_eq!(["other.c", "c.h", "README"].map(of), [Belonging::Apart; 3]);
        assert_eq!(["Makefile", "lib/CMakeLists.txt", "config.h.in"].map(of), [Belonging::Build; 3]);
        assert_eq!(["table.txt", "make.py"].map(of), [Belonging::Beside; 2]);
        assert_eq!(own.belonging(&change("gone.c", ChangeKind::Deleted)), Belonging::Program);
        let hidden = parts(&["main.c"], &[("main.c", "#include TABLE\n"), ("c.h", "")]);
        assert_eq!(hidden.belonging(&change("c.h", ChangeKind::Content)), Belonging::Program);
    }

    #[test]
    fn what_is_not_built_of_a_workspace() {
        let own = parts(&["tests/ours.rs", "lib/src/core.rs", "main.c"], &[]);
        let of = |file: &str| own.belonging(&change(file, ChangeKind::Content));
        assert_eq!(["lib/src/constants.rs", "lib/build.rs", "build.rs"].map(of), [Belonging::Program; 3]);
        assert_eq!(["lib/benches/linear.rs", "lib/examples/wasm/src/lib.rs"].map(of), [Belonging::Apart; 2]);
    }
}
