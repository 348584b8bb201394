//! Branches whose outcome is open: which ways there are, what each leaves behind, how they are put together where they
//! join.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_dataflow::flow::NO_BLOCK;
use whydunit_library::{Ending, lookup};
use whydunit_model::{BlockId, Op, Slot};
use whydunit_replay::{At, FuncId};
use whydunit_terms::{Sort, Term};

use crate::effects::Effects;
use crate::memory::{Byte, Havoc, compose, constant, unknown_when};
use crate::question::{Arms, Mode};
use crate::region::{Instance, Region, mix};
use crate::state::{FreeKind, Request, State, fit};

/// A branch whose outcome is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Which execution.
    pub instance: Instance,
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
    /// Condition under which it is reached.
    pub reach: Term,
    /// Its ways besides the one that the run (or the way that reaches it) goes.
    pub others: Vec<Way>,
}

/// A way of a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Where it goes.
    pub target: BlockId,
    /// Condition under which the branch goes there.
    pub guard: Term,
    /// What is known of it.
    pub known: Known,
}

/// What is known of a way of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It was gone.
    Explored,
    /// Nobody has gone it.
    Unexplored,
    /// It was gone and led where the replay cannot follow (an external call that nobody recorded).
    Blocked,
    /// It fails, or is beyond the bound of the unrolling.
    Forbidden,
}

/// A branch that is about to be executed.
pub(crate) struct Pending {
    pub instance: Instance,
    pub pc: u32,
    pub join: BlockId,
    pub taken: BlockId,
    pub guard: Term,
    pub others: Vec<Other>,
}

/// A way other than the one gone, and what it leaves behind.
pub(crate) struct Other {
    pub target: BlockId,
    pub guard: Term,
    pub outcome: Outcome,
}

pub(crate) enum Outcome {
    /// Not gone; it may write this.
    Unexplored(Unexplored),
    /// It joins, with this.
    Joined(Joined),
    /// It never joins.
    Ended,
}

/// What a way leaves behind that joins.
pub(crate) struct Joined {
    /// The bytes that it wrote, as they are in the end.
    pub bytes: FxHashMap<u64, Byte>,
    /// The pieces in which it wrote them.
    pub pieces: Vec<(u64, u8)>,
    pub slots: Vec<(Slot, u64, Option<Term>)>,
    pub havocs: Vec<Havoc>,
    /// What it printed.
    pub printed: Vec<u8>,
}

pub(crate) struct Unexplored {
    blocks: Vec<BlockId>,
    effects: Effects,
}

/// A branch under way whose outcome is open.
pub(crate) struct Fork {
    reach: Term,
    path: usize,
    since: usize,
    printed: usize,
    pc: u32,
    frame: u64,
    before: Vec<(Slot, u64, Option<Term>)>,
    others: Vec<Other>,
    function: FuncId,
}

impl State<'_> {
    /// Looks at the branch at which the machine stands. True where there are ways to be gone besides the run's.
    pub(crate) fn prepare(&mut self, at: &At<'_>, op: &Op) -> bool {
        self.pending = None;
        let (condition, width) = match *op {
            Op::Branch { cond, .. } => (cond, 1),
            Op::Switch { value, w, .. } => (value, u32::from(w).min(64)),
            _ => return false,
        };
        let term = self.slot(at, condition);
        let statement = self.statement(at.pc);
        let hard = self.mode(statement) == Mode::Hard;
        if term.is_none() && hard && self.listing.is_none() {
            return false;
        }
        let Some((went, all)) = Self::targets(at, op) else { return false };
        let Some(facts) = self.facts().cloned() else { return false };
        let block = facts.shape.blocks[at.pc as usize];
        let fails = facts.shape.returns[block as usize] && !facts.shape.returns[went as usize];
        // The branch that leads to the failure is the predicate that failed: it stays what it is.
        let term = match fails && self.level == 0 && self.failing.open.contains(&self.instance(at)) {
            true => term,
            false => self.relaxed(at, FreeKind::Condition, width, at.value(condition), term, None),
        };
        let Some(term) = term else { return false };
        let term = fit(&mut self.pool, Some(term), 0, width);
        let guards: Vec<(BlockId, Term)> = all.iter().map(|&to| (to, self.guard(at, op, term, to))).collect();
        // Beside the run a way that never comes back is not gone where another one is open.
        let alive = |&&(to, _): &&(BlockId, Term)| facts.shape.returns[to as usize];
        let taken = match guards.iter().find(alive) {
            Some(&(other, guard)) if fails && self.level > 0 && self.pool.as_bool(guard).is_none() => other,
            _ => went,
        };
        let of = |target| guards.iter().find(|guard| guard.0 == target).map(|guard| guard.1);
        let Some(guard) = of(taken).filter(|&guard| self.pool.as_bool(guard).is_none()) else { return false };
        let join = facts.shape.join_of(block);
        let instance = self.instance(at);
        let others = guards
            .iter()
            .filter(|other| other.0 != taken && self.pool.as_bool(other.1) != Some(false))
            .map(|&(target, guard)| Other { target, guard, outcome: Outcome::Ended })
            .collect::<Vec<_>>();
        let mut record = Branch { instance, function: at.function, pc: at.pc, reach: self.reach(), others: Vec::new() };
        let mut asked = false;
        let mut kept = Vec::new();
        for mut other in others {
            let known = self.known(at, &facts, instance, block, taken, other.target);
            asked |= known == Known::Explored;
            if known != Known::Explored {
                let blocks = facts.shape.region(other.target, join);
                let joins = facts.shape.returns[other.target as usize] || !facts.shape.returns[block as usize];
                if joins {
                    let effects = self.knowledge.analysis.of_blocks(at.code, at.function, &blocks);
                    other.outcome = Outcome::Unexplored(Unexplored { blocks, effects });
                }
            }
            if known == Known::Forbidden {
                let reach = self.reach();
                let goes = self.pool.and(reach, other.guard);
                self.forbid(goes);
            }
            record.others.push(Way { target: other.target, guard: other.guard, known });
            kept.push(other);
        }
        self.branches.push(record);
        self.pending = Some(Pending { instance, pc: at.pc, join, taken, guard, others: kept });
        if asked {
            self.request = Some(Request::Fork);
        } else if taken != went {
            self.request = Some(Request::Redirect);
        }
        self.request.is_some()
    }

    /// This must not happen.
    pub(crate) fn forbid(&mut self, condition: Term) {
        let never = self.pool.not(condition);
        if self.pool.as_bool(never) != Some(true) {
            self.hard.push(never);
        }
    }

    /// The name of the execution of the branch at which the machine stands.
    pub(crate) fn instance(&self, at: &At<'_>) -> Instance {
        mix(mix(self.place(at.depth), at.function.0.into()), at.pc.into())
    }

    /// The condition under which a branch goes to a block.
    pub(crate) fn guard(&mut self, at: &At<'_>, op: &Op, term: Term, to: BlockId) -> Term {
        match *op {
            Op::Branch { then, .. } => {
                let holds = self.pool.to_bool(term);
                if to == then { holds } else { self.pool.not(holds) }
            }
            Op::Switch { table, .. } => {
                let switch = &at.model.switches[table as usize];
                let width = self.pool.width(term);
                let mut any = self.pool.bool(false);
                for &(value, target) in &switch.cases {
                    // To the default go all values that no case names; a case that goes there too is among them.
                    if (to == switch.default) != (target == to) {
                        let value = self.pool.constant(width, value.into());
                        let same = self.pool.eq(term, value);
                        any = self.pool.or(any, same);
                    }
                }
                if to == switch.default { self.pool.not(any) } else { any }
            }
            _ => self.pool.bool(true),
        }
    }

    /// What is known of a way besides the run's.
    fn known(
        &mut self,
        at: &At<'_>,
        facts: &crate::facts::Facts,
        instance: Instance,
        block: BlockId,
        taken: BlockId,
        target: BlockId,
    ) -> Known {
        let dead = |block: BlockId| !facts.shape.returns[block as usize];
        // The other way is the one that it should have gone: it is always looked at.
        if self.leads_to_failure(facts, taken, block) && !dead(target) {
            return Known::Explored;
        }
        if dead(target) && !dead(block) && dies(at, target) {
            // It fails, unless that is how the program should end.
            return if self.failing.signal == Some(SIGABRT) { Known::Explored } else { Known::Forbidden };
        }
        if self.is_beyond(at) {
            self.notes.insert(format!(
                "ways on which a loop has more than {} turns, or the run's and two",
                self.bounds.turns
            ));
            return Known::Forbidden;
        }
        match self.arms {
            Arms::Listed(listed) if !listed.contains(&(instance, target)) => Known::Unexplored,
            Arms::Listed(_) | Arms::All => Known::Explored,
        }
    }

    /// The run itself goes to where the function never comes back from.
    fn leads_to_failure(&self, facts: &crate::facts::Facts, taken: BlockId, block: BlockId) -> bool {
        self.level == 0 && !facts.shape.returns[taken as usize] && facts.shape.returns[block as usize]
    }

    /// A way is beyond the bound of the unrolling: this branch stands in too many executions of itself. Ways that are gone on
    /// demand may always have two more than the run.
    fn is_beyond(&self, at: &At<'_>) -> bool {
        let (bound, all) = (self.bounds.turns, matches!(self.arms, Arms::All));
        if self.level as usize > bound {
            return true;
        }
        let (mut turns, mut beside, mut next) = (0, 0, &self.regions);
        while let Some(region) = next.as_ref().filter(|region| region.depth == at.depth) {
            if !all && region.level == 0 && beside <= 2 {
                return false;
            }
            if region.fork.borrow().as_ref().is_some_and(|fork| fork.pc == at.pc) {
                turns += 1;
                beside += usize::from(region.level > 0);
            }
            if turns > bound {
                return all || beside > 2;
            }
            next = &region.outer;
        }
        false
    }

    /// The machine goes on over a branch.
    pub(crate) fn branch(&mut self, at: &At<'_>, op: &Op) {
        self.note(self.statement(at.pc));
        let Some((went, _)) = Self::targets(at, op) else { return };
        let pending = self.pending.take().filter(|pending| pending.pc == at.pc);
        let taken = pending.as_ref().map_or(went, |pending| pending.taken);
        let (join, instance) = match &pending {
            Some(pending) => (pending.join, pending.instance),
            None => {
                let Some(facts) = self.facts() else { return };
                (facts.shape.join_of(facts.shape.blocks[at.pc as usize]), self.instance(at))
            }
        };
        let fork = pending.map(|pending| {
            let reach = self.reach();
            let fork = Fork {
                reach,
                path: self.path.len(),
                since: self.marks.now(),
                printed: self.printed.len(),
                pc: at.pc,
                frame: at.frame().stack_base,
                before: self.live_slots(at, pending.join),
                others: pending.others,
                function: at.function,
            };
            let reach = self.pool.and(reach, pending.guard);
            self.path.push(reach);
            self.open += 1;
            fork
        });
        self.enter_region(at.depth, join, instance, taken, fork);
    }

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

const SIGABRT: i32 = 6;

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

/// Whether a block that never comes back says so itself: it calls `abort` or its like.
fn dies(at: &At<'_>, block: BlockId) -> bool {
    let bounds = &at.model.blocks[block as usize];
    at.model.code[bounds.start as usize..bounds.end as usize].iter().any(|op| {
        let Op::Call { call } = op else { return false };
        let whydunit_model::Callee::Direct(callee) = at.model.calls[*call as usize].callee else { return false };
        let name = at.module().functions.get(callee as usize).map(|function| function.name.as_str());
        let ending = name.and_then(lookup).and_then(|known| known.function.ending);
        matches!(ending, Some(Ending::Abort | Ending::Assertion { .. }))
    })
}
