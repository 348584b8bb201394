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
        let mut place = Place { machine: &mut *machine, failing, free, here, printed, left };
        let found = place.numbers()?;
        let found = if found.is_some() { found } else { place.others()? };
        left = place.left;
        if let Some(now) = found {
            return Ok(Some(Change { free: *free, now, times: 1 }));
        }
        if left == 0 {
            return Ok(None);
        }
    }
    Ok(None)
}

/// A place of the run where another value is tried.
struct Place<'a> {
    machine: &'a mut Machine,
    failing: &'a Failing,
    free: &'a Free,
    here: Snapshot,
    /// Bytes printed before.
    printed: usize,
    /// Instructions that may still be run.
    left: u64,
}

/// So often a value is corrected by how far a printed number is off.
const CORRECTIONS: usize = 8;

impl Place<'_> {
    /// Goes on with another value; whether that passes, and how the first number that is printed wrong differs.
    fn outcome(&mut self, alternative: &Alternative) -> Result<Outcome, Error> {
        let before = self.machine.core.instructions;
        let outcome = outcome(self.machine, self.failing, self.free, alternative, self.printed, self.left)?;
        self.left = self.left.saturating_sub(self.machine.core.instructions.saturating_sub(before));
        self.machine.restore(&self.here)?;
        Ok(outcome)
    }

    fn others(&mut self) -> Result<Option<u64>, Error> {
        for alternative in alternatives(&self.machine.at(), self.free) {
            if self.outcome(&alternative)?.passes {
                return Ok(Some(alternative.value));
            }
            if self.left == 0 {
                break;
            }
        }
        Ok(None)
    }

    /// Follows a printed number back to the value by the secant method.
    fn numbers(&mut self) -> Result<Option<u64>, Error> {
        let free = self.free;
        if free.kind == FreeKind::Condition || free.width == 1 {
            return Ok(None);
        }
        let double = is_double(free);
        if !double && is_float(self.machine.at().op()) {
            return Ok(None);
        }
        let value = |bits: u64| if double { f64::from_bits(bits) } else { signed(bits, free.width) as f64 };
        let bits = |value: f64| if double { value.to_bits() } else { value.round() as i64 as u64 & mask(free.width) };
        let run = |place: &mut Self, x: f64| place.outcome(&Alternative { value: bits(x), branch: None });
        let mut before = value(free.value);
        let Some(mut off) = run(self, before)?.off else { return Ok(None) };
        let mut now = if double { before + (before.abs() * 0.01).max(0.01) } else { before + 1.0 };
        for _ in 0..CORRECTIONS {
            let tried = run(self, now)?;
            if tried.passes {
                return Ok(Some(bits(now)));
            }
            let Some(still) = tried.off.filter(|still| *still != off && self.left > 0) else { break };
            let next = now - still * (now - before) / (still - off);
            if !next.is_finite() || next == now {
                break;
            }
            (before, off, now) = (now, still, next);
        }
        Ok(None)
    }
}

/// What a trial run comes to.
#[derive(Default)]
struct Outcome {
    passes: bool,
    /// How far the first number that is printed wrong is off.
    off: Option<f64>,
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((bits << shift) as i64) >> shift
}

/// Whether a value looks like a double of common size.
fn is_double(free: &Free) -> bool {
    let exponent = (free.value >> 52 & 0x7ff) as i64 - 1023;
    free.width == 64 && (-40..=40).contains(&exponent)
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
                off: None,
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
    /// How far the first number that is printed wrong is off.
    off: Option<f64>,
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
            let rest = expected.get(self.printed..).unwrap_or_default();
            if !self.wrong && !rest.starts_with(&output.bytes) {
                self.wrong = true;
                self.off = difference(&output.bytes, rest);
            }
            self.printed += output.bytes.len();
        }
    }
}

/// How far the number at which two texts begin to differ is off in the first one.
fn difference(printed: &[u8], expected: &[u8]) -> Option<f64> {
    let first = printed.iter().zip(expected).position(|(a, b)| a != b)?;
    Some(number_at(printed, first)? - number_at(expected, first)?)
}

/// The decimal number around a position of a text.
fn number_at(text: &[u8], at: usize) -> Option<f64> {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e');
    let start = text[..at].iter().rposition(|byte| !part(byte)).map_or(0, |before| before + 1);
    let length = text[start..].iter().take_while(|byte| part(byte)).count();
    std::str::from_utf8(&text[start..start + length]).ok()?.parse().ok()
}

/// What the run comes to with a change at the place where it stands.
fn outcome(
    machine: &mut Machine,
    failing: &Failing,
    free: &Free,
    alternative: &Alternative,
    printed: usize,
    most: u64,
) -> Result<Outcome, Error> {
    machine.go_free(Limits { instructions: most, depth: 10_000, output: 1 << 20 });
    let mut judge =
        Judge { off: None, expected: failing.expected.as_deref(), printed, wrong: false, steps: None, site: None };
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
                return Ok(Outcome::default());
            }
            judge.steps = None;
            let bytes = value.to_le_bytes();
            (size <= 8).then(|| Step::Memory { address, bytes: bytes[..size].to_vec() })
        }
        _ => None,
    };
    let Some(change) = change else { return Ok(Outcome::default()) };
    let stop = match machine.change(&change, &mut judge)? {
        Some(stop) => stop,
        None => match machine.go_on(&mut judge)? {
            Stop::Free(stop) => stop,
            _ => return Ok(Outcome { passes: false, off: judge.off }),
        },
    };
    Ok(Outcome { passes: judge.accepts(&stop, failing), off: judge.off })
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
    if is_double(free) {
        let x = f64::from_bits(free.value);
        let others = [0.0, 1.0, -x, x + 1.0, x - 1.0, 2.0 * x, x / 2.0];
        return others.into_iter().map(|value| Alternative { value: value.to_bits(), branch: None }).collect();
    }
    if is_float(at.op()) {
        return Vec::new();
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_where_texts_begin_to_differ() {
        assert_eq!(difference(b"a 1.25, b", b"a 1.75, b"), Some(-0.5));
        assert_eq!(difference(b"x -12\n", b"x 7\n"), Some(-19.0));
        assert_eq!(difference(b"same", b"same too"), None);
        assert_eq!(difference(b"up", b"down"), None);
    }
}
