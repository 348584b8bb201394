//! Types as sources name them.

use whydunit_model::{DebugType, Module, TypeId};

/// Steps from a type to what it stands for.
const MOST_STEPS: usize = 8;

/// A type as a compiler writes it, typedefs taken away; none for what no expression computes with.
pub fn written(module: &Module, mut ty: TypeId, cxx: bool) -> Option<String> {
    let mut stars = String::new();
    for _ in 0..MOST_STEPS {
        let struct_of = |name: &str, word: &str| match cxx {
            true => name.to_string(),
            false => format!("{word} {name}"),
        };
        let name = match module.types.get(ty as usize)? {
            DebugType::Alias { name, to } => match module.types.get(*to as usize) {
                // It has no other name.
                Some(DebugType::Struct { name: own, .. }) if own.is_empty() => struct_of(name, "struct"),
                Some(DebugType::Enum { name: own, .. }) if own.is_empty() => struct_of(name, "enum"),
                _ => {
                    ty = *to;
                    continue;
                }
            },
            DebugType::Pointer { to } => {
                stars.insert(0, '*');
                ty = *to;
                continue;
            }
            DebugType::Base { name, .. } => name.clone(),
            DebugType::Struct { name, .. } => struct_of(name, "struct"),
            DebugType::Enum { name, .. } => struct_of(name, "enum"),
            _ => return None,
        };
        return Some(if stars.is_empty() { name } else { format!("{name} {stars}") });
    }
    None
}

/// A type as a source of C names it: by its typedef, where it has one.
pub fn named(module: &Module, ty: TypeId) -> Option<String> {
    let mut stars = String::new();
    let mut at = ty;
    for _ in 0..MOST_STEPS {
        match module.types.get(at as usize)? {
            DebugType::Alias { name, .. } if !name.is_empty() => {
                return Some(if stars.is_empty() { name.clone() } else { format!("{name} {stars}") });
            }
            DebugType::Alias { to, .. } => at = *to,
            DebugType::Pointer { to } => {
                stars.insert(0, '*');
                at = *to;
            }
            _ => break,
        }
    }
    written(module, ty, false)
}
