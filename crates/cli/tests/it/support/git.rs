//! A repository of a test, and everything that git keeps of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs git; what it says.
pub fn git(project: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(project)
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Commits all files.
pub fn commit_all(project: &Path, message: &str) {
    git(project, &["add", "-A"]);
    git(project, &["commit", "-q", "-m", message]);
}

/// What git says of the files, and each file that it keeps: index, references, stash, logs, objects, byte for byte.
#[derive(PartialEq)]
pub struct State {
    pub status: String,
    kept: BTreeMap<PathBuf, Vec<u8>>,
}

/// The state of a repository.
pub fn state(project: &Path) -> State {
    let mut kept = BTreeMap::new();
    let mut folders = vec![project.join(".git")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                kept.insert(path.clone(), std::fs::read(&path).expect("a file"));
            }
        }
    }
    State { status: git(project, &["--no-optional-locks", "status", "--porcelain"]), kept }
}
