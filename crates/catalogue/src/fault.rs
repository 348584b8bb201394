//! Faults that are known, kept as patches.
//!
//! A file `NAME.patch` is a unified diff from the right program to the faulty one, below lines that say what it is:
//!
//! ```text
//! fault: money.c:17 money.c:19
//! kind: missing statement
//! use: development
//! ```
//!
//! The lines of `fault` are those of the faulty program. For what is missing they are those next to the gap.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Serialize;

use crate::error::Error;
use crate::patched::patched;

/// A line of a faulty program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Place {
    /// The file, relative to the project.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// What a fault may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// While methods are worked on.
    Development,
    /// For the final measurement only.
    Final,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Use::Development => "development",
            Use::Final => "final",
        })
    }
}

impl FromStr for Use {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        [Use::Development, Use::Final].into_iter().find(|which| which.to_string() == text).ok_or(())
    }
}

/// A fault that somebody put into a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// Where it is.
    pub places: Vec<Place>,
    /// In words.
    pub kind: String,
    /// What it may be used for.
    pub purpose: Use,
    patch: String,
}

impl Fault {
    /// Reads a patch with its head.
    pub fn read(path: &Path) -> Result<Fault, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::io("read the fault", path))?;
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".patch"));
        let name = name.ok_or_else(|| Error::at(path, "a fault is a file NAME.patch"))?;
        let wrong = |message: String| Error::at(path, message);
        let field = |key: &str| {
            let head = text.lines().take_while(|line| !line.starts_with("--- "));
            let mut values = head.filter_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim);
            let value = values.next().filter(|value| !value.is_empty());
            value.ok_or_else(|| wrong(format!("there is no line `{key}: …` above the diff")))
        };
        let purpose = field("use")?;
        Ok(Fault {
            name: name.to_string(),
            path: path.to_path_buf(),
            places: field("fault")?
                .split_whitespace()
                .map(|text| place(text).ok_or(text))
                .collect::<Result<_, _>>()
                .map_err(|text| wrong(format!("`{text}` is no place: write FILE:LINE")))?,
            kind: field("kind")?.to_string(),
            purpose: purpose
                .parse()
                .map_err(|()| wrong(format!("`use: {purpose}` is unknown: write development or final")))?,
            patch: text.clone(),
        })
    }

    /// A subject's files, each with its name, with this fault.
    pub fn apply(&self, files: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
        let wrong = |message: String| Error::at(&self.path, message);
        let files: Vec<(String, String)> = patched(files.iter().cloned(), &self.patch).map_err(wrong)?.collect();
        for place in &self.places {
            let text = files.iter().find(|(name, _)| *name == place.file).map(|(_, text)| text.lines());
            let line = text.and_then(|mut lines| lines.nth(place.line as usize - 1));
            if line.is_none_or(|line| line.trim().is_empty()) {
                return Err(wrong(format!("there is nothing at {}:{} of the faulty program", place.file, place.line)));
            }
        }
        Ok(files)
    }
}

fn place(text: &str) -> Option<Place> {
    let (file, line) = text.rsplit_once(':')?;
    let line = line.parse().ok().filter(|line| *line > 0)?;
    Some(Place { file: file.to_string(), line })
}
