//! Trial runs with another value at one place: what may stand there, and what a printed number says that it should be.

use whydunit_model::{Op, Scalar};
use whydunit_replay::{At, Change as Step};
use whydunit_symbolic::{Free, FreeKind};

use super::begin::Begin;
use super::judge::Outcome;
use super::runner::Runner;
use super::stand::Stand;
use crate::Error;

/// So often a value is corrected by how far a printed number is off.
const CORRECTIONS: usize = 8;

/// Values that are tried at one place.
const MOST_VALUES: usize = 24;

/// A place of the run where another value is tried; the machine stands there.
pub(super) struct Spot<'a, 'r> {
    pub runner: &'a mut Runner<'r>,
    pub free: &'a Free,
    pub stand: Stand,
}

/// Another value, and where a branch goes with it.
struct Alternative {
    value: u64,
    branch: Option<u32>,
}

impl Spot<'_, '_> {
    /// A value with which the run passes.
    pub fn search(&mut self) -> Result<Option<u64>, Error> {
        match self.numbers()? {
            Some(found) => Ok(Some(found)),
            None => self.others(),
        }
    }

    /// Goes on with this value, or where it leads a branch to.
    pub fn with(&mut self, value: u64) -> Result<Outcome, Error> {
        let at = self.runner.machine.at();
        let branch = match at.op() {
            _ if self.free.kind != FreeKind::Condition => None,
            Op::Branch { then, els, .. } => Some(if value & 1 == 1 { *then } else { *els }),
            Op::Switch { table, .. } => {
                let switch = &at.model.switches[*table as usize];
                Some(switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1))
            }
            _ => None,
        };
        self.run(&Alternative { value, branch })
    }

    /// Goes on with another value.
    fn run(&mut self, alternative: &Alternative) -> Result<Outcome, Error> {
        let begin = begin(&self.runner.machine.at(), self.free, alternative);
        self.runner.begun(&self.stand, &begin)
    }

    fn others(&mut self) -> Result<Option<u64>, Error> {
        for alternative in alternatives(&self.runner.machine.at(), self.free) {
            if self.run(&alternative)?.passes {
                return Ok(Some(alternative.value));
            }
            if self.runner.is_done() {
                break;
            }
        }
        Ok(None)
    }

    /// Follows a printed number back to the value by the secant method.
    fn numbers(&mut self) -> Result<Option<u64>, Error> {
        let free = self.free;
        let number = match free.scalar {
            Scalar::Int(1) => None,
            Scalar::Int(width) if width <= 64 => Some(Number::Integer(u32::from(width))),
            Scalar::F64 => Some(Number::Double),
            _ => None,
        };
        let Some(number) = number.filter(|_| free.kind != FreeKind::Condition) else { return Ok(None) };
        let run = |spot: &mut Self, x: f64| spot.run(&Alternative { value: number.bits(x), branch: None });
        let mut before = number.value(free.value);
        let Some(mut off) = run(self, before)?.off else { return Ok(None) };
        let mut now = match number {
            Number::Double => before + (before.abs() * 0.01).max(0.01),
            Number::Integer(_) => before + 1.0,
        };
        for _ in 0..CORRECTIONS {
            let tried = run(self, now)?;
            if tried.passes {
                return Ok(Some(number.bits(now)));
            }
            let Some(still) = tried.off.filter(|still| *still != off && !self.runner.is_done()) else { break };
            let next = now - still * (now - before) / (still - off);
            if !next.is_finite() || next == now {
                break;
            }
            (before, off, now) = (now, still, next);
        }
        Ok(None)
    }
}

/// Another value in the place at which a run stands.
fn begin(at: &At<'_>, free: &Free, alternative: &Alternative) -> Begin {
    let value = alternative.value;
    let step = match (free.kind, at.op(), free.slot) {
        (FreeKind::Condition, _, _) => alternative.branch.map(|to| Step::Branch { to }),
        (FreeKind::Returned, Op::Return { n: 1, .. }, _) => Some(Step::Return { words: vec![value] }),
        (FreeKind::Argument | FreeKind::Result, _, Some(slot)) => Some(Step::Slot { depth: at.depth, slot, value }),
        (FreeKind::Value, op, Some(slot)) if whydunit_model::destination(op) == Some(slot) => {
            Some(Step::SkipOp { value })
        }
        (FreeKind::Stored, Op::Store { ty, addr, .. }, _) if ty.bytes() <= 8 => {
            // The value is stored, then replaced.
            let bytes = value.to_le_bytes()[..ty.bytes() as usize].to_vec();
            return Begin::Behind(Step::Memory { address: at.value(*addr), bytes });
        }
        _ => None,
    };
    step.map_or(Begin::Unfit, Begin::With)
}

/// How bits are a number.
#[derive(Clone, Copy)]
enum Number {
    Integer(u32),
    Double,
}

impl Number {
    fn value(self, bits: u64) -> f64 {
        match self {
            Number::Integer(width) => {
                let shift = 64 - width.clamp(1, 64);
                (((bits << shift) as i64) >> shift) as f64
            }
            Number::Double => f64::from_bits(bits),
        }
    }

    fn bits(self, value: f64) -> u64 {
        match self {
            Number::Integer(width) => value.round() as i64 as u64 & mask(width),
            Number::Double => value.to_bits(),
        }
    }
}

/// A number of so many bits, with its sign.
pub(super) fn signed(value: u64, width: u8) -> i64 {
    let shift = 64 - u32::from(width.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

pub(super) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// What may stand in the place of a value: its neighbours, small numbers, what other variables are worth here.
fn alternatives(at: &At<'_>, free: &Free) -> Vec<Alternative> {
    let plain = |value| Alternative { value, branch: None };
    match (free.kind, free.scalar) {
        (FreeKind::Condition, _) => ways(at),
        (_, Scalar::F64) => {
            let x = f64::from_bits(free.value);
            let others = [0.0, 1.0, -x, x + 1.0, x - 1.0, 2.0 * x, x / 2.0];
            others.into_iter().map(|value: f64| plain(value.to_bits())).collect()
        }
        (_, Scalar::F32) => {
            let x = f32::from_bits(free.value as u32);
            let others = [0.0, 1.0, -x, x + 1.0, x - 1.0, 2.0 * x, x / 2.0];
            others.into_iter().map(|value: f32| plain(value.to_bits().into())).collect()
        }
        (_, Scalar::F16 | Scalar::F80) => Vec::new(),
        _ => words(at, free).into_iter().map(plain).collect(),
    }
}

/// Where a branch could go besides.
fn ways(at: &At<'_>) -> Vec<Alternative> {
    let (now, all) = match at.op() {
        Op::Branch { cond, then, els } => {
            (if at.value(*cond) & 1 == 1 { *then } else { *els }, vec![(1, *then), (0, *els)])
        }
        Op::Switch { value, table, .. } => {
            let (value, switch) = (at.value(*value), &at.model.switches[*table as usize]);
            let to = switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1);
            let mut all: Vec<(u64, u32)> = switch.cases.iter().map(|case| (case.0, case.1)).collect();
            // A value that no case names goes to the default.
            let other = (0..).find(|value| switch.cases.iter().all(|case| case.0 != *value)).unwrap_or(0);
            all.insert(0, (other, switch.default));
            (to, all)
        }
        _ => return Vec::new(),
    };
    let others = all.into_iter().filter(|way| way.1 != now).take(MOST_VALUES / 2);
    others.map(|(value, to)| Alternative { value, branch: Some(to) }).collect()
}

/// Integers and pointers.
fn words(at: &At<'_>, free: &Free) -> Vec<u64> {
    let mask = mask(free.width);
    let now = free.value & mask;
    let far = now >> 32 != 0 && free.width == 64;
    let mut values = vec![now.wrapping_add(1), now.wrapping_sub(1), 0, 1, u64::MAX];
    let slots = (at.base..at.base + at.model.slots as usize).map(|slot| at.core.slots[slot]);
    // A pointer is replaced by pointers, a number by numbers.
    values.extend(slots.filter(|value| (value >> 32 != 0) == far));
    if !far {
        values.extend([2, 3, 4, 5, now.wrapping_mul(2), now.wrapping_neg(), now.wrapping_add(2), now.wrapping_sub(2)]);
    }
    let mut seen = std::collections::HashSet::from([now]);
    values.iter_mut().for_each(|value| *value &= mask);
    values.retain(|value| seen.insert(*value));
    values.truncate(MOST_VALUES);
    values
}
