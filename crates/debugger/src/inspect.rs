//! What there is to see at the present moment: threads, frames, variables, values of expressions.

use whydunit_causes::expression::{Value, read};
use whydunit_causes::variables::{Found, View};
use whydunit_model::names;
use whydunit_replay::At;

use crate::session::Session;
use crate::{DebugError, Position};

/// A thread that has run by now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadInfo {
    /// Its number; the main thread has 0.
    pub number: u32,
    /// It runs at this moment.
    pub running: bool,
    /// How many frames it has; 0: it has ended, or waits outside of captured code.
    pub frames: usize,
}

/// A frame of the present moment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FrameId {
    /// The number of its thread.
    pub thread: u32,
    /// How many frames are below it.
    pub depth: usize,
    /// Which of the calls in whose place its code stands: an index in [`whydunit_model::Function::places`].
    pub place: usize,
}

/// A frame for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFrame {
    /// Which.
    pub id: FrameId,
    /// The function, with its scopes.
    pub function: String,
    /// The source, as the build named it; empty where it is not known.
    pub file: String,
    /// From 1; 0 where it is not known.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
    /// It is code of a library.
    pub library: bool,
}

/// A global variable of a frame's module.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// Its value.
    pub found: Found,
}

impl Session {
    /// The threads that have run by now, in order of their numbers.
    pub fn threads(&self) -> Vec<ThreadInfo> {
        let core = self.at().core;
        let info = |number| ThreadInfo {
            number,
            running: number == core.threads.running(),
            frames: core.frames_of(number).len(),
        };
        core.threads.all().iter().map(|thread| info(thread.number)).collect()
    }

    /// The thread that runs.
    pub fn running(&self) -> u32 {
        self.at().core.threads.running()
    }

    /// Frames of a thread, the innermost first: so many from physical frame `from` (counted from the innermost) on. Code that
    /// stands in the place of calls has frames of its own.
    pub fn frames(&self, thread: u32, from: usize, most: usize) -> Result<Vec<ShownFrame>, DebugError> {
        let at = self.at();
        let known = at.core.threads.all().iter().any(|known| known.number == thread);
        if !known {
            return Err(DebugError::NoThread(thread));
        }
        let count = at.core.frames_of(thread).len();
        let depths = (0..count).rev().skip(from).take(most);
        Ok(depths.flat_map(|depth| self.frames_at(&at, thread, depth)).collect())
    }

    fn frames_at(&self, at: &At<'_>, thread: u32, depth: usize) -> Vec<ShownFrame> {
        let Some(view) = View::in_thread(at, &self.course().watch, thread, depth) else { return Vec::new() };
        let model = view.model();
        let places = at.code.positions(view.frame.function, view.pc);
        let count = model.places(view.pc as usize).count();
        // What the compiler made for itself belongs to the line that the frame is at.
        let course = self.course().thread(at, thread).and_then(|course| course.frame(depth));
        let line = course.map(|frame| frame.line).filter(|_| model.loc(view.pc as usize).line == 0);
        let line = line.filter(|line| line.line != 0);
        let places = places.map(|mut position| {
            if let Some(line) = line.filter(|_| position.loc.line == 0) {
                position.file = view.module().files.get(line.file as usize).cloned().unwrap_or_default();
                position.loc.line = line.line;
            }
            position
        });
        let shown = places.enumerate().map(|(place, position)| ShownFrame {
            id: FrameId { thread, depth, place },
            function: match place + 1 == count {
                true => names::readable(&model.name).unwrap_or_else(|| position.function.clone()),
                false => position.function.clone(),
            },
            line: position.loc.line,
            column: position.loc.column,
            library: position.in_library(),
            file: position.file,
        });
        let mut shown: Vec<ShownFrame> = shown.collect();
        // What a library's headers put in the place of a call belongs to who calls.
        if shown.iter().any(|frame| !frame.library && frame.line != 0) {
            let own = shown.iter().position(|frame| !frame.library && frame.line != 0).unwrap_or(0);
            shown.drain(..own);
        } else {
            shown.truncate(1);
        }
        shown
    }

    /// Where a frame came to the line that it is at, and the frame's first position, which no other frame has; `None` where it is at no line
    /// of the program's own.
    pub fn line_of(&self, frame: FrameId) -> Option<(Position, Position)> {
        let at = self.at();
        let followed = self.course().thread(&at, frame.thread)?.frame(frame.depth)?;
        followed.line.is_own().then_some((followed.since, followed.entered))
    }

    /// A frame with its variables.
    pub fn view(&self, frame: FrameId) -> Result<View<'_>, DebugError> {
        let at = self.machine.at();
        let view = View::in_thread(&at, &self.course().watch, frame.thread, frame.depth).ok_or(DebugError::NoFrame)?;
        if frame.place >= view.model().places(view.pc as usize).count() {
            return Err(DebugError::NoFrame);
        }
        Ok(view.at_place(frame.place))
    }

    /// The variable, member or element that an expression means.
    pub(crate) fn found(&self, view: &View<'_>, expression: &str) -> Result<Found, DebugError> {
        let read = read(expression.trim()).map_err(DebugError::Expression)?;
        match view.value(&read).map_err(DebugError::Expression)? {
            Value::Found(found) => Ok(found),
            _ => Err(DebugError::Expression(format!("`{expression}` is neither a variable nor a part of one"))),
        }
    }

    /// The global variables of a frame's module that have names in the source and values in the program, by their names.
    pub fn globals(&self, frame: FrameId) -> Result<Vec<Global>, DebugError> {
        let view = self.view(frame)?;
        let globals = view.module().globals.iter().enumerate();
        let named = globals.filter(|(_, global)| global.source_name.is_some() && global.size > 0);
        let mut found: Vec<Global> =
            named.filter_map(|(index, _)| view.global(index)).map(|found| Global { found }).collect();
        found.sort_by(|a, b| a.found.name.cmp(&b.found.name));
        Ok(found)
    }

    /// The moment at which a frame stands, for who asks why a value is what it is: the instructions executed so far.
    pub fn instruction(&self) -> u64 {
        self.at().instruction()
    }

    /// The moment of a position in the order of the run, as a share of the whole.
    pub fn share(&self, position: Position) -> f64 {
        position as f64 / self.last().max(1) as f64
    }
}
