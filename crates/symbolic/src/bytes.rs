//! A number for each byte of the emulated memory; 0 where none was set.

use whydunit_replay::{PAGE, PageIndex};

const ABSENT: u32 = u32::MAX;

/// Numbers by byte, in pages.
pub struct ByteMap {
    pages: Vec<Box<[u32; PAGE]>>,
    /// Which ones, in the same order.
    numbers: Vec<u64>,
    index: PageIndex,
}

impl Default for ByteMap {
    fn default() -> Self {
        Self { pages: Vec::new(), numbers: Vec::new(), index: PageIndex::new(ABSENT) }
    }
}

fn split(address: u64) -> (u64, usize) {
    (address / PAGE as u64, (address % PAGE as u64) as usize)
}

impl ByteMap {
    /// The numbers of up to 8 bytes; the rest stays 0.
    #[inline]
    pub fn get(&mut self, address: u64, size: usize) -> [u32; 8] {
        let mut out = [0; 8];
        let (number, offset) = split(address);
        if offset + size <= PAGE {
            let index = self.index.get(number);
            if index != ABSENT {
                out[..size].copy_from_slice(&self.pages[index as usize][offset..offset + size]);
            }
        } else {
            for (i, place) in out[..size].iter_mut().enumerate() {
                *place = self.get(address.wrapping_add(i as u64), 1)[0];
            }
        }
        out
    }

    /// Sets the number of a byte.
    #[inline]
    pub fn set(&mut self, address: u64, value: u32) {
        let (number, offset) = split(address);
        let mut index = self.index.get(number);
        if index == ABSENT {
            if value == 0 {
                return;
            }
            index = self.pages.len() as u32;
            self.pages.push(Box::new([0; PAGE]));
            self.numbers.push(number);
            self.index.set(number, index);
        }
        self.pages[index as usize][offset] = value;
    }

    /// The addresses of the bytes that have a number.
    #[cfg(debug_assertions)]
    pub fn numbered(&self) -> impl Iterator<Item = u64> + '_ {
        let pages = self.numbers.iter().zip(&self.pages);
        pages.flat_map(|(number, page)| {
            let places = page.iter().enumerate().filter(|place| *place.1 != 0);
            places.map(move |(offset, _)| number * PAGE as u64 + offset as u64)
        })
    }

    /// Whether any byte of a range has a number.
    pub fn any(&mut self, address: u64, size: u64) -> bool {
        let (mut at, mut left) = (address, size);
        while left > 0 {
            let (number, offset) = split(at);
            let n = left.min((PAGE - offset) as u64);
            let index = self.index.get(number);
            if index != ABSENT
                && self.pages[index as usize][offset..offset + n as usize].iter().any(|&value| value != 0)
            {
                return true;
            }
            at = at.wrapping_add(n);
            left -= n;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cross_pages() {
        let mut map = ByteMap::default();
        assert!(!map.any(0, 3 * PAGE as u64));
        map.set(4095, 7);
        map.set(4096, 9);
        assert_eq!(map.get(4094, 4), [0, 7, 9, 0, 0, 0, 0, 0]);
        assert!(map.any(4000, 96) && !map.any(4097, 4000) && map.any(0, 5000));
        map.set(4095, 0);
        assert!(!map.any(0, 4096));
    }
}
