//! The values of the failing run, ready to be looked at.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_debugger::{DebugError, RunValues, values};
use whydunit_desk::{Desk, convert};

use crate::documents::on_disk;
use crate::paths;
use crate::refusal::Refusal;
use crate::run::FailingRun;

/// So long a run is looked at.
const TIME: Duration = Duration::from_secs(60);

/// The values of a run that failed, and the sources that it is about, as they were then.
pub struct Known {
    /// By variable.
    pub values: RunValues,
    /// By the real paths of the sources.
    pub texts: HashMap<PathBuf, String>,
}

/// Replays the recording of a run that failed. Of sources that have changed since its program was built nothing is known.
pub fn of_run(desk: &Desk, run: &FailingRun) -> Result<Known, Refusal> {
    let recording = run.recording.0.to_string_lossy();
    let opened = desk.recording(Some(&recording))?;
    let task = desk.task("looking at values", None);
    let mut machine = opened.machine().map_err(|error| Refusal::failed(error.to_string()))?;
    let found = values(&mut machine, TIME, &desk.cancel);
    drop(task);
    let values = found.map_err(|error| match error {
        DebugError::Cancelled => Refusal::cancelled(),
        other => Refusal::failed(other.to_string()),
    })?;
    let changed: Vec<PathBuf> = desk.take_notes().changed_sources.iter().map(|path| paths::real(path)).collect();
    let files: BTreeSet<&String> = values.variables.iter().map(|variable| &variable.file).collect();
    let files = files.into_iter().map(|file| source(&desk.project, file)).filter(|path| !changed.contains(path));
    let texts = files.filter_map(|path| on_disk(&path).map(|text| (path, text))).collect();
    Ok(Known { values, texts })
}

/// The real path of a source that a build has named.
pub fn source(project: &Path, file: &str) -> PathBuf {
    paths::real(&project.join(convert::relative(project, file)))
}
