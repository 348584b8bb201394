//! What expressions can be made of besides what a function names: out of the models of the program.

use std::collections::HashSet;

use whydunit_capture::{Store, face::recipe::Unit};
use whydunit_model::effects::without_effects;
use whydunit_model::{DebugType, Module};
use whydunit_repair::Surroundings;
use whydunit_runtime::lookup;

use super::places::units;
use crate::failure::Failure;
use crate::types::written;

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

/// The functions of Rust without effects, by their names.
pub fn pure_of_rust(store: &Store) -> Result<HashSet<String>, Failure> {
    let mut modules = Vec::new();
    for (id, unit) in units(store)?.filter(|(_, unit)| unit.rust) {
        drop(unit);
        let Ok(bytes) = std::fs::read(store.model(&id)) else { continue };
        modules.extend(Module::from_bytes(&bytes));
    }
    let external = |name: &str| lookup(name).is_some_and(|known| known.log_free && known.writes.is_empty());
    // `f<T>` is `f` in a source.
    let plain = |name: &str| name.split('<').next().unwrap_or(name).to_string();
    Ok(without_effects(&modules, &external).into_iter().map(plain).collect())
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
