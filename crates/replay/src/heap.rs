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
        Self { live: Arc::default(), freed: Box::new([Freed::default(); CLASSES]), bump: 0 }
    }
}

/// The chunk class of a request; none when it cannot be satisfied.
pub fn class_of(size: u64) -> Option<u64> {
    (size <= LARGEST).then(|| ((size + 8 + 15) / 16).max(2))
}

/// How many bytes a block of a class can hold.
pub fn usable(class: u64) -> u64 {
    16 * class - 8
}

impl Heap {
    /// The block that starts at `address`.
    pub fn get(&self, address: u64) -> Option<Live> {
        self.live.get(&address).copied()
    }
    /// All live blocks, in no order.
    pub fn live(&self) -> impl Iterator<Item = (u64, Live)> + '_ {
        self.live.iter().map(|(&address, &live)| (address, live))
    }
    /// How many blocks live.
    pub fn len(&self) -> usize {
        self.live.len()
    }
    /// Whether no block lives.
    pub fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Where a block of this class is expected.
    pub(crate) fn predict(&self, class: u64) -> u64 {
        match self.freed.get(class as usize) {
            Some(Freed { addresses, len }) if *len > 0 => addresses[*len as usize - 1],
            _ => self.bump,
        }
    }

    /// A block of `class` was given out at `address`; `logged`: the recording had to say where.
    pub(crate) fn allocate(&mut self, address: u64, size: u64, class: u64, logged: bool) {
        if address == 0 {
            return;
        }
        let bump = &mut self.bump;
        match self.freed.get_mut(class as usize) {
            Some(freed) if freed.len > 0 => {
                if freed.addresses[freed.len as usize - 1] == address {
                    freed.len -= 1;
                } else if address == *bump {
                    *bump = address + 16 * class;
                }
            }
            _ => {
                if address == *bump || logged {
                    *bump = address + 16 * class;
                }
            }
        }
        Arc::make_mut(&mut self.live).insert(address, Live { size, class });
    }

    /// Remembers a block that external code allocated.
    pub(crate) fn adopt(&mut self, address: u64, size: u64, class: u64) {
        if address != 0 {
            Arc::make_mut(&mut self.live).insert(address, Live { size, class });
        }
    }

    /// The size of a live block changed in place.
    pub(crate) fn resize(&mut self, address: u64, size: u64, class: u64) {
        Arc::make_mut(&mut self.live).insert(address, Live { size, class });
    }

    /// Frees the block at `address`; gives it when it was live.
    pub(crate) fn free(&mut self, address: u64) -> Option<Live> {
        let live = Arc::make_mut(&mut self.live).remove(&address)?;
        if let Some(freed) = self.freed.get_mut(live.class as usize) {
            if (freed.len as usize) < DEPTH {
                freed.addresses[freed.len as usize] = address;
                freed.len += 1;
            }
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
        assert_eq!((class_of(0), class_of(24), class_of(25), class_of(u64::MAX)), (Some(2), Some(2), Some(3), None));
        heap.allocate(0x1000, 20, 2, true);
        assert_eq!(heap.predict(2), 0x1020);
        heap.allocate(0x1020, 20, 2, false);
        heap.allocate(0x1040, 30, 3, false);
        assert_eq!(heap.predict(3), 0x1070);
        heap.free(0x1000);
        heap.free(0x1020);
        assert_eq!(heap.predict(2), 0x1020);
        heap.allocate(0x1020, 24, 2, false);
        assert_eq!(heap.predict(2), 0x1000);
        assert_eq!(heap.predict(3), 0x1070);
        assert_eq!(heap.free(0x5), None);
        assert_eq!(heap.len(), 2);
    }
}
