//! Which lines the checks of a run execute.

use std::collections::HashMap;

use whydunit_model::{Block, Opnd};
use whydunit_replay::{At, Entry, FuncId, Observer, PerThread};

use super::segments::Segments;

/// So many checks before one that fails, made by the same call, do not count as passing: what went wrong in one of them may show only
/// in a later one.
const NEARBY: usize = 6;
/// What only these execute is so much as suspicious as what a failing one does.
const NEARLY: f64 = 0.8;

/// What a check says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Says {
    Passes,
    /// It is the failing one of this number.
    Fails(usize),
    /// It comes before the failing one of this number: see [`NEARBY`].
    Before(usize),
}

/// A line: of a function, and its number.
type Line = (FuncId, u32, u32);

/// How many checks execute a line.
#[derive(Clone, Copy, Default, Debug)]
struct Counted {
    /// The last one, counted from 1.
    last: usize,
    passing: u32,
    failing: u32,
    /// Failing ones, with those before them.
    nearly: u32,
    /// The last of these, counted from 1.
    last_nearly: usize,
}

/// Counts.
pub(super) struct Counts<'a> {
    segments: &'a Segments,
    says: Vec<Says>,
    /// The check under way.
    now: usize,
    until: u64,
    /// The frames of the running thread: whether each is that of a check.
    frames: PerThread<Vec<bool>>,
    /// The lines of each block by number, and the check that executed it last, counted from 1.
    blocks: HashMap<(FuncId, u32), (Vec<usize>, usize)>,
    numbers: HashMap<Line, usize>,
    lines: Vec<Counted>,
}

impl<'a> Counts<'a> {
    /// Of the checks of a run, up to an instruction count.
    pub fn of(segments: &'a Segments, until: u64) -> Self {
        let mut says = vec![Says::Passes; segments.parents.len()];
        for (number, &failing) in segments.failing.iter().enumerate().rev() {
            let parent = segments.parents[failing];
            let before = failing.saturating_sub(NEARBY)..failing;
            let of_same = segments.parents[before.clone()].iter().zip(&mut says[before]);
            of_same.filter(|(other, _)| **other == parent).for_each(|(_, says)| *says = Says::Before(number));
        }
        segments.failing.iter().enumerate().for_each(|(number, &failing)| says[failing] = Says::Fails(number));
        let (frames, blocks, numbers, lines) = (PerThread::default(), HashMap::new(), HashMap::new(), Vec::new());
        Self { segments, says, now: 0, until, frames, blocks, numbers, lines }
    }

    /// How suspicious each line is that was executed, from 0 to 1 (Ochiai): the more of the failing checks execute it and the fewer of the
    /// others.
    pub fn scores(self) -> impl Iterator<Item = (Line, f64)> {
        let failing = self.segments.failing.len() as f64;
        let score = move |counted: &Counted| {
            let of = |some: u32| {
                let some = f64::from(some).min(failing);
                if some == 0.0 { 0.0 } else { some / (failing * (some + f64::from(counted.passing))).sqrt() }
            };
            of(counted.failing).max(NEARLY * of(counted.nearly))
        };
        self.numbers.into_iter().map(move |(line, number)| (line, score(&self.lines[number])))
    }

    /// Whether as many checks were seen as there are, but for one under way.
    pub fn is_whole(&self) -> bool {
        (self.now..=self.now + 1).contains(&self.says.len())
    }

    fn ends_above(&mut self, depth: usize) {
        while self.frames.len() > depth {
            if self.frames.pop() == Some(true) {
                self.now += 1;
            }
        }
    }

    fn number(numbers: &mut HashMap<Line, usize>, lines: &mut Vec<Counted>, line: Line) -> usize {
        *numbers.entry(line).or_insert_with(|| {
            lines.push(Counted::default());
            lines.len() - 1
        })
    }
}

impl Observer for Counts<'_> {
    const BLOCKS: bool = true;
    const FRAMES: bool = true;

    fn block(&mut self, at: &At<'_>, _: Option<u32>, to: u32, block: &Block) {
        let Some(&says) = self.says.get(self.now).filter(|_| at.instruction() <= self.until) else { return };
        let (numbers, lines) = (&mut self.numbers, &mut self.lines);
        let (of_block, last) = self.blocks.entry((at.function, to)).or_insert_with(|| {
            let locs = (block.start..block.end).map(|pc| at.model.loc(pc as usize)).filter(|loc| loc.line > 0);
            let mut of: Vec<usize> =
                locs.map(|loc| Self::number(numbers, lines, (at.function, loc.file, loc.line))).collect();
            of.sort_unstable();
            of.dedup();
            (of, 0)
        });
        if std::mem::replace(last, self.now + 1) == self.now + 1 {
            return;
        }
        for &line in &*of_block {
            let counted = &mut lines[line];
            if std::mem::replace(&mut counted.last, self.now + 1) != self.now + 1 {
                let number = match says {
                    Says::Passes => {
                        counted.passing += 1;
                        continue;
                    }
                    Says::Fails(number) | Says::Before(number) => number + 1,
                };
                counted.failing += u32::from(matches!(says, Says::Fails(_)));
                counted.nearly += u32::from(std::mem::replace(&mut counted.last_nearly, number) != number);
            }
        }
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        if at.instruction() > self.until {
            return;
        }
        self.ends_above(at.depth);
        self.frames.resize(at.depth, false);
        let site = at.caller().map(|caller| (caller.function, caller.pc));
        let within = self.frames.iter().any(|&check| check);
        self.frames.push(!within && self.segments.is_check(at.function, site));
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(Opnd, u8)>) {
        if at.instruction() <= self.until {
            self.ends_above(at.depth);
        }
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        if at.instruction() <= self.until {
            self.ends_above(depth);
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.frames.switch(from, to, Vec::new);
    }
}
