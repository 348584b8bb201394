//! The symbolic state of a run: which slots and bytes have a value other than the replay's, under what conditions, and
//! what was decided on the way here.

mod access;
mod branch;
pub(crate) mod followed;
mod join;
mod library;
mod observe;
mod operation;
mod outputs;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

use whydunit_model::{BlockId, Op, Opnd, Scalar, Slot};
use whydunit_oracle::Call;
use whydunit_process::Cancel;
use whydunit_replay::{At, FuncId};
use whydunit_terms::{Pool, Sort, Term};

use self::followed::Followed;
use self::outputs::{Arguments, Formatted};
use crate::facts::Facts;
use crate::fork::{Branch, Fork, Pending};
use crate::frame::FrameState;
use crate::free::{Free, FreeKind, Returning};
use crate::knowledge::Knowledge;
use crate::listing::{Checkpoint, Listing};
use crate::memory::{MOST_TERMS, Marks};
use crate::question::{Arms, Bounds, Failing, Mode, Relaxation};
use crate::region::{Regions, mix, place};
use crate::semantics::Values;
use crate::statement::{NO_STATEMENT, StatementId};
use crate::unsaid::Unsaid;

pub use observe::ENTRY;

/// Why the observer stops the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Request {
    /// A branch with ways to be gone besides the run's.
    Fork,
    /// The branch is to go another way than the machine would.
    Redirect,
    /// A way beside the run has joined it.
    Joined,
    /// The failure point.
    Failure,
    /// Something was printed beside the run where it fails.
    Printed,
    /// Too many terms.
    Full,
    /// The state is to be kept.
    Checkpoint,
}

/// The state; the machine's observer.
pub struct State<'a> {
    pub(crate) pool: Pool,
    pub(crate) knowledge: &'a mut Knowledge,
    pub(crate) relaxation: &'a Relaxation,
    pub(crate) arms: &'a Arms,
    pub(crate) failing: &'a Failing,
    pub(crate) bounds: Bounds,
    pub(crate) slots: Vec<Option<Term>>,
    pub(crate) marks: Marks,
    pub(crate) frames: Vec<FrameState>,
    pub(crate) regions: Regions<Fork>,
    /// For each branch under way whose outcome is open: that all up to it went as they did.
    pub(crate) path: Vec<Term>,
    /// How many forks are open, ways beside the run included: while there are, what is written is logged.
    pub(crate) open: usize,
    pub(crate) level: u32,
    /// The region whose end is the end of the way beside the run that is gone; none on the run itself, and where the way is
    /// followed to its end.
    pub(crate) flipped: Option<u64>,
    /// The way beside the run never joins it before the failure point.
    pub(crate) terminal: bool,
    pub(crate) pending: Option<Pending>,
    /// The operation was looked at already.
    pub(crate) passed: bool,
    pub(crate) request: Option<Request>,
    /// Words returned, until the call is done.
    pub(crate) returned: Vec<Option<Term>>,
    /// Forks that ended with the function that returns, until the call is done.
    pub(crate) returning: Vec<Fork>,
    pub(crate) joined_at_return: bool,
    /// The result of the call that a way beside the run has joined behind.
    pub(crate) joined: Vec<(Slot, u64, Option<Term>)>,
    /// When the process has ended on another way.
    pub(crate) gone: Option<Term>,
    /// When a way was taken that prints what is right as far as it was followed.
    pub(crate) unproved: Option<Term>,
    pub(crate) hard: Vec<Term>,
    pub(crate) free: Vec<Free>,
    pub(crate) returns: Vec<Returning>,
    /// Values in the run of variables that are not free.
    pub(crate) run: Vec<(Term, u128)>,
    pub(crate) selectors: HashMap<StatementId, Term>,
    /// By statement, whether the run executed it.
    pub(crate) executed: Vec<bool>,
    pub(crate) branches: Vec<Branch>,
    /// Distances between the elements that an index term steps over.
    pub(crate) strides: HashMap<Term, u64>,
    pub(crate) notes: BTreeSet<String>,
    looks: u32,
    /// What the formula does not speak of.
    pub(crate) unsaid: BTreeSet<Unsaid>,
    /// Something was held as in the run.
    pub(crate) pinned: bool,
    /// Something right that was printed depends on what may change.
    pub(crate) kept: bool,
    pub(crate) printed: Vec<u8>,
    pub(crate) callbacks: u64,
    /// The function outside captured code that was called last.
    pub(crate) called: String,
    /// What an external call that is computed gives, when its arguments are symbolic.
    pub(crate) computed: Option<Term>,
    /// A call under way that makes text: where, how much room, the call.
    pub(crate) formatting: Option<(u64, u64, Call, Arguments)>,
    /// Texts that were made from symbolic values, by the variable of their first byte.
    pub(crate) texts: HashMap<Term, Formatted>,
    /// Sizes that blocks of the heap may have, by their addresses.
    pub(crate) sizes: HashMap<u64, Term>,
    /// The size that the block may have that is about to be allocated.
    pub(crate) size: Option<Term>,
    /// When the object was freed that the failed predicate speaks of; none before.
    pub(crate) freed: Option<Term>,
    /// On a way that never joins the run: when what it prints is right.
    pub(crate) judged: Option<Term>,
    /// Nothing is encoded, only listed.
    pub(crate) listing: Option<Box<Listing>>,
    /// The run is followed alone, and what it is given is variable.
    pub(crate) followed: Option<Box<Followed>>,
}

impl<'a> State<'a> {
    pub(crate) fn new(
        knowledge: &'a mut Knowledge,
        relaxation: &'a Relaxation,
        arms: &'a Arms,
        failing: &'a Failing,
        bounds: Bounds,
    ) -> Self {
        Self {
            pool: Pool::new(),
            knowledge,
            relaxation,
            arms,
            failing,
            bounds,
            slots: Vec::new(),
            marks: Marks::default(),
            frames: Vec::new(),
            regions: None,
            path: Vec::new(),
            open: 0,
            level: 0,
            flipped: None,
            terminal: false,
            pending: None,
            passed: false,
            request: None,
            returned: Vec::new(),
            returning: Vec::new(),
            joined_at_return: false,
            joined: Vec::new(),
            gone: None,
            unproved: None,
            hard: Vec::new(),
            free: Vec::new(),
            returns: Vec::new(),
            run: Vec::new(),
            selectors: HashMap::new(),
            executed: Vec::new(),
            branches: Vec::new(),
            strides: HashMap::new(),
            notes: BTreeSet::new(),
            looks: 0,
            unsaid: BTreeSet::new(),
            pinned: false,
            kept: false,
            printed: Vec::new(),
            callbacks: 0,
            called: String::new(),
            computed: None,
            formatting: None,
            texts: HashMap::new(),
            sizes: HashMap::new(),
            size: None,
            freed: None,
            judged: None,
            listing: None,
            followed: None,
        }
    }

    /// The run begins at a checkpoint.
    pub(crate) fn begin(&mut self, from: &Checkpoint) {
        self.frames.clone_from(&from.frames);
        self.regions.clone_from(&from.regions);
        self.printed.clone_from(&from.printed);
        self.callbacks = from.callbacks;
    }

    /// What a checkpoint keeps besides the machine.
    pub(crate) fn checkpoint(&self, snapshot: whydunit_replay::Snapshot) -> Checkpoint {
        Checkpoint {
            snapshot,
            frames: self.frames.clone(),
            regions: self.regions.clone(),
            callbacks: self.callbacks,
            printed: self.printed.clone(),
        }
    }

    /// The condition under which the run is here.
    pub(crate) fn reach(&mut self) -> Term {
        let reach = self.path.last().copied().unwrap_or_else(|| self.pool.truth());
        match self.gone {
            None => reach,
            Some(gone) => {
                let there = self.pool.not(gone);
                self.pool.and(reach, there)
            }
        }
    }

    /// Where this holds the run goes another way, which passes, and does not come back.
    pub(crate) fn leaves(&mut self, goes: Term) {
        let gone = self.gone.unwrap_or_else(|| self.pool.falsity());
        self.gone = Some(self.pool.or(gone, goes));
    }

    /// Where this holds the run may pass, and nobody has seen it.
    pub(crate) fn doubt(&mut self, goes: Term) {
        let unproved = self.unproved.unwrap_or_else(|| self.pool.falsity());
        self.unproved = Some(self.pool.or(unproved, goes));
    }

    /// What must hold whenever the run is here.
    pub(crate) fn require(&mut self, condition: Term) {
        if self.followed.is_some() {
            return self.check(condition);
        }
        let reach = self.reach();
        let condition = self.pool.implies(reach, condition);
        if self.pool.as_bool(condition) != Some(true) {
            self.hard.push(condition);
        }
    }

    pub(crate) fn facts(&self) -> Option<&Rc<Facts>> {
        self.frames.last().map(|frame| &frame.facts)
    }

    pub(crate) fn statement(&self, pc: u32) -> StatementId {
        self.facts().map_or(NO_STATEMENT, |facts| facts.statements[pc as usize])
    }

    /// Frames that the machine has and the state does not know yet.
    pub(crate) fn align(&mut self, at: &At<'_>) {
        self.frames.truncate(at.depth + 1);
        for depth in self.frames.len()..=at.depth {
            let function = at.core.frames[depth].function;
            let facts = self.knowledge.facts(at, function);
            let activation = mix(depth as u64, u64::from(function.0));
            self.frames.push(FrameState { function, activation, facts, given: None });
        }
        self.grow(at);
    }

    pub(crate) fn grow(&mut self, at: &At<'_>) {
        let end = at.base + at.model.slots as usize;
        if end > self.slots.len() {
            self.slots.resize(end.next_power_of_two(), None);
        }
    }

    /// Where the run stands, as a name that is the same on all paths that reach it by the same decisions.
    pub(crate) fn place(&self, depth: usize) -> u64 {
        place(&self.regions, depth, self.frames.get(depth).map_or(0, |frame| frame.activation))
    }

    #[inline]
    pub(crate) fn slot(&self, at: &At<'_>, operand: Opnd) -> Option<Term> {
        if operand.is_const() { None } else { self.slots[at.base + operand.index() as usize] }
    }

    /// The low bits of an operand's word as a term.
    pub(crate) fn word(&mut self, at: &At<'_>, operand: Opnd, width: u32) -> Term {
        let term = self.slot(at, operand);
        fit(&mut self.pool, term, at.value(operand), width)
    }

    /// A value of a statement: as it is, free, or either by the statement's selector.
    pub(crate) fn relaxed(
        &mut self,
        at: &At<'_>,
        kind: FreeKind,
        width: u32,
        value: u64,
        current: Option<Term>,
        slot: Option<Slot>,
    ) -> Option<Term> {
        let (statement, scalar) = (self.statement(at.pc), result_type(at, width));
        let place = (at.function, at.pc, statement);
        self.relaxed_at(at, place, Kept { kind, width, scalar, value, current, slot })
    }

    /// The same for a value of the statement at another place.
    pub(crate) fn relaxed_at(
        &mut self,
        at: &At<'_>,
        (function, pc, statement): (FuncId, u32, StatementId),
        kept: Kept,
    ) -> Option<Term> {
        let Kept { kind, width, scalar, value, current, slot } = kept;
        let mode = self.mode(statement);
        if mode == Mode::Hard && self.listing.is_none() {
            return current;
        }
        let (instruction, on_run) = (at.instruction(), self.level == 0);
        let free = |term| Free { term, statement, function, pc, value, width, scalar, instruction, kind, slot, on_run };
        if let Some(listing) = &mut self.listing {
            listing.value(free(self.pool.truth()));
            return current;
        }
        let term = self.pool.variable(Sort::BitVec(width), format!("s{statement}@{instruction}"));
        if scalar == Scalar::Ptr {
            self.unsaid.insert(Unsaid::Objects);
        }
        self.free.push(free(term));
        if mode == Mode::Free {
            return Some(term);
        }
        let selector = self.selector(statement);
        let current = fit(&mut self.pool, current, value, width);
        Some(self.pool.ite(selector, term, current))
    }

    /// How a statement is encoded.
    #[inline]
    pub(crate) fn mode(&self, statement: StatementId) -> Mode {
        let mode = self.relaxation.mode(statement);
        if mode != Mode::Hard && self.knowledge.statements.is_assertion(statement) { Mode::Hard } else { mode }
    }

    /// The selector of a statement: true where it may change.
    pub(crate) fn selector(&mut self, statement: StatementId) -> Term {
        if let Some(&known) = self.selectors.get(&statement) {
            return known;
        }
        let selector = self.pool.variable(Sort::Bool, format!("relax{statement}"));
        self.selectors.insert(statement, selector);
        selector
    }

    /// Time is up.
    pub(crate) fn is_late(&self) -> bool {
        self.bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.bounds.cancel.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Where the terms are too many the run stops.
    pub(crate) fn check_size(&mut self) {
        self.looks = self.looks.wrapping_add(1);
        if self.pool.len() > self.bounds.terms.min(MOST_TERMS - 1) || self.looks.is_multiple_of(LOOK) && self.is_late()
        {
            self.request = Some(Request::Full);
        }
    }

    /// A symbolic value must be the replay's: where nothing better can be said.
    pub(crate) fn pin(&mut self, term: Term, value: u64, why: &str) {
        let width = self.pool.width(term);
        let value = self.pool.constant(width, value.into());
        let same = self.pool.eq(term, value);
        match self.followed {
            Some(_) => self.hold(same),
            None => self.require(same),
        }
        self.pinned = true;
        self.notes.insert(format!("held as in the run: {why}"));
    }

    /// The block to which the branch at which the machine stands goes in the run, and where it could go.
    pub(crate) fn targets(at: &At<'_>, op: &Op) -> Option<(BlockId, Vec<BlockId>)> {
        match *op {
            Op::Branch { cond, then, els } => {
                let to = if at.value(cond) & 1 == 1 { then } else { els };
                (then != els).then(|| (to, vec![then, els]))
            }
            Op::Switch { value, table, .. } => {
                let switch = &at.model.switches[table as usize];
                let value = at.value(value);
                let to = switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1);
                let mut all: Vec<BlockId> = switch.cases.iter().map(|case| case.1).chain([switch.default]).collect();
                all.sort_unstable();
                all.dedup();
                (all.len() > 1).then_some((to, all))
            }
            _ => None,
        }
    }
}

/// A value that may become free.
pub(crate) struct Kept {
    pub kind: FreeKind,
    pub width: u32,
    pub scalar: Scalar,
    pub value: u64,
    pub current: Option<Term>,
    pub slot: Option<Slot>,
}

/// The type of what the operation at which the machine stands makes, of so many bits.
fn result_type(at: &At<'_>, width: u32) -> Scalar {
    let first = |leaves: &[Scalar]| leaves.first().copied().filter(|_| leaves.len() == 1);
    let scalar = match at.op() {
        Op::Load { ty, .. } | Op::Store { ty, .. } | Op::Float { ty, .. } => Some(*ty),
        Op::FloatUnary { ty, .. } | Op::Fma { ty, .. } => Some(*ty),
        Op::FConv { to, .. } | Op::IntToF { to, .. } => Some(*to),
        Op::PtrAdd { .. } | Op::PtrIndex { .. } => Some(Scalar::Ptr),
        Op::Call { call } => first(&at.model.calls[*call as usize].ret),
        Op::Return { .. } => first(&at.model.ret),
        _ => None,
    };
    scalar.unwrap_or(Scalar::Int(width.min(64) as u8))
}

/// The clock is looked at once in so many operations.
const LOOK: u32 = 256;

/// A word's low bits: of a term of any width, or of the replay's value.
pub fn fit(pool: &mut Pool, term: Option<Term>, value: u64, width: u32) -> Term {
    let Some(term) = term else { return pool.constant(width, value.into()) };
    let term = if pool.is_bool(term) { pool.from_bool(term) } else { term };
    let own = pool.width(term);
    match own.cmp(&width) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Less => pool.zext(term, width),
        std::cmp::Ordering::Greater => pool.truncate(term, width),
    }
}

/// Operands of the operation at which the machine stands.
pub(crate) struct Here<'b, 'a> {
    pub at: &'b At<'a>,
    pub slots: &'b [Option<Term>],
}

impl Values for Here<'_, '_> {
    fn word(&mut self, pool: &mut Pool, operand: Opnd, width: u32) -> Term {
        let term = if operand.is_const() { None } else { self.slots[self.at.base + operand.index() as usize] };
        fit(pool, term, self.at.value(operand), width)
    }
}
