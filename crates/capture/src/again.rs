//! A single unit compiled again, without its build: what an editor needs to know of a source that was just saved.

use whydunit_canonical::layout::Layout;
use whydunit_face::{bitcode, depend, recipe::Unit};
use whydunit_llvm::Module;
use whydunit_model::Module as Model;

use crate::{Store, clang, program, templates};

/// Sources and headers of a unit that are no longer what it was compiled from.
pub fn changed_since(unit: &Unit) -> Vec<std::path::PathBuf> {
    depend::changed(&unit.dependencies)
}

/// Compiles a unit of C or C++ as its build did the last time, to bitcode alone. The new unit is in the store, of no product yet. An
/// error is the compiler's first one.
pub fn compile_again(store: &Store, unit: &Unit) -> Result<Unit, String> {
    let clang = clang::find().ok_or_else(|| "clang is not installed".to_owned())?;
    templates::install(store, &clang).map_err(|error| error.to_string())?;
    bitcode::remake(store, &clang, unit, &[])
}

/// The program model of a unit, out of its bitcode: the one that recordings have, without the copy that records.
pub fn lowered(store: &Store, unit: &str) -> Result<Model, String> {
    let bitcode = program::bitcode(store, unit).map_err(|error| error.to_string())?;
    let name = store.bitcode(unit).display().to_string();
    let mut module = Module::parse(&bitcode, &name).map_err(|error| error.to_string())?;
    whydunit_canonical::canonicalise(&mut module).map_err(|error| error.to_string())?;
    whydunit_lower::lower(&module, &Layout::of(&module), unit).map_err(|error| error.to_string())
}
