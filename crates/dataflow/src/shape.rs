//! The shape of a function: where branches join again, from where it returns, what is live, which blocks lie between.

use whydunit_model::{BlockId, Callee, Function, IntOp, Module, Op, Slot, defined, names};

use crate::flow::{Flow, NO_BLOCK};
use crate::liveness::live_at_starts;
use crate::slots::SlotSet;

/// The shape of a function.
pub struct Shape {
    /// For each block where the branch at its end joins again: the immediate post-dominator among the ways that come back
    /// from the function; [`NO_BLOCK`] where that is the return.
    pub joins: Vec<BlockId>,
    /// For each block whether the function can return from there.
    pub returns: Vec<bool>,
    /// For each block the slots that are read before they are written from there on.
    pub live: Vec<SlotSet>,
    /// For each operation its block.
    pub blocks: Vec<BlockId>,
    /// The flow graph.
    pub flow: Flow,
    written: Vec<SlotSet>,
}

impl Shape {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let flow = Flow::of(function);
        let returns = returning(function, &flow);
        let joins = joins(&flow, &returns);
        let mut blocks = vec![0; function.code.len()];
        for (number, block) in function.blocks.iter().enumerate() {
            blocks[block.start as usize..block.end as usize].fill(number as BlockId);
        }
        let written = (0..function.blocks.len()).map(|block| written(function, block)).collect();
        let live = live_at_starts(function, &flow);
        Self { joins, returns, live, blocks, flow, written }
    }

    /// Where the branch of a block joins; [`NO_BLOCK`] at the function's return.
    pub fn join_of(&self, block: BlockId) -> BlockId {
        self.joins.get(block as usize).copied().unwrap_or(NO_BLOCK)
    }

    /// The blocks that can run from `arm` on before `join` is reached.
    pub fn region(&self, arm: BlockId, join: BlockId) -> Vec<BlockId> {
        let mut seen = vec![false; self.flow.successors.len()];
        let (mut out, mut todo) = (Vec::new(), vec![arm]);
        while let Some(block) = todo.pop() {
            if block == join || std::mem::replace(&mut seen[block as usize], true) {
                continue;
            }
            out.push(block);
            todo.extend(&self.flow.successors[block as usize]);
        }
        out.sort_unstable();
        out
    }

    /// Whether any of these blocks writes a slot.
    pub fn may_write(&self, region: &[BlockId], slot: Slot) -> bool {
        region.iter().any(|&block| self.written[block as usize].has(slot))
    }
}

/// Whether an operation is a division of integers.
pub fn divides(op: &Op) -> bool {
    let (Op::Int { op, .. } | Op::Wide { op, .. }) = op else { return false };
    matches!(op, IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem)
}

/// Whether a program may die at an operation, by what it says there: a division, a failed assertion, a panic, `abort`.
pub fn may_die(module: &Module, function: &Function, pc: usize) -> bool {
    match &function.code[pc] {
        op if divides(op) => true,
        Op::Trap { .. } => true,
        Op::Call { .. } => called(module, function, pc).is_some_and(|name| {
            asserts(module, function, pc) || matches!(name, "abort" | "__cxa_throw") || names::panics(name)
        }),
        _ => false,
    }
}

/// Whether an operation is what a failed assertion calls.
pub fn asserts(module: &Module, function: &Function, pc: usize) -> bool {
    matches!(called(module, function, pc), Some("__assert_fail" | "__assert" | "__assert_perror_fail"))
}

/// The symbol that an operation calls directly; `None` for what is no such call.
fn called<'m>(module: &'m Module, function: &Function, pc: usize) -> Option<&'m str> {
    let Op::Call { call } = function.code[pc] else { return None };
    let Callee::Direct(callee) = function.calls[call as usize].callee else { return None };
    module.functions.get(callee as usize).map(|function| function.name.as_str())
}

fn written(function: &Function, block: usize) -> SlotSet {
    let mut set = SlotSet::new(function.slots);
    let bounds = &function.blocks[block];
    for op in &function.code[bounds.start as usize..bounds.end as usize] {
        if let Some((slot, words)) = defined(function, op) {
            (slot..slot + words).for_each(|slot| set.add(slot));
        }
    }
    set
}

/// From which blocks a return can be reached.
fn returning(function: &Function, flow: &Flow) -> Vec<bool> {
    let mut returns = vec![false; function.blocks.len()];
    let mut todo: Vec<BlockId> = (0..function.blocks.len() as BlockId)
        .filter(|&block| {
            let end = function.blocks[block as usize].end as usize;
            flow.successors[block as usize].is_empty() && matches!(function.code[..end].last(), Some(Op::Return { .. }))
        })
        .collect();
    while let Some(block) = todo.pop() {
        if !std::mem::replace(&mut returns[block as usize], true) {
            todo.extend(&flow.predecessors[block as usize]);
        }
    }
    returns
}

/// Immediate post-dominators, ways that never come back left out wherever another one does: `if (bad) abort();` joins
/// behind itself.
fn joins(flow: &Flow, returns: &[bool]) -> Vec<BlockId> {
    let kept = flow
        .successors
        .iter()
        .enumerate()
        .map(|(block, targets)| {
            let back = |&&to: &&BlockId| !returns[block] || returns[to as usize];
            targets.iter().filter(back).copied().collect()
        })
        .collect();
    Flow::from_successors(kept).post_dominators()
}
