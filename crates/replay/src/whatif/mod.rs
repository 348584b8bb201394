//! What-if runs and inspection: runs that left the recording.
//!
//! A what-if run starts from the machine's present state, with something changed, and leaves no trace: memory, frames and
//! events are put back when it stops. Library functions that the replay can compute work, the heap is a private one,
//! what is printed is collected. Everything else stops the run with a reason.

mod access;
mod calls;
mod changes;
mod complete;
mod errors;
mod exceptions;
mod firsts;
mod format;
mod input;
mod library;
mod operators;
mod order;
mod pending;
mod recall;
mod rust;
mod standard;
mod streams;
mod types;

pub use changes::Change;
pub(crate) use complete::Constants;
pub use complete::character_table;
pub(crate) use errors::Made as MadeError;
pub(crate) use exceptions::Exceptions;
pub(crate) use operators::Operator;
pub use recall::{Listener, Recall};
pub(crate) use rust::Left;
pub use rust::PANICKED;
pub(crate) use streams::characters_of;

use std::sync::Arc;

use self::recall::Made;
use crate::divergence::Result;
use crate::end::End;
use crate::func_id::FuncId;
use crate::machine::{Flow, Machine, Stop, push_frame};
use crate::observer::Observer;
use crate::output::{OutputEvent, Stream};
use crate::snapshot::Snapshot;
use crate::state::{FrameKind, JumpTarget, Waits};

/// Where the private heap starts: no recorded process has memory there.
const PRIVATE_HEAP: u64 = 0x6000_0000_0000;

/// So many safepoints go by before the limits are looked at again.
const BETWEEN_CHECKS: u64 = 64;

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
    pub position: crate::divergence::Position,
    /// Instructions executed.
    pub instructions: u64,
    /// What was printed.
    pub output: Vec<OutputEvent>,
}

/// State of a what-if run.
#[derive(Clone)]
pub(crate) struct WhatIfRun {
    limits: Limits,
    first_instruction: u64,
    base_depth: usize,
    bump: u64,
    printed: usize,
    /// Events of `output` that were looked at.
    seen: usize,
    expectation: Option<Expectation>,
    jumps: Vec<(u64, JumpTarget, FuncId, u64)>,
    pub output: Vec<OutputEvent>,
    made: Made,
    /// What the last function that external code had called left.
    pub left: Option<Left>,
    /// Where `strtok` goes on, once it was called.
    tokens: Option<u64>,
    /// Library functions that are computed and have called captured ones.
    pending: Vec<pending::Pending>,
}

impl WhatIfRun {
    /// The function that was called for inspection returns.
    pub fn finished(&self, words: Vec<u64>) -> WhatIfStop {
        WhatIfStop::Returned(words)
    }

    /// Looks at what was printed since it last did.
    fn judge_output(&mut self) -> Option<WhatIfStop> {
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

fn stop(stop: WhatIfStop) -> Flow {
    Flow::Stop(Stop::WhatIf(stop))
}

impl Machine {
    /// Runs on from here with `changes`, free of the recording, then puts everything back.
    pub fn what_if<O: Observer>(
        &mut self,
        changes: &[Change],
        limits: Limits,
        observer: &mut O,
    ) -> Result<WhatIfOutcome> {
        let snapshot = self.begin_free(limits);
        let mut result = Ok(None);
        for change in changes {
            result = self.change(change, observer);
            if !matches!(result, Ok(None)) {
                break;
            }
        }
        let outcome = result.and_then(|stopped| self.finish_free(stopped, observer));
        self.end_free(&snapshot)?;
        outcome
    }

    /// Calls a function with these argument words on the present state, then puts everything back.
    pub fn inspect<O: Observer>(
        &mut self,
        function: FuncId,
        words: &[u64],
        limits: Limits,
        observer: &mut O,
    ) -> Result<WhatIfOutcome> {
        let snapshot = self.begin_free(limits);
        let stopped = if self.code.model(function).is_defined() {
            // A leaf function may keep something below its stack pointer.
            let usp = self.core.usp.wrapping_sub(256) & !15;
            push_frame_for_inspection(self, function, words, usp);
            None
        } else {
            Some(WhatIfStop::External { name: self.code.model(function).name.clone() })
        };
        let outcome = self.finish_free(stopped, observer);
        self.end_free(&snapshot)?;
        outcome
    }

    fn begin_free(&mut self, limits: Limits) -> Snapshot {
        let snapshot = self.snapshot();
        self.leave_recording(limits);
        snapshot
    }

    /// From here on the run is free of the recording, until a snapshot of before is restored.
    pub fn leave_recording(&mut self, limits: Limits) {
        self.what_if = Some(Box::new(WhatIfRun {
            limits,
            first_instruction: self.core.instructions,
            base_depth: self.core.frames.len(),
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
        }));
        self.complete_memory();
        self.complete_errors();
        self.set_limit();
    }

    /// A what-if run stops from here on where it prints something else than this.
    pub fn expect_output(&mut self, expectation: Expectation) {
        if let Some(what_if) = &mut self.what_if {
            what_if.expectation = Some(expectation);
        }
    }

    /// In a what-if run: whether all was printed that was expected of it.
    pub fn printed_all(&self) -> bool {
        let expectation = self.what_if.as_ref().and_then(|what_if| what_if.expectation.as_ref());
        expectation.is_none_or(|expected| expected.printed == expected.text.len())
    }

    /// Goes on, by the recording or free of it, until the run ends or the observer asks.
    pub fn go_on<O: Observer>(&mut self, observer: &mut O) -> Result<Stop> {
        if self.what_if.is_some() { self.run_free_loop(observer) } else { self.run_until(u64::MAX, observer) }
    }

    fn finish_free<O: Observer>(&mut self, stopped: Option<WhatIfStop>, observer: &mut O) -> Result<WhatIfOutcome> {
        let stopped = match stopped {
            Some(stopped) => stopped,
            None => match self.run_free_loop(observer)? {
                Stop::WhatIf(stopped) => stopped,
                Stop::End(End::Exited { status }) => WhatIfStop::Exited { status: status.unwrap_or(0) },
                Stop::Asked => WhatIfStop::Limit { what: "the observer" },
                Stop::End(_) | Stop::Reached => WhatIfStop::Limit { what: "the recording's end" },
            },
        };
        let position = self.at().position();
        let what_if = self.what_if.take();
        let first = what_if.as_ref().map_or(0, |what_if| what_if.first_instruction);
        Ok(WhatIfOutcome {
            stop: stopped,
            position,
            instructions: self.core.instructions - first,
            output: what_if.map(|what_if| what_if.output).unwrap_or_default(),
        })
    }

    fn run_free_loop<O: Observer>(&mut self, observer: &mut O) -> Result<Stop> {
        self.set_limit();
        loop {
            let flow = match self.core.frames.last() {
                // What runs before `main` leads to code of the system.
                None => {
                    let back = || WhatIfStop::BackInExternal { name: String::new() };
                    let ended = self.run.status.map_or_else(back, |status| WhatIfStop::Exited { status });
                    return Ok(Stop::WhatIf(ended));
                }
                Some(frame) if frame.waits != Waits::No => match self.finish_pending(observer) {
                    Some(flow) => flow,
                    None => {
                        let name = self.external_name();
                        let ended = self.what_if_return(&name);
                        return Ok(Stop::WhatIf(ended.unwrap_or(WhatIfStop::BackInExternal { name })));
                    }
                },
                Some(_) => self.run_code(observer)?,
            };
            if let Flow::Stop(stopped) = flow {
                return Ok(stopped);
            }
        }
    }

    fn end_free(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.what_if = None;
        self.restore(snapshot)
    }

    /// A safepoint of a what-if run.
    pub(crate) fn what_if_step(&mut self) -> Option<Flow> {
        if let Some(limit) = self.what_if_limit() {
            return Some(stop(limit));
        }
        self.limit = self.core.counter + BETWEEN_CHECKS;
        None
    }

    /// The limit that a what-if run has reached.
    fn what_if_limit(&self) -> Option<WhatIfStop> {
        let what_if = self.what_if.as_ref()?;
        if self.core.instructions - what_if.first_instruction > what_if.limits.instructions {
            return Some(WhatIfStop::Limit { what: "instructions" });
        }
        let deep = self.core.frames.len() > what_if.base_depth + what_if.limits.depth;
        deep.then_some(WhatIfStop::Limit { what: "depth" })
    }

    /// A trap in a what-if run.
    pub(crate) fn what_if_trap(&mut self, signal: i32, what: &str) -> Flow {
        stop(WhatIfStop::Trap { signal, what: what.to_string() })
    }
}

fn push_frame_for_inspection(machine: &mut Machine, function: FuncId, words: &[u64], usp: u64) {
    let usp_before = machine.core.usp;
    let base = push_frame(&mut machine.core, &machine.code, function, FrameKind::Inspect, usp, 0);
    let mut given = words.iter().copied();
    for param in &machine.code.model(function).params {
        let slots: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
        for slot in param.slot..param.slot + slots {
            machine.core.slots[base + slot as usize] = given.next().unwrap_or(0);
        }
    }
    if let Some(frame) = machine.core.frames.last_mut() {
        frame.usp_before = usp_before;
    }
}
