//! What is followed of a run at the speed of pre-decoded code: how many operations were begun, which line each frame is at and since
//! when, and which debug value of each variable was passed last.
//!
//! A function's operations that may change any of that have marks ([`Mark`]): the first operations of lines in each block, and those with
//! debug values. Between two marks nothing but the count changes, and that is known from the operations' places.

use std::cell::Cell;
use std::collections::HashMap;

use whydunit_model::Function;

use crate::code::Code;
use crate::function_id::FuncId;
use crate::machine::Machine;
use crate::observer::Observer;
use crate::prepare::Prepared;
use crate::state::Frame;

/// The code of each operation's line in a function: 0 for no line; the lowest bit says whether the line is the program's own. Operations
/// are at the same line where their codes are the same.
pub type LineCodes = fn(&Code, FuncId) -> Vec<u64>;

/// No position.
const NEVER: u64 = u64::MAX;

/// What happens before an operation is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The code of its line; 0: none.
    line: u64,
    /// The debug values that are passed.
    values: (u32, u32),
}

/// A function's code with its marks.
pub(crate) struct Tracked {
    pub prepared: Prepared,
    pub marks: Box<[Mark]>,
    /// For each operation its mark, plus 1; 0: none.
    at: Box<[u32]>,
    /// The variable of each debug value.
    variables: Box<[u32]>,
    /// How many variables there are.
    count: usize,
    /// By marks: a frame came to its line since that was asked last.
    passed: Box<[Cell<bool>]>,
}

impl Tracked {
    /// Of a function whose operations have these lines.
    pub fn of(function: &Function, lines: &[u64]) -> Self {
        let len = function.code.len();
        let mut at = vec![0u32; len];
        let mut marks: Vec<Mark> = Vec::new();
        let values = values_by_operation(function);
        for block in &function.blocks {
            let mut before = 0;
            for pc in block.start as usize..block.end as usize {
                let line = lines.get(pc).copied().unwrap_or(0);
                let comes = line != 0 && line != before;
                before = if line == 0 { before } else { line };
                if comes || values[pc].0 < values[pc].1 {
                    marks.push(Mark { line: if comes { line } else { 0 }, values: values[pc] });
                    at[pc] = marks.len() as u32;
                }
            }
        }
        Self {
            prepared: Prepared::marked(function, &at),
            at: at.into(),
            variables: function.debug_values.iter().map(|value| value.variable).collect(),
            count: function.variables.len(),
            passed: vec![Cell::new(false); marks.len()].into(),
            marks: marks.into(),
        }
    }

    /// The codes of the lines that frames came to since that was asked last.
    fn take_passed(&self) -> impl Iterator<Item = u64> + '_ {
        let passed = self.marks.iter().zip(&self.passed).filter(|(_, passed)| passed.replace(false));
        passed.map(|(mark, _)| mark.line)
    }
}

/// The debug values that stand at each operation.
fn values_by_operation(function: &Function) -> Vec<(u32, u32)> {
    let mut values = vec![(0, 0); function.code.len()];
    for (index, value) in function.debug_values.iter().enumerate() {
        let index = index as u32;
        if let Some(range) = values.get_mut(value.pc as usize) {
            *range = if range.1 == 0 { (index, index + 1) } else { (range.0, index + 1) };
        }
    }
    values
}

/// What is known of a frame.
#[derive(Clone, Debug)]
struct Followed {
    function: FuncId,
    entered: u64,
    line: u64,
    since: u64,
    before: u64,
    last: u64,
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

    /// The innermost of these frames was entered.
    pub fn entered(&mut self, code: &Code, frames: &[Frame], position: u64) {
        self.now.truncate(frames.len() - 1);
        self.align(code, frames, position);
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
        if mark.line != 0 && mark.line != frame.line {
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
        self.now.frames[depth].last = position;
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

impl Machine {
    /// From here on a run that is watched by an observer with [`Observer::TRACKS`](crate::Observer::TRACKS) is followed. The machine stands
    /// at the start of its run.
    pub fn track(&mut self, lines: LineCodes) {
        self.core.begun = 0;
        self.track = Some(Box::new(Track::new(lines)));
    }

    /// The run is followed no more.
    pub fn untrack(&mut self) {
        self.track = None;
        self.code.forget_tracked();
    }

    /// What was followed of each thread that has run; none where nothing is.
    pub fn tracked(&self) -> Vec<TrackedThread> {
        self.track.as_ref().map_or_else(Vec::new, |track| track.threads())
    }

    /// The first position at which a frame came to a line of the program's own; `None`: none has.
    pub fn first_own(&self) -> Option<u64> {
        self.track.as_ref().and_then(|track| track.first_own())
    }

    /// The lines that frames came to since that was asked last: functions, and codes of lines.
    pub fn take_passed(&mut self) -> Vec<(FuncId, u64)> {
        let functions = (0..self.code.functions()).map(FuncId);
        let tracked = functions.filter_map(|id| Some((id, self.code.function(id).tracked.as_ref()?)));
        tracked.flat_map(|(id, tracked)| tracked.take_passed().map(move |line| (id, line))).collect()
    }

    /// Makes the innermost function's code with marks, where it lacks it.
    #[inline]
    pub(crate) fn make_tracked(&mut self) {
        let Machine { core, code, track, .. } = self;
        if let (Some(track), Some(frame)) = (track, core.frames.last())
            && code.function(frame.function).tracked.is_none()
        {
            let tracked = Tracked::of(code.model(frame.function), &(track.lines)(code, frame.function));
            code.function_mut(frame.function).tracked = Some(Box::new(tracked));
            // Calls that are known whom they call are kept there.
            code.prepare(frame.function);
        }
    }

    /// The innermost frame was entered.
    pub(crate) fn track_entry<O: Observer>(&mut self) {
        if O::TRACKS
            && let Some(track) = &mut self.track
        {
            track.entered(&self.code, &self.core.frames, self.core.begun);
        }
    }
}
