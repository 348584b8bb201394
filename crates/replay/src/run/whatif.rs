//! What a what-if run may do, has done, and comes to.

mod knowledge;
mod ordering;
mod pending;

use std::sync::Arc;

pub(crate) use self::knowledge::Knowledge;
pub(crate) use self::ordering::{Merge, Ordering, OrderingKind};
pub(crate) use self::pending::{After, Pending};
use crate::divergence::Position;
use crate::function_id::FuncId;
use crate::output::{OutputEvent, Stream};
use crate::recall::Made;
use crate::state::JumpTarget;

/// Where the private heap starts: no recorded process has memory there.
pub(crate) const PRIVATE_HEAP: u64 = 0x6000_0000_0000;

/// How far a what-if run may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions.
    pub instructions: u64,
    /// Frames above those that were there.
    pub depth: usize,
    /// Bytes of output.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instructions: 100_000_000, depth: 100_000, output: 64 << 20 }
    }
}

/// What a what-if run should print to standard output: it stops where it prints something else.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// All of it, from the start of the run on.
    pub text: Arc<[u8]>,
    /// How much of it was printed before.
    pub printed: usize,
}

/// Why a what-if run stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhatIfStop {
    /// The inspected function returned these words.
    Returned(Vec<u64>),
    /// The inspected function was left by an exception of C++ of this type, or a panic of Rust with this message; empty where
    /// that is not known. Of a panic nothing was cleaned up.
    Thrown {
        /// Whether it is a panic.
        panic: bool,
        /// The type, or the message.
        text: String,
    },
    /// The outermost function that external code had called returned, the program's `main` with this status; or the program
    /// exited.
    Exited {
        /// Exit status, 0 to 255.
        status: i32,
    },
    /// External code without a model was called.
    External {
        /// Its name; empty when unknown.
        name: String,
    },
    /// External code that is still under way would have to go on.
    BackInExternal {
        /// Its name.
        name: String,
    },
    /// The program would have died of a signal.
    Trap {
        /// The signal.
        signal: i32,
        /// Why.
        what: String,
    },
    /// Memory that the replay knows nothing about was accessed.
    UnknownMemory {
        /// Where.
        address: u64,
    },
    /// Something else was printed than was expected.
    OtherOutput {
        /// What was printed.
        bytes: Vec<u8>,
        /// Where the expected text went on.
        printed: usize,
    },
    /// A limit was reached.
    Limit {
        /// Which.
        what: &'static str,
    },
    /// A change did not fit the operation it was made at.
    NoChange {
        /// Why.
        reason: String,
    },
}

/// What a what-if run came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhatIfOutcome {
    /// Why it stopped.
    pub stop: WhatIfStop,
    /// Where.
    pub position: Position,
    /// Instructions executed.
    pub instructions: u64,
    /// What was printed.
    pub output: Vec<OutputEvent>,
}

/// What the function that external code had called left when it returned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    /// The first word of its result.
    pub value: u64,
    /// The first word that it was given.
    pub first: u64,
}

/// State of a what-if run.
#[derive(Clone)]
pub(crate) struct WhatIfRun {
    pub limits: Limits,
    pub first_instruction: u64,
    pub base_depth: usize,
    pub bump: u64,
    pub printed: usize,
    /// Events of `output` that were looked at.
    pub seen: usize,
    pub expectation: Option<Expectation>,
    pub jumps: Vec<(u64, JumpTarget, FuncId, u64)>,
    pub output: Vec<OutputEvent>,
    pub made: Made,
    /// What the last function that external code had called left.
    pub left: Option<Left>,
    /// Where `strtok` goes on, once it was called.
    pub tokens: Option<u64>,
    /// Library functions that are computed and have called captured ones.
    pub pending: Vec<Pending>,
    pub knowledge: Knowledge,
    /// A call was made that may have changed `errno`.
    pub errno_set: bool,
}

impl WhatIfRun {
    /// One that starts at this instruction, with so many frames.
    pub fn new(limits: Limits, instruction: u64, frames: usize) -> Self {
        Self {
            limits,
            first_instruction: instruction,
            base_depth: frames,
            bump: PRIVATE_HEAP,
            printed: 0,
            seen: 0,
            expectation: None,
            jumps: Vec::new(),
            output: Vec::new(),
            made: Made::default(),
            left: None,
            tokens: None,
            pending: Vec::new(),
            knowledge: Knowledge::default(),
            errno_set: false,
        }
    }

    /// The function that was called for inspection returns.
    pub fn finished(&self, words: Vec<u64>) -> WhatIfStop {
        WhatIfStop::Returned(words)
    }

    /// Looks at what was printed since it last did.
    pub fn judge_output(&mut self) -> Option<WhatIfStop> {
        while let Some(event) = self.output.get(self.seen) {
            self.seen += 1;
            self.printed += event.bytes.len();
            let Some(expected) = self.expectation.as_mut().filter(|_| event.stream == Stream::Descriptor(1)) else {
                continue;
            };
            let printed = expected.printed;
            if !expected.text.get(printed..).unwrap_or_default().starts_with(&event.bytes) {
                return Some(WhatIfStop::OtherOutput { bytes: event.bytes.clone(), printed });
            }
            expected.printed += event.bytes.len();
        }
        (self.printed > self.limits.output).then_some(WhatIfStop::Limit { what: "output" })
    }
}
