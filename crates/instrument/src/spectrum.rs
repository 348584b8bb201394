//! The spectrum flavour: flag bytes that tell which source lines and which outcomes of branches were executed.
//!
//! Flags are set by volatile stores: a crash, a kill or a hanging loop finds them set. A flag may stand at a function's
//! entry, on the way from a branch to a target, behind a call that may not come back, and at a label of computed
//! gotos; which of these places have one and what they tell is [`plan`]'s to say. Loops are rotated first, so that a loop's
//! own condition costs nothing inside of it.
//!
//! A line counts as executed when control came to one of its instructions. Where an instruction faults, the lines behind
//! it up to the next branch or call count as well.

mod graph;
mod insert;
mod plan;
mod returning;
mod statements;

use std::collections::HashSet;

use whydunit_canonical::{Notes, is_naked, layout};
use whydunit_llvm::{AttributePlace, Builder, Linkage, Module, TypeKind, Value};
use whydunit_model::SpectrumTable;

use crate::{Error, guard, hooks};
use graph::Graph;
use plan::Plan;
use returning::Returning;

/// The flags' name before the module's id.
const FLAGS: &str = "wd.flags.";

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
    let tests = guard::tests(module);
    table.tests = tests.iter().map(|(_, name)| name.clone()).collect();
    free_to_optimize(module);
    give_values(module);
    module.run_passes("function(unreachableblockelim,loop(loop-rotate))").map_err(wrap)?;
    let mut returning = Returning::default();
    let mut positions = statements::Positions::default();
    let mut counted = Vec::new();
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        if is_naked(function) || resolvers.contains(&function) {
            notes.lines.push(format!("{}: not counted", function.name()));
            continue;
        }
        let graph = Graph::new(function, &mut |call| returning.call(call));
        let source = positions.source(function, &graph, &mut table.files);
        let plan = Plan::new(&graph, &source, &mut table.flags);
        counted.push((function, graph, plan));
    }
    let bytes = u64::from(table.flags).next_multiple_of(4096).max(4096);
    let array = module.add_global(&format!("{FLAGS}{id}"), module.array_type(module.int_type(8), bytes));
    array.set_initializer(array.value_type().zero());
    array.set_linkage(Linkage::LLVMInternalLinkage);
    array.set_alignment(4096);
    array.set_section(".bss.wd_flags");
    for (function, graph, plan) in counted {
        insert::insert(module, function, &graph, &plan, array);
        statements::describe(function, plan, &mut table);
    }
    guard::add(module, &tests);
    module.strip_debug_info();
    module.verify().map_err(wrap)?;
    Ok((table, notes))
}

/// Without optimisation clang forbids passes and inlining for every function. Loops may be endless.
fn free_to_optimize(module: &Module) {
    let looping = module.metadata_kind("llvm.loop");
    for function in module.functions().filter(|&function| layout::is_defined(function)) {
        for name in ["optnone", "noinline", "mustprogress"] {
            function.remove_attribute(AttributePlace::Function, module.attribute(name, 0));
        }
        function.remove_attribute(AttributePlace::Function, module.string_attribute("frame-pointer", ""));
        function.blocks().filter_map(|block| block.terminator()).for_each(|end| end.set_metadata(looping, None));
    }
}

/// Gives each scalar of a frame the value 0 at its start. From one that is read before it is assigned the optimiser would else
/// conclude what it likes, as that a loop is never left: the run would be another one than that of the program as it is built.
fn give_values(module: &Module) {
    let builder = Builder::new(module);
    builder.set_location(None);
    for function in module.functions().filter(|&function| layout::is_defined(function) && !is_naked(function)) {
        let Some(entry) = function.blocks().next() else { continue };
        let scalars = entry.instructions().filter(|alloca| alloca.is_alloca() && layout::is_static(*alloca));
        for alloca in scalars.collect::<Vec<_>>() {
            let ty = alloca.allocated_type();
            if let (
                TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMPointerTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind,
                Some(next),
            ) = (ty.kind(), alloca.next_instruction())
            {
                builder.before_with_records(next);
                builder.store(ty.zero(), alloca, 0);
            }
        }
    }
}

/// Adds the constructor that registers a module's flags, if it has any. Only after optimisation: as long as nothing but
/// stores knows the flags, the optimiser sees that no pointer of the program leads to them.
pub(crate) fn register(module: &Module) {
    let Some(flags) = module.globals().find(|global| global.name().starts_with(FLAGS)) else { return };
    let id = flags.name()[FLAGS.len()..].to_owned();
    let bytes = flags.value_type().element_count();
    let (void, ptr) = (module.void_type(), module.ptr_type(0));
    let builder = Builder::new(module);
    let [tests, n_tests] = guard::table(module);
    let fields = [module.const_bytes(id.as_bytes()), module.int_type(64).constant(bytes), flags, tests, n_tests];
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
    hooks::append(module, "llvm.global_ctors", enter, 1);
}
