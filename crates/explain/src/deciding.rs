//! What decided that an execution took place: the branch, and the calls between it and the execution.

use whydunit_causes::nodes::{INITIAL, NodeId, NodeKind};
use whydunit_causes::trace::Trace;
use whydunit_model::Op;
use whydunit_replay::Code;

/// Calls inside each other that are followed.
const CALLS: usize = 1000;

/// Whether an execution is one of a branch.
pub(crate) fn is_branch(trace: &Trace, code: &Code, id: NodeId) -> bool {
    let node = trace.node(id);
    let op = code.model(node.function).code.get(node.pc as usize);
    node.kind == NodeKind::Operation && matches!(op, Some(Op::Branch { .. } | Op::Switch { .. }))
}

/// What decided, the calls first through which it did, the innermost first, then the branch.
fn deciding<'a>(trace: &'a Trace, code: &'a Code, node: NodeId) -> impl Iterator<Item = (NodeId, bool)> + 'a {
    let mut next = Some(node);
    let chain = std::iter::from_fn(move || {
        let node = next.take().filter(|node| *node > INITIAL)?;
        let branch = is_branch(trace, code, node);
        next = (!branch).then(|| trace.node(node).control);
        Some((node, branch))
    });
    chain.take(CALLS)
}

/// The branch that decided, through calls where they did.
pub(crate) fn branch_of(trace: &Trace, code: &Code, node: NodeId) -> Option<NodeId> {
    deciding(trace, code, node).find_map(|(node, branch)| branch.then_some(node))
}

/// The calls without which an execution would not have been, whatever branches decided.
pub(crate) fn calls_to<'a>(trace: &'a Trace, code: &'a Code, node: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    deciding(trace, code, trace.node(node).control).filter_map(|(node, branch)| (!branch).then_some(node))
}
