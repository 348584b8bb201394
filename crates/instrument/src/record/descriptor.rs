//! The module's descriptor, its registration and its leave.

use std::collections::HashSet;

use whydunit_canonical::{NATIVE, layout};
use whydunit_llvm::{AttributePlace, Linkage, Module, Type, Value, Visibility};

use super::context::{Context, DESCRIPTOR, REFERENCE};
use super::strip;
use crate::{guard, hooks};

/// Runs before the constructors of programs, whose priorities begin at 101.
const PRIORITY: u64 = 1;

pub(crate) fn add(context: &mut Context, id: &str, untouched: &[Value]) {
    let module = context.module;
    let (ptr, int, small) = (context.types.ptr, context.types.i64, context.types.i32);
    let local: Vec<Value> = context.symbols.globals.iter().copied().filter(|global| global.is_thread_local()).collect();
    let thread_local: HashSet<Value> = local.iter().copied().collect();

    let globals: Vec<Value> = context
        .symbols
        .globals
        .iter()
        .map(|&global| if thread_local.contains(&global) { ptr.zero() } else { global })
        .collect();
    let sizes: Vec<Value> =
        context.symbols.globals.iter().map(|&global| int.constant(initial_size(context, global))).collect();
    let (functions, bodies) = functions(context, untouched);

    let table = |name: &str, element: Type, values: &[Value]| {
        internal(module, name, module.array_type(element, values.len() as u64), module.const_array(element, values))
    };
    let count = |n: usize| small.constant(n as u64);
    let (n_globals, n_functions) = (count(globals.len()), count(functions.len()));
    let globals = table("wd.globals", ptr, &globals);
    let locals = || (0u64..).zip(&context.symbols.globals).filter(|(_, global)| thread_local.contains(global));
    let indices: Vec<Value> = locals().map(|(index, _)| small.constant(index)).collect();
    let addresses = hook(context, "wd.local_addresses", &[ptr], |context, function| {
        let Some(to) = function.param(0) else { return };
        for ((_, &global), place) in locals().zip(0..) {
            store_address(context, global, context.builder.offset(to, 8 * place));
        }
    });
    // Among the descriptors of the program or library that the module will be a part of.
    let own = internal(module, "wd.own", ptr, ptr.zero());
    own.set_section(ALL);
    own.set_alignment(8);
    let [tests, n_tests] = guard::table(module);
    let fields = [
        module.const_bytes(id.as_bytes()),
        n_globals,
        n_functions,
        small.constant(context.sites.total.into()),
        small.zero(),
        small.zero(),
        count(indices.len()),
        globals,
        table("wd.functions", ptr, &functions),
        table("wd.bodies", ptr, &bodies),
        table("wd.init_sizes", int, &sizes),
        table("wd.local_indices", small, &indices),
        addresses,
        bound(module, "__start_"),
        bound(module, "__stop_"),
        own,
        int.zero(),
        tests,
        n_tests,
    ];
    let descriptor = internal(module, DESCRIPTOR, context.descriptor.value_type(), module.const_struct(&fields));
    descriptor.set_alignment(16);
    own.set_initializer(descriptor);

    let enter = hook(context, "wd.enter", &[], |context, _| {
        for (index, &global) in locals() {
            store_address(context, global, context.builder.offset(globals, 8 * index));
        }
        context.call_plain("__wd_register", context.types.void, &[descriptor]);
    });
    let leave = hook(context, "wd.leave", &[], |context, _| {
        context.call_plain("__wd_unregister", context.types.void, &[descriptor]);
    });
    append(context, "llvm.global_ctors", enter);
    append(context, "llvm.global_dtors", leave);
}

/// The addresses of all functions of the module, and this module's own entries of those that it has: null where there is none.
fn functions(context: &Context, untouched: &[Value]) -> (Vec<Value>, Vec<Value>) {
    let (module, ptr) = (context.module, context.types.ptr);
    let (mut functions, mut bodies) = (Vec::new(), Vec::new());
    for (&function, index) in context.symbols.functions.iter().zip(0..) {
        let exported = context.thunks.get(&function).copied().unwrap_or(function);
        let stand_in = exported.name().starts_with(NATIVE);
        functions.push(if stand_in { ptr.zero() } else { exported });
        let recorded = function.is_function() && layout::is_defined(function) && !untouched.contains(&function);
        bodies.push(if !recorded {
            ptr.zero()
        } else if exported.is_local() {
            exported
        } else {
            // The linker may give the name to another definition; this is ours.
            let alias = module.add_alias(&format!("wd.entry.{index}"), exported.value_type(), exported);
            alias.set_linkage(Linkage::LLVMInternalLinkage);
            alias
        });
    }
    (functions, bodies)
}

/// Where the linker puts the addresses of all descriptors: of a name that it makes symbols of for the section's beginning and end.
const ALL: &str = "wd_modules";

/// The symbol that the linker makes of the beginning or the end of all descriptors.
fn bound(module: &Module, which: &str) -> Value {
    let symbol = module.add_global(&format!("{which}{ALL}"), module.ptr_type(0));
    symbol.set_linkage(Linkage::LLVMExternalLinkage);
    symbol.set_visibility(Visibility::LLVMHiddenVisibility);
    symbol
}

/// A new global of the module's own.
fn internal(module: &Module, name: &str, ty: Type, initial: Value) -> Value {
    let global = module.add_global(name, ty);
    global.set_initializer(initial);
    global.set_linkage(Linkage::LLVMInternalLinkage);
    global
}

/// Puts the descriptor in the place of what stands for it in code. It names all functions: to the optimiser, which works on functions that
/// refer to each other together, each function that knew it before would refer to all others.
pub(crate) fn resolve(module: &Module) {
    if let (Some(reference), Some(descriptor)) = (module.global(REFERENCE), module.global(DESCRIPTOR)) {
        reference.replace_all_uses_with(descriptor);
        reference.delete_global();
    }
}

/// Bytes of a global whose initial content the recording counts on; 0 for the others.
fn initial_size(context: &Context, global: Value) -> u64 {
    match global.initializer() {
        Some(initial) if !global.is_interposable() && !layout::is_zero(initial) => {
            context.module.size_of(global.value_type())
        }
        _ => 0,
    }
}

/// Stores the address of a thread-local global, as the calling thread has it.
fn store_address(context: &Context, global: Value, to: Value) {
    let function = context.intrinsic("llvm.threadlocal.address", &[context.types.ptr]);
    let address = context.builder.call_function(function, &[global]);
    context.builder.store(address, to, 8);
}

fn hook(context: &Context, name: &str, params: &[Type], code: impl FnOnce(&Context, Value)) -> Value {
    let module = context.module;
    let function = module.add_function(name, module.function_type(context.types.void, params, false));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(AttributePlace::Function, module.attribute("nounwind", 0));
    strip::restrict(context, function);
    context.builder.at_end(context.builder.append_block(function, ""));
    code(context, function);
    context.builder.ret(None);
    function
}

/// Adds a function to the module's constructors or destructors.
pub(crate) fn append(context: &Context, list: &str, function: Value) {
    hooks::append(context.module, list, function, PRIORITY);
}
