//! What trial runs say of a statement: other values, mutants, and what may be missing.

use std::collections::BTreeSet;
use std::time::Instant;

use whydunit_symbolic::StatementId;

use crate::Error;
use crate::candidate::Search;
use crate::operations::Operation;
use crate::question::Change;
use crate::trial::{self, Runner, Scene, Trials, Visits};

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
        let (started, until) = (Instant::now(), self.failing.point.instruction);
        let known = self.knowledge.statements.get(statement).is_some_and(self.settings.mends);
        let mut mends = known || self.mutants(statement, trials.mutants.min(self.trials_left))?;
        if trials.mutants > 0 {
            mends |= self.missing(statement, trials)?;
        }
        let from = self.listing.checkpoints.get(self.before(statements));
        let values = self.listing.values.get(&statement);
        let value = match (from, values) {
            (Some(from), Some(values)) => {
                let most = trials.values.min(self.trials_left);
                let mut left = most;
                let found = trial::values(self.machine, from, &self.judge, values.iter(), until, &mut left)?;
                self.trials_left -= most - left;
                found
            }
            _ => None,
        };
        self.located.phases.trials += started.elapsed();
        Ok(Tried { mends, value })
    }

    /// Runs the mutants of a statement; whether the run passes with one.
    fn mutants(&mut self, statement: StatementId, most: u64) -> Result<bool, Error> {
        let Some(operations) = self.operations.get(&statement) else { return Ok(false) };
        let before = self.located.mutants.len();
        let until = self.failing.point.instruction;
        let mut runner = Runner { machine: &mut *self.machine, judge: &self.judge, left: most };
        for operation in operations {
            let Operation { function, pc, first } = *operation;
            let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { continue };
            let code = runner.machine.code();
            let known = self.known.entry(function).or_insert_with(|| trial::Known::of(code.model(function)));
            let mutants = trial::of_operation(code, known, function, pc, statement);
            if mutants.is_empty() {
                continue;
            }
            runner.machine.restore(&from.snapshot)?;
            let place = (function, pc, first.instruction);
            let Some(printed) = runner.arrive(place, until, from.printed.len())? else { continue };
            let here = runner.machine.snapshot();
            for mutant in mutants {
                if runner.left == 0 || self.settings.late() {
                    break;
                }
                if runner.run(&here, printed, &mutant)?.passes {
                    self.located.mutants.push(mutant);
                }
            }
        }
        self.trials_left -= most - runner.left;
        Ok(self.located.mutants.len() > before)
    }

    /// Looks for what may be missing at a statement: guards of it, and assignments to what it reads. Whether the run passes with
    /// a guard.
    fn missing(&mut self, statement: StatementId, trials: Trials) -> Result<bool, Error> {
        let Some(operations) = self.operations.get(&statement) else { return Ok(false) };
        let before = self.located.mutants.len();
        let until = self.failing.point.instruction;
        let visits = match self.visits.take() {
            Some(visits) => visits,
            None => Visits::of(self.machine, &self.judge, &self.listing.checkpoints[0], until)?,
        };
        // The other ones are only asked for arrays, which is soon done.
        let suspicious = self.guarded < trials.guarded;
        self.guarded += 1;
        let most = trials.guards.min(self.trials_left);
        let mut runner = Runner { machine: &mut *self.machine, judge: &self.judge, left: most };
        for operation in operations.iter().filter(|_| suspicious) {
            let Some(from) = self.listing.checkpoints.get(operation.first.checkpoint) else { continue };
            let Some(known) = self.known.get(&operation.function) else { continue };
            if runner.left == 0 || self.settings.late() {
                break;
            }
            let found = trial::guards(&mut runner, &visits, known, from, operation, until, statement)?;
            self.located.mutants.extend(found);
        }
        let mends = self.located.mutants.len() > before;
        self.trials_left -= most - runner.left;
        let most = trials.assignments.min(self.trials_left);
        runner.left = most;
        let (listing, knowledge) = (&self.listing, &*self.knowledge);
        let mut scene = Scene { visits: &visits, listing, knowledge, known: &mut self.known, until };
        for operation in operations {
            if runner.left == 0 || self.settings.late() {
                break;
            }
            let found = scene.assignments(&mut runner, operation, suspicious)?;
            self.located.mutants.extend(found);
        }
        self.trials_left -= most - runner.left;
        self.visits = Some(visits);
        Ok(mends)
    }
}
