//! What a walk has still to follow.

use whydunit_model::{NO_TYPE, TypeId};
use whydunit_replay::FuncId;

use super::cause::Dependence;
use crate::access::Named;
use crate::nodes::NodeId;
use crate::trace::Before;
use crate::trace::inputs::Source;
use crate::value::Known;

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
}

impl Pending {
    /// What gave a value, where a walk starts.
    pub fn data(target: Target, name: Option<Named>, function: FuncId, value: Known, from: Option<usize>) -> Self {
        Self { target, name, function, value, kind: Dependence::Data, from, ty: NO_TYPE, unknown: false, seen: 0 }
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
