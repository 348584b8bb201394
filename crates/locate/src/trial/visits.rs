//! When a run executes operations that can have a guard, or that read what may be wrong.

use std::collections::{HashMap, VecDeque};

use whydunit_model::{Function, IntPred, Op};
use whydunit_replay::{At, FuncId, Machine, Observer};
use whydunit_symbolic::Checkpoint;

use super::arrive::Place;
use super::judge::{Judge, Outcome};
use super::runner::Runner;
use crate::Error;

/// So many of the first executions of an operation are known, and so many of the last ones.
const FIRST: usize = 6;
const LAST: usize = 24;

/// So many values that are compared with a constant are known.
const COMPARED: usize = 24;

/// When operations are executed that can have a guard, or read memory.
#[derive(Default)]
pub(crate) struct Visits {
    of: HashMap<(FuncId, u32), Visited>,
    /// When functions begin.
    calls: HashMap<FuncId, Visited>,
    /// What is compared with a constant by `==` or `!=`, by the comparison: different values, in the order of their first times.
    compared: HashMap<(FuncId, u32), Vec<u64>>,
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
        let mut most = until.saturating_mul(2);
        let total = most;
        let mut runner = Runner::new(machine, judge, &mut most, total);
        let place = Place::Operation(function, pc, instruction);
        let Some(stand) = runner.stand_at(from, place, until)? else { return Ok(visits) };
        let Outcome { right, off, .. } = runner.unchanged(&stand)?;
        Ok(Self { right, off, ..visits })
    }

    /// Where a load reads in all of its executions: the first byte, and how many.
    pub fn region(&self, function: FuncId, pc: u32) -> Option<(u64, u64)> {
        let (start, end) = self.of.get(&(function, pc))?.region?;
        Some((start, end - start))
    }

    /// The values that a comparison by `==` or `!=` compares with its constant, the first ones of them.
    pub fn compared(&self, function: FuncId, pc: u32) -> &[u64] {
        self.compared.get(&(function, pc)).map_or(&[], |values| values)
    }

    /// The first executions of an operation, and the last ones.
    pub fn all(&self, function: FuncId, pc: u32) -> Vec<u64> {
        self.some(function, pc, FIRST + LAST)
    }

    /// When a function begins, at most so many times.
    pub fn calls(&self, function: FuncId, most: usize) -> Vec<u64> {
        self.calls.get(&function).map_or_else(Vec::new, |visited| visited.some(most))
    }

    /// Executions of an operation before which most instructions went by since the one before, at most so many.
    pub fn apart(&self, function: FuncId, pc: u32, most: usize) -> Vec<u64> {
        let all = self.all(function, pc);
        let mut gaps: Vec<(u64, u64)> = all.windows(2).map(|pair| (pair[1] - pair[0], pair[1])).collect();
        gaps.sort_by_key(|gap| std::cmp::Reverse(gap.0));
        gaps.truncate(most);
        let mut apart: Vec<u64> = gaps.into_iter().map(|gap| gap.1).collect();
        apart.sort_unstable();
        apart
    }

    /// Some executions of an operation, at most so many: of the first ones a third, else the last ones.
    pub fn some(&self, function: FuncId, pc: u32, most: usize) -> Vec<u64> {
        self.of.get(&(function, pc)).map_or_else(Vec::new, |visited| visited.some(most))
    }
}

impl Visited {
    fn add(&mut self, instruction: u64) {
        if self.first.len() < FIRST {
            self.first.push(instruction);
        } else {
            if self.last.len() == LAST {
                self.last.pop_front();
            }
            self.last.push_back(instruction);
        }
    }

    fn some(&self, most: usize) -> Vec<u64> {
        let all: Vec<u64> = self.first.iter().chain(&self.last).copied().collect();
        if all.len() <= most {
            return all;
        }
        let first = most / 3;
        let last = all.len() - (most - first);
        [&all[..first], &all[last..]].concat()
    }
}

/// Whether an operation of a function can have a guard, or reads what may be wrong.
fn is_watched(model: &Function, op: &Op) -> bool {
    match op {
        Op::Branch { .. } | Op::Switch { .. } | Op::Store { .. } | Op::Load { .. } => true,
        Op::Call { call } => {
            let call = &model.calls[*call as usize];
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
        if at.model.blocks.first().is_some_and(|entry| entry.start == at.pc) {
            self.visits.calls.entry(at.function).or_default().add(instruction);
        }
        if is_watched(at.model, at.op()) {
            self.first.get_or_insert((at.function, at.pc, instruction));
            let visited = self.visits.of.entry((at.function, at.pc)).or_default();
            if let Op::Load { ty, addr, .. } = *at.op() {
                let start = at.value(addr);
                let end = start.saturating_add(ty.bytes().into());
                let region = visited.region.get_or_insert((start, end));
                *region = (region.0.min(start), region.1.max(end));
            }
            visited.add(instruction);
        }
        if let Op::ICmp { pred: IntPred::Eq | IntPred::Ne, a, b, .. } = *at.op()
            && a.is_const() != b.is_const()
        {
            let value = at.value(if a.is_const() { b } else { a });
            let values = self.visits.compared.entry((at.function, at.pc)).or_default();
            if values.len() < COMPARED && !values.contains(&value) {
                values.push(value);
            }
        }
        false
    }
}
