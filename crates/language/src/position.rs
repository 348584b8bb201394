//! Places in a text, as the protocol counts them and as compilers do.
//!
//! The protocol has lines from 0 and, in a line, units of UTF-16 or bytes of UTF-8, whichever client and server have agreed on
//! (specification 3.17, "Text Documents"). Compilers have lines and columns from 1, columns in bytes.

use lsp_types::{Position, PositionEncodingKind, Range};
use whydunit_findings::Location;

/// In which units places in a line are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Units of UTF-16.
    #[default]
    Utf16,
    /// Bytes of UTF-8.
    Utf8,
}

impl Encoding {
    /// The one that is used with a client that offers these: bytes where it can have them.
    pub fn agreed(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offers = offered.unwrap_or_default().contains(&PositionEncodingKind::UTF8);
        if offers { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// As the protocol names it.
    pub const fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf8 => PositionEncodingKind::UTF8,
        }
    }

    /// How many units a text has.
    pub fn units(self, text: &str) -> u32 {
        let units = match self {
            Encoding::Utf16 => text.encode_utf16().count(),
            Encoding::Utf8 => text.len(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// The byte of a line at which so many units of it are over; its end where it has less. Inside a character: its start.
    pub fn byte(self, line: &str, units: u32) -> usize {
        let mut left = units as usize;
        for (index, c) in line.char_indices() {
            let own = match self {
                Encoding::Utf16 => c.len_utf16(),
                Encoding::Utf8 => c.len_utf8(),
            };
            if left < own {
                return index;
            }
            left -= own;
        }
        line.len()
    }
}

/// The lines of a text, without what ends them. A line ends with a newline, which a carriage return may stand before.
pub fn lines(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

/// The byte of a text that a position means; the end of its line, or of the text, where it lies behind that.
pub fn offset(text: &str, position: Position, encoding: Encoding) -> usize {
    let mut start = 0;
    for _ in 0..position.line {
        match text[start..].find('\n') {
            Some(index) => start += index + 1,
            None => return text.len(),
        }
    }
    let line = text[start..].split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    start + encoding.byte(line, position.character)
}

/// The range of a location that begins in this line of a text. Where its extent is not known it is a word, or what stands there up
/// to the end of the line; without a column the line without what it begins with.
pub fn range(lines: &[&str], line: u32, location: &Location, encoding: Encoding) -> Range {
    let text = lines.get(line as usize).copied().unwrap_or_default();
    let at = |byte: usize| Position::new(line, encoding.units(&text[..floor(text, byte)]));
    let blank = text.len() - text.trim_start().len();
    if location.column == 0 {
        return Range::new(at(blank), at(text.trim_end().len().max(blank)));
    }
    let start = floor(text, location.column as usize - 1);
    let further = location.end_line.saturating_sub(location.line);
    if further > 0 {
        let last = line.saturating_add(further);
        let text = lines.get(last as usize).copied().unwrap_or_default();
        let end = encoding.units(&text[..floor(text, location.end_column as usize)]);
        return Range::new(at(start), Position::new(last, end));
    }
    let end = match location.end_column > location.column {
        true => location.end_column as usize,
        false => start + word(&text[start..]),
    };
    Range::new(at(start), at(end.max(start)))
}

/// The nearest start of a character at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// The length of the word at the start of a text; of one character where that is none.
fn word(text: &str) -> usize {
    let end = text.find(|c: char| !is_of_word(c)).unwrap_or(text.len());
    if end > 0 { end } else { text.chars().next().map_or(0, char::len_utf8) }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The word around a byte of a line, or the one that ends there; `None` where there is none.
pub fn word_at(line: &str, byte: usize) -> Option<&str> {
    let byte = floor(line, byte);
    let start = line[..byte]
        .rfind(|c: char| !is_of_word(c))
        .map_or(0, |index| index + line[index..].chars().next().map_or(1, char::len_utf8));
    let end = byte + line[byte..].find(|c: char| !is_of_word(c)).unwrap_or(line.len() - byte);
    (start < end).then(|| &line[start..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_counted_as_was_agreed() {
        let line = "\tä🦀x";
        assert_eq!((Encoding::Utf16.units(line), Encoding::Utf8.units(line)), (5, 8));
        assert_eq!(Encoding::Utf16.byte(line, 4), 7);
        // Inside the crab, and behind the line.
        assert_eq!((Encoding::Utf16.byte(line, 3), Encoding::Utf16.byte(line, 99)), (3, 8));
        assert_eq!(offset("a\r\nbc\r\n", Position::new(1, 1), Encoding::Utf16), 4);
        assert_eq!(offset("a\r\nbc", Position::new(0, 9), Encoding::Utf16), 1);
        assert_eq!(offset("a\r\nbc", Position::new(7, 0), Encoding::Utf16), 5);
    }

    #[test]
    fn a_place_without_an_extent_is_a_word() {
        let lines = ["  int länge = 3;", "}"];
        let range = |column, end_column| {
            let location = Location { file: String::new(), line: 1, column, end_line: 1, end_column };
            let range = super::range(&lines, 0, &location, Encoding::Utf16);
            (range.start.character, range.end.character)
        };
        assert_eq!(range(7, 7), (6, 11));
        assert_eq!(range(0, 0), (2, 16));
        assert_eq!(range(7, 16), (6, 15));
        assert_eq!(range(99, 99), (16, 16));
        assert_eq!(word_at(lines[0], 8), Some("länge"));
        assert_eq!(word_at(lines[0], 12), Some("länge"));
        assert_eq!(word_at(" = ", 1), None);
    }

    proptest! {
        #[test]
        fn no_place_is_outside_of_its_text(text in "[a🦀ä\r\n\t ]{0,40}", line in 0..9u32, column in 0..50u32, end in 0..50u32) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let offset = offset(&text, Position::new(line, column), encoding);
                prop_assert!(text.is_char_boundary(offset));
                let location = Location { file: String::new(), line: 1, column, end_line: 1 + end % 3, end_column: end };
                let _ = range(&lines(&text), line, &location, encoding);
                for line in lines(&text) {
                    let _ = word_at(line, column as usize);
                    let byte = encoding.byte(line, column);
                    prop_assert!(encoding.units(&line[..byte]) <= column);
                }
            }
        }
    }
}
