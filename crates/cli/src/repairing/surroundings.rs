//! What expressions can be made of besides what a function names: out of the models of the program.

use std::collections::HashSet;

use whydunit_capture::{Store, face::recipe::Unit};
use whydunit_model::effects::without_effects;
use whydunit_model::{DebugType, Module, TypeId};
use whydunit_repair::Surroundings;
use whydunit_runtime::lookup;

use super::places::units;
use crate::failure::Failure;

/// Steps from a type to what it stands for.
const MOST_STEPS: usize = 8;

/// What the store's units of C and C++ have.
pub fn surroundings(store: &Store) -> Result<Surroundings, Failure> {
    let mut modules = Vec::new();
    let mut around = Surroundings::default();
    for (id, unit) in units(store)? {
        let Unit { rust: false, cxx, .. } = unit else { continue };
        // A unit that nothing linked has no model.
        let Ok(bytes) = std::fs::read(store.model(&id)) else { continue };
        let Ok(module) = Module::from_bytes(&bytes) else { continue };
        add_types(&module, cxx, &mut around);
        modules.push(module);
    }
    let external =
        |name: &str| lookup(name).is_some_and(|known| (known.log_free || known.constant) && known.writes.is_empty());
    around.pure = without_effects(&modules, &external).into_iter().map(String::from).collect::<HashSet<_>>();
    Ok(around)
}

/// Adds structures and enumerations.
fn add_types(module: &Module, cxx: bool, around: &mut Surroundings) {
    for ty in &module.types {
        let (alias, of) = match ty {
            DebugType::Alias { name, to } => (Some(name), module.types.get(*to as usize).unwrap_or(ty)),
            other => (None, other),
        };
        match of {
            DebugType::Struct { name, members, union: false, .. } => {
                let named = members.iter().filter(|member| !member.name.is_empty());
                let list = named.filter_map(|member| Some((member.name.clone(), written(module, member.ty, cxx)?)));
                around.members.insert(alias.unwrap_or(name).clone(), list.collect());
            }
            DebugType::Enum { name, values, .. } => {
                let values: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
                let enumeration = (alias.unwrap_or(name).clone(), values);
                if !around.enumerations.contains(&enumeration) {
                    around.enumerations.push(enumeration);
                }
            }
            _ => {}
        }
    }
}

/// A type as a compiler writes it, typedefs taken away; none for what no expression computes with.
fn written(module: &Module, mut ty: TypeId, cxx: bool) -> Option<String> {
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
