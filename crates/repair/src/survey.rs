//! What one run of a program says of all candidates: the file that `c/site.h` writes into.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// Bytes before the first entry, and of one.
const HEAD: usize = 4096;
const ENTRY: usize = 8 * (3 + VALUES);
/// Values that are kept of each candidate.
const VALUES: usize = 12;

/// A survey's file.
#[derive(Debug)]
pub struct Survey {
    path: PathBuf,
    entries: usize,
}

/// What is known of a candidate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// A hash of its values at all executions that were surveyed.
    pub hash: u64,
    /// How many.
    pub count: u64,
    /// It is not evaluated.
    pub skipped: bool,
    /// The first values.
    pub values: Vec<i64>,
}

impl Survey {
    /// An empty survey of so many entries, that looks at `most` executions of each site at most.
    pub fn create(path: &Path, entries: usize, most: u64) -> Result<Self, Error> {
        let mut bytes = vec![0; HEAD + entries * ENTRY];
        bytes[8..16].copy_from_slice(&most.to_le_bytes());
        fs::write(path, bytes).map_err(Error::io(path))?;
        Ok(Self { path: path.to_path_buf(), entries })
    }

    /// The variables with which a program writes into it.
    pub fn environment(&self) -> Vec<(String, String)> {
        let bytes = HEAD + self.entries * ENTRY;
        vec![
            ("WHYDUNIT_SURVEY".into(), self.path.display().to_string()),
            ("WHYDUNIT_SURVEY_BYTES".into(), bytes.to_string()),
        ]
    }

    /// The entry that was being evaluated when a run ended, if any.
    pub fn interrupted(&self) -> Result<Option<usize>, Error> {
        let bytes = fs::read(&self.path).map_err(Error::io(&self.path))?;
        Ok(Some(word(&bytes, 0) as usize).filter(|at| *at > 0 && *at < self.entries))
    }

    /// Says that entries are not to be evaluated, and forgets what is known of all.
    pub fn begin(&self, skipped: &[bool]) -> Result<(), Error> {
        let mut bytes = fs::read(&self.path).map_err(Error::io(&self.path))?;
        bytes[..8].fill(0);
        for (number, skip) in skipped.iter().enumerate() {
            let at = HEAD + number * ENTRY;
            bytes[at..at + ENTRY].fill(0);
            bytes[at + 16] = u8::from(*skip);
        }
        fs::write(&self.path, bytes).map_err(Error::io(&self.path))
    }

    /// What is known.
    pub fn read(&self) -> Result<Vec<Entry>, Error> {
        let bytes = fs::read(&self.path).map_err(Error::io(&self.path))?;
        let entry = |number: usize| {
            let at = HEAD + number * ENTRY;
            let count = word(&bytes, at + 8);
            let values = (0..VALUES.min(count as usize)).map(|n| word(&bytes, at + 24 + 8 * n) as i64).collect();
            Entry { hash: word(&bytes, at), count, skipped: word(&bytes, at + 16) != 0, values }
        };
        Ok((0..self.entries).map(entry).collect())
    }
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}
