//! What a recorded run does wrong, as moments that a debugger stops at.

use whydunit_debugger::{DebugError, Event, EventKind, Execution, Sought, seek};
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Cancel, Desk};
use whydunit_memcheck::{Memcheck, MemoryError};
use whydunit_replay::{At, Observer, ReplayError, Stop};
use whydunit_undefined::{Undefined, UndefinedBehaviour};
use whydunit_workbench::certain;

use crate::Error;

/// The end of the request is looked for each so many operations.
const PATIENCE: u64 = 1 << 14;

/// Ends a replay when that is asked for.
struct Patience<'a> {
    cancel: &'a Cancel,
    operations: u64,
}

impl Observer for Patience<'_> {
    const STOPS: bool = true;

    #[inline]
    fn stop(&mut self, _: &At<'_>) -> bool {
        self.operations += 1;
        self.operations.is_multiple_of(PATIENCE) && self.cancel.is_cancelled()
    }
}

/// The execution that made a memory error; `None` for a block that is lost, which it is at no moment.
pub(crate) fn of_memory(error: &MemoryError) -> Option<Execution> {
    let is_lost = matches!(error.kind, whydunit_memcheck::Kind::Leak(_));
    (!is_lost).then_some(Execution { instruction: error.instruction, pc: error.position.pc, function: None })
}

/// The execution that did what is undefined.
pub(crate) fn of_undefined(found: &UndefinedBehaviour) -> Execution {
    Execution { instruction: found.instruction, pc: found.position.pc, function: None }
}

/// A failure of the debugger as one of a question.
pub(crate) fn failed(error: DebugError) -> Error {
    match error {
        DebugError::Cancelled => Error::Desk(whydunit_desk::Error::Interrupted),
        DebugError::Replay(error) => Error::Show(error.into()),
        other => Error::Internal(other.to_string()),
    }
}

/// Checks a run and gives its memory errors and other undefined behaviour, each where it is the first of its kind at its place, in no
/// order. Of a run that parts from its recording they are those up to there. Errors at no line of the program's own are left out.
pub fn events(desk: &Desk, opened: &Opened) -> Result<Vec<Event>, Error> {
    let mut checks = (Memcheck::new(), Undefined::new());
    let mut machine = opened.machine()?;
    let mut patience = Patience { cancel: &desk.cancel, operations: 0 };
    match machine.run_until(u64::MAX, &mut (&mut patience, &mut checks)) {
        Ok(Stop::End(_)) | Err(ReplayError::Divergence(_)) => {}
        Ok(_) => return Err(Error::Desk(whydunit_desk::Error::Interrupted)),
        Err(other) => return Err(other.into()),
    }
    let (memory, undefined) = (checks.0.into_errors(), certain(checks.1.into_found()));
    let memory = memory.iter().filter_map(|error| {
        let text = format!("memory error ({}): {}", error.kind.name(), error.message());
        Some((of_memory(error)?, EventKind::Memory, text))
    });
    let undefined = undefined.iter().map(|found| {
        let text = format!("undefined behaviour ({}): {}", found.kind.name(), found.message);
        (of_undefined(found), EventKind::Undefined, text)
    });
    let found: Vec<(Execution, EventKind, String)> = memory.chain(undefined).collect();
    let sought = Sought { executions: found.iter().map(|(execution, ..)| *execution).collect(), ..Sought::default() };
    let located = seek(&mut opened.machine()?, &sought, &desk.cancel).map_err(failed)?;
    let event = |((_, kind, text), place): ((Execution, EventKind, String), Option<whydunit_debugger::LineAt>)| {
        let place = place?;
        Some(Event { position: place.operation, kind, text, predicate: None, thread: place.thread })
    };
    Ok(found.into_iter().zip(located.executions).filter_map(event).collect())
}
