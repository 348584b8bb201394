//! The calls that tests make in a run, and how memory that decides of its outcome changes between them.

use std::collections::{HashMap, HashSet};

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Entry, FuncId, Memory, Observer, PerThread};

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
    /// Instructions executed when it was as before, and when it was seen.
    pub between: (u64, u64),
    /// The calls under way in between that are kept, the innermost last.
    pub stack: Vec<u32>,
}

/// Keeps both, up to an instruction count.
pub(super) struct Watch<'a> {
    is_test: &'a dyn Fn(&At<'_>) -> bool,
    /// What it said, by function.
    known: HashMap<FuncId, bool>,
    /// Memory that decides, address and size, and what it holds.
    places: &'a [(u64, u32)],
    contents: Vec<u64>,
    /// The places that are variables of the call that began last: what they hold before they are given a value is none of their values.
    fresh: Vec<usize>,
    /// When they were looked at last.
    looked: u64,
    until: u64,
    /// The frames of the running thread: the call, where it is kept.
    frames: PerThread<Vec<Option<u32>>>,
    pub calls: Vec<Call>,
    pub changes: Vec<Change>,
    /// How often each function of tests was called.
    called: HashMap<FuncId, u32>,
    /// There were more than are kept.
    pub is_full: bool,
}

fn content(memory: &Memory, (address, size): (u64, u32)) -> u64 {
    memory.read_word(address) & u64::MAX >> (64 - 8 * size.clamp(1, 8))
}

impl<'a> Watch<'a> {
    /// Of places in memory, in runs whose tests are the code for which `is_test` holds.
    pub fn new(places: &'a [(u64, u32)], until: u64, is_test: &'a dyn Fn(&At<'_>) -> bool) -> Self {
        Self {
            is_test,
            known: HashMap::new(),
            places,
            contents: vec![0; places.len()],
            fresh: Vec::new(),
            looked: 0,
            until,
            frames: PerThread::default(),
            calls: Vec::new(),
            changes: Vec::new(),
            called: HashMap::new(),
            is_full: false,
        }
    }

    fn is_test(&mut self, at: &At<'_>) -> bool {
        *self.known.entry(at.function).or_insert_with(|| (self.is_test)(at))
    }

    /// The functions that are of tests.
    pub fn of_tests(&self) -> HashSet<FuncId> {
        self.known.iter().filter(|(_, is_test)| **is_test).map(|(function, _)| *function).collect()
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

    /// Looks at the places when a call begins or ends.
    fn look(&mut self, at: &At<'_>) {
        let fresh = std::mem::take(&mut self.fresh);
        for (place, &where_) in self.places.iter().enumerate() {
            let now = content(at.memory(), where_);
            if std::mem::replace(&mut self.contents[place], now) != now && !fresh.contains(&place) {
                let between = (self.looked, at.instruction());
                self.changes.push(Change { place, between, stack: self.stack() });
            }
        }
        self.is_full |= self.changes.len() >= MOST;
        self.looked = at.instruction();
    }

    fn is_over(&self, at: &At<'_>) -> bool {
        self.is_full || at.instruction() > self.until
    }
}

impl Observer for Watch<'_> {
    const FRAMES: bool = true;

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        if self.is_over(at) {
            return;
        }
        self.end_above(at.depth, at.instruction());
        self.frames.resize(at.depth, None);
        let kept = self.is_test(at) && {
            let called = self.called.entry(at.function).or_default();
            *called += 1;
            *called <= OFTEN
        };
        if !kept {
            self.frames.push(None);
            return;
        }
        self.look(at);
        let own = at.frame().stack_base..at.frame().usp_before;
        self.fresh.extend((0..self.places.len()).filter(|&place| own.contains(&self.places[place].0)));
        let caller = at.caller();
        let by_test = caller.is_some_and(|caller| self.is_test(&caller));
        let parent = self.frames.iter().rev().flatten().next().copied();
        let site = caller.map(|caller| (caller.function, caller.pc));
        self.calls.push(Call { callee: at.function, site, parent, by_test, start: at.instruction(), end: u64::MAX });
        self.is_full |= self.calls.len() == MOST;
        self.frames.push(Some((self.calls.len() - 1) as u32));
    }

    fn leave(&mut self, at: &At<'_>, _: Option<(Opnd, u8)>) {
        if self.is_over(at) {
            return;
        }
        if self.frames.get(at.depth).is_some_and(Option::is_some) {
            self.look(at);
        }
        self.end_above(at.depth, at.instruction());
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        if !self.is_over(at) {
            self.look(at);
            self.end_above(depth, at.instruction());
        }
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.frames.switch(from, to, Vec::new);
    }
}

/// Finds the last operation that changes a place between two instruction counts.
pub(super) struct Changer {
    place: (u64, u32),
    between: (u64, u64),
    /// Executed when so many instructions are, at this place of its function.
    pub operation: Option<(u64, u32)>,
}

impl Changer {
    /// Of what was seen.
    pub fn of(change: &Change, places: &[(u64, u32)]) -> Self {
        Self { place: places[change.place], between: change.between, operation: None }
    }
}

impl Observer for Changer {
    const OPS: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        let (address, size) = self.place;
        if let Op::Store { value, addr, .. } = *op
            && at.value(addr) == address
            && (self.between.0..=self.between.1).contains(&at.instruction())
            && content(at.memory(), self.place) != at.value(value) & u64::MAX >> (64 - 8 * size.clamp(1, 8))
        {
            self.operation = Some((at.instruction(), at.pc));
        }
    }
}
