//! Where in a run something happened: positions of executions of operations, of entries of the outline, and of the lines before a
//! moment, all by one replay.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use whydunit_causes::outline::Outline;
use whydunit_model::Op;
use whydunit_process::Cancel;
use whydunit_replay::{At, Entry, FuncId, Machine, Observer, OutputEvent, ReplayError, Stop};

use crate::course::Course;
use crate::going::PATIENCE;
use crate::lines::Line;
use crate::{DebugError, Position};

/// An execution of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The instructions executed by then, its block included as a whole.
    pub instruction: u64,
    /// The operation.
    pub pc: u32,
    /// Its function; `None`: it is that of the innermost frame of the program's own, and what a library did for it counts, too.
    pub function: Option<FuncId>,
}

/// What is sought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sought {
    /// Executions.
    pub executions: Vec<Execution>,
    /// Entries of the outline, by their numbers.
    pub entries: BTreeSet<u64>,
    /// The depth down to which the outline has calls.
    pub depth: usize,
    /// So many of the lines that the run came to last before `until`.
    pub lines: usize,
    /// A position.
    pub until: Position,
}

/// Where a line was that executed something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineAt {
    /// Where its frame came to the line.
    pub line: Position,
    /// The operation that was executed, where it is one of the program's own; else as `line`.
    pub operation: Position,
    /// The thread.
    pub thread: u32,
    /// Where its thread came to the next line after the execution; `None` where it came to none.
    pub next: Option<Position>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Located {
    /// Of each execution; `None` where it was not met, or at no line of the program's own.
    pub executions: Vec<Option<LineAt>>,
    /// Of entries of the outline: of a call the first line that it comes to itself, of an output the line that printed.
    pub entries: BTreeMap<u64, Position>,
    /// How often the run came to a line of the program's own.
    pub lines: u64,
    /// The last of these before the position that was asked for, in order.
    pub before: VecDeque<Position>,
    /// The replay parted from the recording: this is of the run up to there.
    pub cut: bool,
}

struct Seeking<'a> {
    course: Course,
    outline: Outline,
    sought: &'a Sought,
    /// Indices of executions, those of the latest instruction first: the next one is the last.
    open: Vec<usize>,
    /// Those whose instruction is reached, with the line that their thread was at then.
    near: Vec<(usize, Option<Position>)>,
    /// Executions whose next line is not met yet, and their threads.
    next: Vec<(usize, u32)>,
    /// Calls whose first line is not met yet, their threads and the depths of their frames.
    entered: Vec<(u64, u32, usize)>,
    located: Located,
    cancel: &'a Cancel,
}

impl Seeking<'_> {
    /// The line that the running thread came to last.
    fn latest(&self, at: &At<'_>) -> Option<Position> {
        self.course.thread(at, at.core.threads.running())?.arrived_before(self.course.position + 1)
    }

    /// The run comes to a line by the operation that is begun next.
    fn arrives(&mut self, at: &At<'_>) {
        let (position, running) = (self.course.position, at.core.threads.running());
        let located = &mut self.located;
        located.lines += 1;
        self.next.retain(|(index, thread)| {
            let waits = *thread != running;
            if let Some(line) = located.executions[*index].as_mut().filter(|_| !waits) {
                line.next = Some(position);
            }
            waits
        });
        // What it calls before it comes to a line is not its own.
        self.entered.retain(|(number, thread, depth)| {
            let is_it = *thread == running && *depth == at.depth;
            if is_it {
                located.entries.insert(*number, position);
            }
            *thread != running || *depth < at.depth
        });
        if position <= self.sought.until {
            located.before.push_back(position);
            if located.before.len() > self.sought.lines {
                located.before.pop_front();
            }
        }
    }

    /// Whether an execution that is sought is near.
    #[inline]
    fn is_near(&self, at: &At<'_>) -> bool {
        let next = self.open.last().map(|index| self.sought.executions[*index].instruction);
        !self.near.is_empty() || next.is_some_and(|instruction| instruction <= at.instruction())
    }

    /// Looks for executions at an operation that was begun.
    #[cold]
    fn look(&mut self, at: &At<'_>) {
        let latest = self.latest(at);
        while let Some(index) = self.open.pop_if(|it| self.sought.executions[*it].instruction <= at.instruction()) {
            self.near.push((index, latest));
        }
        let frame = self.course.running(at).filter(|frame| frame.line.is_own()).map(|frame| frame.since);
        let (running, now) = (at.core.threads.running(), self.course.position - 1);
        let mut found = Vec::new();
        self.near.retain(|(index, line)| {
            let sought = self.sought.executions[*index];
            let is_it = sought.instruction == at.instruction()
                && sought.pc == at.pc
                && sought.function.is_none_or(|function| function == at.function);
            let is_past = sought.instruction < at.instruction();
            if is_it {
                found.push((*index, frame.or(latest), frame.map(|_| now)));
            } else if is_past && sought.function.is_none() {
                found.push((*index, *line, None));
            }
            !is_it && !is_past
        });
        for (index, line, operation) in found {
            let operation = |line| operation.unwrap_or(line);
            let place = |line| LineAt { line, operation: operation(line), thread: running, next: None };
            self.located.executions[index] = line.map(place);
            self.next.push((index, running));
        }
    }
}

impl Observer for Seeking<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    #[inline]
    fn stop(&mut self, _: &At<'_>) -> bool {
        self.course.position.is_multiple_of(PATIENCE) && self.cancel.is_cancelled()
    }

    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        if self.course.arrives(at).is_some_and(Line::is_own) {
            self.arrives(at);
        }
        self.course.op(at);
        if self.is_near(at) {
            self.look(at);
        }
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.course.enter(at);
        let (number, running) = (self.outline.seen(), at.core.threads.running());
        self.entered.retain(|(_, thread, depth)| *thread != running || *depth < at.depth);
        self.outline.enter(at, entry);
        if self.outline.seen() > number && self.sought.entries.contains(&number) {
            self.entered.push((number, running, at.depth));
        }
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        let number = self.outline.seen();
        self.outline.output(at, output);
        if let Some(line) = self.latest(at).filter(|_| self.sought.entries.contains(&number)) {
            self.located.entries.insert(number, line);
        }
    }

    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        self.course.switched(from, to);
        self.outline.switched(at, from, to);
    }
}

/// Looks for what is sought in the run of a machine that stands at its start.
pub fn seek(machine: &mut Machine, sought: &Sought, cancel: &Cancel) -> Result<Located, DebugError> {
    let mut open: Vec<usize> = (0..sought.executions.len()).collect();
    open.sort_by_key(|index| std::cmp::Reverse(sought.executions[*index].instruction));
    let executions = vec![None; sought.executions.len()];
    let mut seeking = Seeking {
        course: Course::default(),
        outline: Outline::new(1, sought.depth),
        sought,
        open,
        near: Vec::new(),
        next: Vec::new(),
        entered: Vec::new(),
        located: Located { executions, ..Located::default() },
        cancel,
    };
    let ended = machine.run_until(u64::MAX, &mut seeking);
    seeking.located.cut = match ended {
        Ok(Stop::End(_)) => false,
        Ok(_) => return Err(DebugError::Cancelled),
        Err(ReplayError::Divergence(_)) => true,
        Err(other) => return Err(other.into()),
    };
    Ok(seeking.located)
}
