//! Where ways join: the regions that branches open, and how what the ways left behind is put together at their ends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_dataflow::flow::NO_BLOCK;
use whydunit_model::{BlockId, Slot};
use whydunit_replay::At;
use whydunit_terms::{Sort, Term};

use super::{Request, State, fit};
use crate::fork::{Fork, Joined, Outcome};
use crate::memory::{Byte, Havoc, compose, constant, unknown_when};
use crate::region::{Instance, Region};

impl State<'_> {
    pub(crate) fn enter_region(
        &mut self,
        depth: usize,
        join: BlockId,
        instance: Instance,
        arm: BlockId,
        fork: Option<Fork>,
    ) {
        let (outer, level, fork) = (self.regions.take(), self.level, RefCell::new(fork));
        self.regions = Some(Rc::new(Region { outer, depth, join, instance, arm, level, fork }));
    }

    /// The values of the slots of the present frame that are read after `join`.
    pub(crate) fn live_slots(&self, at: &At<'_>, join: BlockId) -> Vec<(Slot, u64, Option<Term>)> {
        let Some(facts) = self.facts().filter(|_| join != NO_BLOCK) else { return Vec::new() };
        facts.shape.live[join as usize]
            .iter()
            .map(|slot| (slot, at.slot(slot), self.slots[at.base + slot as usize]))
            .collect()
    }

    /// Regions of the present frame that end at block `to` are left.
    pub(crate) fn leave_regions(&mut self, at: &At<'_>, to: BlockId) {
        while let Some(region) = self.regions.clone().filter(|region| region.depth == at.depth && region.join == to) {
            self.regions = region.outer.clone();
            if self.flipped == Some(region.instance) {
                self.request = Some(Request::Joined);
                return;
            }
            let fork = region.fork.borrow_mut().take_if(|_| region.level == self.level);
            if let Some(fork) = fork {
                self.path.truncate(fork.path);
                let slots = self.live_slots(at, to);
                self.merge_slots(at, &fork, &slots);
                self.merge_memory(at, fork);
            }
        }
    }

    /// All regions of the present frame are left: its function returns.
    pub(crate) fn leave_function(&mut self, at: &At<'_>) {
        while let Some(region) = self.regions.clone().filter(|region| region.depth >= at.depth) {
            if self.flipped == Some(region.instance) {
                self.joined_at_return = true;
                return;
            }
            self.regions = region.outer.clone();
            let fork = region.fork.borrow_mut().take_if(|_| region.level == self.level);
            if let Some(fork) = fork {
                self.path.truncate(fork.path);
                self.returning.push(fork);
            }
        }
    }

    /// The regions above frame `depth` are gone without having joined.
    pub(crate) fn drop_regions(&mut self, depth: usize) {
        while let Some(region) = self.regions.clone().filter(|region| region.depth >= depth) {
            self.regions = region.outer.clone();
            if region.fork.borrow_mut().take_if(|_| region.level == self.level).is_some() {
                self.open = self.open.saturating_sub(1);
                self.notes.insert("a jump out of a branch whose outcome is open (longjmp)".into());
            }
        }
    }

    /// Values of slots after a join: `now` are those of the way that the machine went.
    pub(crate) fn merge_slots(&mut self, at: &At<'_>, fork: &Fork, now: &[(Slot, u64, Option<Term>)]) {
        for &(slot, value, term) in now {
            let mut merged = term;
            for other in &fork.others {
                let find = |list: &[(Slot, u64, Option<Term>)]| {
                    list.iter().find(|(other, ..)| *other == slot).map(|&(_, value, term)| (value, term))
                };
                let theirs = match &other.outcome {
                    Outcome::Ended => continue,
                    Outcome::Joined(joined) => find(&joined.slots),
                    Outcome::Unexplored(unexplored) => {
                        let writes = self.frames.last().is_none_or(|frame| {
                            frame.function != fork.function || frame.facts.shape.may_write(&unexplored.blocks, slot)
                        });
                        if writes { None } else { find(&fork.before) }
                    }
                };
                let widths = [merged, theirs.and_then(|theirs| theirs.1)].into_iter().flatten();
                let width = widths.map(|term| self.pool.width(term)).max().unwrap_or(64);
                let theirs = match theirs {
                    Some((other, None)) if merged.is_none() && other == value => continue,
                    Some((_, Some(other))) if merged == Some(other) => continue,
                    Some((other, term)) => fit(&mut self.pool, term, other, width),
                    None => self.pool.variable(Sort::BitVec(width), format!("unexplored:{slot}")),
                };
                let ours = fit(&mut self.pool, merged, value, width);
                merged = Some(self.pool.ite(other.guard, theirs, ours));
            }
            self.slots[at.base + slot as usize] = merged;
        }
    }

    /// Memory after a join.
    pub(crate) fn merge_memory(&mut self, at: &At<'_>, mut fork: Fork) {
        self.open = self.open.saturating_sub(1);
        let memory = at.memory();
        let (before, pieces) = self.touched(&fork);
        let log = self.open > 0;
        for (address, size) in pieces {
            if address < at.core.usp && at.core.usp - address < STACK {
                continue;
            }
            let size = usize::from(size);
            let ours = self.marks.load(&mut self.pool, memory, address, size, true);
            let plain = self.marks.bytes(memory, address, size);
            let ours = ours.unwrap_or_else(|| constant(&mut self.pool, &plain));
            let mut merged = ours;
            for other in &fork.others {
                if let Some(theirs) = self.piece_of(&other.outcome, address, &plain, &before) {
                    merged = self.pool.ite(other.guard, theirs, merged);
                }
            }
            if merged != ours {
                self.marks.store(memory, address, size, Some(merged), log);
            }
        }
        for other in std::mem::take(&mut fork.others) {
            if let Outcome::Joined(joined) = &other.outcome {
                self.judge_output(&fork, other.guard, &joined.printed);
            }
            match other.outcome {
                Outcome::Ended => {}
                Outcome::Joined(Joined { havocs, .. }) => havocs.into_iter().for_each(|havoc| self.marks.havoc(havoc)),
                Outcome::Unexplored(unexplored) => {
                    let when = self.pool.and(fork.reach, other.guard);
                    self.marks.havoc(Havoc { when, effects: unexplored.effects, frame: fork.frame });
                }
            }
        }
        self.check_size();
    }

    /// What the bytes were at the branch, and the pieces that any way wrote, with their sizes.
    fn touched(&self, fork: &Fork) -> (FxHashMap<u64, Byte>, Vec<(u64, u8)>) {
        let mut before: FxHashMap<u64, Byte> = FxHashMap::default();
        let mut pieces: BTreeMap<u64, u8> = BTreeMap::new();
        for written in self.marks.written(fork.since) {
            let piece = pieces.entry(written.address).or_default();
            *piece = (*piece).max(written.size);
            for (address, byte) in written.before() {
                before.entry(address).or_insert(byte);
            }
        }
        for other in &fork.others {
            if let Outcome::Joined(joined) = &other.outcome {
                for &(address, size) in &joined.pieces {
                    let piece = pieces.entry(address).or_default();
                    *piece = (*piece).max(size);
                }
            }
        }
        (before, whole_pieces(pieces))
    }

    /// What a piece of memory holds after another way than the machine's, after which it is `plain`; `None` where that way does
    /// not come to the join.
    fn piece_of(&mut self, way: &Outcome, address: u64, plain: &[Byte], before: &FxHashMap<u64, Byte>) -> Option<Term> {
        let unknown = Sort::BitVec(8 * plain.len() as u32);
        let Joined { bytes, havocs, .. } = match way {
            Outcome::Ended => return None,
            Outcome::Unexplored(_) => return Some(self.pool.variable(unknown, format!("unexplored@{address:x}"))),
            Outcome::Joined(joined) => joined,
        };
        let mut all = Vec::with_capacity(plain.len());
        let mut old = false;
        for (i, &now) in plain.iter().enumerate() {
            let at = address.wrapping_add(i as u64);
            let byte = bytes.get(&at).copied();
            old |= byte.is_none();
            all.push(byte.or_else(|| before.get(&at).copied()).unwrap_or(now));
        }
        let value = compose(&mut self.pool, &all).unwrap_or_else(|| constant(&mut self.pool, &all));
        if !old || havocs.is_empty() {
            return Some(value);
        }
        let when = unknown_when(&mut self.pool, havocs, address, plain.len() as u64);
        let unknown = self.pool.variable(unknown, format!("unexplored@{address:x}"));
        Some(self.pool.ite(when, unknown, value))
    }

    /// What the run prints up to the failure is right: a way that prints something else is wrong, and one that prints less as well.
    /// One that prints what comes next too may pass.
    fn judge_output(&mut self, fork: &Fork, guard: Term, printed: &[u8]) {
        let Some(expected) = &self.failing.expected else { return };
        if self.printed.get(fork.printed..) == Some(printed) {
            return;
        }
        let right = expected.get(fork.printed..).is_some_and(|rest| rest.starts_with(printed));
        let more = fork.printed + printed.len() > self.printed.len();
        let goes = self.pool.and(fork.reach, guard);
        if right && more && self.level == 0 {
            self.leaves(goes);
            self.doubt(goes);
        } else {
            self.forbid(goes);
        }
    }
}

/// Bytes below the stack pointer that belong to functions that have returned.
const STACK: u64 = 64 << 20;

/// Pieces that do not overlap, larger ones before the bytes inside them.
fn whole_pieces(pieces: BTreeMap<u64, u8>) -> Vec<(u64, u8)> {
    let mut order: Vec<(u64, u8)> = pieces.into_iter().collect();
    order.sort_by_key(|&(address, size)| (std::cmp::Reverse(size), address));
    let mut covered = FxHashSet::default();
    let mut out = Vec::new();
    for (address, size) in order {
        let bytes = (0..u64::from(size)).map(|i| address.wrapping_add(i));
        if bytes.clone().all(|byte| !covered.contains(&byte)) {
            covered.extend(bytes);
            out.push((address, size));
        } else {
            for byte in bytes {
                if covered.insert(byte) {
                    out.push((byte, 1));
                }
            }
        }
    }
    out
}
