//! The meaning of the operations on bit-vectors, on numbers: what constant operands fold to.

use crate::BvOp;
use crate::pool::{mask, signed};

/// The result of an operation of a width on values that fit.
pub(crate) fn bv(op: BvOp, width: u32, a: u128, b: u128) -> u128 {
    let m = mask(width);
    let (x, y) = (signed(a, width), signed(b, width));
    let beyond = b >= u128::from(width);
    let result = match op {
        BvOp::Add => a.wrapping_add(b),
        BvOp::Sub => a.wrapping_sub(b),
        BvOp::Mul => a.wrapping_mul(b),
        BvOp::UDiv => a.checked_div(b).unwrap_or(m),
        BvOp::URem => a.checked_rem(b).unwrap_or(a),
        BvOp::SDiv if b == 0 => return if x < 0 { 1 } else { m },
        BvOp::SDiv => x.wrapping_div(y) as u128,
        BvOp::SRem if b == 0 => a,
        BvOp::SRem => x.wrapping_rem(y) as u128,
        BvOp::Shl if beyond => 0,
        BvOp::Shl => a << b,
        BvOp::LShr if beyond => 0,
        BvOp::LShr => a >> b,
        BvOp::AShr => (x >> b.min(u128::from(width - 1))) as u128,
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
    };
    result & m
}

/// Sign extension of a value of `from` bits to `to` bits.
pub(crate) fn sext(value: u128, from: u32, to: u32) -> u128 {
    signed(value, from) as u128 & mask(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisions_by_zero_and_wide_shifts_are_as_in_smt_lib() {
        assert_eq!(bv(BvOp::UDiv, 8, 7, 0), 255);
        assert_eq!(bv(BvOp::URem, 8, 7, 0), 7);
        assert_eq!((bv(BvOp::SDiv, 8, 7, 0), bv(BvOp::SDiv, 8, 0xf9, 0)), (255, 1));
        assert_eq!(bv(BvOp::SRem, 8, 0xf9, 0), 0xf9);
        assert_eq!(bv(BvOp::SDiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(bv(BvOp::SDiv, 128, 1 << 127, u128::MAX), 1 << 127);
        assert_eq!(bv(BvOp::SRem, 8, 0xf9, 2), 0xff);
        assert_eq!((bv(BvOp::Shl, 8, 1, 8), bv(BvOp::LShr, 128, 1, 128), bv(BvOp::AShr, 8, 0x80, 200)), (0, 0, 255));
        assert_eq!(sext(0x80, 8, 16), 0xff80);
    }
}
