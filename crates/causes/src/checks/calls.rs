//! The calls that tests make in a run, and how memory that decides of its outcome changes beside them.

use std::collections::{HashMap, HashSet};

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Entry, FuncId, Observer, PerThread};

/// So many calls and changes are kept; a run with more is not taken apart.
const MOST: usize = 1 << 21;
/// What is called more often is no check, and not kept from then on.
const OFTEN: u32 = 1 << 15;

/// A call of a test's code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// What is called.
    pub callee: FuncId,
    /// From where, if captured code calls.
    pub site: Option<(FuncId, u32)>,
    /// The call below it that is kept, by number.
    pub parent: Option<u32>,
    /// It is made by a test, too: it may be a check.
    pub by_test: bool,
    /// Instructions executed when it begins and when it ends; the end is the highest number while it is under way.
    pub start: u64,
    /// See `start`.
    pub end: u64,
}

/// Memory has another content than before.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// Which of the places in memory.
    pub place: usize,
    /// The operation that writes: executed when so many instructions are, at this place of its function.
    pub operation: (u64, u32),
    /// The calls under way that are kept, the innermost last.
    pub stack: Vec<u32>,
}

/// Keeps both.
pub(super) struct Watch<'a> {
    is_test: &'a dyn Fn(&At<'_>) -> bool,
    /// What it said, by function.
    known: HashMap<FuncId, bool>,
    /// Memory that decides, address and size.
    places: &'a [(u64, u32)],
    /// Those of them that are variables on the stack and were given a value, and in which frame.
    given: HashSet<(u64, u64)>,
    /// The frames of the running thread: the call, where it is kept.
    frames: PerThread<Vec<Option<u32>>>,
    pub calls: Vec<Call>,
    pub changes: Vec<Change>,
    /// How often each function of tests was called.
    called: HashMap<FuncId, u32>,
    /// There were more than are kept.
    pub is_full: bool,
}

impl<'a> Watch<'a> {
    /// Of places in memory, in runs whose tests are the code for which `is_test` holds.
    pub fn new(places: &'a [(u64, u32)], is_test: &'a dyn Fn(&At<'_>) -> bool) -> Self {
        let (known, given, frames, called) = (HashMap::new(), HashSet::new(), PerThread::default(), HashMap::new());
        Self { is_test, known, places, given, frames, calls: Vec::new(), changes: Vec::new(), called, is_full: false }
    }

    fn is_test(&mut self, at: &At<'_>) -> bool {
        *self.known.entry(at.function).or_insert_with(|| (self.is_test)(at))
    }

    /// The calls under way that are kept, the innermost last.
    pub fn stack(&self) -> Vec<u32> {
        self.frames.iter().flatten().copied().collect()
    }

    /// To be called at the end: calls of what is called too often to be a check are none.
    pub fn finish(&mut self) {
        for call in &mut self.calls {
            call.by_test &= self.called.get(&call.callee).is_none_or(|called| *called <= OFTEN);
        }
    }

    fn end_above(&mut self, depth: usize, now: u64) {
        while self.frames.len() > depth {
            if let Some(call) = self.frames.pop().flatten() {
                self.calls[call as usize].end = now;
            }
        }
    }

    fn store(&mut self, at: &At<'_>, (address, size): (u64, u32), value: Opnd) {
        let mask = u64::MAX >> (64 - 8 * size.clamp(1, 8));
        // What a variable of the function holds before it is given a value is none of its values.
        let is_own = (at.frame().stack_base..at.frame().usp_before).contains(&address);
        let is_first = is_own && self.given.insert((address, at.frame().serial));
        if is_first || (at.memory().read_word(address) ^ at.value(value)) & mask == 0 {
            return;
        }
        let Some(place) = self.places.iter().position(|place| *place == (address, size)) else { return };
        if self.changes.len() == MOST {
            self.is_full = true;
            return;
        }
        let operation = (at.instruction(), at.pc);
        self.changes.push(Change { place, operation, stack: self.stack() });
    }
}

impl Observer for Watch<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Store { ty, value, addr } = *op
            && self.places.iter().any(|(address, _)| *address == at.value(addr))
        {
            self.store(at, (at.value(addr), ty.bytes()), value);
        }
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        self.end_above(at.depth, at.instruction());
        self.frames.resize(at.depth, None);
        let kept = self.is_test(at) && !self.is_full && {
            let called = self.called.entry(at.function).or_default();
            *called += 1;
            *called <= OFTEN
        };
        let number = kept.then(|| {
            let caller = at.caller();
            let by_test = caller.is_some_and(|caller| self.is_test(&caller));
            let parent = self.frames.iter().rev().flatten().next().copied();
            let site = caller.map(|caller| (caller.function, caller.pc));
            let start = at.instruction();
            self.calls.push(Call { callee: at.function, site, parent, by_test, start, end: u64::MAX });
            self.is_full |= self.calls.len() == MOST;
            (self.calls.len() - 1) as u32
        });
        self.frames.push(number);
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(Opnd, u8)>) {
        self.end_above(at.depth, at.instruction());
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.end_above(depth, at.instruction());
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.frames.switch(from, to, Vec::new);
    }
}
