//! Trial runs (execution hijacking): the recorded run goes on from a place with something changed there, free of its
//! recording, to its end. What it prints and how it ends decide.
//!
//! What a trial run calls outside captured code is computed, or gives what it gave when the run was recorded: input and the
//! clock are the same, in the order of the calls.

mod arrive;
mod assignments;
mod guards;
mod judge;
mod mutants;
mod operators;
mod stray;
mod value;

pub(crate) use assignments::Scene;
pub(crate) use guards::{Visits, guards};
pub(crate) use judge::{Judge, Outcome};
pub use mutants::{Kind, Mutant, check};
pub(crate) use mutants::{Runner, of_operation};
pub(crate) use operators::Known;

use whydunit_replay::Machine;
use whydunit_symbolic::{Checkpoint, Free};

use crate::Error;
use crate::question::Change;
use arrive::{Place, arrive};
use value::Spot;

/// How much is tried, in instructions of trial runs: limits that do not depend on how fast the machine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trials {
    /// Other values of one statement.
    pub values: u64,
    /// Mutants of one statement.
    pub mutants: u64,
    /// Guards of one statement.
    pub guards: u64,
    /// Assignments behind other statements, for what one statement reads.
    pub assignments: u64,
    /// Statements that are given guards and assignments, the most suspicious ones.
    pub guarded: usize,
    /// All of them together.
    pub total: u64,
}

/// Looks for one value among `places` with which the run passes; that value. It must have been found before the run comes to
/// instruction `until`, and by trial runs of `left` instructions, which are taken off.
pub(crate) fn values<'a>(
    machine: &mut Machine,
    from: &Checkpoint,
    judge: &Judge,
    places: impl Iterator<Item = &'a Free>,
    until: u64,
    left: &mut u64,
) -> Result<Option<Change>, Error> {
    machine.restore(&from.snapshot)?;
    let mut printed = from.printed.len();
    for free in places {
        match arrive(machine, Place::Value(free), until, printed)? {
            Some(now) => printed = now,
            None => return Ok(None),
        }
        let here = machine.snapshot();
        let mut spot = Spot { machine: &mut *machine, judge, free, here, printed, left: *left };
        let found = spot.search()?;
        *left = spot.left;
        if let Some(now) = found {
            return Ok(Some(Change { free: *free, now, times: 1 }));
        }
        if *left == 0 {
            break;
        }
    }
    Ok(None)
}

/// What a run comes to with one value of it changed; nothing is known where it does not come there.
pub(crate) fn with_value(
    machine: &mut Machine,
    from: &Checkpoint,
    judge: &Judge,
    change: &Change,
    until: u64,
    left: u64,
) -> Result<Outcome, Error> {
    machine.restore(&from.snapshot)?;
    let free = &change.free;
    let Some(printed) = arrive(machine, Place::Value(free), until, from.printed.len())? else {
        return Ok(Outcome::default());
    };
    let here = machine.snapshot();
    Spot { machine, judge, free, here, printed, left }.with(change.now)
}
