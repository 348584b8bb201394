//! Floats that become integers.

use whydunit_model::Scalar;

/// A float without its fraction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Whole {
    /// Sign and magnitude; `u128::MAX` for all that are larger.
    Number(bool, u128),
    /// None: no number.
    NotANumber,
}

/// The whole part of a float's bits.
pub fn whole(from: Scalar, bits: u128) -> Option<Whole> {
    Some(match from {
        Scalar::F64 => of_double(f64::from_bits(bits as u64)),
        Scalar::F32 => of_double(f32::from_bits(bits as u32).into()),
        Scalar::F80 => of_extended(bits),
        _ => return None,
    })
}

fn of_double(value: f64) -> Whole {
    if value.is_nan() { Whole::NotANumber } else { Whole::Number(value.is_sign_negative(), value.abs() as u128) }
}

/// Of x87's format: 64 bits of significand, 15 of exponent, the sign.
fn of_extended(bits: u128) -> Whole {
    const BIAS: i32 = 16383 + 63;
    let (significand, exponent, negative) =
        (bits & u128::from(u64::MAX), (bits >> 64 & 0x7fff) as i32, bits >> 79 & 1 == 1);
    if exponent == 0x7fff && significand << 65 != 0 {
        return Whole::NotANumber;
    }
    let shift = exponent - BIAS;
    Whole::Number(
        negative,
        match shift {
            65.. => u128::MAX,
            0..65 => significand.checked_shl(shift as u32).unwrap_or(u128::MAX),
            _ => significand.checked_shr(shift.unsigned_abs()).unwrap_or(0),
        },
    )
}

/// Whether an integer of so many bits can represent a whole number.
pub fn fits(whole: Whole, bits: u8, signed: bool) -> bool {
    let Whole::Number(negative, magnitude) = whole else { return false };
    let above = |bits: u8| if bits >= 128 { u128::MAX } else { 1 << bits };
    match (signed, negative) {
        (true, true) => magnitude <= above(bits - 1),
        (true, false) => magnitude < above(bits - 1),
        (false, true) => magnitude == 0,
        (false, false) => magnitude < above(bits),
    }
}

/// A float's bits in words.
pub fn text(from: Scalar, bits: u128) -> String {
    let double = match from {
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        Scalar::F64 => f64::from_bits(bits as u64),
        _ => f64::from_bits(whydunit_numerics::float::conversion(from, Scalar::F64, bits) as u64),
    };
    format!("{double}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Whole {
        of_double(value)
    }

    #[test]
    fn numbers_fit_without_their_fractions() {
        for (value, bits, signed) in [
            (2_147_483_647.9, 32, true),
            (-2_147_483_648.5, 32, true),
            (-0.9, 8, false),
            (255.9, 8, false),
            (-0.0, 8, false),
        ] {
            assert!(fits(double(value), bits, signed), "{value}");
        }
        for (value, bits, signed) in [
            (2_147_483_648.0, 32, true),
            (-1.0, 64, false),
            (f64::NAN, 32, true),
            (256.0, 8, false),
            (f64::INFINITY, 64, true),
            (1.8446744073709552e19, 64, false),
        ] {
            assert!(!fits(double(value), bits, signed), "{value}");
        }
    }

    #[test]
    fn extended_floats_are_compared_with_all_their_bits() {
        let bits = |significand: u64, exponent: u128, negative: u128| {
            u128::from(significand) | exponent << 64 | negative << 79
        };
        // 2^63 - 0.5 and 2^63.
        assert!(fits(of_extended(bits(u64::MAX, 16383 + 62, 0)), 64, true));
        assert!(!fits(of_extended(bits(1 << 63, 16383 + 63, 0)), 64, true));
        assert!(fits(of_extended(bits(1 << 63, 16383 + 63, 1)), 64, true));
        assert!(fits(of_extended(bits(1 << 63, 16383, 0)), 8, true));
        assert!(!fits(of_extended(bits(1 << 63, 0x7fff, 0)), 64, true));
        assert_eq!(of_extended(bits(3 << 62, 0x7fff, 0)), Whole::NotANumber);
    }
}
