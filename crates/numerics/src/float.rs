//! Floating arithmetic of the model: single and double as the processor computes them, half through single, x87
//! extended in exact software.

use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use whydunit_model::{FloatOp, FloatPred, FloatUnary, Scalar};

/// A value of any floating type in up to two words, low first.
pub type Bits = u128;

const F80_MASK: u128 = (1 << 80) - 1;

fn f80(bits: Bits) -> X87DoubleExtended {
    X87DoubleExtended::from_bits(bits & F80_MASK)
}

fn f32_of(bits: Bits) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: Bits) -> f64 {
    f64::from_bits(bits as u64)
}

/// The processor's rule for a NaN result: the first operand that is one, made quiet, else the default NaN.
macro_rules! settle_nan {
    ($result:expr, $quiet:expr, $default:expr, $($operand:expr),+) => {{
        let result = $result;
        if result.is_nan() {
            $(if $operand.is_nan() { return ($operand.to_bits() | $quiet).into(); })+
            return Bits::from($default);
        }
        Bits::from(result.to_bits())
    }};
}

macro_rules! native_binary {
    ($name:ident, $ty:ty, $of:ident, $quiet:expr, $default:expr) => {
        #[inline]
        fn $name(op: FloatOp, a: Bits, b: Bits) -> Bits {
            let (x, y): ($ty, $ty) = ($of(a), $of(b));
            let result = match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                FloatOp::Rem => x % y,
                // As minsd and maxsd with a test for NaN compute them.
                FloatOp::MinNum => return if x.is_nan() || y < x { b } else { a },
                FloatOp::MaxNum => return if x.is_nan() || y > x { b } else { a },
                FloatOp::CopySign => return x.copysign(y).to_bits().into(),
            };
            settle_nan!(result, $quiet, $default, x, y)
        }
    };
}

native_binary!(binary32, f32, f32_of, 0x0040_0000u32, 0xffc0_0000u32);
native_binary!(binary64, f64, f64_of, 0x0008_0000_0000_0000u64, 0xfff8_0000_0000_0000u64);

/// A floating operation.
#[inline]
pub fn binary(op: FloatOp, ty: Scalar, a: Bits, b: Bits) -> Bits {
    match ty {
        Scalar::F64 => binary64(op, a, b),
        Scalar::F32 => binary32(op, a, b),
        Scalar::F16 => match op {
            FloatOp::CopySign => a & 0x7fff | b & 0x8000,
            FloatOp::MinNum | FloatOp::MaxNum => {
                let first = binary32(op, widen_half(a), widen_half(b)) == widen_half(a);
                if first { a } else { b }
            }
            _ => narrow_half(binary32(op, widen_half(a), widen_half(b))),
        },
        _ => binary80(op, a, b),
    }
}

fn binary80(op: FloatOp, a: Bits, b: Bits) -> Bits {
    let (x, y) = (f80(a), f80(b));
    let result = match op {
        FloatOp::Add => (x + y).value,
        FloatOp::Sub => (x - y).value,
        FloatOp::Mul => (x * y).value,
        FloatOp::Div => (x / y).value,
        FloatOp::Rem => x.c_fmod(y).value,
        FloatOp::MinNum => return if x.is_nan() || y < x { b } else { a },
        FloatOp::MaxNum => return if x.is_nan() || y > x { b } else { a },
        FloatOp::CopySign => return a & (F80_MASK >> 1) | b & (1 << 79),
    };
    settle_nan80(result, &[a, b])
}

/// The x87 takes the NaN with the larger significand.
fn settle_nan80(result: X87DoubleExtended, operands: &[Bits]) -> Bits {
    if !result.is_nan() {
        return result.to_bits();
    }
    let nans = operands.iter().filter(|bits| f80(**bits).is_nan()).map(|bits| bits | 1 << 62);
    nans.reduce(|a, b| if b as u64 > a as u64 { b } else { a }).unwrap_or(0xffff_c000_0000_0000_0000)
}

fn widen_half(bits: Bits) -> Bits {
    convert::<Half, Single>(bits & 0xffff)
}

fn narrow_half(bits: Bits) -> Bits {
    convert::<Single, Half>(bits & 0xffff_ffff)
}

fn convert<A: Float + FloatConvert<B>, B: Float>(bits: Bits) -> Bits {
    let mut loses = false;
    A::from_bits(bits).convert(&mut loses).value.to_bits()
}

/// One operand.
#[inline]
pub fn unary(op: FloatUnary, ty: Scalar, a: Bits) -> Bits {
    let sign: Bits = match ty {
        Scalar::F16 => 1 << 15,
        Scalar::F32 => 1 << 31,
        Scalar::F64 => 1 << 63,
        _ => 1 << 79,
    };
    match (op, ty) {
        (FloatUnary::Neg, _) => a ^ sign,
        (FloatUnary::Abs, _) => a & !sign & (sign * 2 - 1),
        (_, Scalar::F64) => {
            let x = f64_of(a);
            let result = match op {
                FloatUnary::Sqrt => x.sqrt(),
                FloatUnary::Floor => x.floor(),
                FloatUnary::Ceil => x.ceil(),
                FloatUnary::Trunc => x.trunc(),
                FloatUnary::Rint => x.round_ties_even(),
                _ => x.round(),
            };
            settle_nan!(result, 0x0008_0000_0000_0000u64, 0xfff8_0000_0000_0000u64, x)
        }
        (_, Scalar::F32) => {
            let x = f32_of(a);
            let result = match op {
                FloatUnary::Sqrt => x.sqrt(),
                FloatUnary::Floor => x.floor(),
                FloatUnary::Ceil => x.ceil(),
                FloatUnary::Trunc => x.trunc(),
                FloatUnary::Rint => x.round_ties_even(),
                _ => x.round(),
            };
            settle_nan!(result, 0x0040_0000u32, 0xffc0_0000u32, x)
        }
        (_, Scalar::F16) => narrow_half(unary(op, Scalar::F32, widen_half(a))),
        (FloatUnary::Sqrt, _) => sqrt80(a),
        (_, _) => {
            let round = match op {
                FloatUnary::Floor => Round::TowardNegative,
                FloatUnary::Ceil => Round::TowardPositive,
                FloatUnary::Trunc => Round::TowardZero,
                FloatUnary::Rint => Round::NearestTiesToEven,
                _ => Round::NearestTiesToAway,
            };
            settle_nan80(f80(a).round_to_integral(round).value, &[a])
        }
    }
}

/// Square root of an x87 value, correctly rounded: the integer square root of the scaled significand.
fn sqrt80(a: Bits) -> Bits {
    let x = f80(a);
    if x.is_nan() || x.is_zero() || (x.is_infinite() && !x.is_negative()) {
        return settle_nan80(x, &[a]);
    }
    if x.is_negative() {
        return settle_nan80(X87DoubleExtended::NAN, &[]);
    }
    let mut significand = a as u64;
    let mut exponent = ((a >> 64) & 0x7fff) as i32;
    if exponent == 0 {
        exponent = 1;
    }
    let zeros = significand.leading_zeros();
    significand <<= zeros;
    exponent -= zeros as i32;
    // value = significand * 2^e with an even e after the shift to 128 bits.
    let mut e = exponent - 16383 - 63;
    let mut n = u128::from(significand) << 63;
    e -= 63;
    if e % 2 != 0 {
        n <<= 1;
        e -= 1;
    }
    let root = n.isqrt();
    let rest = n - root * root;
    // The root has 63 or 64 bits; one more bit decides the rounding, which is never a tie.
    let (mut root, mut e) = (root, e / 2);
    let up = if root >> 63 == 0 {
        // One more bit: is (2 root + 1)^2 <= 4 n ?
        let more = 4 * rest > 4 * root;
        root = root * 2 + u128::from(more);
        e -= 1;
        // The next bit: compare (2 root + 1)^2 = 4 root^2 + 4 root + 1 with 16 n, both less 4 root^2.
        let rest = if more { 4 * rest - 2 * (root - 1) - 1 } else { 4 * rest };
        rest > root
    } else {
        rest > root
    };
    if up {
        root += 1;
        if root >> 64 != 0 {
            root >>= 1;
            e += 1;
        }
    }
    let biased = (e + 63 + 16383) as u128;
    root & u128::from(u64::MAX) | biased << 64
}

/// Fused multiply-add.
#[inline]
pub fn fma(ty: Scalar, a: Bits, b: Bits, c: Bits) -> Bits {
    match ty {
        Scalar::F64 => {
            let (x, y, z) = (f64_of(a), f64_of(b), f64_of(c));
            settle_nan!(x.mul_add(y, z), 0x0008_0000_0000_0000u64, 0xfff8_0000_0000_0000u64, x, y, z)
        }
        Scalar::F32 => {
            let (x, y, z) = (f32_of(a), f32_of(b), f32_of(c));
            settle_nan!(x.mul_add(y, z), 0x0040_0000u32, 0xffc0_0000u32, x, y, z)
        }
        Scalar::F16 => {
            let of = |bits: Bits| Half::from_bits(bits & 0xffff);
            of(a).mul_add(of(b), of(c)).value.to_bits()
        }
        _ => settle_nan80(f80(a).mul_add(f80(b), f80(c)).value, &[a, b, c]),
    }
}

/// Comparison.
#[inline]
pub fn compare(pred: FloatPred, ty: Scalar, a: Bits, b: Bits) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match ty {
        Scalar::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        Scalar::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Scalar::F16 => f32_of(widen_half(a)).partial_cmp(&f32_of(widen_half(b))),
        _ => f80(a).partial_cmp(&f80(b)),
    };
    match pred {
        FloatPred::False => false,
        FloatPred::Oeq => order == Some(Equal),
        FloatPred::Ogt => order == Some(Greater),
        FloatPred::Oge => matches!(order, Some(Greater | Equal)),
        FloatPred::Olt => order == Some(Less),
        FloatPred::Ole => matches!(order, Some(Less | Equal)),
        FloatPred::One => matches!(order, Some(Less | Greater)),
        FloatPred::Ord => order.is_some(),
        FloatPred::Uno => order.is_none(),
        FloatPred::Ueq => matches!(order, None | Some(Equal)),
        FloatPred::Ugt => matches!(order, None | Some(Greater)),
        FloatPred::Uge => matches!(order, None | Some(Greater | Equal)),
        FloatPred::Ult => matches!(order, None | Some(Less)),
        FloatPred::Ule => matches!(order, None | Some(Less | Equal)),
        FloatPred::Une => order != Some(Equal),
        FloatPred::True => true,
    }
}

/// Between floating types.
#[inline]
pub fn conversion(from: Scalar, to: Scalar, a: Bits) -> Bits {
    match (from, to) {
        (Scalar::F32, Scalar::F64) => f64::from(f32_of(a)).to_bits().into(),
        (Scalar::F64, Scalar::F32) => (f64_of(a) as f32).to_bits().into(),
        (Scalar::F16, Scalar::F32) => widen_half(a),
        (Scalar::F32, Scalar::F16) => narrow_half(a),
        (Scalar::F16, Scalar::F64) => convert::<Half, Double>(a & 0xffff),
        (Scalar::F64, Scalar::F16) => convert::<Double, Half>(a & u128::from(u64::MAX)),
        (Scalar::F16, Scalar::F80) => convert::<Half, X87DoubleExtended>(a & 0xffff),
        (Scalar::F32, Scalar::F80) => convert::<Single, X87DoubleExtended>(a & 0xffff_ffff),
        (Scalar::F64, Scalar::F80) => convert::<Double, X87DoubleExtended>(a & u128::from(u64::MAX)),
        (Scalar::F80, Scalar::F16) => convert::<X87DoubleExtended, Half>(a & F80_MASK),
        (Scalar::F80, Scalar::F32) => convert::<X87DoubleExtended, Single>(a & F80_MASK),
        (Scalar::F80, Scalar::F64) => convert::<X87DoubleExtended, Double>(a & F80_MASK),
        _ => a,
    }
}

/// cvttsd2si, 64-bit form.
fn truncate64(x: f64) -> u64 {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) { x as i64 as u64 } else { 1 << 63 }
}

/// cvttsd2si, 32-bit form.
fn truncate32(x: f64) -> u64 {
    if x > -2_147_483_649.0 && x < 2_147_483_648.0 { u64::from(x as i32 as u32) } else { 1 << 31 }
}

/// Float to integer, truncating; out of range as docs/engine.md says.
#[inline]
pub fn to_int(from: Scalar, signed: bool, w: u8, a: Bits) -> u128 {
    let m = crate::arith::wide_mask(w);
    let x = match from {
        Scalar::F64 => f64_of(a),
        Scalar::F32 => f64::from(f32_of(a)),
        Scalar::F16 => f64::from(f32_of(widen_half(a))),
        _ => return to_int80(f80(a), signed, w),
    };
    if w > 64 {
        return to_int80(f80(conversion(Scalar::F64, Scalar::F80, x.to_bits().into())), signed, w);
    }
    let value = match (signed, w) {
        (true, 0..=32) | (false, 0..=31) => truncate32(x),
        (false, 32) => truncate64(x) & 0xffff_ffff,
        (true, _) => truncate64(x),
        // Below 2^63 or unordered the plain form, else the bits above.
        (false, _) if x < 9_223_372_036_854_775_808.0 || x.is_nan() => truncate64(x),
        (false, _) => truncate64(x - 9_223_372_036_854_775_808.0) ^ 1 << 63,
    };
    u128::from(value) & m
}

fn to_int80(x: X87DoubleExtended, signed: bool, w: u8) -> u128 {
    let width = usize::from(w);
    let mut exact = false;
    if signed {
        let result = x.to_i128_r(width, Round::TowardZero, &mut exact);
        if result.status.contains(Status::INVALID_OP) {
            1 << (w - 1)
        } else {
            result.value as u128 & crate::arith::wide_mask(w)
        }
    } else {
        let result = x.to_u128_r(width, Round::TowardZero, &mut exact);
        if result.status.contains(Status::INVALID_OP) { 1 << (w - 1) } else { result.value }
    }
}

/// Integer of `w` bits to float, rounded to nearest.
#[inline]
pub fn from_int(to: Scalar, signed: bool, w: u8, a: u128) -> Bits {
    let (value, unsigned) = (crate::arith::wide_sext(a, w), a & crate::arith::wide_mask(w));
    match (to, signed) {
        (Scalar::F64, true) => (value as f64).to_bits().into(),
        (Scalar::F64, false) => (unsigned as f64).to_bits().into(),
        (Scalar::F32, true) => (value as f32).to_bits().into(),
        (Scalar::F32, false) => (unsigned as f32).to_bits().into(),
        (Scalar::F16, true) => Half::from_i128(value).value.to_bits(),
        (Scalar::F16, false) => Half::from_u128(unsigned).value.to_bits(),
        (_, true) => X87DoubleExtended::from_i128(value).value.to_bits(),
        (_, false) => X87DoubleExtended::from_u128(unsigned).value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn d(x: f64) -> Bits {
        x.to_bits().into()
    }
    fn wide(x: f64) -> Bits {
        conversion(Scalar::F64, Scalar::F80, d(x))
    }
    fn narrow(bits: Bits) -> f64 {
        f64_of(conversion(Scalar::F80, Scalar::F64, bits))
    }

    #[test]
    fn a_nan_is_the_processor_s() {
        let nan = 0x7ff0_0000_0000_0123u128;
        assert_eq!(binary(FloatOp::Add, Scalar::F64, d(1.0), nan), nan | 0x0008_0000_0000_0000);
        assert_eq!(binary(FloatOp::Sub, Scalar::F64, d(f64::INFINITY), d(f64::INFINITY)), 0xfff8_0000_0000_0000);
        assert_eq!(binary(FloatOp::Div, Scalar::F32, 0, 0), 0xffc0_0000);
        assert_eq!(unary(FloatUnary::Sqrt, Scalar::F80, wide(-1.0)), 0xffff_c000_0000_0000_0000);
    }

    #[test]
    fn floats_out_of_range_convert_as_on_x86() {
        assert_eq!(to_int(Scalar::F64, true, 32, d(3e9)), 0x8000_0000);
        assert_eq!(to_int(Scalar::F64, true, 32, d(-2_147_483_648.9)), 0x8000_0000);
        assert_eq!(to_int(Scalar::F64, true, 32, d(-2_147_483_647.9)), 0x8000_0001);
        assert_eq!(to_int(Scalar::F64, true, 8, d(300.0)), 44);
        assert_eq!(to_int(Scalar::F64, false, 8, d(-1.0)), 255);
        assert_eq!(to_int(Scalar::F64, false, 32, d(-1.0)), 0xffff_ffff);
        assert_eq!(to_int(Scalar::F64, false, 32, d(4e9)), 4_000_000_000);
        assert_eq!(to_int(Scalar::F64, false, 64, d(1e19)), 10_000_000_000_000_000_000);
        assert_eq!(to_int(Scalar::F64, false, 64, d(-1.0)), u64::MAX.into());
        assert_eq!(to_int(Scalar::F64, true, 64, d(f64::NAN)), 1 << 63);
        assert_eq!(to_int(Scalar::F80, true, 64, wide(1e30)), 1 << 63);
        assert_eq!(to_int(Scalar::F64, true, 128, d(-1e20)), (-100_000_000_000_000_000_000i128) as u128);
    }

    #[test]
    fn halves_round_once() {
        assert_eq!(conversion(Scalar::F64, Scalar::F16, d(1.0)), 0x3c00);
        assert_eq!(conversion(Scalar::F64, Scalar::F16, d(65520.0)), 0x7c00);
        assert_eq!(binary(FloatOp::Add, Scalar::F16, 0x3c00, 0x3c00), 0x4000);
        assert_eq!(binary(FloatOp::Div, Scalar::F16, 0x3c00, 0x4200), 0x3555);
        assert_eq!(from_int(Scalar::F16, true, 32, 0xffff_ffff), 0xbc00);
        assert!(compare(FloatPred::Olt, Scalar::F16, 0x3c00, 0x4000));
    }

    proptest! {
        #[test]
        fn extended_arithmetic_holds_doubles_exactly(a: f32, b: f32) {
            // Sums and products of singles fit 64 bits of significand far more often than not; rounding the extended
            // result of singles to double equals the double result where that is exact.
            let (x, y) = (f64::from(a), f64::from(b));
            prop_assume!(x.is_finite() && y.is_finite());
            let product = narrow(binary(FloatOp::Mul, Scalar::F80, wide(x), wide(y)));
            prop_assert_eq!(product.to_bits(), (x * y).to_bits());
            prop_assert_eq!(compare(FloatPred::Olt, Scalar::F80, wide(x), wide(y)), x < y);
            prop_assert_eq!(narrow(unary(FloatUnary::Floor, Scalar::F80, wide(x))).to_bits(), x.floor().to_bits());
            prop_assert_eq!(narrow(unary(FloatUnary::Round, Scalar::F80, wide(x))).to_bits(), x.round().to_bits());
        }

        #[test]
        fn square_roots_are_correctly_rounded(significand: u64, exponent in 0u128..0x7fff) {
            let integer_bit = if exponent == 0 { 0 } else { 1u64 << 63 };
            let significand = significand & (u64::MAX >> 1) | integer_bit;
            prop_assume!(significand != 0);
            let x = f80(u128::from(significand) | exponent << 64);
            let root = f80(sqrt80(x.to_bits()));
            // The half-way points to the neighbours enclose the root: root^2 within half a unit either side. With
            // d = x - root^2 computed exactly by a fused operation, |d| <= root * ulp (plus the square of half a unit).
            let d = (-root).mul_add(root, x).value;
            let ulp = root.next_up().value - root;
            let bound = root.mul_add(ulp.value, X87DoubleExtended::ZERO).value;
            prop_assert!(d.is_zero() || d.abs() <= bound || exponent < 200, "{:?} {:?}", x, root);
        }

        #[test]
        fn integers_convert_like_the_processor(a: i64, b: u64) {
            prop_assert_eq!(from_int(Scalar::F64, true, 64, a as u64 as u128), d(a as f64));
            prop_assert_eq!(from_int(Scalar::F32, false, 64, b.into()), Bits::from((b as f32).to_bits()));
            let x = f64::from_bits(b);
            if x.abs() < 1e18 {
                prop_assert_eq!(to_int(Scalar::F64, true, 64, d(x)), u128::from(x as i64 as u64));
                prop_assert_eq!(to_int(Scalar::F80, true, 64, wide(x)), u128::from(x as i64 as u64));
            }
            prop_assert_eq!(narrow(from_int(Scalar::F80, true, 64, a as u64 as u128)), a as f64);
        }
    }
}
