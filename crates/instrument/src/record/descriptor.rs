//! The module's descriptor, its registration and its leave.

use std::collections::HashSet;

use whydunit_canonical::{NATIVE, layout};
use whydunit_llvm::{AttributePlace, Linkage, Type, Value};

use super::{context::Context, strip};

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

    let table = |name: &str, element: Type, values: &[Value]| {
        let global = module.add_global(name, module.array_type(element, values.len() as u64));
        global.set_initializer(module.const_array(element, values));
        global.set_linkage(Linkage::LLVMInternalLinkage);
        global
    };
    let count = |n: usize| small.constant(n as u64);
    let (n_globals, n_functions) = (count(globals.len()), count(functions.len()));
    let globals = table("wd.globals", ptr, &globals);
    let fields = [
        module.const_bytes(id.as_bytes()),
        n_globals,
        n_functions,
        small.constant(context.sites.total.into()),
        small.zero(),
        small.zero(),
        small.zero(),
        globals,
        table("wd.functions", ptr, &functions),
        table("wd.bodies", ptr, &bodies),
        table("wd.init_sizes", int, &sizes),
    ];
    context.descriptor.set_initializer(module.const_struct(&fields));
    context.descriptor.set_linkage(Linkage::LLVMInternalLinkage);
    context.descriptor.set_alignment(16);

    let enter = hook(context, "wd.enter", |context| {
        for (&global, index) in context.symbols.globals.iter().zip(0..) {
            if thread_local.contains(&global) {
                let function = context.intrinsic("llvm.threadlocal.address", &[ptr]);
                let address = context.builder.call_function(function, &[global]);
                context.builder.store(address, context.builder.offset(globals, 8 * index), 8);
            }
        }
        context.call_plain("__wd_register", context.types.void, &[context.descriptor]);
    });
    let leave = hook(context, "wd.leave", |context| {
        context.call_plain("__wd_unregister", context.types.void, &[context.descriptor]);
    });
    append(context, "llvm.global_ctors", enter);
    append(context, "llvm.global_dtors", leave);
}

/// Bytes of a global whose initial content the recording counts on; 0 for the others.
fn initial_size(context: &Context, global: Value) -> u64 {
    match global.initializer() {
        Some(initial) if !global.is_interposable() && !initial.is_null() => context.module.size_of(global.value_type()),
        _ => 0,
    }
}

fn hook(context: &Context, name: &str, code: impl FnOnce(&Context)) -> Value {
    let module = context.module;
    let function = module.add_function(name, module.function_type(context.types.void, &[], false));
    function.set_linkage(Linkage::LLVMInternalLinkage);
    function.add_attribute(AttributePlace::Function, module.attribute("nounwind", 0));
    strip::restrict(context, function);
    context.builder.at_end(context.builder.append_block(function, ""));
    code(context);
    context.builder.ret(None);
    function
}

/// Adds a function to the module's constructors or destructors.
pub(crate) fn append(context: &Context, list: &str, function: Value) {
    append_hook(context.module, list, function, PRIORITY);
}

/// Adds a function with a priority to a list of constructors or destructors.
pub(crate) fn append_hook(module: &whydunit_llvm::Module, list: &str, function: Value, priority: u64) {
    let (ptr, small) = (module.ptr_type(0), module.int_type(32));
    let mut entries = vec![module.const_struct(&[small.constant(priority), function, ptr.zero()])];
    entries.extend(entries_of(module, list));
    replace_list(module, list, &entries);
}

/// Takes the keys out of a list of constructors or destructors: with them a linker would leave entries out.
pub(crate) fn forget_keys(module: &whydunit_llvm::Module, list: &str) {
    let ptr = module.ptr_type(0);
    let entries: Vec<Value> = entries_of(module, list)
        .into_iter()
        .filter_map(|entry| {
            let (priority, function) = (entry.aggregate_element(0)?, entry.aggregate_element(1)?);
            Some(module.const_struct(&[priority, function, ptr.zero()]))
        })
        .collect();
    if !entries.is_empty() {
        replace_list(module, list, &entries);
    }
}

fn entries_of(module: &whydunit_llvm::Module, list: &str) -> Vec<Value> {
    let Some(initial) = module.global(list).and_then(Value::initializer) else { return Vec::new() };
    let count = initial.ty().element_count();
    (0..count).filter_map(|index| initial.aggregate_element(index as u32)).collect()
}

fn replace_list(module: &whydunit_llvm::Module, list: &str, entries: &[Value]) {
    let (ptr, small) = (module.ptr_type(0), module.int_type(32));
    let ty = module.struct_type(&[small, ptr, ptr]);
    let old = module.global(list);
    if let Some(old) = old {
        old.set_name("");
    }
    let fresh = module.add_global(list, module.array_type(ty, entries.len() as u64));
    fresh.set_initializer(module.const_array(ty, entries));
    fresh.set_linkage(Linkage::LLVMAppendingLinkage);
    if let Some(old) = old {
        old.delete_global();
    }
}
