//! The floating-point numbers that print as a given text.
//!
//! printf is monotone: of two numbers of one sign the larger never prints the smaller text. So the numbers that print one
//! text are an interval, and bisection over the ordered patterns finds its ends by printing.

use crate::Requirement;
use crate::float::Type;
use crate::format::{Kind, Style};
use crate::print::Field;

/// The numbers for which `field` prints exactly `text`; nothing if there are none.
pub(crate) fn reading(field: &Field, text: &[u8]) -> Option<Requirement> {
    let Kind::Floating { style, long, .. } = field.kind else { return None };
    let of = Type::of(long);
    let plain = std::str::from_utf8(text).ok()?.trim_matches(' ').to_ascii_lowercase();
    let (negative, plain) = match plain.strip_prefix(['-', '+']) {
        Some(rest) => (plain.starts_with('-'), rest),
        None => (false, &*plain),
    };
    let prints = |pattern: u128| field.floating(pattern) == text;
    match plain {
        "inf" => {
            let infinity = of.infinity(negative);
            return prints(infinity).then(|| between(of, infinity, infinity));
        }
        "nan" => {
            let nan = of.infinity(negative) | 1 << 51;
            return prints(nan).then_some(Requirement::NotANumber { negative });
        }
        _ => {}
    }
    if !plausible(field, style, plain) {
        return None;
    }
    let goal = Rank::of(style, of, plain)?;
    // Printed without sign and padding, which do not change the order.
    let bare = Field { width: 0, ..*field };
    let rank = |key: u128| {
        let printed = String::from_utf8(bare.floating(of.pattern(false, key))).unwrap_or_default();
        Rank::of(style, of, printed.trim_start_matches(['+', ' ']).to_ascii_lowercase().as_str())
    };
    let low = first(of.last_key(), |key| rank(key).is_some_and(|rank| rank >= goal))?;
    if !prints(of.pattern(negative, low)) {
        return None;
    }
    let beyond = first(of.last_key(), |key| rank(key).is_some_and(|rank| rank > goal));
    let high = beyond.unwrap_or(of.last_key() + 1) - 1;
    let (low, high) = if negative { (high, low) } else { (low, high) };
    Some(between(of, of.pattern(negative, low), of.pattern(negative, high)))
}

/// Whether a number without sign has the digits that the precision asks for: cheaper than a bisection in vain.
fn plausible(field: &Field, style: Style, plain: &str) -> bool {
    let precision = field.precision.unwrap_or(6);
    let (mantissa, power) = plain.split_once('e').unwrap_or((plain, ""));
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    match style {
        Style::Fixed => power.is_empty() && fraction == precision,
        Style::Scientific => power.len() >= 3 && fraction == precision,
        Style::General => mantissa.trim_start_matches(['0', '.']).len() <= precision.max(1) + 1,
        Style::Hexadecimal => true,
    }
}

fn between(of: Type, low: u128, high: u128) -> Requirement {
    match of {
        Type::Double => Requirement::Double { low: f64::from_bits(low as u64), high: f64::from_bits(high as u64) },
        Type::Extended => Requirement::LongDouble { low, high },
    }
}

/// The first key up to `last` for which a monotone condition holds.
fn first(last: u128, holds: impl Fn(u128) -> bool) -> Option<u128> {
    let (mut low, mut high) = (0, last + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (low <= last).then_some(low)
}

/// Where a text without sign stands in the order of what can be printed.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    nonzero: bool,
    /// The number is 0.digits times the base to this.
    exponent: i64,
    digits: Vec<u8>,
    /// Of one number's two forms, that of a carry (0x2p+0, or 1.e+02 by `%#.2g`) comes from the numbers just below it.
    regular: bool,
}

impl Rank {
    fn of(style: Style, of: Type, text: &str) -> Option<Rank> {
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
