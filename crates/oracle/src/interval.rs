//! The floating-point numbers that print as a given text.
//!
//! printf is monotone: of two numbers of one sign the larger never prints the smaller text. So the numbers that print one
//! text are an interval, and bisection over the ordered patterns finds its ends by printing.

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
    match number.nearest() {
        // If any double prints the text, then the one nearest to it does, or the next one on the other side of it: what
        // lies between the text and a number that prints it prints it too.
        Some(nearest) => {
            let keys = nearest.saturating_sub(1)..=(nearest + 1).min(number.of.last_key());
            keys.into_iter().any(|key| number.prints(key, text))
        }
        None => number.lowest(text).is_some(),
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

    /// The key of the double that is nearest to the text, if that is easily told.
    fn nearest(&self) -> Option<u128> {
        if self.of != Type::Double || self.style == Style::Hexadecimal {
            return None;
        }
        let bits: u64 = self.plain.parse::<f64>().ok()?.to_bits();
        Some(u128::from(bits).min(self.of.last_key()))
    }

    /// The least magnitude that prints the text.
    fn lowest(&self, text: &[u8]) -> Option<u128> {
        self.first(|rank| *rank >= self.goal).filter(|low| *low <= self.of.last_key() && self.prints(*low, text))
    }

    /// The first key for which a monotone condition on what it prints holds; the one after the last if there is none.
    fn first(&self, holds: impl Fn(&Rank) -> bool) -> Option<u128> {
        // Without what does not change the order.
        let bare =
            Field { width: 0, flags: crate::Flags { plus: false, blank: false, ..self.field.flags }, ..self.field };
        let (mut low, mut high) = self.bracket();
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

    /// Keys between which all that print the text lie, with room on both sides. It spares printing far-off numbers, which
    /// have thousands of digits.
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
            (false, Style::Fixed) => (0, self.of.key_above(bits(-(self.field.precision.unwrap_or(6) as i64)) + 3)),
            (false, _) => (0, 1),
        }
    }
}
