//! What a what-if run does not know of pages of which the replay knows something.

use std::collections::BTreeMap;

use crate::memory::{PAGE, Pages, page_of};
use crate::recall::WORD;

/// Bytes of words: a bit each.
type Bytes = BTreeMap<u64, u8>;

/// What a what-if run knows of the pages that its recorded run knew in part only.
#[derive(Clone, Default)]
pub(crate) struct Knowledge {
    /// External code wrote them in the recorded run, before or after the what-if run began.
    uncertain: Bytes,
    /// The what-if run itself has written them.
    made: Bytes,
    /// The pages.
    pages: Pages,
}

impl Knowledge {
    /// Of pages that are known in part for another reason.
    pub fn of(pages: Pages) -> Self {
        Self { pages, ..Self::default() }
    }

    /// The pages that are known in part only.
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Nobody knows what is in these bytes.
    pub fn forget(&mut self, address: u64, size: u64) {
        for (word, bytes) in words(address, size) {
            *self.uncertain.entry(word).or_default() |= bytes;
            self.pages.insert(page_of(word));
        }
    }

    /// These bytes, of one page, are written. Whether all of the page is known now but for what `others` are hidden for.
    pub fn write(&mut self, address: u64, size: u64, others: bool) -> bool {
        for (word, bytes) in words(address, size) {
            if let Some(uncertain) = self.uncertain.get_mut(&word) {
                *uncertain &= !bytes;
                if *uncertain == 0 {
                    self.uncertain.remove(&word);
                }
            }
            if others {
                *self.made.entry(word).or_default() |= bytes;
            }
        }
        let page = address & !(PAGE as u64 - 1);
        let known = !others && self.uncertain.range(page..page.saturating_add(PAGE as u64)).next().is_none();
        if known {
            self.pages.remove(&page_of(address));
        }
        known
    }

    /// The bytes of a range, of one page, that are not known; `hides` says of a word that the run has not written whether the recorded run
    /// hides it.
    pub fn unknown(&self, address: u64, size: u64, hides: impl Fn(u64) -> bool) -> impl Iterator<Item = u64> {
        words(address, size).flat_map(move |(word, bytes)| {
            let uncertain = self.uncertain.get(&word).copied().unwrap_or(0) & bytes;
            let left = bytes & !self.made.get(&word).copied().unwrap_or(0);
            let hidden = if left & !uncertain != 0 && hides(word) { left } else { 0 };
            (0..WORD).filter(move |byte| (uncertain | hidden) >> byte & 1 == 1).map(move |byte| word + byte)
        })
    }
}

/// The words of a range, with a bit for each byte of it.
fn words(address: u64, size: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(size);
    (address & !(WORD - 1)..end).step_by(WORD as usize).map(move |word| {
        let from = address.saturating_sub(word);
        let to = (end - word).min(WORD);
        (word, (0xff_u8 << from) & (0xff_u8 >> (WORD - to)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_known() {
        let mut knowledge = Knowledge::of([5].into_iter().collect());
        knowledge.forget(0x1006, 4);
        let unknown = |knowledge: &Knowledge, address, size| knowledge.unknown(address, size, |_| false).next();
        assert_eq!(unknown(&knowledge, 0x1000, 6), None);
        assert_eq!(unknown(&knowledge, 0x1000, 64), Some(0x1006));
        assert!(!knowledge.write(0x1004, 4, false), "two bytes are left");
        assert_eq!(unknown(&knowledge, 0x1000, 64), Some(0x1008));
        assert!(knowledge.write(0x1008, 2, false));
        assert_eq!(unknown(&knowledge, 0x1000, 64), None);
        assert_eq!(knowledge.pages().iter().copied().collect::<Vec<_>>(), [5]);
    }

    #[test]
    fn what_the_recorded_run_hides_is_known_byte_by_byte() {
        let mut knowledge = Knowledge::of([5].into_iter().collect());
        let hides = |word: u64| word != 0x5008;
        assert_eq!(knowledge.unknown(0x5008, 8, hides).next(), None);
        assert_eq!(knowledge.unknown(0x5008, 9, hides).next(), Some(0x5010));
        assert!(!knowledge.write(0x5010, 3, true), "others are hidden");
        assert_eq!(knowledge.unknown(0x5010, 3, hides).next(), None);
        assert_eq!(knowledge.unknown(0x5010, 4, hides).next(), Some(0x5013));
    }
}
