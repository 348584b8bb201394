//! Memory is written.

use whydunit_events::{Event, FieldId, FieldKind, Value};
use whydunit_model::Opnd;
use whydunit_replay::At;

use super::Tracer;
use crate::constants::is_constant;

impl Tracer<'_> {
    /// A scalar is stored.
    #[inline]
    pub(super) fn stored(&mut self, at: &At<'_>, address: u64, size: u64, value: Option<Opnd>) {
        if !self.left.is_empty() {
            self.overwritten(address, size);
        }
        if self.places.may_touch(address, size) {
            self.touched(at, address, size, value);
        }
    }

    #[cold]
    fn touched(&mut self, at: &At<'_>, address: u64, size: u64, value: Option<Opnd>) {
        let mut touching = std::mem::take(&mut self.scratch);
        self.places.touching(address, size, &mut touching);
        for &index in &touching {
            self.mark(index);
            self.note_store(at, index, address, size, value);
        }
        self.scratch = touching;
    }

    /// Which fields of an object a store writes, and whether it gives them constants.
    fn note_store(&mut self, at: &At<'_>, index: usize, address: u64, size: u64, value: Option<Opnd>) {
        let place = self.places.get_mut(index);
        let known = &self.layouts[place.layout];
        let mut integers: Vec<(usize, FieldId)> = Vec::new();
        for number in known.touched(place.start, address, size) {
            if let Some(written) = &mut place.written {
                written[number] = true;
            }
            if self.wanted.reads {
                self.reads.written.insert((place.id, known.fields[number]), self.clock);
            }
            if known.layout.fields[number].kind == FieldKind::Integer {
                integers.push((number, known.fields[number]));
            }
        }
        let layout = place.layout;
        for (number, field) in integers {
            if self.varies.contains(&field) {
                continue;
            }
            if self.gives_constant(at, value) {
                self.name_value(at, layout, number, field, address);
            } else {
                self.varies(field);
            }
        }
    }

    /// Whether the present store can only give constants.
    fn gives_constant(&mut self, at: &At<'_>, value: Option<Opnd>) -> bool {
        let Some(value) = value else { return false };
        *self.stores.entry((at.function, at.pc)).or_insert_with(|| is_constant(at.model, value))
    }

    /// The name that the source has for what the present store gives a field.
    fn name_value(&mut self, at: &At<'_>, layout: usize, number: usize, field: FieldId, _address: u64) {
        use whydunit_model::Op;
        let Op::Store { value, .. } = at.op() else { return };
        let spot = &self.layouts[layout].layout.fields[number];
        let place = at.position();
        let Some(name) = self.lines.name_given(&place.file, place.loc.line, &spot.name) else { return };
        let module = &self.layouts[layout].module;
        let bytes = at.value(*value).to_le_bytes();
        let size = whydunit_causes::value::size_of(module, spot.member.ty).clamp(1, 8) as usize;
        if spot.member.bit_size == 0
            && let Some(Value::Integer(value)) = crate::decode::value(module, spot.member.ty, &bytes[..size])
            && self.named.insert((field, value))
        {
            self.tell(Event::Named { field, value, name });
        }
    }

    pub(super) fn varies(&mut self, field: FieldId) {
        if self.varies.insert(field) {
            self.tell(Event::Varies(field));
        }
    }

    /// Nothing is known of how the fields of an object got their values.
    pub(super) fn all_vary(&mut self, layout: usize) {
        let known = &self.layouts[layout];
        let integers =
            known.layout.fields.iter().zip(&known.fields).filter(|(spot, _)| spot.kind == FieldKind::Integer);
        let fields: Vec<FieldId> = integers.map(|(_, field)| *field).collect();
        fields.into_iter().for_each(|field| self.varies(field));
    }

    /// A range is written with something that is no constant, or (`zero`) with zeros.
    pub(super) fn range_written(&mut self, at: &At<'_>, address: u64, size: u64, zero: bool) {
        if size == 0 {
            return;
        }
        self.filled.rotate_right(1);
        self.filled[0] = (address, address + size);
        self.overwritten(address, size);
        let mut touching = std::mem::take(&mut self.scratch);
        self.places.touching(address, size, &mut touching);
        for &index in &touching {
            self.mark(index);
            let value = zero.then_some(Opnd::constant(0));
            self.note_range(at, index, address, size, value);
        }
        self.scratch = touching;
    }

    /// A range got a copy of another one; objects that came with it have their values already.
    pub(super) fn range_copied(&mut self, at: &At<'_>, (to, from, size): (u64, u64, u64), moved: &[usize]) {
        if size == 0 || !self.places.may_touch(to, size) {
            return;
        }
        let mut touching = std::mem::take(&mut self.scratch);
        self.places.touching(to, size, &mut touching);
        for &index in touching.iter().filter(|index| !moved.contains(index)) {
            self.mark(index);
            let (class, start) = (self.places.get(index).class, self.places.get(index).start);
            // Another object of the class has there what this one gets: no other values than the class has.
            let is_alike = |other: usize| {
                let other = self.places.get(other);
                other.class == class && other.start.wrapping_add(to.wrapping_sub(start)) == from
            };
            let same = self.places.starting(from.saturating_sub(4096), from + 1).any(is_alike);
            let value = same.then_some(Opnd::constant(0));
            self.note_range(at, index, to, size, value);
        }
        self.scratch = touching;
    }

    fn note_range(&mut self, at: &At<'_>, index: usize, address: u64, size: u64, zero: Option<Opnd>) {
        let layout = self.places.get(index).layout;
        let before: Vec<FieldId> = if zero.is_some() { self.layouts[layout].fields.clone() } else { Vec::new() };
        if before.is_empty() {
            return self.note_store(at, index, address, size, None);
        }
        // Zeros are constants: only what has been written is noted.
        let place = self.places.get_mut(index);
        if self.wanted.reads {
            let known = &self.layouts[layout];
            let fields = known.touched(place.start, address, size).map(|number| (place.id, known.fields[number]));
            self.reads.written.extend(fields.map(|field| (field, self.clock)));
        }
        if let Some(written) = &mut place.written {
            let known = &self.layouts[layout];
            for (number, spot) in known.layout.fields.iter().enumerate() {
                let at = place.start + spot.member.bit_offset / 8;
                written[number] |= at >= address && at < address + size;
            }
        }
    }
}
