//! Which variable has which value where: variables in registers are followed as the run goes, those in memory are read.

mod view;

use std::collections::HashMap;
use std::rc::Rc;

use whydunit_model::{DebugType, Function, Member, Module, Op, TypeId};
use whydunit_replay::{At, Code, FuncId, Memory, Observer, PerThread};

pub use self::view::{View, in_scope};

use crate::value::{self, ReadBytes, size_of, underlying};

impl ReadBytes for Memory {
    fn read(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        self.is_written(address).then(|| self.read_vec(address, len))
    }
}

/// First and last index (exclusive) of the debug values at each operation.
type ByOperation = Rc<[(u32, u32)]>;

/// Follows which debug value of each variable was passed last, frame by frame.
#[derive(Clone, Default)]
pub struct Watch {
    frames: PerThread<Vec<FrameWatch>>,
    functions: HashMap<FuncId, ByOperation>,
}

#[derive(Clone)]
struct FrameWatch {
    function: FuncId,
    values: ByOperation,
    /// For each variable, index of its debug value passed last, plus 1.
    current: Vec<u32>,
}

impl Watch {
    /// Follows one operation (to be called from [`Observer::op`]).
    #[inline]
    pub fn follow(&mut self, at: &At<'_>) {
        if self.frames.len() != at.depth + 1 || self.frames[at.depth].function != at.function {
            self.align(at);
        }
        let frame = &mut self.frames[at.depth];
        if let Some(&(from, to)) = frame.values.get(at.pc as usize) {
            for index in from..to {
                let variable = at.model.debug_values[index as usize].variable as usize;
                if let Some(current) = frame.current.get_mut(variable) {
                    *current = index + 1;
                }
            }
        }
    }

    /// A function was entered.
    pub fn enter(&mut self, at: &At<'_>) {
        self.frames.truncate(at.depth);
        // Where the callers are known one is added; to look at all of them at each call would be quadratic in the depth.
        if self.frames.len() == at.depth {
            self.push(at, at.function);
        } else {
            self.align(at);
        }
    }

    /// Another thread runs from here on.
    pub fn switched(&mut self, from: u32, to: u32) {
        self.frames.switch(from, to, Vec::new);
    }

    /// The frames of a thread (`None`: of the one that runs) are these, the outermost first: functions, and for each of their variables
    /// the index of its debug value passed last, plus 1, or 0.
    pub fn set_frames(&mut self, code: &Code, thread: Option<u32>, frames: impl Iterator<Item = (FuncId, Vec<u32>)>) {
        let functions = &mut self.functions;
        let watched = frames.map(|(function, current)| {
            let values = functions.entry(function).or_insert_with(|| by_operation(code.model(function)).into()).clone();
            FrameWatch { function, values, current }
        });
        let watched = watched.collect();
        match thread {
            None => *self.frames = watched,
            Some(thread) => self.frames.park(thread, watched),
        }
    }

    #[cold]
    fn align(&mut self, at: &At<'_>) {
        self.frames.truncate(at.depth + 1);
        // Back from a call.
        if self.frames.get(at.depth).is_some_and(|frame| frame.function == at.function) {
            return;
        }
        for depth in 0..=at.depth {
            let function = at.core.frames[depth].function;
            if self.frames.get(depth).is_some_and(|frame| frame.function == function) {
                continue;
            }
            self.frames.truncate(depth);
            self.push(at, function);
        }
    }

    fn push(&mut self, at: &At<'_>, function: FuncId) {
        let model = at.code.model(function);
        let values = self.functions.entry(function).or_insert_with(|| by_operation(model).into()).clone();
        self.frames.push(FrameWatch { function, values, current: vec![0; model.variables.len()] });
    }

    /// The frames of a thread, `None` being the one that runs.
    fn frames_of(&self, parked: Option<u32>) -> &[FrameWatch] {
        match parked {
            None => &self.frames,
            Some(thread) => self.frames.parked(thread).map_or(&[], Vec::as_slice),
        }
    }
}

fn by_operation(model: &Function) -> Vec<(u32, u32)> {
    let mut out = vec![(0, 0); model.code.len()];
    for (index, value) in model.debug_values.iter().enumerate() {
        let index = index as u32;
        let Some(range) = out.get_mut(value.pc as usize) else { continue };
        *range = if range.1 == 0 { (index, index + 1) } else { (range.0, index + 1) };
    }
    out
}

impl Observer for Watch {
    const OPS: bool = true;
    const FRAMES: bool = true;
    #[inline]
    fn op(&mut self, at: &At<'_>, _: &Op) {
        self.follow(at);
    }
    fn enter(&mut self, at: &At<'_>, _: &whydunit_replay::Entry<'_>) {
        Watch::enter(self, at);
    }
    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        Watch::switched(self, from, to);
    }
}

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// In memory, from this address on.
    Memory(u64),
    /// In the frames' slots, from this index of [`whydunit_replay::Core::slots`] on.
    Slot(usize),
    /// Known without looking.
    Constant(u64),
}

impl Store {
    /// So many bytes further on in memory; what stands elsewhere is taken as a whole.
    pub(crate) fn at(self, offset: u64) -> Self {
        match self {
            Store::Memory(address) => Store::Memory(address.wrapping_add(offset)),
            other => other,
        }
    }
}

/// A variable, member or element, and where it stands at a moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// As asked for.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it stands.
    pub store: Store,
    /// Its bytes at that moment.
    pub bytes: Vec<u8>,
}

impl Found {
    /// The value as text.
    pub fn text(&self, module: &Module, memory: &impl ReadBytes) -> String {
        value::format(module, self.ty, &self.bytes, memory)
    }

    /// Its member or element number `n`.
    pub fn part(&self, module: &Module, n: usize) -> Option<Found> {
        match module.types.get(underlying(module, self.ty) as usize)? {
            DebugType::Struct { members, .. } => self.member(module, members.get(n)?),
            DebugType::Array { element, .. } => {
                let size = size_of(module, *element) as usize;
                let start = n.checked_mul(size)?;
                Some(Found {
                    name: format!("{}[{n}]", self.name),
                    ty: *element,
                    store: self.store.at(start as u64),
                    bytes: self.bytes.get(start..start.checked_add(size)?)?.to_vec(),
                })
            }
            _ => None,
        }
    }

    pub(crate) fn member(&self, module: &Module, member: &Member) -> Option<Found> {
        let bytes = value::member_bytes(module, member, &self.bytes)?;
        let store = self.store.at(member.bit_offset / 8);
        Some(Found { name: format!("{}.{}", self.name, member.name), ty: member.ty, store, bytes })
    }
}

/// How many slots a value of `bytes` bytes takes.
pub(crate) fn size_words(bytes: u64) -> u32 {
    bytes.div_ceil(8).clamp(1, 2) as u32
}
