//! Emulated memory: 4 KiB pages with reference counts in one arena, a direct-mapped cache in front of the page table,
//! and copy-on-write snapshots.
//!
//! Nothing here knows what is mapped: a page that nobody wrote reads as zero, as the recorder's shadow does.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of a page.
pub const PAGE: usize = 4096;
const SHIFT: u32 = 12;
const CACHE: usize = 1024;
const NO_PAGE: u64 = u64::MAX;

type Page = [u8; PAGE];
type Table = HashMap<u64, u32, BuildHasherDefault<PageHasher>>;

/// Page numbers are spread by one multiplication.
#[derive(Default, Clone)]
pub struct PageHasher(u64);

impl Hasher for PageHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
}

/// `tag` is the page number shifted left by two, and two bits: whether the page is known in part only, and whether it may be
/// written in place.
#[derive(Clone, Copy)]
struct Cached {
    tag: u64,
    index: u32,
}

impl Cached {
    const PARTLY: u64 = 2;
    const WRITABLE: u64 = 1;

    #[inline(always)]
    fn is_of(self, number: u64) -> bool {
        self.tag >> 2 == number
    }
}

const EMPTY: Cached = Cached { tag: NO_PAGE - 3, index: 0 };

/// Numbers of pages.
pub(crate) type Pages = HashSet<u64, BuildHasherDefault<PageHasher>>;

/// The number of the page of an address.
pub(crate) fn page_of(address: u64) -> u64 {
    address >> SHIFT
}

/// Emulated memory.
pub struct Memory {
    pages: Vec<Page>,
    refs: Vec<u32>,
    free: Vec<u32>,
    table: Table,
    cache: Box<[Cell<Cached>; CACHE]>,
    snapshots: Vec<Arc<Table>>,
    /// Pages of which a what-if run does not know all.
    partly: Pages,
    id: u64,
}

/// A state of the memory that it can go back to. Dropping it frees its pages at the next snapshot.
#[derive(Clone)]
pub struct MemorySnapshot {
    table: Arc<Table>,
    memory: u64,
}

impl MemorySnapshot {
    /// How many pages it holds, shared or not.
    pub fn pages(&self) -> usize {
        self.table.len()
    }

    /// Whether nothing was written to a range of memory in the run from this state to another of the same memory, or back. False
    /// where that is not known.
    pub fn is_unwritten_until(&self, other: &Self, address: u64, size: u64) -> bool {
        let last = address.saturating_add(size.saturating_sub(1));
        let mut pages = page_of(address)..=page_of(last);
        self.memory == other.memory && pages.all(|page| self.table.get(&page) == other.table.get(&page))
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

impl Memory {
    /// Memory in which nothing was written.
    pub fn new() -> Self {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let cache = vec![Cell::new(EMPTY); CACHE].into_boxed_slice();
        Self {
            // Page 0 is all zero, shared by everything that was never written.
            pages: vec![[0; PAGE]],
            refs: vec![u32::MAX],
            free: Vec::new(),
            table: Table::default(),
            cache: cache.try_into().unwrap_or_else(|_| unreachable!("made with this size")),
            snapshots: Vec::new(),
            partly: Pages::default(),
            id: IDS.fetch_add(1, Ordering::Relaxed),
        }
    }

    #[inline(always)]
    fn page_to_read(&self, number: u64) -> usize {
        let cached = self.cache[number as usize % CACHE].get();
        if cached.is_of(number) { cached.index as usize } else { self.read_miss(number).index as usize }
    }

    #[cold]
    #[inline(never)]
    fn read_miss(&self, number: u64) -> Cached {
        let index = self.table.get(&number).copied().unwrap_or(0);
        self.keep(number, index, index != 0 && self.refs[index as usize] == 1)
    }

    /// Puts a page in the cache.
    fn keep(&self, number: u64, index: u32, writable: bool) -> Cached {
        let partly = if self.partly.contains(&number) { Cached::PARTLY } else { 0 };
        let cached = Cached { tag: number << 2 | partly | if writable { Cached::WRITABLE } else { 0 }, index };
        self.cache[number as usize % CACHE].set(cached);
        cached
    }

    #[inline(always)]
    fn page_to_write(&mut self, number: u64) -> usize {
        let cached = self.cache[number as usize % CACHE].get();
        if cached.tag & !Cached::PARTLY == number << 2 | Cached::WRITABLE {
            cached.index as usize
        } else {
            self.write_miss(number)
        }
    }

    #[cold]
    #[inline(never)]
    fn write_miss(&mut self, number: u64) -> usize {
        let old = self.table.get(&number).copied().unwrap_or(0);
        let index = if old != 0 && self.refs[old as usize] == 1 {
            old
        } else {
            let content = self.pages[old as usize];
            if old != 0 {
                self.refs[old as usize] -= 1;
            }
            let index = self.new_page(content);
            self.table.insert(number, index);
            index
        };
        self.keep(number, index, true);
        index as usize
    }

    fn new_page(&mut self, content: Page) -> u32 {
        if let Some(index) = self.free.pop() {
            self.pages[index as usize] = content;
            self.refs[index as usize] = 1;
            return index;
        }
        self.pages.push(content);
        self.refs.push(1);
        (self.pages.len() - 1) as u32
    }

    fn release(&mut self, index: u32) {
        let refs = &mut self.refs[index as usize];
        *refs -= 1;
        if *refs == 0 {
            self.free.push(index);
        }
    }

    /// The `N` bytes at `address`.
    #[inline(always)]
    pub fn read<const N: usize>(&self, address: u64) -> [u8; N] {
        let offset = address as usize % PAGE;
        if offset <= PAGE - N {
            let page = &self.pages[self.page_to_read(address >> SHIFT)];
            let mut out = [0; N];
            out.copy_from_slice(&page[offset..offset + N]);
            out
        } else {
            let mut out = [0; N];
            self.read_into(address, &mut out);
            out
        }
    }

    /// Writes `N` bytes at `address`.
    #[inline(always)]
    pub fn write<const N: usize>(&mut self, address: u64, bytes: [u8; N]) {
        let offset = address as usize % PAGE;
        if offset <= PAGE - N {
            let index = self.page_to_write(address >> SHIFT);
            self.pages[index][offset..offset + N].copy_from_slice(&bytes);
        } else {
            self.write_from(address, &bytes);
        }
    }

    /// An unsigned integer of `size` (1 to 8) bytes.
    #[inline]
    pub fn read_uint(&self, address: u64, size: u32) -> u64 {
        match size {
            1 => u64::from(self.read::<1>(address)[0]),
            2 => u64::from(u16::from_le_bytes(self.read(address))),
            4 => u64::from(u32::from_le_bytes(self.read(address))),
            8 => u64::from_le_bytes(self.read(address)),
            n => {
                let mut bytes = [0; 8];
                self.read_into(address, &mut bytes[..n.min(8) as usize]);
                u64::from_le_bytes(bytes)
            }
        }
    }

    /// Writes the low `size` (1 to 8) bytes of `value`.
    #[inline]
    pub fn write_uint(&mut self, address: u64, size: u32, value: u64) {
        match size {
            1 => self.write(address, [value as u8]),
            2 => self.write(address, (value as u16).to_le_bytes()),
            4 => self.write(address, (value as u32).to_le_bytes()),
            8 => self.write(address, value.to_le_bytes()),
            n => self.write_from(address, &value.to_le_bytes()[..n.min(8) as usize]),
        }
    }

    /// The 64-bit word at `address`.
    #[inline]
    pub fn read_word(&self, address: u64) -> u64 {
        u64::from_le_bytes(self.read(address))
    }

    /// Fills `out` from `address` on.
    pub fn read_into(&self, address: u64, out: &mut [u8]) {
        let mut done = 0;
        while done < out.len() {
            let at = address.wrapping_add(done as u64);
            let offset = at as usize % PAGE;
            let n = (PAGE - offset).min(out.len() - done);
            let page = &self.pages[self.page_to_read(at >> SHIFT)];
            out[done..done + n].copy_from_slice(&page[offset..offset + n]);
            done += n;
        }
    }

    /// `len` bytes from `address` on.
    pub fn read_vec(&self, address: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.read_into(address, &mut out);
        out
    }

    /// Writes `bytes` from `address` on.
    pub fn write_from(&mut self, address: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u64);
            let offset = at as usize % PAGE;
            let n = (PAGE - offset).min(bytes.len() - done);
            let index = self.page_to_write(at >> SHIFT);
            self.pages[index][offset..offset + n].copy_from_slice(&bytes[done..done + n]);
            done += n;
        }
    }

    /// Sets `len` bytes to `value`. Pages that are zero and unwritten stay so under a fill with zero.
    pub fn fill(&mut self, address: u64, value: u8, len: u64) {
        let mut done = 0;
        while done < len {
            let at = address.wrapping_add(done);
            let offset = at as usize % PAGE;
            let n = ((PAGE - offset) as u64).min(len - done);
            if value != 0 || n < PAGE as u64 || self.is_written(at) {
                let index = self.page_to_write(at >> SHIFT);
                self.pages[index][offset..offset + n as usize].fill(value);
            }
            done += n;
        }
    }

    /// Moves `len` bytes; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, len: u64) {
        const PIECE: u64 = 16 * 1024;
        if to == from || len == 0 {
            return;
        }
        if len <= 256 {
            let mut small = [0; 256];
            let small = &mut small[..len as usize];
            self.read_into(from, small);
            self.write_from(to, small);
            return;
        }
        let mut piece = vec![0; PIECE.min(len) as usize];
        let backward = to.wrapping_sub(from) < len;
        let mut done = 0;
        while done < len {
            let n = PIECE.min(len - done);
            let start = if backward { len - done - n } else { done };
            let piece = &mut piece[..n as usize];
            self.read_into(from.wrapping_add(start), piece);
            self.write_from(to.wrapping_add(start), piece);
            done += n;
        }
    }

    /// The bytes at `address` up to a NUL, which is left out; at most `limit`.
    pub fn read_string(&self, address: u64, limit: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let mut at = address;
        while (out.len() as u64) < limit {
            let offset = at as usize % PAGE;
            let n = ((PAGE - offset) as u64).min(limit - out.len() as u64) as usize;
            let page = &self.pages[self.page_to_read(at >> SHIFT)];
            let piece = &page[offset..offset + n];
            if let Some(end) = piece.iter().position(|&byte| byte == 0) {
                out.extend_from_slice(&piece[..end]);
                return out;
            }
            out.extend_from_slice(piece);
            at = at.wrapping_add(n as u64);
        }
        out
    }

    /// The pages of a range count as written, with what is there.
    pub(crate) fn know(&mut self, address: u64, len: u64) {
        let last = address.saturating_add(len.saturating_sub(1)) >> SHIFT;
        for page in address >> SHIFT..=last {
            self.page_to_write(page);
        }
    }

    /// Whether the page of `address` was ever written: what is not is unknown to the replay.
    pub fn is_written(&self, address: u64) -> bool {
        self.page_to_read(address >> SHIFT) != 0
    }

    /// Whether something was written in the page of each of a few bytes, and all of these pages is known.
    #[inline(always)]
    pub(crate) fn is_known_from(&self, address: u64, bytes: u32) -> bool {
        let (first, last) = (address >> SHIFT, address.wrapping_add(u64::from(bytes) - 1) >> SHIFT);
        self.is_known(first) && (first == last || self.is_known(last))
    }

    #[inline(always)]
    fn is_known(&self, number: u64) -> bool {
        let cached = self.cache[number as usize % CACHE].get();
        let cached = if cached.is_of(number) { cached } else { self.read_miss(number) };
        cached.index != 0 && cached.tag & Cached::PARTLY == 0
    }

    /// Whether any page is known in part only.
    pub(crate) fn has_partly(&self) -> bool {
        !self.partly.is_empty()
    }

    /// The parts of a range that lie in pages that are known in part only: addresses and sizes.
    pub(crate) fn partly_in(&self, address: u64, size: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let last = address.saturating_add(size.saturating_sub(1));
        let count = if size == 0 || self.partly.is_empty() { 0 } else { page_of(last) - page_of(address) + 1 };
        // A length that went wrong leads over more pages than there are.
        let few = count <= self.partly.len() as u64;
        let (by_number, by_set) = if few { (count, 0) } else { (0, usize::MAX) };
        let numbers = (page_of(address)..page_of(address) + by_number).filter(|number| self.partly.contains(number));
        let within = self.partly.iter().copied().take(by_set);
        numbers.chain(within).filter_map(move |number| {
            let (start, end) = ((number << SHIFT).max(address), (number << SHIFT | (PAGE as u64 - 1)).min(last));
            (count > 0 && start <= end).then(|| (start, end - start + 1))
        })
    }

    /// From now on these are the pages that are known in part only.
    pub(crate) fn set_partly(&mut self, pages: Pages) {
        if !(pages.is_empty() && self.partly.is_empty()) {
            self.partly = pages;
            self.flush();
        }
    }

    /// A page is known in part only from now on.
    pub(crate) fn doubt_page(&mut self, number: u64) {
        if self.partly.insert(number) {
            self.cache[number as usize % CACHE].set(EMPTY);
        }
    }

    /// All of a page is known from now on.
    pub(crate) fn know_page(&mut self, number: u64) {
        if self.partly.remove(&number) {
            self.cache[number as usize % CACHE].set(EMPTY);
        }
    }

    /// The pages that hold something: their addresses, and what they hold.
    pub fn written(&self) -> impl Iterator<Item = (u64, &[u8; PAGE])> + '_ {
        self.table.iter().map(|(&number, &index)| (number << SHIFT, &self.pages[index as usize]))
    }

    /// How many pages hold something.
    pub fn written_pages(&self) -> usize {
        self.table.len()
    }

    /// Keeps the present state. Pages are copied when they are next written.
    pub fn snapshot(&mut self) -> MemorySnapshot {
        self.drop_unused_snapshots();
        for &index in self.table.values() {
            self.refs[index as usize] += 1;
        }
        let table = Arc::new(self.table.clone());
        self.snapshots.push(Arc::clone(&table));
        self.flush();
        MemorySnapshot { table, memory: self.id }
    }

    /// Goes back to `snapshot`, which must be this memory's; false when it is not.
    #[must_use]
    pub fn restore(&mut self, snapshot: &MemorySnapshot) -> bool {
        if snapshot.memory != self.id {
            return false;
        }
        for &index in snapshot.table.values() {
            self.refs[index as usize] += 1;
        }
        let old = std::mem::replace(&mut self.table, (*snapshot.table).clone());
        for index in old.into_values() {
            self.release(index);
        }
        self.flush();
        true
    }

    fn drop_unused_snapshots(&mut self) {
        let mut kept = Vec::with_capacity(self.snapshots.len() + 1);
        for table in std::mem::take(&mut self.snapshots) {
            if Arc::strong_count(&table) == 1 {
                for &index in table.values() {
                    self.release(index);
                }
            } else {
                kept.push(table);
            }
        }
        self.snapshots = kept;
        self.flush();
    }

    fn flush(&mut self) {
        for cached in self.cache.iter() {
            cached.set(EMPTY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_cross_pages() {
        let mut memory = Memory::new();
        let at = 0x7fff_0000_0ffc;
        memory.write(at, 0x1122_3344_5566_7788u64.to_le_bytes());
        assert_eq!(memory.read_word(at), 0x1122_3344_5566_7788);
        assert_eq!(memory.read_uint(at + 4, 4), 0x1122_3344);
        assert_eq!(memory.read_uint(at + 1, 3), 0x0055_6677);
        assert_eq!(memory.written_pages(), 2);
        assert!(!memory.is_written(at + 8192));
        assert_eq!(memory.read_word(at + 8192), 0);
        assert_eq!(memory.written_pages(), 2, "reading makes no pages");
    }

    #[test]
    fn a_snapshot_keeps_what_later_writes_change() {
        let mut memory = Memory::new();
        memory.write_from(0x1000, &[1; 5000]);
        let first = memory.snapshot();
        memory.write(0x1000, [2]);
        memory.write(0x9000, [9]);
        let second = memory.snapshot();
        memory.fill(0x1000, 3, 5000);
        assert!(memory.restore(&first));
        assert_eq!((memory.read::<1>(0x1000), memory.read::<1>(0x9000)), ([1], [0]));
        assert!(!memory.is_written(0x9000));
        memory.write(0x1000, [7]);
        assert!(memory.restore(&second));
        assert_eq!((memory.read::<1>(0x1000), memory.read::<1>(0x1001)), ([2], [1]));
        assert_eq!(memory.read::<1>(0x9000), [9]);
        assert!(memory.restore(&first));
        assert_eq!(memory.read_vec(0x1000, 5001), [vec![1; 5000], vec![0]].concat());
    }

    #[test]
    fn dropped_snapshots_give_their_pages_back() {
        let mut memory = Memory::new();
        for round in 0..100u64 {
            let snapshot = memory.snapshot();
            memory.fill(0x1000, round as u8 + 1, 4 * PAGE as u64);
            drop(snapshot);
        }
        assert!(memory.pages.len() < 20, "{} pages", memory.pages.len());
    }

    #[test]
    fn another_memory_s_snapshot_is_refused() {
        let mut other = Memory::new();
        let snapshot = other.snapshot();
        assert!(!Memory::new().restore(&snapshot));
    }

    #[test]
    fn copies_overlap_either_way() {
        let mut memory = Memory::new();
        let bytes: Vec<u8> = (0..50_000u32).map(|n| (n * 7 + n / 251) as u8).collect();
        for (to, from) in [(0x10_0005u64, 0x10_0000u64), (0x10_0000, 0x10_0005), (0x10_8000, 0x10_0000)] {
            memory.write_from(from, &bytes);
            memory.copy(to, from, bytes.len() as u64);
            assert_eq!(memory.read_vec(to, bytes.len()), bytes);
        }
        memory.write_from(0x2000, b"abc\0def");
        assert_eq!(memory.read_string(0x2000, 100), b"abc");
        assert_eq!(memory.read_string(0x2000, 2), b"ab");
    }
}
