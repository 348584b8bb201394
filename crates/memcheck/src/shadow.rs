//! Per byte of memory its undefined bits, per aligned word the object that the pointer stored there points to.

use std::collections::HashMap;

use crate::objects::Tag;

const PAGE: u64 = 4096;
const CACHE: usize = 256;

struct Page {
    undefined: [u8; PAGE as usize],
    tags: [Tag; PAGE as usize / 8],
}

/// Shadow of the emulated memory. What was never touched is defined and points nowhere.
pub struct Shadow {
    pages: Vec<Page>,
    index: HashMap<u64, u32>,
    /// Page number and index of the pages used last.
    cache: Vec<(u64, u32)>,
}

impl Default for Shadow {
    fn default() -> Self {
        Self { pages: Vec::new(), index: HashMap::new(), cache: vec![(u64::MAX, 0); CACHE] }
    }
}

impl Shadow {
    fn look(&mut self, number: u64) -> Option<usize> {
        let slot = &mut self.cache[number as usize % CACHE];
        if slot.0 == number {
            return Some(slot.1 as usize);
        }
        let index = *self.index.get(&number)?;
        *slot = (number, index);
        Some(index as usize)
    }

    fn page(&mut self, number: u64) -> &mut Page {
        let index = self.look(number).unwrap_or_else(|| {
            self.pages.push(Page { undefined: [0; PAGE as usize], tags: [Tag::NONE; PAGE as usize / 8] });
            let index = self.pages.len() - 1;
            self.index.insert(number, index as u32);
            index
        });
        &mut self.pages[index]
    }

    /// Runs `f` on each page's part of a range: page number, offset in the page, length.
    fn parts(address: u64, size: u64, mut f: impl FnMut(u64, usize, usize)) {
        let (mut at, mut left) = (address, size);
        while left > 0 {
            let offset = at % PAGE;
            let n = left.min(PAGE - offset);
            f(at / PAGE, offset as usize, n as usize);
            at = at.wrapping_add(n);
            left -= n;
        }
    }

    /// The undefined bits of up to 8 bytes.
    pub fn undefined(&mut self, address: u64, size: u32) -> u64 {
        let mut out = [0u8; 8];
        let size = size.min(8) as usize;
        let offset = (address % PAGE) as usize;
        if offset + size <= PAGE as usize {
            let Some(index) = self.look(address / PAGE) else { return 0 };
            out[..size].copy_from_slice(&self.pages[index].undefined[offset..offset + size]);
        } else {
            for (i, byte) in out[..size].iter_mut().enumerate() {
                let at = address.wrapping_add(i as u64);
                if let Some(index) = self.look(at / PAGE) {
                    *byte = self.pages[index].undefined[(at % PAGE) as usize];
                }
            }
        }
        u64::from_le_bytes(out)
    }

    /// Sets the undefined bits of up to 8 bytes; pointers that lay there are gone.
    pub fn set_undefined(&mut self, address: u64, size: u32, bits: u64) {
        let bytes = bits.to_le_bytes();
        for (i, byte) in bytes[..size.min(8) as usize].iter().enumerate() {
            let at = address.wrapping_add(i as u64);
            // An absent page is defined already.
            if *byte == 0 && self.look(at / PAGE).is_none() {
                continue;
            }
            let page = self.page(at / PAGE);
            page.undefined[(at % PAGE) as usize] = *byte;
            page.tags[(at % PAGE) as usize / 8] = Tag::NONE;
        }
    }

    /// Marks a range defined (or undefined as a whole) and forgets pointers in it.
    pub fn fill(&mut self, address: u64, size: u64, undefined: bool) {
        Self::parts(address, size, |number, offset, n| {
            if !undefined && self.look(number).is_none() {
                return;
            }
            let page = self.page(number);
            page.undefined[offset..offset + n].fill(if undefined { 0xff } else { 0 });
            page.tags[offset / 8..(offset + n).div_ceil(8)].fill(Tag::NONE);
        });
    }

    /// The object that the pointer at `address` points to.
    pub fn tag(&mut self, address: u64) -> Tag {
        if !address.is_multiple_of(8) {
            return Tag::NONE;
        }
        match self.look(address / PAGE) {
            Some(index) => self.pages[index].tags[(address % PAGE) as usize / 8],
            None => Tag::NONE,
        }
    }

    /// A pointer to an object was stored.
    pub fn set_tag(&mut self, address: u64, tag: Tag) {
        if address.is_multiple_of(8) && !(tag.is_none() && self.look(address / PAGE).is_none()) {
            self.page(address / PAGE).tags[(address % PAGE) as usize / 8] = tag;
        }
    }

    /// Moves a range (which may overlap).
    pub fn moved(&mut self, to: u64, from: u64, size: u64) {
        let mut undefined = vec![0u8; size as usize];
        let mut tags = Vec::new();
        let mut at = 0;
        Self::parts(from, size, |number, offset, n| {
            if let Some(index) = self.look(number) {
                undefined[at..at + n].copy_from_slice(&self.pages[index].undefined[offset..offset + n]);
            }
            at += n;
        });
        if to % 8 == from % 8 {
            let first = from.next_multiple_of(8);
            let mut word = first;
            while word + 8 <= from.wrapping_add(size) {
                tags.push(self.tag(word));
                word += 8;
            }
        }
        let mut at = 0;
        Self::parts(to, size, |number, offset, n| {
            let part = &undefined[at..at + n];
            at += n;
            if part.iter().all(|&b| b == 0) && self.look(number).is_none() {
                return;
            }
            let page = self.page(number);
            page.undefined[offset..offset + n].copy_from_slice(part);
            page.tags[offset / 8..(offset + n).div_ceil(8)].fill(Tag::NONE);
        });
        for (i, tag) in tags.into_iter().enumerate() {
            self.set_tag(to.next_multiple_of(8) + 8 * i as u64, tag);
        }
    }

    /// The pointers' objects in a range.
    pub fn tags_in(&mut self, address: u64, size: u64) -> Vec<Tag> {
        let mut out = Vec::new();
        let mut word = address.next_multiple_of(8);
        while word + 8 <= address.saturating_add(size) {
            let tag = self.tag(word);
            if !tag.is_none() {
                out.push(tag);
            }
            word += 8;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cross_pages_and_move() {
        let mut shadow = Shadow::default();
        shadow.fill(4090, 12, true);
        assert_eq!(shadow.undefined(4092, 8), u64::MAX);
        assert_eq!(shadow.undefined(4098, 8), 0xffff_ffff);
        shadow.set_undefined(4095, 2, 0);
        assert_eq!(shadow.undefined(4094, 4), 0xff00_00ff);
        shadow.moved(8192 + 6, 4094, 4);
        assert_eq!(shadow.undefined(8192 + 6, 4), 0xff00_00ff);
        shadow.moved(4095, 4094, 4);
        assert_eq!(shadow.undefined(4094, 5), 0xff_00_00_ff_ff);
    }
}
