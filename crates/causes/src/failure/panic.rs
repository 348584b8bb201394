//! Panics of Rust in words.

use whydunit_model::names;

use super::{FailureKind, Told};

/// What an overflow is of, by the last part of the name of the function that panics.
const ARITHMETIC: &[(&str, &str)] = &[
    ("add_overflow", "the sum does not overflow"),
    ("sub_overflow", "the difference does not overflow"),
    ("mul_overflow", "the product does not overflow"),
    ("neg_overflow", "the negation does not overflow"),
    ("div_overflow", "the quotient does not overflow"),
    ("rem_overflow", "the remainder does not overflow"),
    ("shl_overflow", "the shift is less than the width"),
    ("shr_overflow", "the shift is less than the width"),
    ("div_by_zero", "the divisor is not 0"),
    ("rem_by_zero", "the divisor is not 0"),
];

/// What should have held where `function` panicked; `said` is what the panic printed.
pub fn told(function: &str, said: Option<&str>) -> Told {
    let name = names::readable(function).unwrap_or_default();
    let last = name.rsplit("::").next().unwrap_or_default();
    let arithmetic = ARITHMETIC.iter().find(|(end, _)| last.ends_with(end)).map(|(_, holds)| (*holds).to_owned());
    let predicate = match last {
        _ if arithmetic.is_some() => arithmetic,
        "panic_bounds_check" => Some("the index is inside of the length".to_owned()),
        "unwrap_failed" | "expect_failed" if name.contains("option") => Some("the option has a value".to_owned()),
        "unwrap_failed" => Some("the result is Ok".to_owned()),
        _ if last.starts_with("slice_") => Some("the range is inside of the slice".to_owned()),
        _ => said.and_then(asserted),
    };
    let assertion = last.starts_with("assert_failed") || said.is_some_and(|said| said.starts_with("assertion"));
    let kind = if assertion { FailureKind::Assertion } else { FailureKind::Panic };
    let message = match said {
        Some(said) => format!("panic: {said}"),
        None => format!("the program panics ({name})"),
    };
    Told::new(kind, predicate, message)
}

/// The condition of an assertion, as its panic says it.
fn asserted(said: &str) -> Option<String> {
    if let Some(condition) = said.strip_prefix("assertion failed: ") {
        return Some(condition.to_owned());
    }
    // assertion `left == right` failed: MESSAGE left: 1 right: 2
    let (condition, rest) = said.strip_prefix("assertion `")?.split_once("` failed")?;
    let sides = rest.split_once("left: ").and_then(|(_, sides)| sides.split_once(" right: "));
    Some(match sides {
        Some((left, right)) => format!("{condition} (left: {left}, right: {right})"),
        None => condition.to_owned(),
    })
}

/// What the last panic in a program's standard error says, in a line.
pub fn last(stderr: &str) -> Option<String> {
    let lines: Vec<&str> = stderr.lines().collect();
    let at = lines.iter().rposition(|line| line.contains(" panicked at ") && line.starts_with("thread "))?;
    let said: Vec<&str> = lines[at + 1..]
        .iter()
        .take_while(|line| !line.is_empty() && !line.starts_with("note: ") && !line.starts_with("stack backtrace:"))
        .map(|line| line.trim())
        .take(20)
        .collect();
    (!said.is_empty()).then(|| said.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ERRORS: &str = "thread 'main' (7) panicked at src/lib.rs:3:9:\nearlier\n\nthread 'main' (7) panicked at src/lib.rs:4:5:\n\
                          assertion `left == right` failed: of two\n  left: 1\n right: 2\nstack backtrace:\n   0: x\n";

    #[test]
    fn both_sides_of_an_assertion_are_told() {
        let said = last(ERRORS).unwrap();
        assert_eq!(said, "assertion `left == right` failed: of two left: 1 right: 2");
        let told = told("_ZN4core9panicking19assert_failed_inner17h05af221e174051e9E", Some(&said));
        assert_eq!(
            (told.kind, told.predicate.as_deref()),
            (FailureKind::Assertion, Some("left == right (left: 1, right: 2)"))
        );
        assert_eq!(last("nothing"), None);
    }

    #[test]
    fn checks_of_the_compiler_have_their_own_predicates() {
        let table = [
            ("_ZN4core9panicking18panic_bounds_check17h05af221e174051e9E", "the index is inside of the length"),
            (
                "_ZN4core9panicking11panic_const24panic_const_sub_overflow17h05af221e174051e9E",
                "the difference does not overflow",
            ),
            ("_ZN4core9panicking11panic_const23panic_const_div_by_zero17h05af221e174051e9E", "the divisor is not 0"),
            ("_ZN4core6option13unwrap_failed17h05af221e174051e9E", "the option has a value"),
            ("_ZN4core6result13unwrap_failed17h05af221e174051e9E", "the result is Ok"),
        ];
        for (function, predicate) in table {
            let told = told(function, Some("something"));
            assert_eq!((told.kind, told.predicate.as_deref()), (FailureKind::Panic, Some(predicate)), "{function}");
        }
        let told = told("_ZN4core9panicking5panic17h05af221e174051e9E", Some("assertion failed: a < b"));
        assert_eq!((told.kind, told.predicate.as_deref()), (FailureKind::Assertion, Some("a < b")));
    }
}
