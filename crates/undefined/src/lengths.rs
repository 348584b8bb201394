//! Arrays of variable length.

use whydunit_model::{DebugType, Function, Module, TypeId};
use whydunit_replay::At;

use crate::kind::Kind;

/// That the array of variable length which stack object `object` becomes has no elements, or less. None where it has some, and where the
/// object is no such array: `alloca` may be asked for nothing.
pub fn broken(at: &At<'_>, object: u32, count: u64) -> Option<(Kind, String)> {
    if count.cast_signed() > 0 {
        return None;
    }
    let name = variable_array(at.module(), at.model, object)?;
    let length = count.cast_signed();
    Some((Kind::ArrayLength, format!("the array `{name}` of variable length gets {length} elements")))
}

/// The name of the array of variable length that a stack object is.
fn variable_array<'a>(module: &Module, function: &'a Function, object: u32) -> Option<&'a str> {
    let variable = function.variables.iter().find(|variable| variable.object == Some(object))?;
    is_variable_array(module, variable.ty).then_some(&variable.name[..])
}

fn is_variable_array(module: &Module, mut ty: TypeId) -> bool {
    // Arrays of arrays and aliases.
    for _ in 0..64 {
        match module.types.get(ty as usize) {
            Some(DebugType::Array { count: None, .. }) => return true,
            Some(DebugType::Array { element: inner, .. } | DebugType::Alias { to: inner, .. }) => ty = *inner,
            _ => return false,
        }
    }
    false
}
