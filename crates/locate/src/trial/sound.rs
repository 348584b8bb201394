//! Whether trial runs that pass do something to memory that is wrong and that the failing run did not do: they are made
//! again under the memory check. What such a run prints happens to be right.

use std::collections::HashSet;

use whydunit_memcheck::{Kind, Memcheck, MemoryError};
use whydunit_replay::{At, FuncId, Machine, Observer, Patch, Snapshot, Stop};
use whydunit_symbolic::FailurePoint;

use super::begin::Begin;
use super::judge::Judge;
use super::stand::Stand;
use crate::Error;

/// An operation that does something wrong.
type Wrong = (FuncId, u32, Kind);

/// Makes trial runs again under the memory check.
pub(crate) struct Sound {
    /// The start of the recorded run.
    start: Snapshot,
    /// What the failing run does wrong: that it still does tells nothing.
    known: HashSet<Wrong>,
    /// Instructions that may still be followed.
    left: u64,
    /// Where it stood last, with what was known there.
    last: Option<(Snapshot, Memcheck)>,
}

impl Sound {
    /// For trial runs of a run from its very start on, of so many instructions in all; what it does wrong is known. Where that is how it
    /// fails, only what it does wrong before it fails may stay.
    pub fn new(start: &Snapshot, known: &[MemoryError], point: &FailurePoint, most: u64) -> Self {
        let fails = known.iter().any(|error| (error.instruction, error.position.pc) == (point.instruction, point.pc));
        let may_stay = |error: &&MemoryError| !fails || error.instruction < point.instruction;
        let known = known.iter().filter(may_stay).map(wrong).collect();
        Self { start: start.clone(), known, left: most, last: None }
    }

    /// Whether a trial run does nothing wrong to memory, as far as is known: where it cannot be followed, nothing is. The machine
    /// stands elsewhere afterwards.
    pub fn is_sound(
        &mut self,
        machine: &mut Machine,
        judge: &Judge,
        stand: &Stand,
        patch: Option<&Patch>,
        begin: &Begin,
    ) -> Result<bool, Error> {
        let Some(mut memcheck) = self.at(machine, stand)? else { return Ok(true) };
        let before = memcheck.errors().len();
        let first = machine.core.instructions;
        let original = patch.map(|patch| machine.patch(patch));
        if patch.is_some() {
            memcheck.forget_constants();
        }
        let put = begin.put(&machine.at());
        judge.leave_recording(machine, stand.printed, self.left);
        let mut stopped = begin.apply(machine, &mut memcheck);
        put.slots.for_each(|slot| memcheck.believe_slot(slot));
        if let Some((address, size)) = put.memory {
            memcheck.believe_memory(address, size);
        }
        if let Ok(None) = stopped {
            stopped = machine.go_on(&mut memcheck).map(|_| None).map_err(Error::from);
        }
        if let Some(original) = original {
            machine.unpatch(original);
        }
        stopped?;
        self.left = self.left.saturating_sub(machine.core.instructions.saturating_sub(first));
        let new = |error: &MemoryError| !self.known.contains(&wrong(error));
        Ok(!memcheck.errors()[before..].iter().any(new))
    }

    /// Goes to where a trial run begins, by the recording; what the memory check knows there, where that is not too far.
    fn at(&mut self, machine: &mut Machine, stand: &Stand) -> Result<Option<Memcheck>, Error> {
        let until = stand.here.instructions();
        let last = self.last.take().filter(|(snapshot, _)| snapshot.instructions() <= until);
        let (from, mut memcheck) = last.unwrap_or_else(|| (self.start.clone(), Memcheck::new()));
        let far = until.saturating_sub(from.instructions());
        if far >= self.left {
            self.last = Some((from, memcheck));
            return Ok(None);
        }
        machine.restore(&from)?;
        let mut there = There { until, site: stand.site };
        if machine.go_on(&mut (&mut there, &mut memcheck))? != Stop::Asked {
            return Ok(None);
        }
        self.left -= far;
        self.last = Some((machine.snapshot(), memcheck.clone()));
        Ok(Some(memcheck))
    }
}

fn wrong(error: &MemoryError) -> Wrong {
    (error.function, error.position.pc, error.kind)
}

/// Stops where a trial run begins.
struct There {
    until: u64,
    site: (FuncId, u32),
}

impl Observer for There {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() == self.until && (at.function, at.pc) == self.site
    }
}
