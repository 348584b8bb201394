//! What trial runs say of a statement: other values, mutants, and what may be missing.

use std::collections::BTreeSet;
use std::time::Instant;

use whydunit_replay::Machine;
use whydunit_symbolic::{Checkpoint, StatementId};

use crate::Error;
use crate::candidate::Search;
use crate::operations::Operation;
use crate::question::{Change, Trials};
use crate::trial::{self, Judge, Place, Runner, Scene, Visits};

/// What trial runs say of a statement.
#[derive(Default)]
pub(super) struct Tried {
    /// A mutant of it makes the run pass.
    pub mends: bool,
    /// A value of it with which the run passes.
    pub value: Option<Change>,
}

impl Search<'_, '_> {
    /// Trial runs of a statement. What several statements do together is not tried: that one of them does it alone is no
    /// news.
    pub(super) fn tried(&mut self, statements: &BTreeSet<StatementId>) -> Result<Tried, Error> {
        let (Some(trials), Some(&statement)) = (self.settings.trials, statements.first()) else {
            return Ok(Tried::default());
        };
        if statements.len() > 1 {
            return Ok(Tried::default());
        }
        if self.trials_left == 0 {
            self.note("as many trial runs were made as may be: less suspicious statements were left to formulas alone");
        }
        let (started, until) = (Instant::now(), self.failing.point.instruction);
        let known = self.knowledge.statements.get(statement).is_some_and(self.settings.mends);
        let mut mends = known || self.mutants(statement, trials.mutants)?;
        if trials.mutants > 0 {
            mends |= self.missing(statement, trials)?;
        }
        let from = self.listing.checkpoints.get(self.before(statements));
        let value = match (from, self.listing.values.get(&statement)) {
            (Some(from), Some(values)) => {
                let mut runner = Runner::new(self.machine, &self.judge, &mut self.trials_left, trials.values)
                    .of_failing(&mut self.sound);
                trial::values(&mut runner, from, values.iter(), until)?
            }
            _ => None,
        };
        self.located.phases.trials += started.elapsed();
        Ok(Tried { mends, value })
    }

    /// Runs the mutants of a statement; whether the run passes with one.
    fn mutants(&mut self, statement: StatementId, most: u64) -> Result<bool, Error> {
        if most > 0 && self.settings.texts {
            self.look_at_prints()?;
        }
        let Some(operations) = self.operations.get(&statement) else { return Ok(false) };
        let before = self.located.mutants.len();
        let until = self.failing.point.instruction;
        let visits = visits(&mut self.visits, self.machine, &self.judge, &self.listing.checkpoints[0], until)?;
        let mut runner =
            Runner::new(self.machine, &self.judge, &mut self.trials_left, most).of_failing(&mut self.sound);
        for operation in operations {
            let Operation { function, pc, first } = *operation;
            let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { continue };
            let code = runner.machine.code();
            let known = self.known.entry(function).or_insert_with(|| {
                trial::Known::of(code.model(function), code.module_of(function), &self.settings.numbers)
            });
            let (compared, texts) = (visits.compared(function, pc), self.texts.as_mut());
            let mutants = trial::of_operation(code, known, (function, pc), statement, compared, texts);
            if mutants.is_empty() {
                continue;
            }
            let place = Place::Operation(function, pc, first.instruction);
            let Some(stand) = runner.stand_at(from, place, until)? else { continue };
            for mutant in mutants {
                if runner.is_done() || self.settings.late() {
                    break;
                }
                if runner.run(&stand, &mutant)?.passes {
                    self.located.mutants.push(mutant);
                }
            }
        }
        Ok(self.located.mutants.len() > before)
    }

    /// Looks for initial values with which the run passes, of what statements read that are to be looked at.
    pub(super) fn initial_values(&mut self) -> Result<(), Error> {
        let Some(trials) = self.settings.trials.filter(|trials| trials.mutants > 0 && self.settings.texts) else {
            return Ok(());
        };
        let from = &self.listing.checkpoints[0];
        if from.snapshot.instructions() > 0 {
            return Ok(());
        }
        self.look_at_prints()?;
        let started = Instant::now();
        let knowledge = &*self.knowledge;
        let wanted = |statement| knowledge.statements.get(statement).is_some_and(self.settings.candidate);
        let mut runner =
            Runner::new(self.machine, &self.judge, &mut self.trials_left, trials.initial).of_failing(&mut self.sound);
        let (from, until) = (&self.listing.checkpoints[0], self.failing.point.instruction);
        let stated = (&*self.settings.numbers, &mut self.texts);
        let found = trial::initial_values(&mut runner, knowledge, from, until, stated, &wanted)?;
        self.located.mutants.extend(found);
        self.located.phases.trials += started.elapsed();
        Ok(())
    }

    /// Looks for what may be missing at a statement: guards of it, and assignments to what it reads. Whether the run passes with
    /// a guard.
    fn missing(&mut self, statement: StatementId, trials: Trials) -> Result<bool, Error> {
        let Some(operations) = self.operations.get(&statement) else { return Ok(false) };
        let until = self.failing.point.instruction;
        let visits = visits(&mut self.visits, self.machine, &self.judge, &self.listing.checkpoints[0], until)?;
        // The other ones are only asked for arrays, which is soon done.
        let suspicious = self.guarded < trials.guarded;
        self.guarded += 1;
        let (listing, knowledge) = (&self.listing, &*self.knowledge);
        let numbers = &self.settings.numbers;
        let mut scene = Scene { visits, listing, knowledge, known: &mut self.known, numbers, until };
        let mut runner =
            Runner::new(self.machine, &self.judge, &mut self.trials_left, trials.guards).of_failing(&mut self.sound);
        let done = |runner: &Runner<'_>| runner.is_done() || self.settings.late();
        let before = self.located.mutants.len();
        for operation in operations.iter().filter(|_| suspicious) {
            if done(&runner) {
                break;
            }
            self.located.mutants.extend(scene.guards(&mut runner, operation, statement)?);
            // The other methods are as they were published.
            if self.settings.texts {
                self.located.mutants.extend(scene.cases(&mut runner, operation, statement)?);
                self.located.mutants.extend(scene.returns(&mut runner, operation, statement)?);
            }
        }
        let mends = self.located.mutants.len() > before;
        runner.allow(trials.assignments);
        for operation in operations {
            if done(&runner) {
                break;
            }
            self.located.mutants.extend(scene.assignments(&mut runner, operation, suspicious)?);
        }
        Ok(mends)
    }
}

/// What is known of the run from a checkpoint to its failure, looked at once.
fn visits<'v>(
    known: &'v mut Option<Visits>,
    machine: &mut Machine,
    judge: &Judge,
    from: &Checkpoint,
    until: u64,
) -> Result<&'v Visits, Error> {
    let visits = match known.take() {
        Some(visits) => visits,
        None => Visits::of(machine, judge, from, until)?,
    };
    Ok(known.insert(visits))
}
