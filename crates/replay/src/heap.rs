//! Live heap blocks and the prediction of addresses that recorder and replay share (docs/engine.md, section 4).

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use crate::memory::PageHasher;

/// Classes below this have a stack of freed addresses.
const CLASSES: usize = 65;
const DEPTH: usize = 7;
const LARGEST: u64 = 1 << 40;

/// A live block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Live {
    /// Bytes asked for.
    pub size: u64,
    /// Chunk class, in 16-byte units.
    pub class: u64,
}

type Blocks = HashMap<u64, Live, BuildHasherDefault<PageHasher>>;

/// The heap as captured code knows it.
#[derive(Clone)]
pub struct Heap {
    live: Arc<Blocks>,
    /// Sizes of blocks that external code allocated for the program (strdup and so on).
    foreign: Arc<HashMap<u64, u64, BuildHasherDefault<PageHasher>>>,
    freed: Box<[Freed; CLASSES]>,
    bump: u64,
}

#[derive(Clone, Copy, Default)]
struct Freed {
    addresses: [u64; DEPTH],
    len: u8,
}

impl Default for Heap {
    fn default() -> Self {
        Self { live: Arc::default(), foreign: Arc::default(), freed: Box::new([Freed::default(); CLASSES]), bump: 0 }
    }
}

/// The chunk class of a request; 0 when it cannot be satisfied.
pub fn class_of(size: u64) -> u64 {
    if size > LARGEST { 0 } else { (size + 8).div_ceil(16).max(2) }
}

/// How many bytes a block of a class can hold.
pub fn usable(class: u64) -> u64 {
    (16 * class).saturating_sub(8)
}

impl Heap {
    /// The block that starts at `address`.
    pub fn get(&self, address: u64) -> Option<Live> {
        self.live.get(&address).copied()
    }
    /// Address and size of all live blocks, in no order.
    pub fn live(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let own = self.live.iter().map(|(&address, live)| (address, live.size));
        own.chain(self.foreign.iter().map(|(&address, &size)| (address, size)))
    }
    /// Address and size of the live block in which an address lies.
    pub fn block_of(&self, address: u64) -> Option<(u64, u64)> {
        self.live().find(|(start, size)| address.wrapping_sub(*start) < *size)
    }
    /// Whether a block of the program that began at `address` was freed, as far as that is remembered.
    pub(crate) fn was_freed(&self, address: u64) -> bool {
        self.freed.iter().any(|freed| freed.addresses[..freed.len as usize].contains(&address))
    }
    /// The size of the block at `address` that external code allocated.
    pub fn foreign(&self, address: u64) -> Option<u64> {
        self.foreign.get(&address).copied()
    }
    pub(crate) fn adopt(&mut self, address: u64, size: u64) {
        match self.live.get(&address) {
            // The block stays known to the prediction.
            Some(live) => {
                let class = live.class;
                Arc::make_mut(&mut self.live).insert(address, Live { size, class });
            }
            None => {
                Arc::make_mut(&mut self.foreign).insert(address, size);
            }
        }
    }
    pub(crate) fn free_foreign(&mut self, address: u64) -> Option<u64> {
        if !self.foreign.contains_key(&address) {
            return None;
        }
        Arc::make_mut(&mut self.foreign).remove(&address)
    }
    /// How many blocks live.
    pub fn len(&self) -> usize {
        self.live.len() + self.foreign.len()
    }
    /// Whether no block lives.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty() && self.foreign.is_empty()
    }

    /// Where a block of this computed class is expected.
    pub(crate) fn predict(&self, class: u64) -> u64 {
        if class == 0 {
            return 0;
        }
        match self.freed.get(class as usize) {
            Some(Freed { addresses, len }) if *len > 0 => addresses[*len as usize - 1],
            _ => self.bump,
        }
    }

    /// A block of `size` bytes was given out at `address`: `class` was computed from the request, `real` is its chunk's.
    pub(crate) fn allocate(&mut self, address: u64, size: u64, class: u64, real: u64) {
        if address == 0 {
            return;
        }
        let predicted = self.predict(class);
        match self.freed.get_mut(class as usize) {
            Some(freed) if freed.len > 0 => {
                if predicted == address {
                    freed.len -= 1;
                } else if address == self.bump {
                    self.bump = address + 16 * real;
                }
            }
            _ => self.bump = address + 16 * real,
        }
        self.free_foreign(address);
        Arc::make_mut(&mut self.live).insert(address, Live { size, class: real });
    }

    /// A reallocation left the block where it was.
    pub(crate) fn resize(&mut self, address: u64, size: u64, real: u64) {
        self.free_foreign(address);
        Arc::make_mut(&mut self.live).insert(address, Live { size, class: real });
    }

    /// Frees the block at `address`; gives it when it was known. An unknown one changes no prediction.
    pub(crate) fn free(&mut self, address: u64) -> Option<Live> {
        let live = Arc::make_mut(&mut self.live).remove(&address)?;
        if let Some(freed) = self.freed.get_mut(live.class as usize)
            && (freed.len as usize) < DEPTH
        {
            freed.addresses[freed.len as usize] = address;
            freed.len += 1;
        }
        Some(live)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_blocks_come_back_last_first_and_new_ones_from_the_bump() {
        let mut heap = Heap::default();
        assert_eq!((class_of(0), class_of(24), class_of(25), class_of(u64::MAX)), (2, 2, 3, 0));
        heap.allocate(0x1000, 20, 2, 2);
        assert_eq!(heap.predict(2), 0x1020);
        heap.allocate(0x1020, 20, 2, 2);
        heap.allocate(0x1040, 30, 3, 3);
        assert_eq!(heap.predict(3), 0x1070);
        heap.free(0x1000);
        heap.free(0x1020);
        assert_eq!(heap.predict(2), 0x1020);
        heap.allocate(0x1020, 24, 2, 2);
        assert_eq!(heap.predict(2), 0x1000);
        assert_eq!(heap.predict(3), 0x1070);
        assert_eq!(heap.free(0x5), None);
        assert_eq!(heap.len(), 2);
    }
}
