//! Trial runs (execution hijacking): the recorded run goes on from a place with something changed there, free of its
//! recording, to its end. What it prints and how it ends decide.
//!
//! What a trial run calls outside captured code is computed, or gives what it gave when the run was recorded: input and the
//! clock are the same, in the order of the calls.

mod arrive;
mod assignments;
mod begin;
mod cases;
mod connector;
mod frame;
mod guards;
mod judge;
mod known;
mod mutant;
mod mutants;
mod operators;
mod returns;
mod runner;
mod signs;
mod sound;
mod stand;
mod stray;
mod tables;
mod texts;
mod value;
mod visits;
mod window;

pub(crate) use arrive::Place;
pub(crate) use judge::{Judge, Outcome};
pub(crate) use known::Known;
pub use mutant::{Home, Kind, Mutant, Relation, tested};
pub(crate) use mutants::of_operation;
pub use mutants::{Judgement, check};
pub(crate) use runner::Runner;
pub(crate) use sound::Sound;
pub(crate) use tables::initial_values;
pub(crate) use texts::Texts;
pub(crate) use visits::Visits;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use whydunit_replay::{Code, FuncId};
use whydunit_symbolic::{Checkpoint, Free, Knowledge, Listing};

use crate::Error;
use crate::question::Change;
use value::Spot;

/// What is known of the run where something may be missing.
pub(crate) struct Scene<'a> {
    pub visits: &'a Visits,
    pub listing: &'a Listing,
    pub knowledge: &'a Knowledge,
    pub known: &'a mut HashMap<FuncId, Known>,
    /// Numbers that failing tests state.
    pub numbers: &'a Rc<[i64]>,
    /// The failure point.
    pub until: u64,
}

impl Scene<'_> {
    fn known(&mut self, code: &Code, function: FuncId) -> &Known {
        self.known
            .entry(function)
            .or_insert_with(|| Known::of(code.model(function), code.module_of(function), self.numbers))
    }
}

/// Looks for one value among `places` with which the run passes; that value. It must have been found before the run comes to
/// instruction `until`.
pub(crate) fn values<'a>(
    runner: &mut Runner<'_>,
    from: &Checkpoint,
    frees: impl Iterator<Item = &'a Free> + Clone,
    until: u64,
) -> Result<Option<Change>, Error> {
    let (mut change, mut places) = (None, frees.clone());
    runner.at_each(from, frees.map(Place::Value), until, |runner, stand| {
        let Some(free) = places.next() else { return Ok(ControlFlow::Break(())) };
        let found = Spot { runner, free, stand }.search()?;
        change = found.map(|now| Change { free: *free, now, times: 1 });
        Ok(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(change)
}

/// What a run comes to with one value of it changed; nothing is known where it does not come there.
pub(crate) fn with_value(
    runner: &mut Runner<'_>,
    from: &Checkpoint,
    change: &Change,
    until: u64,
) -> Result<Outcome, Error> {
    let free = &change.free;
    match runner.stand_at(from, Place::Value(free), until)? {
        Some(stand) => Spot { runner, free, stand }.with(change.now),
        None => Ok(Outcome::default()),
    }
}
