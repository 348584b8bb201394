//! Writes, and when what is written to came to be: what purity is concluded from.

use std::collections::BTreeMap;

use whydunit_events::{Event, Written};
use whydunit_replay::{At, HeapBlock, PerThread, is_on_stack};

use super::Tracer;
use crate::methods::MethodInfo;

/// A result that is written in place is not larger where nothing says how large it is.
const RESULT: u64 = 64;

/// Functions of the libraries that count references.
const COUNTERS: &[&str] = &[
    "inc_strong",
    "dec_strong",
    "inc_weak",
    "dec_weak",
    "_M_add_ref",
    "_M_release",
    "__exchange_and_add",
    "__atomic_add",
];

/// When memory came to be.
#[derive(Default)]
pub(crate) struct Origins {
    /// Blocks of the heap: bytes, and when.
    pub blocks: BTreeMap<u64, (u64, u64)>,
    /// When the frames began, the outermost first.
    pub frames: PerThread<Vec<u64>>,
    /// Variables that live as long as the program, by address: bytes and name.
    statics: BTreeMap<u64, (u64, String)>,
    modules: usize,
    /// Where `errno` is.
    pub errno: u64,
}

/// What is written to.
struct Origin {
    born: u64,
    what: Written,
    cache: bool,
}

impl Tracer<'_> {
    /// A frame begins.
    #[inline]
    pub(super) fn frame_begins(&mut self, at: &At<'_>) {
        if self.wanted.purity {
            self.origins.frames.truncate(at.depth);
            self.origins.frames.resize(at.depth + 1, self.clock);
        }
    }

    /// A block of the heap comes to be.
    pub(super) fn block_begins(&mut self, block: HeapBlock) {
        if self.wanted.purity {
            self.origins.blocks.insert(block.address, (block.size, self.clock));
        }
    }

    /// Where the result of a method is written in place.
    pub(super) fn result_range(&self, at: &At<'_>, method: &MethodInfo) -> (u64, u64) {
        let Some(slot) = method.result_at.filter(|_| self.wanted.purity) else { return (0, 0) };
        let from = at.slot(slot);
        let local = at.caller().and_then(|caller| {
            let base = caller.frame().stack_base;
            let objects = caller.model.stack.iter().filter(|object| !object.dynamic);
            let mut ranges = objects.map(|object| (base + object.offset, base + object.offset + object.size));
            ranges.find(|(start, end)| *start <= from && from < *end)
        });
        (from, local.map_or(from + RESULT, |(_, end)| end))
    }

    /// Memory is written, by code of the program (`known`) or from outside.
    #[inline]
    pub(super) fn writes(&mut self, at: &At<'_>, address: u64, known: bool) {
        if self.wanted.purity && !self.stack.is_empty() {
            self.note_write(at, address, known);
        }
    }

    fn note_write(&mut self, at: &At<'_>, address: u64, known: bool) {
        if address == self.origins.errno {
            return;
        }
        let Some(Origin { born, what, cache }) = self.origin(at, address, known) else { return };
        let untold = |told: &[bool; 2]| !(told[0] || cache && told[1]);
        let mut asks = false;
        for invocation in self.stack.iter_mut().rev().take_while(|it| it.time > born) {
            asks |= untold(&invocation.told);
            invocation.told[usize::from(cache)] = true;
        }
        if asks {
            let position = self.position(Some(*at));
            self.tell(Event::Wrote { thread: self.thread, what, born, cache, at: position });
        }
    }

    fn origin(&mut self, at: &At<'_>, address: u64, known: bool) -> Option<Origin> {
        let result = self.stack.iter().rev().find(|it| it.result.0 <= address && address < it.result.1);
        let at_least = result.map_or(0, |invocation| invocation.time);
        let counter = at.model.places(at.pc as usize).any(|(_, name)| COUNTERS.iter().any(|it| name.contains(it)));
        let mut touching = std::mem::take(&mut self.scratch);
        self.places.touching(address, 1, &mut touching);
        // The innermost of several.
        let object = touching.iter().copied().max_by_key(|&index| {
            let place = self.places.get(index);
            (place.start, std::cmp::Reverse(place.size))
        });
        self.scratch = touching;
        let storage = self.storage(at, address, known);
        if let Some(index) = object {
            let place = self.places.get(index);
            let layout = &self.layouts[place.layout];
            let bit = 8 * (address - place.start);
            let size =
                |spot: &crate::layout::Spot| 8 * whydunit_causes::value::size_of(&layout.module, spot.member.ty).max(1);
            let within = |spot: &&crate::layout::Spot| {
                spot.member.bit_offset <= bit && bit < spot.member.bit_offset + size(spot)
            };
            let number = layout.layout.fields.iter().position(|spot| within(&spot));
            let constant = self.writer_is_constant(at, place.class);
            let cell = number.is_some_and(|number| layout.layout.fields[number].cell);
            let what = match number {
                Some(number) => Written::Field(place.id, layout.fields[number]),
                None => Written::Object(place.id),
            };
            let born = place.born.or(storage.map(|(born, _)| born))?;
            return Some(Origin { born: born.max(at_least), what, cache: counter || constant || cell });
        }
        let (born, what) = storage?;
        Some(Origin { born: born.max(at_least), what, cache: counter })
    }

    /// Whether the writing function is a method of the class that is declared not to change its object: what it may write of it is
    /// declared mutable.
    fn writer_is_constant(&self, at: &At<'_>, class: usize) -> bool {
        let info = self.infos.get(at.function.0 as usize).and_then(Option::as_ref).and_then(Option::as_ref);
        info.is_some_and(|info| info.constant && self.catalogue.base(class, info.class).is_some())
    }

    /// When the memory at an address came to be, and what it is; `None` where that is no memory of the program's.
    fn storage(&mut self, at: &At<'_>, address: u64, known: bool) -> Option<(u64, Written)> {
        if let Some((start, (size, born))) = self.origins.blocks.range(..=address).next_back()
            && address < start + size
        {
            return Some((*born, Written::Memory));
        }
        let outermost = at.core.frames.first().map_or(0, |frame| frame.usp_before);
        if address < outermost && address >= at.core.usp {
            let depth = at.core.frames.iter().rposition(|frame| address < frame.usp_before)?;
            let frame = &at.core.frames[depth];
            let model = at.code.model(frame.function);
            let object = model.stack.iter().find(|object| {
                let start = frame.stack_base + object.offset;
                !object.dynamic && start <= address && address < start + object.size
            });
            let name = object.map(|object| object.name.clone()).unwrap_or_default();
            let born = self.origins.frames.get(depth).copied().unwrap_or(0);
            return Some((born, Written::Local(name)));
        }
        if is_on_stack(at, address) {
            return Some((self.clock, Written::Memory));
        }
        self.find_statics(at);
        if let Some((start, (size, name))) = self.origins.statics.range(..=address).next_back()
            && address < start + size
        {
            // Whether a variable was made is no matter of its users.
            return (!name.starts_with("_ZGV")).then(|| (0, Written::Static(readable(name))));
        }
        known.then_some((0, Written::Memory))
    }

    fn find_statics(&mut self, at: &At<'_>) {
        let modules = at.code.modules();
        for module in &modules[self.origins.modules.min(modules.len())..] {
            for (global, &address) in module.model.globals.iter().zip(&module.globals) {
                if address != 0 && global.size > 0 {
                    let name = match &global.source_name {
                        Some(name) if !global.name.starts_with("_ZGV") => name.clone(),
                        _ => global.name.clone(),
                    };
                    self.origins.statics.entry(address).or_insert((global.size, name));
                }
            }
        }
        self.origins.modules = modules.len();
    }
}

fn readable(name: &str) -> String {
    whydunit_model::names::readable(name).unwrap_or_else(|| name.to_owned())
}
