//! Guards: an operation that is left out, or a condition that goes the other way, wherever a variable has one value. They
//! stand for conditions that are missing. First single executions are changed; where the run prints more that is right
//! then, the values of variables there are what guards are made of.

use std::collections::HashSet;
use std::ops::ControlFlow;

use whydunit_model::{IntPred, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Change as Step, Code};
use whydunit_symbolic::StatementId;

use super::Scene;
use super::arrive::Place;
use super::frame::{slots, value};
use super::mutant::{Alternative, Kind, Mutant, only};
use super::operators::{Known, NOTHING, name};
use super::runner::Runner;
use crate::Error;
use crate::operations::Operation;

/// So many guards of an operation are tried.
const MOST_GUARDS: usize = 24;

/// An execution that is not made, or goes the other way, and what stands in its place where a guard holds.
struct Skipped {
    step: Step,
    other: Op,
}

impl Skipped {
    /// What is done in the place of the operation at which a run stands.
    fn at(at: &At<'_>, zero: Opnd) -> Option<Self> {
        let (step, other) = match at.op() {
            Op::Branch { cond, then, els } => {
                let to = if at.value(*cond) & 1 == 1 { *els } else { *then };
                (Step::Branch { to }, Op::Jump { to })
            }
            Op::Store { .. } => (Step::SkipOp { value: 0 }, NOTHING),
            Op::Call { call } => {
                let call = &at.model.calls[*call as usize];
                let words = vec![0; call.ret.iter().map(|leaf| leaf.slots() as usize).sum()];
                let other = if words.is_empty() { NOTHING } else { Op::Copy { n: 1, dst: call.dst, a: zero } };
                (Step::SkipCall { words }, other)
            }
            _ => return None,
        };
        Some(Self { step, other })
    }

    /// Where a branch goes instead.
    fn way(&self) -> Option<u32> {
        if let Step::Branch { to } = self.step { Some(to) } else { None }
    }
}

/// What a guard compares: a slot of so many bits, and with what.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Compared {
    slot: u32,
    width: u8,
    value: u64,
}

impl Scene<'_> {
    /// The guards of an operation with which the run passes.
    pub fn guards(
        &mut self,
        runner: &mut Runner<'_>,
        operation: &Operation,
        statement: StatementId,
    ) -> Result<Vec<Mutant>, Error> {
        let &Operation { function, pc, first } = operation;
        let mut passing = Vec::new();
        let Some(from) = self.listing.checkpoints.get(first.checkpoint) else { return Ok(passing) };
        let places = self.visits.all(function, pc).into_iter();
        let places = places.map(|instruction| Place::Operation(function, pc, instruction));
        let (mut first, mut tried) = (None, HashSet::new());
        let (visits, until) = (self.visits, self.until);
        let known = self.known(runner.machine.code(), function);
        runner.at_each(from, places, until, |runner, stand| {
            let first = first.get_or_insert_with(|| stand.clone());
            let code = runner.machine.code();
            let at = runner.machine.at();
            let Some(skipped) = Skipped::at(&at, code.spare(function, 1)) else { return Ok(ControlFlow::Break(())) };
            let candidates = candidates(&at, known);
            let outcome = runner.change(&stand, skipped.step.clone())?;
            if !outcome.passes && outcome.right <= visits.right {
                return Ok(ControlFlow::Continue(()));
            }
            for compared in candidates {
                if tried.len() >= MOST_GUARDS || runner.is_done() {
                    break;
                }
                if !tried.insert((compared, skipped.way())) {
                    continue;
                }
                let mutant = guard(runner.machine.code(), operation, statement, &skipped, compared);
                runner.machine.restore(&first.here)?;
                if runner.run(first, &mutant)?.passes {
                    passing.push(mutant);
                }
            }
            runner.machine.restore(&stand.here)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(passing)
    }
}

/// What a guard can compare where a run stands: variables with names first.
fn candidates(at: &At<'_>, known: &Known) -> Vec<Compared> {
    let fits = |slot: u32| match known.slot_type(slot)? {
        Scalar::Int(width @ 2..=64) => Some(Compared { slot, width, value: value(at, slot) }),
        // Of pointers only whether there is an object.
        Scalar::Ptr if value(at, slot) == 0 => Some(Compared { slot, width: 64, value: 0 }),
        _ => None,
    };
    slots(at, known).into_iter().filter_map(fits).take(MOST_GUARDS).collect()
}

fn guard(
    code: &Code,
    operation: &Operation,
    statement: StatementId,
    skipped: &Skipped,
    Compared { slot, width, value }: Compared,
) -> Mutant {
    let &Operation { function, pc, .. } = operation;
    let (a, b) = (Opnd::slot(slot), code.spare(function, 0));
    let test = Op::ICmp { pred: IntPred::Eq, w: width, dst: code.scratch(function, 0), a, b };
    let variable = name(code.model(function), a);
    let shift = 64 - u32::from(width);
    let signed = ((value << shift) as i64) >> shift;
    let kind = match skipped.way() {
        Some(_) => Kind::OppositeWhere(variable, signed),
        None => Kind::LeftOutWhere(variable, signed),
    };
    let body = Body::Unless { test, other: skipped.other.clone() };
    Mutant::at(code, function, pc, statement, Alternative { kind, body, call: None, constants: only(value) })
}
