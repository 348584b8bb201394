//! The objects of a run: heap blocks, stack objects, globals.

use std::collections::{BTreeMap, VecDeque};

use whydunit_replay::FuncId;

/// How many freed heap blocks are remembered.
const FREED: usize = 1 << 16;

/// An operation of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The function.
    pub function: FuncId,
    /// The operation.
    pub pc: u32,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// From malloc and its like.
    Heap,
    /// A local variable: the function and its stack object's number.
    Stack(FuncId, u32),
    /// A global or static variable: the loaded module's number and the global's.
    Global(u32, u32),
}

/// An object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Object {
    /// What it is.
    pub what: What,
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// Where it was allocated.
    pub allocated: Option<Place>,
    /// Where it was freed.
    pub freed: Option<Place>,
    /// Whether accesses are allowed.
    pub live: bool,
}

/// Names an object for good: a tag of a forgotten object never names another one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tag(u64);

impl Tag {
    /// No object.
    pub const NONE: Tag = Tag(0);

    fn new(index: usize, generation: u32) -> Self {
        Tag(u64::from(generation) << 32 | (index as u64 + 1))
    }
    fn index(self) -> usize {
        (self.0 as u32 as usize).wrapping_sub(1)
    }
    fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }
    /// Whether it names no object.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

#[derive(Default)]
struct Entry {
    generation: u32,
    object: Option<Object>,
    /// The one before, until the entry is used again.
    dead: Option<Object>,
}

/// All objects.
#[derive(Default)]
pub struct Objects {
    entries: Vec<Entry>,
    vacant: Vec<usize>,
    /// Live heap blocks and globals by address.
    placed: BTreeMap<u64, Tag>,
    /// Freed heap blocks by address, as long as nothing else lies there.
    freed: BTreeMap<u64, Tag>,
    freed_order: VecDeque<Tag>,
    /// Live stack objects: addresses fall from frame to frame.
    frames: Vec<StackFrame>,
}

struct StackFrame {
    lowest: u64,
    highest: u64,
    objects: Vec<Tag>,
}

impl Objects {
    /// The object, unless it was forgotten.
    pub fn get(&self, tag: Tag) -> Option<&Object> {
        let entry = self.entries.get(tag.index())?;
        (entry.generation == tag.generation()).then_some(entry.object.as_ref()).flatten()
    }

    /// The forgotten object, as long as nothing took its entry.
    pub fn get_dead(&self, tag: Tag) -> Option<Object> {
        let entry = self.entries.get(tag.index())?;
        (entry.generation == tag.generation().wrapping_add(1)).then_some(entry.dead).flatten()
    }

    fn insert(&mut self, object: Object) -> Tag {
        match self.vacant.pop() {
            Some(index) => {
                let entry = &mut self.entries[index];
                entry.object = Some(object);
                Tag::new(index, entry.generation)
            }
            None => {
                self.entries.push(Entry { generation: 0, object: Some(object), dead: None });
                Tag::new(self.entries.len() - 1, 0)
            }
        }
    }

    fn forget(&mut self, tag: Tag) {
        if let Some(entry) = self.entries.get_mut(tag.index())
            && entry.generation == tag.generation()
        {
            entry.dead = entry.object.take();
            entry.generation = entry.generation.wrapping_add(1);
            self.vacant.push(tag.index());
        }
    }

    /// A heap block or global comes alive. What was freed there before is forgotten.
    pub fn place(&mut self, object: Object) -> Tag {
        let (start, end) = (object.start, object.start.saturating_add(object.size.max(1)));
        if let Some(old) = self.placed.remove(&start) {
            self.forget(old);
        }
        let mut covered: Vec<u64> = self.freed.range(start..end).map(|(&at, _)| at).collect();
        covered.extend(self.freed.range(..start).next_back().and_then(|(&at, &tag)| {
            let old = self.get(tag)?;
            (old.start + old.size > start).then_some(at)
        }));
        for at in covered {
            if let Some(tag) = self.freed.remove(&at) {
                self.forget(tag);
            }
        }
        let tag = self.insert(object);
        self.placed.insert(start, tag);
        tag
    }

    /// The block at `start` has another size now; whether there is one.
    pub fn resize(&mut self, start: u64, size: u64) -> bool {
        let Some(tag) = self.placed.get(&start) else { return false };
        match self.entries.get_mut(tag.index()).and_then(|entry| entry.object.as_mut()) {
            Some(object) => {
                object.size = size;
                true
            }
            None => false,
        }
    }

    /// The block at `start` is freed.
    pub fn free(&mut self, start: u64, at: Place) {
        let Some(tag) = self.placed.remove(&start) else { return };
        if let Some(object) = self.entries.get_mut(tag.index()).and_then(|entry| entry.object.as_mut()) {
            object.live = false;
            object.freed = Some(at);
        }
        self.freed.insert(start, tag);
        self.freed_order.push_back(tag);
        if self.freed_order.len() > FREED
            && let Some(old) = self.freed_order.pop_front()
        {
            if self.get(old).is_some_and(|object| self.freed.get(&object.start) == Some(&old)) {
                let start = self.get(old).map_or(0, |object| object.start);
                self.freed.remove(&start);
            }
            self.forget(old);
        }
    }

    /// A function is entered; its stack objects follow by [`Objects::push_stack`].
    pub fn enter(&mut self) {
        self.frames.push(StackFrame { lowest: u64::MAX, highest: 0, objects: Vec::new() });
    }

    /// A stack object of the innermost function comes alive.
    pub fn push_stack(&mut self, object: Object) -> Tag {
        let (start, end) = (object.start, object.start + object.size);
        let tag = self.insert(object);
        if let Some(frame) = self.frames.last_mut() {
            frame.lowest = frame.lowest.min(start);
            frame.highest = frame.highest.max(end);
            frame.objects.push(tag);
        }
        tag
    }

    /// The functions from `depth` on are left: their stack objects die.
    pub fn leave_to(&mut self, depth: usize) {
        while self.frames.len() > depth {
            for tag in self.frames.pop().map(|frame| frame.objects).unwrap_or_default() {
                self.forget(tag);
            }
        }
    }

    /// Objects of the innermost function that lie below `usp` die (dynamic ones, when the stack is restored).
    pub fn restore_stack(&mut self, usp: u64) {
        let Some(frame) = self.frames.last_mut() else { return };
        let mut objects = std::mem::take(&mut frame.objects);
        objects.retain(|&tag| {
            let keep = self.get(tag).is_some_and(|object| object.start >= usp);
            if !keep {
                self.forget(tag);
            }
            keep
        });
        if let Some(frame) = self.frames.last_mut() {
            frame.objects = objects;
        }
    }

    /// The live object that holds `address`, or that `address` stands just behind.
    pub fn find(&self, address: u64) -> Tag {
        self.find_where(address, |object| address < object.start + object.size.max(1))
            .or_else(|| self.find_where(address, |object| address == object.start + object.size))
            .unwrap_or_default()
    }

    fn find_where(&self, address: u64, fits: impl Fn(&Object) -> bool) -> Option<Tag> {
        let holds = |tag: &Tag| self.get(*tag).is_some_and(|object| object.start <= address && fits(object));
        if let Some((_, tag)) = self.placed.range(..=address).next_back()
            && holds(tag)
        {
            return Some(*tag);
        }
        // Frames lie one below the other, so those from the first that starts at or below the address can hold it.
        let from = self.frames.partition_point(|frame| !frame.objects.is_empty() && frame.lowest > address);
        let frames = self.frames[from..].iter().filter(|frame| !frame.objects.is_empty());
        frames
            .take_while(|frame| frame.highest >= address)
            .find_map(|frame| frame.objects.iter().find(|tag| holds(tag)).copied())
    }

    /// The freed heap block that holds `address`.
    pub fn find_freed(&self, address: u64) -> Option<&Object> {
        let (_, tag) = self.freed.range(..=address).next_back()?;
        self.get(*tag).filter(|object| address < object.start + object.size.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: What = What::Stack(FuncId(0), 0);
    const PLACE: Place = Place { function: FuncId(0), pc: 0 };

    fn object(what: What, start: u64, size: u64) -> Object {
        Object { what, start, size, allocated: None, freed: None, live: true }
    }

    #[test]
    fn a_tag_never_names_another_object() {
        let mut objects = Objects::default();
        objects.enter();
        let first = objects.push_stack(object(STACK, 0x100, 8));
        objects.leave_to(0);
        objects.enter();
        let second = objects.push_stack(object(STACK, 0x100, 8));
        assert!(objects.get(first).is_none());
        assert_eq!(objects.get(second).map(|o| o.start), Some(0x100));
        assert_eq!(objects.find(0x107), second);
        assert_eq!(objects.find(0x108), second);
        assert_eq!(objects.find(0x109), Tag::NONE);
    }

    #[test]
    fn freed_blocks_are_known_until_something_else_lies_there() {
        let mut objects = Objects::default();
        let block = objects.place(object(What::Heap, 0x1000, 16));
        objects.free(0x1000, PLACE);
        assert!(objects.get(block).is_some_and(|o| !o.live));
        assert!(objects.find_freed(0x100f).is_some());
        assert!(objects.find_freed(0x1010).is_none());
        objects.place(object(What::Heap, 0x1008, 32));
        assert!(objects.find_freed(0x1000).is_none());
        assert!(objects.get(block).is_none());
    }
}
