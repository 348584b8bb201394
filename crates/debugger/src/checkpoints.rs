//! States of a run that a session goes back to: some all over the run, and some near the present.

use std::collections::HashMap;

use whydunit_replay::{FuncId, Snapshot};

use crate::Position;
use crate::course::Course;

/// A state of a run.
#[derive(Clone)]
pub struct Checkpoint {
    /// The machine's.
    pub snapshot: Snapshot,
    /// What was followed.
    pub course: Course,
}

impl Checkpoint {
    /// Where it is.
    pub fn position(&self) -> Position {
        self.course.position
    }

    /// Whether the frame of this first position and depth is the one that runs.
    pub fn runs(&self, entered: Position, depth: usize) -> bool {
        self.snapshot.depth() == depth + 1 && self.course.frame_entered(entered, depth).is_some()
    }
}

/// So many checkpoints are kept of a whole run: each costs a copy of every page that is written before the next one, which is most of
/// what the first look at a run takes where it writes all over its memory.
const KEPT: usize = 96;
/// So many are kept near the present.
const NEAR: usize = 64;
/// Closer together than so many operations no checkpoint pays.
pub(crate) const CLOSEST: u64 = 1 << 12;

/// Lines by their numbers in [`Checkpoints::numbers`], a bit for each.
#[derive(Clone, Default)]
struct Lines(Vec<u64>);

impl Lines {
    fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn extend(&mut self, other: &Lines) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn has_some_of(&self, other: &Lines) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }
}

/// A part of a run between two checkpoints of the whole run.
#[derive(Clone, Copy)]
pub struct Stretch<'a> {
    /// Its first checkpoint.
    pub from: &'a Checkpoint,
    /// The one behind it; `None`: the run ends in it.
    pub until: Option<&'a Checkpoint>,
    lines: &'a Lines,
}

/// Lines of functions.
#[derive(Clone, Default)]
pub struct SomeLines(Lines);

impl Stretch<'_> {
    /// Whether a frame may come to one of some lines in it: as long as none does it is false.
    pub fn has_some_of(&self, lines: &SomeLines) -> bool {
        self.lines.has_some_of(&lines.0)
    }
}

/// The checkpoints of a run.
pub struct Checkpoints {
    /// All over the run, in order; the first is its start.
    kept: Vec<Checkpoint>,
    /// The lines that frames come to between each of those and the one before it; last those behind all of them.
    passed: Vec<Lines>,
    /// The numbers of lines: functions, and codes of lines.
    numbers: HashMap<(FuncId, u64), usize>,
    /// How far apart those are.
    apart: u64,
    /// Closer together none are.
    closest: u64,
    /// Between two of those, in order.
    near: Vec<Checkpoint>,
}

impl Checkpoints {
    /// Of a run at its start; between two there will be at least `closest` operations.
    pub fn new(start: Checkpoint, closest: u64) -> Self {
        Self {
            kept: vec![start],
            passed: vec![Lines::default()],
            numbers: HashMap::new(),
            apart: closest,
            closest,
            near: Vec::new(),
        }
    }

    /// Where the next checkpoint of the whole run belongs.
    pub fn next(&self) -> Position {
        self.kept.last().map_or(0, Checkpoint::position) + self.apart
    }

    /// Adds one behind all others, and the lines that frames came to on the way to it. Where there are too many every other one goes,
    /// and from then on they stand twice as far apart.
    pub fn add(&mut self, checkpoint: Checkpoint, passed: Vec<(FuncId, u64)>) {
        self.put(self.kept.len(), passed);
        self.kept.push(checkpoint);
        if self.kept.len() > KEPT {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            // The lines before the run's start are none; from there on those of two stretches are put together.
            let behind = self.passed.get(1..).unwrap_or_default();
            let two = behind.chunks(2).map(|two| {
                let mut lines = two[0].clone();
                two.iter().skip(1).for_each(|other| lines.extend(other));
                lines
            });
            self.passed = std::iter::once(Lines::default()).chain(two).collect();
            self.apart *= 2;
        }
    }

    /// The run ends: these are the lines that frames came to behind all checkpoints.
    pub fn end(&mut self, passed: Vec<(FuncId, u64)>) {
        self.put(self.kept.len(), passed);
    }

    /// Frames came to these lines before checkpoint number `index`, and behind the one before it.
    fn put(&mut self, index: usize, passed: Vec<(FuncId, u64)>) {
        let mut lines = Lines::default();
        for line in passed {
            let next = self.numbers.len();
            lines.insert(*self.numbers.entry(line).or_insert(next));
        }
        match self.passed.get_mut(index) {
            Some(known) => known.extend(&lines),
            None => self.passed.push(lines),
        }
    }

    /// Those of a function's lines, by their codes, that some frame comes to.
    pub fn lines(&self, is_one: impl Fn(FuncId, u64) -> bool) -> SomeLines {
        let mut lines = Lines::default();
        for (_, number) in self.numbers.iter().filter(|((function, line), _)| is_one(*function, *line)) {
            lines.insert(*number);
        }
        SomeLines(lines)
    }

    /// The stretch in which a position lies.
    pub fn stretch(&self, position: Position) -> Stretch<'_> {
        let index = last_until(&self.kept, position).unwrap_or(0);
        static NONE: Lines = Lines(Vec::new());
        let lines = self.passed.get(index + 1).unwrap_or(&NONE);
        Stretch { from: &self.kept[index], until: self.kept.get(index + 1), lines }
    }

    /// How far apart those near the present are.
    fn near_apart(&self) -> u64 {
        (self.apart / NEAR as u64).max(self.closest)
    }

    /// The last checkpoint at or before a position.
    pub fn before(&self, position: Position) -> &Checkpoint {
        let kept = &self.kept[last_until(&self.kept, position).unwrap_or(0)];
        match last_until(&self.near, position).map(|index| &self.near[index]) {
            Some(near) if near.position() > kept.position() => near,
            _ => kept,
        }
    }

    /// Where the run is to stop on its way from `from` on for a checkpoint near the present.
    pub fn next_near(&self, from: Position) -> Position {
        (from / self.near_apart() + 1) * self.near_apart()
    }

    /// Whether one more belongs near the present, at this position.
    pub fn lacks_near(&self, position: Position) -> bool {
        position.is_multiple_of(self.near_apart()) && self.before(position).position() + self.near_apart() <= position
    }

    /// Adds one near the present. Those far from it go.
    pub fn add_near(&mut self, checkpoint: Checkpoint) {
        let position = checkpoint.position();
        let reach = self.apart.max(self.near_apart() * 2);
        self.near.retain(|near| near.position().abs_diff(position) <= reach);
        let at = self.near.partition_point(|near| near.position() < position);
        self.near.insert(at, checkpoint);
        if self.near.len() > 2 * NEAR {
            self.near.remove(if at > NEAR { 0 } else { self.near.len() - 1 });
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kept.len() + self.near.len()
    }
}

/// The last checkpoint of some in order that is at or before a position.
fn last_until(checkpoints: &[Checkpoint], position: Position) -> Option<usize> {
    checkpoints.partition_point(|checkpoint| checkpoint.position() <= position).checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_as_bits() {
        let of = |numbers: &[usize]| {
            let mut lines = Lines::default();
            numbers.iter().for_each(|number| lines.insert(*number));
            lines
        };
        let (mut some, other) = (of(&[3, 64]), of(&[200]));
        assert!(!some.has_some_of(&other) && !other.has_some_of(&some));
        assert!(some.has_some_of(&of(&[64])) && !some.has_some_of(&of(&[63, 65])));
        some.extend(&other);
        assert!(some.has_some_of(&other) && some.has_some_of(&of(&[3])));
    }
}
