//! Test cases: a command line, what goes in, what is to come out.

mod folder;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A test case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Case {
    /// Unique in its suite.
    pub name: String,
    /// Arguments; paths in them are relative to the working folder.
    pub args: Vec<String>,
    /// Standard input; empty where it is not given.
    pub stdin: Option<Content>,
    /// What the working folder holds.
    pub files: BTreeMap<String, Content>,
    /// Added to the environment.
    pub env: BTreeMap<String, String>,
    /// Expected standard output; not compared where it is not given.
    pub stdout: Option<Content>,
    /// Expected exit status; not compared where it is not given.
    pub status: Option<i32>,
    /// Expected death, by the signal's number.
    pub signal: Option<i32>,
}

/// Bytes that stand in the case, or in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// The bytes.
    Inline(Vec<u8>),
    /// The file that holds them.
    File {
        /// Where it lies.
        path: PathBuf,
        /// As it was written.
        written: String,
    },
}

impl Content {
    /// The bytes.
    pub fn read(&self) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
        match self {
            Content::Inline(bytes) => Ok(bytes.into()),
            Content::File { path, .. } => Ok(std::fs::read(path).map_err(Error::io("read", path))?.into()),
        }
    }
}

impl Case {
    /// Reads all cases of a `cases.jsonl` or of a folder of cases.
    pub fn read_all(path: &Path) -> Result<Vec<Case>, Error> {
        let meta = std::fs::metadata(path).map_err(Error::io("read the cases", path))?;
        if meta.is_dir() { folder::read(path) } else { table::read(path) }
    }

    /// The case that an object of a `cases.jsonl` is; the files that it names are in the folder. What is wrong with it, otherwise.
    pub fn of_json(object: &serde_json::Value, folder: &Path) -> Result<Case, String> {
        table::of_json(object, folder)
    }

    /// The case as an object of a `cases.jsonl`. Bytes that are not UTF-8 cannot stand there: they are replaced.
    pub fn to_json(&self) -> serde_json::Value {
        table::to_json(self)
    }
}

/// The number of a signal that is named as SIGABRT.
pub(crate) fn signal_number(name: &str) -> Option<i32> {
    name.parse::<nix::sys::signal::Signal>().ok().map(|signal| signal as i32)
}
