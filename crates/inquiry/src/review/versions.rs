//! The program before a fix and with it.

use std::path::Path;

use whydunit_changes::Tree;

use super::error::ReviewError;
use crate::Error;
use crate::explain::{Asked, Versions, as_it_is, read_patch};

/// Two versions.
pub struct Fix {
    /// Before it.
    pub broken: Tree,
    /// With it.
    pub mended: Tree,
    /// What should be known.
    pub notes: Vec<String>,
}

impl Fix {
    /// Reads a patch for the project as it is, or two versions `A..B`.
    pub fn read(project: &Path, fix: &str) -> Result<Self, Error> {
        let read = match (Path::new(fix).is_file(), between(fix)) {
            (true, _) => {
                let patch = read_patch(Path::new(fix))?;
                let broken = as_it_is(project)?;
                let mended =
                    broken.with_patch(&patch).map_err(|error| ReviewError::DoesNotApply { path: fix.into(), error })?;
                Self { broken, mended, notes: Vec::new() }
            }
            (false, Some((before, after))) => {
                let asked = Asked { good: before, bad: Some(after).filter(|after| !after.is_empty()) };
                let versions = Versions::read(project, &asked)?;
                Self { broken: versions.old, mended: versions.new, notes: versions.notes }
            }
            (false, None) => {
                return Err(ReviewError::NoFix { fix: fix.into() }.into());
            }
        };
        if read.broken == read.mended {
            return Err(ReviewError::ChangesNothing.into());
        }
        Ok(read)
    }
}

/// The two names around `..`: folders, whose names may have dots themselves, or revisions.
fn between(range: &str) -> Option<(&str, &str)> {
    let is_folder = |name: &str| Path::new(name).is_dir();
    let mut places = range.match_indices("..").map(|(at, dots)| (&range[..at], &range[at + dots.len()..]));
    let folders = places.find(|(before, after)| is_folder(before) && is_folder(after));
    folders.or_else(|| range.split_once("..").filter(|(before, _)| !before.is_empty()))
}
