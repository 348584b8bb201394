//! `--wrap`: references to a name go to `__wrap_NAME`.
//!
//! The linker redirects undefined names of objects; instrumented code does not call a library function by its own name.
//! So the references of captured units are redirected in the bitcode, as units under ids of their own. `__real_NAME` is
//! left to the linker.

use whydunit_face::{
    recipe::{Argument, Recipe},
    store,
};
use whydunit_llvm::Module;

use super::Maker;
use crate::{Error, program};

/// Names that a link wraps, sorted.
fn wrapped(recipe: &Recipe) -> Vec<String> {
    let mut names: Vec<String> = recipe
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Linker(words) if words[0].trim_start_matches('-') == "wrap" => words.get(1).cloned(),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Makes the units of such a link with their references redirected, and takes those.
pub(super) fn apply(maker: &mut Maker, recipe: &Recipe) -> Result<(), Error> {
    let names = wrapped(recipe);
    if names.is_empty() {
        return Ok(());
    }
    let mut changed = Vec::new();
    for id in &recipe.units {
        let other = redirected(maker, id, &names)?;
        if other != *id {
            changed.push((id.clone(), other));
        }
    }
    let units: Vec<String> = changed.iter().map(|(_, other)| other.clone()).collect();
    maker.modules.make(&units)?;
    for (id, other) in changed {
        maker.modules.substitute(&id, &other);
    }
    Ok(())
}

/// Id of the unit with its references redirected; its own where it has none.
fn redirected(maker: &Maker, id: &str, names: &[String]) -> Result<String, Error> {
    let store = maker.store;
    let key = store::hash(format!("wrap {id} {names:?}").as_bytes());
    if let Some(unit) = store.known_compile(&key)
        && store.content(&store.bitcode(&unit.id), &unit.id).is_ok()
    {
        return Ok(unit.id);
    }
    let mut unit = program::unit(store, id)?;
    let bitcode = program::bitcode(store, id)?;
    let module = Module::parse(&bitcode, id).map_err(|error| Error::Module(error.to_string()))?;
    if redirect(&module, names) {
        let bitcode = module.bitcode();
        unit.id = store::hash(&bitcode);
        store.write(&store.bitcode(&unit.id), &bitcode)?;
    }
    store.describe_unit(&unit)?;
    store.keep_compile(&key, &unit)?;
    Ok(unit.id)
}

fn redirect(module: &Module, names: &[String]) -> bool {
    let mut changed = false;
    for name in names {
        let Some(function) = module.function(name).filter(|function| function.is_declaration()) else { continue };
        let wrapper = format!("__wrap_{name}");
        match module.function(&wrapper) {
            Some(known) => {
                function.replace_all_uses_with(known);
                function.delete_function();
            }
            None => function.set_name(&wrapper),
        }
        changed = true;
    }
    changed
}
