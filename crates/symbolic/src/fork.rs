//! Branches whose outcome is open, where the run forks: which ways there are, and what each leaves behind.

use rustc_hash::FxHashMap;
use whydunit_model::{BlockId, Slot};
use whydunit_replay::FuncId;
use whydunit_terms::Term;

use crate::effects::Effects;
use crate::memory::{Byte, Havoc};
use crate::region::Instance;

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
    pub blocks: Vec<BlockId>,
    pub effects: Effects,
}

/// A branch under way whose outcome is open.
pub(crate) struct Fork {
    pub reach: Term,
    pub path: usize,
    pub since: usize,
    pub printed: usize,
    pub pc: u32,
    pub frame: u64,
    pub before: Vec<(Slot, u64, Option<Term>)>,
    pub others: Vec<Other>,
    pub function: FuncId,
}
