//! Whether a run ended because its stack overflowed.

use crate::end::End;
use crate::observer::At;
use crate::signals::{SIGABRT, SIGBUS, SIGSEGV};
use crate::state::Waits;

/// How far from the emulated stack's top an overflowing frame, or a call of external code, reaches.
const STACK_GUARD: u64 = 1 << 20;

impl End {
    /// Whether the stack overflowed; `at` is where the run stands.
    pub fn overflows(&self, at: &At<'_>) -> bool {
        match *self {
            End::Fault { signal: SIGSEGV | SIGBUS, address, near } => {
                near || is_on_stack(at, address) || is_on_native_stack(at, address)
            }
            // Rust's handler of the overflow aborts; what aborts by itself has no address.
            End::Fault { signal: SIGABRT, address, near } => near && address != 0,
            _ => false,
        }
    }
}

/// Whether an access at fault is one to the stack where the run stands, which overflows.
pub fn is_on_stack(at: &At<'_>, address: u64) -> bool {
    // What lies above the frame is no more of the stack than what runs past the stack's beginning.
    let end = at.core.frames.last().map_or(u64::MAX, |frame| frame.usp_before);
    address.abs_diff(at.core.usp) < STACK_GUARD && address < end.max(at.core.usp)
}

/// Where the system puts the stack of a process, and so many calls under way are deep.
const NATIVE: u64 = 0x7f00_0000_0000;
const DEEP: usize = 1000;

/// Whether it is external code's, deep below captured code: its stack is the native one, which the replay has not.
fn is_on_native_stack(at: &At<'_>, address: u64) -> bool {
    let external = at.core.frames.last().is_some_and(|frame| matches!(frame.waits, Waits::External));
    external && at.core.frames.len() >= DEEP && address >= NATIVE
}
