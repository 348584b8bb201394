//! Functions that are tests by themselves, in programs whose tests a framework that lists them, or a `main` of their own, runs one after
//! the other in one process.

use std::collections::HashSet;

use whydunit_llvm::{AttributePlace, Linkage, Module, Type, Value};
use whydunit_model::names;

use crate::{is_naked, layout};

/// Functions of test frameworks that are given a test, and the number of the argument: Unity, CUnit.
const RUNNERS: [(&str, usize); 2] = [("UnityDefaultTestRun", 0), ("CU_add_test", 2)];

/// The structure of cmocka that holds a test, and which of its members is the function.
const ENTRY: (&str, u32) = ("struct.CMUnitTest", 1);

/// So many entries of a table of tests are looked at.
const MOST_ENTRIES: u64 = 4096;

/// The functions of a module that are tests by themselves, in the module's order: a test framework is given them or, where there are no
/// such, their name says so (`test_parse`, `parse_test`, `TestParse`). They take what a runner gives to a test (nothing, a number, pointers),
/// return nothing, a number or a pointer, and neither call nor name another one, as functions that run several tests do, nor call what they
/// are given. Without effect, such a function returns zero.
pub fn own_tests(module: &Module) -> Vec<Value> {
    let given = given_to_framework(module);
    let is_called_so = |function: &Value| match given.is_empty() {
        true => is_name_of_test(&function.name()) && (function.param_count() == 0 || !is_called(*function)),
        false => given.contains(function),
    };
    let named: Vec<Value> = module.functions().filter(is_called_so).filter(|&function| may_be_test(function)).collect();
    let is_whole = |function: &Value| {
        let linkage = function.linkage();
        layout::is_defined(*function)
            && !is_naked(*function)
            && matches!(linkage, Linkage::LLVMExternalLinkage | Linkage::LLVMInternalLinkage)
    };
    let runs_others = |function: Value| {
        let instructions = || function.blocks().flat_map(|block| block.instructions());
        let is_runner = function.param_count() > 0 && instructions().any(calls_unknown);
        is_runner || instructions().flat_map(Value::operands).any(|operand| names_other(operand, function, &named))
    };
    named.iter().copied().filter(is_whole).filter(|&function| !runs_others(function)).collect()
}

/// The functions that the module gives to a test framework as tests.
fn given_to_framework(module: &Module) -> HashSet<Value> {
    let by_call = RUNNERS.iter().flat_map(|&(runner, number)| {
        let users = module.function(runner).map(Value::users).unwrap_or_default().into_iter();
        let calls = users.filter(|user| user.is_instruction() && user.calls());
        calls.filter_map(move |call| call.args().nth(number)).collect::<Vec<_>>()
    });
    let tables = module.globals().filter(|global| {
        let entry = global.value_type().element(0).filter(|_| global.value_type().is_array());
        entry.and_then(Type::struct_name).is_some_and(|name| name == ENTRY.0)
    });
    let in_tables = tables.filter_map(Value::initializer).flat_map(|table| {
        let entries = (0..table.ty().element_count().min(MOST_ENTRIES) as u32).collect::<Vec<_>>();
        entries.into_iter().filter_map(move |index| table.aggregate_element(index)?.aggregate_element(ENTRY.1))
    });
    by_call.chain(in_tables).filter(|value| value.is_function()).collect()
}

/// Whether a function is called by its name.
fn is_called(function: Value) -> bool {
    function.users().into_iter().any(|user| user.is_instruction() && user.calls() && user.called() == Some(function))
}

/// Whether an instruction calls what is known at run time only.
fn calls_unknown(instruction: Value) -> bool {
    let called = instruction.calls().then(|| instruction.called()).flatten();
    called.is_some_and(|called| !called.is_function() && !called.is_inline_asm())
}

/// Whether an operand is a function that may be a test and is not this one, or a variable that begins with such among its elements.
fn names_other(operand: Value, function: Value, named: &[Value]) -> bool {
    let initial = Some(operand).filter(|operand| operand.is_global_variable()).and_then(Value::initializer);
    holds_other(initial.unwrap_or(operand), function, named)
}

/// Whether a constant is such a function, or has one among its elements.
fn holds_other(constant: Value, function: Value, named: &[Value]) -> bool {
    let ty = constant.ty();
    if constant.is_function() || !ty.is_aggregate() {
        return constant != function && named.contains(&constant);
    }
    // Of numbers none is a function.
    if ty.is_array() && ty.element(0).is_some_and(|element| !element.is_pointer() && !element.is_aggregate()) {
        return false;
    }
    let elements =
        (0..ty.element_count().min(MOST_ENTRIES) as u32).filter_map(|index| constant.aggregate_element(index));
    elements.into_iter().any(|element| holds_other(element, function, named))
}

/// Whether a function could be called as a test.
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
    // What never returns, or returns no null pointer, cannot return zero.
    let cannot = [(AttributePlace::Function, "noreturn"), (AttributePlace::Return, "nonnull")];
    as_test
        && !ty.is_variadic()
        && (result.is_void() || is_scalar(result))
        && !(0..params.len() as u32).any(by_value)
        && !cannot.iter().any(|(place, name)| function.has_attribute(*place, name))
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

    fn names(text: &str) -> Vec<String> {
        let module = Module::parse_text(text, "tests").unwrap();
        own_tests(&module).into_iter().map(|function| function.name()).collect()
    }

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
    fn what_a_framework_is_given_is_a_test_whatever_its_name() {
        let text = r#"
            %struct.CMUnitTest = type { ptr, ptr, ptr, ptr, ptr }
            @tests = internal constant [1 x %struct.CMUnitTest] [
                %struct.CMUnitTest { ptr null, ptr @reads_nothing, ptr @setup, ptr null, ptr null }]
            declare void @UnityDefaultTestRun(ptr, ptr, i32)
            define internal void @reads_nothing(ptr %state) { ret void }
            define internal void @setup(ptr %state) { ret void }
            define internal void @parses_numbers() { call void @test_helper() ret void }
            define void @test_helper() { ret void }
            define i32 @main() { call void @UnityDefaultTestRun(ptr @parses_numbers, ptr null, i32 1) ret i32 0 }
        "#;
        assert_eq!(names(text), ["reads_nothing", "parses_numbers"]);
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
            define void @test(ptr %run, ptr %name) { call void %run() ret void }
            define void @do_test(ptr %name) { ret void }
            define void @uses() { call void @do_test(ptr null) ret void }
            define void @test_end() noreturn { unreachable }
            define nonnull ptr @test_found() { ret ptr @tests }
            define double @test_float() { ret double 0.0 }
            define linkonce_odr void @test_inline() { ret void }
            define void @helper() { ret void }
        "#;
        assert_eq!(names(text), ["test_a", "test_b", "test_again"]);
    }
}
