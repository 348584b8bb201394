//! The spectrum flavour: a flag byte for each function's entry and each outcome of a branch, and what they tell of each
//! source statement.
//!
//! The flags are set by volatile stores at the head of the block that they stand for: a crash, a kill or a hanging loop
//! finds them set. A flag is left out where the block behind it can do nothing but reach its own branch: then that
//! branch's flags tell.

mod flags;
mod statements;

use std::collections::HashSet;

use whydunit_canonical::{Notes, is_naked, layout};
use whydunit_llvm::{AttributePlace, Builder, Linkage, Module, Value};
use whydunit_model::SpectrumTable;

use crate::{Error, record::append_hook};
use flags::Flags;

/// Instruments a freshly parsed module for spectra. `id` is the content hash of its bitcode in hexadecimal. Debug
/// information is dropped from the module.
pub fn spectrum(module: &mut Module, id: &str) -> Result<(SpectrumTable, Notes), Error> {
    if id.len() != 64 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Error::Id(id.to_owned()));
    }
    let mut notes = Notes::default();
    let wrap = |source| Error::Llvm { step: "spectrum", module: module.name(), source };
    let mut table = SpectrumTable { id: id.to_owned(), ..SpectrumTable::default() };
    let resolvers: HashSet<Value> = module.ifuncs().filter_map(|ifunc| ifunc.ifunc_resolver()).collect();
    free_to_optimize(module);
    module.run_passes("function(unreachableblockelim)").map_err(wrap)?;
    let mut positions = statements::Positions::default();
    let mut counted = Vec::new();
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        if is_naked(function) || resolvers.contains(&function) {
            notes.lines.push(format!("{}: not counted", function.name()));
            continue;
        }
        let flags = Flags::plan(function, &mut table.flags);
        statements::describe(function, &flags, &mut positions, &mut table);
        counted.push((function, flags));
    }
    let bytes = u64::from(table.flags).next_multiple_of(4096).max(4096);
    let array = module.add_global("wd.flags", module.array_type(module.int_type(8), bytes));
    array.set_initializer(array.value_type().zero());
    array.set_linkage(Linkage::LLVMInternalLinkage);
    array.set_alignment(4096);
    array.set_section(".bss.wd_flags");
    for (function, flags) in &counted {
        flags.insert(module, *function, array);
    }
    module.strip_debug_info();
    register(module, id, array, bytes);
    module.verify().map_err(wrap)?;
    Ok((table, notes))
}

/// Without optimisation clang forbids passes and inlining for every function.
fn free_to_optimize(module: &Module) {
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        for name in ["optnone", "noinline"] {
            function.remove_attribute(AttributePlace::Function, module.attribute(name, 0));
        }
        function.remove_attribute(AttributePlace::Function, module.string_attribute("frame-pointer", ""));
    }
}

fn register(module: &Module, id: &str, flags: Value, bytes: u64) {
    let (void, ptr) = (module.void_type(), module.ptr_type(0));
    let builder = Builder::new(module);
    let fields = [module.const_bytes(id.as_bytes()), module.int_type(64).constant(bytes), flags];
    let initial = module.const_struct(&fields);
    let descriptor = module.add_global("wd.spectrum", initial.ty());
    descriptor.set_initializer(initial);
    descriptor.set_linkage(Linkage::LLVMInternalLinkage);
    let enter = module.add_function("wd.spectrum.enter", module.function_type(void, &[], false));
    enter.set_linkage(Linkage::LLVMInternalLinkage);
    builder.at_end(builder.append_block(enter, ""));
    let ty = module.function_type(void, &[ptr], false);
    let function = module.get_or_declare("__wd_spectrum_register", ty);
    builder.call(ty, function, &[descriptor]);
    builder.ret(None);
    append_hook(module, "llvm.global_ctors", enter, 1);
}
