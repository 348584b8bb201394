//! Compiles C drivers against the runtime and runs them.
#![allow(dead_code)] // each test file uses its part

pub mod log;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use whydunit_runtime::{Installed, install};

use log::{Control, Entry, Event};

/// A fresh folder with the runtime in it.
pub struct Place {
    dir: TempDir,
    pub runtime: Installed,
}

/// A process that was recorded.
pub struct Recorded {
    pub folder: PathBuf,
    pub head: Vec<(String, String)>,
    pub control: Control,
    pub events: Vec<Entry>,
}

impl Place {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let runtime = install(&dir.path().join("runtime")).unwrap();
        Self { dir, runtime }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Compiles `tests/drivers/NAME.c` to `output`.
    pub fn compile(&self, name: &str, output: &str, args: &[&OsStr]) -> PathBuf {
        let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
        let output = self.path(output);
        let result = Command::new("clang-22")
            .args(["-O1", "-Wall", "-fPIC", "-pie", "-Wno-unused-command-line-argument", "-fno-builtin"])
            .arg("-I")
            .arg(crate_dir.join("c"))
            .arg(crate_dir.join("tests/drivers").join(name).with_extension("c"))
            .args(args)
            .arg("-o")
            .arg(&output)
            .output()
            .unwrap();
        assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
        output
    }

    /// A driver that is linked with the shared runtime.
    pub fn driver(&self, name: &str) -> PathBuf {
        let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
        rpath.push(self.runtime.so.parent().unwrap());
        self.compile(name, name, &[self.runtime.so.as_ref(), &rpath])
    }

    /// Runs with recording; what it printed, and its processes.
    pub fn record(&self, program: &Path, args: &[&str]) -> (Output, Vec<Recorded>) {
        let records = self.path("records");
        let _ = std::fs::remove_dir_all(&records);
        std::fs::create_dir(&records).unwrap();
        let output = Command::new(program).args(args).env("WHYDUNIT_RECORD_DIR", &records).output().unwrap();
        (output, read(&records))
    }
}

/// The processes below a folder, fork children last.
pub fn read(records: &Path) -> Vec<Recorded> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(records).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort_by_key(|folder| (log::head(folder).iter().any(|(key, _)| key == "parent"), folder.clone()));
    let read = |folder: PathBuf| Recorded {
        head: log::head(&folder),
        control: log::control(&folder),
        events: log::events(&folder),
        folder,
    };
    folders.into_iter().map(read).collect()
}

impl Recorded {
    /// The events from the first safepoint on, that is without those of the start.
    pub fn run(&self) -> Vec<&Entry> {
        self.events.iter().filter(|entry| entry.counter > 0).collect()
    }

    /// The first value of a key of `head`.
    pub fn said(&self, key: &str) -> Option<&str> {
        self.head.iter().find(|(known, _)| known == key).map(|(_, value)| &value[..])
    }

    pub fn count(&self, wanted: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|event| wanted(&event.event)).count()
    }
}
