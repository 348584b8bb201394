//! What is followed of a run at the speed of pre-decoded code: how many operations were begun, which line each frame is at and since
//! when, and which debug value of each variable was passed last.
//!
//! A function's operations that may change any of that have marks ([`Mark`]): the first operations of lines in each block, and those with
//! debug values. Between two marks nothing but the count changes, and that is known from the operations' places.

use std::collections::HashMap;

use crate::code::Code;
use crate::function_id::FuncId;
use crate::marks::Tracked;
use crate::state::Frame;

/// The code of each operation's line in a function: 0 for no line; the lowest bit says whether the line is the program's own. Operations
/// are at the same line where their codes are the same.
pub type LineCodes = fn(&Code, FuncId) -> Vec<u64>;

/// No position.
const NEVER: u64 = u64::MAX;

/// What is known of a frame.
#[derive(Clone, Debug)]
struct Followed {
    function: FuncId,
    entered: u64,
    line: u64,
    since: u64,
    before: u64,
    last: u64,
    /// It may be at a line inside a block of which no mark was passed: it came there by a jump.
    unsure: bool,
    /// Where its variables begin in [`Of::values`].
    base: usize,
}

/// What is known of a thread.
#[derive(Clone, Debug)]
struct Of {
    frames: Vec<Followed>,
    /// For each variable of each frame, the debug value passed last, plus 1.
    values: Vec<u32>,
    arrivals: [u64; 2],
}

impl Default for Of {
    fn default() -> Self {
        Self { frames: Vec::new(), values: Vec::new(), arrivals: [NEVER; 2] }
    }
}

/// What is followed of a run.
pub(crate) struct Track {
    pub lines: LineCodes,
    now: Of,
    others: HashMap<u32, Of>,
    first_own: u64,
}

/// A frame as a run was followed to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackedFrame {
    /// Its function.
    pub function: FuncId,
    /// How many operations were begun before it.
    pub entered: u64,
    /// The code of the line that it is at; 0 before the first one.
    pub line: u64,
    /// Where it came to that line.
    pub since: u64,
    /// Where it came to the line before that; `None`: there was none.
    pub before: Option<u64>,
    /// Its last operation.
    pub last: u64,
    /// For each variable the index of its debug value passed last, plus 1; 0: none.
    pub values: Vec<u32>,
}

/// A thread as a run was followed to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackedThread {
    /// Its number; `None`: the one that runs.
    pub parked: Option<u32>,
    /// Its frames, the outermost first; what lies above those that the run has is past.
    pub frames: Vec<TrackedFrame>,
    /// Where a frame of it came to a line of the program's own last, and the time before.
    pub arrivals: [Option<u64>; 2],
}

fn known(position: u64) -> Option<u64> {
    Some(position).filter(|position| *position != NEVER)
}

impl Of {
    fn push(&mut self, function: FuncId, variables: usize, position: u64) {
        let base = self.values.len();
        self.values.resize(base + variables, 0);
        self.frames.push(Followed {
            function,
            entered: position,
            line: 0,
            since: position,
            before: NEVER,
            last: position,
            unsure: false,
            base,
        });
    }

    fn truncate(&mut self, depth: usize) {
        if let Some(first) = self.frames.get(depth) {
            self.values.truncate(first.base);
            self.frames.truncate(depth);
        }
    }

    fn told(&self, parked: Option<u32>) -> TrackedThread {
        let ends = self.frames.iter().skip(1).map(|frame| frame.base).chain([self.values.len()]);
        let frame = |(frame, end): (&Followed, usize)| TrackedFrame {
            function: frame.function,
            entered: frame.entered,
            line: frame.line,
            since: frame.since,
            before: known(frame.before),
            last: frame.last,
            values: self.values[frame.base..end].to_vec(),
        };
        let frames = self.frames.iter().zip(ends).map(frame).collect();
        TrackedThread { parked, frames, arrivals: self.arrivals.map(known) }
    }
}

impl Track {
    pub fn new(lines: LineCodes) -> Self {
        Self { lines, now: Of::default(), others: HashMap::new(), first_own: NEVER }
    }

    /// The frames are those of the run.
    #[cold]
    fn align(&mut self, code: &Code, frames: &[Frame], position: u64) {
        self.now.truncate(frames.len());
        while let Some(frame) = frames.get(self.now.frames.len()) {
            let variables = match &code.function(frame.function).tracked {
                Some(tracked) => tracked.count,
                None => code.model(frame.function).variables.len(),
            };
            self.now.push(frame.function, variables, position);
        }
    }

    /// The innermost of these frames goes on.
    #[inline(always)]
    pub fn goes_on(&mut self, code: &Code, frames: &[Frame], position: u64) {
        if self.now.frames.len() != frames.len() {
            self.align(code, frames, position);
        }
    }

    /// Frame `depth` goes on behind the call of `setjmp`, in the midst of a block.
    pub fn jumped(&mut self, depth: usize) {
        if let Some(frame) = self.now.frames.get_mut(depth) {
            frame.unsure = true;
        }
    }

    /// Whether the operations of frame `depth` have to be executed one by one until it is at a line.
    #[inline(always)]
    pub fn is_unsure(&self, depth: usize) -> bool {
        self.now.frames[depth].unsure
    }

    /// The innermost of these frames was entered.
    pub fn entered(&mut self, code: &Code, frames: &[Frame], position: u64) {
        let depth = frames.len() - 1;
        self.now.truncate(depth);
        match &code.function(frames[depth].function).tracked {
            Some(tracked) if self.now.frames.len() == depth => {
                self.now.push(frames[depth].function, tracked.count, position);
            }
            _ => self.align(code, frames, position),
        }
    }

    /// The innermost frame executed its last operations.
    #[inline(always)]
    pub fn executed(&mut self, depth: usize, last: u64) {
        self.now.frames[depth].last = last;
    }

    /// Another thread runs from here on.
    pub fn switched(&mut self, from: u32, to: u32) {
        let next = self.others.remove(&to).unwrap_or_default();
        self.others.insert(from, std::mem::replace(&mut self.now, next));
    }

    /// A frame comes to an operation with a mark, at a position.
    #[inline(always)]
    pub fn mark(&mut self, tracked: &Tracked, number: u32, depth: usize, position: u64) {
        let mark = tracked.marks[number as usize];
        let frame = &mut self.now.frames[depth];
        for index in mark.values.0..mark.values.1 {
            self.now.values[frame.base + tracked.variables[index as usize] as usize] = index + 1;
        }
        if mark.line != 0 {
            self.line(tracked, number, depth, position);
        }
    }

    /// A frame comes to an operation of the line of this mark.
    #[inline(always)]
    fn line(&mut self, tracked: &Tracked, number: u32, depth: usize, position: u64) {
        let mark = tracked.marks[number as usize];
        let frame = &mut self.now.frames[depth];
        if mark.line != frame.line {
            frame.before = if frame.line == 0 { NEVER } else { frame.since };
            frame.line = mark.line;
            frame.since = position;
            if mark.line & 1 == 1 {
                self.now.arrivals = [position, self.now.arrivals[0]];
                self.first_own = self.first_own.min(position);
            }
            tracked.passed[number as usize].set(true);
        }
    }

    /// The operation at `pc` of the innermost of these frames is begun.
    #[inline]
    pub fn op(&mut self, code: &Code, frames: &[Frame], pc: u32, position: u64) {
        self.goes_on(code, frames, position);
        let depth = frames.len() - 1;
        if let Some(tracked) = &code.function(frames[depth].function).tracked
            && let Some(number) = tracked.at[pc as usize].checked_sub(1)
        {
            self.mark(tracked, number, depth, position);
        }
        if self.now.frames[depth].unsure {
            self.is_sure(code, frames, pc, position);
        }
        self.now.frames[depth].last = position;
    }

    /// An operation of a frame raises a signal before it is begun: the frame comes to its line, and perhaps not to its end.
    #[cold]
    pub fn faults(&self, code: &Code, frame: &Frame, depth: usize) {
        if let Some(tracked) = &code.function(frame.function).tracked
            && let Some(number) = tracked.of_line[frame.pc as usize].checked_sub(1)
            && self.now.frames.get(depth).is_none_or(|known| known.line != tracked.marks[number as usize].line)
        {
            tracked.passed[number as usize].set(true);
        }
    }

    /// The innermost of these frames, which came into the midst of a block, is at the line of its operation, if that has one.
    #[cold]
    fn is_sure(&mut self, code: &Code, frames: &[Frame], pc: u32, position: u64) {
        let depth = frames.len() - 1;
        if let Some(tracked) = &code.function(frames[depth].function).tracked
            && let Some(number) = tracked.of_line[pc as usize].checked_sub(1)
        {
            self.line(tracked, number, depth, position);
            self.now.frames[depth].unsure = false;
        }
    }

    /// What is known of each thread.
    pub fn threads(&self) -> Vec<TrackedThread> {
        let others = self.others.iter().map(|(thread, of)| of.told(Some(*thread)));
        std::iter::once(self.now.told(None)).chain(others).collect()
    }

    pub fn first_own(&self) -> Option<u64> {
        known(self.first_own)
    }
}
