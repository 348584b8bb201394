//! Steps by lines, forwards and backwards.
//!
//! A frame is at a line from the operation that came to it until one of another line. A step forwards ends where a frame
//! comes to a line; a step backwards ends at the last such moment before the present one. Backwards no search is needed: the
//! course of the run says since when each frame has been at its line.

use whydunit_replay::At;

use crate::course::{Course, ThreadCourse};
use crate::going::Halts;
use crate::lines::Line;
use crate::resume::{Direction, Reason, Stopped};
use crate::session::Session;
use crate::{DebugError, Position};

/// How far a step goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Into functions that are called (backwards: that were called).
    In,
    /// Over them.
    Over,
    /// Out of the present function: behind its call (backwards: before it).
    Out,
}

/// Where a step forwards ends.
struct Ahead {
    step: Step,
    from: Position,
    thread: u32,
    depth: usize,
    entered: Option<Position>,
    /// The step begins in a library, and may end in one.
    library: bool,
}

impl Halts for Ahead {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        if course.position <= self.from || at.core.threads.running() != self.thread {
            return false;
        }
        if at.depth > self.depth && self.step != Step::In {
            return false;
        }
        let line = course.line(at);
        if line.line == 0 || line.library && !self.library {
            return false;
        }
        let frame = course.running(at);
        let is_other = frame.map(|frame| frame.entered) != self.entered;
        match self.step {
            Step::Out => at.depth < self.depth || is_other && at.depth == self.depth,
            Step::In | Step::Over => is_other || course.arrives(at).is_some(),
        }
    }
}

impl Session {
    /// The depth of a thread's innermost frame; `None` where it has none.
    pub(crate) fn depth_of(&self, thread: u32) -> Option<usize> {
        self.at().core.frames_of(thread).len().checked_sub(1)
    }

    /// Makes a step in a thread. Breakpoints on the way stop it.
    pub fn step(&mut self, thread: u32, step: Step, direction: Direction) -> Result<Stopped, DebugError> {
        if !self.at().core.threads.all().iter().any(|known| known.number == thread) {
            return Err(DebugError::NoThread(thread));
        }
        match direction {
            Direction::Forward => {
                let depth = self.depth_of(thread).unwrap_or(0);
                let at = self.at();
                let frame = self.course().thread(&at, thread).and_then(|course| course.frame(depth));
                let line = frame.map_or(Line::default(), |frame| frame.line);
                let (entered, from) = (frame.map(|frame| frame.entered), self.position());
                let library = line.line != 0 && line.library;
                self.forward(Ahead { step, from, thread, depth, entered, library }, Reason::Step)
            }
            Direction::Backward => {
                let goal = self.behind(thread, step).max(self.start());
                self.backward(goal, Reason::Step)
            }
        }
    }

    /// Where a step backwards goes; 0 where nothing stands before.
    fn behind(&self, thread: u32, step: Step) -> Position {
        let at = self.at();
        let Some(course) = self.course().thread(&at, thread) else { return 0 };
        let Some(depth) = self.depth_of(thread) else { return course.arrived_before(self.position()).unwrap_or(0) };
        match step {
            Step::In => course.arrived_before(self.position()),
            Step::Over => self.line_before(course, depth),
            Step::Out => caller(course, depth).map(|(_, last)| last),
        }
        .unwrap_or(0)
    }

    /// Where the frame, or else its caller, came to the line that it was at before the present moment.
    fn line_before(&self, course: &ThreadCourse, depth: usize) -> Option<Position> {
        let frame = course.frame(depth)?;
        let has_line = frame.line.line != 0;
        if has_line && frame.since < self.position() {
            return Some(frame.since);
        }
        frame.before.or_else(|| caller(course, depth).map(|(since, _)| since))
    }
}

/// Since when the nearest caller with a line of the program's own is at that line, and where it called.
fn caller(course: &ThreadCourse, depth: usize) -> Option<(Position, Position)> {
    let callers = (0..depth).rev().filter_map(|depth| course.frame(depth));
    let own = callers.filter(|frame| frame.line.is_own());
    own.map(|frame| (frame.since, frame.last)).next()
}
