//! How what-if runs of Rust programs end: in the standard library, which is external code.
//!
//! A program's `main` and a test's function are called by it. Once they have returned, nothing of the program runs that
//! could change how it ends; once something panics outside of what catches panics, it has failed.

use whydunit_model::names;

use crate::machine::Machine;
use crate::run::WhatIfStop;
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

impl Machine {
    /// How the program ends that panics here by calling `name`; none where something may catch that, or it is no panic.
    pub(super) fn what_if_panic(&self, name: &str) -> Option<WhatIfStop> {
        let catches = |function: &str| function.contains("catch_unwind") || function.contains("__rust_try");
        let caught = || self.core.frames.iter().any(|frame| catches(&self.code.model(frame.function).name));
        (names::panics(name) && !caught()).then_some(WhatIfStop::Exited { status: PANICKED })
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
