//! The clang that makes bitcode: where it is, and whether it is the right one.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use whydunit_face::context;

use crate::Error;

/// The version of clang and LLVM that everything here is made for.
const VERSION: &str = "22";

/// The clang that makes bitcode, of the right version: what the environment names, or else in PATH or where Debian has it.
pub fn clang() -> Result<PathBuf, Error> {
    let clang = find().ok_or(Error::NoClang)?;
    check_version(&clang)?;
    Ok(clang)
}

/// Where it is; `None` where it is not installed.
pub(crate) fn find() -> Option<PathBuf> {
    if let Some(given) = env::var_os(context::CLANG) {
        return Some(PathBuf::from(given));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .filter(|folder| !folder.join(".real").is_dir())
        .map(|folder| folder.join("clang-22"))
        .chain([PathBuf::from("/usr/lib/llvm-22/bin/clang")])
        .find(|path| path.is_file())
}

/// Bitcode is read by LLVM 22: that of another clang would be refused, or mean other things, only when a run is recorded.
fn check_version(clang: &Path) -> Result<(), Error> {
    let output = Command::new(clang).arg("--version").env(context::INSIDE, "1").stdin(Stdio::null()).output();
    let says = match output {
        Ok(output) => String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or("it says nothing").to_owned(),
        Err(error) => format!("it does not start: {error}"),
    };
    let version = says.split_once("clang version ").and_then(|(_, version)| version.split('.').next());
    if version == Some(VERSION) { Ok(()) } else { Err(Error::OtherClang { clang: clang.to_owned(), says }) }
}
