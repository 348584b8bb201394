//! The program before a fix and with it.

use std::path::Path;

use whydunit_changes::{ChangeKind, Changes, Tree};
use whydunit_findings::{ChangedLine, Executed, Location};

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

    /// The first line with more than space of each change, before it and with it.
    pub fn changed_lines(&self) -> Vec<ChangedLine> {
        let changes = Changes::between(self.broken.clone(), self.mended.clone(), &|_| false);
        let line = |file: &str, start: u32, lines: &[&[u8]]| {
            let texts = lines.iter().map(|line| String::from_utf8_lossy(line).trim().to_owned());
            let (number, code) = (start + 1..).zip(texts).find(|(_, text)| !text.is_empty())?;
            Some(Executed { location: Location::point(file.to_owned(), number, 0), code })
        };
        let of_change = |number: usize| {
            let (change, (before, after)) = (&changes.list[number], changes.texts(number)?);
            let ChangeKind::Lines { old, new } = &change.kind else { return None };
            let older = changes.older_path(number).unwrap_or(&change.file);
            let changed =
                ChangedLine { before: line(older, old.start, &before), after: line(&change.file, new.start, &after) };
            Some(changed).filter(|changed| changed.before.is_some() || changed.after.is_some())
        };
        (0..changes.list.len()).filter_map(of_change).collect()
    }
}

/// The two names around `..`: folders, whose names may have dots themselves, or revisions.
fn between(range: &str) -> Option<(&str, &str)> {
    let is_folder = |name: &str| Path::new(name).is_dir();
    let mut places = range.match_indices("..").map(|(at, dots)| (&range[..at], &range[at + dots.len()..]));
    let folders = places.find(|(before, after)| is_folder(before) && is_folder(after));
    folders.or_else(|| range.split_once("..").filter(|(before, _)| !before.is_empty()))
}
