//! Exact decimal digits of binary numbers, rounded as printf rounds: to nearest, ties to even.

const BILLION: u64 = 1_000_000_000;

/// A number of base 10^9, lowest limb first.
struct Limbs(Vec<u64>);

impl Limbs {
    /// Times `base^power`, where `base^step` fits in 30 bits.
    fn multiply(&mut self, base: u64, step: u32, mut power: u32) {
        while power > 0 {
            let now = power.min(step);
            let factor = base.pow(now);
            let mut carry = 0;
            for limb in &mut self.0 {
                let value = *limb * factor + carry;
                *limb = value % BILLION;
                carry = value / BILLION;
            }
            if carry > 0 {
                self.0.push(carry);
            }
            power -= now;
        }
    }

    /// The digits, without leading zeros.
    fn digits(&self) -> Vec<u8> {
        let text: String = self.0.iter().rev().map(|limb| format!("{limb:09}")).collect();
        text.trim_start_matches('0').into()
    }
}

/// A finite number not below zero: 0.d1d2d3… times 10^point, where every digit is there.
pub struct Decimal {
    /// ASCII, without leading zeros; empty for zero.
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    /// `significand * 2^exponent`. What is below the point comes from 2^-n = 5^n / 10^n.
    pub fn new(significand: u64, exponent: i32) -> Self {
        if significand == 0 {
            return Self { digits: Vec::new(), point: 0 };
        }
        let even = significand.trailing_zeros().min(exponent.min(0).unsigned_abs());
        let (significand, exponent) = (significand >> even, exponent + even as i32);
        let mut limbs =
            Limbs(vec![significand % BILLION, significand / BILLION % BILLION, significand / BILLION / BILLION]);
        if exponent >= 0 {
            limbs.multiply(2, 29, exponent.unsigned_abs());
        } else {
            limbs.multiply(5, 12, exponent.unsigned_abs());
        }
        let digits = limbs.digits();
        let point = digits.len() as i32 + exponent.min(0);
        Self { digits, point }
    }

    /// As by `%.*f`.
    pub fn fixed(&self, precision: usize) -> String {
        let (mut digits, _) = self.rounded(self.point as isize + precision as isize);
        let missing = (precision + 1).saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        let mut text: String = digits.iter().map(|digit| char::from(*digit)).collect();
        if precision > 0 {
            text.insert(text.len() - precision, '.');
        }
        text
    }

    /// As by `%.*e`: one digit and `precision` more, and the decimal exponent.
    pub fn scientific(&self, precision: usize) -> (String, i32) {
        if self.digits.is_empty() {
            return ("0".repeat(precision + 1), 0);
        }
        let (mut digits, grown) = self.rounded(precision as isize + 1);
        digits.truncate(precision + 1);
        (digits.iter().map(|digit| char::from(*digit)).collect(), self.power() + i32::from(grown))
    }

    /// The exponent of the first digit, before rounding.
    pub const fn power(&self) -> i32 {
        self.point - 1
    }

    /// The first `keep` digits, rounded; with true when a digit grew in front of them.
    fn rounded(&self, keep: isize) -> (Vec<u8>, bool) {
        let Ok(keep) = usize::try_from(keep) else { return (Vec::new(), false) };
        let mut digits = self.digits.clone();
        if digits.len() <= keep {
            // Zero has no digits, and none are needed for it.
            let length = if digits.is_empty() { 0 } else { keep };
            digits.resize(length, b'0');
            return (digits, false);
        }
        let more = digits[keep + 1..].iter().any(|digit| *digit != b'0');
        let first = digits[keep];
        digits.truncate(keep);
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        if first < b'5' || (first == b'5' && !more && !odd) {
            return (digits, false);
        }
        for digit in digits.iter_mut().rev() {
            if *digit != b'9' {
                *digit += 1;
                return (digits, false);
            }
            *digit = b'0';
        }
        digits.insert(0, b'1');
        (digits, true)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_are_exact_and_ties_go_to_even() {
        assert_eq!(Decimal::new(0, 0).fixed(2), "0.00");
        assert_eq!(Decimal::new(1, -1).fixed(0), "0");
        assert_eq!(Decimal::new(3, -1).fixed(0), "2");
        assert_eq!(Decimal::new(1, -3).fixed(2), "0.12");
        assert_eq!(Decimal::new(3, -3).fixed(2), "0.38");
        assert_eq!(Decimal::new(1, -10).fixed(10), "0.0009765625");
        assert_eq!(Decimal::new(1, -10).fixed(2), "0.00");
        assert_eq!(Decimal::new(999, 0).scientific(1), ("10".into(), 3));
        assert_eq!(Decimal::new(1, 64).fixed(0), "18446744073709551616");
        assert_eq!(Decimal::new(1, -1074).scientific(3), ("4941".into(), -324));
        assert_eq!(Decimal::new(1 << 63, 16383 - 63).scientific(3), ("5949".into(), 4931));
    }

    fn number(value: f64) -> Decimal {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let (significand, exponent) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        Decimal::new(significand, exponent)
    }

    #[test]
    fn doubles_come_out_with_ties_to_even() {
        assert_eq!(number(0.5).fixed(0), "0");
        assert_eq!(number(1.5).fixed(0), "2");
        assert_eq!(number(2.5).fixed(0), "2");
        assert_eq!(number(0.125).fixed(2), "0.12");
        assert_eq!(number(9.996).fixed(2), "10.00");
        assert_eq!(number(1e22).fixed(1), "10000000000000000000000.0");
        assert_eq!(number(9.9e-5).scientific(0), ("1".into(), -4));
        assert_eq!(number(0.0).scientific(2), ("000".into(), 0));
        assert_eq!(number(5e-324).scientific(3), ("4941".into(), -324));
        assert_eq!(Decimal::new(1 << 63, 16383 - 63).scientific(3), ("5949".into(), 4931));
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
