//! Names for operands: which variable, member or element an operand of the register code stands for in the source.

use std::collections::HashMap;

use whydunit_model::{
    Callee, DebugType, DebugValue, Function, IntOp, Module, NO_TYPE, Op, Opnd, Symbol, TypeId, Variable, defined,
};

use crate::branch::block_at;
use crate::value::{size_of, underlying};

/// How deep expressions are followed.
const DEPTH: u32 = 12;

/// A named value or place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// As in C: `p->length`, `buf[i]`, `n`.
    pub text: String,
    /// Its type.
    pub ty: TypeId,
}

/// Names in one function.
pub struct Names<'a> {
    module: &'a Module,
    function: &'a Function,
    /// Operations that define each slot, in order: values of one block share slots with those of others.
    definitions: HashMap<u32, Vec<u32>>,
    /// Variable that each slot was said to hold.
    variables: HashMap<u32, u32>,
}

impl<'a> Names<'a> {
    /// Reads a function.
    pub fn of(module: &'a Module, function: &'a Function) -> Self {
        let mut definitions = HashMap::new();
        for (pc, op) in function.code.iter().enumerate() {
            if let Some((slot, words)) = defined(function, op) {
                for word in 0..words {
                    definitions.entry(slot + word).or_insert_with(Vec::new).push(pc as u32);
                }
            }
        }
        let mut variables = HashMap::new();
        for value in &function.debug_values {
            if let Some(operand) = value.value
                && !operand.is_const()
            {
                variables.entry(operand.index()).or_insert(value.variable);
            }
        }
        Self { module, function, definitions, variables }
    }

    /// The variable that a slot holds.
    pub fn variable(&self, slot: u32) -> Option<Named> {
        named(self.function.variables.get(*self.variables.get(&slot)? as usize)?)
    }

    /// The place that the pointer `operand` of operation `pc` points to.
    pub fn place(&self, pc: u32, operand: Opnd) -> Option<Named> {
        self.place_at(pc, operand, DEPTH)
    }

    /// The value of `operand` of operation `pc`.
    pub fn value(&self, pc: u32, operand: Opnd) -> Option<Named> {
        self.value_at(pc, operand, DEPTH)
    }

    /// The variable that gets what operation `pc` computes, as debug information says behind it in the same block.
    pub fn assigned(&self, pc: u32) -> Option<Named> {
        let (slot, _) = defined(self.function, self.function.code.get(pc as usize)?)?;
        let end = self.function.blocks[block_at(self.function, pc)?].end;
        let again =
            self.definitions.get(&slot)?.iter().find(|&&again| again > pc).map_or(end, |&again| end.min(again + 1));
        let of_slot = |value: &&DebugValue| {
            (pc + 1..again.max(pc + 2)).contains(&value.pc) && value.value == Some(Opnd::slot(slot))
        };
        let value = self.function.debug_values.iter().find(of_slot)?;
        named(self.function.variables.get(value.variable as usize).filter(|variable| !variable.indirect)?)
    }

    /// The member that stands at the beginning of a place and has so many bytes, where the place is a structure that has more.
    pub fn narrowed(&self, mut place: Named, bytes: u64) -> Named {
        for _ in 0..DEPTH {
            let ty = self.module.types.get(underlying(self.module, place.ty) as usize);
            let is_larger = size_of(self.module, place.ty) > bytes;
            let first = match ty {
                Some(DebugType::Struct { members, union: false, .. }) if is_larger => {
                    members.iter().find(|member| member.bit_offset == 0 && member.bit_size == 0)
                }
                _ => None,
            };
            let Some(member) = first.filter(|member| size_of(self.module, member.ty) >= bytes) else { break };
            let text = match place.text.strip_prefix('*') {
                Some(pointer) => format!("{pointer}->{}", member.name),
                None => format!("{}.{}", place.text, member.name),
            };
            place = Named { text, ty: member.ty };
        }
        place
    }

    /// The operation that defines what operation `pc` reads: the last one before it, else (around a loop) the first. `None` where it is one of
    /// several, by the way that the run came: `a ? b : c` has no name.
    fn definition(&self, pc: u32, operand: Opnd) -> Option<(u32, &'a Op)> {
        let all = self.definitions.get(&operand.index())?;
        let before = all.partition_point(|&definition| definition < pc);
        let definition = *all.get(before.saturating_sub(1))?;
        let op = self.function.code.get(definition as usize)?;
        let is_of_block = definition < pc && block_at(self.function, definition) == block_at(self.function, pc);
        (is_of_block
            || all.iter().all(|&other| self.function.code.get(other as usize).is_some_and(|o| hand_on_same(o, op))))
        .then_some((definition, op))
    }

    fn global(&self, operand: Opnd) -> Option<(Named, i64)> {
        let Some(whydunit_model::Const::Addr(Symbol::Global(index), offset)) =
            self.function.consts.get(operand.index() as usize)
        else {
            return None;
        };
        let global = self.module.globals.get(*index as usize)?;
        let text = global.source_name.clone()?;
        Some((Named { text, ty: global.ty }, *offset))
    }

    fn place_at(&self, pc: u32, operand: Opnd, depth: u32) -> Option<Named> {
        if depth == 0 {
            return None;
        }
        if operand.is_const() {
            let (named, offset) = self.global(operand)?;
            return if offset == 0 { Some(named) } else { self.inside(named, offset as u64) };
        }
        if self.variable(operand.index()).is_none() {
            let definition = self.definition(pc, operand);
            let from = definition.map_or(pc, |(from, _)| from);
            match definition.map(|(_, op)| op) {
                Some(Op::StackAddr { object, .. } | Op::Alloca { object, .. }) => {
                    let variable = self.function.variables.iter().find(|v| v.object == Some(*object))?;
                    return Some(Named { text: variable.name.clone(), ty: variable.ty });
                }
                Some(Op::PtrAdd { base, offset, .. }) => {
                    let base = self.place_at(from, *base, depth - 1)?;
                    return self.inside(base, *offset as u64);
                }
                Some(Op::PtrIndex { base, index, scale, .. }) => {
                    let index_text = match self.value_at(from, *index, depth - 1) {
                        Some(named) => named.text,
                        None => "…".into(),
                    };
                    return self.element(from, *base, &index_text, *scale, depth);
                }
                Some(Op::Copy { a, .. }) => return self.place_at(from, *a, depth - 1),
                _ => {}
            }
        }
        let pointer = self.value_at(pc, operand, depth - 1)?;
        let DebugType::Pointer { to } = self.module.types.get(underlying(self.module, pointer.ty) as usize)? else {
            return None;
        };
        Some(Named { text: format!("*{}", pointer.text), ty: *to })
    }

    fn element(&self, pc: u32, base: Opnd, index: &str, scale: i64, depth: u32) -> Option<Named> {
        let base = self.place_at(pc, base, depth - 1)?;
        if let Some(DebugType::Array { element, .. }) = self.module.types.get(underlying(self.module, base.ty) as usize)
        {
            return Some(Named { text: format!("{}[{index}]", base.text), ty: *element });
        }
        // `p[i]` through a pointer: the base is `*p` already.
        let fits = size_of(self.module, base.ty) as i64 == scale.abs() || base.ty == NO_TYPE;
        let pointer = base.text.strip_prefix('*')?;
        fits.then(|| Named { text: format!("{pointer}[{index}]"), ty: base.ty })
    }

    /// The member or element at `offset` bytes inside a place.
    fn inside(&self, place: Named, offset: u64) -> Option<Named> {
        match self.module.types.get(underlying(self.module, place.ty) as usize)? {
            DebugType::Struct { members, .. } => {
                let member = members.iter().rev().find(|member| {
                    let start = member.bit_offset / 8;
                    member.bit_size == 0 && start <= offset && offset < start + size_of(self.module, member.ty).max(1)
                })?;
                let text = match place.text.strip_prefix('*') {
                    Some(pointer) => format!("{pointer}->{}", member.name),
                    None => format!("{}.{}", place.text, member.name),
                };
                let rest = offset - member.bit_offset / 8;
                let named = Named { text, ty: member.ty };
                if rest == 0 { Some(named) } else { self.inside(named, rest) }
            }
            DebugType::Array { element, .. } => {
                let size = size_of(self.module, *element).max(1);
                let named = Named { text: format!("{}[{}]", place.text, offset / size), ty: *element };
                if offset.is_multiple_of(size) { Some(named) } else { self.inside(named, offset % size) }
            }
            _ => {
                let size = size_of(self.module, place.ty).max(1);
                let pointer = place.text.strip_prefix('*')?;
                offset
                    .is_multiple_of(size)
                    .then(|| Named { text: format!("{pointer}[{}]", (offset as i64) / size as i64), ty: place.ty })
            }
        }
    }

    fn value_at(&self, pc: u32, operand: Opnd, depth: u32) -> Option<Named> {
        if depth == 0 {
            return None;
        }
        if operand.is_const() {
            return match self.function.consts.get(operand.index() as usize)? {
                whydunit_model::Const::Bits(bits) if *bits < 1 << 31 => {
                    Some(Named { text: bits.to_string(), ty: NO_TYPE })
                }
                _ => None,
            };
        }
        if let Some(named) = self.variable(operand.index()) {
            return Some(named);
        }
        let (from, op) = self.definition(pc, operand)?;
        match op {
            Op::Load { addr, .. } => self.place_at(from, *addr, depth - 1),
            Op::Copy { a, n: 1, .. } | Op::ZExt { a, .. } | Op::SExt { a, .. } | Op::Trunc { a, .. } => {
                self.value_at(from, *a, depth - 1)
            }
            Op::Int { op: op @ (IntOp::Add | IntOp::Sub), w, a, b, .. } => {
                let (a, b) = (self.value_at(from, *a, depth - 1)?, self.value_at(from, *b, depth - 1));
                let sign = if *op == IntOp::Add { '+' } else { '-' };
                let ty = a.ty;
                match b {
                    Some(b) => Some(Named { text: format!("{} {sign} {}", a.text, b.text), ty }),
                    None if *w == 32 => Some(Named { text: format!("{} - 1", a.text), ty }),
                    None => None,
                }
            }
            Op::Call { call } => {
                let Callee::Direct(callee) = self.function.calls[*call as usize].callee else { return None };
                let callee = self.module.functions.get(callee as usize)?;
                Some(Named { text: format!("{}()", callee.source_name.as_ref().unwrap_or(&callee.name)), ty: NO_TYPE })
            }
            _ => None,
        }
    }
}

/// Whether two operations are one, or copies of the same value.
fn hand_on_same(one: &Op, other: &Op) -> bool {
    match (one, other) {
        (Op::Copy { a, n, .. }, Op::Copy { a: b, n: m, .. }) => (a, n) == (b, m),
        _ => std::ptr::eq(one, other),
    }
}

/// A variable by its name; `None` for the compiler's own: the length of an array of variable length.
fn named(variable: &Variable) -> Option<Named> {
    let is_compilers = variable.name.starts_with("__vla_expr");
    (!is_compilers).then(|| Named { text: variable.name.clone(), ty: variable.ty })
}
