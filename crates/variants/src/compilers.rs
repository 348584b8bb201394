//! Compilers that take a warning for a warning: what a version's own build makes an error of it, and what newer compilers have made
//! errors since, ends no build. A folder of small scripts stands first in the search path, each of which adds flags to what it stands for.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use whydunit_changes::Tree;

use crate::Error;

/// Added behind all other flags of C.
pub const FLAGS_OF_C: &[&str] = &[
    "-Wno-error",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-fcommon",
];
/// Added behind all other flags of C++.
pub const FLAGS_OF_CPP: &[&str] = &["-Wno-error", "-Wno-narrowing"];
/// Added behind all other flags of the packages of a project in Rust.
pub const FLAGS_OF_RUST: &[&str] = &["--cap-lints", "warn"];

/// Names under which builds look for compilers.
const OF_C: &[&str] = &["cc", "gcc", "clang", "c99"];
const OF_CPP: &[&str] = &["c++", "g++", "clang++"];
/// The script for Rust: cargo gives it the compiler's name with the arguments.
const OF_RUST: &str = "whydunit-rustc";

/// Writes the scripts into `folder`; what builds find in their environment then. Debug information is left out of what cargo builds:
/// nothing here reads it.
pub(crate) fn lenient(folder: &Path) -> Result<Vec<(OsString, OsString)>, Error> {
    fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let folder = folder.canonicalize().map_err(Error::io(folder))?;
    for (names, flags) in [(OF_C, FLAGS_OF_C), (OF_CPP, FLAGS_OF_CPP)] {
        for name in names {
            if let Some(program) = whydunit_suite::find_program(Path::new(name)) {
                let program = quoted(&program);
                script(&folder.join(name), &format!("exec {program} \"$@\" {}", flags.join(" ")))?;
            }
        }
    }
    let rust = folder.join(OF_RUST);
    script(&rust, &format!("exec \"$@\" {}", FLAGS_OF_RUST.join(" ")))?;
    let known = std::env::var_os("PATH").unwrap_or_default();
    let search = std::iter::once(folder.clone()).chain(std::env::split_paths(&known));
    // A folder whose name has a colon cannot be in a search path: the compilers are those that there are, then.
    let search = std::env::join_paths(search).unwrap_or(known);
    Ok(vec![
        ("PATH".into(), search),
        ("RUSTC_WORKSPACE_WRAPPER".into(), rust.into_os_string()),
        ("CARGO_PROFILE_DEV_DEBUG".into(), "0".into()),
    ])
}

/// What builds of a version in Rust find besides, where the toolchain that it names, or a folder around it, is not there: the one that is
/// used elsewhere.
pub(crate) fn toolchain(version: &Tree, folder: &Path) -> Option<(OsString, OsString)> {
    if !version.files.contains_key("Cargo.toml") {
        return None;
    }
    // Nothing is fetched for it.
    let asked = |program: &str, words: &[&str], folder: &Path| {
        let output =
            Command::new(program).args(words).env("RUSTUP_AUTO_INSTALL", "0").current_dir(folder).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if asked("cargo", &["--version"], folder).is_some() {
        return None;
    }
    let active = asked("rustup", &["show", "active-toolchain"], Path::new("/"))?;
    Some(("RUSTUP_TOOLCHAIN".into(), active.split_whitespace().next()?.into()))
}

/// A folder below which cargo looks for no workspace further up, as it packs crates there.
pub(crate) const APART: &str = "target/package";

/// What builds and tests of versions below `folder` find in their environment, so that git finds no repository further up: that may be the
/// one that the versions are from.
pub(crate) fn apart(folder: &Path) -> Result<(OsString, OsString), Error> {
    let folder = folder.canonicalize().map_err(Error::io(folder))?;
    Ok(("GIT_CEILING_DIRECTORIES".into(), folder.into_os_string()))
}

fn script(path: &PathBuf, command: &str) -> Result<(), Error> {
    fs::write(path, format!("#!/bin/sh\n{command}\n")).map_err(Error::io(path))?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(Error::io(path))
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_that_are_errors_end_no_build() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("it's here");
        let env = lenient(&folder).expect("scripts");
        let source = place.path().join("a.c");
        fs::write(&source, "int shared;\nint main(void)\n{\n    int unused;\n    return told();\n}\nint told(void)\n{\n    return 0;\n}\n")
            .expect("a file");
        let out = place.path().join("a");
        let compiled = |env: &[(OsString, OsString)]| {
            let mut command = Command::new("sh");
            command.args(["-c", "exec cc -Wall -Werror \"$1\" -o \"$2\"", "sh"]).arg(&source).arg(&out);
            command.envs(env.iter().cloned()).output().expect("sh runs").status.success()
        };
        assert!(!compiled(&[]) && compiled(&env));
    }
}
