//! Calls that print memory: fwrite and write.

use crate::{Alternative, Argument, Match, Need, Place, Requirement};

/// What is printed of memory, and where the call says how much.
pub(crate) struct Area<'a> {
    /// The argument that points at the memory.
    pub memory: usize,
    /// What is known there; may be more than is printed.
    pub bytes: &'a [u8],
    /// The size of an item and its argument; for write there is none.
    pub size: Option<(usize, u64)>,
    /// The number of items and its argument.
    pub count: (usize, u64),
}

impl Area<'_> {
    fn length(&self) -> usize {
        let size = self.size.map_or(1, |(_, size)| size);
        usize::try_from(size.saturating_mul(self.count.1)).unwrap_or(usize::MAX)
    }

    /// What is printed, as far as it is known.
    pub fn printed(&self) -> &[u8] {
        &self.bytes[..self.length().min(self.bytes.len())]
    }

    /// Beside `expected`, from the present length or another; `beyond` as for formats.
    pub fn matched(&self, arguments: &[Argument], expected: &[u8], beyond: Option<usize>) -> Match {
        let (printed, length) = (self.printed(), self.length());
        if beyond.is_none() && printed.len() == length && expected.starts_with(printed) {
            return Match::Equal { consumed: length };
        }
        let common = printed.iter().zip(expected).take_while(|(a, b)| a == b).count();
        let line = crate::excerpt::first_line(expected).len();
        // Other bytes; a shorter text; a longer one, up to the end of the line.
        let mut lengths = Vec::new();
        for other in [length, common, expected.len().min(length), line] {
            let wanted = beyond.map_or(other > 0, |beyond| other > beyond);
            if wanted && other <= expected.len() && !lengths.contains(&other) {
                lengths.push(other);
            }
        }
        let alternatives: Vec<Alternative> =
            lengths.into_iter().filter_map(|length| self.alternative(arguments, &expected[..length])).collect();
        if alternatives.is_empty() {
            return Match::Impossible { at: common };
        }
        // Any other length would do as well.
        Match::Requires { alternatives, complete: false }
    }

    /// To print exactly `text`; nothing if the length cannot be told by one argument.
    fn alternative(&self, arguments: &[Argument], text: &[u8]) -> Option<Alternative> {
        let mut needs = self.counts(text.len())?;
        for (offset, byte) in text.iter().enumerate() {
            needs.push(Need {
                place: Place::Memory { argument: self.memory, offset },
                requirement: Requirement::Integer { bits: 8, signed: false, value: (*byte).into() },
                printed: self.printed().get(offset).copied().into_iter().collect(),
                expected: vec![*byte],
            });
        }
        Alternative::sorted(needs, arguments, text.len())
    }

    /// Size and number of items for a length.
    fn counts(&self, length: usize) -> Option<Vec<Need>> {
        let length = length as u64;
        let need = |(argument, value): (usize, u64), wanted: u64| Need {
            place: Place::Argument(argument),
            requirement: Requirement::Integer { bits: 64, signed: false, value: wanted },
            printed: value.to_string().into_bytes(),
            expected: wanted.to_string().into_bytes(),
        };
        let Some(size) = self.size else { return Some(vec![need(self.count, length)]) };
        if size.1 > 0 && length.is_multiple_of(size.1) {
            // One item of so many bytes is as common as so many items of one byte.
            if self.count.1 != 1 || length == size.1 {
                return Some(vec![need(size, size.1), need(self.count, length / size.1)]);
            }
        }
        let whole = self.count.1 > 0 && length.is_multiple_of(self.count.1);
        whole.then(|| vec![need(size, length / self.count.1), need(self.count, self.count.1)])
    }
}
