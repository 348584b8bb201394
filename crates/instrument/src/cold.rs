//! Functions that are not executed in what is recorded: code of them is made quickly, and not to be fast.

use whydunit_llvm::{AttributePlace, Module, Value};

use crate::record::BODY;

/// Keeps functions of an instrumented module from being optimised that are `cold` by their names as [`whydunit_model::names::readable`] gives them, where
/// there is such a name. They are recorded as any other where they are executed after all.
pub fn leave_unoptimised(module: &Module, cold: impl Fn(&str) -> bool) {
    let (unoptimised, apart) = (module.attribute("optnone", 0), module.attribute("noinline", 0));
    for function in module.functions().filter(|&function| is_cold(function, &cold)) {
        function.add_attribute(AttributePlace::Function, unoptimised);
        function.add_attribute(AttributePlace::Function, apart);
    }
}

/// Whether this is the code of such a function.
fn is_cold(function: Value, cold: &impl Fn(&str) -> bool) -> bool {
    if function.is_declaration() || function.has_attribute(AttributePlace::Function, "alwaysinline") {
        return false;
    }
    let name = function.name();
    let name = name.strip_suffix(BODY).unwrap_or(&name);
    match whydunit_model::names::readable(name) {
        Some(readable) => cold(&readable),
        None => cold(name),
    }
}
