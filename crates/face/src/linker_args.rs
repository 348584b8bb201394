//! The words that a linker gets.

use std::path::Path;

/// A part of a linker's command line.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A flag, with its value.
    Flag(Vec<String>),
    /// A flag that names a file which the link reads.
    File(String, String),
    /// `-l`.
    Library(String),
    /// `-L`.
    LibraryFolder(String),
    /// A file to link.
    Input(String),
}

/// Flags whose value is the next word, without dashes; long ones may also be written with `=`.
const NEXT: &[&str] = &[
    "rpath",
    "rpath-link",
    "soname",
    "dynamic-linker",
    "Map",
    "entry",
    "defsym",
    "wrap",
    "section-start",
    "undefined",
    "require-defined",
    "trace-symbol",
    "plugin",
    "plugin-opt",
    "init",
    "fini",
    "auxiliary",
    "filter",
    "hash-style",
    "format",
    "oformat",
    "assert",
    "exclude-libs",
    "Ttext",
    "Tdata",
    "Tbss",
    "Ttext-segment",
    "image-base",
    "sysroot",
    "out-implib",
    "dependency-file",
    "audit",
    "depaudit",
    "task-link",
    "unresolved-symbols",
    "library-path",
    "library",
    "output",
];
/// The same of one letter; the value may follow in the same word.
const NEXT_LETTER: &[&str] =
    &["o", "e", "u", "z", "m", "y", "h", "f", "F", "R", "A", "b", "c", "G", "a", "Y", "I", "P"];
/// Flags that name a file which the link reads.
const FILES: &[&str] = &[
    "version-script",
    "dynamic-list",
    "export-dynamic-symbol-list",
    "script",
    "default-script",
    "just-symbols",
    "retain-symbols-file",
    "symbol-ordering-file",
    "T",
    "dT",
];

/// Takes words apart.
pub fn pieces(words: &[String]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|bare| !bare.is_empty());
        let Some(bare) = bare else {
            out.push(Piece::Input(word.clone()));
            continue;
        };
        let (name, joined) = match bare.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (bare, None),
        };
        let double = word.starts_with("--");
        let mut value = |joined: Option<String>| joined.or_else(|| rest.next().cloned()).unwrap_or_default();
        let letter = |letters: &[&'static str]| -> Option<&'static str> {
            (!double).then(|| letters.iter().find(|letter| bare.starts_with(**letter)).copied()).flatten()
        };
        if FILES.contains(&name) {
            let flag = if double { format!("--{name}") } else { format!("-{name}") };
            out.push(Piece::File(flag, value(joined)));
        } else if name == "library" && double {
            out.push(Piece::Library(value(joined)));
        } else if name == "library-path" && double {
            out.push(Piece::LibraryFolder(value(joined)));
        } else if NEXT.contains(&name) {
            let flag = if double { format!("--{name}") } else { format!("-{name}") };
            out.push(Piece::Flag(vec![flag, value(joined)]));
        } else if LONG.contains(&name) {
            out.push(Piece::Flag(vec![word.clone()]));
        } else if let Some(letter) = letter(&["l", "L"]) {
            let value = value((bare.len() > 1).then(|| bare[1..].to_owned()));
            out.push(if letter == "l" { Piece::Library(value) } else { Piece::LibraryFolder(value) });
        } else if let Some(letter) = letter(NEXT_LETTER) {
            out.push(Piece::Flag(vec![format!("-{letter}"), value((bare.len() > 1).then(|| bare[1..].to_owned()))]));
        } else if let (Some("T"), true) = (letter(&["T"]), bare.len() > 1) {
            out.push(Piece::File("-T".to_owned(), bare[1..].to_owned()));
        } else {
            out.push(Piece::Flag(vec![word.clone()]));
        }
    }
    out
}

/// Words without a value that begin as one of the one-letter flags do.
const LONG: &[&str] = &[
    "export-dynamic",
    "enable-new-dtags",
    "enable-auto-import",
    "emit-relocs",
    "end-group",
    "end-lib",
    "eh-frame-hdr",
    "build-id",
    "fatal-warnings",
    "gc-sections",
    "print-gc-sections",
    "print-map",
    "pie",
    "pic-executable",
    "oformat",
    "omagic",
    "icf",
    "oremap",
    "push-state",
    "pop-state",
    "allow-multiple-definition",
    "allow-shlib-undefined",
    "as-needed",
    "add-needed",
    "accept-unknown-input-arch",
    "copy-dt-needed-entries",
    "check-sections",
    "cref",
    "call_shared",
    "ctors-in-init-array",
    "non_shared",
    "no-undefined",
    "noinhibit-exec",
    "merge-exidx-entries",
    "relax",
    "relocatable",
    "reduce-memory-overheads",
    "error-unresolved-symbols",
    "execute-only",
    "unique",
    "ld-generated-unwind-info",
    "large-address-aware",
    "force-exe-suffix",
    "zdefs",
    "flto",
    "fini",
    "compress-debug-sections",
    "be8",
    "Bstatic",
    "Bdynamic",
    "Bsymbolic",
    "Bsymbolic-functions",
    "Bshareable",
    "Bgroup",
    "Map",
    "embedded-relocs",
    "fix-cortex-a8",
    "hash-style",
    "print-memory-usage",
    "print-output-format",
    "error-limit",
    "color-diagnostics",
    "orphan-handling",
    "pack-dyn-relocs",
    "discard-all",
    "discard-locals",
    "demangle",
    "dynamic-list-data",
    "dynamic-list-cpp-new",
    "disable-new-dtags",
    "discard-none",
    "unresolved-symbols",
    "undefined-version",
    "use-blocks",
    "update-section",
    "whole-archive",
    "warn-common",
    "zeroize",
    "mri-script",
    "max-cache-size",
    "map-whole-files",
    "plugin-opt",
    "power10-stubs",
    "init",
    "image-base",
    "ignore-unresolved-symbol",
    "ignore-unresolved-symbols",
    "help",
    "format",
    "filter",
    "fatal-warning",
];

/// Finds the file of `-l NAME`.
pub fn find_library(name: &str, folders: &[std::path::PathBuf], only_static: bool) -> Option<std::path::PathBuf> {
    let candidates: Vec<String> = match name.strip_prefix(':') {
        Some(file) => vec![file.to_owned()],
        None if only_static => vec![format!("lib{name}.a")],
        None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
    };
    folders.iter().find_map(|folder| candidates.iter().map(|file| folder.join(file)).find(|path| Path::is_file(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Vec<Piece> {
        pieces(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }
    fn flag(words: &str) -> Piece {
        Piece::Flag(words.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn a_linkers_words_are_taken_apart() {
        let line = "-r -o x.o a.o -lfoo -L lib --whole-archive b.a --no-whole-archive -rpath /x -z now -znow -soname=y \
                    --version-script=v.map -T s.ld -export-dynamic -eh-frame-hdr -m elf_x86_64 --build-id -Bstatic -h s";
        assert_eq!(
            of(line),
            [
                flag("-r"),
                flag("-o x.o"),
                Piece::Input("a.o".into()),
                Piece::Library("foo".into()),
                Piece::LibraryFolder("lib".into()),
                flag("--whole-archive"),
                Piece::Input("b.a".into()),
                flag("--no-whole-archive"),
                flag("-rpath /x"),
                flag("-z now"),
                flag("-z now"),
                flag("-soname y"),
                Piece::File("--version-script".into(), "v.map".into()),
                Piece::File("-T".into(), "s.ld".into()),
                flag("-export-dynamic"),
                flag("-eh-frame-hdr"),
                flag("-m elf_x86_64"),
                flag("--build-id"),
                flag("-Bstatic"),
                flag("-h s"),
            ]
        );
    }
}
