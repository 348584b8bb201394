//! Pre-decoded code: a function's operations turned into fixed-size ones without constants or nested choices, with the
//! common pairs fused.
//!
//! A frame holds its slots and, behind them, a copy of the constant pool, so that an operand is an index and no more.
//! A value that only the fused partner reads is not written; values that debug information shows are.

use whydunit_model::{FloatOp, FloatPred, Function, IntOp, IntPred, Op, Opnd, Scalar, Slot};

use whydunit_model::for_each_read;

/// Where a branch goes: the operation, and the instructions of the block entered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub pc: u32,
    pub count: u32,
}

/// Size of a load or store, and its access mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    B1,
    B2,
    B4,
    B8,
}

/// A pre-decoded operation. `d` is a slot, other letters are operands; `t` is an index of [`Prepared::targets`].
#[derive(Clone, Copy, Debug)]
#[rustfmt::skip]
pub(crate) enum Fast {
    Add64 { d: u32, a: u32, b: u32 },
    Add32 { d: u32, a: u32, b: u32 },
    Sub64 { d: u32, a: u32, b: u32 },
    Sub32 { d: u32, a: u32, b: u32 },
    Mul64 { d: u32, a: u32, b: u32 },
    Mul32 { d: u32, a: u32, b: u32 },
    And { d: u32, a: u32, b: u32 },
    Or { d: u32, a: u32, b: u32 },
    Xor { d: u32, a: u32, b: u32 },
    Shl64 { d: u32, a: u32, b: u32 },
    Shl32 { d: u32, a: u32, b: u32 },
    LShr64 { d: u32, a: u32, b: u32 },
    LShr32 { d: u32, a: u32, b: u32 },
    AShr64 { d: u32, a: u32, b: u32 },
    AShr32 { d: u32, a: u32, b: u32 },
    /// Any other operation that may trap; at a trap the model's operation is executed.
    Int { op: IntOp, w: u8, d: u32, a: u32, b: u32 },
    Eq { d: u32, a: u32, b: u32 },
    Ne { d: u32, a: u32, b: u32 },
    Ult { d: u32, a: u32, b: u32 },
    Ule { d: u32, a: u32, b: u32 },
    Slt32 { d: u32, a: u32, b: u32 },
    Sle32 { d: u32, a: u32, b: u32 },
    Slt64 { d: u32, a: u32, b: u32 },
    Sle64 { d: u32, a: u32, b: u32 },
    ICmp { pred: IntPred, w: u8, d: u32, a: u32, b: u32 },
    IfEq { t: u32, a: u32, b: u32 },
    IfNe { t: u32, a: u32, b: u32 },
    IfUlt { t: u32, a: u32, b: u32 },
    IfUle { t: u32, a: u32, b: u32 },
    IfSlt32 { t: u32, a: u32, b: u32 },
    IfSle32 { t: u32, a: u32, b: u32 },
    IfSlt64 { t: u32, a: u32, b: u32 },
    IfSle64 { t: u32, a: u32, b: u32 },
    If { t: u32, a: u32 },
    Jump { t: u32 },
    CopyJump { d: u32, a: u32, t: u32 },
    Switch { w: u8, a: u32, table: u32 },
    Sext32To64 { d: u32, a: u32 },
    Sext { from: u8, to: u8, d: u32, a: u32 },
    Trunc { to: u8, d: u32, a: u32 },
    Copy { d: u32, a: u32 },
    Copy2 { d: u32, a: u32 },
    PtrAdd { d: u32, a: u32, offset: i32 },
    Index64 { scale: u16, d: u32, a: u32, i: u32 },
    Index32 { scale: u16, d: u32, a: u32, i: u32 },
    Load { size: Size, d: u32, a: u32, offset: i32 },
    LoadIndex64 { size: Size, scale: u16, d: u32, a: u32, i: u32 },
    LoadIndex32 { size: Size, scale: u16, d: u32, a: u32, i: u32 },
    Store { size: Size, v: u32, a: u32, offset: i32 },
    StoreIndex64 { size: Size, scale: u16, v: u32, a: u32, i: u32 },
    StoreIndex32 { size: Size, scale: u16, v: u32, a: u32, i: u32 },
    Float64 { op: FloatOp, d: u32, a: u32, b: u32 },
    Float32 { op: FloatOp, d: u32, a: u32, b: u32 },
    FCmp64 { pred: FloatPred, d: u32, a: u32, b: u32 },
    Safepoint,
    Call { call: u32 },
    Return { n: u8, a: u32 },
    /// The model's operation is executed by the other executor's function.
    Plain,
    /// The other executor takes over for this operation.
    Leave,
    /// What is followed of the run changes here.
    Mark { mark: u32 },
}

/// A switch whose targets are known.
#[derive(Clone, Debug)]
pub(crate) struct FastSwitch {
    low: u64,
    dense: Box<[Target]>,
    sparse: Box<[(u64, Target)]>,
    default: Target,
}

impl FastSwitch {
    #[inline]
    pub fn target(&self, value: u64) -> Target {
        if self.sparse.is_empty() {
            self.dense.get(value.wrapping_sub(self.low) as usize).copied().unwrap_or(self.default)
        } else {
            match self.sparse.binary_search_by_key(&value, |case| case.0) {
                Ok(at) => self.sparse[at].1,
                Err(_) => self.default,
            }
        }
    }
}

/// A call of a captured function with fixed arguments, once it is known who is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct FastCall {
    /// State of the symbols for which the rest holds; 0: none.
    pub generation: u64,
    pub callee: u32,
    /// Where the result goes.
    pub dst: u32,
    /// Operands and the callee's slots that they go to.
    pub moves: Box<[(u32, u32)]>,
}

/// The pre-decoded code of a function.
pub(crate) struct Prepared {
    pub code: Box<[Fast]>,
    /// Index in the model's code of each operation (the first of fused ones).
    pub model_pc: Box<[u32]>,
    /// Index in the model's code behind each operation.
    pub behind: Box<[u32]>,
    /// For each of the model's operations the one that begins with it; [`NONE`] inside a fused one.
    pub start: Box<[u32]>,
    /// Site of each load and the operation that contains it, sorted.
    pub loads: Box<[(u32, u32)]>,
    pub targets: Box<[Target]>,
    pub switches: Box<[FastSwitch]>,
    pub calls: Vec<FastCall>,
}

/// No operation.
pub(crate) const NONE: u32 = u32::MAX;

struct Builder<'a> {
    function: &'a Function,
    slots: u32,
    /// How often each slot is read.
    reads: Vec<u32>,
    code: Vec<Fast>,
    model_pc: Vec<u32>,
    behind: Vec<u32>,
    marked: bool,
    start: Vec<u32>,
    within: Vec<u32>,
    /// Blocks, until their operations' places are known.
    targets: Vec<u32>,
}

impl Prepared {
    pub fn of(function: &Function) -> Prepared {
        Self::made(function, None)
    }

    /// The same with marks: for each operation the number of its mark, plus 1, or 0. No blocks are passed through.
    pub fn marked(function: &Function, marks: &[u32]) -> Prepared {
        Self::made(function, Some(marks))
    }

    fn made(function: &Function, marks: Option<&[u32]>) -> Prepared {
        let mut reads = vec![0u32; function.slots as usize];
        for op in &function.code {
            for_each_read(function, op, |slot| reads[slot as usize] += 1);
        }
        for value in &function.debug_values {
            if let Some(operand) = value.value.filter(|operand| !operand.is_const()) {
                // Never the only reader: it is shown, so it is written.
                reads[operand.index() as usize] += 2;
            }
        }
        let len = function.code.len();
        let mut builder = Builder {
            function,
            slots: function.slots,
            reads,
            code: Vec::with_capacity(len),
            model_pc: Vec::with_capacity(len),
            behind: Vec::with_capacity(len),
            marked: marks.is_some(),
            start: vec![NONE; len],
            within: vec![NONE; len],
            targets: Vec::new(),
        };
        for block in &function.blocks {
            let mut pc = block.start as usize;
            let mut end = pc;
            let mark = |pc: usize| marks.and_then(|marks| marks[pc].checked_sub(1));
            while pc < block.end as usize {
                // What is fused lies between marks.
                if end <= pc {
                    let next = (pc + 1..block.end as usize).find(|pc| mark(*pc).is_some());
                    end = next.unwrap_or(block.end as usize);
                }
                let (fast, taken) = builder.select(pc, end);
                builder.start[pc] = builder.code.len() as u32;
                // The other executor passes the marks of its operations.
                if let Some(mark) = mark(pc).filter(|_| !matches!(fast, Fast::Plain | Fast::Leave)) {
                    builder.put(Fast::Mark { mark }, pc, pc);
                }
                builder.within[pc..pc + taken].fill(builder.code.len() as u32);
                builder.put(fast, pc, pc + taken);
                pc += taken;
            }
        }
        builder.finish()
    }

    /// The operation that begins with one of the model's; none inside a fused one, and in code that was added since.
    #[inline(always)]
    pub fn at(&self, pc: u32) -> Option<u32> {
        self.start.get(pc as usize).copied().filter(|start| *start != NONE)
    }

    #[inline(always)]
    pub fn starts_at(&self, pc: u32) -> bool {
        self.at(pc).is_some()
    }

    /// Leaves one of the model's operations, which is no jump, to the other executor, until [`Self::put_back`].
    pub fn leave_at(&mut self, pc: u32) -> Left {
        let first = (0..=pc).rev().find_map(|pc| self.at(pc)).unwrap_or(0);
        Left { first, fast: std::mem::replace(&mut self.code[first as usize], Fast::Leave) }
    }

    pub fn put_back(&mut self, left: Left) {
        self.code[left.first as usize] = left.fast;
    }
}

/// An operation that is left to the other executor.
#[derive(Debug)]
pub(crate) struct Left {
    first: u32,
    fast: Fast,
}

impl Builder<'_> {
    fn put(&mut self, fast: Fast, from: usize, behind: usize) {
        self.code.push(fast);
        self.model_pc.push(from as u32);
        self.behind.push(behind as u32);
    }

    fn operand(&self, operand: Opnd) -> u32 {
        if operand.is_const() { self.slots + operand.index() } else { operand.index() }
    }

    fn target(&mut self, block: u32) -> u32 {
        self.targets.push(block);
        self.targets.len() as u32 - 1
    }

    /// Whether `operand` is `slot` and nothing else ever reads it.
    fn only_here(&self, operand: Opnd, slot: Slot) -> bool {
        operand == Opnd::slot(slot) && self.reads[slot as usize] == 1
    }

    /// The operation for what stands at `pc`, and how many of the model's it takes.
    fn select(&mut self, pc: usize, end: usize) -> (Fast, usize) {
        let function = self.function;
        let code = &function.code[..end];
        let next = code.get(pc + 1);
        match (&code[pc], next) {
            (&Op::ICmp { pred, w, dst, a, b }, Some(&Op::Branch { cond, then, els })) if self.only_here(cond, dst) => {
                if let Some((fast, swapped)) = self.compare_and_branch(pred, w, a, b) {
                    let (then, els) = if swapped { (els, then) } else { (then, els) };
                    // The target taken when the condition does not hold comes first.
                    let t = self.target(els);
                    self.target(then);
                    return (with_target(fast, t), 2);
                }
            }
            (&Op::PtrAdd { dst, base, offset }, Some(access)) => {
                if let (Some((address, kind)), Ok(offset)) = (self.access(access), i32::try_from(offset))
                    && self.only_here(address, dst)
                {
                    return (kind.plain(self.operand(base), offset), 2);
                }
            }
            (&Op::PtrIndex { w, dst, base, index, scale }, Some(access)) if w == 64 || w == 32 => {
                if let (Some((address, kind)), Ok(scale)) = (self.access(access), u16::try_from(scale))
                    && self.only_here(address, dst)
                {
                    return (kind.indexed(w == 32, scale, self.operand(base), self.operand(index)), 2);
                }
            }
            (&Op::SExt { from: 32, to: 64, dst, a }, Some(&Op::PtrIndex { w: 64, dst: to, base, index, scale }))
                if self.only_here(index, dst) =>
            {
                if let Ok(scale) = u16::try_from(scale) {
                    let (base, index) = (self.operand(base), self.operand(a));
                    if let Some((address, kind)) = code.get(pc + 2).and_then(|access| self.access(access))
                        && self.only_here(address, to)
                    {
                        return (kind.indexed(true, scale, base, index), 3);
                    }
                    return (Fast::Index32 { scale, d: to, a: base, i: index }, 2);
                }
            }
            (&Op::Copy { n: 1, dst, a }, Some(&Op::Jump { to })) => {
                let t = self.target(to);
                return (Fast::CopyJump { d: dst, a: self.operand(a), t }, 2);
            }
            _ => {}
        }
        (self.single(&code[pc]), 1)
    }

    /// Address and kind of a load or store that the fast executor does itself.
    fn access(&self, op: &Op) -> Option<(Opnd, Access)> {
        match *op {
            Op::Load { ty, dst, addr } => Some((addr, Access { size: size_of(ty)?, store: false, value: dst })),
            Op::Store { ty, value, addr } => {
                // A stored value that is also the address cannot be fused: the address would not be there.
                let access = Access { size: size_of(ty)?, store: true, value: self.operand(value) };
                (value != addr).then_some((addr, access))
            }
            _ => None,
        }
    }

    fn compare_and_branch(&self, pred: IntPred, w: u8, a: Opnd, b: Opnd) -> Option<(Fast, bool)> {
        let (x, y) = (self.operand(a), self.operand(b));
        let t = 0;
        if w > 64 {
            return None;
        }
        let signed32 = w == 32;
        let signed64 = w == 64;
        Some(match pred {
            IntPred::Eq => (Fast::IfEq { t, a: x, b: y }, false),
            IntPred::Ne => (Fast::IfNe { t, a: x, b: y }, false),
            IntPred::Ult => (Fast::IfUlt { t, a: x, b: y }, false),
            IntPred::Ule => (Fast::IfUle { t, a: x, b: y }, false),
            IntPred::Ugt => (Fast::IfUlt { t, a: y, b: x }, false),
            IntPred::Uge => (Fast::IfUle { t, a: y, b: x }, false),
            IntPred::Slt if signed32 => (Fast::IfSlt32 { t, a: x, b: y }, false),
            IntPred::Sle if signed32 => (Fast::IfSle32 { t, a: x, b: y }, false),
            IntPred::Sgt if signed32 => (Fast::IfSlt32 { t, a: y, b: x }, false),
            IntPred::Sge if signed32 => (Fast::IfSle32 { t, a: y, b: x }, false),
            IntPred::Slt if signed64 => (Fast::IfSlt64 { t, a: x, b: y }, false),
            IntPred::Sle if signed64 => (Fast::IfSle64 { t, a: x, b: y }, false),
            IntPred::Sgt if signed64 => (Fast::IfSlt64 { t, a: y, b: x }, false),
            IntPred::Sge if signed64 => (Fast::IfSle64 { t, a: y, b: x }, false),
            _ => return None,
        })
    }

    fn single(&mut self, op: &Op) -> Fast {
        match *op {
            Op::Int { op, w, dst: d, a, b, .. } => self.int(op, w, d, self.operand(a), self.operand(b)),
            Op::ICmp { pred, w, dst: d, a, b } if w <= 64 => self.icmp(pred, w, d, self.operand(a), self.operand(b)),
            Op::Trunc { to, dst: d, a } if to <= 64 => Fast::Trunc { to, d, a: self.operand(a) },
            Op::ZExt { from, to, dst: d, a } if from <= 64 && to <= 64 => Fast::Copy { d, a: self.operand(a) },
            Op::SExt { from: 32, to: 64, dst: d, a } => Fast::Sext32To64 { d, a: self.operand(a) },
            Op::SExt { from, to, dst: d, a } if to <= 64 => Fast::Sext { from, to, d, a: self.operand(a) },
            Op::Copy { n: 1, dst: d, a } => Fast::Copy { d, a: self.operand(a) },
            Op::Copy { n: 2, dst: d, a } if !a.is_const() && a.index() + 1 != d => {
                Fast::Copy2 { d, a: self.operand(a) }
            }
            Op::PtrAdd { dst: d, base, offset } => match i32::try_from(offset) {
                Ok(offset) => Fast::PtrAdd { d, a: self.operand(base), offset },
                Err(_) => Fast::Plain,
            },
            Op::PtrIndex { w, dst: d, base, index, scale } => match (w, u16::try_from(scale)) {
                (64, Ok(scale)) => Fast::Index64 { scale, d, a: self.operand(base), i: self.operand(index) },
                (32, Ok(scale)) => Fast::Index32 { scale, d, a: self.operand(base), i: self.operand(index) },
                _ => Fast::Plain,
            },
            Op::Load { .. } | Op::Store { .. } => match self.access(op) {
                Some((address, kind)) => kind.plain(self.operand(address), 0),
                None => match *op {
                    // A pointer stored where it points.
                    Op::Store { ty, value, addr } if size_of(ty).is_some() => {
                        let size = size_of(ty).unwrap_or(Size::B8);
                        Fast::Store { size, v: self.operand(value), a: self.operand(addr), offset: 0 }
                    }
                    Op::Store { .. } => Fast::Plain,
                    _ => Fast::Leave,
                },
            },
            Op::Float { op, ty: Scalar::F64, dst: d, a, b } => {
                Fast::Float64 { op, d, a: self.operand(a), b: self.operand(b) }
            }
            Op::Float { op, ty: Scalar::F32, dst: d, a, b } => {
                Fast::Float32 { op, d, a: self.operand(a), b: self.operand(b) }
            }
            Op::FCmp { pred, ty: Scalar::F64, dst: d, a, b } => {
                Fast::FCmp64 { pred, d, a: self.operand(a), b: self.operand(b) }
            }
            Op::Jump { to } => Fast::Jump { t: self.target(to) },
            Op::Branch { cond, then, els } => {
                let t = self.target(els);
                self.target(then);
                Fast::If { t, a: self.operand(cond) }
            }
            Op::Switch { w, value, table } => Fast::Switch { w, a: self.operand(value), table },
            Op::Return { n, a } => Fast::Return { n, a: if n == 0 { 0 } else { self.operand(a) } },
            Op::Safepoint => Fast::Safepoint,
            Op::Call { call } => Fast::Call { call },
            // Reads that the recorder checks, and what ends the run, are looked at by the other executor.
            Op::AtomicRmw { .. }
            | Op::CmpXchg { .. }
            | Op::CheckRange { .. }
            | Op::Trap { .. }
            | Op::Wide { .. }
            | Op::LandingPad { .. }
            | Op::Resume { .. } => Fast::Leave,
            _ => Fast::Plain,
        }
    }

    fn int(&self, op: IntOp, w: u8, d: u32, a: u32, b: u32) -> Fast {
        match (op, w) {
            (IntOp::Add, 64) => Fast::Add64 { d, a, b },
            (IntOp::Add, 32) => Fast::Add32 { d, a, b },
            (IntOp::Sub, 64) => Fast::Sub64 { d, a, b },
            (IntOp::Sub, 32) => Fast::Sub32 { d, a, b },
            (IntOp::Mul, 64) => Fast::Mul64 { d, a, b },
            (IntOp::Mul, 32) => Fast::Mul32 { d, a, b },
            (IntOp::And, _) => Fast::And { d, a, b },
            (IntOp::Or, _) => Fast::Or { d, a, b },
            (IntOp::Xor, _) => Fast::Xor { d, a, b },
            (IntOp::Shl, 64) => Fast::Shl64 { d, a, b },
            (IntOp::Shl, 32) => Fast::Shl32 { d, a, b },
            (IntOp::LShr, 64) => Fast::LShr64 { d, a, b },
            (IntOp::LShr, 32) => Fast::LShr32 { d, a, b },
            (IntOp::AShr, 64) => Fast::AShr64 { d, a, b },
            (IntOp::AShr, 32) => Fast::AShr32 { d, a, b },
            _ => Fast::Int { op, w, d, a, b },
        }
    }

    fn icmp(&self, pred: IntPred, w: u8, d: u32, a: u32, b: u32) -> Fast {
        match (pred, w) {
            (IntPred::Eq, _) => Fast::Eq { d, a, b },
            (IntPred::Ne, _) => Fast::Ne { d, a, b },
            (IntPred::Ult, _) => Fast::Ult { d, a, b },
            (IntPred::Ule, _) => Fast::Ule { d, a, b },
            (IntPred::Ugt, _) => Fast::Ult { d, a: b, b: a },
            (IntPred::Uge, _) => Fast::Ule { d, a: b, b: a },
            (IntPred::Slt, 32) => Fast::Slt32 { d, a, b },
            (IntPred::Sle, 32) => Fast::Sle32 { d, a, b },
            (IntPred::Sgt, 32) => Fast::Slt32 { d, a: b, b: a },
            (IntPred::Sge, 32) => Fast::Sle32 { d, a: b, b: a },
            (IntPred::Slt, 64) => Fast::Slt64 { d, a, b },
            (IntPred::Sle, 64) => Fast::Sle64 { d, a, b },
            (IntPred::Sgt, 64) => Fast::Slt64 { d, a: b, b: a },
            (IntPred::Sge, 64) => Fast::Sle64 { d, a: b, b: a },
            _ => Fast::ICmp { pred, w, d, a, b },
        }
    }

    fn finish(self) -> Prepared {
        let function = self.function;
        let through = if self.marked { 0 } else { 4 };
        let place = |block: u32| resolve(function, &self.start, block, through);
        let switches = function
            .switches
            .iter()
            .map(|switch| {
                let default = place(switch.default);
                let (low, high) = (switch.cases.first().map_or(0, |c| c.0), switch.cases.last().map_or(0, |c| c.0));
                let span = high.wrapping_sub(low);
                if span < 4 * switch.cases.len() as u64 + 16 {
                    let mut dense = vec![default; span as usize + 1];
                    // The first match wins.
                    for &(value, to) in switch.cases.iter().rev() {
                        dense[(value - low) as usize] = place(to);
                    }
                    let dense = if switch.cases.is_empty() { Vec::new() } else { dense };
                    FastSwitch { low, dense: dense.into(), sparse: Box::default(), default }
                } else {
                    let sparse = switch.cases.iter().map(|&(value, to)| (value, place(to))).collect();
                    FastSwitch { low, dense: Box::default(), sparse, default }
                }
            })
            .collect();
        let is_load = |pc: &usize| matches!(function.code[*pc], Op::Load { .. });
        let mut loads: Vec<(u32, u32)> =
            (0..function.code.len()).filter(is_load).map(|pc| (function.sites[pc], self.within[pc])).collect();
        loads.sort_unstable();
        Prepared {
            loads: loads.into(),
            targets: self.targets.iter().map(|&block| place(block)).collect(),
            switches,
            calls: vec![FastCall::default(); function.calls.len()],
            code: self.code.into(),
            model_pc: self.model_pc.into(),
            behind: self.behind.into(),
            start: self.start.into(),
        }
    }
}

/// The first operation of a block; so many blocks that only jump are passed through.
fn resolve(function: &Function, start: &[u32], block: u32, through: usize) -> Target {
    let mut block = &function.blocks[block as usize];
    let mut count = block.instructions;
    for _ in 0..through {
        match function.code[block.start as usize] {
            Op::Jump { to } => {
                block = &function.blocks[to as usize];
                count += block.instructions;
            }
            _ => break,
        }
    }
    Target { pc: start[block.start as usize], count }
}

fn size_of(ty: Scalar) -> Option<Size> {
    Some(match ty {
        Scalar::Int(8) => Size::B1,
        Scalar::Int(16) | Scalar::F16 => Size::B2,
        Scalar::Int(32) | Scalar::F32 => Size::B4,
        Scalar::Int(64) | Scalar::Ptr | Scalar::F64 => Size::B8,
        _ => return None,
    })
}

/// A load (to slot `value`) or a store (of operand `value`).
#[derive(Clone, Copy)]
struct Access {
    size: Size,
    store: bool,
    value: u32,
}

impl Access {
    fn plain(self, a: u32, offset: i32) -> Fast {
        let Access { size, store, value } = self;
        if store { Fast::Store { size, v: value, a, offset } } else { Fast::Load { size, d: value, a, offset } }
    }

    fn indexed(self, narrow: bool, scale: u16, a: u32, i: u32) -> Fast {
        let Access { size, store, value } = self;
        match (store, narrow) {
            (false, false) => Fast::LoadIndex64 { size, scale, d: value, a, i },
            (false, true) => Fast::LoadIndex32 { size, scale, d: value, a, i },
            (true, false) => Fast::StoreIndex64 { size, scale, v: value, a, i },
            (true, true) => Fast::StoreIndex32 { size, scale, v: value, a, i },
        }
    }
}

fn with_target(fast: Fast, to: u32) -> Fast {
    let mut fast = fast;
    match &mut fast {
        Fast::IfEq { t, .. }
        | Fast::IfNe { t, .. }
        | Fast::IfUlt { t, .. }
        | Fast::IfUle { t, .. }
        | Fast::IfSlt32 { t, .. }
        | Fast::IfSle32 { t, .. }
        | Fast::IfSlt64 { t, .. }
        | Fast::IfSle64 { t, .. } => *t = to,
        _ => {}
    }
    fast
}

const _: () = assert!(size_of_fast() == 16, "one operation is 16 bytes");

const fn size_of_fast() -> usize {
    std::mem::size_of::<Fast>()
}
