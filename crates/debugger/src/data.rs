//! Breakpoints on values: where they change.

use whydunit_causes::variables::{Store, View};
use whydunit_replay::At;

use crate::Position;
use crate::checkpoints::Stretch;
use crate::course::Course;
use crate::going::Halts;
use crate::restriction::{Counts, Restriction};

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

impl Watched {
    /// Whether nothing is written to it in a stretch of a run, as far as its ends tell.
    pub(crate) fn is_unwritten_in(&self, stretch: Stretch<'_>) -> bool {
        let Some(until) = stretch.until else { return false };
        match self {
            Watched::Memory { address, size } => {
                stretch.from.snapshot.memory().is_unwritten_until(until.snapshot.memory(), *address, *size)
            }
            Watched::Variable { entered, depth, .. } => {
                let before = stretch.from.course.frame_entered(*entered, *depth);
                let behind = until.course.frame_entered(*entered, *depth);
                match (before, behind) {
                    // It did nothing in between, and no call has just given it a value.
                    (Some(before), Some(behind)) => before.last == behind.last && !until.runs(*entered, *depth),
                    (None, None) => !(stretch.from.position()..until.position()).contains(entered),
                    _ => false,
                }
            }
        }
    }
}

/// A breakpoint on a value.
#[derive(Clone, PartialEq, Debug)]
pub struct DataBreakpoint {
    /// Its number.
    pub number: u32,
    /// What is watched.
    pub watched: Watched,
    restriction: Restriction,
}

impl DataBreakpoint {
    /// One that stops at every change.
    pub fn new(number: u32, watched: Watched) -> Self {
        Self { number, watched, restriction: Restriction::default() }
    }

    /// It stops only where this expression holds behind the write, in the function that writes.
    pub fn on_condition(mut self, text: &str) -> Result<Self, String> {
        self.restriction.on_condition(text)?;
        Ok(self)
    }

    /// It stops only at some changes: `7`, `> 7`, `>= 7`, `< 7`, `<= 7` or `% 7`, counted from the start of the run.
    pub fn on_hits(mut self, text: &str) -> Result<Self, String> {
        self.restriction.on_hits(text)?;
        Ok(self)
    }

    /// Whether a change that was made before `course.position` stops; an error says why the condition has no value.
    fn stops(&self, at: &At<'_>, course: &mut Course) -> Result<bool, String> {
        if !self.restriction.counts_at(course.position) {
            return Ok(false);
        }
        let view = self.restriction.has_condition().then(|| {
            course.stopped(at);
            View::of(at, &course.watch, at.depth)
        });
        self.restriction.holds(self.number, view.flatten().as_ref())
    }
}

/// Counts the changes of those values whose changes are counted.
pub(crate) struct CountingData<'a> {
    state: DataState<'a>,
    counts: Counts,
}

impl<'a> CountingData<'a> {
    /// For these breakpoints, of which none is counted yet; `None` where no changes are counted.
    pub fn of(list: &'a [DataBreakpoint]) -> Option<Self> {
        let counts = Counts::of(list.iter().map(|one| (one.number, &one.restriction)))?;
        Some(Self { state: DataState::new(list), counts })
    }

    /// Tells the breakpoints which of their changes count.
    pub fn tell(self, list: &mut [DataBreakpoint]) {
        list.iter_mut().for_each(|one| self.counts.tell(one.number, &mut one.restriction));
    }
}

impl Halts for CountingData<'_> {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        let changed = self.state.changed(at, course);
        self.counts.hit(changed.numbers, course.position);
        false
    }
}

/// What changed before an operation.
#[derive(Default)]
pub(crate) struct Changed {
    /// The breakpoints that stop, by their numbers.
    pub numbers: Vec<u32>,
    /// What is said of conditions that have no value.
    pub said: Vec<String>,
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
pub(crate) struct DataState<'a> {
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

    /// The breakpoints whose value is another than it was before the last operation, as far as they stop.
    #[inline]
    pub fn changed(&mut self, at: &At<'_>, course: &mut Course) -> Changed {
        let mut changed = Changed::default();
        for (breakpoint, seen) in self.breakpoints.iter().zip(&mut self.seen) {
            let looked = match look(&breakpoint.watched, at, course, &mut self.buffer) {
                None if *seen == Seen::Unknown => look_at_waiting(&breakpoint.watched, at, course, &mut self.buffer),
                looked => looked,
            };
            let Some(is_there) = looked else { continue };
            let same = match seen {
                Seen::Bytes(bytes) => is_there && *bytes == self.buffer,
                Seen::Absent => !is_there,
                Seen::Unknown => false,
            };
            if same {
                continue;
            }
            if *seen != Seen::Unknown {
                match breakpoint.stops(at, course) {
                    Ok(true) => changed.numbers.push(breakpoint.number),
                    Ok(false) => {}
                    Err(said) => changed.said.push(said),
                }
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

/// The same of a variable in registers whose frame waits for a call, or belongs to a thread that waits: what it was before the call.
#[cold]
fn look_at_waiting(watched: &Watched, at: &At<'_>, course: &Course, buffer: &mut Vec<u8>) -> Option<bool> {
    let Watched::Variable { entered, depth, name } = watched else { return None };
    let mut threads = at.core.threads.all().iter().map(|thread| thread.number);
    let is_in = |thread: &u32| {
        let frame = course.thread(at, *thread).and_then(|thread| thread.frame(*depth));
        *depth < at.core.frames_of(*thread).len() && frame.is_some_and(|frame| frame.entered == *entered)
    };
    let thread = threads.rfind(is_in)?;
    let found = View::in_thread(at, &course.watch, thread, *depth)?.named(name);
    match found {
        Some(found) if matches!(found.store, Store::Memory(_)) => None,
        Some(found) => {
            buffer.clone_from(&found.bytes);
            Some(true)
        }
        None => Some(false),
    }
}
