//! When the program last touched each byte of memory: what external code has written since is what it finds changed.

use std::collections::HashMap;

use crate::memory::{PAGE, page_of};

/// Pages of which this is kept at most.
const MOST_PAGES: usize = 4096;
/// Places of pages that were used last.
const CACHE: usize = 64;
/// Bytes of a word.
pub(crate) const WORD: u64 = 8;

/// The words of a page that were touched, a bit each.
pub(crate) type Words = [u64; PAGE / WORD as usize / 64];

/// A run of bytes that was touched at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub address: u64,
    pub size: u64,
    /// The time; 0: never.
    pub time: u32,
}

/// For each byte the time at which it was last touched. Times begin with 1.
pub(crate) struct Touched {
    table: HashMap<u64, u32>,
    pages: Vec<Box<[u32; PAGE]>>,
    cache: [(u64, u32); CACHE],
}

impl Default for Touched {
    fn default() -> Self {
        Self { table: HashMap::new(), pages: Vec::new(), cache: [(u64::MAX, 0); CACHE] }
    }
}

impl Touched {
    /// These bytes are touched at `time`.
    #[inline]
    pub fn touch(&mut self, address: u64, size: u64, time: u32) {
        self.each_part(address, size, true, |page, from, to| page[from..to].fill(time));
    }

    /// The same, where anything of their pages was touched before.
    pub fn touch_known(&mut self, address: u64, size: u64, time: u32) {
        self.each_part(address, size, false, |page, from, to| page[from..to].fill(time));
    }

    fn each_part(&mut self, address: u64, size: u64, make: bool, mut with: impl FnMut(&mut [u32; PAGE], usize, usize)) {
        let mut done = 0;
        while done < size {
            let at = address.wrapping_add(done);
            let from = at as usize % PAGE;
            let to = PAGE.min(from + (size - done) as usize);
            if let Some(page) = self.page(page_of(at), make) {
                with(page, from, to);
            } else if make && self.pages.len() == MOST_PAGES && size > PAGE as u64 * 64 {
                return;
            }
            done += (to - from) as u64;
        }
    }

    fn page(&mut self, number: u64, make: bool) -> Option<&mut [u32; PAGE]> {
        let cached = &mut self.cache[number as usize % CACHE];
        if cached.0 != number {
            let index = match self.table.get(&number) {
                Some(&index) => index,
                None if make && self.pages.len() < MOST_PAGES => {
                    let index = self.pages.len() as u32;
                    self.pages.push(Box::new([0; PAGE]));
                    self.table.insert(number, index);
                    index
                }
                None => return None,
            };
            *cached = (number, index);
        }
        Some(&mut self.pages[cached.1 as usize])
    }

    /// The bytes of a range by the times at which they were touched.
    pub fn runs(&self, address: u64, size: u64) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for at in (0..size).map(|done| address.wrapping_add(done)) {
            let page = self.table.get(&page_of(at)).map(|&index| &self.pages[index as usize]);
            let time = page.map_or(0, |page| page[at as usize % PAGE]);
            match runs.last_mut() {
                Some(run) if run.time == time => run.size += 1,
                _ => runs.push(Run { address: at, size: 1, time }),
            }
        }
        runs
    }

    /// The words of a page of which a byte was touched.
    pub fn words(&self, number: u64) -> Words {
        let mut words = Words::default();
        if let Some(&index) = self.table.get(&number) {
            for (word, times) in self.pages[index as usize].chunks(WORD as usize).enumerate() {
                words[word / 64] |= u64::from(times.iter().any(|time| *time != 0)) << (word % 64);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_own_time() {
        let mut touched = Touched::default();
        let at = 0x7fff_0000_0ffc;
        touched.touch(at, 8, 1);
        touched.touch(at + 2, 3, 2);
        touched.touch_known(at + 7, 1, 3);
        touched.touch_known(at + 0x10_0000, 8, 4);
        let run = |from: u64, size, time| Run { address: at + from, size, time };
        assert_eq!(touched.runs(at, 9), [run(0, 2, 1), run(2, 3, 2), run(5, 2, 1), run(7, 1, 3), run(8, 1, 0)]);
        assert_eq!(touched.runs(at + 0x10_0000, 8), [run(0x10_0000, 8, 0)]);
        assert_eq!(touched.words(page_of(at + 4)), [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(touched.words(page_of(at)), [0, 0, 0, 0, 0, 0, 0, 1 << 63]);
    }
}
