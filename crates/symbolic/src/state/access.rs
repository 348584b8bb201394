//! Loads and stores, also through pointers that depend on what may change.

use whydunit_model::{Opnd, Scalar};
use whydunit_replay::At;
use whydunit_terms::{BvOp, Compare, Term};

use super::{State, fit};
use crate::free::FreeKind;
use crate::semantics::width_of;
use crate::whereabouts::{live_object, stack_objects};

/// The pieces of a scalar in memory: offset and bytes, one for each word.
fn pieces(ty: Scalar) -> impl Iterator<Item = (u64, usize)> {
    let bytes = ty.bytes() as usize;
    [(0, bytes.min(8)), (8, bytes.saturating_sub(8))].into_iter().filter(|piece| piece.1 > 0)
}

/// Bits of a word of a scalar.
fn word_width(ty: Scalar, word: usize) -> u32 {
    let width = width_of(ty);
    if word == 0 { width.min(64) } else { width.saturating_sub(64).max(1) }
}

/// Places of an object that an unknown address may mean.
struct Places {
    first: u64,
    stride: u64,
    count: u64,
}

impl Places {
    fn all(&self) -> impl Iterator<Item = u64> {
        let (first, stride) = (self.first, self.stride);
        (0..self.count).map(move |index| first + index * stride)
    }
}

impl State<'_> {
    pub(crate) fn load(&mut self, at: &At<'_>, ty: Scalar, dst: u32, addr: Opnd) {
        let address = at.value(addr);
        let pointer = self.slot(at, addr);
        if ty.bytes() == 8 && pointer.is_none() {
            self.look_for_pointers(at, address);
        }
        if let Some(pointer) = pointer
            && let Some(found) = self.class_in_table(at, pointer, address, ty.bytes() as usize)
        {
            self.slots[at.base + dst as usize] = Some(found);
            return;
        }
        let places = pointer.and_then(|pointer| self.places(at, pointer, address, ty.bytes().into()));
        let relaxes = self.facts().is_some_and(|facts| facts.leaves[at.pc as usize]);
        if relaxes {
            self.note(self.statement(at.pc));
        }
        let log = self.open > 0;
        for (word, (offset, size)) in pieces(ty).enumerate() {
            let width = word_width(ty, word);
            let term = match (pointer, &places) {
                (Some(pointer), Some(places)) => {
                    let elements: Vec<Term> =
                        places.all().map(|place| self.memory_term(at, place + offset, size)).collect();
                    let index = self.index(pointer, places);
                    let default = elements[0];
                    Some(self.pool.choose(index, &elements, default))
                }
                _ => self.marks.load(&mut self.pool, at.memory(), address.wrapping_add(offset), size, log),
            };
            let term = term.map(|term| fit(&mut self.pool, Some(term), 0, width));
            let term = if relaxes {
                let value = at.memory().read_uint(address.wrapping_add(offset), size as u32);
                self.relaxed(at, FreeKind::Value, width, value, term, Some(dst + word as u32))
            } else {
                term
            };
            self.slots[at.base + dst as usize + word] = term;
        }
        self.check_size();
    }

    pub(crate) fn store(&mut self, at: &At<'_>, ty: Scalar, value: Opnd, addr: Opnd) {
        self.note(self.statement(at.pc));
        let address = at.value(addr);
        let words: Vec<Option<Term>> = pieces(ty)
            .enumerate()
            .map(|(word, _)| {
                let operand = value.word(word as u32);
                let term = self.slot(at, operand);
                self.relaxed(at, FreeKind::Stored, word_width(ty, word), at.value(operand), term, None)
            })
            .collect();
        if self.followed.is_some() {
            self.places_stream(address);
            self.pointers_written(address, ty.bytes().into());
        }
        let pointer = self.slot(at, addr);
        let places = pointer.and_then(|pointer| self.places(at, pointer, address, ty.bytes().into()));
        let (Some(pointer), Some(places)) = (pointer, places) else {
            return self.store_words(at, ty, address, &words);
        };
        let log = self.open > 0;
        for (word, (offset, size)) in pieces(ty).enumerate() {
            let operand = value.word(word as u32);
            let new = words[word];
            let new = fit(&mut self.pool, new, at.value(operand), 8 * size as u32);
            for place in places.all() {
                let old = self.memory_term(at, place + offset, size);
                let here = self.pool.constant(64, place.into());
                let here = self.pool.eq(pointer, here);
                let value = self.pool.ite(here, new, old);
                self.marks.store(at.memory(), place + offset, size, Some(value), log);
            }
        }
        self.check_size();
    }

    /// Stores words at a known address.
    pub(crate) fn store_words(&mut self, at: &At<'_>, ty: Scalar, address: u64, words: &[Option<Term>]) {
        let log = self.open > 0;
        for (&term, (offset, size)) in words.iter().zip(pieces(ty)) {
            let term = term.map(|term| fit(&mut self.pool, Some(term), 0, 8 * size as u32));
            self.marks.store(at.memory(), address.wrapping_add(offset), size, term, log);
        }
    }

    /// What lies in a piece of memory, as a term.
    pub(crate) fn memory_term(&mut self, at: &At<'_>, address: u64, size: usize) -> Term {
        let log = self.open > 0;
        match self.marks.load(&mut self.pool, at.memory(), address, size, log) {
            Some(term) => term,
            None => self.pool.constant(8 * size as u32, at.memory().read_uint(address, size as u32).into()),
        }
    }

    /// The places of its object that a pointer may mean; it must mean one of them. None where the pointer is the replay's.
    fn places(&mut self, at: &At<'_>, pointer: Term, address: u64, size: u64) -> Option<Places> {
        let stride = self.strides.get(&pointer).copied().unwrap_or(size).max(1);
        let places = self.object_at(at, address).and_then(|(start, bytes)| {
            let first = start + (address - start) % stride;
            let end = (start + bytes).checked_sub(size)?;
            (first <= end).then(|| Places { first, stride, count: (end - first) / stride + 1 })
        });
        let fits = places.filter(|places| places.count <= self.bounds.elements);
        let Some(places) = fits else {
            self.pin(
                pointer,
                address,
                &format!(
                    "an access{} whose place depends on what may change, in a large or unknown object",
                    line_of(at)
                ),
            );
            return None;
        };
        let offset = self.offset(pointer, &places);
        let last = self.pool.constant(64, ((places.count - 1) * places.stride).into());
        let inside = self.pool.compare(Compare::Ule, offset, last);
        self.require(inside);
        if places.stride > 1 {
            let (stride, zero) = (self.pool.constant(64, places.stride.into()), self.pool.constant(64, 0));
            let rest = if places.stride.is_power_of_two() {
                let mask = self.pool.constant(64, (places.stride - 1).into());
                self.pool.bv(BvOp::And, offset, mask)
            } else {
                self.pool.bv(BvOp::URem, offset, stride)
            };
            let whole = self.pool.eq(rest, zero);
            self.require(whole);
        }
        Some(places)
    }

    fn offset(&mut self, pointer: Term, places: &Places) -> Term {
        let pointer = fit(&mut self.pool, Some(pointer), 0, 64);
        self.add(pointer, places.first.wrapping_neg())
    }

    fn index(&mut self, pointer: Term, places: &Places) -> Term {
        let offset = self.offset(pointer, places);
        if places.stride.is_power_of_two() {
            let low = places.stride.trailing_zeros();
            let bits = (64 - places.count.leading_zeros()).clamp(1, 64 - low);
            self.pool.extract(offset, low, bits)
        } else {
            let stride = self.pool.constant(64, places.stride.into());
            self.pool.bv(BvOp::UDiv, offset, stride)
        }
    }

    /// The live object that an address lies in: its start and its bytes.
    pub(crate) fn object_at(&mut self, at: &At<'_>, address: u64) -> Option<(u64, u64)> {
        if let Some(found) = self.knowledge.analysis.global_at(at.code, address) {
            return Some(found);
        }
        if let Some(found) = self.followed.as_ref().and_then(|followed| followed.outside.text_at(address)) {
            return Some(found);
        }
        live_object(at, address)
    }

    /// That a pointer to `size` bytes points into a live object.
    pub(crate) fn points_somewhere(&mut self, at: &At<'_>, pointer: Term, size: u64) -> Term {
        let mut objects: Vec<(u64, u64)> = at.core.heap.live().chain(stack_objects(at)).collect();
        objects.extend(self.knowledge.analysis.globals(at.code));
        objects.sort_unstable();
        objects.dedup();
        let mut any = self.pool.bool(false);
        for (start, bytes) in objects.into_iter().filter(|object| object.1 >= size).take(MOST_OBJECTS) {
            let offset = self.add(pointer, start.wrapping_neg());
            let last = self.pool.constant(64, (bytes - size).into());
            let inside = self.pool.compare(Compare::Ule, offset, last);
            any = self.pool.or(any, inside);
        }
        any
    }

    /// An operand must be as in the run.
    pub(crate) fn pin_operand(&mut self, at: &At<'_>, operand: Opnd, why: &str) {
        if let Some(term) = self.slot(at, operand) {
            self.pin(term, at.value(operand), why);
        }
    }

    /// An argument of a library function must be as in the run.
    pub(crate) fn pin_argument(&mut self, at: &At<'_>, operand: Opnd, name: &str) {
        if self.slot(at, operand).is_some() {
            let why = format!("`{name}`{} is given what may change", line_of(at));
            self.pin_operand(at, operand, &why);
        }
    }

    /// Memory must be as in the run.
    pub(crate) fn pin_range(&mut self, at: &At<'_>, address: u64, size: u64) {
        if !self.marks.touches(address, size) {
            return;
        }
        let log = self.open > 0;
        for offset in (0..size).step_by(8) {
            let piece = (size - offset).min(8) as usize;
            let place = address.wrapping_add(offset);
            if let Some(term) = self.marks.load(&mut self.pool, at.memory(), place, piece, log) {
                let value = at.memory().read_uint(place, piece as u32);
                let why = format!("`{}`{} reads what may change", self.called, line_of(at));
                self.pin(term, value, &why);
            }
        }
    }
}

/// Where a call stands, for notes.
pub(crate) fn line_of(at: &At<'_>) -> String {
    // What a library does is the matter of who called it.
    let position = at.own_position().unwrap_or_default();
    match position.loc.line {
        0 => String::new(),
        line => format!(" in line {line} of {}", position.file.rsplit('/').next().unwrap_or_default()),
    }
}

/// So many objects are thought of when a pointer may point anywhere.
const MOST_OBJECTS: usize = 256;
