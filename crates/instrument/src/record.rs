//! The record flavour, in place on a canonical module.

mod abi;
mod arithmetic;
mod assembly;
mod body;
mod call;
pub(crate) mod context;
pub(crate) mod descriptor;
mod frame;
mod intrinsic;
mod memory;
mod rewrite;
mod stack;
pub(crate) mod strip;
mod thunk;
mod words;

pub(crate) use thunk::BODY;
use whydunit_canonical::{Notes, is_naked, layout};
use whydunit_llvm::{Linkage, Module};

use crate::{Error, guard, hooks};
use context::Context;

/// Who serves external code that calls a function of the module by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// The function here, as a callback that is recorded.
    Recorded,
    /// The compiled function that it is a copy of, which is there under its [`native_name`].
    Native,
}

/// How the [`native_name`] of a function begins, in the place of a first byte.
pub const NATIVE: char = '$';

/// What a compiled function is called whose name its recorded copy has taken; a name of the same length.
pub fn native_name(symbol: &str) -> String {
    std::iter::once(NATIVE).chain(symbol.chars().skip(1)).collect()
}

/// Instruments a canonical module for recording. `id` is the content hash of its bitcode in hexadecimal.
///
/// The module must be the very one that the program model was lowered from: site numbers and frame layouts are read off
/// it as it stands. Debug information is dropped.
pub fn record(module: &mut Module, id: &str, callee: Callee) -> Result<Notes, Error> {
    if id.len() != 64 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Error::Id(id.to_owned()));
    }
    let mut notes = Notes::default();
    let tests = guard::tests(module);
    let mut context = Context::new(module);
    module.strip_debug_info();
    let resolvers: Vec<_> = module.ifuncs().filter_map(|ifunc| ifunc.ifunc_resolver()).collect();
    let (mut bodies, mut untouched) = (Vec::new(), Vec::new());
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        if is_naked(function) {
            untouched.push(function);
        } else if resolvers.contains(&function) {
            // It runs before the runtime can: while the dynamic linker relocates.
            notes.lines.push(format!("{}: a resolver of an indirect function is not recorded", function.name()));
            untouched.push(function);
        } else {
            bodies.push(function);
        }
    }
    separate_comdats(&context);
    strip::module(&context, &untouched);
    thunk::separate(&mut context, &bodies);
    for &function in &bodies {
        rewrite::instrument(&mut context, function);
    }
    thunk::build(&context, callee);
    guard::add(module, &tests);
    for &function in &untouched {
        rewrite::replace_markers(&context, function);
    }
    descriptor::add(&mut context, id, &untouched);
    notes.lines.append(&mut context.notes);
    let source = module.verify();
    source.map_err(|source| Error::Llvm { step: "instrumentation", module: module.name(), source })?;
    Ok(notes)
}

/// COMDATs go: the linker would throw away parts of a module whose tables name them. Weak symbols stay one all the same, and
/// what initialises them is guarded.
fn separate_comdats(context: &Context) {
    let module = context.module;
    for object in module.functions().chain(module.globals()).filter(|object| !object.is_declaration()) {
        module.leave_comdat(object);
        match object.linkage() {
            Linkage::LLVMLinkOnceAnyLinkage => object.set_linkage(Linkage::LLVMWeakAnyLinkage),
            Linkage::LLVMLinkOnceODRLinkage | Linkage::LLVMLinkOnceODRAutoHideLinkage => {
                object.set_linkage(Linkage::LLVMWeakODRLinkage);
            }
            _ => {}
        }
    }
    hooks::forget_keys(module, "llvm.global_ctors");
    hooks::forget_keys(module, "llvm.global_dtors");
}
