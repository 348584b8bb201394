//! What is known of a function without running it: where branches join, what is live there, which values leave their
//! statement.

use whydunit_library::{Ending, lookup};
use whydunit_model::flow::{Flow, NO_BLOCK, successors};
use whydunit_model::{BlockId, Callee, Function, IntOp, Module, Op, Slot};
use whydunit_replay::{defined, for_each_read, panics};

use crate::statement::{NO_STATEMENT, StatementId, Statements};

/// A set of slots.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SlotSet(Vec<u64>);

impl SlotSet {
    fn new(slots: u32) -> Self {
        Self(vec![0; (slots as usize).div_ceil(64)])
    }
    /// Whether a slot is in it.
    pub fn has(&self, slot: Slot) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
    fn add(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word |= 1 << (slot % 64);
        }
    }
    fn remove(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word &= !(1 << (slot % 64));
        }
    }
    /// Its slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = Slot> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            (0..64u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| index as u32 * 64 + bit)
        })
    }
}

/// Facts of a function.
pub struct Facts {
    /// For each block where the branch at its end joins again: the immediate post-dominator among the ways that come back
    /// from the function; [`NO_BLOCK`] where that is the return.
    pub joins: Vec<BlockId>,
    /// For each block whether the function can return from there.
    pub returns: Vec<bool>,
    /// For each block the slots that are read before they are written from there on.
    pub live: Vec<SlotSet>,
    /// For each operation its statement.
    pub statements: Vec<StatementId>,
    /// For each operation whether its result is used by another statement.
    pub leaves: Vec<bool>,
    /// For each operation its block.
    pub blocks: Vec<BlockId>,
    reads: Vec<Slot>,
    first_read: Vec<u32>,
    written: Vec<SlotSet>,
    successors: Vec<Vec<BlockId>>,
}

impl Facts {
    /// Of a function of `module`.
    pub fn of(module: &Module, function: &Function, numbers: &mut Statements) -> Self {
        let flow = Flow::of(function);
        let returns = returning(function, &flow);
        let joins = joins(&flow, &returns);
        let statements: Vec<_> = (0..function.code.len()).map(|pc| numbers.of(module, function, pc)).collect();
        let (mut reads, mut first_read) = (Vec::new(), Vec::with_capacity(function.code.len() + 1));
        for op in &function.code {
            first_read.push(reads.len() as u32);
            for_each_read(function, op, |slot| reads.push(slot));
        }
        first_read.push(reads.len() as u32);
        for (pc, &statement) in statements.iter().enumerate() {
            if asserts(module, function, pc) {
                numbers.assertion(statement);
            }
        }
        let mut blocks = vec![0; function.code.len()];
        for (number, block) in function.blocks.iter().enumerate() {
            blocks[block.start as usize..block.end as usize].fill(number as BlockId);
        }
        let written = (0..function.blocks.len()).map(|block| written(function, block)).collect();
        let mut facts = Self {
            joins,
            returns,
            live: Vec::new(),
            statements,
            leaves: Vec::new(),
            blocks,
            reads,
            first_read,
            written,
            successors: flow.successors,
        };
        facts.live = facts.liveness(function);
        facts.leaves = facts.leaving(function);
        facts
    }

    /// The slots that an operation reads.
    #[inline]
    pub fn reads(&self, pc: u32) -> &[Slot] {
        let pc = pc as usize;
        &self.reads[self.first_read[pc] as usize..self.first_read[pc + 1] as usize]
    }

    /// The blocks that can run from `arm` on before `join` is reached.
    pub fn region(&self, arm: BlockId, join: BlockId) -> Vec<BlockId> {
        let mut seen = vec![false; self.successors.len()];
        let (mut out, mut todo) = (Vec::new(), vec![arm]);
        while let Some(block) = todo.pop() {
            if block == join || std::mem::replace(&mut seen[block as usize], true) {
                continue;
            }
            out.push(block);
            todo.extend(&self.successors[block as usize]);
        }
        out.sort_unstable();
        out
    }

    /// Whether any of these blocks writes a slot.
    pub fn may_write(&self, region: &[BlockId], slot: Slot) -> bool {
        region.iter().any(|&block| self.written[block as usize].has(slot))
    }

    /// Slots read before they are written, by block, backwards over the flow.
    fn liveness(&self, function: &Function) -> Vec<SlotSet> {
        let blocks = function.blocks.len();
        let mut uses = vec![SlotSet::new(function.slots); blocks];
        for (number, block) in function.blocks.iter().enumerate() {
            for pc in (block.start..block.end).rev() {
                if let Some((slot, words)) = defined(function, &function.code[pc as usize]) {
                    (slot..slot + words).for_each(|slot| uses[number].remove(slot));
                }
                self.reads(pc).iter().for_each(|&slot| uses[number].add(slot));
            }
        }
        let mut live = uses.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..blocks).rev() {
                for &next in &self.successors[block] {
                    for word in 0..live[block].0.len() {
                        let more = live[next as usize].0[word] & !self.written[block].0[word] & !live[block].0[word];
                        live[block].0[word] |= more;
                        changed |= more != 0;
                    }
                }
            }
        }
        live
    }

    /// Which results are used by an operation of another statement, or after their block.
    fn leaving(&self, function: &Function) -> Vec<bool> {
        let mut leaves = vec![false; function.code.len()];
        for (number, block) in function.blocks.iter().enumerate() {
            let mut live = SlotSet::new(function.slots);
            for &next in &self.successors[number] {
                live.0.iter_mut().zip(&self.live[next as usize].0).for_each(|(word, more)| *word |= more);
            }
            // Statement that reads a slot next; several of them count as another one.
            let mut readers = vec![NO_READER; function.slots as usize];
            live.iter().for_each(|slot| readers[slot as usize] = OTHERS);
            for pc in (block.start..block.end).rev() {
                let statement = self.statements[pc as usize];
                if let Some((slot, words)) = defined(function, &function.code[pc as usize]) {
                    for slot in slot..slot + words {
                        let reader = std::mem::replace(&mut readers[slot as usize], NO_READER);
                        leaves[pc as usize] |= reader != NO_READER && reader != u64::from(statement);
                    }
                }
                for &slot in self.reads(pc) {
                    let reader = &mut readers[slot as usize];
                    let other = block.edge || *reader != NO_READER && *reader != u64::from(statement);
                    *reader = if other { OTHERS } else { statement.into() };
                }
            }
        }
        leaves.iter_mut().zip(&self.statements).for_each(|(leaves, &statement)| *leaves &= statement != NO_STATEMENT);
        leaves
    }
}

const NO_READER: u64 = u64::MAX;
const OTHERS: u64 = u64::MAX - 1;

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
        Op::Call { call } => {
            let Callee::Direct(callee) = function.calls[*call as usize].callee else { return false };
            let name = module.functions.get(callee as usize).map_or("", |function| &function.name);
            let ending = lookup(name).and_then(|known| known.function.ending);
            matches!(ending, Some(Ending::Abort | Ending::Assertion { .. } | Ending::Throw)) || panics(name)
        }
        _ => false,
    }
}

/// Whether an operation is what a failed assertion calls.
fn asserts(module: &Module, function: &Function, pc: usize) -> bool {
    let Op::Call { call } = function.code[pc] else { return false };
    let Callee::Direct(callee) = function.calls[call as usize].callee else { return false };
    let name = module.functions.get(callee as usize).map(|function| function.name.as_str());
    let ending = name.and_then(lookup).and_then(|known| known.function.ending);
    matches!(ending, Some(Ending::Assertion { .. }))
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
            successors(function, block).is_empty() && matches!(function.code[..end].last(), Some(Op::Return { .. }))
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

/// Where the branch of a block joins; [`NO_BLOCK`] at the function's return.
pub fn join_of(facts: &Facts, block: BlockId) -> BlockId {
    facts.joins.get(block as usize).copied().unwrap_or(NO_BLOCK)
}
