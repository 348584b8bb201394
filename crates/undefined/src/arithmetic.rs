//! What integer operations and conversions demand of their operands.

use whydunit_model::{Flags, IntOp, Op, Opnd, Scalar};
use whydunit_numerics::arith::wide_sext;
use whydunit_replay::At;

use crate::floats;
use crate::kind::Kind;

/// The kind and the words of what an operation is given that it has no result for.
pub fn broken(at: &At<'_>, op: &Op) -> Option<(Kind, String)> {
    match *op {
        Op::Int { op, w, flags, a, b, .. } => {
            let may = match op {
                IntOp::Add | IntOp::Sub | IntOp::Mul => flags.0 & Flags::NSW != 0,
                IntOp::Shl | IntOp::LShr | IntOp::AShr | IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => true,
                _ => false,
            };
            if !may {
                return None;
            }
            integers(op, w, flags, at.value(a).into(), at.value(b).into())
        }
        Op::Wide { op, w, flags, a, b, .. } => integers(op, w, flags, at.wide(a), at.wide(b)),
        Op::FToInt { from, signed, w, a, .. } => {
            let bits = float_bits(at, from, a);
            let whole = floats::whole(from, bits)?;
            if floats::fits(whole, w, signed) {
                return None;
            }
            let text = floats::text(from, bits);
            Some((
                Kind::FloatToInteger,
                format!("{text} does not fit in {}: what it becomes is undefined", integer(w, signed)),
            ))
        }
        _ => None,
    }
}

fn float_bits(at: &At<'_>, from: Scalar, a: Opnd) -> u128 {
    if from.slots() > 1 { at.wide(a) } else { at.value(a).into() }
}

fn integer(w: u8, signed: bool) -> String {
    format!("{} integer of {w} bits", if signed { "a signed" } else { "an unsigned" })
}

/// The same of two integers.
fn integers(op: IntOp, w: u8, flags: Flags, a: u128, b: u128) -> Option<(Kind, String)> {
    let (x, y) = (wide_sext(a, w), wide_sext(b, w));
    match op {
        IntOp::Add | IntOp::Sub | IntOp::Mul if flags.0 & Flags::NSW != 0 => {
            let exact = match op {
                IntOp::Add => x.checked_add(y),
                IntOp::Sub => x.checked_sub(y),
                _ => x.checked_mul(y),
            };
            if exact.is_some_and(|exact| wide_sext(exact as u128, w) == exact) {
                return None;
            }
            let what = match op {
                IntOp::Add => format!("{x} + {}", operand(y)),
                IntOp::Sub if x == 0 => format!("-({y})"),
                IntOp::Sub => format!("{x} - {}", operand(y)),
                _ => format!("{x} * {}", operand(y)),
            };
            Some((Kind::SignedOverflow, format!("{what} does not fit in {}", integer(w, true))))
        }
        IntOp::Shl | IntOp::LShr | IntOp::AShr if b >= w.into() => {
            let amount = if y < 0 && w > 8 { y.to_string() } else { b.to_string() };
            Some((Kind::Shift, format!("a number of {w} bits is shifted by {amount}")))
        }
        IntOp::UDiv | IntOp::URem if b == 0 => Some((Kind::Division, format!("{a} is divided by zero"))),
        IntOp::SDiv | IntOp::SRem if b == 0 => Some((Kind::Division, format!("{x} is divided by zero"))),
        IntOp::SDiv | IntOp::SRem if y == -1 && x == wide_sext(1 << (w - 1), w) => {
            Some((Kind::Division, format!("{x} / -1 does not fit in {}", integer(w, true))))
        }
        _ => None,
    }
}

/// A number behind an operator.
fn operand(n: i128) -> String {
    if n < 0 { format!("({n})") } else { n.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NSW: Flags = Flags(Flags::NSW);
    const NONE: Flags = Flags(0);

    fn of(op: IntOp, flags: Flags, a: i64, b: i64) -> Option<Kind> {
        let bits = |n: i64| u128::from(n as u32);
        integers(op, 32, flags, bits(a), bits(b)).map(|(kind, _)| kind)
    }

    #[test]
    fn only_signed_operations_overflow() {
        let (most, least) = (i64::from(i32::MAX), i64::from(i32::MIN));
        assert_eq!(of(IntOp::Add, NSW, most, 1), Some(Kind::SignedOverflow));
        assert_eq!(of(IntOp::Add, NONE, most, 1), None);
        assert_eq!(of(IntOp::Sub, NSW, least, 1), Some(Kind::SignedOverflow));
        assert_eq!(of(IntOp::Sub, NSW, 0, least), Some(Kind::SignedOverflow));
        assert_eq!(of(IntOp::Mul, NSW, 65536, 32768), Some(Kind::SignedOverflow));
        assert_eq!(of(IntOp::Mul, NSW, -65536, 32768), None);
        assert_eq!(of(IntOp::Mul, NONE, 65536, 65536), None);
    }

    #[test]
    fn numbers_of_64_and_128_bits_overflow_at_their_own_ends() {
        let sum =
            |w, a: i128, b: i128| integers(IntOp::Add, w, NSW, a as u128 & mask(w), b as u128 & mask(w)).is_some();
        assert!(sum(64, i64::MAX.into(), 1) && !sum(64, i64::MIN.into(), i64::MAX.into()));
        assert!(sum(128, i128::MAX, 1) && !sum(128, i128::MIN, i128::MAX));
    }

    fn mask(w: u8) -> u128 {
        if w == 128 { u128::MAX } else { (1 << w) - 1 }
    }

    #[test]
    fn shifts_and_divisions_have_operands_without_a_result() {
        for (amount, broken) in [(0, false), (31, false), (32, true), (-1, true)] {
            assert_eq!(of(IntOp::Shl, NONE, 1, amount).is_some(), broken, "{amount}");
        }
        assert_eq!(of(IntOp::SDiv, NONE, 7, 0), Some(Kind::Division));
        assert_eq!(of(IntOp::SRem, NONE, i64::from(i32::MIN), -1), Some(Kind::Division));
        assert_eq!(of(IntOp::UDiv, NONE, i64::from(i32::MIN), -1), None);
        assert_eq!(of(IntOp::SDiv, NONE, i64::from(i32::MIN) + 1, -1), None);
    }
}
