//! The branch that led to where a run stands.

use std::collections::BTreeSet;

use whydunit_dataflow::flow::Flow;
use whydunit_model::{BlockId, Function, Op};
use whydunit_replay::{At, Position};

/// The branch that decides that a run comes to where it stands: of the present function or, where none of it does, of those that
/// called it. None where branches of several lines do.
pub fn deciding(at: &At<'_>) -> Option<Position> {
    for At { function, model, pc, .. } in at.frames() {
        let position = |pc| at.code.position(function, pc);
        let own = |pc: u32| model.is_own(pc as usize);
        // What a call decides in whose place code stands does not decide about the function's own code.
        let deciders = deciders(model, pc).into_iter().filter(|&branch| own(branch) || !own(pc));
        let branches: Vec<Position> = deciders.map(position).collect();
        let lines: BTreeSet<u32> = branches.iter().map(|branch| branch.loc.line).collect();
        if let Some(first) = branches.into_iter().next() {
            return (lines.len() == 1).then_some(first);
        }
    }
    None
}

/// The operation that a branch decided about, of those under way: the innermost one. Calls that may throw decide, too, and are left out.
/// `None` where no branch decided about any.
pub fn decided(at: &At<'_>) -> Option<Position> {
    let found = at.frames().find(|At { model, pc, .. }| {
        let is_branch = |pc: &u32| matches!(model.code[*pc as usize], Op::Branch { .. } | Op::Switch { .. });
        deciders(model, *pc).iter().any(is_branch)
    });
    found.map(|at| at.code.position(at.function, at.pc))
}

/// The block that an operation stands in, by its number; `None` for what is no operation of the function.
pub fn block_at(function: &Function, pc: u32) -> Option<usize> {
    function.blocks.iter().position(|block| (block.start..block.end).contains(&pc))
}

/// The same where the block holds only the moves of an edge.
pub fn edge_at(function: &Function, pc: u32) -> Option<usize> {
    block_at(function, pc).filter(|&block| function.blocks[block].edge)
}

/// Whether an operation hands a value on to a block that several ways lead to: on an edge, or before the jump of a block with one way on.
pub fn is_handed_on(function: &Function, pc: u32) -> bool {
    let mut on = function.code[pc as usize..].iter().skip_while(|op| matches!(op, Op::Copy { .. }));
    matches!(function.code[pc as usize], Op::Copy { .. })
        && (edge_at(function, pc).is_some() || matches!(on.next(), Some(Op::Jump { .. })))
}

/// The branches that an operation depends on for being executed, by their operations.
pub fn deciders(function: &Function, pc: u32) -> Vec<u32> {
    let block = block_at(function, pc);
    let last = |block: BlockId| function.blocks[block as usize].end.saturating_sub(1);
    let dependence = Flow::of(function).control_dependence();
    block.and_then(|block| dependence.get(block)).into_iter().flatten().map(|&block| last(block)).collect()
}
