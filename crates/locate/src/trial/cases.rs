//! Labels of a switch: a value goes where another one goes. They stand for labels that are wrong or missing.

use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_model::{BlockId, Function, IntPred, Op};
use whydunit_replay::{Body, SPARES};
use whydunit_symbolic::StatementId;

use super::Scene;
use super::arrive::Place;
use super::mutant::{Alternative, Constant, Home, Kind, Mutant};
use super::runner::Runner;
use crate::Error;
use crate::operations::Operation;

/// So many labels are tried for each value, and so many values.
const MOST_LABELS: usize = 24;
const MOST_VALUES: usize = 6;

impl Scene<'_> {
    /// The labels of a switch to which a value would have to go so that the run passes.
    pub fn cases(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        statement: StatementId,
    ) -> Result<Vec<Mutant>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut passing = Vec::new();
        let Op::Switch { w, table, .. } = runner.machine.code().model(function).code[pc as usize] else {
            return Ok(passing);
        };
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(passing) };
        let switch = runner.machine.code().model(function).switches[table as usize].clone();
        let mut labels: Vec<BlockId> = switch.cases.iter().map(|case| case.1).chain([switch.default]).collect();
        let mut seen = HashSet::new();
        labels.retain(|label| seen.insert(*label));
        labels.truncate(MOST_LABELS);
        let executions = self.visits.all(function, pc).into_iter();
        let places = executions.map(|instruction| Place::Operation(function, pc, instruction));
        let (mut first, mut values) = (None, HashSet::new());
        runner.at_each(from, places, self.until, |runner, stand| {
            let first = first.get_or_insert_with(|| stand.clone());
            let at = runner.machine.at();
            let Op::Switch { value: operand, .. } = *at.op() else { return Ok(ControlFlow::Break(())) };
            let value = at.value(operand);
            if values.len() < MOST_VALUES && values.insert(value) {
                let now = switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1);
                runner.machine.restore(&first.here)?;
                for &label in labels.iter().filter(|label| **label != now) {
                    let code = runner.machine.code();
                    let mut constants = <[Constant; SPARES]>::default();
                    constants[0] = Constant::Number(value);
                    let (a, b, dst) = (operand, code.spare(function, 0), code.scratch(function, 0));
                    let test = vec![Op::ICmp { pred: IntPred::Eq, w, dst, a, b }];
                    let body = Body::Unless { test, other: Op::Jump { to: label } };
                    let shift = 64 - u32::from(w.clamp(1, 64));
                    let kind = Kind::Case(((value << shift) as i64) >> shift);
                    let home = line_of(code.model(function), label).map(|line| Home::Label { line });
                    let other = Alternative { kind, body, call: None, constants };
                    let mutant = Mutant::at(code, function, pc, statement, other).at_home(home);
                    if runner.is_done() {
                        break;
                    }
                    if runner.run(first, &mutant)?.passes {
                        passing.push(mutant);
                    }
                }
                runner.machine.restore(&stand.here)?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(passing)
    }
}

/// The line of the first operation that a block leads to.
fn line_of(model: &Function, block: BlockId) -> Option<u32> {
    let mut block = model.blocks.get(block as usize)?;
    // The moves on an edge have no line of their own.
    while block.edge {
        let Op::Jump { to } = model.code[block.end as usize - 1] else { return None };
        block = model.blocks.get(to as usize)?;
    }
    (block.start..block.end).map(|pc| model.loc(pc as usize).line).find(|line| *line > 0)
}
