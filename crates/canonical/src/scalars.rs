//! Objects of the stack whose parts are only read and written one by one, or copied whole, become a variable for each part:
//! then they can live in registers. Iterators, optional values and what functions give in several words are such objects,
//! once the functions that work on them stand in the place of their calls.
//!
//! A variable that the user sees stays one: its object is left as it is, unless one part is all of it.

mod object;
mod slots;

use std::collections::HashSet;

use whydunit_llvm::{AttributePlace, Builder, DebugRecordKind, Module, Opcode, Type, Value};

use crate::{bodies, calls_setjmp, instructions, layout, place};
use object::{Access, Kind, Object};
use slots::{Part, Parts, Slots};

/// Splits them.
pub(crate) fn split(module: &Module) {
    for function in bodies(module).filter(|&function| !calls_setjmp(function)) {
        let shown = shown(function);
        let allocas = instructions(function).filter(|&alloca| layout::is_static(alloca));
        let objects: Vec<Object> = allocas.filter_map(|alloca| Object::of(module, alloca)).collect();
        if objects.is_empty() {
            continue;
        }
        let mut slots = Slots::of(module, &objects);
        for (object, parts) in objects.iter().zip(&mut slots.of) {
            let whole = |parts: &Parts| parts.get(&0).is_some_and(|part| part.size == object.size);
            let shown = shown.contains(&object.alloca);
            *parts = parts.take().filter(|parts| !shown || whole(parts));
        }
        Rewrite::of(module, &objects, &slots).everything();
    }
}

/// The objects that are variables of the program's own source.
fn shown(function: Value) -> HashSet<Value> {
    if function.subprogram().is_some_and(place::is_library) {
        return HashSet::new();
    }
    let records = instructions(function).flat_map(|instruction| instruction.debug_records());
    let declared = records.filter(|record| record.kind() == DebugRecordKind::Declare);
    let own = declared.filter(|record| record.location().is_none_or(|location| !place::is_inlined_library(location)));
    own.filter_map(|record| record.value()).collect()
}

/// The variables of an object: offset, variable, type.
type Variables = Vec<(u64, Value, Type)>;

struct Rewrite<'a> {
    builder: Builder,
    objects: &'a [Object],
    copies: &'a [slots::Copied],
    /// For each object that is split its variables.
    variables: Vec<Option<Variables>>,
}

impl<'a> Rewrite<'a> {
    fn of(module: &'a Module, objects: &'a [Object], slots: &'a Slots<'_>) -> Self {
        let builder = Builder::new(module);
        builder.set_location(None);
        let mut variables = Vec::new();
        for (object, parts) in objects.iter().zip(&slots.of) {
            builder.before_with_records(object.alloca);
            variables.push(parts.as_ref().map(|parts| {
                let variable = |(&offset, part): (&u64, &Part)| {
                    let variable = builder.alloca(part.ty);
                    variable.set_alignment(part.size as u32);
                    variable.set_name(&format!("{}.{offset}", object.alloca.name()));
                    (offset, variable, part.ty)
                };
                parts.iter().map(variable).collect()
            }));
        }
        Rewrite { builder, objects, copies: &slots.copies, variables }
    }

    fn everything(&self) {
        for copy in self.copies {
            self.copy(copy);
        }
        for (number, object) in self.objects.iter().enumerate() {
            let Some(variables) = &self.variables[number] else { continue };
            // Copies are done.
            let others = |access: &&Access| !matches!(access.kind, Kind::CopyTo | Kind::CopyFrom);
            for access in object.accesses.iter().filter(others) {
                self.access(access, variables);
            }
            object.addresses.iter().rev().for_each(|address| address.erase());
            if let [(0, variable, _)] = variables[..] {
                // The variable of the source that was this object.
                object.alloca.replace_all_uses_with(variable);
            }
            object.alloca.erase();
        }
    }

    fn access(&self, access: &Access, variables: &Variables) {
        let at = |offset: u64| variables.iter().find(|variable| variable.0 == offset);
        let instruction = access.instruction;
        self.before(instruction);
        match access.kind {
            Kind::Load(wanted) => {
                let Some(&(_, variable, ty)) = at(access.offset) else { return };
                let value = self.load(variable, ty);
                instruction.replace_all_uses_with(self.as_type(value, wanted));
                instruction.erase();
            }
            Kind::Store(_) => {
                let (Some(&(_, variable, ty)), Some(value)) = (at(access.offset), instruction.operand(0)) else {
                    return;
                };
                self.store(self.as_type(value, ty), variable);
                instruction.erase();
            }
            Kind::Zero => {
                let bytes = access.offset..access.offset + access.size;
                for (_, variable, ty) in variables.iter().filter(|variable| bytes.contains(&variable.0)) {
                    self.store(ty.zero(), *variable);
                }
                instruction.erase();
            }
            Kind::CopyTo | Kind::CopyFrom => {}
        }
    }

    /// A copy becomes that of the parts.
    fn copy(&self, copy: &slots::Copied) {
        let variables = |end: Option<slots::End>| -> Option<Vec<(u64, Value, Type)>> {
            let (number, start) = end?;
            let all = self.variables[number].as_ref()?.iter();
            let within = all.filter(|variable| (start..start + copy.size).contains(&variable.0));
            Some(within.map(|&(offset, variable, ty)| (offset - start, variable, ty)).collect())
        };
        let (Some(target), Some(source)) = (copy.call.arg(0), copy.call.arg(1)) else { return };
        let align = |index: u32, offset: u64| {
            let known = copy.call.int_attribute(AttributePlace::Param(index), "align").unwrap_or(1);
            let here = if offset == 0 { known } else { known.min(1 << offset.trailing_zeros().min(12)) };
            here.max(1) as u32
        };
        self.before(copy.call);
        match (variables(copy.to), variables(copy.from)) {
            (None, None) => return,
            (Some(to), Some(from)) => {
                for (offset, variable, ty) in to {
                    let Some(&(_, source, other)) = from.iter().find(|from| from.0 == offset) else { continue };
                    self.store(self.as_type(self.load(source, other), ty), variable);
                }
            }
            (Some(to), None) => {
                for (offset, variable, ty) in to {
                    let place = self.builder.offset(source, offset);
                    self.store(self.builder.load(ty, place, align(1, offset)), variable);
                }
            }
            (None, Some(from)) => {
                for (offset, variable, ty) in from {
                    let place = self.builder.offset(target, offset);
                    self.builder.store(self.load(variable, ty), place, align(0, offset));
                }
            }
        }
        copy.call.erase();
    }

    fn before(&self, instruction: Value) {
        self.builder.before(instruction);
        self.builder.set_location(instruction.debug_location());
    }

    fn load(&self, variable: Value, ty: Type) -> Value {
        self.builder.load(ty, variable, variable.alignment())
    }

    fn store(&self, value: Value, variable: Value) {
        self.builder.store(value, variable, variable.alignment());
    }

    fn as_type(&self, value: Value, ty: Type) -> Value {
        match (value.ty() == ty, ty.is_pointer()) {
            (true, _) => value,
            (_, true) => self.builder.cast(Opcode::LLVMIntToPtr, value, ty),
            (_, false) => self.builder.cast(Opcode::LLVMPtrToInt, value, ty),
        }
    }
}
