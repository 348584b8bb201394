//! How what-if runs of Rust programs end: in the standard library, which is external code.
//!
//! A program's `main` and a test's function are called by it. Once they have returned, nothing of the program runs that
//! could change how it ends; once something panics outside of what catches panics, it has failed.

use whydunit_model::names;

use super::WhatIfStop;
use crate::machine::Machine;
use crate::state::FrameKind;

/// Exit status of a program or a test that has panicked.
pub const PANICKED: i32 = 101;

/// Starts a program: calls its `main`, which gives the exit status.
const STARTS: &str = "std::rt::lang_start_internal";
/// Runs tests, each a function that gives a `Result<(), String>` through its first argument.
const RUNS_TESTS: &[&str] = &["test::test_main_static", "test::test_main_static_abort"];
/// How large such a result is.
const RESULT: u64 = 24;
/// What begins a `Result<(), String>` that is `Ok`: no capacity of a string.
const OK: u64 = 1 << 63;

/// What the function that external code had called left when it returned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// The first word of its result.
    pub value: u64,
    /// The first word that it was given.
    pub first: u64,
}

/// Whether a symbol names a function of Rust's library that panics, whatever for.
pub fn panics(symbol: &str) -> bool {
    let mangled = symbol.starts_with("_R") || symbol.starts_with("_ZN");
    if !mangled || !["panic", "_fail", "handle_", "_overflow"].iter().any(|part| symbol.contains(part)) {
        return false;
    }
    let Some(name) = names::readable(symbol) else { return false };
    let (first, last) = (name.split("::").next().unwrap_or_default(), name.rsplit("::").next().unwrap_or_default());
    let told = last.starts_with("panic") && last != "panicking" && last != "panic_count";
    let fails = ["_fail", "_failed", "_failed_inner"].iter().any(|end| last.ends_with(end));
    let other = matches!(last, "begin_panic" | "handle_alloc_error" | "handle_error" | "capacity_overflow");
    matches!(first, "core" | "alloc" | "std") && (told || fails || other)
}

impl Machine {
    /// How the program ends that panics here by calling `name`; none where something may catch that, or it is no panic.
    pub(super) fn what_if_panic(&self, name: &str) -> Option<WhatIfStop> {
        let catches = |function: &str| function.contains("catch_unwind") || function.contains("__rust_try");
        let caught = || self.core.frames.iter().any(|frame| catches(&self.code.model(frame.function).name));
        (panics(name) && !caught()).then_some(WhatIfStop::Exited { status: PANICKED })
    }

    /// Whether the harness has made this place for the result of a test: nothing of the program knows it before.
    pub(super) fn is_place_of_result(&self, address: u64) -> bool {
        let core = &self.core;
        let called = core.frames.iter().filter(|frame| frame.kind == FrameKind::Callback);
        called.map(|frame| (frame, self.code.model(frame.function))).any(|(frame, model)| {
            let place = model.params.first().map_or(0, |param| core.slots[frame.base + param.slot as usize]);
            model.ret.is_empty() && model.name.starts_with('_') && address.wrapping_sub(place) < RESULT
        })
    }

    /// How the program ends now that what the external code `name` had called has returned; none where that is not known.
    pub(super) fn what_if_return(&self, name: &str) -> Option<WhatIfStop> {
        let left = self.what_if.as_ref()?.left?;
        let called = names::readable(name)?;
        let status = if called == STARTS {
            left.value as i32 & 0xff
        } else if RUNS_TESTS.contains(&&*called) {
            if self.core.memory.read_word(left.first) == OK { 0 } else { PANICKED }
        } else {
            return None;
        };
        Some(WhatIfStop::Exited { status })
    }
}

#[cfg(test)]
mod tests {
    use super::panics;

    #[test]
    fn functions_that_panic_are_told_from_their_neighbours() {
        for symbol in [
            "_ZN4core9panicking18panic_bounds_check17h05af221e174051e9E",
            "_ZN4core9panicking11panic_const24panic_const_add_overflow17h05af221e174051e9E",
            "_ZN4core6option13unwrap_failed17h05af221e174051e9E",
            "_ZN4core9panicking19assert_failed_inner17h05af221e174051e9E",
            "_ZN3std9panicking11begin_panic17h05af221e174051e9E",
            "_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt",
        ] {
            assert!(panics(symbol), "{symbol}");
        }
        for symbol in [
            "_ZN3std9panicking11panic_count17is_zero_slow_path17h05af221e174051e9E",
            "_ZN3std6thread9panicking17h05af221e174051e9E",
            "_ZN2cr5panic17h05af221e174051e9E",
            "_ZN3std9panicking12catch_unwind17h05af221e174051e9E",
            "panic",
        ] {
            assert!(!panics(symbol), "{symbol}");
        }
    }
}
