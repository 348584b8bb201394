//! Lowers a canonical LLVM module to the program model.
//!
//! [`lower`] reads the module and changes nothing. What the model cannot express becomes a trap that carries the
//! instruction's text: a run that never reaches it replays all the same, and one that does ends with that message.
//!
//! Invariants
//! - The numbering of symbols and sites and the frames are those of [`whydunit_canonical::layout`].
//! - The same module gives the same model.

mod body;
mod calls;
mod constants;
mod debug;
mod demands;
mod globals;
mod instructions;
mod intrinsics;
mod leaves;
mod slots;
#[cfg(test)]
mod tests;
mod vectors;

use std::collections::HashMap;

use whydunit_canonical::layout::{Layout, Symbols};
use whydunit_llvm as llvm;
use whydunit_model as model;

use debug::{Debug, Tables};
use leaves::Types;

/// Why a module cannot be lowered at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The data layout is not that of x86-64.
    #[error("the module {module} was compiled for {triple}; only x86-64 is supported: compile it for this machine")]
    Target {
        /// Name of the module.
        module: String,
        /// Its target.
        triple: String,
    },
}

/// What all functions of a module share while it is lowered.
pub(crate) struct Context<'a> {
    pub module: &'a llvm::Module,
    pub symbols: &'a Symbols,
    pub types: Types<'a>,
    pub debug: Debug<'a>,
    pub callees: HashMap<llvm::Value, calls::Target>,
}

/// Lowers `module`, whose bitcode has the content hash `id`. `layout` is that of the module as it stands.
pub fn lower(module: &llvm::Module, layout: &Layout, id: &str) -> Result<model::Module, Error> {
    let Layout { symbols, sites } = layout;
    let triple = module.triple();
    if !triple.is_empty() && !triple.starts_with("x86_64") {
        return Err(Error::Target { module: module.name(), triple });
    }
    let mut context =
        Context { module, symbols, types: Types::new(module), debug: Debug::new(module), callees: HashMap::new() };
    let globals = globals::lower_all(&mut context);
    let mut functions = Vec::with_capacity(symbols.functions.len());
    for &function in &symbols.functions {
        functions.push(body::lower(&mut context, function, sites.first(function)));
    }
    for test in whydunit_canonical::own_tests(module) {
        let known = symbols.function(test).and_then(|index| functions.get_mut(index as usize));
        known.into_iter().for_each(|function| function.is_own_test = true);
    }
    // What a typedef calls a class of C++ without a name is known when all types were met.
    for (function, value) in functions.iter_mut().zip(&symbols.functions) {
        function.method = value.subprogram().and_then(|node| context.debug.method(node));
    }
    let source = context.debug.source();
    let optimised = context.debug.is_optimised();
    let Tables { files, types, language, classes, methods } = context.debug.finish();
    Ok(model::Module {
        id: id.to_owned(),
        source,
        files,
        globals,
        functions,
        types,
        language,
        classes,
        methods,
        sites: sites.total,
        optimised,
    })
}
