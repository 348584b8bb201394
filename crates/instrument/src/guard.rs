//! Tests that a run of another one leaves out: their functions return at once.

use whydunit_llvm::{Builder, IntPredicate, Linkage, Module, Value};

use crate::record::strip::copy_attributes;
use crate::{hooks, stand_in};

/// The table of a module's own tests: of each its name and a number, not 0 where it is left out, which the runtime sets.
const TABLE: &str = "wd.tests";
/// What the code of a test is called behind its guard.
const GUARDED: &str = ".wd.test";
/// Bytes of an entry: an address and a number.
const ENTRY: u64 = 16;
/// Where in an entry the number is.
const NUMBER: u64 = 8;

/// The functions of a module that are tests by themselves, with their names: to be asked for before the module is changed.
pub(crate) fn tests(module: &Module) -> Vec<(Value, String)> {
    whydunit_canonical::own_tests(module).into_iter().map(|test| (test, test.name())).collect()
}

/// Lets each of these functions return zero at once where it is left out. The table, where there are any.
pub(crate) fn add(module: &Module, tests: &[(Value, String)]) -> Option<Value> {
    if tests.is_empty() {
        return None;
    }
    let (ptr, int) = (module.ptr_type(0), module.int_type(64));
    let entry = module.struct_type(&[ptr, int]);
    let named = |name: &str| {
        let text = internal(module, "wd.test.name", module.const_bytes(format!("{name}\0").as_bytes()));
        module.const_struct(&[text, int.zero()])
    };
    let entries: Vec<Value> = tests.iter().map(|(_, name)| named(name)).collect();
    let table = internal(module, TABLE, module.const_array(entry, &entries));
    table.set_alignment(16);
    // To the optimiser nothing writes to it.
    hooks::keep(module, table);
    for ((function, _), index) in tests.iter().zip(0..) {
        guard(module, *function, (table, index * ENTRY + NUMBER));
    }
    Some(table)
}

/// The module's table and how many tests it has, to be told to the runtime; null and 0 of a module without tests.
pub(crate) fn table(module: &Module) -> [Value; 2] {
    let (ptr, int) = (module.ptr_type(0), module.int_type(64));
    module
        .global(TABLE)
        .map_or([ptr.zero(), int.zero()], |table| [table, int.constant(table.value_type().element_count())])
}

/// Puts a new function in the place of one, which looks whether it is left out, and else calls it.
fn guard(module: &Module, function: Value, (table, number): (Value, u64)) {
    let guard = stand_in::of(module, function, GUARDED);
    let builder = Builder::new(module);
    builder.set_location(None);
    let [entry, left_out, whole] = ["", "", ""].map(|name| builder.append_block(guard, name));
    let result = function.value_type().return_type().filter(|ty| !ty.is_void());
    builder.at_end(entry);
    let int = module.int_type(64);
    let is_left_out = builder.load(int, builder.offset(table, number), 8);
    is_left_out.set_volatile(true);
    builder.branch(builder.icmp(IntPredicate::LLVMIntNE, is_left_out, int.zero()), left_out, whole);
    builder.at_end(left_out);
    builder.ret(result.map(|ty| ty.zero()));
    builder.at_end(whole);
    let args: Vec<Value> = guard.params().collect();
    let call = builder.call_function(function, &args);
    copy_attributes(function, call, 0);
    call.set_calling_convention(function.calling_convention());
    builder.ret(result.map(|_| call));
}

/// A new global of the module's own.
fn internal(module: &Module, name: &str, initial: Value) -> Value {
    let global = module.add_global(name, initial.ty());
    global.set_initializer(initial);
    global.set_linkage(Linkage::LLVMInternalLinkage);
    global
}
