//! Threads that do not run, as a trace keeps them.

use super::FrameTrace;
use crate::nodes::{BEFORE, NodeId};

/// What belongs to a thread that does not run.
pub(super) struct Away {
    pub now: FrameTrace,
    pub outer: Vec<FrameTrace>,
    pub branches: Vec<NodeId>,
    pub returned: Vec<NodeId>,
    pub calls: Vec<(usize, NodeId)>,
    pub range: NodeId,
}

impl Default for Away {
    fn default() -> Self {
        let (outer, branches, returned, calls) = Default::default();
        Self { now: FrameTrace::none(), outer, branches, returned, calls, range: BEFORE }
    }
}
