//! Which bugs a repository's history holds: fixes found, both of their sides built and tested, and each fix made as small as it can be.

mod catalogue;
mod error;
mod examine;
mod introduced;
mod minimise;
mod sides;
mod stored;
mod walk;

use std::path::{Path, PathBuf};

use whydunit_desk::Desk;
use whydunit_findings::{History, Problem};
use whydunit_history::Query;

use crate::Error;
pub use catalogue::Side;
pub use error::HistoryError;

/// What is asked of a repository.
pub struct Question<'a> {
    /// The folder of the repository; `None`: the project's.
    pub repository: Option<&'a Path>,
    /// The commit whose history is looked at.
    pub newest: &'a str,
    /// Commits that lead to this one are left out.
    pub since: Option<&'a str>,
    /// At most so many fixes are examined, the newest.
    pub most: Option<usize>,
    /// The folder of the catalogue; `None`: below the project's store.
    pub catalogue: Option<&'a Path>,
    /// A tracker's export.
    pub tracker: Option<&'a Path>,
    /// A configuration that all versions are built and tested by.
    pub config: Option<&'a Path>,
    /// Failing tests, and passing ones that failed before, are run so often again.
    pub reruns: u32,
    /// A fix is made smaller by at most so many builds.
    pub builds: u64,
    /// Commits that bugs came with are looked for.
    pub introduced: bool,
    /// Fixes of several bugs, and several fixes of one bug, are examined, too.
    pub several: bool,
    /// Each commit is a version: all are examined, and each test that it mends is a bug.
    pub versions: bool,
    /// Only which commits count as fixes is told: nothing is built, nothing written.
    pub dry_run: bool,
    /// Warnings that a version makes errors end its build.
    pub strict: bool,
    /// What is known from earlier runs is forgotten.
    pub fresh: bool,
    /// The text of a catalogue's file.
    pub write: &'a dyn Fn(&History) -> String,
}

/// An answer, and what goes with it.
pub struct Answer {
    /// It.
    pub history: History,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Versions that were built.
    pub builds: u64,
    /// Runs of tests.
    pub runs: u64,
    /// Builds that were not needed.
    pub saved: u64,
    /// It was cut short by its user.
    pub interrupted: bool,
}

/// Mines the repository, and keeps what is found in its catalogue as it goes.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    walk::answer(desk, question)
}

/// The bugs of a catalogue of which conditions hold.
pub fn list(desk: &Desk, folder: Option<&Path>, conditions: Option<&str>) -> Result<History, Error> {
    let query = Query::parse(conditions.unwrap_or_default()).map_err(HistoryError::Query)?;
    let mut history = stored::read(&of(desk, folder))?;
    history.bugs.retain(|bug| query.holds(bug));
    history.listed = true;
    Ok(history)
}

/// One bug of a catalogue, by the beginning of its name.
pub fn show(desk: &Desk, folder: Option<&Path>, id: &str) -> Result<History, Error> {
    let mut history = stored::read(&of(desk, folder))?;
    history.bugs = vec![stored::bug(&history, id)?.clone()];
    history.single = true;
    Ok(history)
}

/// Lays out one side of a bug in a folder that is empty or not there; the bug.
pub fn check_out(desk: &Desk, folder: Option<&Path>, id: &str, side: Side, to: &Path) -> Result<History, Error> {
    let mut history = stored::read(&of(desk, folder))?;
    let bug = stored::bug(&history, id)?.clone();
    catalogue::check_out(&history, &bug, side, &of(desk, folder), to)?;
    history.bugs = vec![bug];
    history.single = true;
    Ok(history)
}

/// The folder of a catalogue.
fn of(desk: &Desk, folder: Option<&Path>) -> PathBuf {
    folder.map_or_else(|| whydunit_suite::store_of(&desk.project).join("history"), Path::to_path_buf)
}
