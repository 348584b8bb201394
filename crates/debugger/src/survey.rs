//! The first look at a run, from its start to its end: checkpoints, and what is worth going to.

use whydunit_causes::failure::{Expected, FailureKind, FailurePoint};
use whydunit_model::{Op, names};
use whydunit_process::Cancel;
use whydunit_replay::{At, End, Entry, External, Machine, Observer, OutputEvent, ReplayError, Stop, Stream};

use crate::checkpoints::{Checkpoint, Checkpoints};
use crate::course::Course;
use crate::exceptional::{Event, EventKind};
use crate::going::PATIENCE;
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

struct Surveying<'a> {
    course: Course,
    point: FailurePoint,
    events: Vec<Event>,
    printed: Vec<Printed>,
    kept: usize,
    prints_more: bool,
    start: Option<Position>,
    /// The first output that is another than is expected.
    wrong_output: Option<Position>,
    last_panic: Option<Position>,
    until: Position,
    cancel: &'a Cancel,
}

impl Surveying<'_> {
    /// The operation that is under way.
    fn under_way(&self) -> Position {
        self.course.position.saturating_sub(1)
    }
}

impl Observer for Surveying<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    #[inline]
    fn stop(&mut self, _: &At<'_>) -> bool {
        let position = self.course.position;
        position >= self.until || position.is_multiple_of(PATIENCE) && self.cancel.is_cancelled()
    }

    #[inline]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        if self.start.is_none() && self.course.line(at).is_own() {
            self.start = Some(self.course.position);
        }
        self.course.op(at);
        self.point.op(at, op);
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.course.enter(at);
        self.point.enter(at, entry);
    }

    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        self.course.switched(from, to);
        self.point.switched(at, from, to);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.point.external(at, call);
        let Some(kind) = EventKind::of_call(call.name) else { return };
        let position = self.under_way();
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
        let position = self.under_way();
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
/// recording ends there.
pub fn survey(
    machine: &mut Machine,
    expected: Expected,
    cancel: &Cancel,
    mut told: impl FnMut(Position),
) -> Result<(Survey, Checkpoints), DebugError> {
    let start = Checkpoint { snapshot: machine.snapshot(), course: Course::default() };
    let mut checkpoints = Checkpoints::new(start);
    let mut seen = Surveying {
        course: Course::default(),
        point: FailurePoint::new(expected),
        events: Vec::new(),
        printed: Vec::new(),
        kept: 0,
        prints_more: false,
        start: None,
        wrong_output: None,
        last_panic: None,
        until: checkpoints.next(),
        cancel,
    };
    let end = loop {
        match machine.run_until(u64::MAX, &mut seen) {
            Ok(Stop::End(end)) => break Ok(end),
            Ok(_) if seen.course.position >= seen.until => {
                checkpoints.add(Checkpoint { snapshot: machine.snapshot(), course: seen.course.clone() });
                seen.until = checkpoints.next();
                told(seen.course.position);
            }
            Ok(_) if cancel.is_cancelled() => return Err(DebugError::Cancelled),
            Ok(_) => break Ok(End::RecordingEnds { reason: "the run was stopped".into() }),
            Err(ReplayError::Divergence(divergence)) => break Err(divergence.to_string()),
            Err(other) => return Err(other.into()),
        }
    };
    let last = seen.course.position.checked_sub(1).ok_or(DebugError::Empty)?;
    Ok((told_of(machine, seen, end, last), checkpoints))
}

/// What a run that has ended leaves.
fn told_of(machine: &Machine, seen: Surveying<'_>, end: Result<End, String>, last: Position) -> Survey {
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
    Survey { start: seen.start.unwrap_or(0), last, end, events, printed: seen.printed, prints_more: seen.prints_more }
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
