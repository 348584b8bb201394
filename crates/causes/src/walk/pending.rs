//! What a walk has still to follow.

use std::collections::VecDeque;

use whydunit_model::{NO_TYPE, TypeId};
use whydunit_replay::FuncId;

use super::cause::Dependence;
use crate::access::Named;
use crate::nodes::NodeId;
use crate::trace::Before;
use crate::trace::inputs::Source;
use crate::value::Known;

/// How soon something is followed: what is of a lower rank first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// Values that were read, and conditions.
    Value,
    /// Branches that left out what would have changed a value.
    Kept,
    /// The call that let a function run.
    Call,
    /// Pointers that values were found through.
    Pointer,
    /// What led to earlier executions of a statement that was told often enough.
    Again,
}

/// What is still to be followed, by rank; of one rank in the order found.
#[derive(Default)]
pub(super) struct Queue([VecDeque<Pending>; 5]);

impl Queue {
    pub fn push(&mut self, pending: Pending) {
        self.0[pending.rank as usize].push_back(pending);
    }

    /// What is followed next of its rank.
    pub fn push_first(&mut self, pending: Pending) {
        self.0[pending.rank as usize].push_front(pending);
    }

    pub fn pop(&mut self) -> Option<Pending> {
        self.0.iter_mut().find_map(VecDeque::pop_front)
    }

    /// Whether values that were read, or conditions, are left.
    pub fn has_values(&self) -> bool {
        !self.0[Rank::Value as usize].is_empty()
    }

    /// Whether nothing is left but what led to executions that are not told themselves.
    pub fn is_again_only(&self) -> bool {
        self.0[..Rank::Again as usize].iter().all(VecDeque::is_empty)
    }
}

/// Where to go on.
#[derive(Clone)]
pub(super) enum Target {
    Node(NodeId),
    Before(Before),
}

/// A place to go on from, and under which name.
#[derive(Clone)]
pub(super) struct Pending {
    pub target: Target,
    pub name: Option<Named>,
    /// The function in whose types the name is meant.
    pub function: FuncId,
    pub value: Known,
    pub kind: Dependence,
    pub from: Option<usize>,
    /// The type of a value without a name: that of the one it was passed on to as it is.
    pub ty: TypeId,
    /// `value` is not known: it is that of the statement that will be found.
    pub unknown: bool,
    /// The trace in which this was found to be followed, by number; 0 for what a walk starts from. What was defined before that trace is
    /// looked for in an earlier one: what stands there at its end may have been written since.
    pub seen: u32,
    /// How soon it is followed.
    pub rank: Rank,
    /// The function that returned it, and whether it is a truth value.
    pub returned: Option<(String, bool)>,
    /// The value stayed as it was: the operation that the branch left out, or the name of what may have got another value.
    pub kept: Option<Kept>,
}

/// What a branch left out.
#[derive(Clone)]
pub(super) struct Kept {
    /// What would have changed; `None` where it has no name.
    pub name: Option<String>,
    /// The operation in the branch's function that would have changed it; `None` where there are several.
    pub pc: Option<u32>,
}

impl Pending {
    /// What gave a value, where a walk starts.
    pub fn data(target: Target, name: Option<Named>, function: FuncId, value: Known, from: Option<usize>) -> Self {
        Self {
            target,
            name,
            function,
            value,
            kind: Dependence::Data,
            from,
            ty: NO_TYPE,
            unknown: false,
            seen: 0,
            rank: Rank::Value,
            returned: None,
            kept: None,
        }
    }

    /// Whether it was defined before the trace with this number, as that one has shown.
    pub fn is_earlier_than(&self, trace: u32) -> bool {
        matches!(self.target, Target::Before(_)) && self.seen == trace
    }
}

impl From<Source> for Target {
    fn from(source: Source) -> Self {
        match source {
            Source::Node(node) => Target::Node(node),
            Source::Before(before) => Target::Before(before),
        }
    }
}
