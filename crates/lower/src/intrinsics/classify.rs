//! `llvm.is.fpclass`, as tests of the bits.

use whydunit_llvm::Value;
use whydunit_model::{Flags, IntOp, IntPred, Op, Opnd, Scalar, Slot};

use crate::{body::Body, leaves::bits};

// Bits of the test.
const SIGNALING: u64 = 1;
const QUIET: u64 = 1 << 1;
const NEGATIVE: [u64; 4] = [1 << 2, 1 << 3, 1 << 4, 1 << 5];
const POSITIVE: [u64; 4] = [1 << 9, 1 << 8, 1 << 7, 1 << 6];

/// One-bit facts about a value: infinite, normal, subnormal, zero, then the two kinds of NaN and the sign.
struct Facts {
    kinds: [Opnd; 4],
    quiet: Opnd,
    signaling: Opnd,
    negative: Opnd,
}

impl Body<'_, '_> {
    pub(crate) fn is_class(&mut self, value: Value) -> Option<()> {
        let ty = self.scalar(value.operand(0)?.ty())?;
        let test = value.operand(1)?.int_value()?;
        let a = self.input(value, 0)?;
        let dst = self.result(value)?;
        let facts = match ty {
            Scalar::F80 => self.extended_facts(a),
            _ => self.ieee_facts(ty, a)?,
        };
        let positive = self.step(IntOp::Xor, facts.negative, 1);
        let mut hits = Vec::new();
        for (kind, fact) in facts.kinds.into_iter().enumerate() {
            match (test & NEGATIVE[kind] != 0, test & POSITIVE[kind] != 0) {
                (true, true) => hits.push(fact),
                (true, false) => hits.push(self.both(fact, facts.negative)),
                (false, true) => hits.push(self.both(fact, positive)),
                (false, false) => {}
            }
        }
        hits.extend((test & QUIET != 0).then_some(facts.quiet));
        hits.extend((test & SIGNALING != 0).then_some(facts.signaling));
        let zero = self.number(0);
        self.copy(1, dst, zero);
        for hit in hits {
            self.word_op(IntOp::Or, dst, Opnd::slot(dst), hit);
        }
        Some(())
    }

    fn ieee_facts(&mut self, ty: Scalar, a: Opnd) -> Option<Facts> {
        let w = bits(ty);
        let fraction: u32 = match ty {
            Scalar::F16 => 10,
            Scalar::F32 => 23,
            Scalar::F64 => 52,
            _ => return None,
        };
        let sign = u64::from(w - 1);
        let infinity = ((1u64 << (sign as u32 - fraction)) - 1) << fraction;
        let smallest_normal = 1u64 << fraction;
        let quiet_nan = infinity | 1 << (fraction - 1);
        let negative = self.step(IntOp::LShr, a, sign);
        let magnitude = self.step(IntOp::And, a, (1 << sign) - 1);
        let infinite = self.test(IntPred::Eq, magnitude, infinity);
        let zero = self.test(IntPred::Eq, magnitude, 0);
        let small = self.test(IntPred::Ult, magnitude, smallest_normal);
        let finite = self.test(IntPred::Ult, magnitude, infinity);
        let subnormal = self.and_not(small, zero);
        let normal = self.and_not(finite, small);
        let quiet = self.test(IntPred::Uge, magnitude, quiet_nan);
        let nan = self.test(IntPred::Ugt, magnitude, infinity);
        let signaling = self.and_not(nan, quiet);
        Some(Facts { kinds: [infinite, normal, subnormal, zero], quiet, signaling, negative })
    }

    /// The leading bit of the significand is explicit; encodings that the processor does not know count as NaN.
    fn extended_facts(&mut self, a: Opnd) -> Facts {
        let significand = a;
        let sign_exponent = a.word(1);
        let negative = self.step(IntOp::LShr, sign_exponent, 15);
        let exponent = self.step(IntOp::And, sign_exponent, 0x7fff);
        let leading = self.step(IntOp::LShr, significand, 63);
        let lowest = self.test(IntPred::Eq, exponent, 0);
        let highest = self.test(IntPred::Eq, exponent, 0x7fff);
        let empty = self.test(IntPred::Eq, significand, 0);
        let only_leading = self.test(IntPred::Eq, significand, 1 << 63);
        let zero = self.both(lowest, empty);
        let subnormal = self.and_not(lowest, empty);
        let infinite = self.both(highest, only_leading);
        let inner = self.and_not(leading, lowest);
        let normal = self.and_not(inner, highest);
        let two = self.step(IntOp::LShr, significand, 62);
        let both_top = self.test(IntPred::Eq, two, 3);
        let quiet = self.both(highest, both_top);
        let known = self.word(IntOp::Or, infinite, lowest);
        let known = self.word(IntOp::Or, known, normal);
        let known = self.word(IntOp::Or, known, quiet);
        let signaling = self.step(IntOp::Xor, known, 1);
        Facts { kinds: [infinite, normal, subnormal, zero], quiet, signaling, negative }
    }

    fn word_op(&mut self, op: IntOp, dst: Slot, a: Opnd, b: Opnd) {
        self.emit(Op::Int { op, w: 64, flags: Flags::default(), dst, a, b });
    }

    fn word(&mut self, op: IntOp, a: Opnd, b: Opnd) -> Opnd {
        let dst = self.temporary(1);
        self.word_op(op, dst, a, b);
        Opnd::slot(dst)
    }

    fn step(&mut self, op: IntOp, a: Opnd, number: u64) -> Opnd {
        let b = self.number(number);
        self.word(op, a, b)
    }

    fn both(&mut self, a: Opnd, b: Opnd) -> Opnd {
        self.word(IntOp::And, a, b)
    }

    fn and_not(&mut self, a: Opnd, b: Opnd) -> Opnd {
        let not = self.step(IntOp::Xor, b, 1);
        self.both(a, not)
    }

    fn test(&mut self, pred: IntPred, a: Opnd, number: u64) -> Opnd {
        let (dst, b) = (self.temporary(1), self.number(number));
        self.emit(Op::ICmp { pred, w: 64, dst, a, b });
        Opnd::slot(dst)
    }
}
