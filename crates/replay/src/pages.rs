//! Which page of its own an observer keeps for each page of the emulated memory.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::memory::PageHasher;

const CACHE: usize = 1024;

#[derive(Clone, Copy)]
struct Cached {
    number: u64,
    index: u32,
}

/// Indices by page number (an address divided by [`PAGE`](crate::PAGE)), with a small direct-mapped cache in front.
#[derive(Clone)]
pub struct PageIndex {
    indices: HashMap<u64, u32, BuildHasherDefault<PageHasher>>,
    cache: Box<[Cached; CACHE]>,
    absent: u32,
}

impl PageIndex {
    /// None has an index yet; [`get`](Self::get) gives `absent` for those.
    pub fn new(absent: u32) -> Self {
        Self {
            indices: HashMap::default(),
            cache: Box::new([Cached { number: u64::MAX, index: absent }; CACHE]),
            absent,
        }
    }

    /// Index of a page.
    #[inline(always)]
    pub fn get(&mut self, number: u64) -> u32 {
        let cached = self.cache[number as usize % CACHE];
        if cached.number == number { cached.index } else { self.look_up(number) }
    }

    #[inline(never)]
    fn look_up(&mut self, number: u64) -> u32 {
        let index = self.indices.get(&number).copied().unwrap_or(self.absent);
        self.cache[number as usize % CACHE] = Cached { number, index };
        index
    }

    /// Gives a page an index.
    pub fn set(&mut self, number: u64, index: u32) {
        self.indices.insert(number, index);
        self.cache[number as usize % CACHE] = Cached { number, index };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_share_a_place_in_the_cache() {
        let mut index = PageIndex::new(7);
        let (a, b) = (3, 3 + CACHE as u64);
        assert_eq!((index.get(a), index.get(b)), (7, 7));
        index.set(a, 1);
        index.set(b, 2);
        assert_eq!((index.get(a), index.get(b), index.get(a)), (1, 2, 1));
    }
}
