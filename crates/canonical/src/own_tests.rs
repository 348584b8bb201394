//! Functions that are tests by themselves, in programs whose tests a framework that lists them, or a `main` of their own, runs one after
//! the other in one process.

use whydunit_llvm::{AttributePlace, Linkage, Module, Type, Value};
use whydunit_model::names;

use crate::{is_naked, layout};

/// So many entries of a table of tests are looked at.
const MOST_ENTRIES: u64 = 4096;

/// The functions of a module that are tests by themselves, in the module's order: their name says so (`test_parse`, `parse_test`,
/// `TestParse`), they take what a runner gives to a test (nothing, a number, pointers), return nothing, a number or a pointer, and neither
/// call nor name another one, as functions that run several tests do. Without effect, such a function returns zero.
pub fn own_tests(module: &Module) -> Vec<Value> {
    let named: Vec<Value> = module.functions().filter(|&function| may_be_test(function)).collect();
    let is_whole = |function: &Value| {
        let linkage = function.linkage();
        layout::is_defined(*function)
            && !is_naked(*function)
            && matches!(linkage, Linkage::LLVMExternalLinkage | Linkage::LLVMInternalLinkage)
    };
    let runs_others = |function: Value| {
        let mut operands = function.blocks().flat_map(|block| block.instructions()).flat_map(Value::operands);
        operands.any(|operand| names_other(operand, function, &named))
    };
    named.iter().copied().filter(is_whole).filter(|&function| !runs_others(function)).collect()
}

/// Whether a constant is, or has among its elements, a function that may be a test and is not this one.
fn names_other(value: Value, function: Value, named: &[Value]) -> bool {
    if value.is_function() {
        return value != function && named.contains(&value);
    }
    let Some(table) = Some(value).filter(|value| value.is_global_variable()).and_then(Value::initializer) else {
        return false;
    };
    in_table(table, function, named)
}

fn in_table(table: Value, function: Value, named: &[Value]) -> bool {
    if table.is_function() {
        return table != function && named.contains(&table);
    }
    if !table.ty().is_aggregate() {
        return false;
    }
    let entries = table.ty().element_count().min(MOST_ENTRIES) as u32;
    (0..entries).filter_map(|index| table.aggregate_element(index)).any(|entry| in_table(entry, function, named))
}

/// Whether a function is called like a test and could be called as one.
fn may_be_test(function: Value) -> bool {
    let ty = function.value_type();
    let result = ty.return_type().unwrap_or_else(|| function.ty());
    let is_scalar = |ty: Type| ty.is_int() && ty.int_width() <= 64 || ty.is_pointer();
    let params = ty.param_types();
    let as_test = match params[..] {
        [] => true,
        [only] => is_scalar(only),
        [a, b] => a.is_pointer() && b.is_pointer(),
        _ => false,
    };
    let by_value = |index: u32| {
        ["byval", "sret"].iter().any(|kind| function.type_attribute(AttributePlace::Param(index), kind).is_some())
    };
    as_test
        && !ty.is_variadic()
        && (result.is_void() || is_scalar(result))
        && !(0..params.len() as u32).any(by_value)
        && is_name_of_test(&function.name())
}

/// Whether a symbol is the name of a test: it begins with `test`, or has it as its last word (frameworks have functions like
/// `ConcludeTest`). Of C++ only functions that are no methods count.
fn is_name_of_test(symbol: &str) -> bool {
    let readable = names::readable(symbol);
    let name = readable.as_deref().unwrap_or(symbol);
    let name = name.strip_prefix("(anonymous namespace)::").unwrap_or(name);
    if name.contains(['.', ':', '<']) {
        return false;
    }
    let name = name.trim_matches('_');
    let lower = name.to_ascii_lowercase();
    let last = name.rsplit('_').next().unwrap_or(name);
    lower.starts_with("test") || last.eq_ignore_ascii_case("test")
}

#[cfg(test)]
mod tests {
    use whydunit_llvm::Module;

    use super::{is_name_of_test, own_tests};

    #[test]
    fn names_of_tests_begin_or_end_with_the_word() {
        for name in ["test_parse", "parse_test", "TestParse", "_ZL9test_pushv", "__test_a"] {
            assert!(is_name_of_test(name), "{name}");
        }
        for name in ["main", "latest", "contest", "run_tests_of", "UnityConcludeTest", "llvm.test", "_ZN4Foo_4testEv"] {
            assert!(!is_name_of_test(name), "{name}");
        }
    }

    #[test]
    fn what_runs_others_is_no_test_nor_is_what_takes_more_than_a_runner_gives() {
        let text = r#"
            @tests = internal constant [2 x ptr] [ptr @test_a, ptr @test_b]
            declare void @test_elsewhere()
            define internal void @test_a() { ret void }
            define ptr @test_b() { ret ptr null }
            define i32 @test_bit(i32 %bit, ptr %set) { ret i32 0 }
            define void @test_group() { call void @test_a() ret void }
            define i32 @test_table() { %1 = load ptr, ptr @tests ret i32 0 }
            define void @test_both() { call void @test_elsewhere() ret void }
            define void @test_again() { call void @test_again() ret void }
            define double @test_float() { ret double 0.0 }
            define linkonce_odr void @test_inline() { ret void }
            define void @helper() { ret void }
        "#;
        let module = Module::parse_text(text, "tests").unwrap();
        let names: Vec<String> = own_tests(&module).into_iter().map(|function| function.name()).collect();
        assert_eq!(names, ["test_a", "test_b", "test_again"]);
    }
}
