//! Breakpoints on values: where they change.

use whydunit_causes::variables::View;
use whydunit_replay::At;

use crate::Position;
use crate::course::Course;

/// What is watched.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Watched {
    /// Bytes of memory.
    Memory {
        /// From this address on.
        address: u64,
        /// So many.
        size: u64,
    },
    /// A variable of one frame, which is kept in registers.
    Variable {
        /// The frame's first operation.
        entered: Position,
        /// Its depth.
        depth: usize,
        /// The variable.
        name: String,
    },
}

/// A breakpoint on a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataBreakpoint {
    /// Its number.
    pub number: u32,
    /// What is watched.
    pub watched: Watched,
}

/// What is known of a value.
#[derive(Clone, PartialEq, Eq)]
enum Seen {
    /// Nothing.
    Unknown,
    /// There was none in the frame.
    Absent,
    /// Its bytes.
    Bytes(Vec<u8>),
}

/// The values of data breakpoints as they were last seen.
pub struct DataState<'a> {
    breakpoints: &'a [DataBreakpoint],
    seen: Vec<Seen>,
    buffer: Vec<u8>,
}

impl<'a> DataState<'a> {
    /// Nothing was seen yet.
    pub fn new(breakpoints: &'a [DataBreakpoint]) -> Self {
        Self { breakpoints, seen: vec![Seen::Unknown; breakpoints.len()], buffer: Vec::new() }
    }

    /// Whether nothing is watched.
    pub fn is_empty(&self) -> bool {
        self.breakpoints.is_empty()
    }

    /// The first breakpoint whose value is another than it was before the last operation.
    #[inline]
    pub fn changed(&mut self, at: &At<'_>, course: &mut Course) -> Option<u32> {
        let mut changed = None;
        for (breakpoint, seen) in self.breakpoints.iter().zip(&mut self.seen) {
            let Some(is_there) = look(&breakpoint.watched, at, course, &mut self.buffer) else { continue };
            let same = match seen {
                Seen::Bytes(bytes) => is_there && *bytes == self.buffer,
                Seen::Absent => !is_there,
                Seen::Unknown => false,
            };
            if same {
                continue;
            }
            if *seen != Seen::Unknown {
                changed = changed.or(Some(breakpoint.number));
            }
            *seen = if is_there { Seen::Bytes(self.buffer.clone()) } else { Seen::Absent };
        }
        changed
    }
}

/// Puts the bytes of a value into `buffer`; whether there is a value. `None` where the run is not in the variable's frame.
#[inline]
fn look(watched: &Watched, at: &At<'_>, course: &mut Course, buffer: &mut Vec<u8>) -> Option<bool> {
    match watched {
        Watched::Memory { address, size } => {
            buffer.resize(*size as usize, 0);
            at.memory().read_into(*address, buffer);
            Some(true)
        }
        Watched::Variable { entered, depth, name } => {
            let is_it = at.depth == *depth && course.running(at).is_some_and(|frame| frame.entered == *entered);
            if !is_it {
                return None;
            }
            course.stopped(at);
            let found = View::of(at, &course.watch, *depth).and_then(|view| view.named(name));
            if let Some(found) = &found {
                buffer.clone_from(&found.bytes);
            }
            Some(found.is_some())
        }
    }
}
