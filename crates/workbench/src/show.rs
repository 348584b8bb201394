//! A run told from its recording: outline, failure point, memory errors, undefined behaviour.

use whydunit_causes::failure::{Expected, Failure, FailureKind, FailurePoint};
use whydunit_causes::outline::{Outline, OutlineEntry};
use whydunit_memcheck::{Memcheck, MemoryError};
use whydunit_recording::Recording;
use whydunit_replay::{Divergence, End, Program, ReplayError, telling_machine};
use whydunit_suite::Outcome;
use whydunit_undefined::{Undefined, UndefinedBehaviour};

use crate::Error;
use crate::undefined::certain;

/// How much of a run is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutlineLimits {
    /// Most lines.
    pub lines: usize,
    /// Deepest call.
    pub depth: usize,
}

/// What is told of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// Calls and outputs.
    pub outline: Vec<OutlineEntry>,
    /// Where it failed.
    pub failure: Option<Failure>,
    /// Memory errors on the way.
    pub memory_errors: Vec<MemoryError>,
    /// Other undefined behaviour.
    pub undefined: Vec<UndefinedBehaviour>,
    /// How it ended, or where the replay parted from the recording: then the rest tells of the run up to there.
    pub end: Result<End, Box<Divergence>>,
}

/// Replays a recording and tells of the run, which should have done `expected`.
pub fn show(
    program: Program,
    recording: &Recording,
    expected: Expected,
    limits: OutlineLimits,
) -> Result<Shown, Error> {
    let mut machine = telling_machine(program, recording)?;
    let point = FailurePoint::new(expected);
    let outline = Outline::new(limits.lines.div_ceil(2).max(1), limits.depth);
    let mut observers = ((outline, point), (Memcheck::new(), Undefined::new()));
    let end = match machine.run(&mut observers) {
        Ok(end) => Ok(end),
        Err(ReplayError::Divergence(divergence)) => Err(divergence),
        Err(other) => return Err(other.into()),
    };
    let ((outline, point), (memcheck, undefined)) = observers;
    // Where a run failed that parts from its recording nobody knows.
    let mut failure = end.as_ref().ok().and_then(|end| point.finish(&machine.at(), end));
    if let (Some(failure), Some(limit)) = (&mut failure, &recording.info().run.limit_hit)
        && failure.kind == FailureKind::Killed
    {
        failure.message = format!("the run was stopped here: {limit}");
        if Outcome::Timeout.reason().as_ref() == Some(limit) {
            failure.kind = FailureKind::TimeLimit;
        }
    }
    let (memory_errors, undefined) = (memcheck.into_errors(), certain(undefined.into_found()));
    Ok(Shown { outline: outline.into_entries(), failure, memory_errors, undefined, end })
}
