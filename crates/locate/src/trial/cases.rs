//! Labels of a switch: a value goes where another one goes. They stand for labels that are wrong or missing.

use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_model::{BlockId, Function, IntPred, Op, Opnd};
use whydunit_replay::{Body, Code, FuncId, SPARES};
use whydunit_symbolic::StatementId;

use super::Scene;
use super::mutant::{Alternative, Constant, Home, Kind, Mutant};
use super::runner::Runner;
use super::value::signed;
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
        let mut values = HashSet::new();
        runner.at_executions(from, (function, pc), self.visits.all(function, pc), self.until, |runner, first, _| {
            let at = runner.machine.at();
            let Op::Switch { value: operand, .. } = *at.op() else { return Ok(ControlFlow::Break(())) };
            let value = at.value(operand);
            if values.len() == MOST_VALUES || !values.insert(value) {
                return Ok(ControlFlow::Continue(()));
            }
            let now = switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1);
            for &label in labels.iter().filter(|label| **label != now) {
                if runner.is_done() {
                    break;
                }
                let other = going_to(runner.machine.code(), function, (operand, w), value, label);
                let home = line_of(runner.machine.code().model(function), label).map(|line| Home::Label { line });
                let mutant = Mutant::at(runner.machine.code(), function, pc, statement, other).at_home(home);
                if runner.passes(first, &mutant)? {
                    passing.push(mutant);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(passing)
    }
}

/// A switch on an operand of so many bits where this value goes to a label.
fn going_to(code: &Code, function: FuncId, (operand, w): (Opnd, u8), value: u64, label: BlockId) -> Alternative {
    let mut constants = <[Constant; SPARES]>::default();
    constants[0] = Constant::Number(value);
    let (a, b, dst) = (operand, code.spare(function, 0), code.scratch(function, 0));
    let test = vec![Op::ICmp { pred: IntPred::Eq, w, dst, a, b }];
    let body = Body::Unless { test, other: Op::Jump { to: label } };
    Alternative { kind: Kind::Case(signed(value, w)), body, call: None, constants }
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
