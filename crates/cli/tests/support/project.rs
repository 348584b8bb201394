//! A copy of a subject as a project of its own, and our program run on it.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A project in a folder that goes with the value.
pub struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder().join(name), text).expect("a file");
    }

    /// Copies a subject's folder or file into the project.
    pub fn copy(&self, subject: &str) {
        let source = subjects().join(subject);
        let status = Command::new("cp").arg("-r").arg(&source).arg(self.folder()).status().expect("cp starts");
        assert!(status.success(), "{} is copied", source.display());
    }

    /// Copies what is in a subject's folder.
    pub fn copy_inside(&self, subject: &str) {
        let source = subjects().join(subject).join(".");
        let status = Command::new("cp").arg("-r").arg(&source).arg(self.folder()).status().expect("cp starts");
        assert!(status.success(), "{} is copied", source.display());
    }

    pub fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_whydunit"))
            .args(args)
            .current_dir(self.folder())
            .output()
            .expect("whydunit starts")
    }

    /// Runs with `--format json`; the status, and the answer where there is one.
    pub fn json(&self, args: &[&str]) -> (i32, Value, String) {
        let mut all = vec!["--format", "json"];
        all.extend(args);
        let output = self.run(&all);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().unwrap_or(-1), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null), errors)
    }
}

pub fn subjects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").canonicalize().expect("the subjects")
}
