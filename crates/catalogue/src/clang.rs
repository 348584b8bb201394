//! Calls of clang.

use std::path::Path;
use std::process::{Command, Output};

use crate::error::Error;

/// The compiler.
pub(crate) const CLANG: &str = "clang-22";

/// Runs it in a folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Result<Output, Error> {
    let missing = format!("run {CLANG} (Debian: apt-get install {CLANG}) in");
    Command::new(CLANG)
        .current_dir(folder)
        .args(arguments)
        .output()
        .map_err(|source| Error::at(folder, format!("cannot {missing} this folder: {source}")))
}

/// What it says to an error, the first lines of it.
pub(crate) fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().take(5).collect::<Vec<_>>().join("\n")
}
