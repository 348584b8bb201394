//! Programs of tests, and what is left of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_process::{Limits, Program};

/// A program below `folder` that runs a shell script, with a mark in its environment by which its processes are found.
pub fn shell(folder: &Path, script: &str) -> Program {
    Program {
        executable: "/bin/sh".into(),
        arg0: "sh".into(),
        args: vec!["-c".into(), script.into()],
        env: vec![
            ("PATH".into(), std::env::var_os("PATH").unwrap_or("/usr/bin:/bin".into())),
            ("MARK".into(), mark(folder)),
        ],
        folder: folder.to_path_buf(),
        randomise_addresses: false,
    }
}

fn mark(folder: &Path) -> OsString {
    format!("whydunit-test-{}", folder.display()).into()
}

/// Processes with the mark of `folder` that still live.
pub fn living(folder: &Path) -> Vec<PathBuf> {
    let mark = mark(folder).into_encoded_bytes();
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes
        .filter(|path| {
            std::fs::read(path.join("environ"))
                .is_ok_and(|environ| environ.windows(mark.len()).any(|window| window == mark))
        })
        .collect()
}

/// Limits that a test does not reach.
pub fn limits() -> Limits {
    Limits { time: Some(Duration::from_secs(60)), ..Limits::default() }
}
