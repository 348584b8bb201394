//! When a run executes operations that can have a guard, or that read what may be wrong.

use std::collections::{HashMap, VecDeque};

use whydunit_model::Op;
use whydunit_replay::{At, FuncId, Machine, Observer};
use whydunit_symbolic::Checkpoint;

use super::arrive::Place;
use super::judge::{Judge, Outcome};
use super::runner::Runner;
use crate::Error;

/// So many of the first executions of an operation are known, and so many of the last ones.
const FIRST: usize = 6;
const LAST: usize = 24;

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

    /// The first executions of an operation, and the last ones.
    pub fn all(&self, function: FuncId, pc: u32) -> Vec<u64> {
        self.some(function, pc, FIRST + LAST)
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
        let Some(visited) = self.of.get(&(function, pc)) else { return Vec::new() };
        let all: Vec<u64> = visited.first.iter().chain(&visited.last).copied().collect();
        if all.len() <= most {
            return all;
        }
        let first = most / 3;
        let last = all.len() - (most - first);
        [&all[..first], &all[last..]].concat()
    }
}

/// Whether an operation can have a guard, or reads what may be wrong.
fn is_watched(at: &At<'_>) -> bool {
    match at.op() {
        Op::Branch { .. } | Op::Switch { .. } | Op::Store { .. } | Op::Load { .. } => true,
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
