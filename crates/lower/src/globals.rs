//! The table of globals.

use whydunit_canonical::layout::{is_alike_everywhere, is_defined};
use whydunit_llvm::{Linkage as LlvmLinkage, Value};
use whydunit_model::{Global, Initializer, Linkage, NO_TYPE, names};

use crate::Context;

/// Lowers all globals, in the order of the address table.
pub(crate) fn lower_all(context: &mut Context) -> Vec<Global> {
    let symbols = context.symbols;
    (0..).zip(&symbols.globals).map(|(index, &global)| lower(context, index, global)).collect()
}

fn lower(context: &mut Context, index: u32, value: Value) -> Global {
    let name = value.name();
    let ty = value.value_type();
    let variable = value.global_debug_variable().map(|node| context.debug.global_variable(node));
    let (source_name, debug_type, loc) = match variable {
        Some((name, ty, loc)) => (Some(name), ty, loc),
        None => (names::readable(&name), NO_TYPE, None),
    };
    let init = match value.initializer().filter(|_| is_defined(value)) {
        Some(initializer) => context.initializer(initializer).0,
        None => Initializer::default(),
    };
    Global {
        name: if name.is_empty() { format!(".unnamed.{index}") } else { name },
        source_name,
        ty: debug_type,
        loc,
        linkage: linkage(value),
        size: context.module.size_of(ty),
        align: value.alignment().max(context.module.align_of(ty)),
        thread_local: value.is_thread_local(),
        constant: value.is_global_constant(),
        init,
    }
}

/// How a function is bound.
pub(crate) fn function_linkage(function: Value) -> Linkage {
    match linkage(function) {
        Linkage::Weak if is_alike_everywhere(function) => Linkage::Alike,
        other => other,
    }
}

/// How a function or global is bound.
fn linkage(value: Value) -> Linkage {
    use LlvmLinkage::*;
    // Whatever an ifunc resolves to, it is not a body of ours.
    if !is_defined(value) || !(value.is_function() || value.is_global_variable()) {
        return Linkage::Declared;
    }
    match value.linkage() {
        LLVMInternalLinkage | LLVMPrivateLinkage | LLVMLinkerPrivateLinkage | LLVMLinkerPrivateWeakLinkage => {
            Linkage::Internal
        }
        LLVMLinkOnceAnyLinkage
        | LLVMLinkOnceODRLinkage
        | LLVMLinkOnceODRAutoHideLinkage
        | LLVMWeakAnyLinkage
        | LLVMWeakODRLinkage
        | LLVMCommonLinkage
        | LLVMExternalWeakLinkage => Linkage::Weak,
        _ => Linkage::Strong,
    }
}
