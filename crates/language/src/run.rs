//! The newest recording of a run that failed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use whydunit_desk::Desk;
use whydunit_findings::Show;
use whydunit_inquiry::show::{self, Question};
use whydunit_workbench::{OutlineLimits, Recordings};

use crate::refusal::Refusal;

/// So many recordings are looked through for one of a run that failed.
const LOOKED_AT: usize = 8;
/// Nothing of a run's outline is shown.
const OUTLINE: OutlineLimits = OutlineLimits { lines: 1, depth: 1 };

/// A recording that was seen, and when it was made.
pub type Stamp = (PathBuf, Option<SystemTime>);

/// A run that failed.
#[derive(Clone, Debug)]
pub struct FailingRun {
    /// Its recording.
    pub recording: Stamp,
    /// What `show` tells of it.
    pub told: Show,
    /// Sources that have changed since its program was built: the run is not about their lines.
    pub changed: BTreeSet<PathBuf>,
}

impl FailingRun {
    /// How people call it: by its test, or the command.
    pub fn name(&self) -> String {
        let ran = &self.told.recording;
        ran.test.clone().unwrap_or_else(|| ran.arguments.join(" "))
    }
}

/// The recordings of a project, the latest first, by which a change is noticed.
pub fn stamps(store: &Path) -> Vec<Stamp> {
    let kept = Recordings::at(store.join("recordings")).all().unwrap_or_default();
    let stamp = |path: PathBuf| {
        let time = path.metadata().and_then(|data| data.modified()).ok();
        (path, time)
    };
    kept.into_iter().take(LOOKED_AT).map(|kept| stamp(kept.path)).collect()
}

/// The newest of these recordings whose run failed, or did something wrong to memory. One that cannot be read is passed over.
pub fn newest_failing(desk: &Desk, stamps: &[Stamp]) -> Result<Option<FailingRun>, Refusal> {
    for stamp in stamps {
        if desk.is_cancelled() {
            return Err(Refusal::cancelled());
        }
        let recording = stamp.0.to_string_lossy();
        let Ok((told, _)) =
            show::answer(desk, Question { recording: Some(&recording), limits: OUTLINE, moments: None })
        else {
            continue;
        };
        let changed = desk.take_notes().changed_sources;
        if told.failure.is_some() || !told.errors.is_empty() {
            return Ok(Some(FailingRun { recording: stamp.clone(), told, changed }));
        }
    }
    Ok(None)
}
