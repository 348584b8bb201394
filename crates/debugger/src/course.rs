//! What is followed of a run as it goes: its position, which line each frame is at and since when, and the variables in
//! registers.

use std::collections::BTreeMap;
use std::rc::Rc;

use whydunit_causes::variables::Watch;
use whydunit_replay::{At, Code, FuncId, TrackedThread};

use crate::Position;
use crate::lines::{Line, Lines};

/// What is known of a frame.
#[derive(Clone)]
pub struct Activation {
    /// The position of its first operation: no other frame has it.
    pub entered: Position,
    /// The line that it is at; line 0 before the first one.
    pub line: Line,
    /// Where it came to that line.
    pub since: Position,
    /// Where it came to the line before that; `None`: there was none.
    pub before: Option<Position>,
    /// Its last operation: the call, where a call is under way.
    pub last: Position,
    function: FuncId,
    lines: Rc<[Line]>,
}

/// What is known of a thread.
#[derive(Clone, Default)]
pub struct ThreadCourse {
    /// Its frames, the outermost first. What lies above those that the run has is past.
    frames: Vec<Activation>,
    /// Where a frame of it came to a line of the program's own last, and the time before.
    arrivals: [Option<Position>; 2],
}

impl ThreadCourse {
    /// What is known of frame `depth`.
    pub fn frame(&self, depth: usize) -> Option<&Activation> {
        self.frames.get(depth)
    }

    /// Where a frame of it came to a line of the program's own last before a position.
    pub fn arrived_before(&self, position: Position) -> Option<Position> {
        self.arrivals.iter().flatten().find(|arrival| **arrival < position).copied()
    }
}

/// What is followed of a run.
#[derive(Clone, Default)]
pub struct Course {
    /// Where it is.
    pub position: Position,
    /// Which value each variable has.
    pub watch: Watch,
    now: ThreadCourse,
    others: BTreeMap<u32, ThreadCourse>,
    lines: Lines,
}

impl Course {
    /// Of a run that was followed at full speed. What this one knows of functions is kept.
    pub fn tracked(&mut self, code: &Code, position: Position, threads: Vec<TrackedThread>) -> Self {
        let mut course = Self { position, watch: self.watch.clone(), lines: self.lines.clone(), ..Self::default() };
        for thread in threads {
            let frames = thread.frames.iter().map(|frame| Activation {
                entered: frame.entered,
                line: Line::of_code(frame.line),
                since: frame.since,
                before: frame.before,
                last: frame.last,
                function: frame.function,
                lines: course.lines.of(code, frame.function),
            });
            let of_thread = ThreadCourse { frames: frames.collect(), arrivals: thread.arrivals };
            match thread.parked {
                None => course.now = of_thread,
                Some(number) => _ = course.others.insert(number, of_thread),
            }
            let passed = thread.frames.into_iter().map(|frame| (frame.function, frame.values));
            course.watch.set_frames(code, thread.parked, passed);
        }
        self.watch = course.watch.clone();
        self.lines = course.lines.clone();
        course
    }

    /// The frame of this first position and depth, in whichever thread; `None` where it is not there.
    pub fn frame_entered(&self, entered: Position, depth: usize) -> Option<&Activation> {
        let threads = std::iter::once(&self.now).chain(self.others.values());
        threads.filter_map(|thread| thread.frame(depth)).find(|frame| frame.entered == entered)
    }

    /// What is known of a thread; `None` where it has not run.
    pub fn thread(&self, at: &At<'_>, thread: u32) -> Option<&ThreadCourse> {
        if thread == at.core.threads.running() { Some(&self.now) } else { self.others.get(&thread) }
    }

    /// The line of the next operation; line 0 where it has none.
    pub fn line(&self, at: &At<'_>) -> Line {
        let frame = self.now.frames.get(at.depth).filter(|frame| frame.function == at.function);
        frame.and_then(|frame| frame.lines.get(at.pc as usize)).copied().unwrap_or_default()
    }

    /// The line that the frame comes to by the next operation; `None` where it is at it already, and where that has none.
    pub fn arrives(&self, at: &At<'_>) -> Option<Line> {
        let frame = self.now.frames.get(at.depth)?;
        let line = *frame.lines.get(at.pc as usize)?;
        (line.line != 0 && line != frame.line).then_some(line)
    }

    /// The frame that runs.
    pub fn running(&self, at: &At<'_>) -> Option<&Activation> {
        self.now.frames.get(at.depth)
    }

    /// An operation is begun.
    #[inline]
    pub fn op(&mut self, at: &At<'_>) {
        self.watch.follow(at);
        let position = self.position;
        self.position += 1;
        if self.now.frames.len() != at.depth + 1 {
            self.align(at);
        }
        let frame = &mut self.now.frames[at.depth];
        frame.last = position;
        let line = frame.lines.get(at.pc as usize).copied().unwrap_or_default();
        if line.line != 0 && line != frame.line {
            frame.before = (frame.line.line != 0).then_some(frame.since);
            frame.line = line;
            frame.since = position;
            if line.is_own() {
                self.now.arrivals = [Some(position), self.now.arrivals[0]];
            }
        }
    }

    /// A function is entered.
    pub fn enter(&mut self, at: &At<'_>) {
        self.watch.enter(at);
        self.now.frames.truncate(at.depth);
        self.align(at);
    }

    /// Another thread runs from here on.
    pub fn switched(&mut self, from: u32, to: u32) {
        self.watch.switched(from, to);
        let next = self.others.remove(&to).unwrap_or_default();
        self.others.insert(from, std::mem::replace(&mut self.now, next));
    }

    /// The run stops here: what holds before the next operation is taken in.
    pub fn stopped(&mut self, at: &At<'_>) {
        if at.in_frame() {
            self.watch.follow(at);
        }
    }

    #[cold]
    fn align(&mut self, at: &At<'_>) {
        self.now.frames.truncate(at.depth + 1);
        while let Some(frame) = at.core.frames.get(self.now.frames.len()).filter(|_| self.now.frames.len() <= at.depth)
        {
            self.now.frames.push(Activation {
                entered: self.position,
                line: Line::default(),
                since: self.position,
                before: None,
                last: self.position,
                function: frame.function,
                lines: self.lines.of(at.code, frame.function),
            });
        }
    }
}
