//! A frame at a moment of a run, and the variables that can be seen from it.

use whydunit_model::{DebugValue, Function, Module};
use whydunit_replay::{At, DynamicObject, Frame};

use super::{Found, FrameWatch, Store, Watch};
use crate::value::size_of;

/// A frame of a thread, at the moment at which a run stands.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Where the run stands.
    pub at: At<'a>,
    /// The frame.
    pub frame: &'a Frame,
    /// Its operation: the next one, or the call under way.
    pub pc: u32,
    depth: usize,
    dynamic: &'a [DynamicObject],
    watched: Option<&'a FrameWatch>,
    /// How many of the calls in whose place the code stands are looked into; `None`: none.
    place: Option<usize>,
}

impl<'a> View<'a> {
    /// Frame `depth` of the thread that runs; `None` where there is none.
    pub fn of(at: &At<'a>, watch: &'a Watch, depth: usize) -> Option<Self> {
        let frame = at.core.frames.get(depth)?;
        let pc = if depth == at.depth { at.pc } else { frame.pc };
        let watched = watch.frames_of(None).get(depth);
        Some(Self { at: *at, frame, pc, depth, dynamic: &at.core.dynamic, watched, place: None })
    }

    /// Frame `depth` of any thread; `None` where there is none.
    pub fn in_thread(at: &At<'a>, watch: &'a Watch, thread: u32, depth: usize) -> Option<Self> {
        if thread == at.core.threads.running() {
            return Self::of(at, watch, depth);
        }
        let frame = at.core.frames_of(thread).get(depth)?;
        let watched = watch.frames_of(Some(thread)).get(depth);
        let dynamic = at.core.dynamic_of(thread);
        Some(Self { at: *at, frame, pc: frame.pc, depth, dynamic, watched, place: None })
    }

    /// The same frame as seen from place number `place` of [`Function::places`]: of a call in whose place its code stands.
    pub fn at_place(self, place: usize) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The frame's function.
    pub fn model(&self) -> &'a Function {
        self.at.code.model(self.frame.function)
    }

    /// The module of its function, which has the types of its variables.
    pub fn module(&self) -> &'a Module {
        self.at.code.module_of(self.frame.function)
    }

    /// The variables in scope, innermost scope first, parameters last. Without a place the frame's own, and not those of calls in
    /// whose place code stands.
    pub fn in_scope(&self) -> Vec<Found> {
        self.in_scope_numbered().into_iter().map(|(_, found)| found).collect()
    }

    /// The same, each with its index in [`Function::variables`].
    pub fn in_scope_numbered(&self) -> Vec<(usize, Found)> {
        let model = self.model();
        let mut places = model.places(self.pc as usize);
        let place = match self.place {
            Some(place) => places.nth(place),
            None => places.last(),
        };
        let mut scope = place.map_or(0, |(loc, _)| loc.scope);
        let call = |scope: u32| model.scopes.get(scope as usize).map_or(0, |scope| scope.inlined);
        let of_call = call(scope);
        let mut found: Vec<(usize, Found)> = Vec::new();
        loop {
            for (index, variable) in model.variables.iter().enumerate().filter(|(_, variable)| variable.scope == scope)
            {
                if found.iter().any(|(_, known)| known.name == variable.name) {
                    continue;
                }
                if let Some((store, bytes)) = self.read(index) {
                    let own = Found { name: variable.name.clone(), ty: variable.ty, store, bytes };
                    found.push((index, own));
                }
            }
            match model.scopes.get(scope as usize) {
                Some(inner) if inner.parent != scope && call(inner.parent) == of_call => scope = inner.parent,
                _ => return found,
            }
        }
    }

    /// The variable of this name: one in scope, else one of an inner scope that has just ended, else a global.
    pub fn named(&self, name: &str) -> Option<Found> {
        if let Some(found) = self.in_scope().into_iter().find(|found| found.name == name) {
            return Some(found);
        }
        let model = self.model();
        // A variable of an inner scope that just ended is what people mean on the last line of a block.
        let inner = (0..model.variables.len()).rev().filter(|&index| model.variables[index].name == name);
        for index in inner {
            if let Some((store, bytes)) = self.read(index) {
                return Some(Found { name: name.into(), ty: model.variables[index].ty, store, bytes });
            }
        }
        let named =
            |global: &whydunit_model::Global| global.source_name.as_deref() == Some(name) || global.name == name;
        let index = self.module().globals.iter().position(named)?;
        self.global(index)
    }

    /// Global number `index` of the module; `None` where it has no place.
    pub fn global(&self, index: usize) -> Option<Found> {
        let loaded = self.at.code.loaded_module_of(self.frame.function)?;
        let (global, address) = (loaded.model.globals.get(index)?, *loaded.globals.get(index)?);
        let bytes = self.at.memory().read_vec(address, global.size as usize);
        let name = global.source_name.as_ref().unwrap_or(&global.name).clone();
        Some(Found { name, ty: global.ty, store: Store::Memory(address), bytes })
    }

    /// Where variable number `index` of the function stands, and its bytes.
    fn read(&self, index: usize) -> Option<(Store, Vec<u8>)> {
        let (at, frame, model) = (&self.at, self.frame, self.model());
        let variable = &model.variables[index];
        let size = size_of(self.module(), variable.ty) as usize;
        if let Some(number) = variable.object {
            let object = model.stack.get(number as usize)?;
            let address = if object.dynamic {
                let own = |d: &&DynamicObject| d.depth == self.depth && d.object == number;
                self.dynamic.iter().rev().find(own)?.address
            } else {
                frame.stack_base.wrapping_add(object.offset)
            };
            let address = if variable.indirect { at.memory().read_word(address) } else { address };
            return Some((Store::Memory(address), at.memory().read_vec(address, size)));
        }
        let value = &model.debug_values[self.passed_last(index).or_else(|| self.nearest_before(index))?];
        let operand = value.value?;
        let words = if variable.indirect { 1 } else { size.div_ceil(8).clamp(1, 2) };
        let mut bytes = Vec::new();
        for word in 0..words as u32 {
            let operand = operand.word(word);
            let value = if operand.is_const() {
                at.code.consts(frame.function).get(operand.index() as usize).copied()?
            } else {
                at.core.slots.get(frame.base + operand.index() as usize).copied()?
            };
            bytes.extend(value.to_le_bytes());
        }
        let first = u64::from_le_bytes(*bytes.first_chunk()?);
        if variable.indirect {
            return Some((Store::Memory(first), at.memory().read_vec(first, size)));
        }
        bytes.truncate(size.max(1));
        let store = match operand.is_const() {
            true => Store::Constant(first),
            false => Store::Slot(frame.base + operand.index() as usize),
        };
        Some((store, bytes))
    }

    /// The debug value of a variable that was passed last in this frame.
    fn passed_last(&self, variable: usize) -> Option<usize> {
        let index = *self.watched?.current.get(variable)?;
        (index as usize).checked_sub(1)
    }

    /// The debug value that stands nearest before the frame's place in the code, where the watch began too late to see it pass.
    fn nearest_before(&self, variable: usize) -> Option<usize> {
        let before = |value: &DebugValue| value.variable as usize == variable && value.pc <= self.pc;
        self.model().debug_values.iter().rposition(before)
    }
}

/// The variables in scope in frame `depth` of the thread that runs, innermost scope first, parameters last.
pub fn in_scope(at: &At<'_>, watch: &Watch, depth: usize) -> Vec<Found> {
    View::of(at, watch, depth).map_or_else(Vec::new, |view| view.in_scope())
}
