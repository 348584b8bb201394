//! Floating arithmetic in modes other than to nearest, in exact software. What is exact in every mode stays with
//! [`crate::float`].

pub use rustc_apfloat::Round;
use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, StatusAnd};
use whydunit_model::{FloatOp, FloatUnary, Scalar};

use crate::arith::{wide_mask, wide_sext};
use crate::float::{self, Bits};

/// Does in a type what the type's name is given for; the value's bits.
macro_rules! with_type {
    ($ty:expr, $function:ident($($argument:expr),*)) => {
        match $ty {
            Scalar::F64 => $function::<Double>($($argument),*),
            Scalar::F32 => $function::<Single>($($argument),*),
            Scalar::F16 => $function::<Half>($($argument),*),
            _ => $function::<X87DoubleExtended>($($argument),*),
        }
    };
}

fn value<F: Float>(bits: Bits) -> F {
    let width = F::BITS as u32;
    F::from_bits(if width >= 128 { bits } else { bits & ((1 << width) - 1) })
}

/// A result, unless it is no number: those follow the processor's rule, which knows no modes.
fn number<F: Float>(result: StatusAnd<F>) -> Option<Bits> {
    (!result.value.is_nan()).then(|| result.value.to_bits())
}

fn arithmetic<F: Float>(round: Round, op: FloatOp, a: Bits, b: Bits) -> Option<Bits> {
    let (x, y): (F, F) = (value(a), value(b));
    number(match op {
        FloatOp::Add => x.add_r(y, round),
        FloatOp::Sub => x.sub_r(y, round),
        FloatOp::Mul => x.mul_r(y, round),
        FloatOp::Div => x.div_r(y, round),
        FloatOp::Rem | FloatOp::MinNum | FloatOp::MaxNum | FloatOp::CopySign => return None,
    })
}

/// A floating operation.
pub fn binary(round: Round, op: FloatOp, ty: Scalar, a: Bits, b: Bits) -> Bits {
    let rounded = match ty {
        // Computed as single, then made narrow.
        Scalar::F16 => {
            let widen = |bits| float::conversion(Scalar::F16, Scalar::F32, bits);
            let single = arithmetic::<Single>(round, op, widen(a), widen(b));
            single.map(|bits| conversion(round, Scalar::F32, Scalar::F16, bits))
        }
        _ => with_type!(ty, arithmetic(round, op, a, b)),
    };
    rounded.unwrap_or_else(|| float::binary(op, ty, a, b))
}

fn integral<F: Float>(round: Round, a: Bits) -> Option<Bits> {
    number(value::<F>(a).round_to_integral(round))
}

/// The square root next to `nearest`, the one rounded to nearest, in the direction asked for.
fn root<F: Float>(round: Round, a: Bits, nearest: Bits) -> Option<Bits> {
    let (x, root): (F, F) = (value(a), value(nearest));
    if root.is_nan() || root.is_infinite() || root.is_zero() {
        return None;
    }
    let (below, above) = (root.mul_r(root, Round::TowardNegative).value, root.mul_r(root, Round::TowardPositive).value);
    let too_small = above < x || (above == x && below < x);
    let too_large = below > x || (below == x && above > x);
    Some(match round {
        Round::TowardPositive if too_small => root.next_up().value.to_bits(),
        Round::TowardNegative | Round::TowardZero if too_large => root.next_down().value.to_bits(),
        _ => nearest,
    })
}

/// One operand.
pub fn unary(round: Round, op: FloatUnary, ty: Scalar, a: Bits) -> Bits {
    let nearest = float::unary(op, ty, a);
    let rounded = match (op, ty) {
        (FloatUnary::Sqrt | FloatUnary::Rint, Scalar::F16) => {
            let single = unary(round, op, Scalar::F32, float::conversion(Scalar::F16, Scalar::F32, a));
            Some(conversion(round, Scalar::F32, Scalar::F16, single))
        }
        (FloatUnary::Sqrt, _) => with_type!(ty, root(round, a, nearest)),
        (FloatUnary::Rint, _) => with_type!(ty, integral(round, a)),
        _ => None,
    };
    rounded.unwrap_or(nearest)
}

fn fused<F: Float>(round: Round, a: Bits, b: Bits, c: Bits) -> Option<Bits> {
    number(value::<F>(a).mul_add_r(value(b), value(c), round))
}

/// Fused multiply-add.
pub fn fma(round: Round, ty: Scalar, a: Bits, b: Bits, c: Bits) -> Bits {
    with_type!(ty, fused(round, a, b, c)).unwrap_or_else(|| float::fma(ty, a, b, c))
}

fn narrowed<A: Float + FloatConvert<B>, B: Float>(round: Round, bits: Bits) -> Option<Bits> {
    let mut loses = false;
    number(value::<A>(bits).convert_r(round, &mut loses))
}

/// Between floating types.
pub fn conversion(round: Round, from: Scalar, to: Scalar, a: Bits) -> Bits {
    let rounded = match (from, to) {
        (Scalar::F32, Scalar::F16) => narrowed::<Single, Half>(round, a),
        (Scalar::F64, Scalar::F16) => narrowed::<Double, Half>(round, a),
        (Scalar::F64, Scalar::F32) => narrowed::<Double, Single>(round, a),
        (Scalar::F80, Scalar::F16) => narrowed::<X87DoubleExtended, Half>(round, a),
        (Scalar::F80, Scalar::F32) => narrowed::<X87DoubleExtended, Single>(round, a),
        (Scalar::F80, Scalar::F64) => narrowed::<X87DoubleExtended, Double>(round, a),
        // Wider types hold everything.
        _ => None,
    };
    rounded.unwrap_or_else(|| float::conversion(from, to, a))
}

fn of_signed<F: Float>(round: Round, a: i128) -> Bits {
    F::from_i128_r(a, round).value.to_bits()
}

fn of_unsigned<F: Float>(round: Round, a: u128) -> Bits {
    F::from_u128_r(a, round).value.to_bits()
}

/// Integer of `w` bits to float.
pub fn from_int(round: Round, to: Scalar, signed: bool, w: u8, a: u128) -> Bits {
    if signed {
        with_type!(to, of_signed(round, wide_sext(a, w)))
    } else {
        with_type!(to, of_unsigned(round, a & wide_mask(w)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DIRECTED: [Round; 3] = [Round::TowardNegative, Round::TowardPositive, Round::TowardZero];

    fn exact_between(down: f64, nearest: f64, up: f64) -> bool {
        down <= nearest && nearest <= up && (down == up || down.next_up() == up)
    }

    #[test]
    fn the_directions_differ_by_one_unit() {
        let bits = |x: f64| Bits::from(x.to_bits());
        let third = |round| f64::from_bits(binary(round, FloatOp::Div, Scalar::F64, bits(1.0), bits(3.0)) as u64);
        assert!(third(Round::TowardNegative) < third(Round::TowardPositive));
        assert_eq!(third(Round::TowardNegative), third(Round::TowardZero));
        for round in DIRECTED {
            let zero = binary(round, FloatOp::Sub, Scalar::F64, bits(1.0), bits(1.0));
            assert_eq!(zero == bits(-0.0), round == Round::TowardNegative);
            assert_eq!(unary(round, FloatUnary::Sqrt, Scalar::F64, bits(4.0)), bits(2.0));
        }
    }

    proptest! {
        #[test]
        fn roots_enclose_the_true_one(x in 0.0f64..1e300) {
            let root = |round| f64::from_bits(unary(round, FloatUnary::Sqrt, Scalar::F64, x.to_bits().into()) as u64);
            let (down, up) = (root(Round::TowardNegative), root(Round::TowardPositive));
            prop_assert!(exact_between(down, x.sqrt(), up), "{down} {up}");
            prop_assert_eq!(down == up, x.sqrt().mul_add(x.sqrt(), -x) == 0.0);
        }

        #[test]
        fn sums_enclose_the_nearest(x: f64, y: f64) {
            prop_assume!((x + y).is_finite());
            let sum = |round| {
                f64::from_bits(binary(round, FloatOp::Add, Scalar::F64, x.to_bits().into(), y.to_bits().into()) as u64)
            };
            prop_assert!(exact_between(sum(Round::TowardNegative), x + y, sum(Round::TowardPositive)));
        }
    }
}
