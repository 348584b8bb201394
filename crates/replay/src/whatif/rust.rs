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

/// A longer message is none.
const LONGEST: u64 = 1 << 12;

impl Machine {
    /// How the program, or the function that was called for inspection, ends that panics here by calling `name`; none where something may catch that, or it is no panic.
    pub(super) fn what_if_panic(&mut self, name: &str, args: &[u64]) -> Option<WhatIfStop> {
        let inspected = self.core.frames.iter().rposition(|frame| frame.kind == FrameKind::Inspect);
        let catches = |function: &str| function.contains("catch_unwind") || function.contains("__rust_try");
        let under_way = &self.core.frames[inspected.unwrap_or(0)..];
        let caught = || under_way.iter().any(|frame| catches(&self.code.model(frame.function).name));
        if !names::panics(name) || caught() {
            return None;
        }
        Some(match inspected {
            Some(_) => WhatIfStop::Thrown { panic: true, text: self.message_of_panic(name, args) },
            None => WhatIfStop::Exited { status: PANICKED },
        })
    }

    /// The message of a panic by a call of `name`, where it is given one; else the function that panics.
    fn message_of_panic(&mut self, name: &str, args: &[u64]) -> String {
        let name = names::readable(name).unwrap_or_default();
        let given = args.first_chunk::<2>();
        let bytes = match (name.rsplit("::").next().unwrap_or_default(), given) {
            ("panic" | "panic_str" | "panic_display" | "expect_failed", Some(&[address, length])) => {
                (length <= LONGEST).then(|| self.core.memory.read_vec(address, length as usize))
            }
            ("panic_fmt", Some(arguments)) => self.told_format(arguments),
            _ => None,
        };
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or(name)
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
