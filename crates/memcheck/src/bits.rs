//! Which bits of a result are undefined, given the undefined bits of the operands (the rules of Valgrind's memcheck,
//! Seward and Nethercote 2005, section 2.4.1).

use whydunit_model::{IntOp, IntPred};

/// The low `w` bits (1 to 64).
pub fn mask(w: u8) -> u64 {
    if w >= 64 { u64::MAX } else { (1 << w) - 1 }
}

/// All bits at and above the lowest undefined one.
pub fn left(undefined: u64) -> u64 {
    undefined | undefined.wrapping_neg()
}

/// An operand: its value and its undefined bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// The value.
    pub value: u64,
    /// The undefined bits.
    pub undefined: u64,
}

/// Undefined bits of an integer operation's result of `w` bits.
pub fn int(op: IntOp, w: u8, a: Bits, b: Bits) -> u64 {
    let m = mask(w);
    let any = a.undefined | b.undefined;
    if any == 0 {
        return 0;
    }
    m & match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul => left(any),
        IntOp::And => (a.undefined & b.undefined) | (a.undefined & b.value) | (b.undefined & a.value),
        IntOp::Or => (a.undefined & b.undefined) | (a.undefined & !b.value) | (b.undefined & !a.value),
        IntOp::Xor => any,
        IntOp::Shl | IntOp::LShr | IntOp::AShr if b.undefined != 0 => m,
        IntOp::Shl => a.undefined << shift(b.value, w),
        IntOp::LShr => (a.undefined & m) >> shift(b.value, w),
        IntOp::AShr => (sign_extended(a.undefined, w) >> shift(b.value, w)) as u64,
        _ => m,
    }
}

/// The same of numbers of 65 to 128 bits, each its value and its undefined bits.
pub fn wide(op: IntOp, w: u8, (a, a_undefined): (u128, u128), (b, b_undefined): (u128, u128)) -> u128 {
    let m = u128::MAX >> (128 - u32::from(w.clamp(1, 128)));
    let any = (a_undefined | b_undefined) & m;
    if any == 0 {
        return 0;
    }
    let amount = (b % u128::from(w.max(1))) as u32;
    m & match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul => any | any.wrapping_neg(),
        IntOp::And => (a_undefined & b_undefined) | (a_undefined & b) | (b_undefined & a),
        IntOp::Or => (a_undefined & b_undefined) | (a_undefined & !b) | (b_undefined & !a),
        IntOp::Xor => any,
        IntOp::Shl | IntOp::LShr | IntOp::AShr if b_undefined & m != 0 => m,
        IntOp::Shl => a_undefined << amount,
        IntOp::LShr => (a_undefined & m) >> amount,
        IntOp::AShr => {
            let up = 128 - u32::from(w.clamp(1, 128));
            (((a_undefined << up) as i128) >> up >> amount) as u128
        }
        _ => m,
    }
}

fn shift(amount: u64, w: u8) -> u32 {
    (amount % u64::from(w)) as u32
}

/// `value` of `w` bits, its sign bit repeated upward.
pub fn sign_extended(value: u64, w: u8) -> i64 {
    let up = 64 - u32::from(w.clamp(1, 64));
    ((value << up) as i64) >> up
}

/// Whether a comparison's outcome depends on undefined bits.
pub fn compare_undefined(pred: IntPred, w: u8, a: Bits, b: Bits) -> bool {
    let wide = |bits: Bits| (bits.value.into(), bits.undefined.into());
    compare_wide(pred, w, wide(a), wide(b))
}

/// The same of numbers of up to 128 bits, each its value and its undefined bits.
pub fn compare_wide(pred: IntPred, w: u8, a: (u128, u128), b: (u128, u128)) -> bool {
    if a.1 | b.1 == 0 {
        return false;
    }
    let m = u128::MAX >> (128 - u32::from(w.clamp(1, 128)));
    let defined = m & !(a.1 | b.1);
    if matches!(pred, IntPred::Eq | IntPred::Ne) {
        return (a.0 ^ b.0) & defined == 0;
    }
    // With the sign bit flipped, signed order is unsigned order.
    let flip = match pred {
        IntPred::Sgt | IntPred::Sge | IntPred::Slt | IntPred::Sle => 1 << (w - 1),
        _ => 0,
    };
    let range = |(value, undefined): (u128, u128)| {
        let value = (value ^ flip) & m;
        (value & !undefined, (value | undefined) & m)
    };
    let ((a_low, a_high), (b_low, b_high)) = (range(a), range(b));
    match pred {
        IntPred::Ult | IntPred::Uge | IntPred::Slt | IntPred::Sge => !(a_high < b_low || a_low >= b_high),
        _ => !(a_low > b_high || a_high <= b_low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: u64, undefined: u64) -> Bits {
        Bits { value, undefined }
    }

    #[test]
    fn masking_defines_and_carries_go_up() {
        assert_eq!(int(IntOp::And, 8, bits(0xff, 0xf0), bits(0x0f, 0)), 0);
        assert_eq!(int(IntOp::Or, 8, bits(0, 0xff), bits(0xf0, 0)), 0x0f);
        assert_eq!(int(IntOp::Add, 8, bits(0, 0x08), bits(1, 0)), 0xf8);
        assert_eq!(int(IntOp::Shl, 8, bits(0, 0x81), bits(1, 0)), 0x02);
        assert_eq!(int(IntOp::AShr, 8, bits(0, 0x80), bits(2, 0)), 0xe0);
        assert_eq!(int(IntOp::LShr, 8, bits(0, 0x80), bits(2, 0)), 0x20);
    }

    #[test]
    fn a_comparison_is_defined_where_the_defined_bits_decide() {
        assert!(!compare_undefined(IntPred::Eq, 8, bits(0x10, 0x0f), bits(0x20, 0)));
        assert!(compare_undefined(IntPred::Eq, 8, bits(0x10, 0x0f), bits(0x10, 0)));
        assert!(!compare_undefined(IntPred::Slt, 8, bits(0x80, 0x7f), bits(0, 0)));
        assert!(compare_undefined(IntPred::Slt, 8, bits(0, 0x80), bits(0, 0)));
        assert!(!compare_undefined(IntPred::Ugt, 8, bits(0xf0, 0x0f), bits(0x7f, 0)));
        assert!(compare_undefined(IntPred::Ugt, 8, bits(0x70, 0x0f), bits(0x77, 0)));
    }

    #[test]
    fn words_of_wide_numbers_count_each_for_itself() {
        let high = u128::from(u64::MAX) << 64;
        assert_eq!(wide(IntOp::Shl, 128, (5, high), (64, 0)), 0);
        assert_eq!(wide(IntOp::LShr, 128, (5, high), (64, 0)), high >> 64);
        assert_eq!(wide(IntOp::And, 128, (5, high), (0xff, 0)), 0);
        assert_eq!(wide(IntOp::Add, 128, (5, 1 << 70), (1, 0)), u128::MAX << 70);
        assert!(!compare_wide(IntPred::Ne, 128, (5, high), (6, 0)));
        assert!(compare_wide(IntPred::Eq, 128, (5, high), (5, 0)));
    }

    proptest::proptest! {
        /// Whatever the undefined bits are, a result bit called defined does not change.
        #[test]
        fn no_defined_bit_depends_on_an_undefined_one(
            a: u8, ua: u8, b: u8, ub: u8, flip_a: u8, flip_b: u8, which in 0usize..9, pred in 0usize..10
        ) {
            use IntOp::*;
            let op = [Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr][which];
            let run = |a: u8, b: u8| match op {
                Add => a.wrapping_add(b), Sub => a.wrapping_sub(b), Mul => a.wrapping_mul(b),
                And => a & b, Or => a | b, Xor => a ^ b,
                Shl => a << (b % 8), LShr => a >> (b % 8), _ => ((a as i8) >> (b % 8)) as u8,
            };
            let (other_a, other_b) = (a ^ (flip_a & ua), b ^ (flip_b & ub));
            let operands = (bits(a.into(), ua.into()), bits(b.into(), ub.into()));
            let undefined = int(op, 8, operands.0, operands.1) as u8;
            proptest::prop_assert_eq!((run(a, b) ^ run(other_a, other_b)) & !undefined, 0);

            use IntPred::*;
            let pred = [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle][pred];
            let holds = |a: u8, b: u8| match pred {
                Eq => a == b, Ne => a != b, Ugt => a > b, Uge => a >= b, Ult => a < b, Ule => a <= b,
                Sgt => a as i8 > b as i8, Sge => a as i8 >= b as i8, Slt => (a as i8) < b as i8,
                Sle => a as i8 <= b as i8,
            };
            if !compare_undefined(pred, 8, operands.0, operands.1) {
                proptest::prop_assert_eq!(holds(a, b), holds(other_a, other_b));
            }
        }
    }
}
