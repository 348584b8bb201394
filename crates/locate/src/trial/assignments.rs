//! Assignments that may be missing: a location in memory is given a value at a place behind its last write and before it is
//! read. First it is changed where it is read; where the run prints more that is right then, what stands between says where
//! the assignment may belong.

use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_model::{Op, Opnd, Scalar};
use whydunit_replay::{Body, Change as Step, Code};
use whydunit_symbolic::{FirstRun, NO_STATEMENT, StatementId};

use super::Scene;
use super::arrive::Place;
use super::known::name;
use super::mutant::{Alternative, Constant, Kind, Mutant};
use super::runner::Runner;
use super::value::mask;
use super::window::{Gap, Source, Target, Wrong};
use crate::Error;
use crate::operations::Operation;

/// So many executions of a read are changed.
const MOST_READS: usize = 24;
/// So many wrong values of a read are followed.
const MOST_WRONG: usize = 3;
/// Arrays are tried where so many executions of a read begin anew, and up to so many bytes.
const MOST_ANEW: usize = 6;
const MOST_BYTES: u64 = 4096;

impl Scene<'_> {
    /// Assignments with which the run passes, for what a load reads; only those of arrays where it is not to be looked at
    /// as a scalar.
    pub fn assignments(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        scalars: bool,
    ) -> Result<Vec<Mutant>, Error> {
        let mut passing = Vec::new();
        let mut wrong = if scalars { self.wrong(runner, operation)? } else { Vec::new() };
        if wrong.is_empty() {
            wrong = self.arrays(runner, operation)?;
        }
        for wrong in wrong {
            for gap in self.between(runner.machine, &wrong, operation)? {
                if runner.is_done() {
                    return Ok(passing);
                }
                let Some((statement, first)) = self.origin(runner.machine.code(), &gap) else { continue };
                let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { continue };
                let place = Place::Operation(gap.function, gap.pc, first.instruction);
                let Some(stand) = runner.stand_at(from, place, self.until)? else { continue };
                for mutant in mutants(runner.machine.code(), &gap, &wrong, statement) {
                    if runner.run(&stand, &mutant)?.passes {
                        passing.push(mutant);
                    }
                }
            }
        }
        Ok(passing)
    }

    /// The statement of a place, and the first execution of its block.
    fn origin(&self, code: &Code, gap: &Gap) -> Option<(StatementId, FirstRun)> {
        let facts = self.knowledge.facts.get(gap.function.0 as usize)?.as_ref()?;
        let statement = *facts.statements.get(gap.pc as usize)?;
        let blocks = &code.model(gap.function).blocks;
        let inside = |first: &&FirstRun| {
            let block = blocks.get(first.block as usize);
            first.function == gap.function && block.is_some_and(|block| (block.start..block.end).contains(&gap.pc))
        };
        let first = self.listing.blocks.iter().find(inside)?;
        (statement != NO_STATEMENT && !self.knowledge.statements.is_assertion(statement)).then_some((statement, *first))
    }

    /// Values of what a load reads with which more of the output is right.
    fn wrong(&self, runner: &mut Runner<'_>, operation: &Operation) -> Result<Vec<Wrong>, Error> {
        let &Operation { function, pc, first } = operation;
        let (mut found, mut tried) = (Vec::new(), HashSet::new());
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(found) };
        let executions = self.visits.some(function, pc, MOST_READS).into_iter();
        let places = executions.map(|instruction| Place::Operation(function, pc, instruction));
        runner.at_each(from, places, self.until, |runner, stand| {
            let at = runner.machine.at();
            let Op::Load { ty, addr, .. } = *at.op() else { return Ok(ControlFlow::Break(())) };
            let (instruction, address, bytes) = (at.instruction(), at.value(addr), ty.bytes());
            if bytes > 8 || !matches!(ty, Scalar::Int(8..) | Scalar::Ptr) {
                return Ok(ControlFlow::Break(()));
            }
            let (old, width) = (at.memory().read_uint(address, bytes), mask(8 * bytes));
            if !tried.insert((address, old)) {
                return Ok(ControlFlow::Continue(()));
            }
            let off = self.visits.off.filter(|off| off.abs() < 1e15).map_or(0, |off| off as i64 as u64);
            let mut values = vec![0, 1, old.wrapping_sub(off) & width, old.wrapping_add(off) & width];
            values.dedup();
            let mut best = (self.visits.right, None);
            for value in values.into_iter().filter(|value| *value != old) {
                let bytes = value.to_le_bytes()[..bytes as usize].to_vec();
                let outcome = runner.change(&stand, Step::Memory { address, bytes })?;
                let right = if outcome.passes { usize::MAX } else { outcome.right };
                if right > best.0 {
                    best = (right, Some(value));
                }
            }
            let wrong = |value| Wrong { instruction, address, size: bytes.into(), ty: Some(ty), value };
            found.extend(best.1.map(wrong));
            Ok(enough(&found))
        })?;
        Ok(found)
    }

    /// Arrays with which more of the output is right where they are all zero when their reading begins.
    fn arrays(&self, runner: &mut Runner<'_>, operation: &Operation) -> Result<Vec<Wrong>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut found = Vec::new();
        let Op::Load { ty, .. } = runner.machine.code().model(function).code[pc as usize] else { return Ok(found) };
        let Some((address, size)) = self.visits.region(function, pc) else { return Ok(found) };
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(found) };
        if size < 2 * u64::from(ty.bytes()) || size > MOST_BYTES || ty == Scalar::Ptr {
            return Ok(found);
        }
        let executions = self.visits.apart(function, pc, MOST_ANEW).into_iter();
        let places = executions.map(|instruction| Place::Operation(function, pc, instruction));
        runner.at_each(from, places, self.until, |runner, stand| {
            let instruction = runner.machine.at().instruction();
            let zeros = Step::Memory { address, bytes: vec![0; size as usize] };
            let outcome = runner.change(&stand, zeros)?;
            if outcome.passes || outcome.right > self.visits.right {
                found.push(Wrong { instruction, address, size, ty: None, value: 0 });
            }
            Ok(enough(&found))
        })?;
        Ok(found)
    }
}

fn enough(found: &[Wrong]) -> ControlFlow<()> {
    if found.len() < MOST_WRONG { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The assignments behind a place.
fn mutants(code: &Code, gap: &Gap, wrong: &Wrong, statement: StatementId) -> Vec<Mutant> {
    let &Gap { function, pc, .. } = gap;
    let [first, second, third] = [0, 1, 2].map(|number| code.spare(function, number));
    let [value, address] = [0, 1].map(|number| code.scratch(function, number));
    let model = code.model(function);
    let mut out = Vec::new();
    for target in &gap.targets {
        for source in &gap.sources {
            let mut ops = Vec::new();
            let mut constants = <[Constant; 3]>::default();
            let (stored, text) = match source {
                Source::Number(number) => {
                    constants[0] = Constant::Number(*number);
                    (first, wrong.ty.map_or("zeros".into(), |_| (*number as i64).to_string()))
                }
                Source::Slot(slot) => {
                    let slot = Opnd::slot(*slot);
                    (slot, name(model, slot).map_or("the value of a variable".into(), |name| format!("`{name}`")))
                }
                Source::Global(global) => {
                    constants[0] = global.clone();
                    ops.extend(wrong.ty.map(|ty| Op::Load { ty, dst: value, addr: first }));
                    (
                        Opnd::slot(value),
                        global.name(code).map_or("the value of a variable".into(), |name| format!("`{name}`")),
                    )
                }
            };
            let (addr, variable) = match target {
                Target::Fixed(fixed) => {
                    constants[1] = fixed.clone();
                    (second, fixed.name(code))
                }
                Target::Pointer(slot, offset) => {
                    ops.push(Op::PtrAdd { dst: address, base: Opnd::slot(*slot), offset: *offset });
                    (Opnd::slot(address), None)
                }
            };
            ops.push(match wrong.ty {
                Some(ty) => Op::Store { ty, value: stored, addr },
                None => Op::MemSet { dst: addr, value: stored, len: third },
            });
            constants[2] = Constant::Number(wrong.size);
            let other =
                Alternative { kind: Kind::Assigned(variable, text), body: Body::Then(ops), call: None, constants };
            out.push(Mutant::at(code, function, pc, statement, other));
        }
    }
    out
}
