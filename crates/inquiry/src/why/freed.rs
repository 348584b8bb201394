//! A value that was read from a block after its end comes from nowhere: who freed the block is the cause.

use whydunit_causes::walk::When;
use whydunit_causes::why::{self, why};
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, convert};
use whydunit_findings::{Location, Step, StepKind};
use whydunit_memcheck::{Kind, Memcheck, MemoryError};
use whydunit_replay::{At, FuncId, HeapBlock, Observer, Position, ReplayError};

/// Of a longer run nothing is looked at: the answer would wait for it.
const LOOKED_AT: u64 = 30_000_000;
/// So many steps tell why the block was freed.
const STEPS: usize = 6;
/// So many calls above the one that frees are named.
const CALLERS: usize = 4;

/// Notes which blocks are freed when, by address and instruction; ends the replay of a long run.
#[derive(Default)]
struct Frees(Vec<(u64, u64)>);

impl Observer for Frees {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= LOOKED_AT
    }

    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if block.is_some() {
            self.0.push((address, at.instruction()));
        }
    }
}

/// Puts behind the first step that reads a freed block who freed it, and why.
pub fn follow(desk: &Desk, opened: &Opened, steps: &mut Vec<super::Timed>) -> Result<(), ReplayError> {
    let (errors, frees) = read_after_their_end(opened)?;
    let place = |position: &Position| convert::location(&desk.project, position);
    let line = |location: &Location| (location.file.clone(), location.line);
    let found = errors.iter().find_map(|error| {
        let here = place(&error.position).as_ref().map(line)?;
        let at = steps.iter().position(|(step, _)| step.location.as_ref().map(line).as_ref() == Some(&here))?;
        Some((error, at, error.object.as_ref()?))
    });
    let Some((error, at, object)) = found else { return Ok(()) };
    let Some(freed) = object.freeing.first() else { return Ok(()) };
    let of_block = |(address, moment): &&(u64, u64)| *address == object.start && *moment <= error.instruction;
    let Some((_, moment)) = frees.0.iter().rev().find(of_block) else { return Ok(()) };
    let freeing = Step {
        location: place(freed),
        variable: "the block".into(),
        value: "freed".into(),
        kind: StepKind::Data,
        note: Some(by_whom(&object.freeing)),
        condition: None,
        thread: None,
    };
    let when = When { instruction: *moment, function: FuncId::NONE, pc: freed.pc };
    let mut told = vec![(freeing, Some(when))];
    let asked = why::Question {
        variable: None,
        file: freed.file.clone(),
        line: freed.loc.line,
        execution: why::Execution::Before(moment + 1),
        failed: false,
        steps: STEPS * super::LOOKED_AT,
    };
    // Without reasons it is told all the same.
    if let Ok(answer) = why(&opened.program, &opened.recording, &asked) {
        let sources = desk.sources();
        let reasons = super::shown(&answer.causes, false).skip(1).take(STEPS);
        told.extend(reasons.map(|cause| (convert::step(&sources, &desk.project, cause, false), cause.when)));
    }
    steps.splice(at + 1..at + 1, told);
    Ok(())
}

/// The accesses to blocks after their end; and the blocks that were freed.
fn read_after_their_end(opened: &Opened) -> Result<(Vec<MemoryError>, Frees), ReplayError> {
    let mut machine = opened.machine()?;
    let mut observers = (Memcheck::new(), Frees::default());
    match machine.go_on(&mut observers) {
        Ok(_) | Err(ReplayError::Divergence(_)) => {}
        Err(error) => return Err(error),
    }
    let (memcheck, frees) = observers;
    let errors = memcheck.into_errors().into_iter();
    Ok((errors.filter(|error| error.kind == Kind::UseAfterFree && !error.write).collect(), frees))
}

fn by_whom(calls: &[Position]) -> String {
    let name = |position: &Position| format!("`{}`", position.function);
    let callers: Vec<String> = calls.iter().skip(1).take(CALLERS).map(name).collect();
    let by = calls.first().map(name).unwrap_or_default();
    match callers.is_empty() {
        true => format!("what is read there lay in a block that {by} freed here"),
        false => format!("what is read there lay in a block that {by} freed here, called from {}", callers.join(", ")),
    }
}
