//! Ranges of memory and strings, as functions of the C library go through them: an observer sees what they touch.

use super::Machine;
use crate::observer::Observer;
use crate::role::LONGEST;

fn fold_case(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

impl Machine {
    /// As `memcmp`: the difference of the first bytes that differ.
    pub(crate) fn compare_bytes<O: Observer>(&mut self, observer: &mut O, a: u64, b: u64, n: u64) -> i32 {
        let (mut at, mut difference) = (0, 0);
        while at < n {
            let piece = (n - at).min(256) as usize;
            let (x, y) = (self.core.memory.read_vec(a + at, piece), self.core.memory.read_vec(b + at, piece));
            if let Some(i) = x.iter().zip(&y).position(|(x, y)| x != y) {
                at += i as u64 + 1;
                difference = i32::from(x[i]) - i32::from(y[i]);
                break;
            }
            at += piece as u64;
        }
        if O::RANGES {
            observer.read(&self.at(), a, at);
            observer.read(&self.at(), b, at);
        }
        difference
    }

    /// As `strncmp` with `limit` bytes, or `strncasecmp`: the difference of the first characters that differ.
    pub(crate) fn compare_strings<O: Observer>(
        &mut self,
        observer: &mut O,
        (a, b): (u64, u64),
        limit: u64,
        fold: bool,
    ) -> i32 {
        let (mut at, mut difference) = (0, 0);
        while at < limit {
            let x = self.core.memory.read::<1>(a.wrapping_add(at))[0];
            let y = self.core.memory.read::<1>(b.wrapping_add(at))[0];
            let (x, y) = if fold { (fold_case(x), fold_case(y)) } else { (x, y) };
            at += 1;
            if x != y || x == 0 {
                difference = i32::from(x) - i32::from(y);
                break;
            }
        }
        if O::RANGES {
            observer.read(&self.at(), a, at);
            observer.read(&self.at(), b, at);
        }
        difference
    }

    /// How many characters at the start of a string are of a set, which is a string too, or are not (`inside`); and whether
    /// that is the whole string.
    pub(crate) fn span<O: Observer>(&mut self, observer: &mut O, text: u64, set: u64, inside: bool) -> (u64, bool) {
        let string = |at: u64| self.core.memory.read_string(at, LONGEST);
        let (characters, wanted) = (string(text), string(set));
        let at = characters.iter().position(|byte| wanted.contains(byte) != inside).unwrap_or(characters.len());
        if O::RANGES {
            observer.read(&self.at(), set, wanted.len() as u64 + 1);
            observer.read(&self.at(), text, at as u64 + 1);
        }
        (at as u64, at == characters.len())
    }

    /// Moves bytes; nothing where there are more than any object has.
    pub(crate) fn move_range<O: Observer>(&mut self, observer: &mut O, to: u64, from: u64, n: u64) {
        if n == 0 || n > LONGEST {
            return;
        }
        if O::RANGES {
            observer.moved(&self.at(), to, from, n);
        }
        self.core.memory.copy(to, from, n);
    }

    /// Fills bytes; nothing where there are more than any object has.
    pub(crate) fn fill_range<O: Observer>(&mut self, observer: &mut O, to: u64, byte: u8, n: u64) {
        if n == 0 || n > LONGEST {
            return;
        }
        if O::RANGES {
            observer.filled(&self.at(), to, n);
        }
        self.core.memory.fill(to, byte, n);
    }

    /// Where a byte first stands in `n` bytes.
    pub(crate) fn find_byte(&self, start: u64, byte: u8, n: u64) -> Option<u64> {
        let mut at = 0;
        while at < n {
            let piece = self.core.memory.read_vec(start + at, (n - at).min(256) as usize);
            if let Some(i) = piece.iter().position(|other| *other == byte) {
                return Some(at + i as u64);
            }
            at += piece.len() as u64;
        }
        None
    }
}
