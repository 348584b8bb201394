//! Integer arithmetic of the model. Values are zero-extended; `w` is the width in bits.

use whydunit_model::{AtomicOp, IntOp, IntPred, IntUnary, OverflowOp};

/// The low `w` bits set.
#[inline(always)]
pub fn mask(w: u8) -> u64 {
    if w >= 64 { u64::MAX } else { (1u64 << w) - 1 }
}

/// The same for up to 128 bits.
#[inline(always)]
pub fn wide_mask(w: u8) -> u128 {
    if w >= 128 { u128::MAX } else { (1u128 << w) - 1 }
}

/// Sign-extends from `w` (1 to 64) bits.
#[inline(always)]
pub fn sext(value: u64, w: u8) -> i64 {
    let shift = 64 - u32::from(w.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

/// Sign-extends from `w` (1 to 128) bits.
#[inline(always)]
pub fn wide_sext(value: u128, w: u8) -> i128 {
    let shift = 128 - u32::from(w.clamp(1, 128));
    ((value << shift) as i128) >> shift
}

/// A shift amount, taken modulo the width.
#[inline(always)]
fn amount(value: u64, w: u8) -> u32 {
    if w.is_power_of_two() { (value & u64::from(w - 1)) as u32 } else { (value % u64::from(w)) as u32 }
}

/// An integer operation of at most 64 bits; none where the processor traps (division).
#[inline(always)]
pub fn int(op: IntOp, w: u8, a: u64, b: u64) -> Option<u64> {
    let m = mask(w);
    Some(match op {
        IntOp::Add => a.wrapping_add(b) & m,
        IntOp::Sub => a.wrapping_sub(b) & m,
        IntOp::Mul => a.wrapping_mul(b) & m,
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv | IntOp::SRem => {
            let (x, y) = (sext(a, w), sext(b, w));
            // The most negative value by -1 does not fit.
            if y == 0 || (y == -1 && x == sext(1 << (w - 1), w)) {
                return None;
            }
            (if op == IntOp::SDiv { x / y } else { x % y }) as u64 & m
        }
        IntOp::Shl => (a << amount(b, w)) & m,
        IntOp::LShr => a >> amount(b, w),
        IntOp::AShr => (sext(a, w) >> amount(b, w)) as u64 & m,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => sext(a, w).min(sext(b, w)) as u64 & m,
        IntOp::SMax => sext(a, w).max(sext(b, w)) as u64 & m,
        IntOp::UAddSat => (u128::from(a) + u128::from(b)).min(u128::from(m)) as u64,
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SAddSat => saturate(i128::from(sext(a, w)) + i128::from(sext(b, w)), w),
        IntOp::SSubSat => saturate(i128::from(sext(a, w)) - i128::from(sext(b, w)), w),
    })
}

fn saturate(value: i128, w: u8) -> u64 {
    let top = i128::from(mask(w) >> 1);
    value.clamp(-top - 1, top) as u64 & mask(w)
}

/// An integer operation of 65 to 128 bits; none where it traps.
#[inline]
pub fn wide(op: IntOp, w: u8, a: u128, b: u128) -> Option<u128> {
    let m = wide_mask(w);
    let shift = if w.is_power_of_two() { b & u128::from(w - 1) } else { b % u128::from(w) } as u32;
    let (x, y) = (wide_sext(a, w), wide_sext(b, w));
    let (top, bottom) = ((m >> 1) as i128, wide_sext(1 << (w - 1), w));
    Some(match op {
        IntOp::Add => a.wrapping_add(b) & m,
        IntOp::Sub => a.wrapping_sub(b) & m,
        IntOp::Mul => a.wrapping_mul(b) & m,
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv | IntOp::SRem => {
            if y == 0 || (y == -1 && x == bottom) {
                return None;
            }
            (if op == IntOp::SDiv { x / y } else { x % y }) as u128 & m
        }
        IntOp::Shl => (a << shift) & m,
        IntOp::LShr => a >> shift,
        IntOp::AShr => (x >> shift) as u128 & m,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => x.min(y) as u128 & m,
        IntOp::SMax => x.max(y) as u128 & m,
        IntOp::UAddSat => a.checked_add(b).map_or(m, |sum| sum.min(m)),
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SAddSat => x.saturating_add(y).clamp(bottom, top) as u128 & m,
        IntOp::SSubSat => x.saturating_sub(y).clamp(bottom, top) as u128 & m,
    })
}

/// One operand, up to 128 bits.
#[inline]
pub fn unary(op: IntUnary, w: u8, a: u128) -> u128 {
    let unused = 128 - u32::from(w);
    match op {
        IntUnary::Ctpop => a.count_ones().into(),
        IntUnary::Ctlz => (a.leading_zeros() - unused).into(),
        IntUnary::Cttz => a.trailing_zeros().min(u32::from(w)).into(),
        IntUnary::Bswap => a.swap_bytes() >> unused,
        IntUnary::BitReverse => a.reverse_bits() >> unused,
        IntUnary::Abs => wide_sext(a, w).wrapping_abs() as u128 & wide_mask(w),
    }
}

/// Result and overflow bit, up to 128 bits.
#[inline]
pub fn overflow(op: OverflowOp, w: u8, a: u128, b: u128) -> (u128, bool) {
    let m = wide_mask(w);
    let (x, y) = (wide_sext(a, w), wide_sext(b, w));
    let signed = |(value, overflowed): (i128, bool)| {
        let kept = value as u128 & m;
        (kept, overflowed || wide_sext(kept, w) != value)
    };
    let unsigned = |(value, overflowed): (u128, bool)| (value & m, overflowed || value > m);
    match op {
        OverflowOp::UAdd => unsigned(a.overflowing_add(b)),
        OverflowOp::USub => (a.wrapping_sub(b) & m, a < b),
        OverflowOp::UMul => unsigned(a.overflowing_mul(b)),
        OverflowOp::SAdd => signed(x.overflowing_add(y)),
        OverflowOp::SSub => signed(x.overflowing_sub(y)),
        OverflowOp::SMul => signed(x.overflowing_mul(y)),
    }
}

/// Funnel shift, up to 64 bits.
#[inline]
pub fn funnel(left: bool, w: u8, a: u64, b: u64, amount: u64) -> u64 {
    let shift = (amount % u64::from(w)) as u32;
    let both = u128::from(a) << w | u128::from(b);
    (if left { (both << shift) >> w } else { both >> shift }) as u64 & mask(w)
}

/// Comparison of at most 64 bits.
#[inline(always)]
pub fn compare(pred: IntPred, w: u8, a: u64, b: u64) -> bool {
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Sgt => sext(a, w) > sext(b, w),
        IntPred::Sge => sext(a, w) >= sext(b, w),
        IntPred::Slt => sext(a, w) < sext(b, w),
        IntPred::Sle => sext(a, w) <= sext(b, w),
    }
}

/// Comparison of up to 128 bits.
#[inline]
pub fn compare_wide(pred: IntPred, w: u8, a: u128, b: u128) -> bool {
    let (x, y) = (wide_sext(a, w), wide_sext(b, w));
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Sgt => x > y,
        IntPred::Sge => x >= y,
        IntPred::Slt => x < y,
        IntPred::Sle => x <= y,
    }
}

/// New value of an atomic read-modify-write, up to 128 bits.
#[inline]
pub fn atomic(op: AtomicOp, w: u8, old: u128, value: u128) -> u128 {
    let m = wide_mask(w);
    let less = wide_sext(old, w) < wide_sext(value, w);
    match op {
        AtomicOp::Xchg => value,
        AtomicOp::Add => old.wrapping_add(value) & m,
        AtomicOp::Sub => old.wrapping_sub(value) & m,
        AtomicOp::And => old & value,
        AtomicOp::Nand => !(old & value) & m,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::Max => {
            if less {
                value
            } else {
                old
            }
        }
        AtomicOp::Min => {
            if less {
                old
            } else {
                value
            }
        }
        AtomicOp::UMax => old.max(value),
        AtomicOp::UMin => old.min(value),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OPS: [IntOp; 19] = [
        IntOp::Add,
        IntOp::Sub,
        IntOp::Mul,
        IntOp::UDiv,
        IntOp::SDiv,
        IntOp::URem,
        IntOp::SRem,
        IntOp::Shl,
        IntOp::LShr,
        IntOp::AShr,
        IntOp::And,
        IntOp::Or,
        IntOp::Xor,
        IntOp::UMin,
        IntOp::UMax,
        IntOp::SMin,
        IntOp::SMax,
        IntOp::UAddSat,
        IntOp::USubSat,
    ];

    /// The processor's own 32-bit arithmetic.
    fn native(op: IntOp, a: u32, b: u32) -> Option<u32> {
        let (x, y) = (a as i32, b as i32);
        Some(match op {
            IntOp::Add => a.wrapping_add(b),
            IntOp::Sub => a.wrapping_sub(b),
            IntOp::Mul => a.wrapping_mul(b),
            IntOp::UDiv => a.checked_div(b)?,
            IntOp::URem => a.checked_rem(b)?,
            IntOp::SDiv => x.checked_div(y)? as u32,
            IntOp::SRem => x.checked_rem(y)? as u32,
            IntOp::Shl => a.wrapping_shl(b),
            IntOp::LShr => a.wrapping_shr(b),
            IntOp::AShr => x.wrapping_shr(b) as u32,
            IntOp::And => a & b,
            IntOp::Or => a | b,
            IntOp::Xor => a ^ b,
            IntOp::UMin => a.min(b),
            IntOp::UMax => a.max(b),
            IntOp::SMin => x.min(y) as u32,
            IntOp::SMax => x.max(y) as u32,
            IntOp::UAddSat => a.saturating_add(b),
            IntOp::USubSat => a.saturating_sub(b),
            IntOp::SAddSat => x.saturating_add(y) as u32,
            IntOp::SSubSat => x.saturating_sub(y) as u32,
        })
    }

    fn edge() -> impl Strategy<Value = u32> {
        prop_oneof![any::<u32>(), Just(0), Just(1), Just(u32::MAX), Just(1 << 31), Just(i32::MAX as u32), 0u32..40]
    }

    proptest! {
        #[test]
        fn integers_are_the_processor_s(a in edge(), b in edge()) {
            for op in OPS.into_iter().chain([IntOp::SAddSat, IntOp::SSubSat]) {
                let expected = native(op, a, b);
                prop_assert_eq!(int(op, 32, a.into(), b.into()), expected.map(u64::from), "{:?}", op);
                prop_assert_eq!(wide(op, 32, a.into(), b.into()), expected.map(u128::from), "wide {:?}", op);
            }
        }

        #[test]
        fn narrow_and_wide_agree_at_every_width(w in 1u8..=64, a: u64, b: u64) {
            let (a, b) = (a & mask(w), b & mask(w));
            for op in OPS.into_iter().chain([IntOp::SAddSat, IntOp::SSubSat]) {
                let narrow = int(op, w, a, b);
                prop_assert_eq!(narrow.map(u128::from), wide(op, w, a.into(), b.into()), "{:?}", op);
                prop_assert!(narrow.is_none_or(|value| value <= mask(w)));
            }
        }

        #[test]
        fn overflow_bits_are_the_processor_s(a: i64, b: i64) {
            let (x, y) = (a as u64, b as u64);
            let pairs = [
                (OverflowOp::UAdd, x.overflowing_add(y)), (OverflowOp::USub, x.overflowing_sub(y)), (OverflowOp::UMul, x.overflowing_mul(y)),
            ];
            for (op, (value, bit)) in pairs {
                prop_assert_eq!(overflow(op, 64, x.into(), y.into()), (value.into(), bit));
            }
            let pairs = [
                (OverflowOp::SAdd, a.overflowing_add(b)), (OverflowOp::SSub, a.overflowing_sub(b)), (OverflowOp::SMul, a.overflowing_mul(b)),
            ];
            for (op, (value, bit)) in pairs {
                prop_assert_eq!(overflow(op, 64, x.into(), y.into()), (u128::from(value as u64), bit));
            }
            let wide_pair = (i128::from(a) << 63, i128::from(b));
            let (value, bit) = wide_pair.0.overflowing_mul(wide_pair.1);
            prop_assert_eq!(overflow(OverflowOp::SMul, 128, wide_pair.0 as u128, wide_pair.1 as u128), (value as u128, bit));
        }

        #[test]
        fn unary_and_funnel_are_the_processor_s(a: u32, b: u32, n: u32) {
            let of = |op| unary(op, 32, a.into()) as u32;
            prop_assert_eq!(of(IntUnary::Ctpop), a.count_ones());
            prop_assert_eq!(of(IntUnary::Ctlz), a.leading_zeros());
            prop_assert_eq!(of(IntUnary::Cttz), a.trailing_zeros());
            prop_assert_eq!(of(IntUnary::Bswap), a.swap_bytes());
            prop_assert_eq!(of(IntUnary::BitReverse), a.reverse_bits());
            prop_assert_eq!(of(IntUnary::Abs), (a as i32).wrapping_abs() as u32);
            let shift = n % 32;
            let left = (u64::from(a) << 32 | u64::from(b)) << shift >> 32;
            prop_assert_eq!(funnel(true, 32, a.into(), b.into(), n.into()), left & 0xffff_ffff);
            let right = (u64::from(a) << 32 | u64::from(b)) >> shift;
            prop_assert_eq!(funnel(false, 32, a.into(), b.into(), n.into()), right & 0xffff_ffff);
            prop_assert_eq!(funnel(true, 64, a.into(), b.into(), 0), u64::from(a));
        }
    }
}
