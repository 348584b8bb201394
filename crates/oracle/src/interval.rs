//! The floating-point numbers that print as a given text.
//!
//! printf is monotone: of two numbers of one sign the larger never prints the smaller text. So the numbers that print one
//! text are an interval, and bisection over the ordered patterns finds its ends by printing.

use whydunit_library::printf::Flags;

use crate::Requirement;
use crate::float::Type;
use crate::format::{Kind, Style};
use crate::print::Field;
use crate::rank::Rank;

/// The numbers for which `field` prints exactly `text`; nothing if there are none.
pub(crate) fn reading(field: &Field, text: &[u8]) -> Option<Requirement> {
    match Shown::of(field, text)? {
        Shown::Infinity { of, negative } => Some(between(of, of.infinity(negative), of.infinity(negative))),
        Shown::Nan { negative } => Some(Requirement::NotANumber { negative }),
        Shown::Number(number) => {
            let low = number.lowest(text)?;
            let high = number.first(|rank| *rank > number.goal)? - 1;
            let (low, high) = if number.negative { (high, low) } else { (low, high) };
            let pattern = |key| number.of.pattern(number.negative, key);
            Some(between(number.of, pattern(low), pattern(high)))
        }
    }
}

/// Whether there are any, found without their interval where that is possible.
pub(crate) fn possible(field: &Field, text: &[u8]) -> bool {
    let Some(Shown::Number(number)) = Shown::of(field, text) else { return Shown::of(field, text).is_some() };
    // If any number prints the text, then the nearest one above or below it does: what lies between the text and a number
    // that prints it prints it too.
    match (number.nearest(), number.of) {
        (Some(nearest), Type::Double) => {
            let keys = nearest.saturating_sub(1)..=(nearest + 1).min(number.of.last_key());
            keys.into_iter().any(|key| number.prints(key, text))
        }
        (Some(nearest), Type::Extended) => {
            // The text is less than a double away from the nearest double.
            let key = |bits: u128| (bits + ((16383 - 1023) << 52)) << 11;
            number.lowest_of(text, (key(nearest - 1), key(nearest + 1))).is_some()
        }
        (None, _) => number.lowest(text).is_some(),
    }
}

fn between(of: Type, low: u128, high: u128) -> Requirement {
    match of {
        Type::Double => Requirement::Double { low: f64::from_bits(low as u64), high: f64::from_bits(high as u64) },
        Type::Extended => Requirement::LongDouble { low, high },
    }
}

/// What a text looks like. Infinities and NaNs are known to print so.
enum Shown {
    Infinity { of: Type, negative: bool },
    Nan { negative: bool },
    Number(Number),
}

/// A text that looks like a number.
struct Number {
    field: Field,
    of: Type,
    style: Style,
    negative: bool,
    /// In lower case, without sign and blanks.
    plain: String,
    goal: Rank,
}

impl Shown {
    fn of(field: &Field, text: &[u8]) -> Option<Shown> {
        let Kind::Floating { style, long, .. } = field.kind else { return None };
        let of = Type::of(long);
        let plain = std::str::from_utf8(text).ok()?.trim_matches(' ').to_ascii_lowercase();
        let (negative, plain) = match plain.strip_prefix(['-', '+']) {
            Some(rest) => (plain.starts_with('-'), rest.to_owned()),
            None => (false, plain),
        };
        let prints = |pattern| field.floating(pattern) == text;
        match &*plain {
            "inf" => prints(of.infinity(negative)).then_some(Shown::Infinity { of, negative }),
            "nan" => prints(of.infinity(negative) | 1 << 51).then_some(Shown::Nan { negative }),
            _ if plausible(field, style, &plain) => {
                let goal = Rank::of(style, of, &plain)?;
                Some(Shown::Number(Number { field: *field, of, style, negative, plain, goal }))
            }
            _ => None,
        }
    }
}

/// Whether a number without sign has the digits that the precision asks for: cheaper than printing in vain.
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

impl Number {
    fn prints(&self, key: u128, text: &[u8]) -> bool {
        self.field.floating(self.of.pattern(self.negative, key)) == text
    }

    /// The key of the double that is nearest to the text, if that is easily told and the double is an ordinary one.
    fn nearest(&self) -> Option<u128> {
        let value = self.plain.parse::<f64>().ok().filter(|_| self.style != Style::Hexadecimal)?;
        let ordinary = value.is_normal() && value < f64::MAX && value > f64::MIN_POSITIVE;
        ordinary.then_some(value.to_bits().into())
    }

    /// The least magnitude that prints the text.
    fn lowest(&self, text: &[u8]) -> Option<u128> {
        if !self.goal.nonzero && self.style != Style::Hexadecimal {
            return self.prints(0, text).then_some(0);
        }
        self.lowest_of(text, self.bracket())
    }

    /// The least of these keys that prints the text, which is not below all of them.
    fn lowest_of(&self, text: &[u8], keys: (u128, u128)) -> Option<u128> {
        let low = self.first_of(keys, |rank| *rank >= self.goal)?;
        (low <= self.of.last_key() && self.prints(low, text)).then_some(low)
    }

    /// The first key for which a monotone condition on what it prints holds; the one after the last if there is none.
    fn first(&self, holds: impl Fn(&Rank) -> bool) -> Option<u128> {
        self.first_of(self.bracket(), holds)
    }

    /// The same of these keys, the second of which is not tried.
    fn first_of(&self, (mut low, mut high): (u128, u128), holds: impl Fn(&Rank) -> bool) -> Option<u128> {
        // Without what does not change the order.
        let flags = Flags { plus: false, blank: false, ..self.field.flags };
        let bare = Field { width: 0, flags, ..self.field };
        while low < high {
            let middle = low + (high - low) / 2;
            let printed = String::from_utf8(bare.floating(self.of.pattern(false, middle))).ok()?;
            if holds(&Rank::of(self.style, self.of, &printed.to_ascii_lowercase())?) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(low)
    }

    /// Keys between which the ends of the interval lie, with room on both sides; of zero's, the upper end. It spares printing
    /// far-off numbers, which have thousands of digits.
    fn bracket(&self) -> (u128, u128) {
        let end = self.of.last_key() + 1;
        if self.style == Style::Hexadecimal {
            return (0, end);
        }
        // Rounding moves a number by less than a factor of two; one more is for the logarithm.
        let bits = |power: i64| (power as f64 * std::f64::consts::LOG2_10) as i64;
        match (self.goal.nonzero, self.style) {
            (true, _) => {
                let low = self.of.key_below(bits(self.goal.exponent - 1) - 3);
                (low, self.of.key_above(bits(self.goal.exponent) + 3))
            }
            (false, Style::Fixed) => {
                let least = -(self.field.precision.unwrap_or(6) as i64);
                (self.of.key_below(bits(least - 1) - 3), self.of.key_above(bits(least) + 3))
            }
            (false, _) => (0, 1),
        }
    }
}
