//! Calls of compilers.

use std::path::Path;
use std::process::{Command, Output};

use crate::error::Error;

/// A language that programs are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
    Rust,
}

/// What a program is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Build {
    /// As a project builds itself while it is looked into.
    Plain,
    /// To be run often.
    Usual,
    /// To stop at what the language leaves undefined, and to find something else in variables without a value. In Rust there is
    /// neither: it is optimised instead, with the same checks.
    Strict,
}

impl Language {
    /// That of a source, by its name; none where it is no source.
    pub(crate) fn of(file: &str) -> Option<Self> {
        match Path::new(file).extension()?.to_str()? {
            "c" => Some(Language::C),
            "cpp" => Some(Language::Cpp),
            "rs" => Some(Language::Rust),
            _ => None,
        }
    }

    /// Its compiler.
    pub(crate) const fn compiler(self) -> &'static str {
        match self {
            Language::C => "clang-22",
            Language::Cpp => "clang++-22",
            Language::Rust => "rustc",
        }
    }

    /// Where its compiler comes from.
    const fn source(self) -> &'static str {
        match self {
            Language::C | Language::Cpp => "Debian: apt-get install clang-22",
            Language::Rust => "it is part of the Rust toolchain",
        }
    }

    /// What its compiler is told about each source.
    pub(crate) const fn flags(self, build: Build) -> &'static [&'static str] {
        const PATTERN: &str = "-ftrivial-auto-var-init=pattern";
        const UNDEFINED: [&str; 2] = ["-fsanitize=undefined", "-fsanitize-trap=undefined"];
        match (self, build) {
            (Language::C, Build::Plain) => &["-O0", "-w"],
            (Language::Cpp, Build::Plain) => &["-O0", "-w", "-std=c++17"],
            (Language::C, Build::Usual) => &["-O1", "-w"],
            (Language::C, Build::Strict) => &["-O0", "-w", PATTERN, UNDEFINED[0], UNDEFINED[1]],
            (Language::Cpp, Build::Usual) => &["-O1", "-w", "-std=c++17"],
            (Language::Cpp, Build::Strict) => &["-O0", "-w", "-std=c++17", PATTERN, UNDEFINED[0], UNDEFINED[1]],
            (Language::Rust, Build::Plain | Build::Usual) => &["--edition=2024", "-Awarnings"],
            (Language::Rust, Build::Strict) => &["--edition=2024", "-Awarnings", "-Copt-level=1", "-Cdebug-assertions"],
        }
    }
}

/// Runs the compiler of a language in a folder.
pub(crate) fn run(language: Language, folder: &Path, arguments: &[&str]) -> Result<Output, Error> {
    let (compiler, from) = (language.compiler(), language.source());
    Command::new(compiler)
        .current_dir(folder)
        .args(arguments)
        .output()
        .map_err(|source| Error::at(folder, format!("cannot run {compiler} ({from}) in this folder: {source}")))
}

/// What it says to an error, the first lines of it.
pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().take(5).collect::<Vec<_>>().join("\n")
}
