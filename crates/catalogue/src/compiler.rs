//! Calls of clang.

use std::path::Path;
use std::process::{Command, Output};

use crate::error::Error;

/// A language that programs are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    C,
    Cpp,
}

impl Language {
    /// That of a source, by its name; none where it is no source.
    pub(crate) fn of(file: &str) -> Option<Self> {
        match Path::new(file).extension()?.to_str()? {
            "c" => Some(Language::C),
            "cpp" => Some(Language::Cpp),
            _ => None,
        }
    }

    /// Its compiler.
    pub(crate) const fn compiler(self) -> &'static str {
        match self {
            Language::C => "clang-22",
            Language::Cpp => "clang++-22",
        }
    }

    /// What its compiler is told about each source.
    pub(crate) const fn flags(self) -> &'static [&'static str] {
        match self {
            Language::C => &[],
            Language::Cpp => &["-std=c++17"],
        }
    }
}

/// Runs the compiler of a language in a folder.
pub(crate) fn run(language: Language, folder: &Path, arguments: &[&str]) -> Result<Output, Error> {
    let compiler = language.compiler();
    let missing = format!("run {compiler} (Debian: apt-get install clang-22) in");
    Command::new(compiler)
        .current_dir(folder)
        .args(arguments)
        .output()
        .map_err(|source| Error::at(folder, format!("cannot {missing} this folder: {source}")))
}

/// What it says to an error, the first lines of it.
pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().take(5).collect::<Vec<_>>().join("\n")
}
