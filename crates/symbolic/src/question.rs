//! What is asked of an encoding: what may change, which ways may be gone, where the run fails.

use std::collections::HashSet;
use std::time::Instant;

use whydunit_model::BlockId;
use whydunit_model::checks::Check;
use whydunit_process::Cancel;
use whydunit_replay::FuncId;

use crate::region::Instance;
use crate::statement::{NO_STATEMENT, StatementId};

/// What may change.
#[derive(Clone, Debug, Default)]
pub struct Relaxation {
    modes: Vec<Mode>,
    /// Of statements that are not listed.
    others: Mode,
}

/// How a statement is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// It does what it does.
    #[default]
    Hard,
    /// Its values may be any.
    Free,
    /// A selector says which of both.
    Selectable,
}

impl Relaxation {
    fn of(statements: impl IntoIterator<Item = StatementId>, mode: Mode) -> Self {
        let mut modes = Vec::new();
        for statement in statements {
            let index = statement as usize;
            if index >= modes.len() {
                modes.resize(index + 1, Mode::Hard);
            }
            modes[index] = mode;
        }
        Self { modes, others: Mode::Hard }
    }
    /// Only these statements may change.
    pub fn free(statements: impl IntoIterator<Item = StatementId>) -> Self {
        Self::of(statements, Mode::Free)
    }
    /// A selector for each of these statements says whether it may change.
    pub fn selectable(statements: impl IntoIterator<Item = StatementId>) -> Self {
        Self::of(statements, Mode::Selectable)
    }
    /// A selector for each statement.
    pub fn all_selectable() -> Self {
        Self { modes: Vec::new(), others: Mode::Selectable }
    }
    /// How a statement is encoded.
    #[inline]
    pub fn mode(&self, statement: StatementId) -> Mode {
        if statement == NO_STATEMENT {
            return Mode::Hard;
        }
        self.modes.get(statement as usize).copied().unwrap_or(self.others)
    }
}

/// Which ways of branches are gone besides those of the run.
#[derive(Clone, Debug)]
pub enum Arms {
    /// These (on-demand formulas).
    Listed(HashSet<(Instance, BlockId)>),
    /// All within the bound of the unrolling.
    All,
}

impl Predicate {
    /// Where the object was freed that the predicate speaks of.
    pub fn freed(&self) -> Option<Moment> {
        match self {
            Predicate::Alive(range) | Predicate::Freeable(range) => range.freed,
            _ => None,
        }
    }
}

impl Failing {
    /// Whether a run that ends with this exit status ends as it should.
    pub fn accepts_status(&self, status: i32) -> bool {
        self.signal.is_none() && self.status.is_none_or(|expected| expected == status)
    }
}

impl Default for Arms {
    fn default() -> Self {
        Arms::Listed(HashSet::new())
    }
}

/// What should have held where the run failed.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Predicate {
    /// The point is not reached.
    #[default]
    NotReached,
    /// The call there prints this (the expected text from where it starts to print).
    Prints(Vec<u8>),
    /// The first word returned there, or the first argument of the call there, is this exit status.
    Status(i32),
    /// The check of a test framework that is called there holds: it is called for those that hold, too.
    Check(&'static Check),
    /// The divisor is not zero and the quotient fits.
    Division,
    /// The pointer points into an object; of a call each pointer that it is given.
    Pointer,
    /// The access lies inside this object.
    Inside(Range),
    /// The access lies in a live object, or these bytes are still alive: they were not freed.
    Alive(Range),
    /// What is freed is the start of a block, or these bytes were not freed before.
    Freeable(Range),
}

/// Bytes of an object, and an access to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// First byte of the object.
    pub start: u64,
    /// Its bytes.
    pub size: u64,
    /// Where the run accesses it.
    pub address: u64,
    /// So many bytes.
    pub bytes: u64,
    /// The access writes.
    pub write: bool,
    /// The function that does it.
    pub function: FuncId,
    /// Where the object was freed, if it was.
    pub freed: Option<Moment>,
}

/// An operation of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Instruction count at it ([`At::instruction`](whydunit_replay::At::instruction)).
    pub instruction: u64,
    /// It.
    pub pc: u32,
}

/// A failing run's failure point.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FailurePoint {
    /// Instruction count at the operation ([`At::instruction`](whydunit_replay::At::instruction)).
    pub instruction: u64,
    /// The operation.
    pub pc: u32,
    /// What should have held.
    pub predicate: Predicate,
}

/// A failing run, and what counts as passing on other ways.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failing {
    /// Where it fails.
    pub point: FailurePoint,
    /// All that should be printed from the start of the encoding on, where output counts.
    pub expected: Option<Vec<u8>>,
    /// The expected exit status, where known.
    pub status: Option<i32>,
    /// The signal that should kill the program.
    pub signal: Option<i32>,
    /// Branches under way at the failure point; filled by the first run.
    pub open: HashSet<Instance>,
}

/// Limits of one encoding.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Terms.
    pub terms: usize,
    /// Instructions on a way beside the run.
    pub instructions: u64,
    /// How often a branch may stand inside itself: turns of a loop.
    pub turns: usize,
    /// Elements of an object that an unknown index may mean.
    pub elements: u64,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Cancelled when to give up at once.
    pub cancel: Option<Cancel>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { terms: 4_000_000, instructions: 2_000_000, turns: 8, elements: 512, deadline: None, cancel: None }
    }
}
