//! Trial runs: where a formula says nothing, the run goes on with another value at one place, free of its recording, to its
//! end (execution hijacking). What it prints and how it ends decide: a value that is found this way is beyond doubt.

use whydunit_model::{IntOp, Op, Scalar};
use whydunit_replay::{
    At, Change as Step, FreeStop, FuncId, Limits, Machine, Observer, OutputEvent, Snapshot, Stop, Stream,
};
use whydunit_symbolic::{Failing, Free, FreeKind};

use crate::Error;
use crate::question::Change;

/// How much is tried for one candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trials {
    /// Places: values of the run that are replaced.
    pub places: usize,
    /// Instructions of all trial runs.
    pub instructions: u64,
}

/// Looks for one value among `free` with which the run passes; that value.
pub(crate) fn search(
    machine: &mut Machine,
    start: &Snapshot,
    failing: &Failing,
    free: &[Free],
    trials: Trials,
) -> Result<Option<Change>, Error> {
    let mut left = trials.instructions;
    let places: Vec<&Free> = free.iter().filter(|free| free.on_run).collect();
    if let Some(change) = everywhere(machine, start, failing, &places, &mut left)? {
        return Ok(Some(change));
    }
    machine.restore(start)?;
    let mut printed = 0;
    for free in chosen(&places, trials.places) {
        let mut arrive = Arrive { free, printed, passed: false };
        if machine.go_on(&mut arrive)? != Stop::Asked {
            return Ok(None);
        }
        printed = arrive.printed;
        let here = machine.snapshot();
        for change in alternatives(&machine.at(), free) {
            let before = machine.core.instructions;
            let passes = passes(machine, failing, free, &change, printed, left)?;
            left = left.saturating_sub(machine.core.instructions.saturating_sub(before));
            machine.restore(&here)?;
            if passes {
                return Ok(Some(Change { free: *free, now: change.value, times: 1 }));
            }
            if left == 0 {
                return Ok(None);
            }
        }
    }
    Ok(None)
}

/// What is done to a value each time that it is made.
#[derive(Clone, Copy)]
enum Always {
    /// A condition goes the other way.
    Opposite,
    /// A condition goes this way.
    Goes(bool),
    /// So much is added.
    Add(i64),
}

/// One operation that is executed more than once gives another value each time.
fn everywhere(
    machine: &mut Machine,
    start: &Snapshot,
    failing: &Failing,
    places: &[&Free],
    left: &mut u64,
) -> Result<Option<Change>, Error> {
    let mut done = Vec::new();
    for first in places {
        let site = (first.function, first.pc);
        let times = places.iter().filter(|free| (free.function, free.pc) == site).count();
        if times < 2 || done.contains(&site) {
            continue;
        }
        done.push(site);
        let ways: &[Always] = match first.kind {
            FreeKind::Condition => &[Always::Opposite, Always::Goes(true), Always::Goes(false)],
            FreeKind::Value if first.width > 1 => &[Always::Add(1), Always::Add(-1)],
            _ => continue,
        };
        machine.restore(start)?;
        let mut arrive = Arrive { free: first, printed: 0, passed: false };
        if machine.go_on(&mut arrive)? != Stop::Asked {
            return Ok(None);
        }
        let here = machine.snapshot();
        for &way in ways {
            let before = machine.core.instructions;
            machine.go_free(Limits { instructions: *left, depth: 10_000, output: 1 << 20 });
            let mut judge = Judge {
                expected: failing.expected.as_deref(),
                printed: arrive.printed,
                wrong: false,
                steps: None,
                site: Some(site),
            };
            let first_value = changed(&machine.at(), way);
            let passes = persistently(machine, failing, &mut judge, way)?;
            *left = left.saturating_sub(machine.core.instructions.saturating_sub(before));
            machine.restore(&here)?;
            if passes && let Some((_, now)) = first_value {
                return Ok(Some(Change { free: **first, now, times }));
            }
            if *left == 0 {
                return Ok(None);
            }
        }
    }
    Ok(None)
}

/// How the operation where the run stands is changed, and its value then; none where it stays.
fn changed(at: &At<'_>, way: Always) -> Option<(Step, u64)> {
    match (at.op(), way) {
        (Op::Branch { cond, then, els }, Always::Opposite | Always::Goes(_)) => {
            let now = at.value(*cond) & 1 == 1;
            let goes = match way {
                Always::Goes(goes) => goes,
                _ => !now,
            };
            Some((Step::Branch { to: if goes { *then } else { *els } }, goes.into()))
        }
        (Op::Int { op, w, a, b, .. }, Always::Add(more)) => {
            let (a, b) = (at.value(*a), at.value(*b));
            let value = match op {
                IntOp::Add => a.wrapping_add(b),
                IntOp::Sub => a.wrapping_sub(b),
                IntOp::Mul => a.wrapping_mul(b),
                IntOp::And => a & b,
                IntOp::Or => a | b,
                _ => return None,
            };
            let mask = if *w >= 64 { u64::MAX } else { (1 << *w) - 1 };
            let value = value.wrapping_add(more as u64) & mask;
            Some((Step::SkipOp { value }, value))
        }
        _ => None,
    }
}

/// Runs to the end, changed at each execution of an operation; whether that passes.
fn persistently(machine: &mut Machine, failing: &Failing, judge: &mut Judge<'_>, way: Always) -> Result<bool, Error> {
    loop {
        let Some((step, _)) = changed(&machine.at(), way) else { return Ok(false) };
        if let Some(stop) = machine.change(&step, judge)? {
            return Ok(judge.accepts(&stop, failing));
        }
        match machine.go_on(judge)? {
            Stop::Asked if !judge.wrong => {}
            Stop::Free(stop) => return Ok(judge.accepts(&stop, failing)),
            _ => return Ok(false),
        }
    }
}

/// Of many places the first ones and the last ones.
fn chosen<'a>(places: &[&'a Free], most: usize) -> Vec<&'a Free> {
    let half = most.div_ceil(2);
    if places.len() <= most {
        return places.to_vec();
    }
    places[..half].iter().chain(&places[places.len() - half..]).copied().collect()
}

/// Another value, and where a branch goes with it.
struct Alternative {
    value: u64,
    branch: Option<u32>,
}

/// Runs to where a value is made.
struct Arrive<'a> {
    free: &'a Free,
    printed: usize,
    /// It stands there.
    passed: bool,
}

impl Observer for Arrive<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let free = self.free;
        let there = match free.kind {
            FreeKind::Argument => {
                let caller = at.depth.checked_sub(1).map(|caller| at.core.frames[caller]);
                caller.is_some_and(|caller| caller.function == free.function && caller.pc == free.pc)
                    && at.instruction() >= free.instruction
            }
            FreeKind::Result => {
                at.function == free.function && at.pc == free.pc + 1 && at.instruction() >= free.instruction
            }
            _ => at.function == free.function && at.pc == free.pc && at.instruction() == free.instruction,
        };
        self.passed = there;
        there
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1) {
            self.printed += output.bytes.len();
        }
    }
}

/// Compares what a trial run prints.
struct Judge<'a> {
    expected: Option<&'a [u8]>,
    printed: usize,
    wrong: bool,
    /// Stop after so many operations.
    steps: Option<u32>,
    /// Stop at each execution of this operation.
    site: Option<(FuncId, u32)>,
}

impl Judge<'_> {
    /// Whether a run that ended so passes.
    fn accepts(&self, stop: &FreeStop, failing: &Failing) -> bool {
        let FreeStop::Exited { status } = stop else { return false };
        let all = self.expected.is_none_or(|expected| expected.len() == self.printed);
        !self.wrong && all && *status == failing.status.unwrap_or(0)
    }
}

impl Observer for Judge<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        if self.site == Some((at.function, at.pc)) {
            return true;
        }
        match &mut self.steps {
            Some(0) => return true,
            Some(steps) => *steps -= 1,
            None => {}
        }
        self.wrong
    }

    fn output(&mut self, _: &At<'_>, output: &OutputEvent) {
        if output.stream == Stream::Descriptor(1)
            && let Some(expected) = self.expected
        {
            self.wrong |= !expected.get(self.printed..).unwrap_or_default().starts_with(&output.bytes);
            self.printed += output.bytes.len();
        }
    }
}

/// Whether the run passes with a change at the place where it stands.
fn passes(
    machine: &mut Machine,
    failing: &Failing,
    free: &Free,
    alternative: &Alternative,
    printed: usize,
    most: u64,
) -> Result<bool, Error> {
    machine.go_free(Limits { instructions: most, depth: 10_000, output: 1 << 20 });
    let mut judge = Judge { expected: failing.expected.as_deref(), printed, wrong: false, steps: None, site: None };
    let at = machine.at();
    let (depth, value) = (at.depth, alternative.value);
    let change = match (free.kind, at.op(), free.slot) {
        (FreeKind::Condition, _, _) => alternative.branch.map(|to| Step::Branch { to }),
        (FreeKind::Returned, Op::Return { n: 1, .. }, _) => Some(Step::Return { words: vec![value] }),
        (FreeKind::Argument | FreeKind::Result, _, Some(slot)) => Some(Step::Slot { depth, slot, value }),
        (FreeKind::Value, Op::Load { .. } | Op::Int { .. } | Op::ICmp { .. }, _) => Some(Step::SkipOp { value }),
        (FreeKind::Value, op, Some(slot)) if whydunit_replay::destination(op) == Some(slot) => {
            Some(Step::SkipOp { value })
        }
        (FreeKind::Stored, Op::Store { ty, addr, .. }, _) => {
            let (address, size) = (at.value(*addr), ty.bytes() as usize);
            // The value is stored, then replaced.
            judge.steps = Some(1);
            if !matches!(machine.go_on(&mut judge)?, Stop::Asked) {
                return Ok(false);
            }
            judge.steps = None;
            let bytes = value.to_le_bytes();
            (size <= 8).then(|| Step::Memory { address, bytes: bytes[..size].to_vec() })
        }
        _ => None,
    };
    let Some(change) = change else { return Ok(false) };
    let stop = match machine.change(&change, &mut judge)? {
        Some(stop) => stop,
        None => match machine.go_on(&mut judge)? {
            Stop::Free(stop) => stop,
            _ => return Ok(false),
        },
    };
    Ok(judge.accepts(&stop, failing))
}

/// Constants and variables that are tried.
const MOST_VALUES: usize = 24;

/// What may stand in the place of a value: its neighbours, small numbers, what other variables and constants are worth here.
fn alternatives(at: &At<'_>, free: &Free) -> Vec<Alternative> {
    if free.kind == FreeKind::Condition {
        let (now, all) = match at.op() {
            Op::Branch { cond, then, els } => {
                (if at.value(*cond) & 1 == 1 { *then } else { *els }, vec![(1, *then), (0, *els)])
            }
            Op::Switch { value, table, .. } => {
                let (value, switch) = (at.value(*value), &at.model.switches[*table as usize]);
                let to = switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1);
                (to, switch.cases.iter().map(|case| (case.0, case.1)).collect())
            }
            _ => return Vec::new(),
        };
        let others = all.into_iter().filter(|way| way.1 != now).take(8);
        return others.map(|(value, to)| Alternative { value, branch: Some(to) }).collect();
    }
    if is_float(at.op()) {
        return Vec::new();
    }
    let mask = if free.width >= 64 { u64::MAX } else { (1 << free.width) - 1 };
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
    values.into_iter().map(|value| Alternative { value, branch: None }).collect()
}

/// Whether an operation is about floats, of which there are too many to try.
fn is_float(op: &Op) -> bool {
    let float = |ty: &Scalar| matches!(ty, Scalar::F16 | Scalar::F32 | Scalar::F64 | Scalar::F80);
    match op {
        Op::Float { .. } | Op::FloatUnary { .. } | Op::Fma { .. } | Op::FConv { .. } | Op::IntToF { .. } => true,
        Op::Load { ty, .. } | Op::Store { ty, .. } => float(ty),
        _ => false,
    }
}
