//! What was written where the system or a library had put something before: what was found there first is not what is there later.

use std::collections::{HashMap, HashSet};

use super::later::Place;
use crate::memory::page_of;

/// So many bytes are kept.
const MOST: usize = 1 << 20;

/// Follows a run for what is written in pages in which something was found.
#[derive(Default, Debug)]
pub(crate) struct Rewritten {
    /// When each byte was written first since something was found in its page.
    first: HashMap<u64, Place>,
    pages: HashSet<u64>,
    /// The last page that was asked about, and whether it is one of them.
    last: (u64, bool),
    /// Where the program's arguments begin, and what the system has put behind them ends.
    arguments: (u64, u64),
}

impl Rewritten {
    /// The program's arguments, and all that lies behind them, are there from the start.
    pub fn starts(&mut self, arguments: u64, end: u64) {
        self.arguments = (arguments, end);
    }

    /// Something was found in these bytes.
    pub fn watch(&mut self, address: u64, size: u64) {
        if self.is_argument(address) {
            return;
        }
        self.pages.extend(page_of(address)..=page_of(address + size.max(1) - 1));
        self.last = (0, false);
    }

    /// These bytes are written.
    #[inline]
    pub fn write(&mut self, place: Place, address: u64, size: u64) {
        let (first, last) = (page_of(address), page_of(address.saturating_add(size.max(1) - 1)));
        if first == last {
            if self.last.0 != first {
                self.last = (first, self.pages.contains(&first));
            }
            let (from, end) = self.arguments;
            let among_arguments = address < end && address.saturating_add(size) > from;
            if !self.last.1 && !among_arguments {
                return;
            }
        }
        self.note(place, address, size);
    }

    #[inline]
    fn is_argument(&self, address: u64) -> bool {
        (self.arguments.0..self.arguments.1).contains(&address)
    }

    #[cold]
    fn note(&mut self, place: Place, address: u64, size: u64) {
        for byte in address..address.saturating_add(size) {
            if self.first.len() < MOST && (self.is_argument(byte) || self.pages.contains(&page_of(byte))) {
                self.first.entry(byte).or_insert(place);
            }
        }
    }

    /// When each byte was written first.
    pub fn finish(&mut self) -> HashMap<u64, Place> {
        std::mem::take(&mut self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_write_counts_where_something_was_found() {
        let mut rewritten = Rewritten::default();
        rewritten.write((1, 0), 0x5000, 8);
        rewritten.watch(0x5ff8, 16);
        rewritten.write((2, 0), 0x5ffe, 4);
        rewritten.write((3, 0), 0x5fff, 2);
        rewritten.write((4, 0), 0x9000, 8);
        // A frame lies below the arguments in one page with them.
        rewritten.starts(0xf010, 0xf100);
        rewritten.watch(0xf020, 8);
        rewritten.write((5, 0), 0xf00f, 2);
        let mut first: Vec<(u64, Place)> = rewritten.finish().into_iter().collect();
        first.sort_unstable();
        assert_eq!(first, [(0x5ffe, (2, 0)), (0x5fff, (2, 0)), (0x6000, (2, 0)), (0x6001, (2, 0)), (0xf010, (5, 0))]);
    }
}
