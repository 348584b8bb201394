//! Canonical IR: what the program model and the instrumented copy are both made from.
//!
//! [`canonicalise`] turns a module as clang emits it without optimisation into the IR that docs/engine.md, section 1,
//! describes. [`layout`] numbers and places what both sides must number and place alike.
//!
//! Boundary: reads and rewrites LLVM modules only; what a function of the C library does comes from the table in
//! `whydunit-runtime`.

mod aggregate;
mod byval;
mod indirect;
mod inline;
mod intrinsic;
pub mod layout;
mod libm;
mod local;
mod own_tests;
mod place;
mod promote;
mod safepoint;
mod scalars;
mod streams;
mod undef;

pub use own_tests::own_tests;
pub use place::{is_inlined_library, place};

use whydunit_llvm::{AttributePlace, Module, Opcode, Value};

/// Marker call: a safepoint.
pub const SAFEPOINT: &str = "wd.safepoint";
/// Marker call: the bytes at a pointer are about to be passed by value, or to the library in a way that no wrapper sees.
pub const CHECK_RANGE: &str = "wd.check.range";
/// Marker call: copies a by-value parameter to the callee's own object.
pub const BYVAL_COPY: &str = "wd.byval.copy";
/// Prefix of the stand-ins for intrinsics that the model does not have: `native.llvm.x86.sse2.pause` is a declared
/// function for the model, whose result is recorded, and the intrinsic again in the compiled copy.
pub const NATIVE: &str = "native.";

/// What went differently than the reader of the program would think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// One line each: what, and in which function.
    pub lines: Vec<String>,
}

/// Why a module cannot be brought to canonical form.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A pass failed or left a broken module.
    #[error("canonical form of {module}: {source}")]
    Llvm {
        /// The module.
        module: String,
        /// LLVM's reason.
        source: whydunit_llvm::Error,
    },
}

/// Brings a module to canonical form. The module should come from clang without optimisation (`-O0`, optnone off).
pub fn canonicalise(module: &mut Module) -> Result<Notes, Error> {
    let mut notes = Notes::default();
    let wrap = |source| Error::Llvm { module: module.name(), source };
    prepare(module, &mut notes);
    module
        .run_passes("elim-avail-extern,function(lower-allow-check,lower-expect,lower-constant-intrinsics)")
        .map_err(wrap)?;
    inline::libraries(module).map_err(wrap)?;
    indirect::lower(module);
    local::ask_for_addresses(module);
    aggregate::split(module);
    if has_vectors(module) {
        module
            .run_passes("function(expand-reductions,scalarizer<load-store;variable-insert-extract>)")
            .map_err(wrap)?;
    }
    intrinsic::lower(module, &mut notes);
    module.run_passes("function(unreachableblockelim)").map_err(wrap)?;
    byval::lower(module);
    streams::check_bytes(module);
    scalars::split(module);
    promote::promote(module).map_err(wrap)?;
    undef::to_zero(module);
    safepoint::insert(module);
    module.verify().map_err(wrap)?;
    Ok(notes)
}

/// Whether a function is used for anything but being called directly.
pub fn escapes(function: Value) -> bool {
    safepoint::escapes(function)
}

/// Functions whose body is compiled here and is not raw assembly.
pub(crate) fn bodies(module: &Module) -> impl Iterator<Item = Value> + use<> {
    module.functions().filter(|&function| layout::is_defined(function) && !is_naked(function))
}

/// Whether a function's body is nothing but assembly: it is left as it is.
pub fn is_naked(function: Value) -> bool {
    function.has_attribute(AttributePlace::Function, "naked")
}

/// Whether a function has a call that may return twice.
pub fn calls_setjmp(function: Value) -> bool {
    instructions(function).any(|instruction| instruction.is_call() && layout::is_setjmp(instruction))
}

/// All instructions of a function.
pub(crate) fn instructions(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().flat_map(|block| block.instructions())
}

fn has_vectors(module: &Module) -> bool {
    bodies(module).flat_map(instructions).any(|instruction| {
        instruction.ty().is_vector()
            || (instruction.opcode() == Opcode::LLVMStore || instruction.calls())
                && instruction.operands().any(|operand| operand.ty().is_vector())
    })
}

/// Whether a call is there only so that a function of rustc's, which does nothing, is linked.
fn is_only_linked(call: Value) -> bool {
    let name = call.called_function().map(Value::name).unwrap_or_default();
    call.ty().is_void()
        && whydunit_library::of_rustc(&name).is_some_and(|name| name.starts_with("__rust_no_alloc_shim_is_unstable"))
}

/// Attributes that would keep passes away, tail calls that nothing may follow, assembly that is only a barrier.
fn prepare(module: &Module, notes: &mut Notes) {
    let optnone = module.attribute("optnone", 0);
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        function.remove_attribute(AttributePlace::Function, optnone);
        if is_naked(function) {
            notes.lines.push(format!("{}: a naked function is not captured", function.name()));
            continue;
        }
        for instruction in instructions(function) {
            if !instruction.is_call() {
                if instruction.opcode() == Opcode::LLVMCallBr {
                    notes.lines.push(format!("{}: assembly that jumps is not supported", function.name()));
                }
                continue;
            }
            instruction.set_must_tail(false);
            let barrier = instruction
                .called()
                .and_then(Value::inline_asm)
                .is_some_and(|(text, _)| text.trim().is_empty() && instruction.ty().is_void())
                && instruction.arg_count() == 0;
            if barrier || is_only_linked(instruction) {
                instruction.erase();
            }
        }
    }
}
