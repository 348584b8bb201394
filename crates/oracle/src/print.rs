//! What calls of the printf family print, byte for byte as glibc does in the C locale.

use whydunit_library::printf::Flags;

use crate::float::{Magnitude, Manner, Type};
use crate::format::{Conversion, Count, Format, Kind, LARGEST, Notation, Piece};
use crate::requirement::extended;
use crate::{Argument, Refusal};

/// A conversion whose width and precision are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub flags: Flags,
    pub width: usize,
    pub precision: Option<usize>,
    pub kind: Kind,
}

/// The value of an argument, as a word.
fn word(arguments: &[Argument], index: usize) -> Result<u64, Refusal> {
    match arguments.get(index) {
        Some(Argument::Word(word)) => Ok(*word),
        Some(_) => Err(Refusal::WrongArgument(index)),
        None => Err(Refusal::MissingArgument(index)),
    }
}

impl Field {
    pub fn new(conversion: &Conversion, arguments: &[Argument]) -> Result<Field, Refusal> {
        let count = |count: Option<Count>| match count {
            None => Ok(None),
            Some(Count::Fixed(count)) => Ok(i32::try_from(count).ok()),
            Some(Count::Argument(index)) => word(arguments, index).map(|word| Some(word as i32)),
        };
        let mut flags = conversion.flags;
        let width = count(conversion.width)?.unwrap_or(0);
        flags.left |= width < 0;
        let width = width.unsigned_abs() as usize;
        // A negative precision counts as none.
        let precision = count(conversion.precision)?.and_then(|precision| usize::try_from(precision).ok());
        if width > LARGEST || precision.is_some_and(|precision| precision > LARGEST) {
            return Err(Refusal::TooWide);
        }
        Ok(Field { flags, width, precision, kind: conversion.kind })
    }

    /// What it prints of an argument; nothing if the argument is of another kind.
    pub fn print(&self, argument: &Argument) -> Option<Vec<u8>> {
        Some(match (self.kind, argument) {
            (Kind::Integer { bits, notation }, Argument::Word(word)) => self.integer(bits, notation, *word),
            (Kind::Character, Argument::Word(word)) => self.padded(&[*word as u8]),
            (Kind::Pointer, Argument::Word(0)) => self.padded(b"(nil)"),
            (Kind::Pointer, Argument::Word(word)) => self.number(self.sign(false), "0x", format!("{word:x}")),
            (Kind::Text, Argument::Bytes(text)) => self.padded(self.cut(text)),
            (Kind::Text, Argument::Null) => self.padded(self.null()),
            (Kind::Floating { long: false, .. }, Argument::Double(bits)) => self.floating((*bits).into()),
            (Kind::Floating { long: true, .. }, Argument::LongDouble(bits)) => self.floating(*bits),
            _ => return None,
        })
    }

    /// What a string contributes.
    pub fn cut<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[..self.precision.map_or(text.len(), |precision| precision.min(text.len()))]
    }

    /// What a null pointer contributes as a string.
    pub fn null(&self) -> &'static [u8] {
        if self.precision.is_some_and(|precision| precision < 6) { b"" } else { b"(null)" }
    }

    fn integer(&self, bits: u32, notation: Notation, word: u64) -> Vec<u8> {
        let value = word & (u64::MAX >> (64 - bits));
        let alternate = |prefix| if self.flags.alternate && value != 0 { prefix } else { "" };
        match notation {
            Notation::Signed => {
                let value = extended(bits, word);
                self.number(self.sign(value < 0), "", value.unsigned_abs().to_string())
            }
            Notation::Unsigned => self.number("", "", value.to_string()),
            Notation::Hexadecimal { upper: false } => self.number("", alternate("0x"), format!("{value:x}")),
            Notation::Hexadecimal { upper: true } => self.number("", alternate("0X"), format!("{value:X}")),
            Notation::Binary { upper: false } => self.number("", alternate("0b"), format!("{value:b}")),
            Notation::Binary { upper: true } => self.number("", alternate("0B"), format!("{value:b}")),
            Notation::Octal => {
                let digits = format!("{value:o}");
                // The first digit has to be 0, by the precision or by one more.
                let enough = self.precision.is_some_and(|precision| precision > digits.len());
                let bare = value == 0 && self.precision != Some(0);
                let prefix = if self.flags.alternate && !enough && !bare { "0" } else { "" };
                self.number("", prefix, digits)
            }
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.flags.plus, self.flags.blank) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn number(&self, sign: &str, prefix: &str, digits: String) -> Vec<u8> {
        let digits = match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(precision) => format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len()))),
            None => digits,
        };
        self.zeros(sign, prefix, &digits, self.precision.is_none())
    }

    /// Padding by zeros, where the flags ask for it and the conversion allows it; else by blanks.
    fn zeros(&self, sign: &str, prefix: &str, digits: &str, allowed: bool) -> Vec<u8> {
        let zero = self.flags.zero && !self.flags.left && allowed;
        let length = sign.len() + prefix.len() + digits.len();
        let zeros = if zero { self.width.saturating_sub(length) } else { 0 };
        self.padded(format!("{sign}{prefix}{}{digits}", "0".repeat(zeros)).as_bytes())
    }

    fn padded(&self, text: &[u8]) -> Vec<u8> {
        let blanks = std::iter::repeat_n(b' ', self.width.saturating_sub(text.len()));
        if self.flags.left {
            text.iter().copied().chain(blanks).collect()
        } else {
            blanks.chain(text.iter().copied()).collect()
        }
    }

    /// A floating-point number by its pattern.
    pub fn floating(&self, pattern: u128) -> Vec<u8> {
        let Kind::Floating { style, upper, long } = self.kind else { return Vec::new() };
        let of = Type::of(long);
        let sign = self.sign(of.negative(pattern));
        let (prefix, mut digits, finite) = match of.magnitude(pattern) {
            Magnitude::Infinite => ("", "inf".into(), false),
            Magnitude::Nan => ("", "nan".into(), false),
            Magnitude::Finite { significand, exponent } => {
                let manner = Manner { style, precision: self.precision, alternate: self.flags.alternate };
                let prefix = match (style, upper) {
                    (crate::format::Style::Hexadecimal, false) => "0x",
                    (crate::format::Style::Hexadecimal, true) => "0X",
                    _ => "",
                };
                (prefix, manner.write(of, significand, exponent), true)
            }
        };
        if upper {
            digits.make_ascii_uppercase();
        }
        self.zeros(sign, prefix, &digits, finite)
    }
}

impl Format {
    /// What a call with this format and these arguments prints. `message` is that of the error that `%m` tells.
    pub fn print(&self, arguments: &[Argument], message: Option<&[u8]>) -> Result<Vec<u8>, Refusal> {
        let mut out = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(text) => out.extend_from_slice(text),
                Piece::Conversion(conversion) => out.extend(printed(conversion, arguments, message)?),
            }
        }
        Ok(out)
    }
}

/// What one conversion prints.
pub(crate) fn printed(
    conversion: &Conversion,
    arguments: &[Argument],
    message: Option<&[u8]>,
) -> Result<Vec<u8>, Refusal> {
    let field = Field::new(conversion, arguments)?;
    let Some(index) = conversion.argument else {
        return Ok(field.padded(field.cut(message.ok_or(Refusal::Message)?)));
    };
    let argument = arguments.get(index).ok_or(Refusal::MissingArgument(index))?;
    field.print(argument).ok_or(Refusal::WrongArgument(index))
}
