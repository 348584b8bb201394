//! Per byte of memory its undefined bits, per aligned word the object that the pointer stored there points to.

use whydunit_replay::{PAGE, PageIndex};

use crate::bits::mask;
use crate::tag::Tag;

/// Bytes of a word.
const WORD: u64 = 8;
const WORDS: usize = PAGE / WORD as usize;

/// What is known of an aligned word of memory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Word {
    undefined: u64,
    tag: Tag,
}

const DEFINED: Word = Word { undefined: 0, tag: Tag::NONE };
const UNDEFINED: Word = Word { undefined: u64::MAX, tag: Tag::NONE };

type Page = [Word; WORDS];

/// Index of the page that stands for all that are defined as a whole, and of the one for those that are undefined.
const SHARED: [u32; 2] = [0, 1];

/// Shadow of the emulated memory. What was never touched is defined and points nowhere.
#[derive(Clone)]
pub struct Shadow {
    pages: Vec<Page>,
    /// Indices of pages by number, but of those that were never touched.
    index: PageIndex,
    /// Words on their way from one place to another.
    moving: Vec<Word>,
}

impl Default for Shadow {
    fn default() -> Self {
        Self { pages: vec![[DEFINED; WORDS], [UNDEFINED; WORDS]], index: PageIndex::new(SHARED[0]), moving: Vec::new() }
    }
}

/// Page number, and word in the page.
#[inline(always)]
fn place(address: u64) -> (u64, usize) {
    (address / PAGE as u64, (address % PAGE as u64 / WORD) as usize)
}

/// Bits of the bytes from `from` to `to` of a word.
fn bytes(from: u64, to: u64) -> u64 {
    if from >= to { 0 } else { mask((8 * (to - from)) as u8) << (8 * from) }
}

/// Runs `f` on each page's part of a range: page number, offset in the page, end in the page.
fn parts(address: u64, size: u64, mut f: impl FnMut(u64, u64, u64)) {
    let (mut at, mut left) = (address, size);
    while left > 0 {
        let offset = at % PAGE as u64;
        let n = left.min(PAGE as u64 - offset);
        f(at / PAGE as u64, offset, offset + n);
        at = at.wrapping_add(n);
        left -= n;
    }
}

impl Shadow {
    #[inline(always)]
    fn look(&mut self, number: u64) -> usize {
        self.index.get(number) as usize
    }

    /// A page that may be changed.
    fn page(&mut self, number: u64) -> &mut Page {
        let mut index = self.look(number);
        if index < SHARED.len() {
            self.pages.push(self.pages[index]);
            index = self.pages.len() - 1;
            self.index.set(number, index as u32);
        }
        &mut self.pages[index]
    }

    /// Undefined bits and pointer's object of a value of up to 8 bytes.
    #[inline(always)]
    pub fn load(&mut self, address: u64, size: u32) -> (u64, Tag) {
        let (number, word) = place(address);
        let offset = address % WORD;
        if offset + u64::from(size) > WORD {
            return (self.load_across(address, size), Tag::NONE);
        }
        let index = self.look(number);
        let word = self.pages[index][word];
        let tag = if size == 8 { word.tag } else { Tag::NONE };
        (word.undefined >> (8 * offset) & mask((8 * size) as u8), tag)
    }

    /// Whether no bit of a range has a value.
    pub fn is_undefined(&mut self, address: u64, size: u64) -> bool {
        (0..size).step_by(WORD as usize).all(|offset| {
            let part = WORD.min(size - offset) as u32;
            self.load(address.wrapping_add(offset), part).0 == mask((8 * part) as u8)
        })
    }

    /// Undefined bits of up to 8 bytes, anywhere.
    #[inline(never)]
    fn load_across(&mut self, address: u64, size: u32) -> u64 {
        let offset = address % WORD;
        let low = self.load(address - offset, 8).0 >> (8 * offset);
        let high = self.load((address - offset).wrapping_add(WORD), 8).0;
        let both = if offset == 0 { low } else { low | high << (64 - 8 * offset) };
        both & mask((8 * size) as u8)
    }

    /// A value of up to 8 bytes is stored. Pointers that lay there are gone.
    #[inline(always)]
    pub fn store(&mut self, address: u64, size: u32, undefined: u64, tag: Tag) {
        let (number, word) = place(address);
        let offset = address % WORD;
        let index = self.look(number);
        if index < SHARED.len() || offset + u64::from(size) > WORD {
            return self.store_anywhere(address, size, undefined, tag);
        }
        let place = &mut self.pages[index][word];
        if size == 8 {
            *place = Word { undefined, tag };
        } else {
            put(place, bytes(offset, offset + u64::from(size)), undefined << (8 * offset));
        }
    }

    #[inline(never)]
    fn store_anywhere(&mut self, address: u64, size: u32, undefined: u64, tag: Tag) {
        let (number, word) = place(address);
        let (offset, size) = (address % WORD, u64::from(size));
        let undefined = undefined & mask((8 * size) as u8);
        let first = bytes(offset, WORD.min(offset + size));
        // A page that is defined as a whole stays so.
        if undefined << (8 * offset) != 0 || tag != Tag::NONE || self.look(number) != SHARED[0] as usize {
            let place = &mut self.page(number)[word];
            put(place, first, undefined << (8 * offset));
            if first == u64::MAX {
                place.tag = tag;
            }
        }
        if offset + size > WORD {
            let next = (address - offset).wrapping_add(WORD);
            let rest = undefined >> (8 * (WORD - offset));
            self.store(next, (offset + size - WORD) as u32, rest, Tag::NONE);
        }
    }

    /// Marks a range defined (or undefined as a whole) and forgets pointers in it.
    pub fn fill(&mut self, address: u64, size: u64, undefined: bool) {
        let with = if undefined { UNDEFINED } else { DEFINED };
        let shared = SHARED[usize::from(undefined)];
        parts(address, size, |number, offset, end| {
            let index = self.look(number) as u32;
            if index == shared {
                return;
            }
            if (index as usize) < SHARED.len() && end - offset == PAGE as u64 {
                return self.index.set(number, shared);
            }
            let page = self.page(number);
            let (first, last) = (offset.div_ceil(WORD) as usize, (end / WORD) as usize);
            if first < last {
                page[first..last].fill(with);
            }
            edges(offset, end, |word, bits| put(&mut page[word], bits, with.undefined));
        });
    }

    /// Marks a range defined; pointers in it stay.
    pub fn define(&mut self, address: u64, size: u64) {
        parts(address, size, |number, offset, end| {
            let index = self.look(number) as u32;
            if index == SHARED[0] {
                return;
            }
            if index == SHARED[1] && end - offset == PAGE as u64 {
                return self.index.set(number, SHARED[0]);
            }
            let page = self.page(number);
            let (first, last) = (offset.div_ceil(WORD) as usize, (end / WORD) as usize);
            if first < last {
                page[first..last].iter_mut().for_each(|word| word.undefined = 0);
            }
            edges(offset, end, |word, bits| page[word].undefined &= !bits);
        });
    }

    /// Moves a range (which may overlap).
    pub fn moved(&mut self, to: u64, from: u64, size: u64) {
        let mut moving = std::mem::take(&mut self.moving);
        moving.clear();
        // For each word of the target what goes there; of the first and last the bytes beyond the range do not count.
        let (start, end) = (to - to % WORD, to.wrapping_add(size));
        let source = from.wrapping_sub(to % WORD);
        let words = (end.wrapping_sub(start)).div_ceil(WORD);
        if source.is_multiple_of(WORD) {
            parts(source, words * WORD, |number, offset, end| {
                let index = self.look(number);
                moving.extend_from_slice(&self.pages[index][(offset / WORD) as usize..(end / WORD) as usize]);
            });
        } else {
            for word in 0..words {
                let undefined = self.load_across(source.wrapping_add(word * WORD), 8);
                moving.push(Word { undefined, tag: Tag::NONE });
            }
        }
        let mut at = 0;
        parts(to, size, |number, offset, end| {
            let (low, high) = ((offset / WORD) as usize, end.div_ceil(WORD) as usize);
            let part = &moving[at..at + high - low];
            at += part.len();
            let index = self.look(number);
            if index < SHARED.len() && part.iter().all(|&word| word == self.pages[index][0]) {
                return;
            }
            let page = self.page(number);
            let (first, last) = (offset.div_ceil(WORD) as usize, (end / WORD) as usize);
            if first < last {
                page[first..last].copy_from_slice(&part[first - low..last - low]);
            }
            edges(offset, end, |word, bits| put(&mut page[word], bits, part[word - low].undefined));
        });
        self.moving = moving;
    }

    /// The objects of pointers in a range; one after the other the same only once.
    pub fn tags_in(&mut self, address: u64, size: u64) -> Vec<Tag> {
        let mut tags = Vec::new();
        parts(address, size, |number, offset, end| {
            let index = self.look(number);
            let (first, last) = (offset.div_ceil(WORD) as usize, (end / WORD) as usize);
            let words = self.pages[index].get(first..last).unwrap_or_default();
            tags.extend(words.iter().map(|word| word.tag).filter(|tag| !tag.is_none()));
        });
        tags.dedup();
        tags
    }

    /// Forgets the objects of the pointers in a range that `which` holds for.
    pub fn forget_tags(&mut self, address: u64, size: u64, which: impl Fn(Tag) -> bool) {
        parts(address, size, |number, offset, end| {
            let index = self.look(number);
            let (first, last) = (offset.div_ceil(WORD) as usize, (end / WORD) as usize);
            for word in self.pages[index].get_mut(first..last).unwrap_or_default() {
                if !word.tag.is_none() && which(word.tag) {
                    word.tag = Tag::NONE;
                }
            }
        });
    }
}

/// Puts some bits of a word; a pointer there is gone.
#[inline(always)]
fn put(word: &mut Word, bits: u64, undefined: u64) {
    word.undefined = word.undefined & !bits | undefined & bits;
    word.tag = Tag::NONE;
}

/// Runs `f` on the words that a part of a page covers not as a whole, with the bits covered.
fn edges(offset: u64, end: u64, mut f: impl FnMut(usize, u64)) {
    let (first, last) = (offset / WORD, end / WORD);
    if first == last {
        return f(first as usize, bytes(offset % WORD, end % WORD));
    }
    if !offset.is_multiple_of(WORD) {
        f(first as usize, bytes(offset % WORD, WORD));
    }
    if !end.is_multiple_of(WORD) {
        f(last as usize, bytes(0, end % WORD));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tag::Generation;

    #[test]
    fn ranges_cross_pages_and_move() {
        let mut shadow = Shadow::default();
        shadow.fill(4090, 12, true);
        assert_eq!(shadow.load(4092, 8).0, u64::MAX);
        assert_eq!(shadow.load(4098, 8).0, 0xffff_ffff);
        shadow.store(4095, 2, 0, Tag::NONE);
        assert_eq!(shadow.load(4094, 4).0, 0xff00_00ff);
        shadow.moved(8192 + 6, 4094, 4);
        assert_eq!(shadow.load(8192 + 6, 4).0, 0xff00_00ff);
        shadow.moved(4095, 4094, 4);
        assert_eq!(shadow.load(4094, 5).0, 0xff_00_00_ff_ff);
    }

    const SIZE: usize = 6 * PAGE;

    /// The same, byte by byte.
    struct Plain {
        undefined: Vec<u8>,
        tags: Vec<Tag>,
    }

    impl Plain {
        fn set(&mut self, at: usize, undefined: u8) {
            self.undefined[at] = undefined;
            self.tags[at / 8] = Tag::NONE;
        }
        fn load(&self, at: usize, size: usize) -> (u64, Tag) {
            let bytes = self.undefined[at..at + size].iter().rev();
            let whole = size == 8 && at.is_multiple_of(8);
            (
                bytes.fold(0, |bits, &byte| bits << 8 | u64::from(byte)),
                if whole { self.tags[at / 8] } else { Tag::NONE },
            )
        }
        fn store(&mut self, at: usize, size: usize, undefined: u64, tag: Tag) {
            (0..size).for_each(|i| self.set(at + i, (undefined >> (8 * i)) as u8));
            if size == 8 && at.is_multiple_of(8) {
                self.tags[at / 8] = tag;
            }
        }
        fn moved(&mut self, to: usize, from: usize, size: usize) {
            let bytes = self.undefined[from..from + size].to_vec();
            let words = (to..to + size).filter(|at| at.is_multiple_of(8) && at + 8 <= to + size);
            let tags: Vec<_> = words.map(|at| (at, self.load(at - to + from, 8).1)).collect();
            bytes.iter().enumerate().for_each(|(i, &byte)| self.set(to + i, byte));
            tags.into_iter().for_each(|(at, tag)| self.tags[at / 8] = tag);
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Store(usize, usize, u64, usize),
        Fill(usize, usize, bool),
        Define(usize, usize),
        Move(usize, usize, usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let address = || prop_oneof![PAGE - 40..PAGE + 40, 2 * PAGE - 40..2 * PAGE + 40, 0..3 * PAGE];
        let size = || prop_oneof![1..40usize, 1..2 * PAGE];
        let step = prop_oneof![
            4 => (address(), 1..9usize, any::<u64>(), 0..4usize).prop_map(|(a, n, u, t)| Step::Store(a, n, u, t)),
            2 => (address(), 0..5u64, 0..4usize).prop_map(|(a, u, t)| Step::Store(a & !7, 8, u, t)),
            2 => (address(), size(), any::<bool>()).prop_map(|(a, n, u)| Step::Fill(a, n, u)),
            1 => (address(), size()).prop_map(|(a, n)| Step::Define(a, n)),
            2 => (address(), address(), size()).prop_map(|(a, b, n)| Step::Move(a, b, n)),
            1 => (address(), address(), size()).prop_map(|(a, b, n)| Step::Move(a & !7 | b & 7, b, n)),
        ];
        prop::collection::vec(step, 1..12)
    }

    proptest! {
        #[test]
        fn words_and_pages_are_bytes(steps in steps()) {
            let (mut shadow, mut plain) =
                (Shadow::default(), Plain { undefined: vec![0; SIZE], tags: vec![Tag::NONE; SIZE / 8] });
            let tags = [Tag::NONE, Tag::new(false, 1, Generation::default()), Tag::new(false, 2, Generation::default()),
                Tag::new(true, 1, Generation::default())];
            for step in steps {
                match step {
                    Step::Store(at, n, undefined, tag) => {
                        shadow.store(at as u64, n as u32, undefined & mask((8 * n) as u8), tags[tag]);
                        plain.store(at, n, undefined, tags[tag]);
                    }
                    Step::Fill(at, n, undefined) => {
                        shadow.fill(at as u64, n as u64, undefined);
                        (at..at + n).for_each(|at| plain.set(at, if undefined { 0xff } else { 0 }));
                    }
                    Step::Define(at, n) => {
                        shadow.define(at as u64, n as u64);
                        plain.undefined[at..at + n].fill(0);
                    }
                    Step::Move(to, from, n) => {
                        shadow.moved(to as u64, from as u64, n as u64);
                        plain.moved(to, from, n);
                    }
                }
            }
            for at in 0..SIZE - 8 {
                let size = if at % 3 == 0 { 3 } else { 8 };
                prop_assert_eq!(shadow.load(at as u64, size as u32), plain.load(at, size), "at {}", at);
            }
        }
    }
}
