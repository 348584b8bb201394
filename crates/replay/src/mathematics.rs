//! Functions of mathematics: which of them give the same with every library, and what they give.

use whydunit_library::{Function, Precision};
use whydunit_model::{FloatOp, FloatUnary, Scalar};
use whydunit_numerics::float;

/// An operation that gives the same with any library.
enum Exact {
    Unary(FloatUnary),
    Binary(FloatOp),
}

/// What a function of floats or doubles computes exactly, and their type.
fn operation(function: &Function) -> Option<(Exact, Scalar)> {
    let (name, ty) = match function.mathematics? {
        Precision::Double => (function.name, Scalar::F64),
        Precision::Single => (function.name.strip_suffix('f')?, Scalar::F32),
        Precision::Extended => return None,
    };
    if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == name) {
        return Some((Exact::Unary(*op), ty));
    }
    let op = match name {
        "fmod" => FloatOp::Rem,
        "fmin" => FloatOp::MinNum,
        "fmax" => FloatOp::MaxNum,
        "copysign" => FloatOp::CopySign,
        _ => return None,
    };
    Some((Exact::Binary(op), ty))
}

/// Whether the result of a function of mathematics is computed here.
pub(crate) fn is_exact(function: &Function) -> bool {
    operation(function).is_some()
}

/// What a function of mathematics gives; only those whose results are exact are computed, others differ between libraries.
pub(crate) fn exact(function: &Function, args: &[u64]) -> Option<u64> {
    let (op, ty) = operation(function)?;
    let a = u128::from(*args.first()?);
    Some(match op {
        Exact::Unary(op) => float::unary(op, ty, a) as u64,
        Exact::Binary(op) => float::binary(op, ty, a, u128::from(*args.get(1)?)) as u64,
    })
}

const UNARY: [(&str, FloatUnary); 8] = [
    ("sqrt", FloatUnary::Sqrt),
    ("floor", FloatUnary::Floor),
    ("ceil", FloatUnary::Ceil),
    ("trunc", FloatUnary::Trunc),
    ("round", FloatUnary::Round),
    ("rint", FloatUnary::Rint),
    ("nearbyint", FloatUnary::Rint),
    ("fabs", FloatUnary::Abs),
];

/// A conversion to an integer that takes what does not fit for the nearest that does, and what is no number for 0: an intrinsic of
/// LLVM's that casts of Rust are. None of other functions.
pub(crate) fn saturated(name: &str, args: &[u64]) -> Option<u64> {
    let rest = name.strip_prefix("native.llvm.fpto")?;
    let (signed, rest) = match rest.strip_prefix("si.sat.i") {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix("ui.sat.i")?),
    };
    let (bits, float) = rest.split_once('.')?;
    let bits: u32 = bits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
    let value = match float {
        "f64" => f64::from_bits(*args.first()?),
        "f32" => f32::from_bits(*args.first()? as u32).into(),
        _ => return None,
    };
    let (least, most) = match signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    Some((value as i128).clamp(least, most) as u64 & whydunit_numerics::arith::mask(bits as u8))
}

/// A function of floating arithmetic, computed here: the last bit may be another one than in the program's own library.
pub(crate) fn approximate(name: &str, args: &[u64]) -> Option<u64> {
    let x = f64::from_bits(*args.first()?);
    let y = args.get(1).map_or(0.0, |bits| f64::from_bits(*bits));
    let value = match name {
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "pow" => x.powf(y),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "atan2" => x.atan2(y),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "cbrt" => x.cbrt(),
        "hypot" => x.hypot(y),
        _ => return None,
    };
    Some(value.to_bits())
}

#[cfg(test)]
mod tests {
    use whydunit_library::lookup;

    use super::*;

    #[test]
    fn only_exact_functions_are_computed() {
        let compute = |name: &str, args: &[u64]| exact(lookup(name).unwrap().function, args);
        assert_eq!(compute("floor", &[(-1.5f64).to_bits()]), Some((-2.0f64).to_bits()));
        assert_eq!(compute("sqrtf", &[u64::from(2.25f32.to_bits())]), Some(u64::from(1.5f32.to_bits())));
        assert_eq!(compute("fmaxf", &[1f32, 2f32].map(|x| u64::from(x.to_bits()))), Some(u64::from(2f32.to_bits())));
        assert_eq!((compute("sin", &[0]), compute("floorl", &[0, 0])), (None, None));
    }
    #[test]
    fn casts_of_rust_take_the_nearest_that_fits() {
        let cast = |name: &str, value: f64| saturated(name, &[value.to_bits()]).map(|value| value as i64);
        let all = [1.9, -1.9, 300.0, f64::NAN, -1e30].map(|value| cast("native.llvm.fptoui.sat.i8.f64", value));
        assert_eq!(all, [1, 0, 255, 0, 0].map(Some));
        assert_eq!(cast("native.llvm.fptosi.sat.i64.f64", -1e30), Some(i64::MIN));
        assert_eq!(cast("native.llvm.fptoui.sat.i64.f64", f64::INFINITY), Some(-1));
        let short = saturated("native.llvm.fptosi.sat.i32.f32", &[u64::from((-2.5f32).to_bits())]);
        assert_eq!((short, cast("llvm.sin.f64", 1.0)), (Some(0xffff_fffe), None));
    }
}
