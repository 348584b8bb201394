//! Trial runs from a place of the recorded run: they go on with something changed, and the machine stands where it stood.

use std::ops::ControlFlow;

use whydunit_replay::{Change as Step, FuncId, Machine, Nothing, Patch};
use whydunit_symbolic::Checkpoint;

use super::arrive::{Place, arrive};
use super::begin::Begin;
use super::judge::{Judge, Outcome};
use super::mutant::Mutant;
use super::sound::Sound;
use super::stand::Stand;
use crate::Error;

/// A trial run that is so many times as long as the recorded one to its failure, and so many instructions longer, is taken for one that
/// does not end: it would use up what the others may execute.
const LONGER: u64 = 8;
const LONGER_AT_LEAST: u64 = 200_000;

/// Makes trial runs within limits.
pub(crate) struct Runner<'a> {
    pub machine: &'a mut Machine,
    pub judge: &'a Judge,
    /// What runs that pass may not do to memory, where that is looked at.
    sound: Option<&'a mut Sound>,
    /// The recorded run fails: one that goes on from it as it is must not pass.
    fails: bool,
    /// Instructions that may still be executed, by all that is tried.
    total: &'a mut u64,
    /// By what is tried now.
    left: u64,
}

impl<'a> Runner<'a> {
    /// Trial runs of at most so many instructions, which are taken off `total`.
    pub fn new(machine: &'a mut Machine, judge: &'a Judge, total: &'a mut u64, most: u64) -> Self {
        let left = most.min(*total);
        Self { machine, judge, sound: None, fails: false, total, left }
    }

    /// They are of a failing run; what they do to memory is looked at where that can be.
    pub fn of_failing(self, sound: &'a mut Option<Sound>) -> Self {
        Self { sound: sound.as_mut(), fails: true, ..self }
    }

    /// Something else is tried, with at most so many instructions.
    pub fn allow(&mut self, most: u64) {
        self.left = most.min(*self.total);
    }

    /// Nothing more may be executed.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Goes from a checkpoint to a place; none where the run does not come there before instruction `until`.
    pub fn stand_at(&mut self, from: &Checkpoint, place: Place<'_>, until: u64) -> Result<Option<Stand>, Error> {
        self.machine.restore(&from.snapshot)?;
        self.go_to(place, until, from.printed.len())
    }

    fn go_to(&mut self, place: Place<'_>, until: u64, printed: usize) -> Result<Option<Stand>, Error> {
        let printed = arrive(self.machine, self.judge, place, until, printed)?;
        Ok(printed.map(|printed| Stand::here(self.machine, printed)))
    }

    /// Stands at places of the run, one after the other from a checkpoint on, until one of them is the last to `see`, nothing
    /// more may be executed, or the run does not come to the next one before instruction `until`.
    pub fn at_each<'p>(
        &mut self,
        from: &Checkpoint,
        places: impl IntoIterator<Item = Place<'p>>,
        until: u64,
        mut see: impl FnMut(&mut Self, Stand) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        self.machine.restore(&from.snapshot)?;
        let mut printed = from.printed.len();
        for place in places {
            let Some(stand) = self.go_to(place, until, printed)? else { break };
            printed = stand.printed;
            if see(self, stand)?.is_break() || self.is_done() {
                break;
            }
        }
        Ok(())
    }

    /// Stands at executions of an operation, one after the other as [`Runner::at_each`] does, to `see` each; the first of them, from which
    /// a mutant of the operation is run, comes with it.
    pub fn at_executions(
        &mut self,
        from: &Checkpoint,
        (function, pc): (FuncId, u32),
        executions: Vec<u64>,
        until: u64,
        mut see: impl FnMut(&mut Self, &Stand, &Stand) -> Result<ControlFlow<()>, Error>,
    ) -> Result<(), Error> {
        let places = executions.into_iter().map(|instruction| Place::Operation(function, pc, instruction));
        let mut first = None;
        self.at_each(from, places, until, |runner, stand| {
            let first = first.get_or_insert_with(|| stand.clone());
            let flow = see(runner, first, &stand)?;
            runner.machine.restore(&stand.here)?;
            Ok(flow)
        })
    }

    /// Whether the run passes from a place on with a mutant, wherever the machine stands.
    pub fn passes(&mut self, stand: &Stand, mutant: &Mutant) -> Result<bool, Error> {
        self.machine.restore(&stand.here)?;
        Ok(self.run(stand, mutant)?.passes)
    }

    /// What the run comes to as it is.
    pub fn unchanged(&mut self, stand: &Stand) -> Result<Outcome, Error> {
        self.go(stand, &Begin::AsItIs)
    }

    /// What the run comes to with this change, whatever that does to memory.
    pub fn change(&mut self, stand: &Stand, step: Step) -> Result<Outcome, Error> {
        self.go(stand, &Begin::With(step))
    }

    /// What the run comes to that begins so: it passes only where it does nothing new to memory that is wrong.
    pub fn begun(&mut self, stand: &Stand, begin: &Begin) -> Result<Outcome, Error> {
        let outcome = self.go(stand, begin)?;
        self.checked(outcome, stand, None, begin)
    }

    /// What the run comes to with a mutant.
    pub fn run(&mut self, stand: &Stand, mutant: &Mutant) -> Result<Outcome, Error> {
        let Some(patch) = mutant.patch(self.machine.code()) else { return Ok(Outcome::default()) };
        let original = self.machine.patch(&patch);
        let outcome = self.go(stand, &Begin::AsItIs);
        self.machine.unpatch(original);
        self.checked(outcome?, stand, Some(&patch), &Begin::AsItIs)
    }

    /// Goes on, free of the recording.
    fn go(&mut self, stand: &Stand, begin: &Begin) -> Result<Outcome, Error> {
        let before = self.machine.core.instructions;
        let (point, _) = self.judge.point();
        let most = point.saturating_mul(LONGER).saturating_add(LONGER_AT_LEAST).min(self.left);
        self.judge.leave_recording(self.machine, stand.printed, most);
        let outcome = match begin.apply(self.machine, &mut Nothing)? {
            None => self.judge.end(self.machine, before)?,
            Some(stop) => self.judge.outcome(self.machine, &stop),
        };
        // What would have been too much was not executed.
        let executed = self.machine.core.instructions.saturating_sub(before).min(most);
        self.left = self.left.saturating_sub(executed);
        *self.total = self.total.saturating_sub(executed);
        self.machine.restore(&stand.here)?;
        Ok(outcome)
    }

    /// An outcome with what the memory check says of it. That a run passes tells nothing where the failing one would from there without a change, too.
    fn checked(
        &mut self,
        outcome: Outcome,
        stand: &Stand,
        patch: Option<&Patch>,
        begin: &Begin,
    ) -> Result<Outcome, Error> {
        // What external code has put in memory that the program has not read by then is not known there.
        if self.fails && outcome.passes && self.unchanged(stand)?.passes {
            return Ok(self.judge.lose("in passing, as they do without a change".into()));
        }
        let Some(sound) = self.sound.as_deref_mut().filter(|_| outcome.passes) else { return Ok(outcome) };
        let sound = sound.is_sound(self.machine, self.judge, stand, patch, begin);
        self.machine.restore(&stand.here)?;
        Ok(if sound? { outcome } else { Outcome { fails: true, ..Outcome::default() } })
    }
}
