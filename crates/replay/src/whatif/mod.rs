//! What-if runs and inspection: runs that left the recording.
//!
//! A what-if run starts from the machine's present state, with something changed, and leaves no trace: memory, frames and
//! events are put back when it stops. Library functions that the replay can compute work, the heap is a private one,
//! what is printed is collected. Everything else stops the run with a reason.

mod access;
mod calls;
mod changes;
mod characters;
mod complete;
mod errors;
mod exceptions;
mod input;
mod library;
mod order;
mod pending;
mod rust;
mod rust_output;
mod standard;
mod streams;
mod types;

use std::sync::Arc;

pub use self::changes::Change;
pub use self::characters::character_table;
pub use self::rust::PANICKED;
use crate::divergence::Result;
use crate::end::End;
use crate::function_id::FuncId;
use crate::machine::{Flow, Machine, Stop, push_frame};
use crate::observer::Observer;
use crate::recall::Recall;
use crate::run::{Expectation, Limits, WhatIfOutcome, WhatIfRun, WhatIfStop};
use crate::snapshot::Snapshot;
use crate::state::{FrameKind, Waits};

/// So many safepoints go by before the limits are looked at again.
const BETWEEN_CHECKS: u64 = 64;

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
            let usp = below_leaf(self);
            push_frame_for_inspection(self, function, words, usp);
            None
        } else {
            Some(WhatIfStop::External { name: self.code.model(function).name.clone() })
        };
        let outcome = self.finish_free(stopped, observer);
        self.end_free(&snapshot)?;
        outcome
    }

    /// Begins a call of a function with these argument words in a run that left the recording, as external code would make it:
    /// [`go_on`](Machine::go_on) makes it, until it has returned or is left by an exception, by these limits. `None` where it has
    /// begun; else why it cannot.
    pub fn begin_call<O: Observer>(
        &mut self,
        function: FuncId,
        words: &[u64],
        limits: Limits,
        observer: &mut O,
    ) -> Option<WhatIfStop> {
        if !self.code.model(function).is_defined() {
            return Some(WhatIfStop::External { name: self.code.model(function).name.clone() });
        }
        let (instructions, depth) = (self.core.instructions, self.core.frames.len());
        if let Some(what_if) = &mut self.what_if {
            (what_if.limits, what_if.first_instruction, what_if.base_depth) = (limits, instructions, depth);
        }
        let usp = below_leaf(self);
        self.enter_from_outside(observer, function, words, FrameKind::Inspect, usp);
        self.set_limit();
        None
    }

    /// What is left of a call that has returned or was left is put away. The run stands where it did when the call began.
    pub fn end_call(&mut self) {
        let begun = self.core.frames.iter().rposition(|frame| frame.kind == FrameKind::Inspect);
        if let Some(depth) = begun {
            self.core.usp = self.core.frames[depth].usp_before;
            self.core.frames.truncate(depth);
            self.core.forget_frames(depth);
            self.drop_pending(depth);
        }
    }

    /// Puts bytes in a block of their own, in a run that left the recording; where it lies.
    pub fn place<O: Observer>(&mut self, bytes: &[u8], observer: &mut O) -> u64 {
        let address = self.what_if_allocate(observer, bytes.len() as u64, false);
        self.written(observer, &[(address, bytes.to_vec())]);
        address
    }

    fn begin_free(&mut self, limits: Limits) -> Snapshot {
        let snapshot = self.snapshot();
        self.leave_recording(limits);
        snapshot
    }

    /// From here on the run is free of the recording, until a snapshot of before is restored.
    pub fn leave_recording(&mut self, limits: Limits) {
        let (instruction, depth) = (self.core.instructions, self.core.frames.len());
        self.what_if = Some(Box::new(WhatIfRun::new(limits, instruction, depth)));
        let errors = self.errors_so_far();
        self.complete_memory();
        self.complete_errors(errors);
        self.set_limit();
    }

    /// From now on what-if runs get what external calls gave in the recorded run.
    pub fn set_recall(&mut self, recall: Arc<Recall>) {
        self.recall = Some(recall);
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

/// Where a frame can lie: a leaf function may keep something below its stack pointer.
fn below_leaf(machine: &Machine) -> u64 {
    machine.core.usp.wrapping_sub(256) & !15
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
