//! Heap blocks that nothing points to any more when the program exits, and that were never freed.
//!
//! A block is held if a pointer to it, or into it, or just behind it, stands in a global or another place outside the heap, in a frame
//! that is still under way, or in a block that is held. What external code was given it may hold, too: the replay does not see its
//! memory. What only looks like a pointer holds a block, too; a pointer that is kept in another form does not.

use std::collections::HashSet;

use whydunit_replay::{At, Core};

use crate::calls::Calls;
use crate::given::led_to;
use crate::object::{Chain, Object};
use crate::objects::Objects;
use crate::report::{self, Kind, Lost, MemoryError};
use crate::shadow::Shadow;
use crate::tag::Tag;
use crate::wrappers::Wrappers;

/// Bytes of a pointer.
const POINTER: usize = 8;
/// How many blocks that hang together are followed when external code is given one of them.
const FOLLOWED: usize = 1 << 12;

/// What has to be known of a run to tell which blocks are lost at its end.
#[derive(Clone, Default)]
pub struct Leaks {
    /// What external code was given.
    given: HashSet<Tag>,
    /// The emulated stack of the main thread has reached so far down.
    lowest: Option<u64>,
    /// More was given than is followed.
    is_blind: bool,
}

impl Leaks {
    /// A stack object lies at an address.
    pub fn stack_reaches(&mut self, at: &At<'_>, address: u64) {
        if !at.core.threads.several() {
            self.lowest = Some(self.lowest.map_or(address, |lowest| lowest.min(address)));
        }
    }

    /// External code was given the objects, and may keep them, and what they lead to.
    pub fn give(&mut self, objects: &Objects, shadow: &mut Shadow, tags: impl Iterator<Item = Tag>) {
        match led_to(objects, tags, FOLLOWED, |object| shadow.tags_in(object.start, object.size)) {
            Some(given) => self.given.extend(given),
            None => self.is_blind = true,
        }
    }

    /// Whether it is not known which blocks are lost: too much was given away at once.
    pub fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// The blocks that are lost, those that were allocated by the same calls as one error; none where too much was given away.
    pub fn find(&self, at: &At<'_>, objects: &Objects, calls: &Calls, wrappers: &Wrappers) -> Vec<MemoryError> {
        let heap = Heap { blocks: objects.blocks().collect() };
        if self.is_blind || heap.blocks.is_empty() {
            return Vec::new();
        }
        // Pointers stand at multiples of their size, as a rule; only what seems lost is looked for everywhere.
        let mut held = self.held(at, objects, &heap, POINTER);
        if held.iter().all(|held| *held) {
            return Vec::new();
        }
        held = self.held(at, objects, &heap, 1);
        let groups = heap.lost(at.core, &held);
        groups.into_iter().map(|(first, lost)| error(at, &first, lost, calls, wrappers)).collect()
    }

    /// Which of the blocks are held, where pointers stand at multiples of `step`.
    fn held(&self, at: &At<'_>, objects: &Objects, heap: &Heap, step: usize) -> Vec<bool> {
        let (core, mut held) = (at.core, vec![false; heap.blocks.len()]);
        let mut rest: Vec<usize> = Vec::new();
        for (number, (tag, _)) in heap.blocks.iter().enumerate() {
            if self.given.contains(tag) {
                rest.push(number);
            }
        }
        let several = core.threads.several();
        let slots = if several { core.slots.len() } else { at.slots_in_use() };
        core.slots.iter().take(slots).for_each(|&word| heap.pointed_to(word, |number| rest.push(number)));
        let dead = self.lowest.filter(|_| !several).map_or(0..0, |lowest| lowest..core.usp.max(lowest));
        let outside =
            |address: u64| !dead.contains(&address) && !heap.covers(address) && objects.find_freed(address).is_none();
        for (address, page) in core.memory.written() {
            each_word(page, step, |offset, word| {
                if heap.may_point(word) && outside(address + offset) {
                    heap.pointed_to(word, |number| rest.push(number));
                }
            });
        }
        heap.reach(core, rest, step, |number| !std::mem::replace(&mut held[number], true));
        held
    }
}

/// The words of bytes, at multiples of `step`, with their offsets.
fn each_word(bytes: &[u8], step: usize, mut then: impl FnMut(u64, u64)) {
    for (number, window) in bytes.windows(POINTER).step_by(step).enumerate() {
        let word = u64::from_le_bytes(window.try_into().unwrap_or_default());
        if word != 0 {
            then((number * step) as u64, word);
        }
    }
}

/// The live heap blocks, by address.
struct Heap {
    blocks: Vec<(Tag, Object)>,
}

impl Heap {
    /// Whether a word lies where there are blocks.
    fn may_point(&self, word: u64) -> bool {
        let end = |object: &Object| object.start + object.size;
        self.blocks.first().is_some_and(|(_, first)| word >= first.start)
            && self.blocks.last().is_some_and(|(_, last)| word <= end(last))
    }

    /// How many blocks start at an address or below.
    fn up_to(&self, address: u64) -> usize {
        self.blocks.partition_point(|(_, object)| object.start <= address)
    }

    /// Whether an address lies in a block.
    fn covers(&self, address: u64) -> bool {
        self.up_to(address).checked_sub(1).is_some_and(|below| self.blocks[below].1.covers(address))
    }

    /// The blocks that a word points to, or just behind.
    fn pointed_to(&self, word: u64, mut then: impl FnMut(usize)) {
        let below = self.up_to(word);
        for number in below.saturating_sub(2)..below {
            let object = &self.blocks[number].1;
            if word - object.start <= object.size {
                then(number);
            }
        }
    }

    /// Goes from blocks to all that they lead to; `is_new` says of each whether to go on from there.
    fn reach(&self, core: &Core, mut rest: Vec<usize>, step: usize, mut is_new: impl FnMut(usize) -> bool) {
        while let Some(number) = rest.pop() {
            if is_new(number) {
                self.leads_to(core, number, step, |next| rest.push(next));
            }
        }
    }

    /// The blocks that pointers in a block lead to.
    fn leads_to(&self, core: &Core, number: usize, step: usize, mut then: impl FnMut(usize)) {
        let object = &self.blocks[number].1;
        // Blocks are aligned as pointers are.
        let bytes = core.memory.read_vec(object.start, object.size as usize);
        each_word(&bytes, step, |_, word| {
            if self.may_point(word) {
                self.pointed_to(word, &mut then);
            }
        });
    }

    /// The lost blocks that no other lost block leads to, and one of each ring, with what only they lead to; those that the same calls
    /// allocated together, each time with the first of them.
    fn lost(&self, core: &Core, held: &[bool]) -> Vec<(Object, Lost)> {
        let lost = || (0..self.blocks.len()).filter(|&number| !held[number]);
        let mut led_to = vec![false; self.blocks.len()];
        for number in lost() {
            self.leads_to(core, number, POINTER, |next| led_to[next] |= next != number);
        }
        let (mut seen, mut groups) = (held.to_vec(), Vec::<(Object, Lost)>::new());
        for number in lost().filter(|&number| !led_to[number]).chain(lost().filter(|&number| led_to[number])) {
            if seen[number] {
                continue;
            }
            let first = self.blocks[number].1;
            let mut own = Lost { blocks: 1, bytes: first.size, ..Lost::default() };
            self.reach(core, vec![number], POINTER, |next| {
                let new = !std::mem::replace(&mut seen[next], true);
                if new && next != number {
                    own.behind += 1;
                    own.bytes_behind += self.blocks[next].1.size;
                }
                new
            });
            match groups.iter_mut().find(|(object, _)| object.allocated == first.allocated) {
                Some((_, group)) => group.add(own),
                None => groups.push((first, own)),
            }
        }
        groups.retain(|(object, _)| object.allocated != Chain::default());
        groups
    }
}

fn error(at: &At<'_>, first: &Object, lost: Lost, calls: &Calls, wrappers: &Wrappers) -> MemoryError {
    let object = report::describe(at, first, calls, wrappers);
    let mut stack = object.allocation.iter().cloned();
    MemoryError {
        kind: Kind::Leak(lost),
        position: stack.next().unwrap_or_default(),
        function: calls.innermost(first.allocated).map(|place| place.function).unwrap_or(at.function),
        stack: stack.collect(),
        write: false,
        address: first.start,
        size: 0,
        object: Some(object),
        counter: at.counter(),
        instruction: at.instruction(),
    }
}
