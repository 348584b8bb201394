//! Tests that are recorded to be asked: a machine that knows what external calls gave, and what is expected of the run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use whydunit_findings::Problem;
use whydunit_locate::HANGS;
use whydunit_memcheck::MemoryError;
use whydunit_process::Cancel;
use whydunit_replay::{At, End, Listener, Machine, Observer, OutputEvent, Segments, Snapshot, Stream};
use whydunit_suite::{Reading, Test};
use whydunit_symbolic::{Failing, FailurePoint};
use whydunit_workbench::{Project, Recordings};

use super::failing::{self, Failed};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::recordings::Opened;

/// So many instructions before the failure are looked at at most.
pub(super) const WINDOW: u64 = 1_000_000;

/// A run is kept in so many parts at most.
pub(super) const PARTS: usize = 64;

/// Passing runs of more instructions than this are not tried: there are others.
const LONGEST: u64 = 20_000_000;

/// A recorded test.
pub struct Subject {
    /// Replays it.
    pub machine: Machine,
    /// States of the run in its order, from its beginning to `start`.
    pub snapshots: Vec<Snapshot>,
    /// From where it is looked at.
    pub start: Snapshot,
    /// What is expected from there on.
    pub failing: Failing,
    /// What it does wrong to memory.
    pub errors: Vec<MemoryError>,
    /// The run's beginning is not looked at.
    pub begins_later: bool,
    /// Time from the recording until here.
    pub replay: Duration,
}

impl Subject {
    /// A failing test that was recorded; none where its recording is empty, or when `patience` is cancelled before it is replayed. What
    /// stands against that comes back as a problem.
    pub fn failing(desk: &Desk, failed: Failed, patience: &Cancel) -> Result<Result<Option<Self>, Problem>, Error> {
        let Failed { opened, found, hangs, failure, .. } = failed;
        let task = desk.task(&format!("replaying {}", failure.test), None);
        let started = Instant::now();
        let point = found.failing.point.instruction;
        let mut machine = opened.machine()?;
        machine.set_patience(Some(patience.clone()));
        let mut listener = Listener::of(opened.recording.stdin().unwrap_or_default());
        let segments = match hangs {
            true => {
                Segments::divide_watched(&mut machine, PARTS, WINDOW / 8, &mut (&mut listener, Until(point + HANGS)))
            }
            false => Segments::divide_watched(&mut machine, PARTS, WINDOW / 8, &mut listener),
        };
        let segments = match segments {
            Ok(segments) => segments,
            Err(error) => return Ok(Err(failing::diverged(desk, &failure.test, &error))),
        };
        if patience.is_cancelled() {
            return Ok(Ok(None));
        }
        machine.set_patience(None);
        machine.set_recall(Arc::new(listener.recall(arguments(&opened))));
        let segment = segments.segment_of(point.saturating_sub(WINDOW));
        let snapshots: Vec<Snapshot> = (0..=segment).filter_map(|segment| segments.start(segment)).cloned().collect();
        drop(task);
        let Some(start) = snapshots.last().cloned() else { return Ok(Ok(None)) };
        let failing = found.from(start.instructions());
        let begins_later = start.instructions() > 0;
        let errors = found.errors;
        Ok(Ok(Some(Self { machine, snapshots, start, failing, errors, begins_later, replay: started.elapsed() })))
    }

    /// Records a passing test: what is expected is what it does. None where that says nothing, or when `patience` is cancelled before it
    /// is replayed.
    pub fn passing(desk: &Desk, project: &Project, test: &Test, patience: &Cancel) -> Result<Option<Self>, Error> {
        let Some((opened, false)) = record(desk, project, test)? else { return Ok(None) };
        let started = Instant::now();
        let mut machine = opened.machine()?;
        machine.set_patience(Some(patience.clone()));
        let start = machine.snapshot();
        let mut observers = (Printed::default(), Listener::of(opened.recording.stdin().unwrap_or_default()));
        let End::Exited { status } = machine.run(&mut observers)? else {
            return Ok(None);
        };
        machine.set_patience(None);
        let (printed, listener) = observers;
        machine.set_recall(Arc::new(listener.recall(arguments(&opened))));
        if machine.core.instructions > LONGEST || machine.core.threads.several() {
            return Ok(None);
        }
        // What a test framework prints on the way is not what it judges by, nor is what a program's own tests print.
        let framework = test.own_function().is_some()
            || matches!(test, Test::Program(test) if matches!(test.reading, Reading::Framework(_) | Reading::Libtest));
        let failing = Failing {
            point: FailurePoint { instruction: u64::MAX, ..FailurePoint::default() },
            expected: (!framework).then_some(printed.bytes),
            status,
            ..Failing::default()
        };
        let (errors, replay) = (Vec::new(), started.elapsed());
        let snapshots = vec![start.clone()];
        Ok(Some(Self { machine, snapshots, start, failing, errors, begins_later: false, replay }))
    }
}

/// Records a test and opens its recording; whether it fails. None where it could not be recorded.
fn record(desk: &Desk, project: &Project, test: &Test) -> Result<Option<(Opened, bool)>, Error> {
    let store = desk.store()?;
    let task = desk.task(&format!("recording {}", test.name()), None);
    let run = project.record_test(test, &Recordings::of(&store), &desk.cancel)?;
    drop(task);
    let Some(recorded) = run.recordings.first() else { return Ok(None) };
    let opened = desk.open_recording(&store, &recorded.path)?;
    Ok(Some((opened, run.result.iter().any(|result| result.outcome.is_failure()))))
}

/// The arguments of the recorded program, its name first.
fn arguments(opened: &Opened) -> Vec<Vec<u8>> {
    opened.recording.head().args.iter().map(|arg| arg.0.clone()).collect()
}

/// Stops behind an instruction count.
struct Until(u64);

impl Observer for Until {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.0
    }
}

/// Keeps what is printed to standard output.
#[derive(Default)]
struct Printed {
    bytes: Vec<u8>,
}

impl Observer for Printed {
    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.bytes.extend_from_slice(&output.bytes);
        }
    }
}
