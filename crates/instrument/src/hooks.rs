//! Constructors and destructors of a module.

use whydunit_llvm::{Linkage, Module, Value};

/// Constructors, and the section in which the dynamic linker finds them.
const CONSTRUCTORS: (&str, &str) = ("llvm.global_ctors", ".init_array");
/// Destructors, likewise.
const DESTRUCTORS: (&str, &str) = ("llvm.global_dtors", ".fini_array");
/// The priority of those that have none.
const NO_PRIORITY: u64 = 65535;

/// Adds a function with a priority to a list of constructors or destructors.
pub(crate) fn append(module: &Module, list: &str, function: Value, priority: u64) {
    let (ptr, small) = (module.ptr_type(0), module.int_type(32));
    let mut entries = vec![module.const_struct(&[small.constant(priority), function, ptr.zero()])];
    entries.extend(entries_of(module, list));
    replace_list(module, list, &entries);
}

/// Lets the optimiser take a global for one that is used in ways that it does not see.
pub(crate) fn keep(module: &Module, global: Value) {
    const USED: &str = "llvm.compiler.used";
    let ptr = module.ptr_type(0);
    let old = module.global(USED);
    let initial = old.and_then(Value::initializer);
    let mut used: Vec<Value> = initial.into_iter().flat_map(Value::operands).collect();
    used.push(global);
    if let Some(old) = old {
        old.set_name("");
    }
    let fresh = module.add_global(USED, module.array_type(ptr, used.len() as u64));
    fresh.set_initializer(module.const_array(ptr, &used));
    fresh.set_linkage(Linkage::LLVMAppendingLinkage);
    fresh.set_section("llvm.metadata");
    if let Some(old) = old {
        old.delete_global();
    }
}

/// Takes the keys out of a list of constructors or destructors: with them a linker would leave entries out.
pub(crate) fn forget_keys(module: &Module, list: &str) {
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

fn entries_of(module: &Module, list: &str) -> Vec<Value> {
    let Some(initial) = module.global(list).and_then(Value::initializer) else { return Vec::new() };
    let count = initial.ty().element_count();
    (0..count).filter_map(|index| initial.aggregate_element(index as u32)).collect()
}

fn replace_list(module: &Module, list: &str, entries: &[Value]) {
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

/// Puts the functions of both lists into the sections that the dynamic linker reads. Left to itself LLVM's code generator
/// writes `.ctors`, which only GNU's linker turns into such sections.
pub(crate) fn to_arrays(module: &Module) {
    for (list, section) in [CONSTRUCTORS, DESTRUCTORS] {
        let mut entries: Vec<(u64, Value, Option<Value>)> = entries_of(module, list)
            .into_iter()
            .filter_map(|entry| {
                let priority = entry.aggregate_element(0)?.int_value()?;
                let key = entry.aggregate_element(2).filter(|key| key.is_global_value());
                Some((priority, entry.aggregate_element(1)?, key))
            })
            .collect();
        entries.sort_by_key(|(priority, ..)| *priority);
        for (index, (priority, function, key)) in entries.into_iter().enumerate() {
            let slot = module.add_global(&format!("wd{section}.{index}"), module.ptr_type(0));
            slot.set_initializer(function);
            slot.set_linkage(Linkage::LLVMInternalLinkage);
            slot.set_alignment(8);
            slot.set_section(&if priority == NO_PRIORITY {
                section.to_owned()
            } else {
                format!("{section}.{priority}")
            });
            if let Some(key) = key {
                module.join_comdat(slot, key);
            }
        }
        if let Some(old) = module.global(list) {
            old.delete_global();
        }
    }
}
