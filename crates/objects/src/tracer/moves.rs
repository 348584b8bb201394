//! Objects move, are copied, and end with their memory.

use whydunit_events::{Event, ObjectId};
use whydunit_model::Opnd;
use whydunit_replay::{At, is_on_stack};

use super::boundaries::words_to_bytes;
use super::{Left, Tracer};
use crate::places::Place;

/// Objects that are looked at for one with some bytes.
const MOST_ALIKE: usize = 256;
/// Larger ones are not returned in registers.
const IN_REGISTERS: u64 = 16;

impl Tracer<'_> {
    /// Bytes were copied to another place, and with them the objects that lie in them as a whole.
    /// These are returned.
    pub(super) fn moved_range(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) -> Vec<usize> {
        if to == from || size == 0 || self.places.starting(from, from + size).next().is_none() {
            return Vec::new();
        }
        let whole = |place: &Place| place.start + place.size <= from + size;
        let moving: Vec<usize> = self
            .places
            .starting(from, from + size)
            .filter(|&index| whole(self.places.get(index)) && self.places.get(index).size > 0)
            // A method is under way on it: this is a copy that it makes.
            .filter(|&index| self.places.get(index).active == 0)
            .collect();
        // What is there ends, but for what moves itself.
        let over: Vec<ObjectId> = self
            .places
            .starting(to, to + size)
            .filter(|index| !moving.contains(index))
            .filter(|&index| self.places.get(index).end() <= to + size && self.places.get(index).active == 0)
            .map(|index| self.places.get(index).id)
            .collect();
        if !moving.is_empty() {
            for id in over {
                if let Some(index) = self.places.find(id) {
                    self.destroy(index);
                }
            }
        }
        self.flush(at);
        for &index in &moving {
            let start = to + (self.places.get(index).start - from);
            self.leave_place(index);
            self.places.move_to(index, start);
            let object = self.places.get(index).id;
            self.tell(Event::Moved { object });
            self.mark(index);
        }
        moving
    }

    /// The place of an object that moves is remembered: it may be used again.
    fn leave_place(&mut self, index: usize) {
        let place = self.places.get(index);
        let (start, class) = (place.start, place.class);
        let left = Left { class, size: place.size, moved: place.id };
        let known = self.left.entry(start).or_default();
        known.retain(|left| left.class != class);
        known.push(left);
    }

    /// A place that was left is written: what lies there is no copy any more.
    pub(super) fn overwritten(&mut self, address: u64, size: u64) {
        if self.left.is_empty() {
            return;
        }
        let from = address.saturating_sub(4096);
        let touched: Vec<u64> = self.left.range(from..address.saturating_add(size)).map(|(start, _)| *start).collect();
        for start in touched {
            if let Some(left) = self.left.get_mut(&start) {
                left.retain(|left| start + left.size <= address);
                if left.is_empty() {
                    self.left.remove(&start);
                }
            }
        }
    }

    /// An object of the layout's class that came to an address by registers: one that has no place, or one with the same bytes
    /// where all objects of the class come from constructors.
    pub(super) fn adopt(&mut self, at: &At<'_>, address: u64, layout: usize) -> Option<ObjectId> {
        let known = &self.layouts[layout].layout;
        let (class, size) = (known.class, known.size);
        if size == 0 || size > IN_REGISTERS || !known.rust {
            return None;
        }
        let bytes = at.memory().read_vec(address, size as usize);
        let floating = self.floating.iter().rposition(|it| self.is_same(layout, it.layout, &it.bytes, &bytes));
        if let Some(number) = floating {
            let id = self.floating.remove(number).id;
            let index = self.places.find(id)?;
            self.places.move_to(index, address);
            self.tell(Event::Moved { object: id });
            self.mark(index);
            return Some(id);
        }
        if !self.catalogue.has_constructor(class) {
            return None;
        }
        let id = self.alike(at, layout, &bytes, 0)?;
        let index = self.places.find(id)?;
        self.leave_place(index);
        self.places.move_to(index, address);
        self.tell(Event::Moved { object: id });
        self.mark(index);
        Some(id)
    }

    /// An object of a class with these bytes, with or without a place.
    pub(super) fn with_bytes(&mut self, at: &At<'_>, layout: usize, bytes: &[u8], first: u64) -> Option<ObjectId> {
        let same = |it: &&super::Floating| it.id.0 >= first && self.is_same(layout, it.layout, &it.bytes, bytes);
        let floating = self.floating.iter().rev().find(same).map(|floating| floating.id);
        floating.or_else(|| self.alike(at, layout, bytes, first))
    }

    /// Whether the fields of two objects have the same bytes. Between fields there may be anything.
    fn is_same(&self, layout: usize, other: usize, one: &[u8], two: &[u8]) -> bool {
        let (known, other) = (&self.layouts[layout], &self.layouts[other].layout);
        let field = |spot: &crate::layout::Spot, bytes: &[u8]| {
            whydunit_causes::value::member_bytes(&known.module, &spot.member, bytes)
        };
        known.layout.class == other.class
            && one.len() == two.len()
            && known.layout.fields.iter().all(|spot| field(spot, one) == field(spot, two))
    }

    /// The youngest object of a class with a place, these values, a number from `first` on and no method under way.
    fn alike(&self, at: &At<'_>, layout: usize, bytes: &[u8], first: u64) -> Option<ObjectId> {
        let class = self.layouts[layout].layout.class;
        let free = |place: &&Place| place.active == 0 && place.start != 0;
        let same =
            |place: &&Place| self.is_same(layout, place.layout, &at.memory().read_vec(place.start, bytes.len()), bytes);
        let young = self.places.of_class(class).take_while(|place| place.id.0 >= first);
        young.filter(free).take(MOST_ALIKE).find(same).map(|place| place.id)
    }

    /// An object that a constructor returns in registers.
    pub(super) fn float_new(&mut self, at: &At<'_>, layout: usize, bytes: Vec<u8>) -> ObjectId {
        let known = &self.layouts[layout];
        let values: Vec<_> = known
            .layout
            .fields
            .iter()
            .zip(&known.fields)
            .filter_map(|(spot, &field)| {
                let value = crate::decode::field(&known.module, &spot.member, &spot.kind, &bytes)?;
                (!matches!(spot.kind, whydunit_events::FieldKind::Reference | whydunit_events::FieldKind::Part))
                    .then_some((field, value))
            })
            .collect();
        let index = self.create(at, 0, layout, None, false);
        self.places.get_mut(index).dirty = true;
        self.dirty.retain(|known| *known != index);
        let id = self.places.get(index).id;
        for (field, value) in values {
            self.tell(Event::Set { object: id, field, value });
        }
        self.places.get_mut(index).dirty = false;
        self.floating.push(super::Floating { id, layout, bytes });
        id
    }

    /// A frame ends: its objects end, but for one that is returned in registers.
    pub(super) fn frame_ends(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        let (from, to) = (at.core.usp, at.frame().usp_before);
        self.stack_ends(at, from, to, result);
    }

    /// Frames are gone without having returned.
    pub(super) fn frames_gone(&mut self, at: &At<'_>) {
        let to = at.core.usp;
        self.stack_ends(at, to.saturating_sub(1 << 20), to, None);
    }

    fn stack_ends(&mut self, at: &At<'_>, from: u64, to: u64, result: Option<(Opnd, u8)>) {
        if from >= to || !is_on_stack(at, from) {
            return;
        }
        let ends: Vec<usize> = self.places.starting(from, to).collect();
        for index in ends {
            let place = self.places.get(index);
            let (size, layout, id, start) = (place.size, place.layout, place.id, place.start);
            let bytes = at.memory().read_vec(start, size as usize);
            let returned = result.is_some_and(|(operand, _)| {
                size > 0
                    && size <= IN_REGISTERS
                    && self.layouts[layout].layout.rust
                    && self.is_same(layout, layout, &words_to_bytes(at, operand, &at.model.ret, size as usize), &bytes)
            });
            if returned {
                self.places.move_to(index, 0);
                self.floating.push(super::Floating { id, layout, bytes });
            } else {
                self.destroy(index);
            }
        }
        if !self.left.is_empty() {
            let gone: Vec<u64> = self.left.range(from..to).map(|(start, _)| *start).collect();
            gone.iter().for_each(|start| _ = self.left.remove(start));
        }
    }

    /// A block of memory is freed: what was in it ends.
    pub(super) fn block_freed(&mut self, from: u64, to: u64) {
        let ends: Vec<usize> = self.places.starting(from, to.max(from + 1)).collect();
        ends.into_iter().for_each(|index| self.destroy(index));
        let gone: Vec<u64> = self.left.range(from..to.max(from + 1)).map(|(start, _)| *start).collect();
        gone.iter().for_each(|start| _ = self.left.remove(start));
    }
}
