//! The objects of a run: heap blocks, stack objects, globals.

use std::collections::{BTreeMap, VecDeque};

use crate::object::{Chain, Object, What};
use crate::stack::Stack;
use crate::tag::{Generation, Span, Tag};

/// How many freed heap blocks are remembered.
const FREED: usize = 1 << 16;
/// How many forgotten objects can still be described.
const FORGOTTEN: usize = 1 << 10;

#[derive(Clone)]
struct Entry {
    object: Object,
    /// Nobody's any more; the object was the last one.
    vacant: bool,
}

/// All objects.
#[derive(Clone, Default)]
pub struct Objects {
    /// Heap blocks and globals.
    entries: Vec<Entry>,
    /// What of each entry's object may be accessed: this alone is looked at for each access.
    spans: Vec<Span>,
    vacant: VecDeque<usize>,
    /// Live heap blocks and globals by address.
    placed: BTreeMap<u64, Tag>,
    /// Freed heap blocks by address, as long as nothing else lies there.
    freed: BTreeMap<u64, Tag>,
    freed_order: VecDeque<Tag>,
    /// All blocks ever freed lie below this address, and not below the other.
    freed_end: u64,
    freed_start: u64,
    /// Stack objects.
    pub stack: Stack,
}

impl Objects {
    /// Whether `size` bytes (at least one) at `address` lie in the live object `tag`.
    #[inline(always)]
    pub fn allows(&self, tag: Tag, address: u64, size: u64) -> bool {
        let spans = if tag.on_stack() { self.stack.spans() } else { &self.spans };
        spans.get(tag.index()).is_some_and(|span| span.generation == tag.generation() && span.holds(address, size))
    }

    /// The object, unless it was forgotten.
    pub fn get(&self, tag: Tag) -> Option<Object> {
        if tag.on_stack() {
            return self.stack.get(tag);
        }
        let span = self.spans.get(tag.index())?;
        let entry = self.entries.get(tag.index())?;
        (span.generation == tag.generation() && !entry.vacant).then_some(entry.object)
    }

    /// The forgotten object, as long as nothing took its place.
    pub fn get_dead(&self, tag: Tag) -> Option<Object> {
        if tag.on_stack() {
            return self.stack.get_dead(tag);
        }
        let span = self.spans.get(tag.index())?;
        let entry = self.entries.get(tag.index())?;
        (span.generation == tag.generation().next() && entry.vacant).then_some(entry.object)
    }

    fn insert(&mut self, object: Object) -> Tag {
        let entry = Entry { object, vacant: false };
        let (start, size) = (object.start, object.size);
        if self.vacant.len() > FORGOTTEN
            && let Some(index) = self.vacant.pop_front()
        {
            let generation = self.spans[index].generation;
            self.spans[index] = Span { start, size, generation };
            self.entries[index] = entry;
            return Tag::new(false, index, generation);
        }
        let generation = Generation::default();
        self.spans.push(Span { start, size, generation });
        self.entries.push(entry);
        Tag::new(false, self.entries.len() - 1, generation)
    }

    fn forget(&mut self, tag: Tag) {
        let index = tag.index();
        if self.get(tag).is_some() {
            self.spans[index].size = 0;
            self.spans[index].generation = tag.generation().next();
            self.entries[index].vacant = true;
            self.vacant.push_back(index);
        }
    }

    /// A heap block or global comes alive. What was freed there before is forgotten.
    pub fn place(&mut self, object: Object) -> Tag {
        let (start, end) = (object.start, object.start.saturating_add(object.size.max(1)));
        while let Some((&at, &tag)) = self.freed.range(..end).next_back()
            && (at >= start || self.get(tag).is_some_and(|old| old.covers(start)))
        {
            self.freed.remove(&at);
            self.forget(tag);
        }
        let tag = self.insert(object);
        if let Some(old) = self.placed.insert(start, tag) {
            self.forget(old);
        }
        tag
    }

    /// The live heap block or global that starts at `start`.
    pub fn starting_at(&self, start: u64) -> Option<(Tag, Object)> {
        let tag = *self.placed.get(&start)?;
        Some((tag, self.get(tag)?))
    }

    /// A block is nobody's to check any more: every access through a pointer to it is allowed, and no address leads to it.
    pub fn release(&mut self, tag: Tag) {
        if let Some(object) = self.get(tag) {
            if self.placed.get(&object.start) == Some(&tag) {
                self.placed.remove(&object.start);
            }
            let span = &mut self.spans[tag.index()];
            (span.start, span.size) = (0, u64::MAX);
            self.entries[tag.index()].object.live = false;
        }
    }

    /// The live heap blocks, by address.
    pub fn blocks(&self) -> impl Iterator<Item = (Tag, Object)> + '_ {
        let placed = self.placed.values().filter_map(|&tag| Some((tag, self.get(tag)?)));
        placed.filter(|(_, object)| object.what == What::Heap)
    }

    /// The block at `start` was given another size; whether there is one.
    pub fn resize(&mut self, start: u64, size: u64, at: Chain) -> bool {
        let Some((tag, _)) = self.starting_at(start) else { return false };
        self.spans[tag.index()].size = size;
        let object = &mut self.entries[tag.index()].object;
        *object = Object { size, allocated: at, ..*object };
        true
    }

    /// The block at `start` is freed.
    pub fn free(&mut self, start: u64, at: Chain) {
        let Some((tag, object)) = self.starting_at(start) else { return };
        self.placed.remove(&start);
        self.spans[tag.index()].size = 0;
        self.entries[tag.index()].object = Object { live: false, freed: at, ..object };
        if self.freed_end == 0 {
            self.freed_start = start;
        }
        self.freed_start = self.freed_start.min(start);
        self.freed_end = self.freed_end.max(start.saturating_add(object.size.max(1)));
        self.freed.insert(start, tag);
        self.freed_order.push_back(tag);
        if self.freed_order.len() > FREED
            && let Some(old) = self.freed_order.pop_front()
            && let Some(object) = self.get(old)
        {
            if self.freed.get(&object.start) == Some(&old) {
                self.freed.remove(&object.start);
            }
            self.forget(old);
        }
    }

    /// The live object that holds `address`, or that `address` stands just behind.
    pub fn find(&self, address: u64) -> Tag {
        let below = self.placed.range(..=address).next_back();
        let below = below.and_then(|(_, &tag)| Some((tag, self.get(tag)?)));
        let placed = |fits: &dyn Fn(&Object) -> bool| below.filter(|(_, object)| fits(object)).map(|(tag, _)| tag);
        placed(&|object| object.covers(address))
            .or_else(|| self.stack.find(address, |span| address - span.start < span.size.max(1)))
            .or_else(|| placed(&|object| address - object.start == object.size))
            .or_else(|| self.stack.find(address, |span| address - span.start == span.size))
            .unwrap_or_default()
    }

    /// The object that holds `address`, alive or a heap block that was freed.
    pub fn at(&self, address: u64) -> Tag {
        let holds = |tag: &Tag| self.get(*tag).is_some_and(|object| object.covers(address));
        let freed = || self.freed.range(..=address).next_back().map(|(_, &tag)| tag).filter(holds);
        Some(self.find(address)).filter(holds).or_else(freed).unwrap_or_default()
    }

    /// The freed heap block that holds `address`.
    pub fn find_freed(&self, address: u64) -> Option<Object> {
        if address < self.freed_start || address >= self.freed_end {
            return None;
        }
        let (_, tag) = self.freed.range(..=address).next_back()?;
        self.get(*tag).filter(|object| object.covers(address))
    }

    /// The freed block that holds `address`, if there is one, is no longer remembered.
    pub fn forget_freed(&mut self, address: u64) {
        if let Some(object) = self.find_freed(address)
            && let Some(tag) = self.freed.remove(&object.start)
        {
            self.forget(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_replay::FuncId;

    fn block(start: u64, size: u64) -> Object {
        Object { what: What::Heap, start, size, allocated: Chain::default(), freed: Chain::default(), live: true }
    }

    #[test]
    fn an_object_is_found_inside_and_just_behind() {
        let mut objects = Objects::default();
        let first = objects.place(block(0x1000, 16));
        let local = objects.stack.push(0, FuncId(0), 0, 0x9000, 8);
        assert_eq!(objects.find(0x100f), first);
        assert_eq!(objects.find(0x1010), first);
        assert_eq!(objects.find(0x1011), Tag::NONE);
        assert_eq!(objects.find(0x9007), local);
        assert_eq!(objects.find(0x9008), local);
        assert_eq!(objects.find(0x9009), Tag::NONE);
        assert!(objects.allows(first, 0x1008, 8) && !objects.allows(first, 0x1009, 8));
        assert!(objects.allows(local, 0x9000, 8) && !objects.allows(local, 0x8fff, 2));
        assert!(!objects.allows(Tag::NONE, 0x1008, 8));
        let second = objects.place(block(0x1010, 16));
        assert_eq!(objects.find(0x1010), second);
    }

    #[test]
    fn freed_blocks_are_known_until_something_else_lies_there() {
        let mut objects = Objects::default();
        let old = objects.place(block(0x1000, 16));
        objects.free(0x1000, Chain::default());
        assert!(objects.get(old).is_some_and(|o| !o.live && o.size == 16));
        assert!(!objects.allows(old, 0x1000, 1));
        assert!(objects.find_freed(0x100f).is_some());
        assert!(objects.find_freed(0x1010).is_none());
        objects.place(block(0x1008, 32));
        assert!(objects.find_freed(0x1000).is_none());
        assert!(objects.get(old).is_none());
        assert!(objects.get_dead(old).is_some());
    }

    #[test]
    fn what_is_released_is_not_found_and_never_wrong() {
        let mut objects = Objects::default();
        let tag = objects.place(block(0x1000, 16));
        objects.release(tag);
        assert!(objects.allows(tag, 0x1010, 8) && objects.allows(tag, 0x10, 8));
        assert!(objects.find(0x1000).is_none() && objects.starting_at(0x1000).is_none());
        assert_eq!(objects.blocks().count(), 0);
        let other = objects.place(block(0x1000, 32));
        assert_eq!(objects.find(0x1000), other);
        assert!(objects.allows(tag, 0x1020, 8) && !objects.allows(other, 0x1020, 8));
    }

    #[test]
    fn what_is_placed_covers_all_that_was_freed_there() {
        let mut objects = Objects::default();
        for start in [0x1000, 0x1010, 0x1020, 0x1030] {
            objects.place(block(start, 16));
            objects.free(start, Chain::default());
        }
        let tag = objects.place(block(0x1018, 20));
        assert!(objects.find_freed(0x1000).is_some() && objects.find_freed(0x1030).is_some());
        assert!(objects.find_freed(0x1010).is_none() && objects.find_freed(0x1020).is_none());
        assert!(objects.resize(0x1018, 40, Chain::default()));
        assert!(objects.allows(tag, 0x1018, 40));
        assert!(!objects.resize(0x1000, 40, Chain::default()));
    }
}
