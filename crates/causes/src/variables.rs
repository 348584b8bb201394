//! Which variable has which value where: variables in registers are followed as the run goes, those in memory are read.

use std::collections::HashMap;
use std::rc::Rc;

use whydunit_model::{DebugType, Function, Member, Module, Op, TypeId};
use whydunit_replay::{At, FuncId, Memory, Observer, PerThread};

use crate::value::{self, ReadBytes, size_of, underlying};

impl ReadBytes for Memory {
    fn read(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        self.is_written(address).then(|| self.read_vec(address, len))
    }
}

/// First and last index (exclusive) of the debug values at each operation.
type ByOperation = Rc<HashMap<u32, (u32, u32)>>;

/// Follows which debug value of each variable was passed last, frame by frame.
#[derive(Default)]
pub struct Watch {
    frames: PerThread<Vec<FrameWatch>>,
    functions: HashMap<FuncId, ByOperation>,
}

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
        if let Some(&(from, to)) = frame.values.get(&at.pc) {
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
        let values = self.functions.entry(function).or_insert_with(|| Rc::new(by_operation(model))).clone();
        self.frames.push(FrameWatch { function, values, current: vec![0; model.variables.len()] });
    }

    fn current(&self, depth: usize, variable: usize) -> Option<usize> {
        let index = *self.frames.get(depth)?.current.get(variable)?;
        (index as usize).checked_sub(1)
    }
}

fn by_operation(model: &Function) -> HashMap<u32, (u32, u32)> {
    let mut out: HashMap<u32, (u32, u32)> = HashMap::new();
    for (index, value) in model.debug_values.iter().enumerate() {
        let index = index as u32;
        out.entry(value.pc).and_modify(|range| range.1 = index + 1).or_insert((index, index + 1));
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
    fn at(self, offset: u64) -> Self {
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

    fn member(&self, module: &Module, member: &Member) -> Option<Found> {
        let bytes = value::member_bytes(module, member, &self.bytes)?;
        let store = self.store.at(member.bit_offset / 8);
        Some(Found { name: format!("{}.{}", self.name, member.name), ty: member.ty, store, bytes })
    }
}

/// The variables in scope in frame `depth`, which stands at operation `pc`, innermost scope first, parameters last.
pub fn in_scope(at: &At<'_>, watch: &Watch, depth: usize) -> Vec<Found> {
    let Some(frame) = at.core.frames.get(depth) else { return Vec::new() };
    let model = at.code.model(frame.function);
    let module = at.code.module_of(frame.function);
    let pc = if depth == at.depth { at.pc } else { frame.pc };
    // The frame's own variables, and not those of calls in whose place code stands.
    let mut scope = model.places(pc as usize).last().map_or(0, |(loc, _)| loc.scope);
    let mut found: Vec<Found> = Vec::new();
    loop {
        for (index, variable) in model.variables.iter().enumerate().filter(|(_, variable)| variable.scope == scope) {
            if found.iter().any(|known| known.name == variable.name) {
                continue;
            }
            if let Some((store, bytes)) = read_variable(at, watch, depth, model, module, index) {
                found.push(Found { name: variable.name.clone(), ty: variable.ty, store, bytes });
            }
        }
        match model.scopes.get(scope as usize) {
            Some(outer) if outer.parent != scope => scope = outer.parent,
            _ => return found,
        }
    }
}

fn read_variable(
    at: &At<'_>,
    watch: &Watch,
    depth: usize,
    model: &Function,
    module: &Module,
    index: usize,
) -> Option<(Store, Vec<u8>)> {
    let frame = &at.core.frames[depth];
    let variable = &model.variables[index];
    let size = size_of(module, variable.ty) as usize;
    if let Some(object) = variable.object {
        let object_number = object;
        let object = model.stack.get(object as usize)?;
        let address = if object.dynamic {
            let live = at.core.dynamic.iter().rev().find(|d| d.depth == depth && d.object == object_number)?;
            live.address
        } else {
            frame.stack_base.wrapping_add(object.offset)
        };
        let address = if variable.indirect { at.memory().read_word(address) } else { address };
        return Some((Store::Memory(address), at.memory().read_vec(address, size)));
    }
    let value = &model.debug_values[watch.current(depth, index).or_else(|| nearest_before(at, depth, model, index))?];
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
    if variable.indirect {
        let address = u64::from_le_bytes(pad(&bytes));
        return Some((Store::Memory(address), at.memory().read_vec(address, size)));
    }
    bytes.truncate(size.max(1));
    let store = if operand.is_const() {
        Store::Constant(u64::from_le_bytes(pad(&bytes)))
    } else {
        Store::Slot(frame.base + operand.index() as usize)
    };
    Some((store, bytes))
}

/// The debug value that stands nearest before the frame's place in the code, where the watch began too late to see it pass.
fn nearest_before(at: &At<'_>, depth: usize, model: &Function, variable: usize) -> Option<usize> {
    let pc = if depth == at.depth { at.pc } else { at.core.frames[depth].pc };
    let before = |value: &whydunit_model::DebugValue| value.variable as usize == variable && value.pc <= pc;
    model.debug_values.iter().rposition(before)
}

fn pad(bytes: &[u8]) -> [u8; 8] {
    let mut out = [0; 8];
    let n = bytes.len().min(8);
    out[..n].copy_from_slice(&bytes[..n]);
    out
}

/// Finds what `expression` (a variable, then any of `.m`, `->m`, `[n]`, with `*` in front and parentheses around) means in frame `depth`.
pub fn evaluate(at: &At<'_>, watch: &Watch, depth: usize, expression: &str) -> Result<Found, String> {
    let text = expression.trim();
    if let Some(inner) = text.strip_prefix('*') {
        let pointer = evaluate(at, watch, depth, inner)?;
        return dereference(at, depth, pointer, text);
    }
    let (mut found, mut rest) = if let Some(after) = text.strip_prefix('(') {
        let end = closing(after, [b'(', b')']).ok_or_else(|| format!("`{expression}` lacks a `)`"))?;
        (evaluate(at, watch, depth, &after[..end])?, &after[end + 1..])
    } else {
        let (name, rest) = identifier(text);
        (variable(at, watch, depth, name).ok_or_else(|| no_variable(at, watch, depth, name))?, rest)
    };
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("->") {
            let (member, after) = identifier(after);
            found = dereference(at, depth, found, text)?;
            found = self_member(at, depth, found, member)?;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let (member, after) = identifier(after);
            found = self_member(at, depth, found, member)?;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('[') {
            let end = closing(after, [b'[', b']']).ok_or_else(|| format!("`{expression}` lacks a `]`"))?;
            let (index, after) = (&after[..end], &after[end + 1..]);
            let index = match index.trim().parse::<i64>() {
                Ok(index) => index,
                Err(_) => {
                    let found = evaluate(at, watch, depth, index)?;
                    signed(&found.bytes)
                }
            };
            found = element(at, depth, found, index)?;
            rest = after;
        } else {
            return Err(format!("`{expression}` is neither a variable nor a member or element of one"));
        }
        found.name = text[..text.len() - rest.len()].to_string();
    }
    Ok(found)
}

/// Where the bracket is closed that was opened before `text`.
fn closing(text: &str, [opening, closing]: [u8; 2]) -> Option<usize> {
    let mut open = 1;
    text.bytes().position(|byte| {
        open += i32::from(byte == opening) - i32::from(byte == closing);
        open == 0
    })
}

fn identifier(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len()))
}

fn signed(bytes: &[u8]) -> i64 {
    let n = bytes.len().clamp(1, 8);
    let shift = 64 - 8 * n as u32;
    ((u64::from_le_bytes(pad(bytes)) << shift) as i64) >> shift
}

fn variable(at: &At<'_>, watch: &Watch, depth: usize, name: &str) -> Option<Found> {
    if let Some(found) = in_scope(at, watch, depth).into_iter().find(|found| found.name == name) {
        return Some(found);
    }
    let function = at.core.frames.get(depth)?.function;
    let model = at.code.model(function);
    let module = at.code.module_of(function);
    // A variable of an inner scope that just ended is what people mean on the last line of a block.
    let inner = (0..model.variables.len()).rev().filter(|&index| model.variables[index].name == name);
    for index in inner {
        if let Some((store, bytes)) = read_variable(at, watch, depth, model, module, index) {
            return Some(Found { name: name.into(), ty: model.variables[index].ty, store, bytes });
        }
    }
    let loaded = at.code.loaded_module_of(function)?;
    let index =
        module.globals.iter().position(|global| global.source_name.as_deref() == Some(name) || global.name == name)?;
    let (global, address) = (&module.globals[index], *loaded.globals.get(index)?);
    let bytes = at.memory().read_vec(address, global.size as usize);
    Some(Found { name: name.into(), ty: global.ty, store: Store::Memory(address), bytes })
}

fn no_variable(at: &At<'_>, watch: &Watch, depth: usize, name: &str) -> String {
    let names: Vec<String> = in_scope(at, watch, depth).into_iter().map(|found| found.name).collect();
    if names.is_empty() {
        format!("there is no variable `{name}` here")
    } else {
        format!("there is no variable `{name}` here; in scope are {}", names.join(", "))
    }
}

fn dereference(at: &At<'_>, depth: usize, pointer: Found, name: &str) -> Result<Found, String> {
    let module = at.code.module_of(at.core.frames[depth].function);
    match module.types.get(underlying(module, pointer.ty) as usize) {
        Some(DebugType::Pointer { to }) => {
            let address = u64::from_le_bytes(pad(&pointer.bytes));
            if address == 0 {
                return Err(format!("`{}` is a null pointer there", pointer.name));
            }
            let bytes = at.memory().read_vec(address, size_of(module, *to) as usize);
            Ok(Found { name: name.into(), ty: *to, store: Store::Memory(address), bytes })
        }
        // `*a` is the first element of an array.
        Some(DebugType::Array { .. }) => {
            let first = pointer.part(module, 0).ok_or_else(|| format!("`{}` has no elements", pointer.name))?;
            Ok(Found { name: name.into(), ..first })
        }
        _ => Err(format!("`{}` is no pointer", pointer.name)),
    }
}

fn self_member(at: &At<'_>, depth: usize, found: Found, name: &str) -> Result<Found, String> {
    let module = at.code.module_of(at.core.frames[depth].function);
    let Some(DebugType::Struct { members, .. }) = module.types.get(underlying(module, found.ty) as usize) else {
        return Err(format!("`{}` has no members", found.name));
    };
    // What a derived class has stands behind what it has from others.
    let Some(member) = members.iter().rev().find(|member| member.name == name) else {
        let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
        return Err(format!("`{}` has no member `{name}`; it has {}", found.name, names.join(", ")));
    };
    found.member(module, member).ok_or_else(|| "the member lies outside the value".into())
}

fn element(at: &At<'_>, depth: usize, found: Found, index: i64) -> Result<Found, String> {
    let module = at.code.module_of(at.core.frames[depth].function);
    let (element, start) = match (module.types.get(underlying(module, found.ty) as usize), found.store) {
        (Some(DebugType::Array { element, .. }), Store::Memory(address)) => (*element, address),
        (Some(DebugType::Pointer { to }), _) => (*to, u64::from_le_bytes(pad(&found.bytes))),
        (Some(sequence @ DebugType::Sequence { .. }), _) => {
            let (start, length, element) = value::elements(module, sequence, &found.bytes).unwrap_or_default();
            if u64::try_from(index).is_ok_and(|index| index >= length) {
                return Err(format!("`{}` has {length} elements there", found.name));
            }
            (element, start)
        }
        _ => return Err(format!("`{}` is neither an array nor a pointer, nor a vector or a slice", found.name)),
    };
    let size = size_of(module, element);
    let address = start.wrapping_add((index as u64).wrapping_mul(size));
    let bytes = at.memory().read_vec(address, size as usize);
    Ok(Found { name: format!("{}[{index}]", found.name), ty: element, store: Store::Memory(address), bytes })
}

/// How many slots a value of `bytes` bytes takes.
pub(crate) fn size_words(bytes: u64) -> u32 {
    bytes.div_ceil(8).clamp(1, 2) as u32
}
