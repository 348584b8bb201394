//! Guards: an operation that is left out, or a condition that goes the other way, wherever a variable has one value. They
//! stand for conditions that are missing. First single executions are changed; where the run prints more that is right
//! then, the values of variables there are what guards are made of.

use std::collections::{HashMap, HashSet, VecDeque};

use whydunit_model::{IntPred, Op, Opnd, Scalar};
use whydunit_replay::{At, Body, Change as Step, Code, FuncId, Machine, Nothing, Observer, Snapshot};
use whydunit_symbolic::{Checkpoint, StatementId};

use super::arrive::{Place, arrive};
use super::judge::{Judge, Outcome};
use super::mutants::{Alternative, Kind, Mutant, Runner, only};
use super::operators::{Known, NOTHING, name};
use crate::Error;
use crate::operations::Operation;

/// So many of the first executions of an operation are changed, and so many of the last ones.
const FIRST: usize = 6;
const LAST: usize = 24;

/// So many guards of an operation are tried.
const MOST_GUARDS: usize = 24;

/// When operations are executed that can have a guard, or read memory.
#[derive(Default)]
pub(crate) struct Visits {
    of: HashMap<(FuncId, u32), Visited>,
    /// Bytes of output that are right as it is.
    pub right: usize,
    /// How far the first number that is printed wrong is off.
    pub off: Option<f64>,
}

#[derive(Default)]
struct Visited {
    first: Vec<u64>,
    last: VecDeque<u64>,
    /// Where a load reads: the first byte, and the one behind the last.
    region: Option<(u64, u64)>,
}

impl Visits {
    /// On a run from a checkpoint to instruction `until`.
    pub fn of(machine: &mut Machine, judge: &Judge, from: &Checkpoint, until: u64) -> Result<Self, Error> {
        machine.restore(&from.snapshot)?;
        let mut watch = Watch { visits: Self::default(), first: None, until };
        machine.go_on(&mut watch)?;
        let Watch { visits, first: Some((function, pc, instruction)), .. } = watch else { return Ok(watch.visits) };
        machine.restore(&from.snapshot)?;
        let place = Place::Operation(function, pc, instruction);
        let Some(printed) = arrive(machine, place, until, from.printed.len())? else { return Ok(visits) };
        judge.go_free(machine, printed, until.saturating_mul(2));
        let Outcome { right, off, .. } = judge.end(machine, instruction)?;
        Ok(Self { right, off, ..visits })
    }

    /// Where a load reads in all of its executions: the first byte, and how many.
    pub fn region(&self, function: FuncId, pc: u32) -> Option<(u64, u64)> {
        let (start, end) = self.of.get(&(function, pc))?.region?;
        Some((start, end - start))
    }

    /// Executions of an operation before which most instructions went by since the one before, at most so many.
    pub fn apart(&self, function: FuncId, pc: u32, most: usize) -> Vec<u64> {
        let all = self.some(function, pc, FIRST + LAST);
        let mut gaps: Vec<(u64, u64)> = all.windows(2).map(|pair| (pair[1] - pair[0], pair[1])).collect();
        gaps.sort_by_key(|gap| std::cmp::Reverse(gap.0));
        gaps.truncate(most);
        let mut apart: Vec<u64> = gaps.into_iter().map(|gap| gap.1).collect();
        apart.sort_unstable();
        apart
    }

    /// Some executions of an operation, at most so many: of the first ones a third, else the last ones.
    pub fn some(&self, function: FuncId, pc: u32, most: usize) -> Vec<u64> {
        let Some(visited) = self.of.get(&(function, pc)) else { return Vec::new() };
        let all: Vec<u64> = visited.first.iter().chain(&visited.last).copied().collect();
        let (first, last) = (most / 3, most - most / 3);
        let skipped = all.len().saturating_sub(last).max(first.min(all.len()));
        all[..first.min(all.len())].iter().chain(&all[skipped..]).copied().collect()
    }
}

/// Whether an operation can have a guard, or reads what may be wrong.
fn is_watched(at: &At<'_>) -> bool {
    match at.op() {
        Op::Branch { .. } | Op::Store { .. } | Op::Load { .. } => true,
        Op::Call { call } => {
            let call = &at.model.calls[*call as usize];
            !call.noreturn && !call.returns_twice && call.ret.iter().map(|leaf| leaf.slots()).sum::<u32>() <= 1
        }
        _ => false,
    }
}

struct Watch {
    visits: Visits,
    first: Option<(FuncId, u32, u64)>,
    until: u64,
}

impl Observer for Watch {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let instruction = at.instruction();
        if instruction > self.until {
            return true;
        }
        if is_watched(at) {
            self.first.get_or_insert((at.function, at.pc, instruction));
            let visited = self.visits.of.entry((at.function, at.pc)).or_default();
            if let Op::Load { ty, addr, .. } = *at.op() {
                let start = at.value(addr);
                let end = start.saturating_add(ty.bytes().into());
                let region = visited.region.get_or_insert((start, end));
                *region = (region.0.min(start), region.1.max(end));
            }
            if visited.first.len() < FIRST {
                visited.first.push(instruction);
            } else {
                if visited.last.len() == LAST {
                    visited.last.pop_front();
                }
                visited.last.push_back(instruction);
            }
        }
        false
    }
}

/// An execution that is not made, or goes the other way, and what stands in its place where a guard holds.
struct Skipped {
    step: Step,
    other: Op,
    branch: bool,
}

/// What is done in the place of the operation at which a run stands.
fn skipped(at: &At<'_>, zero: Opnd) -> Option<Skipped> {
    Some(match at.op() {
        Op::Branch { cond, then, els } => {
            let to = if at.value(*cond) & 1 == 1 { *els } else { *then };
            Skipped { step: Step::Branch { to }, other: Op::Jump { to }, branch: true }
        }
        Op::Store { .. } => Skipped { step: Step::SkipOp { value: 0 }, other: NOTHING, branch: false },
        Op::Call { call } => {
            let call = &at.model.calls[*call as usize];
            let words = vec![0; call.ret.iter().map(|leaf| leaf.slots() as usize).sum()];
            let other = if words.is_empty() { NOTHING } else { Op::Copy { n: 1, dst: call.dst, a: zero } };
            Skipped { step: Step::SkipCall { words }, other, branch: false }
        }
        _ => return None,
    })
}

/// The guards of an operation with which the run passes.
pub(crate) fn guards(
    runner: &mut Runner<'_>,
    visits: &Visits,
    known: &Known,
    from: &Checkpoint,
    operation: &Operation,
    until: u64,
    statement: StatementId,
) -> Result<Vec<Mutant>, Error> {
    let &Operation { function, pc, .. } = operation;
    let mut passing = Vec::new();
    let Some(visited) = visits.of.get(&(function, pc)) else { return Ok(passing) };
    runner.machine.restore(&from.snapshot)?;
    let mut printed = from.printed.len();
    let (mut first, mut tried) = (None, HashSet::new());
    for &instruction in visited.first.iter().chain(&visited.last) {
        let Some(now) = runner.arrive((function, pc, instruction), until, printed)? else { break };
        printed = now;
        let here = runner.machine.snapshot();
        let first = first.get_or_insert_with(|| (here.clone(), printed));
        let code = runner.machine.code();
        let at = runner.machine.at();
        let Some(skipped) = skipped(&at, code.spare(function, 1)) else { break };
        let candidates = candidates(code, &at, known);
        let outcome = runner.change(&here, printed, &skipped.step)?;
        let further = outcome.passes || outcome.right > visits.right;
        for (slot, width, value) in candidates.into_iter().filter(|_| further) {
            if tried.len() >= MOST_GUARDS || runner.left == 0 {
                break;
            }
            let way = if let Op::Jump { to } = skipped.other { Some(to) } else { None };
            if !tried.insert((slot, value, way)) {
                continue;
            }
            let mutant = guard(runner.machine.code(), function, pc, statement, &skipped, (slot, width, value));
            runner.machine.restore(&first.0)?;
            if runner.run(&first.0, first.1, &mutant)?.passes {
                passing.push(mutant);
            }
            runner.machine.restore(&here)?;
        }
        if runner.left == 0 {
            break;
        }
    }
    Ok(passing)
}

/// Variables that a guard can look at, by slot and width, and what they are now: those with names first.
fn candidates(code: &Code, at: &At<'_>, known: &Known) -> Vec<(u32, u8, u64)> {
    let model = code.model(at.function);
    let mut slots: Vec<u32> = (0..model.slots).collect();
    slots.sort_by_cached_key(|&slot| name(model, Opnd::slot(slot)).is_none());
    let value = |slot: u32| at.core.slots[at.base + slot as usize];
    let fits = |slot: u32| match known.slot_type(slot)? {
        Scalar::Int(width @ 2..=64) => Some((slot, width, value(slot))),
        // Of pointers only whether there is an object.
        Scalar::Ptr if value(slot) == 0 => Some((slot, 64, 0)),
        _ => None,
    };
    slots.into_iter().filter_map(fits).take(MOST_GUARDS).collect()
}

fn guard(
    code: &Code,
    function: FuncId,
    pc: u32,
    statement: StatementId,
    skipped: &Skipped,
    (slot, width, value): (u32, u8, u64),
) -> Mutant {
    let (a, b) = (Opnd::slot(slot), code.spare(function, 0));
    let test = Op::ICmp { pred: IntPred::Eq, w: width, dst: code.scratch(function, 0), a, b };
    let variable = name(code.model(function), a);
    let shift = 64 - u32::from(width);
    let signed = ((value << shift) as i64) >> shift;
    let kind =
        if skipped.branch { Kind::OppositeWhere(variable, signed) } else { Kind::LeftOutWhere(variable, signed) };
    let body = Body::Unless { test, other: skipped.other.clone() };
    Mutant::at(code, function, pc, statement, Alternative { kind, body, call: None, constants: only(value) })
}

impl Runner<'_> {
    /// What the run comes to that goes on from `here`, where `printed` bytes were printed, with this change.
    pub(super) fn change(&mut self, here: &Snapshot, printed: usize, step: &Step) -> Result<Outcome, Error> {
        let before = self.machine.core.instructions;
        self.judge.go_free(self.machine, printed, self.left);
        let outcome = match self.machine.change(step, &mut Nothing)? {
            None => self.judge.end(self.machine, before)?,
            Some(stop) => self.judge.outcome(self.machine, &stop),
        };
        self.left = self.left.saturating_sub(self.machine.core.instructions.saturating_sub(before));
        self.machine.restore(here)?;
        Ok(outcome)
    }
}
