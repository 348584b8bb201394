//! A subject of `subjects/explain`, its two versions laid out in a folder of their own.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::project::{Project, subjects};

/// Lays out a subject's versions below a project's folder: the good one, and the bad one.
pub fn lay_out(project: &Project, name: &str) -> (PathBuf, PathBuf) {
    let source = subjects().join("explain").join(name);
    let place = project.path(name);
    let (good, bad) = (place.join("good"), place.join("bad"));
    let base = std::fs::read_to_string(source.join("base"));
    let from = base.map_or_else(|_| source.join("good"), |base| source.join(base.trim()));
    for version in [&good, &bad] {
        copy(&from, version);
    }
    let patched = Command::new("patch")
        .args(["-s", "-p1", "-i"])
        .arg(source.join("bad.diff"))
        .current_dir(&bad)
        .status()
        .expect("patch starts");
    assert!(patched.success(), "{name}: its patch applies");
    std::fs::copy(source.join("truth.json"), place.join("truth.json")).expect("a truth");
    (good, bad)
}

/// Files, and folders below but for that with faults.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "faults" {
            copy(&path, &to.join(&name));
        } else if path.is_file() {
            std::fs::copy(&path, to.join(&name)).expect("copied");
        }
    }
}
