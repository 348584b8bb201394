//! The first look at a run, from its start to its end: checkpoints, and what is worth going to.

use whydunit_causes::failure::{Expected, FailureKind, FailurePoint};
use whydunit_model::{Opnd, names};
use whydunit_process::Cancel;
use whydunit_replay::{At, End, Entry, External, Machine, Observer, OutputEvent, ReplayError, Stop, Stream};

use crate::checkpoints::{Checkpoint, Checkpoints};
use crate::course::Course;
use crate::exceptional::{Event, EventKind};
use crate::lines::codes;
use crate::{DebugError, Position};

/// So many bytes of what a run prints are kept.
const KEPT_OUTPUT: usize = 4 << 20;
/// So many events of a run are kept.
const KEPT_EVENTS: usize = 10_000;

/// What a run printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Before the operation that did it.
    pub position: Position,
    /// To standard error, and not to standard output.
    pub errors: bool,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What is known of a run as a whole.
pub struct Survey {
    /// The first operation of a line of the program's own, or the first of all.
    pub start: Position,
    /// The last operation that was begun.
    pub last: Position,
    /// How the run ended; in words, where the replay parted from the recording.
    pub end: Result<End, String>,
    /// Moments worth going to, in order. A failure is there at most once.
    pub events: Vec<Event>,
    /// What was printed, in order; the first bytes of a run that prints more than is kept.
    pub printed: Vec<Printed>,
    /// Not all of what was printed is kept.
    pub prints_more: bool,
}

struct Surveying {
    point: FailurePoint,
    events: Vec<Event>,
    printed: Vec<Printed>,
    kept: usize,
    prints_more: bool,
    /// The first output that is another than is expected.
    wrong_output: Option<Position>,
    last_panic: Option<Position>,
}

/// The operation that is under way.
fn under_way(at: &At<'_>) -> Position {
    at.core.begun.saturating_sub(1)
}

impl Observer for Surveying {
    const TRACKS: bool = true;

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        // What the variables are does not matter: only whether a check fails.
        if at.code.function(at.function).check.is_some() {
            self.point.enter(at, entry);
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.point.leave(at, result);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.point.external(at, call);
        let Some(kind) = EventKind::of_call(call.name) else { return };
        let position = under_way(at);
        if matches!(kind, EventKind::Panic) || names::panics(call.name) {
            self.last_panic = Some(position);
        }
        if self.events.len() < KEPT_EVENTS {
            let name = names::readable(call.name).unwrap_or_else(|| call.name.into());
            let text = match kind {
                EventKind::Throw => "an exception is thrown".into(),
                EventKind::Panic => format!("the program panics ({name})"),
                EventKind::Assertion => "an assertion does not hold".into(),
                EventKind::Abort | EventKind::Failure | EventKind::Memory | EventKind::Undefined => {
                    format!("the program aborts ({name})")
                }
            };
            let thread = at.core.threads.running();
            self.events.push(Event { position, kind, text, predicate: None, thread });
        }
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        let differs = self.point.is_decided();
        self.point.output(at, output);
        let position = under_way(at);
        if !differs && self.point.is_decided() {
            self.wrong_output = Some(position);
        }
        let errors = match output.stream {
            Stream::Descriptor(1) => false,
            Stream::Descriptor(2) => true,
            _ => return,
        };
        if self.kept + output.bytes.len() > KEPT_OUTPUT {
            self.prints_more = true;
            return;
        }
        self.kept += output.bytes.len();
        self.printed.push(Printed { position, errors, bytes: output.bytes.clone() });
    }
}

/// Runs a machine from its start to its end. `told` is told the position now and then. A run whose replay parts from its
/// recording ends there. Checkpoints are left at least `closest` operations apart.
pub fn survey(
    machine: &mut Machine,
    expected: Expected,
    cancel: &Cancel,
    closest: u64,
    mut told: impl FnMut(Position),
) -> Result<(Survey, Checkpoints), DebugError> {
    let start = Checkpoint { snapshot: machine.snapshot(), course: Course::default() };
    let mut checkpoints = Checkpoints::new(start, closest);
    let mut seen = Surveying {
        point: FailurePoint::new(expected),
        events: Vec::new(),
        printed: Vec::new(),
        kept: 0,
        prints_more: false,
        wrong_output: None,
        last_panic: None,
    };
    machine.track(codes);
    machine.set_patience(Some(cancel.clone()));
    let mut known = Course::default();
    let end = loop {
        match run_to(machine, checkpoints.next(), cancel, &mut seen) {
            Ok(Stop::End(end)) => break Ok(end),
            Ok(_) if cancel.is_cancelled() => return Err(DebugError::Cancelled),
            Ok(Stop::Reached) => {
                let position = machine.core.begun;
                let course = known.tracked(machine.code(), position, machine.tracked());
                let passed = machine.take_passed();
                checkpoints.add(Checkpoint { snapshot: machine.snapshot(), course }, passed);
                told(position);
            }
            Ok(_) => break Ok(End::RecordingEnds { reason: "the run was stopped".into() }),
            Err(ReplayError::Divergence(divergence)) => break Err(divergence.to_string()),
            Err(other) => return Err(other.into()),
        }
    };
    machine.set_patience(None);
    checkpoints.end(machine.take_passed());
    let (begun, start) = (machine.core.begun, machine.first_own().unwrap_or(0));
    machine.untrack();
    let last = begun.checked_sub(1).ok_or(DebugError::Empty)?;
    Ok((told_of(machine, seen, end, (start, last)), checkpoints))
}

/// Runs to the first safepoint at or behind a position.
fn run_to(
    machine: &mut Machine,
    position: Position,
    cancel: &Cancel,
    seen: &mut Surveying,
) -> Result<Stop, ReplayError> {
    // Safepoints stand some ten operations apart: the count is corrected as the run goes.
    let start = (machine.core.begun, machine.core.counter);
    let mut target = start.1 + (position.saturating_sub(start.0) / 16).max(1);
    loop {
        match machine.run_until(target, seen)? {
            Stop::Reached if machine.core.begun < position && !cancel.is_cancelled() => {
                let (done, counted) = (machine.core.begun - start.0, machine.core.counter - start.1);
                let rest =
                    u128::from(position - machine.core.begun) * u128::from(counted.max(1)) / u128::from(done.max(1));
                target = machine.core.counter + (rest as u64).max(1);
            }
            stop => return Ok(stop),
        }
    }
}

/// What a run that has ended leaves.
fn told_of(
    machine: &Machine,
    seen: Surveying,
    end: Result<End, String>,
    (start, last): (Position, Position),
) -> Survey {
    let mut events = seen.events;
    let failure = end.as_ref().ok().and_then(|end| seen.point.finish(&machine.at(), end));
    if let Some(failure) = failure {
        let uncaught = matches!(end, Ok(End::Exited { status: None }));
        let position = match (seen.wrong_output, failure.kind, seen.last_panic) {
            (Some(position), ..) => position,
            (None, FailureKind::Panic | FailureKind::Assertion, Some(panic)) if uncaught => panic,
            _ => last,
        };
        let at = events.partition_point(|event| event.position <= position);
        let (text, predicate) = (failure.message, failure.predicate);
        let thread = failure.thread.unwrap_or_default();
        events.insert(at, Event { position, kind: EventKind::Failure, text, predicate, thread });
    }
    Survey { start, last, end, events, printed: seen.printed, prints_more: seen.prints_more }
}

impl Survey {
    /// Where the run failed; `None` where it did not, or that is not known.
    pub fn failure(&self) -> Option<&Event> {
        self.events.iter().find(|event| event.kind == EventKind::Failure)
    }

    /// How the run ended, in words.
    pub fn ending(&self) -> String {
        match &self.end {
            Ok(End::Exited { status: Some(status) }) => format!("the program exited with {status}"),
            Ok(End::Exited { status: None }) => "the program exited".into(),
            Ok(End::Exec) => "the process became another program".into(),
            Ok(End::Fault { signal, .. }) => {
                format!("the program was killed by {}", whydunit_process::signal_name(*signal))
            }
            Ok(End::Killed { .. }) => "the program was killed from outside".into(),
            Ok(End::RecordingEnds { reason }) => format!("the recording ends before the run did: {reason}"),
            Err(divergence) => divergence.clone(),
        }
    }
}
