//! The stack objects of a run: local variables in memory, and what was allocated on the stack.

use std::collections::HashMap;

use whydunit_replay::FuncId;

use crate::object::{Chain, Object, What};
use crate::tag::{Generation, Span, Tag};

/// A stack is smaller than this.
const LARGEST: u64 = 1 << 26;

/// The stack objects of all frames of all threads. Those of the running one are at hand.
#[derive(Clone, Default)]
pub struct Stack {
    own: Own,
    /// No two objects of whatever threads have the same.
    generation: Generation,
    others: HashMap<u32, Own>,
}

/// The stack objects of a thread's frames, the outermost first; frames without any take no room.
#[derive(Clone, Default)]
struct Own {
    live: Table,
    /// What stood at each index before, for reports.
    dead: Table,
    frames: Vec<Frame>,
    /// Where objects lay since external code was last given the place of those that are gone: the first byte, and behind the last.
    used: Option<(u64, u64)>,
}

#[derive(Clone, Default)]
struct Table {
    spans: Vec<Span>,
    variables: Vec<Variable>,
}

/// A variable: function, and number of the stack object there.
#[derive(Clone, Copy)]
struct Variable {
    function: FuncId,
    number: u32,
}

impl Default for Variable {
    fn default() -> Self {
        Variable { function: FuncId::NONE, number: 0 }
    }
}

#[derive(Clone)]
struct Frame {
    depth: usize,
    /// Index of its first object.
    first: usize,
    lowest: u64,
    highest: u64,
}

impl Table {
    fn get(&self, tag: Tag) -> Option<(Span, Variable)> {
        let span = self.spans.get(tag.index()).filter(|span| span.generation == tag.generation())?;
        Some((*span, *self.variables.get(tag.index())?))
    }
    fn tag(&self, index: usize) -> Tag {
        self.spans.get(index).map_or(Tag::NONE, |span| Tag::new(true, index, span.generation))
    }
}

fn object((span, variable): (Span, Variable), live: bool) -> Object {
    Object {
        what: What::Stack(variable.function, variable.number),
        start: span.start,
        size: span.size,
        allocated: Chain::default(),
        freed: Chain::default(),
        live,
    }
}

/// Puts what `live` has from index `from` on over what `dead` has there.
fn overwrite<T: Copy + Default>(dead: &mut Vec<T>, live: &[T], from: usize) {
    if dead.len() < live.len() {
        dead.resize(live.len(), T::default());
    }
    dead[from..live.len()].copy_from_slice(&live[from..]);
}

impl Stack {
    /// Another thread runs from here on.
    pub fn switch(&mut self, from: u32, to: u32) {
        let own = self.others.remove(&to).unwrap_or_default();
        self.others.insert(from, std::mem::replace(&mut self.own, own));
    }

    /// The bytes of the running thread's live objects, by index.
    #[inline(always)]
    pub fn spans(&self) -> &[Span] {
        &self.own.live.spans
    }

    /// A live object.
    pub fn get(&self, tag: Tag) -> Option<Object> {
        self.all().find_map(|own| own.live.get(tag)).map(|found| object(found, true))
    }

    /// An object that is gone, as long as no later one at its place is.
    pub fn get_dead(&self, tag: Tag) -> Option<Object> {
        self.all().find_map(|own| own.dead.get(tag)).map(|found| object(found, false))
    }

    fn all(&self) -> impl Iterator<Item = &Own> {
        std::iter::once(&self.own).chain(self.others.values())
    }

    /// A stack object of the frame at `depth`, which is the innermost, comes alive.
    pub fn push(&mut self, depth: usize, function: FuncId, number: u32, start: u64, size: u64) -> Tag {
        let own = &mut self.own;
        let (index, end) = (own.live.spans.len(), start.saturating_add(size));
        match own.frames.last_mut() {
            Some(frame) if frame.depth == depth => {
                frame.lowest = frame.lowest.min(start);
                frame.highest = frame.highest.max(end);
            }
            _ => own.frames.push(Frame { depth, first: index, lowest: start, highest: end }),
        }
        let used = own.used.get_or_insert((start, end));
        *used = (used.0.min(start), used.1.max(end));
        self.generation = self.generation.next();
        own.live.spans.push(Span { start, size, generation: self.generation });
        own.live.variables.push(Variable { function, number });
        Tag::new(true, index, self.generation)
    }

    /// External code has called: where objects of frames lay that are gone by now, down from the innermost frame that is alive, lies what it
    /// has written there itself. The place, an address and a size; `None` where no object lay there since this was asked last.
    pub fn left_behind(&mut self) -> Option<(u64, u64)> {
        let own = &mut self.own;
        let (lowest, highest) = own.used.take()?;
        let end = own.frames.last().map_or(highest, |frame| frame.lowest);
        // Another stack, of a signal or a coroutine, lies elsewhere.
        end.checked_sub(lowest).filter(|size| (1..LARGEST).contains(size)).map(|size| (lowest, size))
    }

    /// The frames from `depth` on are left: their objects die.
    #[inline]
    pub fn leave_to(&mut self, depth: usize) {
        self.own.leave_to(depth);
    }

    /// Objects of the frame at `depth`, which is the innermost, that lie below `usp` die (dynamic ones, when the stack is
    /// restored).
    pub fn restore(&mut self, depth: usize, usp: u64) {
        self.own.restore(depth, usp);
    }

    /// Stack object `number` of the frame at `depth`, which is the innermost.
    #[inline]
    pub fn local(&self, depth: usize, number: u32) -> Option<Tag> {
        self.own.local(depth, number)
    }

    /// The innermost frame's or an outer one's object at `address` that `fits`; else one of another thread's.
    pub fn find(&self, address: u64, fits: impl Fn(&Span) -> bool) -> Option<Tag> {
        self.all().find_map(|own| own.find(address, &fits))
    }
}

impl Own {
    #[inline]
    fn leave_to(&mut self, depth: usize) {
        while let Some(frame) = self.frames.last()
            && frame.depth >= depth
        {
            self.retire(frame.first);
            self.frames.pop();
        }
    }

    fn restore(&mut self, depth: usize, usp: u64) {
        let Some(frame) = self.frames.last().filter(|frame| frame.depth == depth) else { return };
        let own = &self.live.spans[frame.first..];
        let gone = own.iter().rev().take_while(|span| span.start < usp).count();
        let keep = self.live.spans.len() - gone;
        if keep == frame.first {
            self.frames.pop();
        }
        self.retire(keep);
    }

    /// The objects from index `from` on die.
    fn retire(&mut self, from: usize) {
        overwrite(&mut self.dead.spans, &self.live.spans, from);
        overwrite(&mut self.dead.variables, &self.live.variables, from);
        self.live.spans.truncate(from);
        self.live.variables.truncate(from);
    }

    #[inline]
    fn local(&self, depth: usize, number: u32) -> Option<Tag> {
        let frame = self.frames.last().filter(|frame| frame.depth == depth)?;
        let own = self.live.variables.get(frame.first..)?;
        // Dynamic objects, which are not alive from the start, may stand between those of a function.
        let index = match own.get(number as usize) {
            Some(variable) if variable.number == number => number as usize,
            _ => own.iter().position(|variable| variable.number == number)?,
        };
        Some(self.live.tag(frame.first + index))
    }

    fn find(&self, address: u64, fits: &impl Fn(&Span) -> bool) -> Option<Tag> {
        // Frames lie one below the other, so those from the first that starts at or below the address can hold it.
        let from = self.frames.partition_point(|frame| frame.lowest > address);
        for (number, frame) in self.frames.iter().enumerate().skip(from) {
            if frame.highest < address {
                break;
            }
            let end = self.frames.get(number + 1).map_or(self.live.spans.len(), |next| next.first);
            let own = self.live.spans.get(frame.first..end)?;
            if let Some(index) = own.iter().position(|span| span.start <= address && fits(span)) {
                return Some(self.live.tag(frame.first + index));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: FuncId = FuncId(0);

    #[test]
    fn a_tag_never_names_another_object() {
        let mut stack = Stack::default();
        let first = stack.push(0, F, 0, 0x100, 8);
        assert_eq!(stack.local(0, 0), Some(first));
        stack.leave_to(0);
        let second = stack.push(0, F, 0, 0x100, 8);
        assert!(stack.get(first).is_none());
        assert_eq!(stack.get_dead(first).map(|object| object.size), Some(8));
        assert_eq!(stack.get(second).map(|object| object.start), Some(0x100));
        assert_eq!(stack.find(0x107, |span| span.holds(0x107, 1)), Some(second));
        assert_eq!(stack.find(0x108, |span| span.holds(0x108, 1)), None);
    }

    #[test]
    fn frames_without_objects_are_passed_over() {
        let mut stack = Stack::default();
        let outer = stack.push(1, F, 0, 0x200, 16);
        assert_eq!(stack.local(3, 0), None);
        let inner = stack.push(3, F, 2, 0x100, 16);
        assert_eq!(stack.local(3, 2), Some(inner));
        assert_eq!(stack.find(0x20f, |span| span.holds(0x20f, 1)), Some(outer));
        stack.leave_to(2);
        assert_eq!(stack.local(1, 0), Some(outer));
        assert_eq!(stack.get_dead(inner).map(|object| object.start), Some(0x100));
        stack.leave_to(0);
        assert!(stack.get(outer).is_none());
    }

    #[test]
    fn a_restored_stack_keeps_what_lies_above() {
        let mut stack = Stack::default();
        let fixed = stack.push(0, F, 0, 0x200, 16);
        let first = stack.push(0, F, 1, 0x180, 16);
        let second = stack.push(0, F, 1, 0x170, 16);
        stack.restore(0, 0x180);
        assert!(stack.get(first).is_some() && stack.get(second).is_none());
        let third = stack.push(0, F, 1, 0x170, 16);
        assert!(stack.get(second).is_none() && stack.get(third).is_some());
        stack.restore(0, 0x200);
        assert!(stack.get(first).is_none() && stack.get(fixed).is_some());
        assert!(stack.get_dead(third).is_some());
    }
    #[test]
    fn external_code_has_the_place_of_what_is_gone() {
        let mut stack = Stack::default();
        stack.push(0, F, 0, 0x1000, 8);
        stack.push(1, F, 0, 0x900, 16);
        stack.push(2, F, 0, 0x800, 16);
        stack.leave_to(1);
        assert_eq!(stack.left_behind(), Some((0x800, 0x800)));
        assert_eq!(stack.left_behind(), None);
        stack.push(1, F, 0, 0xf00, 16);
        stack.leave_to(0);
        assert_eq!(stack.left_behind(), Some((0xf00, 16)));
    }
}
