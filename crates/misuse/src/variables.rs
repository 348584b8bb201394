//! What is known of variables beforehand: which of a function's are structures, by name, and which globals of the library never change.

use std::collections::BTreeSet;

use whydunit_dataflow::{GlobalId, Program};
use whydunit_model::{Const, DebugType, Function, Linkage, Module, Op, Symbol, TypeId};

/// A structure that is a variable of a function, or a part of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Structure {
    /// Number of the stack object.
    pub object: u32,
    /// Bytes from its start.
    pub offset: i64,
    /// One of the names of its type: the structure's or a typedef's.
    pub name: String,
}

/// Structures in structures are looked at so deep.
const DEEPEST: usize = 4;

/// The structures among a function's variables that live in memory, parameters left out: each with all of its names.
pub(crate) fn structures(module: &Module, function: &Function) -> Vec<Structure> {
    let mut out = Vec::new();
    for variable in function.variables.iter().filter(|it| it.arg == 0 && !it.indirect) {
        let Some(object) = variable.object else { continue };
        collect(module, variable.ty, &mut |offset, name| {
            out.push(Structure { object, offset, name: name.to_owned() });
        });
    }
    out
}

/// Calls `found` with the offset and the name of each structure in a type.
fn collect(module: &Module, ty: TypeId, found: &mut impl FnMut(i64, &str)) {
    let mut todo = vec![(ty, 0i64, 0usize)];
    while let Some((ty, offset, depth)) = todo.pop() {
        match module.types.get(ty as usize) {
            Some(DebugType::Alias { name, to }) if depth < 4 * DEEPEST => {
                if !name.is_empty() && is_structure(module, *to) {
                    found(offset, name);
                }
                todo.push((*to, offset, depth + 1));
            }
            Some(DebugType::Struct { name, members, union: false, .. }) => {
                found(offset, name);
                if depth < DEEPEST {
                    let inner = members.iter().filter(|member| member.bit_size == 0);
                    todo.extend(inner.map(|member| (member.ty, offset + (member.bit_offset / 8) as i64, depth + 1)));
                }
            }
            _ => {}
        }
    }
}

/// Whether a type is a structure, by whatever names.
fn is_structure(module: &Module, mut ty: TypeId) -> bool {
    for _ in 0..16 {
        match module.types.get(ty as usize) {
            Some(DebugType::Alias { to, .. }) => ty = *to,
            other => return matches!(other, Some(DebugType::Struct { union: false, .. })),
        }
    }
    false
}

/// The library's variables for the standard streams, which nobody changes: those that the program does not write to.
pub(crate) fn standard_streams(program: &Program) -> BTreeSet<GlobalId> {
    let stream = |id: GlobalId| {
        let global = program.global(id);
        global.linkage == Linkage::Declared && matches!(global.name.as_str(), "stdin" | "stdout" | "stderr")
    };
    let meant = |id: GlobalId| program.meant_global(id);
    let mut streams: BTreeSet<GlobalId> =
        program.globals().filter(|&id| stream(id) && stream(meant(id))).map(meant).collect();
    for (module, unit) in program.modules().iter().enumerate() {
        for function in &unit.functions {
            let stored = |index: u32| {
                function
                    .code
                    .iter()
                    .any(|op| matches!(op, Op::Store { addr, .. } if addr.is_const() && addr.index() == index))
            };
            for (index, constant) in (0..).zip(&function.consts) {
                if let Const::Addr(Symbol::Global(global), _) = *constant {
                    let global = meant(program.global_id(module, global));
                    if streams.contains(&global) && stored(index) {
                        streams.remove(&global);
                    }
                }
            }
        }
    }
    streams
}
