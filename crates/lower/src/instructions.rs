//! Instructions other than terminators and calls.

use whydunit_llvm::{AtomicRmwOp, FloatPredicate, IntPredicate, Opcode, Type, Value};
use whydunit_model::{
    AtomicOp, Clause, Demanded, Flags, FloatOp, FloatPred, FloatUnary, IntOp, IntPred, Op, Opnd, Pad, Scalar, Slot,
};

use crate::{body::Body, leaves::bits};

impl Body<'_, '_> {
    /// What a landing pad is entered for, as a number among the function's.
    fn pad(&mut self, value: Value) -> Option<u32> {
        let (cleanup, clauses) = value.clauses()?;
        let clause = |clause: Value| match clause.ty().is_pointer() {
            true => self.operand(clause).map(Clause::Catch),
            false => Some(Clause::Filter),
        };
        let clauses = clauses.into_iter().map(clause).collect::<Option<_>>()?;
        self.function.pads.push(Pad { cleanup, clauses });
        Some(self.function.pads.len() as u32 - 1)
    }

    /// Lowers one instruction; none where the model cannot express it.
    pub(crate) fn instruction(&mut self, value: Value) -> Option<()> {
        use Opcode::*;
        match value.opcode() {
            // Phis are moves on the edges to their block.
            LLVMPHI => self.shape(value.ty()).map(|_| ()),
            LLVMRet | LLVMBr | LLVMSwitch | LLVMUnreachable | LLVMIndirectBr | LLVMInvoke | LLVMCallBr | LLVMResume => {
                self.terminator(value)
            }
            LLVMCall => self.call(value),
            LLVMLandingPad => {
                // The exception and the selector: a pointer and an integer of 32 bits.
                let two = self.shape(value.ty()).is_some_and(|shape| shape.slots == 2);
                let dst = self.result(value).filter(|_| two)?;
                let pad = self.pad(value)?;
                self.emit(Op::LandingPad { dst, pad });
                Some(())
            }
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor => self.int_binary(value, int_op(value.opcode())?),
            LLVMFAdd => self.float_binary(value, FloatOp::Add),
            LLVMFSub => self.float_binary(value, FloatOp::Sub),
            LLVMFMul => self.float_binary(value, FloatOp::Mul),
            LLVMFDiv => self.float_binary(value, FloatOp::Div),
            LLVMFRem => self.float_binary(value, FloatOp::Rem),
            LLVMFNeg => self.float_unary(value, FloatUnary::Neg),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP | LLVMFPTrunc
            | LLVMFPExt | LLVMPtrToInt | LLVMPtrToAddr | LLVMIntToPtr => self.cast(value),
            LLVMBitCast => self.bitcast(value),
            LLVMAddrSpaceCast | LLVMFreeze => self.move_operand(value, 0),
            LLVMICmp => self.int_compare(value),
            LLVMFCmp => {
                let pred = float_pred(value.float_predicate());
                self.elementwise(value, |body, ty, dst, inputs| {
                    let (a, b) = (*inputs.first()?, *inputs.get(1)?);
                    body.emit(Op::FCmp { pred, ty, dst, a, b });
                    Some(())
                })
            }
            LLVMSelect => self.select(value),
            LLVMGetElementPtr => self.element_address(value),
            LLVMAlloca => self.alloca(value),
            LLVMLoad => self.load(value),
            LLVMStore => self.store(value),
            LLVMAtomicRMW => self.atomic_rmw(value),
            LLVMAtomicCmpXchg => self.compare_exchange(value),
            // One thread of captured code: nothing to order.
            LLVMFence => Some(()),
            LLVMExtractValue => {
                let whole = value.operand(0)?;
                let (part, ty) = self.context.types.part(whole.ty(), &value.indices())?;
                let n = self.shape(ty)?.slots;
                let (a, dst) = (self.operand(whole), self.result(value)?);
                if n > 0 {
                    self.copy(n, dst, a?.word(part));
                }
                Some(())
            }
            LLVMInsertValue => {
                let (whole, element) = (value.operand(0)?, value.operand(1)?);
                let (part, ty) = self.context.types.part(whole.ty(), &value.indices())?;
                let (slots, n) = (self.shape(whole.ty())?.slots, self.shape(ty)?.slots);
                if n == 0 {
                    return if slots == 0 { Some(()) } else { self.move_operand(value, 0) };
                }
                let (a, b, dst) = (self.operand(whole)?, self.operand(element)?, self.result(value)?);
                self.copy(slots, dst, a);
                self.copy(n, dst + part, b);
                Some(())
            }
            LLVMExtractElement => self.extract_element(value),
            LLVMInsertElement => self.insert_element(value),
            LLVMShuffleVector => self.shuffle(value),
            _ => None,
        }
    }

    /// The result is operand `index` as it is.
    pub(crate) fn move_operand(&mut self, value: Value, index: u32) -> Option<()> {
        let n = self.shape(value.ty())?.slots;
        if n == 0 {
            return Some(());
        }
        let (a, dst) = (self.input(value, index)?, self.result(value)?);
        self.copy(n, dst, a);
        Some(())
    }

    /// Lowers leaf after leaf: `each` gets the leaf's type (of the first operand), its result slot and its inputs.
    pub(crate) fn elementwise(
        &mut self,
        value: Value,
        mut each: impl FnMut(&mut Self, Scalar, Slot, &[Opnd]) -> Option<()>,
    ) -> Option<()> {
        let count = if value.is_call() { value.arg_count() } else { value.operand_count() };
        let from = self.shape(value.operand(0)?.ty())?;
        let to = self.shape(value.ty())?;
        let mut inputs = Vec::with_capacity(count as usize);
        for index in 0..count {
            inputs.push(self.input(value, index)?);
        }
        let mut dst = self.result(value)?;
        for (&ty, result) in from.leaves.iter().zip(&to.leaves) {
            each(self, ty, dst, &inputs)?;
            dst += result.slots();
            for input in &mut inputs {
                *input = input.word(ty.slots());
            }
        }
        Some(())
    }

    fn int_binary(&mut self, value: Value, op: IntOp) -> Option<()> {
        let flags = flags(value);
        self.elementwise(value, |body, ty, dst, inputs| body.int_op(op, ty, flags, dst, inputs))
    }

    /// One integer operation of any width.
    pub(crate) fn int_op(&mut self, op: IntOp, ty: Scalar, flags: Flags, dst: Slot, inputs: &[Opnd]) -> Option<()> {
        let (w, a, b) = (bits(ty), *inputs.first()?, *inputs.get(1)?);
        self.emit(if w > 64 { Op::Wide { op, w, flags, dst, a, b } } else { Op::Int { op, w, flags, dst, a, b } });
        Some(())
    }

    pub(crate) fn float_binary(&mut self, value: Value, op: FloatOp) -> Option<()> {
        self.elementwise(value, |body, ty, dst, inputs| {
            let (a, b) = (*inputs.first()?, *inputs.get(1)?);
            body.emit(Op::Float { op, ty, dst, a, b });
            Some(())
        })
    }

    pub(crate) fn float_unary(&mut self, value: Value, op: FloatUnary) -> Option<()> {
        self.elementwise(value, |body, ty, dst, inputs| {
            body.emit(Op::FloatUnary { op, ty, dst, a: *inputs.first()? });
            Some(())
        })
    }

    fn int_compare(&mut self, value: Value) -> Option<()> {
        let pred = int_pred(value.int_predicate());
        self.elementwise(value, |body, ty, dst, inputs| {
            let (a, b) = (*inputs.first()?, *inputs.get(1)?);
            body.emit(Op::ICmp { pred, w: bits(ty), dst, a, b });
            Some(())
        })
    }

    fn select(&mut self, value: Value) -> Option<()> {
        let shape = self.shape(value.ty())?;
        let condition = value.operand(0)?;
        let vector = condition.ty().is_vector();
        let mut cond = self.operand(condition)?;
        let (mut a, mut b) = (self.input(value, 1)?, self.input(value, 2)?);
        let mut dst = self.result(value)?;
        if shape.slots <= u8::MAX.into() && !vector {
            self.emit(Op::Select { n: shape.slots as u8, dst, cond, a, b });
            return Some(());
        }
        for leaf in &shape.leaves {
            let n = leaf.slots();
            self.emit(Op::Select { n: n as u8, dst, cond, a, b });
            (dst, a, b) = (dst + n, a.word(n), b.word(n));
            if vector {
                cond = cond.word(1);
            }
        }
        Some(())
    }

    fn cast(&mut self, value: Value) -> Option<()> {
        let opcode = value.opcode();
        let to = *self.shape(value.ty())?.leaves.first()?;
        self.elementwise(value, |body, from, dst, inputs| {
            let a = *inputs.first()?;
            let (w, wide) = (bits(from), bits(to));
            if opcode == Opcode::LLVMTrunc && wide == 1 && w == 8 && body.has_truths() {
                body.demand(a, Demanded::Truth);
            }
            body.emit(match opcode {
                Opcode::LLVMTrunc => Op::Trunc { to: wide, dst, a },
                Opcode::LLVMZExt => Op::ZExt { from: w, to: wide, dst, a },
                Opcode::LLVMSExt => Op::SExt { from: w, to: wide, dst, a },
                Opcode::LLVMFPToUI => Op::FToInt { from, signed: false, w: wide, dst, a },
                Opcode::LLVMFPToSI => Op::FToInt { from, signed: true, w: wide, dst, a },
                Opcode::LLVMUIToFP | Opcode::LLVMSIToFP => {
                    Op::IntToF { to, signed: opcode == Opcode::LLVMSIToFP, w, dst, a }
                }
                Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => Op::FConv { from, to, dst, a },
                Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMIntToPtr => match w.cmp(&wide) {
                    std::cmp::Ordering::Less => Op::ZExt { from: w, to: wide, dst, a },
                    std::cmp::Ordering::Equal => Op::Copy { n: 1, dst, a },
                    std::cmp::Ordering::Greater => Op::Trunc { to: wide, dst, a },
                },
                _ => return None,
            });
            Some(())
        })
    }

    fn element_address(&mut self, value: Value) -> Option<()> {
        if value.ty().is_vector() {
            return None;
        }
        let mut base = self.input(value, 0)?;
        let dst = self.result(value)?;
        let bounds = self.bounds(value);
        let mut constant = 0i64;
        let mut ty = value.gep_source_type();
        let mut moved = false;
        for position in 1..value.operand_count() {
            let index = value.operand(position)?;
            let scale = if position == 1 {
                self.context.module.size_of(ty)
            } else if ty.is_struct() {
                let field = index.int_value()?;
                constant = constant.wrapping_add(self.context.module.offset_of(ty, field as u32) as i64);
                ty = ty.element(field)?;
                continue;
            } else {
                if let Some(&(_, demanded)) = bounds.iter().find(|(at, _)| *at == position) {
                    let index = self.operand(index)?;
                    self.demand(index, demanded);
                }
                ty = ty.element(0)?;
                self.context.module.size_of(ty)
            } as i64;
            match index.int_value_signed() {
                Some(number) => constant = constant.wrapping_add(number.wrapping_mul(scale)),
                None => {
                    let w = index.ty().int_width().min(64) as u8;
                    let index = self.operand(index)?;
                    self.emit(Op::PtrIndex { w, dst, base, index, scale });
                    (base, moved) = (Opnd::slot(dst), true);
                }
            }
        }
        if constant != 0 || !moved {
            self.emit(Op::PtrAdd { dst, base, offset: constant });
        }
        Some(())
    }

    fn alloca(&mut self, value: Value) -> Option<()> {
        let (object, offset) = self.object(value)?;
        let dst = self.result(value)?;
        match offset {
            Some(offset) => self.emit(Op::StackAddr { dst, offset, object }),
            None => {
                let ty = value.allocated_type();
                let count = self.input(value, 0)?;
                let size = self.context.module.size_of(ty);
                let align = value.alignment().max(self.context.module.align_of(ty)).max(1);
                self.emit(Op::Alloca { dst, count, size, align, object });
            }
        }
        Some(())
    }

    /// Addresses of the leaves of a value in memory: (scalar, words before it, address).
    fn places(&mut self, ty: Type, base: Opnd) -> Option<Vec<(Scalar, u32, Opnd)>> {
        let shape = self.shape(ty)?;
        if let [scalar] = shape.leaves[..] {
            return Some(vec![(scalar, 0, base)]);
        }
        if ty.is_vector() && !bits(*shape.leaves.first()?).is_multiple_of(8) {
            return None;
        }
        let mut words = 0;
        let mut out = Vec::new();
        for (&scalar, &offset) in shape.leaves.iter().zip(&shape.offsets) {
            let mut addr = base;
            if offset != 0 {
                let dst = self.temporary(1);
                self.emit(Op::PtrAdd { dst, base, offset: offset as i64 });
                addr = Opnd::slot(dst);
            }
            out.push((scalar, words, addr));
            words += scalar.slots();
        }
        Some(out)
    }

    fn load(&mut self, value: Value) -> Option<()> {
        let addr = self.input(value, 0)?;
        let places = self.places(value.ty(), addr)?;
        let dst = self.result(value)?;
        for (ty, word, addr) in places {
            self.demand_alignment(value, value.ty(), (ty, word), addr);
            self.emit(Op::Load { ty, dst: dst + word, addr });
        }
        Some(())
    }

    fn store(&mut self, value: Value) -> Option<()> {
        let stored = value.operand(0)?;
        let addr = self.input(value, 1)?;
        let places = self.places(stored.ty(), addr)?;
        if places.is_empty() {
            return Some(());
        }
        let source = self.operand(stored)?;
        let object = value.operand(1).and_then(|pointer| self.object(pointer));
        if let Some(&variable) = object.and_then(|(object, _)| self.references.get(&object)) {
            self.demand(source, Demanded::Reference(variable));
        }
        for (ty, word, addr) in places {
            self.demand_alignment(value, stored.ty(), (ty, word), addr);
            self.emit(Op::Store { ty, value: source.word(word), addr });
        }
        Some(())
    }

    fn atomic_rmw(&mut self, value: Value) -> Option<()> {
        use AtomicRmwOp::*;
        let op = match value.rmw_op() {
            LLVMAtomicRMWBinOpXchg => AtomicOp::Xchg,
            LLVMAtomicRMWBinOpAdd => AtomicOp::Add,
            LLVMAtomicRMWBinOpSub => AtomicOp::Sub,
            LLVMAtomicRMWBinOpAnd => AtomicOp::And,
            LLVMAtomicRMWBinOpNand => AtomicOp::Nand,
            LLVMAtomicRMWBinOpOr => AtomicOp::Or,
            LLVMAtomicRMWBinOpXor => AtomicOp::Xor,
            LLVMAtomicRMWBinOpMax => AtomicOp::Max,
            LLVMAtomicRMWBinOpMin => AtomicOp::Min,
            LLVMAtomicRMWBinOpUMax => AtomicOp::UMax,
            LLVMAtomicRMWBinOpUMin => AtomicOp::UMin,
            LLVMAtomicRMWBinOpFAdd => return self.float_rmw(value, FloatOp::Add),
            LLVMAtomicRMWBinOpFSub => return self.float_rmw(value, FloatOp::Sub),
            _ => return None,
        };
        let ty = self.scalar(value.ty())?;
        let (addr, operand) = (self.input(value, 0)?, self.input(value, 1)?);
        let dst = self.result(value)?;
        self.emit(Op::AtomicRmw { op, ty, dst, addr, value: operand });
        Some(())
    }

    /// With one thread the steps may be taken one by one.
    fn float_rmw(&mut self, value: Value, op: FloatOp) -> Option<()> {
        let ty = self.scalar(value.ty())?;
        let (addr, b) = (self.input(value, 0)?, self.input(value, 1)?);
        let (old, new) = (self.result(value)?, self.temporary(ty.slots()));
        self.emit(Op::Load { ty, dst: old, addr });
        self.emit(Op::Float { op, ty, dst: new, a: Opnd::slot(old), b });
        self.emit(Op::Store { ty, value: Opnd::slot(new), addr });
        Some(())
    }

    fn compare_exchange(&mut self, value: Value) -> Option<()> {
        let ty = self.scalar(value.operand(1)?.ty())?;
        let (addr, expected, new) = (self.input(value, 0)?, self.input(value, 1)?, self.input(value, 2)?);
        let dst = self.result(value)?;
        self.emit(Op::CmpXchg { ty, dst, addr, expected, new });
        Some(())
    }
}

fn flags(value: Value) -> Flags {
    let mut flags = 0;
    for (flag, is) in [(Flags::NUW, value.is_nuw()), (Flags::NSW, value.is_nsw()), (Flags::EXACT, value.is_exact())] {
        flags |= if is { flag } else { 0 };
    }
    Flags(flags)
}

fn int_op(opcode: Opcode) -> Option<IntOp> {
    use Opcode::*;
    Some(match opcode {
        LLVMAdd => IntOp::Add,
        LLVMSub => IntOp::Sub,
        LLVMMul => IntOp::Mul,
        LLVMUDiv => IntOp::UDiv,
        LLVMSDiv => IntOp::SDiv,
        LLVMURem => IntOp::URem,
        LLVMSRem => IntOp::SRem,
        LLVMShl => IntOp::Shl,
        LLVMLShr => IntOp::LShr,
        LLVMAShr => IntOp::AShr,
        LLVMAnd => IntOp::And,
        LLVMOr => IntOp::Or,
        LLVMXor => IntOp::Xor,
        _ => return None,
    })
}

fn int_pred(predicate: IntPredicate) -> IntPred {
    use IntPredicate::*;
    match predicate {
        LLVMIntEQ => IntPred::Eq,
        LLVMIntNE => IntPred::Ne,
        LLVMIntUGT => IntPred::Ugt,
        LLVMIntUGE => IntPred::Uge,
        LLVMIntULT => IntPred::Ult,
        LLVMIntULE => IntPred::Ule,
        LLVMIntSGT => IntPred::Sgt,
        LLVMIntSGE => IntPred::Sge,
        LLVMIntSLT => IntPred::Slt,
        LLVMIntSLE => IntPred::Sle,
    }
}

pub(crate) fn float_pred(predicate: FloatPredicate) -> FloatPred {
    use FloatPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatPred::False,
        LLVMRealOEQ => FloatPred::Oeq,
        LLVMRealOGT => FloatPred::Ogt,
        LLVMRealOGE => FloatPred::Oge,
        LLVMRealOLT => FloatPred::Olt,
        LLVMRealOLE => FloatPred::Ole,
        LLVMRealONE => FloatPred::One,
        LLVMRealORD => FloatPred::Ord,
        LLVMRealUNO => FloatPred::Uno,
        LLVMRealUEQ => FloatPred::Ueq,
        LLVMRealUGT => FloatPred::Ugt,
        LLVMRealUGE => FloatPred::Uge,
        LLVMRealULT => FloatPred::Ult,
        LLVMRealULE => FloatPred::Ule,
        LLVMRealUNE => FloatPred::Une,
        LLVMRealPredicateTrue => FloatPred::True,
    }
}
