//! Exact decimal digits of binary floating-point numbers, for the formats of printf.

/// A finite number, `significand * 2^exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    pub significand: u64,
    pub exponent: i32,
}

/// The exact decimal expansion: digits before and after the point.
pub(crate) struct Expansion {
    /// Without leading zeros; empty for numbers below one.
    whole: Vec<u8>,
    /// Without trailing zeros.
    fraction: Vec<u8>,
}

const BILLION: u64 = 1_000_000_000;

impl Number {
    pub fn expand(self) -> Expansion {
        let (mut whole, mut fraction) = (Vec::new(), Vec::new());
        if self.significand == 0 {
            return Expansion { whole, fraction };
        }
        // Limbs of nine decimal digits, lowest first; the fraction's highest first.
        let mut integer = vec![];
        let bits = if self.exponent >= 0 {
            u128::from(self.significand)
        } else if self.exponent > -64 {
            u128::from(self.significand >> -self.exponent)
        } else {
            0
        };
        let mut rest = bits;
        while rest > 0 {
            integer.push((rest % u128::from(BILLION)) as u64);
            rest /= u128::from(BILLION);
        }
        let mut left = self.exponent.max(0) as u32;
        while left > 0 {
            let step = left.min(29);
            let mut carry = 0u64;
            for limb in &mut integer {
                let value = (*limb << step) + carry;
                *limb = value % BILLION;
                carry = value / BILLION;
            }
            if carry > 0 {
                integer.push(carry);
            }
            left -= step;
        }
        for limb in integer.iter().rev() {
            whole.extend_from_slice(format!("{limb:09}").as_bytes());
        }
        let zeros = whole.iter().take_while(|digit| **digit == b'0').count();
        whole.drain(..zeros);
        if self.exponent < 0 {
            let places = -self.exponent as u32;
            // The fraction as a binary number of `places` bits, in 32-bit limbs, lowest first; each multiplication by 10^9
            // moves nine digits above the point.
            let mut limbs = vec![0u64; places.div_ceil(32) as usize + 2];
            let below = if places >= 64 { self.significand } else { self.significand & ((1 << places) - 1) };
            limbs[0] = below & 0xffff_ffff;
            limbs[1] = below >> 32;
            let (top, shift) = ((places / 32) as usize, places % 32);
            while limbs.iter().any(|limb| *limb != 0) {
                let mut carry = 0u64;
                for limb in &mut limbs {
                    let value = *limb * BILLION + carry;
                    *limb = value & 0xffff_ffff;
                    carry = value >> 32;
                }
                let above = limbs[top] | limbs.get(top + 1).copied().unwrap_or(0) << 32;
                let digits = above >> shift;
                limbs[top] &= (1u64 << shift) - 1;
                if let Some(limb) = limbs.get_mut(top + 1) {
                    *limb = 0;
                }
                fraction.extend_from_slice(format!("{digits:09}").as_bytes());
            }
            while fraction.last() == Some(&b'0') {
                fraction.pop();
            }
        }
        Expansion { whole, fraction }
    }
}

impl Expansion {
    /// As `%.*f`, without sign.
    pub fn fixed(&self, precision: usize) -> String {
        let mut digits = self.whole.clone();
        if digits.is_empty() {
            digits.push(b'0');
        }
        let point = digits.len();
        digits.extend_from_slice(&self.fraction);
        let (digits, grown) = round(digits, point + precision);
        let point = point + usize::from(grown);
        let text = String::from_utf8_lossy(&digits).into_owned();
        if precision == 0 { text } else { format!("{}.{}", &text[..point], &text[point..]) }
    }

    /// Significant digits as for `%.*e`: one and `precision` more, and the decimal exponent.
    pub fn scientific(&self, precision: usize) -> (String, i32) {
        let mut digits: Vec<u8> = self.whole.iter().chain(&self.fraction).copied().collect();
        let mut exponent = self.whole.len() as i32 - 1;
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        exponent -= zeros as i32;
        if digits.is_empty() {
            return ("0".repeat(precision + 1), 0);
        }
        let (mut digits, grown) = round(digits, precision + 1);
        if grown {
            exponent += 1;
            digits.truncate(precision + 1);
        }
        (String::from_utf8_lossy(&digits).into_owned(), exponent)
    }
}

/// Keeps `keep` digits, half to even (what was cut is exact); true when a digit was added in front.
fn round(mut digits: Vec<u8>, keep: usize) -> (Vec<u8>, bool) {
    if digits.len() <= keep {
        digits.resize(keep, b'0');
        return (digits, false);
    }
    let first = digits[keep];
    let more = digits[keep + 1..].iter().any(|digit| *digit != b'0');
    digits.truncate(keep);
    let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
    if first > b'5' || (first == b'5' && (more || odd)) {
        for digit in digits.iter_mut().rev() {
            if *digit != b'9' {
                *digit += 1;
                return (digits, false);
            }
            *digit = b'0';
        }
        digits.insert(0, b'1');
        return (digits, true);
    }
    (digits, false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(value: f64) -> Expansion {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (significand, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        Number { significand, exponent }.expand()
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(number(0.5).fixed(0), "0");
        assert_eq!(number(1.5).fixed(0), "2");
        assert_eq!(number(2.5).fixed(0), "2");
        assert_eq!(number(0.125).fixed(2), "0.12");
        assert_eq!(number(9.996).fixed(2), "10.00");
        assert_eq!(number(1e22).fixed(1), "10000000000000000000000.0");
        assert_eq!(number(9.9e-5).scientific(0), ("1".into(), -4));
        assert_eq!(number(0.0).scientific(2), ("000".into(), 0));
        assert_eq!(number(5e-324).scientific(3), ("4941".into(), -324));
        assert_eq!(Number { significand: 1 << 63, exponent: 16383 - 63 }.expand().scientific(3), ("5949".into(), 4931));
    }

    proptest! {
        #[test]
        fn digits_are_those_of_the_standard_library(bits: u64, precision in 0usize..30) {
            let value = f64::from_bits(bits & !(1 << 63));
            prop_assume!(value.is_finite());
            let (digits, exponent) = number(value).scientific(precision);
            let expected = format!("{value:.precision$e}");
            let (mantissa, power) = expected.split_once('e').unwrap();
            prop_assert_eq!(digits, mantissa.replace('.', ""));
            prop_assert_eq!(exponent, power.parse::<i32>().unwrap());
        }

        #[test]
        fn fixed_digits_too(value in 0.0f64..1e12, precision in 0usize..20) {
            prop_assert_eq!(number(value).fixed(precision), format!("{value:.precision$}"));
        }
    }
}
