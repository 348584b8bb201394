//! The meaning of the float operations, on numbers: what constant operands fold to, and what replay computes.
//!
//! A NaN result is the processor's: the first operand that is a NaN (of x87 operands the one with the larger
//! significand), made quiet; without one the default NaN.

use rustc_apfloat::ieee::{Double, Half, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use crate::format::{Format, Rounding};
use crate::pool::mask;
use crate::{FloatCompare, FloatOp, FloatUnary};

/// The same in the words of the library.
fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
        Rounding::Zero => Round::TowardZero,
    }
}

/// Evaluates with `$F` as the software type of a format.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            Format::Half => {
                type $F = Half;
                $body
            }
            Format::Single => {
                type $F = Single;
                $body
            }
            Format::Double => {
                type $F = Double;
                $body
            }
            Format::Extended => {
                type $F = X87DoubleExtended;
                $body
            }
        }
    };
}

/// Whether bits are a NaN.
pub(crate) fn is_nan(format: Format, a: u128) -> bool {
    with_format!(format, F => F::from_bits(a).is_nan())
}

/// A result, where it is a NaN the one that the operands give.
fn settle(format: Format, result: u128, operands: &[u128]) -> u128 {
    if is_nan(format, result) { nan_of(format, operands) } else { result }
}

/// The NaN that comes of operands.
pub(crate) fn nan_of(format: Format, operands: &[u128]) -> u128 {
    let mut nans = operands.iter().filter(|bits| is_nan(format, **bits)).map(|bits| bits | format.quiet());
    let chosen = if format == Format::Extended {
        nans.reduce(|a, b| if b as u64 > a as u64 { b } else { a })
    } else {
        nans.next()
    };
    chosen.unwrap_or(format.default_nan())
}

/// An operation on two floats.
pub(crate) fn binary(op: FloatOp, format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if matches!(op, FloatOp::Min | FloatOp::Max) {
        let other = match op {
            FloatOp::Min => compare(FloatCompare::Lt, format, b, a),
            _ => compare(FloatCompare::Lt, format, a, b),
        };
        return if other || is_nan(format, a) { b } else { a };
    }
    let result = match (format, rounding) {
        (Format::Single, Rounding::NearestEven) => {
            native(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into()
        }
        (Format::Double, Rounding::NearestEven) => {
            native(op, f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into()
        }
        _ => with_format!(format, F => {
            let (x, y, round) = (F::from_bits(a), F::from_bits(b), round(rounding));
            match op {
                FloatOp::Add => x.add_r(y, round).value.to_bits(),
                FloatOp::Sub => x.sub_r(y, round).value.to_bits(),
                FloatOp::Mul => x.mul_r(y, round).value.to_bits(),
                FloatOp::Div => x.div_r(y, round).value.to_bits(),
                _ => x.c_fmod(y).value.to_bits(),
            }
        }),
    };
    settle(format, result, &[a, b])
}

/// As the processor computes, rounding to nearest.
fn native<T>(op: FloatOp, x: T, y: T) -> T
where
    T: std::ops::Add<Output = T>
        + std::ops::Sub<Output = T>
        + std::ops::Mul<Output = T>
        + std::ops::Div<Output = T>
        + std::ops::Rem<Output = T>,
{
    match op {
        FloatOp::Add => x + y,
        FloatOp::Sub => x - y,
        FloatOp::Mul => x * y,
        FloatOp::Div => x / y,
        _ => x % y,
    }
}

/// An operation on one float.
pub(crate) fn unary(op: FloatUnary, format: Format, rounding: Rounding, a: u128) -> u128 {
    let round = match op {
        FloatUnary::Neg => return a ^ format.sign(),
        FloatUnary::Abs => return a & !format.sign(),
        FloatUnary::Sqrt => return sqrt(format, rounding, a),
        FloatUnary::Floor => Round::TowardNegative,
        FloatUnary::Ceil => Round::TowardPositive,
        FloatUnary::Trunc => Round::TowardZero,
        FloatUnary::Rint => Round::NearestTiesToEven,
        FloatUnary::Round => Round::NearestTiesToAway,
    };
    let result = with_format!(format, F => F::from_bits(a).round_to_integral(round).value.to_bits());
    settle(format, result, &[a])
}

/// Square root: the integer root of the significand, scaled so that it has just the format's bits.
fn sqrt(format: Format, rounding: Rounding, a: u128) -> u128 {
    let negative = a & format.sign() != 0;
    let magnitude = a & !format.sign();
    if is_nan(format, a) || negative && magnitude != 0 {
        return nan_of(format, &[a]);
    }
    if magnitude == 0 || magnitude == format.infinity() {
        return a;
    }
    let (p, stored) = (format.significand_bits(), format.stored_bits());
    let mut exponent = (a >> stored) as i32;
    let mut significand = a & mask(stored);
    if format != Format::Extended && exponent != 0 {
        significand |= 1 << stored;
    }
    exponent = exponent.max(1);
    let shift = significand.leading_zeros() + p - 128;
    significand <<= shift;
    // The value is significand * 2^scale.
    let scale = exponent - shift as i32 - format.bias() - (p as i32 - 1);
    // Times 2^(p-1) or 2^p, whichever leaves an even scale: the root then has p bits.
    let up = if (scale - (p as i32 - 1)) % 2 == 0 { p - 1 } else { p };
    let scaled = significand << up;
    let half = (scale - up as i32) / 2;
    let root = scaled.isqrt();
    let rest = scaled - root * root;
    let increment = match rounding {
        // Half-way would be root + 1/4 of rest: never met.
        Rounding::NearestEven => rest > root,
        Rounding::Up => rest != 0,
        Rounding::Down | Rounding::Zero => false,
    };
    let (mut root, mut half) = (root + u128::from(increment), half);
    if root >> p != 0 {
        root >>= 1;
        half += 1;
    }
    let biased = (half + (p as i32 - 1) + format.bias()) as u128;
    root & mask(stored) | biased << stored
}

/// Multiplication and addition, rounded once.
pub(crate) fn fma(format: Format, rounding: Rounding, [a, b, c]: [u128; 3]) -> u128 {
    let result = match (format, rounding) {
        (Format::Single, Rounding::NearestEven) => {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            a.mul_add(b, c).to_bits().into()
        }
        (Format::Double, Rounding::NearestEven) => {
            let [a, b, c] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
            a.mul_add(b, c).to_bits().into()
        }
        _ => with_format!(format, F => {
            F::from_bits(a).mul_add_r(F::from_bits(b), F::from_bits(c), round(rounding)).value.to_bits()
        }),
    };
    settle(format, result, &[a, b, c])
}

/// A comparison.
pub(crate) fn compare(compare: FloatCompare, format: Format, a: u128, b: u128) -> bool {
    use std::cmp::Ordering::{Equal, Less};
    let order = match format {
        Format::Single => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        Format::Double => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        _ => with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    };
    match compare {
        FloatCompare::Eq => order == Some(Equal),
        FloatCompare::Lt => order == Some(Less),
        FloatCompare::Le => matches!(order, Some(Less | Equal)),
    }
}

/// From one format to another. A NaN stays one: its payload's high bits, made quiet.
pub(crate) fn convert(from: Format, to: Format, rounding: Rounding, a: u128) -> u128 {
    if is_nan(from, a) {
        let (p, q) = (from.significand_bits() - 1, to.significand_bits() - 1);
        let payload = a & mask(p);
        let payload = if q >= p { payload << (q - p) } else { payload >> (p - q) };
        let sign = if a & from.sign() != 0 { to.sign() } else { 0 };
        return sign | to.infinity() | to.quiet() | payload;
    }
    let mut loses = false;
    with_format!(from, A => with_format!(to, B => {
        let result: B = A::from_bits(a).convert_r(round(rounding), &mut loses).value;
        result.to_bits()
    }))
}

/// Truncated to an integer; see [`Pool::float_to_int`](crate::Pool::float_to_int) for what has no such integer.
pub(crate) fn to_int(format: Format, signed: bool, width: u32, a: u128) -> u128 {
    if !signed && width == 64 && format != Format::Extended {
        // The processor has no such conversion: compilers make it of two.
        return if is_nan(format, a) || a & format.sign() != 0 {
            to_int(format, true, 64, a)
        } else if compare(FloatCompare::Lt, format, a, from_int(format, false, Rounding::NearestEven, 1 << 64)) {
            to_int(format, false, 65, a)
        } else {
            0
        };
    }
    let mut exact = false;
    let (value, valid) = with_format!(format, F => {
        let x = F::from_bits(a);
        if signed {
            let result = x.to_i128_r(128, Round::TowardZero, &mut exact);
            let fits = crate::pool::signed(result.value as u128 & mask(width), width) == result.value;
            (result.value as u128, fits && !result.status.contains(Status::INVALID_OP))
        } else {
            let result = x.to_u128_r(width as usize, Round::TowardZero, &mut exact);
            (result.value, !result.status.contains(Status::INVALID_OP))
        }
    });
    if valid { value & mask(width) } else { 1 << (width - 1) }
}

/// An integer as a float; a signed one comes extended to all bits.
pub(crate) fn from_int(format: Format, signed: bool, rounding: Rounding, a: u128) -> u128 {
    with_format!(format, F => {
        let result = if signed { F::from_i128_r(a as i128, round(rounding)) } else { F::from_u128_r(a, round(rounding)) };
        result.value.to_bits()
    })
}
