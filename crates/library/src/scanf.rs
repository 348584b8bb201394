//! Formats of the `scanf` family.

use crate::cursor::Cursor;
pub use crate::cursor::Length;

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// White space: as much of it as there is.
    Space,
    /// A byte that has to be there.
    Byte(u8),
    /// `%d` and its like; `%%` is one, too.
    Conversion(Conversion),
}

/// A conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// `*`: it assigns nothing.
    pub suppressed: bool,
    /// So many bytes are read at most.
    pub width: Option<usize>,
    /// How long what it assigns to is.
    pub length: Length,
    /// Its letter; `[` for a set.
    pub letter: u8,
    /// The bytes that a set matches, in order; of other conversions none.
    pub set: Vec<u8>,
}

/// A conversion that ends before its letter or the end of its set, or has length modifiers that make no sense together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed;

/// Whether a byte is white space, to `scanf` and to `strtol` and its like.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
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

impl Iterator for Pieces<'_> {
    type Item = Result<Piece, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.cursor.next()? {
            b'%' => conversion(&mut self.cursor).map(Piece::Conversion).ok_or(Malformed),
            byte if is_space(byte) => Ok(Piece::Space),
            byte => Ok(Piece::Byte(byte)),
        })
    }
}

/// What follows a `%`.
fn conversion(cursor: &mut Cursor<'_>) -> Option<Conversion> {
    let suppressed = cursor.eat(b'*');
    let width = cursor.digits();
    let length = cursor.length()?;
    let letter = cursor.next()?;
    let set = if letter == b'[' { set(cursor)? } else { Vec::new() };
    Some(Conversion { suppressed, width, length, letter, set })
}

/// The bytes that a set in brackets matches.
fn set(cursor: &mut Cursor<'_>) -> Option<Vec<u8>> {
    let inverted = cursor.eat(b'^');
    let mut listed = Vec::new();
    let first = cursor.at;
    loop {
        let byte = cursor.next()?;
        if byte == b']' && cursor.at > first + 1 {
            break;
        }
        match cursor.text.get(cursor.at..cursor.at + 2) {
            Some(&[b'-', high]) if high != b']' => {
                listed.extend(byte..=high);
                cursor.at += 2;
            }
            _ => listed.push(byte),
        }
    }
    Some((1..=255).filter(|byte| listed.contains(byte) != inverted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion_of(format: &str) -> Conversion {
        match pieces(format.as_bytes()).next() {
            Some(Ok(Piece::Conversion(conversion))) => conversion,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn formats_are_taken_apart() {
        let found: Vec<_> = pieces(b"a \t%*3hd").map(Result::unwrap).collect();
        let last =
            Conversion { suppressed: true, width: Some(3), length: Length::Short, letter: b'd', set: Vec::new() };
        assert_eq!(found, [Piece::Byte(b'a'), Piece::Space, Piece::Space, Piece::Conversion(last)]);
        assert_eq!([conversion_of("%lld").length, conversion_of("%hhu").length], [Length::Longest, Length::Byte]);
    }

    #[test]
    fn sets_may_have_ranges_and_brackets() {
        assert_eq!(conversion_of("%[a-cx]").set, b"abcx");
        assert_eq!(conversion_of("%[]a]").set, b"]a");
        assert_eq!(conversion_of("%[a-]").set, b"-a");
        let inverted = conversion_of("%[^]b]").set;
        assert_eq!((inverted.len(), inverted.contains(&b']'), inverted.contains(&b'b')), (253, false, false));
    }

    #[test]
    fn what_is_cut_off_is_malformed() {
        for format in ["%", "%*", "%12", "%[ab", "%[]", "%[^]", "%lhd"] {
            assert_eq!(pieces(format.as_bytes()).next(), Some(Err(Malformed)), "{format}");
        }
    }
}
