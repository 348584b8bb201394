//! Floating-point patterns, and how glibc writes them.

use crate::format::Style;
use whydunit_numerics::decimal::Decimal;

/// The two types that printf writes. Patterns of both are held in 128 bits here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    /// IEEE binary64.
    Double,
    /// The 80 bits of the x87.
    Extended,
}

/// What a pattern stands for, apart from its sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Magnitude {
    /// `significand * 2^exponent`, with the significand's bits where the format has them.
    Finite {
        significand: u64,
        exponent: i32,
    },
    Infinite,
    Nan,
}

impl Type {
    pub const fn of(long: bool) -> Self {
        if long { Type::Extended } else { Type::Double }
    }

    const fn sign_bit(self) -> u32 {
        match self {
            Type::Double => 63,
            Type::Extended => 79,
        }
    }

    pub const fn negative(self, pattern: u128) -> bool {
        pattern >> self.sign_bit() & 1 == 1
    }

    pub const fn magnitude(self, pattern: u128) -> Magnitude {
        match self {
            Type::Double => {
                let (exponent, fraction) = ((pattern >> 52) as i32 & 0x7ff, pattern as u64 & ((1 << 52) - 1));
                match exponent {
                    0x7ff if fraction == 0 => Magnitude::Infinite,
                    0x7ff => Magnitude::Nan,
                    0 => Magnitude::Finite { significand: fraction, exponent: -1074 },
                    _ => Magnitude::Finite { significand: fraction | 1 << 52, exponent: exponent - 1075 },
                }
            }
            Type::Extended => {
                let (exponent, significand) = ((pattern >> 64) as i32 & 0x7fff, pattern as u64);
                match exponent {
                    0x7fff if significand << 1 == 0 => Magnitude::Infinite,
                    0x7fff => Magnitude::Nan,
                    0 => Magnitude::Finite { significand, exponent: 1 - 16383 - 63 },
                    _ => Magnitude::Finite { significand, exponent: exponent - 16383 - 63 },
                }
            }
        }
    }

    /// The finite magnitudes, in order, are the keys up to this one.
    pub const fn last_key(self) -> u128 {
        match self {
            Type::Double => 0x7fef_ffff_ffff_ffff,
            Type::Extended => (0x7fff << 63) - 1,
        }
    }

    /// A key of at most 2^power, 0 if there are only smaller ones.
    pub fn key_below(self, power: i64) -> u128 {
        let (bias, places) = match self {
            Type::Double => (1023, 52),
            Type::Extended => (16383, 63),
        };
        u128::try_from(power.saturating_add(bias)).map_or(0, |exponent| exponent << places).min(self.last_key() + 1)
    }

    /// A key of at least 2^power, or the one after the last.
    pub fn key_above(self, power: i64) -> u128 {
        let normal = match self {
            Type::Double => 1 << 52,
            Type::Extended => 1 << 63,
        };
        self.key_below(power).max(normal)
    }

    /// The pattern of a key. (The x87's leading bit is no part of the key: it follows from the exponent.)
    pub const fn pattern(self, negative: bool, key: u128) -> u128 {
        let sign = (negative as u128) << self.sign_bit();
        match self {
            Type::Double => sign | key,
            Type::Extended => {
                let (exponent, fraction) = (key >> 63, key & ((1 << 63) - 1));
                sign | exponent << 64 | ((exponent != 0) as u128) << 63 | fraction
            }
        }
    }

    pub const fn infinity(self, negative: bool) -> u128 {
        let sign = (negative as u128) << self.sign_bit();
        match self {
            Type::Double => sign | 0x7ff << 52,
            Type::Extended => sign | 0x7fff << 64 | 1 << 63,
        }
    }
}

/// How a number is to be written.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub style: Style,
    pub precision: Option<usize>,
    pub alternate: bool,
}

impl Manner {
    /// A finite magnitude in lower case, without sign and padding; of `Style::Hexadecimal` without the `0x`.
    pub fn write(self, of: Type, significand: u64, exponent: i32) -> String {
        if self.style == Style::Hexadecimal {
            return self.hexadecimal(of, significand, exponent);
        }
        let decimal = Decimal::new(significand, exponent);
        let precision = self.precision.unwrap_or(6);
        match self.style {
            Style::Fixed => {
                let mut text = decimal.fixed(precision);
                if precision == 0 && self.alternate {
                    text.push('.');
                }
                text
            }
            Style::Scientific => self.scientific(&decimal, precision, false),
            _ => {
                let last = precision.max(1) - 1;
                let (_, power) = decimal.scientific(last);
                if power < -4 || power > last as i32 {
                    // glibc forgets the zeros of `%#g` where rounding alone makes the number too large for `%f`.
                    let carried = power == last as i32 + 1 && decimal.power() < power;
                    return self.scientific(&decimal, if carried { 0 } else { last }, !self.alternate);
                }
                let mut text = decimal.fixed((last as i32 - power) as usize);
                if self.alternate && !text.contains('.') {
                    text.push('.');
                } else if !self.alternate && text.contains('.') {
                    text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
                }
                text
            }
        }
    }

    fn scientific(self, decimal: &Decimal, precision: usize, trim: bool) -> String {
        let (mut digits, power) = decimal.scientific(precision);
        if trim {
            digits.truncate(digits.trim_end_matches('0').len().max(1));
        }
        if digits.len() > 1 || self.alternate {
            digits.insert(1, '.');
        }
        format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
    }

    /// A double starts with one bit, an x87 number with four. A carry out of these four starts anew with one.
    fn hexadecimal(self, of: Type, significand: u64, exponent: i32) -> String {
        let places = match of {
            Type::Double => 13,
            Type::Extended => 15,
        };
        let mut power = if significand == 0 { 0 } else { exponent + 4 * places };
        let kept = self.precision.unwrap_or(usize::MAX).min(places as usize);
        let cut = 4 * (places as u32 - kept as u32);
        let mut value = u128::from(significand) >> cut;
        let rest = significand & ((1 << cut) - 1);
        let half = 1 << cut >> 1;
        value += u128::from(rest > half || (cut > 0 && rest == half && value & 1 == 1));
        let mut leading = value >> (4 * kept);
        if leading == 16 {
            (leading, power) = (1, power + 4);
        }
        let fraction = value & ((1 << (4 * kept)) - 1);
        let mut digits = if kept == 0 { String::new() } else { format!("{fraction:0kept$x}") };
        match self.precision {
            Some(precision) => digits.extend(std::iter::repeat_n('0', precision - kept)),
            None => digits.truncate(digits.trim_end_matches('0').len()),
        }
        let point = if digits.is_empty() && !self.alternate { "" } else { "." };
        format!("{leading:x}{point}{digits}p{power:+}")
    }
}
