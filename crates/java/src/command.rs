//! The virtual machine that a command starts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::JavaError;

/// The versions in which the tracer works: it is compiled for the first one, and ASM reads class files up to the last one.
const OLDEST: u32 = 11;
const NEWEST: u32 = 20;

/// The virtual machine of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// The program.
    pub executable: PathBuf,
    /// Its version: 17 of "17.0.15".
    pub number: u32,
}

/// The virtual machine that a command's first word names, where the tracer works in it.
pub fn version(word: &OsStr) -> Result<Version, JavaError> {
    let told = word.to_string_lossy().into_owned();
    if Path::new(word).file_name() != Some(OsStr::new("java")) {
        return Err(JavaError::NoJava { word: told });
    }
    let executable = find(Path::new(word)).ok_or_else(|| JavaError::NotFound { word: told.clone() })?;
    let output = Command::new(&executable).arg("-version").output();
    let output = output.map_err(|_| JavaError::NotFound { word: told.clone() })?;
    let number = number(&String::from_utf8_lossy(&output.stderr)).ok_or(JavaError::NoVersion { word: told.clone() })?;
    if !(OLDEST..=NEWEST).contains(&number) {
        return Err(JavaError::Version { word: told, version: number, oldest: OLDEST, newest: NEWEST });
    }
    Ok(Version { executable, number })
}

/// The file of a program, as a shell finds it.
fn find(word: &Path) -> Option<PathBuf> {
    let is_file = |path: &PathBuf| path.is_file();
    if word.components().count() > 1 {
        return std::path::absolute(word).ok().filter(is_file);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(is_file)
}

/// The version in what `java -version` says: of `openjdk version "17.0.15"` it is 17, of `java version "1.8.0_292"` 8.
fn number(said: &str) -> Option<u32> {
    let quoted = said.split('"').nth(1)?;
    let mut parts = quoted.split(['.', '-', '_', '+']).map(str::parse::<u32>);
    match parts.next()?.ok()? {
        1 => parts.next()?.ok(),
        number => Some(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_java_writes_them() {
        assert_eq!(number("openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime"), Some(17));
        assert_eq!(number("java version \"1.8.0_292\"\n"), Some(8));
        assert_eq!(number("openjdk version \"21-ea\" 2023-09-19\n"), Some(21));
        assert_eq!(number("something else"), None);
    }

    #[test]
    fn a_command_that_is_no_java_is_told_so() {
        assert!(matches!(version(OsStr::new("mvn")), Err(JavaError::NoJava { .. })));
        assert!(matches!(version(OsStr::new("/nowhere/java")), Err(JavaError::NotFound { .. })));
    }
}
