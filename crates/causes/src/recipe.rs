//! What a trace does at each operation of a function, worked out once: which slots it reads, which it defines.

use std::collections::HashSet;

use whydunit_dataflow::flow::Flow;
use whydunit_model::{BlockId, Function, Op, Opnd, defined};

/// No slot.
pub const NONE: u32 = u32::MAX;

/// What there is to do at one operation.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// First slot read, [`NONE`] for none or a constant. Of a load the address, of a store the value.
    pub a: u32,
    /// Second slot read. Of a store the address.
    pub b: u32,
    /// First slot defined.
    pub dst: u32,
    /// Slots defined.
    pub words: u8,
    /// Bytes loaded or stored.
    pub bytes: u8,
    /// The result depends on the operands alone; else the operation says what there is to do.
    pub pure: bool,
}

/// The steps of a function.
#[derive(Debug, Default)]
pub struct Recipe {
    /// By operation.
    pub steps: Vec<Step>,
    /// By block, the blocks whose branch decides whether it runs: a range of `deciders`.
    ranges: Vec<(u32, u32)>,
    deciders: Vec<u32>,
    /// By block, its first operation.
    starts: Vec<u32>,
}

impl Recipe {
    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.starts.len()
    }

    /// The block of an operation: blocks stand in the order of their operations.
    pub fn block_of(&self, pc: u32) -> u32 {
        self.starts.partition_point(|&start| start <= pc).saturating_sub(1) as u32
    }

    /// Of a function.
    pub fn of(model: &Function) -> Self {
        let mut recipe = Self {
            steps: model.code.iter().map(|op| step(model, op)).collect(),
            ranges: Vec::with_capacity(model.blocks.len()),
            deciders: Vec::new(),
            starts: model.blocks.iter().map(|block| block.start).collect(),
        };
        let dependence = Flow::of(model).control_dependence();
        for block in 0..dependence.len() {
            let first = recipe.deciders.len() as u32;
            recipe.deciders.extend(branches(model, &dependence, block as u32));
            recipe.ranges.push((first, recipe.deciders.len() as u32));
        }
        recipe
    }

    /// The blocks whose branch decides whether `block` runs.
    #[inline]
    pub fn deciders(&self, block: u32) -> &[u32] {
        match self.ranges.get(block as usize) {
            Some(&(from, to)) => &self.deciders[from as usize..to as usize],
            None => &[],
        }
    }
}

/// The blocks whose branch decides whether a block runs. That a call comes back, and does not leave by an exception, is no branch: what
/// decided about the call decides.
fn branches(model: &Function, dependence: &[Vec<BlockId>], block: BlockId) -> Vec<BlockId> {
    let of = |block: BlockId| dependence.get(block as usize).map_or(&[][..], Vec::as_slice);
    let (mut found, mut work) = (Vec::new(), of(block).to_vec());
    let mut seen: HashSet<BlockId> = work.iter().copied().collect();
    while let Some(decider) = work.pop() {
        let end = model.blocks[decider as usize].end.saturating_sub(1);
        if matches!(model.code[end as usize], Op::Branch { .. } | Op::Switch { .. }) {
            found.push(decider);
        } else {
            work.extend(of(decider).iter().filter(|outer| seen.insert(**outer)));
        }
    }
    found.sort_unstable();
    found
}

/// The slot that an operand reads.
fn slot(operand: Opnd) -> u32 {
    if operand.is_const() { NONE } else { operand.index() }
}

fn step(model: &Function, op: &Op) -> Step {
    let (dst, words) = defined(model, op).unwrap_or((NONE, 0));
    let step = Step { a: NONE, b: NONE, dst, words: words as u8, bytes: 0, pure: true };
    let one = |a: Opnd| Step { a: slot(a), ..step };
    // A constant first operand moves the second one to the front.
    let two = |a: Opnd, b: Opnd| {
        let (a, b) = if a.is_const() { (b, a) } else { (a, b) };
        Step { a: slot(a), b: slot(b), ..step }
    };
    match *op {
        Op::Int { a, b, .. }
        | Op::Wide { a, b, .. }
        | Op::Overflow { a, b, .. }
        | Op::ICmp { a, b, .. }
        | Op::Float { a, b, .. }
        | Op::FCmp { a, b, .. }
        | Op::Funnel { a, b, .. }
        | Op::Fma { a, b, .. } => two(a, b),
        Op::PtrIndex { base, index, .. } => two(index, base),
        Op::IntUnary { a, .. }
        | Op::Trunc { a, .. }
        | Op::ZExt { a, .. }
        | Op::SExt { a, .. }
        | Op::Copy { n: 1, a, .. }
        | Op::FloatUnary { a, .. }
        | Op::FConv { a, .. }
        | Op::FToInt { a, .. }
        | Op::IntToF { a, .. }
        | Op::PtrAdd { base: a, .. }
        | Op::Alloca { count: a, .. } => one(a),
        Op::StackAddr { .. } | Op::StackSave { .. } | Op::ThreadLocal { .. } | Op::LandingPad { .. } => step,
        Op::Load { ty, addr, .. } => Step { pure: false, bytes: ty.bytes() as u8, ..one(addr) },
        Op::Store { ty, value, addr } => {
            Step { a: slot(value), b: slot(addr), pure: false, bytes: ty.bytes() as u8, ..step }
        }
        Op::Branch { cond: a, .. } | Op::Switch { value: a, .. } => Step { pure: false, ..one(a) },
        // Each word comes from its own.
        Op::Copy { a, .. } => Step { pure: false, ..one(a) },
        Op::AtomicRmw { ty, .. } | Op::CmpXchg { ty, .. } => Step { pure: false, bytes: ty.bytes() as u8, ..step },
        _ => Step { pure: false, ..step },
    }
}
