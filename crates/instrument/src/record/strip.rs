//! What must not be assumed of the compiled copy: attributes, flags, metadata.
//!
//! The copy must do exactly what the replay of the model does, whatever the source's undefined behaviour. So only what
//! the calling convention and the code generator need stays.

use std::collections::HashSet;
use std::sync::OnceLock;

use whydunit_llvm::{Attribute, AttributePlace, Value, attribute_kind};

use super::context::Context;

/// Attributes of functions and calls that stay. `noinline` does not: without optimisation clang gives it to all.
const OF_FUNCTIONS: &[&str] = &[
    "alwaysinline",
    "builtin",
    "cold",
    "hot",
    "inlinehint",
    "minsize",
    "naked",
    "noduplicate",
    "noimplicitfloat",
    "noredzone",
    "nounwind",
    "optsize",
    "returns_twice",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "uwtable",
    "nocf_check",
];
/// Attributes of parameters and results that stay: where and how a value is passed.
const OF_VALUES: &[&str] = &[
    "zeroext",
    "signext",
    "inreg",
    "byval",
    "sret",
    "nest",
    "elementtype",
    "immarg",
    "preallocated",
    "inalloca",
    "swiftself",
    "swifterror",
    "swiftasync",
];
const TEXTS: &[&str] = &[
    "target-cpu",
    "target-features",
    "tune-cpu",
    "stack-protector-buffer-size",
    "probe-stack",
    "stack-probe-size",
    "patchable-function",
    "min-legal-vector-width",
];

fn kinds(of: &'static OnceLock<HashSet<u32>>, names: &[&str]) -> &'static HashSet<u32> {
    of.get_or_init(|| names.iter().map(|name| attribute_kind(name)).filter(|&kind| kind != 0).collect())
}

fn stays(attribute: Attribute, place: AttributePlace, aligned: bool) -> bool {
    static FUNCTIONS: OnceLock<HashSet<u32>> = OnceLock::new();
    static VALUES: OnceLock<HashSet<u32>> = OnceLock::new();
    match attribute.kind() {
        Some(kind) if place == AttributePlace::Function => kinds(&FUNCTIONS, OF_FUNCTIONS).contains(&kind),
        // The alignment of a by-value argument says where it lies.
        Some(kind) if aligned && kind == attribute_kind("align") => true,
        Some(kind) => kinds(&VALUES, OF_VALUES).contains(&kind),
        None => attribute.key().is_some_and(|key| TEXTS.contains(&key.as_str())),
    }
}

/// Strips a function or a call.
pub(crate) fn attributes(value: Value) {
    let params = if value.is_function() { value.param_count() } else { value.arg_count() };
    let places =
        [AttributePlace::Function, AttributePlace::Return].into_iter().chain((0..params).map(AttributePlace::Param));
    for place in places {
        let all = value.attributes(place);
        if all.is_empty() {
            continue;
        }
        let aligned = value.has_attribute(place, "byval");
        for attribute in all {
            if !stays(attribute, place, aligned) {
                value.remove_attribute(place, attribute);
            }
        }
    }
}

/// Copies what is left of the attributes from one function or call to another, the parameters shifted.
pub(crate) fn copy_attributes(from: Value, to: Value, shift: u32) {
    let params = if from.is_function() { from.param_count() } else { from.arg_count() };
    let places = [AttributePlace::Function, AttributePlace::Return]
        .into_iter()
        .map(|place| (place, place))
        .chain((0..params).map(|index| (AttributePlace::Param(index), AttributePlace::Param(index + shift))));
    for (source, target) in places {
        for attribute in from.attributes(source) {
            to.add_attribute(target, attribute);
        }
    }
}

/// Strips one instruction.
pub(crate) fn instruction(instruction: Value) {
    instruction.strip_flags();
    for kind in instruction.metadata_kinds() {
        instruction.set_metadata(kind, None);
    }
    if instruction.calls() {
        let intrinsic = instruction.called_function().is_some_and(|callee| callee.intrinsic_id() != 0);
        if !intrinsic {
            attributes(instruction);
        }
    }
}

/// Strips all functions but the intrinsics; those with a body get what the code generator must know instead.
pub(crate) fn module(context: &Context, untouched: &[Value]) {
    for function in context.module.functions() {
        if function.intrinsic_id() != 0 || untouched.contains(&function) {
            continue;
        }
        attributes(function);
        if !function.is_declaration() {
            restrict(context, function);
        }
    }
}

/// Says that a body must be compiled as it stands.
pub(crate) fn restrict(context: &Context, function: Value) {
    let module = context.module;
    for name in ["null_pointer_is_valid", "strictfp"] {
        function.add_attribute(AttributePlace::Function, module.attribute(name, 0));
    }
    function.add_attribute(AttributePlace::Function, module.string_attribute("no-builtins", ""));
}
