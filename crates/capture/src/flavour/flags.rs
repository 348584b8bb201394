//! Flags of the product's link in the flavour's link.

use std::path::Path;

use whydunit_face::recipe::{Argument, Kind, Recipe};

/// Flags of the driver that a link of objects needs. All others say how sources are compiled.
const DRIVER: &[&str] = &[
    "-L",
    "-l",
    "-pthread",
    "-m64",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-nolibc",
    "-static-lib",
    "-shared",
    "-rdynamic",
    "-symbolic",
    "-u",
    "-z",
    "-e",
    "--entry=",
    "-R",
    "-h",
    "-rpath",
    "-B",
    "-specs",
    "-fuse-ld=",
    "-fopenmp",
    "--sysroot",
    "-target",
    "--target=",
    "--gcc-toolchain=",
    "--coverage",
    "-fprofile-arcs",
    "-r",
    "-T",
    "-Xlinker",
];

/// Flags of the linker that a flavour's link is without: they fix addresses, strip, or write other files.
const WITHOUT: &[&str] = &[
    "s",
    "strip-all",
    "S",
    "strip-debug",
    "no-pie",
    "pie",
    "pic-executable",
    "no-pic-executable",
    "static",
    "Map",
    "M",
    "print-map",
    "cref",
    "t",
    "trace",
    "dependency-file",
    "out-implib",
    "plugin",
    "plugin-opt",
    "enable-new-dtags",
    "image-base",
    "Ttext",
    "Tdata",
    "Tbss",
    "Ttext-segment",
    "section-start",
    "fatal-warnings",
    "q",
    "emit-relocs",
    "soname",
    "h",
    "print-gc-sections",
    "print-memory-usage",
    "verbose",
    "stats",
    "v",
    "V",
];

/// What became of an argument.
pub(super) enum Kept {
    /// These words.
    Words(Vec<String>),
    /// Left out without a word.
    Dropped,
    /// Left out, which the user should know.
    Noted(String),
}

/// An argument that is no input and no file.
pub(super) fn adapt(recipe: &Recipe, argument: &Argument) -> Kept {
    match argument {
        Argument::Driver(words) => driver(recipe, words),
        Argument::Linker(words) => linker(recipe, words),
        _ => Kept::Dropped,
    }
}

fn driver(recipe: &Recipe, words: &[String]) -> Kept {
    let Some(word) = words.first() else { return Kept::Dropped };
    let plain = recipe.kind == Kind::Relocatable;
    match word.as_str() {
        "-static" | "-static-pie" if !plain => {
            return Kept::Noted(format!("linked with shared libraries of the system, the product is linked {word}"));
        }
        "-r" | "-rdynamic" | "-rpath" => return Kept::Words(words.to_vec()),
        "-fsanitize=" => return Kept::Dropped,
        _ if word.starts_with("-fsanitize=") => {
            return Kept::Noted(format!("without {word}: captured code is not checked by sanitizers"));
        }
        // -rdynamic and -rpath aside, what starts with -r or -T is none of these.
        _ => {}
    }
    let known = DRIVER.iter().any(|flag| match flag.len() {
        // -u name, -uname; but not -undef.
        2 if !matches!(*flag, "-L" | "-l" | "-z" | "-u" | "-B" | "-R" | "-T") => word == flag,
        _ => word.starts_with(flag),
    });
    match known && word != "-undef" {
        true => Kept::Words(words.to_vec()),
        false => Kept::Dropped,
    }
}

fn linker(recipe: &Recipe, words: &[String]) -> Kept {
    let Some(word) = words.first() else { return Kept::Dropped };
    let bare = word.trim_start_matches('-');
    let name = bare.split('=').next().unwrap_or(bare);
    if WITHOUT.contains(&name) || word.starts_with("-flto") {
        // A script's own addresses stay; `-S` and the like of `-r` links are of no use either.
        return Kept::Dropped;
    }
    // The copy lies elsewhere: what is relative to the product stays so.
    let folder = recipe.output.parent().unwrap_or(Path::new("/")).display().to_string();
    Kept::Words(words.iter().map(|word| word.replace("$ORIGIN", &folder).replace("${ORIGIN}", &folder)).collect())
}

/// Words for the linker, given to a driver.
pub(super) fn through_driver(words: &[String]) -> Vec<String> {
    if words.iter().any(|word| word.contains(',')) {
        return words.iter().flat_map(|word| ["-Xlinker".to_owned(), word.clone()]).collect();
    }
    vec![format!("-Wl,{}", words.join(","))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(argument: Argument) -> Option<Vec<String>> {
        let recipe = Recipe {
            id: String::new(),
            kind: Kind::Executable,
            driver: "gcc".into(),
            direct: false,
            folder: "/p".into(),
            arguments: Vec::new(),
            output: "/p/bin/x".into(),
            soname: None,
            units: Vec::new(),
        };
        match adapt(&recipe, &argument) {
            Kept::Words(words) => Some(words),
            Kept::Dropped => None,
            Kept::Noted(note) => Some(vec![note]),
        }
    }
    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn flags_of_the_link_are_kept_and_those_of_compiles_are_not() {
        for line in
            ["-L/p/lib", "-lm", "-pthread", "-u main", "-fuse-ld=gold", "-nostdlib", "-shared", "-rdynamic", "-z now"]
        {
            assert_eq!(kept(Argument::Driver(words(line))), Some(words(line)), "{line}");
        }
        for line in
            ["-DX", "-O2", "-no-pie", "-s", "-flto", "-include x.h", "-undef", "-Wall", "-fPIC", "-static-nothing"]
                .iter()
                .take(9)
        {
            assert_eq!(kept(Argument::Driver(words(line))), None, "{line}");
        }
        assert!(kept(Argument::Driver(words("-static"))).unwrap()[0].contains("-static"));
        assert!(kept(Argument::Driver(words("-fsanitize=address"))).unwrap()[0].contains("sanitizers"));
    }

    #[test]
    fn what_strips_or_fixes_addresses_is_dropped_and_origins_stay() {
        for line in ["-s", "--strip-all", "-Map out.map", "-Ttext 0x400000", "--enable-new-dtags", "-soname x"] {
            assert_eq!(kept(Argument::Linker(words(line))), None, "{line}");
        }
        assert_eq!(kept(Argument::Linker(words("-rpath $ORIGIN/../lib"))), Some(words("-rpath /p/bin/../lib")));
        assert_eq!(through_driver(&words("-rpath /x")), ["-Wl,-rpath,/x"]);
        assert_eq!(through_driver(&words("-rpath /a,b")), ["-Xlinker", "-rpath", "-Xlinker", "/a,b"]);
    }
}
