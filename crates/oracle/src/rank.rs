//! The order of printed numbers.

use crate::float::Type;
use crate::format::Style;

/// Where a text without sign stands in the order of what can be printed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub nonzero: bool,
    /// The number is 0.digits times the base to this.
    pub exponent: i64,
    digits: Vec<u8>,
    /// Of one number's two forms, that of a carry (0x2p+0, or 1.e+02 by `%#.2g`) comes from the numbers just below it.
    regular: bool,
}

impl Rank {
    /// Of a text in lower case; nothing if it is no number.
    pub fn of(style: Style, of: Type, text: &str) -> Option<Rank> {
        if style == Style::Hexadecimal { Rank::hexadecimal(of, text) } else { Rank::decimal(text) }
    }

    fn decimal(text: &str) -> Option<Rank> {
        let (mantissa, power) = match text.split_once('e') {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        if whole.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(Rank::new(digits, whole.len() as i64 + i64::from(power), !fraction.is_empty()))
    }

    fn hexadecimal(of: Type, text: &str) -> Option<Rank> {
        let (mantissa, power) = text.strip_prefix("0x")?.split_once('p')?;
        let power: i32 = power.parse().ok()?;
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut bits = Vec::new();
        for digit in whole.chars().chain(fraction.chars()) {
            let value = digit.to_digit(16)?;
            bits.extend((0..4).rev().map(|bit| b'0' + (value >> bit & 1) as u8));
        }
        // What stands before it is padding.
        let first = whole.trim_start_matches('0');
        let carried = match of {
            Type::Double => first == "2",
            Type::Extended => first == "1" && power != 1 - 16383 - 3,
        };
        let zero = bits.iter().all(|bit| *bit == b'0');
        // Zero itself is written with the exponent 0; what is rounded to zero has the least exponent.
        let regular = if zero { power != 0 } else { !carried };
        Some(Rank::new(bits, 4 * whole.len() as i64 + i64::from(power), regular))
    }

    /// Of digits whose point stands after the first `point` of them.
    fn new(mut digits: Vec<u8>, point: i64, regular: bool) -> Rank {
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        let length = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(length);
        let nonzero = !digits.is_empty();
        Rank { nonzero, exponent: if nonzero { point - zeros as i64 } else { 0 }, digits, regular }
    }
}
