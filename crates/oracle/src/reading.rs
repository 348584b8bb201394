//! The ways in which a conversion's output can be read off the start of an expected text.

use crate::format::{Kind, Notation};
use crate::print::Field;
use crate::requirement::extended;
use crate::{Argument, Requirement, interval};

/// The longest that a finite number is without padding and precision.
const LONGEST_FLOAT: usize = 4933 + 16;

/// The lengths, shortest first, at which a number, a pointer or a character may end that is read off the start of
/// `expected`: some value prints exactly that much, and `open` lets it through.
pub(crate) fn lengths(field: &Field, expected: &[u8], mut open: impl FnMut(usize) -> bool) -> Vec<usize> {
    let precision = field.precision.unwrap_or(0);
    let (least, most) = match field.kind {
        Kind::Character => (field.width.max(1), field.width.max(1)),
        Kind::Integer { .. } => (field.width.max(precision), field.width.max(precision.max(64) + 3)),
        Kind::Pointer => (field.width, field.width.max(precision.max(16) + 3)),
        Kind::Floating { .. } => (field.width.max(1), field.width.max(precision + LONGEST_FLOAT)),
        Kind::Text | Kind::Message => return Vec::new(),
    };
    // What is longer than the width has no padding, so it ends where the bytes of numbers do.
    let most = if field.kind == Kind::Character { most } else { most.min(field.width.max(unpadded(expected))) };
    let printed = |text: &[u8]| match field.kind {
        Kind::Floating { .. } => interval::possible(field, text),
        _ => read(field, text).is_some(),
    };
    // To try a long double is dear, and only for it a length that nothing prints may be shown to `open`.
    let long = matches!(field.kind, Kind::Floating { long: true, .. });
    let lengths = least..=most.min(expected.len());
    lengths
        .filter(|length| (!long || open(*length)) && printed(&expected[..*length]) && (long || open(*length)))
        .collect()
}

/// How far the text could be one number without padding; its first byte may be the blank of a sign.
fn unpadded(expected: &[u8]) -> usize {
    let part = |(at, byte): &(usize, &u8)| {
        byte.is_ascii_alphanumeric() || b"+-.()".contains(byte) || (*at == 0 && **byte == b' ')
    };
    expected.iter().enumerate().take_while(part).count()
}

/// The values that print exactly `text`; nothing if there are none.
pub(crate) fn read(field: &Field, text: &[u8]) -> Option<Requirement> {
    let (requirement, argument) = match field.kind {
        Kind::Character => {
            let byte = *if field.flags.left { text.first() } else { text.last() }?;
            integer(8, false, byte.into())
        }
        Kind::Integer { bits, notation } => integer(bits, notation == Notation::Signed, number(bits, notation, text)?),
        Kind::Pointer if text.trim_ascii() == b"(nil)" => integer(64, false, 0),
        Kind::Pointer => integer(64, false, number(64, Notation::Hexadecimal { upper: false }, text)?),
        Kind::Floating { .. } => return interval::reading(field, text),
        Kind::Text | Kind::Message => return None,
    };
    (field.print(&argument)? == text).then_some(requirement)
}

fn integer(bits: u32, signed: bool, value: u64) -> (Requirement, Argument) {
    let extended = if signed { extended(bits, value) as u64 } else { value };
    (Requirement::Integer { bits, signed, value }, Argument::Word(extended))
}

/// The number that a text shows, padding, sign and prefix taken off. Whether it shows it in the right form is found by
/// printing it.
fn number(bits: u32, notation: Notation, text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim_matches(' ');
    let (negative, text) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let (radix, prefixes) = match notation {
        Notation::Signed | Notation::Unsigned => (10, None),
        Notation::Octal => (8, None),
        Notation::Hexadecimal { .. } => (16, Some(['x', 'X'])),
        Notation::Binary { .. } => (2, Some(['b', 'B'])),
    };
    let after = |prefixes: [char; 2]| text.strip_prefix('0')?.strip_prefix(prefixes);
    let digits = prefixes.and_then(after).unwrap_or(text);
    // Zero with the precision 0 has no digits.
    let digits = if digits.is_empty() { "0" } else { digits };
    if !digits.bytes().all(|digit| digit.is_ascii_alphanumeric()) {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    let value = if negative { value.wrapping_neg() } else { value };
    let mask = u64::MAX >> (64 - bits);
    // A value beyond the type is not what its low bits are.
    let fits = if notation == Notation::Signed { extended(bits, value) as u64 == value } else { value & mask == value };
    fits.then_some(value & mask)
}
