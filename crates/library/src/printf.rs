//! Formats of the `printf` family, as glibc reads them: literal text and conversions. What conversions mean, and which are
//! supported, is up to who prints.

use std::ops::Range;

use crate::cursor::Cursor;
pub use crate::cursor::Length;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// Text that is printed as it is; `%%` is `%` here. Not empty.
    Literal(&'a [u8]),
    /// `%d` and its like.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// The argument that it prints, from 0, where the format says which; else the next one.
    pub argument: Option<usize>,
    /// Its flags.
    pub flags: Flags,
    /// Its least width.
    pub width: Option<Count>,
    /// Its precision.
    pub precision: Option<Count>,
    /// How long its argument is.
    pub length: Length,
    /// Its letter.
    pub letter: u8,
    /// Where it stands in the format, without the `%`.
    pub text: Range<usize>,
}

/// The flags of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A blank.
    pub blank: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// `'` or `I`, which change nothing in the C locale.
    pub local: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Part of the format; the largest number there is where it is larger.
    Fixed(usize),
    /// `*`: the value of the next argument.
    Next,
    /// `*1$`: the value of this argument, from 0.
    Argument(usize),
}

/// A conversion that ends before its letter, or has length modifiers that make no sense together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Where it stands in the format, without the `%`.
    pub text: Range<usize>,
}

/// The parts of a format, which is without the NUL at its end.
pub fn pieces(format: &[u8]) -> Pieces<'_> {
    Pieces { cursor: Cursor { text: format, at: 0 } }
}

/// The parts of a format, one after the other.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let cursor = &mut self.cursor;
        let (format, start) = (cursor.text, cursor.at);
        let rest = format.get(start..).filter(|rest| !rest.is_empty())?;
        if rest[0] != b'%' {
            let length = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
            cursor.at += length;
            return Some(Ok(Piece::Literal(&rest[..length])));
        }
        cursor.at += 1;
        if cursor.eat(b'%') {
            return Some(Ok(Piece::Literal(&rest[1..2])));
        }
        Some(conversion(cursor).map(Piece::Conversion))
    }
}

/// What follows a `%`.
fn conversion(cursor: &mut Cursor<'_>) -> Result<Conversion, Malformed> {
    let start = cursor.at;
    let argument = number(cursor);
    let mut flags = Flags::default();
    while let Some(byte) = cursor.peek() {
        match byte {
            b'-' => flags.left = true,
            b'+' => flags.plus = true,
            b' ' => flags.blank = true,
            b'#' => flags.alternate = true,
            b'0' => flags.zero = true,
            b'\'' | b'I' => flags.local = true,
            _ => break,
        }
        cursor.at += 1;
    }
    let width = count(cursor);
    let precision = cursor.eat(b'.').then(|| count(cursor).unwrap_or(Count::Fixed(0)));
    let length = cursor.length();
    let letter = cursor.next();
    let text = start..cursor.at;
    match (length, letter) {
        (Some(length), Some(letter)) => Ok(Conversion { argument, flags, width, precision, length, letter, text }),
        _ => Err(Malformed { text }),
    }
}

/// The `1$` of `%1$d`, from 0.
fn number(cursor: &mut Cursor<'_>) -> Option<usize> {
    let start = cursor.at;
    if let Some(number) = cursor.digits().filter(|number| *number > 0)
        && cursor.eat(b'$')
    {
        return Some(number - 1);
    }
    cursor.at = start;
    None
}

/// A width, or what stands after the point.
fn count(cursor: &mut Cursor<'_>) -> Option<Count> {
    if cursor.eat(b'*') {
        return Some(number(cursor).map_or(Count::Next, Count::Argument));
    }
    cursor.digits().map(Count::Fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversions(format: &str) -> Vec<Conversion> {
        let pieces = pieces(format.as_bytes()).map(|piece| piece.unwrap_or_else(|found| panic!("{found:?}")));
        pieces
            .filter_map(|piece| if let Piece::Conversion(conversion) = piece { Some(conversion) } else { None })
            .collect()
    }

    #[test]
    fn a_format_is_literals_and_conversions() {
        let found: Vec<_> = pieces(b"a%%b %-+ #0'12.5hhd%s").map(Result::unwrap).collect();
        let [
            Piece::Literal(b"a"),
            Piece::Literal(b"%"),
            Piece::Literal(b"b "),
            Piece::Conversion(first),
            Piece::Conversion(second),
        ] = &found[..]
        else {
            panic!("{found:?}")
        };
        let flags = Flags { left: true, plus: true, blank: true, alternate: true, zero: true, local: true };
        assert_eq!((first.flags, first.width, first.precision), (flags, Some(Count::Fixed(12)), Some(Count::Fixed(5))));
        assert_eq!((first.length, first.letter, first.argument, first.text.clone()), (Length::Byte, b'd', None, 6..19));
        assert_eq!((second.flags, second.width, second.precision, second.letter), (Flags::default(), None, None, b's'));
    }

    #[test]
    fn counts_and_arguments_may_be_numbered() {
        let found = conversions("%2$*1$.*3$f%*.*Lg%.e%07u");
        assert_eq!(found[0].argument, Some(1));
        assert_eq!((found[0].width, found[0].precision), (Some(Count::Argument(0)), Some(Count::Argument(2))));
        assert_eq!(
            (found[1].argument, found[1].width, found[1].precision),
            (None, Some(Count::Next), Some(Count::Next))
        );
        assert_eq!((found[1].length, found[2].precision), (Length::Longest, Some(Count::Fixed(0))));
        assert_eq!((found[3].flags.zero, found[3].width), (true, Some(Count::Fixed(7))));
        assert_eq!(conversions("%99999999999999999999999d")[0].width, Some(Count::Fixed(usize::MAX)));
    }

    #[test]
    fn what_is_no_conversion_is_said_with_its_place() {
        let malformed = |format: &str| pieces(format.as_bytes()).find_map(Result::err).map(|found| found.text);
        assert_eq!(malformed("a%"), Some(2..2));
        assert_eq!(malformed("%5."), Some(1..3));
        assert_eq!(malformed("%hhhd %d"), Some(1..5));
        assert_eq!(malformed("100%% %5%"), None);
    }
}
