//! The program before a fix and with it.

use std::path::Path;

use whydunit_changes::Tree;
use whydunit_findings::Exit;

use crate::explaining::{Asked, Versions, as_it_is};
use crate::failure::{Failure, OrFail};

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
    pub fn read(project: &Path, fix: &str) -> Result<Self, Failure> {
        let fix = match (Path::new(fix).is_file(), fix.split_once("..")) {
            (true, _) => {
                let patch = std::fs::read_to_string(fix).or_fail(Exit::Usage).map_err(|failure| failure.at(fix))?;
                let broken = as_it_is(project)?;
                let mended = broken.with_patch(&patch).map_err(|error| {
                    Failure::usage(error)
                        .at(fix)
                        .advice("give a patch that `git apply` would apply to the project's files as they are")
                })?;
                Self { broken, mended, notes: Vec::new() }
            }
            (false, Some((good, bad))) if !good.is_empty() && !bad.starts_with('/') || Path::new(good).is_dir() => {
                // Of `../a..../b` the two dots between the names are meant.
                let (before, after) = between(fix).unwrap_or((good, bad));
                let after = if after.is_empty() { None } else { Some(after) };
                let versions = Versions::read(project, &Asked { good: before, bad: after })?;
                Self { broken: versions.old, mended: versions.new, notes: versions.notes }
            }
            _ => {
                return Err(Failure::usage(format!("`{fix}` is no patch and no range of revisions"))
                    .advice("name a file with a patch, or two revisions as in HEAD~1..HEAD"));
            }
        };
        if fix.broken == fix.mended {
            return Err(Failure::usage("the fix changes nothing").advice("name two versions that differ"));
        }
        Ok(fix)
    }
}

/// The two names around `..`, where they are folders.
fn between(range: &str) -> Option<(&str, &str)> {
    let places = range.match_indices("..").map(|(at, _)| (&range[..at], &range[at + 2..]));
    places.into_iter().find(|(before, after)| Path::new(before).is_dir() && Path::new(after).is_dir())
}
