//! Threads: one runs at a time; what belongs to the others is put away until the recording switches to them.

use std::collections::HashMap;
use std::sync::Arc;

use whydunit_recording::Switch;

use super::{Core, DynamicObject, Frame, JumpTarget};
use crate::rounding::Mode;

/// Number of the main thread.
pub const MAIN_THREAD: u32 = 0;

/// A thread of the run that has run by now.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its number, in order of creation; the main thread has 0.
    pub number: u32,
    /// Number of the thread that made it.
    pub creator: u32,
    /// Its id in the system; 0 for the main thread, whose id stands in [`Start`](whydunit_recording::Start).
    pub tid: u32,
    /// Lowest and highest address of its emulated stack; 0 for the main thread.
    pub stack: (u64, u64),
    /// Where its thread-local globals lie, by number of module and index, where not as the module says.
    locals: Arc<HashMap<(u32, u32), u64>>,
    /// Its pieces of [`Core::slots`], in order of use. Frames have indices there that no other thread's have.
    pieces: Vec<(usize, usize)>,
    /// None for the one that runs.
    parked: Option<Arc<Parked>>,
}

/// What belongs to a thread while others run.
#[derive(Clone, Debug, Default)]
struct Parked {
    frames: Vec<Frame>,
    dynamic: Vec<DynamicObject>,
    jumps: Vec<JumpTarget>,
    landed: [u64; 2],
    usp: u64,
    mode: Mode,
}

/// The threads of a run.
#[derive(Clone, Debug)]
pub struct Threads {
    /// In order of their first running.
    list: Vec<Thread>,
    /// Index of the one that runs.
    running: usize,
    /// Pieces of slots of threads that have ended.
    free: Vec<(usize, usize)>,
    /// All pieces lie below.
    end: usize,
}

/// Words of a thread's first piece of slots.
const PIECE: usize = 1024;

impl Default for Threads {
    fn default() -> Self {
        let main = Thread {
            number: MAIN_THREAD,
            creator: 0,
            tid: 0,
            stack: (0, 0),
            locals: Arc::default(),
            pieces: Vec::new(),
            parked: None,
        };
        Self { list: vec![main], running: 0, free: Vec::new(), end: 0 }
    }
}

impl Threads {
    /// Number of the thread that runs.
    #[inline]
    pub fn running(&self) -> u32 {
        self.list[self.running].number
    }
    /// All that have run by now.
    pub fn all(&self) -> &[Thread] {
        &self.list
    }
    /// Whether there has been more than one.
    pub fn several(&self) -> bool {
        self.list.len() > 1
    }
    /// Where a thread-local global of the running thread lies, if not where its module says.
    #[inline]
    pub(crate) fn local(&self, module: u32, global: u32) -> Option<u64> {
        let locals = &self.list[self.running].locals;
        if locals.is_empty() { None } else { locals.get(&(module, global)).copied() }
    }
    /// A place of `size` words for a frame of the running thread above the one at `below` (its start and its end).
    fn place(&mut self, below: Option<(usize, usize)>, size: usize) -> usize {
        let pieces = &self.list[self.running].pieces;
        let next = match below {
            Some((start, end)) => {
                let holds = |piece: &(usize, usize)| (piece.0..piece.1).contains(&start);
                let number = pieces.iter().position(holds).unwrap_or(0);
                if pieces.get(number).is_some_and(|piece| end + size <= piece.1) {
                    return end;
                }
                number + 1
            }
            None => 0,
        };
        if let Some(&(start, end)) = pieces.get(next)
            && end - start >= size
        {
            return start;
        }
        let length =
            pieces.iter().map(|piece| 2 * (piece.1 - piece.0)).max().unwrap_or(PIECE).max(size.next_power_of_two());
        let piece = match self.free.iter().position(|piece| piece.1 - piece.0 >= length) {
            Some(number) => self.free.swap_remove(number),
            None => {
                self.end += length;
                (self.end - length, self.end)
            }
        };
        self.list[self.running].pieces.insert(next, piece);
        piece.0
    }
    /// Whether a thread has run by now.
    pub(crate) fn has_run(&self, number: u32) -> bool {
        self.position(number).is_some()
    }
    fn position(&self, number: u32) -> Option<usize> {
        self.list.binary_search_by_key(&number, |thread| thread.number).ok()
    }
}

impl Core {
    /// The frames of a thread, the outermost first; none where it has not run.
    pub fn frames_of(&self, thread: u32) -> &[Frame] {
        match self.threads.position(thread) {
            Some(at) if at == self.threads.running => &self.frames,
            Some(at) => self.threads.list[at].parked.as_ref().map_or(&[], |parked| &parked.frames),
            None => &[],
        }
    }
    /// The dynamic stack objects of a thread.
    pub fn dynamic_of(&self, thread: u32) -> &[DynamicObject] {
        match self.threads.position(thread) {
            Some(at) if at == self.threads.running => &self.dynamic,
            Some(at) => self.threads.list[at].parked.as_ref().map_or(&[], |parked| &parked.dynamic),
            None => &[],
        }
    }

    /// The running thread ends.
    pub(crate) fn end_thread(&mut self) {
        self.frames.clear();
        self.dynamic.clear();
        self.jumps.clear();
        let threads = &mut self.threads;
        let thread = &mut threads.list[threads.running];
        if thread.number != MAIN_THREAD {
            threads.free.append(&mut thread.pieces);
        }
    }

    /// Another thread runs from here on. Takes how floating arithmetic rounds in the present one, and returns how it does in
    /// the other.
    pub(crate) fn switch_thread(&mut self, switch: &Switch, mode: Mode) -> Mode {
        let parked = Parked {
            frames: std::mem::take(&mut self.frames),
            dynamic: std::mem::take(&mut self.dynamic),
            jumps: std::mem::take(&mut self.jumps),
            landed: self.landed,
            usp: self.usp,
            mode,
        };
        let threads = &mut self.threads;
        threads.list[threads.running].parked = Some(Arc::new(parked));
        if let Some(new) = &switch.new {
            if !threads.several() {
                // From here on the main thread has its pieces, too.
                threads.end = self.slots.len().max(PIECE);
                threads.list[0].pieces = vec![(0, threads.end)];
            }
            let parked = Parked { usp: new.usp, mode: Mode::of_control(new.rounding), ..Parked::default() };
            let thread = Thread {
                number: switch.thread,
                creator: new.creator,
                tid: new.tid,
                stack: (new.stack_low, new.usp),
                locals: Arc::default(),
                pieces: Vec::new(),
                parked: Some(Arc::new(parked)),
            };
            let at = threads.list.partition_point(|other| other.number < switch.thread);
            threads.list.insert(at, thread);
        }
        threads.running = threads.position(switch.thread).unwrap_or(0);
        let thread = &mut threads.list[threads.running];
        if switch.locals.iter().any(|locals| !locals.addresses.is_empty()) {
            let known = Arc::make_mut(&mut thread.locals);
            for locals in &switch.locals {
                known.extend(locals.addresses.iter().map(|&(global, address)| ((locals.module, global), address)));
            }
        }
        let parked = thread.parked.take().map(Arc::unwrap_or_clone).unwrap_or_default();
        self.frames = parked.frames;
        self.dynamic = parked.dynamic;
        self.jumps = parked.jumps;
        self.landed = parked.landed;
        self.usp = parked.usp;
        parked.mode
    }
}

/// Where a frame of `size` words goes that lies above the one at `below` (its start and its end).
#[inline(always)]
pub(crate) fn place_frame(core: &mut Core, below: Option<(usize, usize)>, size: usize) -> usize {
    let base = below.map_or(0, |below| below.1);
    if core.slots.len() < base + size || core.threads.several() {
        return place_elsewhere(core, below, size);
    }
    base
}

#[inline(never)]
fn place_elsewhere(core: &mut Core, below: Option<(usize, usize)>, size: usize) -> usize {
    let base = if core.threads.several() { core.threads.place(below, size) } else { below.map_or(0, |below| below.1) };
    let top = base + size;
    if core.slots.len() < top {
        core.slots.resize(top.next_power_of_two().max(4096), 0);
    }
    base
}
