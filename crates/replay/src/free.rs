//! Runs that are free of the recording: what-if runs and inspection.
//!
//! A free run starts from the machine's present state, with something changed, and leaves no trace: memory, frames and
//! events are put back when it stops. Library functions that the replay can compute work, the heap is a private one,
//! what is printed is collected. Everything else stops the run with a reason.

use std::sync::Arc;

use whydunit_model::{Op, Opnd};

use crate::code::FuncId;
use crate::divergence::Result;
use crate::end::End;
use crate::external::{Role, RoleKind, Target};
use crate::frames::push_frame;
use crate::library::{self, Answer};
use crate::machine::{Flow, Machine, Stop};
use crate::models::{HeapCall, Model};
use crate::observer::{HeapBlock, Observer, Writer};
use crate::ops::signals::{SIGABRT, SIGSEGV};
use crate::output::{OutputEvent, Stream};
use crate::outside::accessed;
use crate::recall::Made;
use crate::snapshot::Snapshot;
use crate::state::{FrameKind, JumpTarget, Waits};

/// Where the private heap starts: no recorded process has memory there.
const PRIVATE_HEAP: u64 = 0x6000_0000_0000;
/// The emulated stack lies below this.
const STACK_TOP: u64 = 0x5780_0000_0000;
const STACK_BYTES: u64 = 64 << 20;
/// In accesses larger than this every page must be known.
const LARGE_ACCESS: u64 = 16 << 20;
const PAGE_STEP: usize = 4096;

/// How far a free run may go.
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

/// What a free run should print to standard output: it stops where it prints something else.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// All of it, from the start of the run on.
    pub text: Arc<[u8]>,
    /// How much of it was printed before.
    pub printed: usize,
}

/// Why a free run stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FreeStop {
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

/// A change to the state of a run, at the operation where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A slot of a frame has another value.
    Slot {
        /// Index of the frame.
        depth: usize,
        /// Slot of it.
        slot: u32,
        /// The value.
        value: u64,
    },
    /// Memory has other bytes.
    Memory {
        /// From here on.
        address: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The branch (or switch, by the number of the block) at which the run stands goes there.
    Branch {
        /// The block.
        to: u32,
    },
    /// The return at which the run stands gives these words.
    Return {
        /// The words.
        words: Vec<u64>,
    },
    /// The call at which the run stands is not made; its result is these words.
    SkipCall {
        /// The words.
        words: Vec<u64>,
    },
    /// The operation at which the run stands, no call and no terminator, is not executed; its result, where it has one, is
    /// this word.
    SkipOp {
        /// The word.
        value: u64,
    },
}

/// What a free run came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreeOutcome {
    /// Why it stopped.
    pub stop: FreeStop,
    /// Where.
    pub position: crate::divergence::Position,
    /// Instructions executed.
    pub instructions: u64,
    /// What was printed.
    pub output: Vec<OutputEvent>,
}

/// State of a free run.
#[derive(Clone)]
pub(crate) struct FreeRun {
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
    /// Where `strtok` goes on, once it was called.
    tokens: Option<u64>,
}

impl FreeRun {
    /// The function that was called for inspection returns.
    pub fn finished(&self, words: Vec<u64>) -> FreeStop {
        FreeStop::Returned(words)
    }

    /// Looks at what was printed since it last did.
    fn judge_output(&mut self) -> Option<FreeStop> {
        while let Some(event) = self.output.get(self.seen) {
            self.seen += 1;
            self.printed += event.bytes.len();
            let Some(expected) = self.expectation.as_mut().filter(|_| event.stream == Stream::Descriptor(1)) else {
                continue;
            };
            let printed = expected.printed;
            if !expected.text.get(printed..).unwrap_or_default().starts_with(&event.bytes) {
                return Some(FreeStop::OtherOutput { bytes: event.bytes.clone(), printed });
            }
            expected.printed += event.bytes.len();
        }
        (self.printed > self.limits.output).then_some(FreeStop::Limit { what: "output" })
    }
}

fn stop(stop: FreeStop) -> Flow {
    Flow::Stop(Stop::Free(stop))
}

impl Machine {
    /// Runs on from here with `changes`, free of the recording, then puts everything back.
    pub fn what_if<O: Observer>(
        &mut self,
        changes: &[Change],
        limits: Limits,
        observer: &mut O,
    ) -> Result<FreeOutcome> {
        let snapshot = self.begin_free(limits);
        let mut result = Ok(None);
        for change in changes {
            result = self.apply(change, observer);
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
    ) -> Result<FreeOutcome> {
        let snapshot = self.begin_free(limits);
        let stopped = if self.code.model(function).is_defined() {
            // A leaf function may keep something below its stack pointer.
            let usp = self.core.usp.wrapping_sub(256) & !15;
            push_frame_for_inspection(self, function, words, usp);
            None
        } else {
            Some(FreeStop::External { name: self.code.model(function).name.clone() })
        };
        let outcome = self.finish_free(stopped, observer);
        self.end_free(&snapshot)?;
        outcome
    }

    fn begin_free(&mut self, limits: Limits) -> Snapshot {
        let snapshot = self.snapshot();
        self.go_free(limits);
        snapshot
    }

    /// From here on the run is free of the recording, until a snapshot of before is restored.
    pub fn go_free(&mut self, limits: Limits) {
        self.free = Some(Box::new(FreeRun {
            limits,
            first_instruction: self.core.instructions,
            base_depth: self.core.frames.len(),
            bump: PRIVATE_HEAP,
            printed: 0,
            seen: 0,
            expectation: None,
            jumps: Vec::new(),
            output: Vec::new(),
            made: Made::new(),
            tokens: None,
        }));
        self.complete_memory();
        self.set_limit();
    }

    /// A free run stops from here on where it prints something else than this.
    pub fn expect_output(&mut self, expectation: Expectation) {
        if let Some(free) = &mut self.free {
            free.expectation = Some(expectation);
        }
    }

    /// In a free run: whether all was printed that was expected of it.
    pub fn printed_all(&self) -> bool {
        let expectation = self.free.as_ref().and_then(|free| free.expectation.as_ref());
        expectation.is_none_or(|expected| expected.printed == expected.text.len())
    }

    /// Changes something in a free run. The reason where that is not possible, or where it ends the run.
    pub fn change<O: Observer>(&mut self, change: &Change, observer: &mut O) -> Result<Option<FreeStop>> {
        self.apply(change, observer)
    }

    /// Goes on, by the recording or free of it, until the run ends or the observer asks.
    pub fn go_on<O: Observer>(&mut self, observer: &mut O) -> Result<Stop> {
        if self.free.is_some() { self.run_free_loop(observer) } else { self.run_until(u64::MAX, observer) }
    }

    fn finish_free<O: Observer>(&mut self, stopped: Option<FreeStop>, observer: &mut O) -> Result<FreeOutcome> {
        let stopped = match stopped {
            Some(stopped) => stopped,
            None => match self.run_free_loop(observer)? {
                Stop::Free(stopped) => stopped,
                Stop::End(End::Exited { status }) => FreeStop::Exited { status: status.unwrap_or(0) },
                Stop::Asked => FreeStop::Limit { what: "the observer" },
                Stop::End(_) | Stop::Reached => FreeStop::Limit { what: "the recording's end" },
            },
        };
        let position = self.at().position();
        let free = self.free.take();
        let first = free.as_ref().map_or(0, |free| free.first_instruction);
        Ok(FreeOutcome {
            stop: stopped,
            position,
            instructions: self.core.instructions - first,
            output: free.map(|free| free.output).unwrap_or_default(),
        })
    }

    fn run_free_loop<O: Observer>(&mut self, observer: &mut O) -> Result<Stop> {
        loop {
            let flow = match self.core.frames.last() {
                None => {
                    let status = self.run.status.unwrap_or(0);
                    return Ok(Stop::Free(FreeStop::Exited { status }));
                }
                Some(frame) if frame.waits != Waits::No => {
                    return Ok(Stop::Free(FreeStop::BackInExternal { name: self.external_name() }));
                }
                Some(_) => self.run_ops(observer)?,
            };
            if let Flow::Stop(stopped) = flow {
                return Ok(stopped);
            }
        }
    }

    fn end_free(&mut self, snapshot: &Snapshot) -> Result<()> {
        self.free = None;
        self.restore(snapshot)
    }

    fn apply<O: Observer>(&mut self, change: &Change, observer: &mut O) -> Result<Option<FreeStop>> {
        let unfit = |reason: &str| Ok(Some(FreeStop::NoChange { reason: reason.to_string() }));
        if self.core.frames.is_empty() {
            return unfit("the run is not in captured code");
        }
        let here = self.at();
        let (depth, pc, base) = (here.depth, here.pc, here.base);
        let op = here.op().clone();
        match change {
            Change::Slot { depth, slot, value } => match self.core.frames.get(*depth) {
                Some(frame) if *slot < self.code.model(frame.function).slots => {
                    let index = frame.base + *slot as usize;
                    self.core.slots[index] = *value;
                }
                _ => return unfit("there is no such slot"),
            },
            Change::Memory { address, bytes } => self.core.memory.write_from(*address, bytes),
            Change::Branch { to } => {
                let model = here.model;
                if !matches!(op, Op::Branch { .. } | Op::Switch { .. } | Op::Jump { .. }) {
                    return unfit("the run does not stand at a branch");
                }
                let Some(block) = model.blocks.get(*to as usize) else { return unfit("there is no such block") };
                let (start, instructions) = (block.start, u64::from(block.instructions));
                self.core.frames[depth].pc = start;
                self.core.instructions += instructions;
            }
            Change::Return { words } => {
                let Op::Return { n, .. } = op else { return unfit("the run does not stand at a return") };
                // The words lie where a frame of the caller's would: behind this frame's slots.
                let behind = self.code.function(self.core.frames[depth].function).frame_slots();
                let first = base + behind;
                self.core.slots.resize(self.core.slots.len().max(first + words.len() + 256), 0);
                for (index, word) in words.iter().enumerate() {
                    self.core.slots[first + index] = *word;
                }
                if let Flow::Stop(Stop::Free(stopped)) = self.return_from(observer, n, Opnd::slot(behind as u32))? {
                    return Ok(Some(stopped));
                }
            }
            Change::SkipCall { words } => {
                if !matches!(op, Op::Call { .. }) {
                    return unfit("the run does not stand at a call");
                }
                self.returns_silently(observer, words);
            }
            Change::SkipOp { value } => {
                if let Some(dst) = crate::reads::destination(&op) {
                    self.core.slots[base + dst as usize] = *value;
                } else if !matches!(op, Op::Store { .. }) {
                    return unfit("the operation has no result");
                }
                self.core.frames[depth].pc = pc + 1;
            }
        }
        Ok(None)
    }

    /// Before a call in a free run: whether it can be made.
    pub(crate) fn free_before_call<O: Observer>(&mut self, observer: &mut O, target: &Target) -> Option<Flow> {
        let free = self.free.as_ref()?;
        match target {
            Target::Captured(_) if self.core.frames.len() >= free.base_depth + free.limits.depth => {
                Some(stop(FreeStop::Limit { what: "depth" }))
            }
            Target::Captured(_) => None,
            Target::External(role) => Some(self.free_call(observer, *role)),
        }
    }

    fn free_call<O: Observer>(&mut self, observer: &mut O, role: Role) -> Flow {
        let args = self.arguments();
        let name = self.external_name();
        self.with_external(&args, |external| observer.external(&self.at(), external));
        let result = match role.kind {
            RoleKind::Modelled(model) => {
                if let Some(address) = self.unknown_in(model, &args) {
                    return stop(FreeStop::UnknownMemory { address });
                }
                self.run_model(observer, model, &args)
            }
            RoleKind::Heap(call) => match self.free_heap(observer, call, &args) {
                Ok(result) => result,
                Err(stopped) => return stop(stopped),
            },
            RoleKind::Constant => match self.run.constants.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => *value,
                None => match self.table(observer, &name) {
                    Some(address) => address,
                    None => return stop(FreeStop::External { name }),
                },
            },
            RoleKind::Recorded if role.exits => {
                return stop(FreeStop::Exited { status: args.first().map_or(0, |status| *status as i32 & 0xff) });
            }
            RoleKind::Recorded => match role.print {
                Some(print) => print.success(&args),
                None => match library::call(self, &name, &args) {
                    Some(Answer::Value(value)) => value,
                    Some(Answer::Written { address, bytes, result }) => {
                        if O::RANGES {
                            observer.external_write(&self.at(), address, bytes.len() as u64, Writer::External);
                        }
                        self.core.memory.write_from(address, &bytes);
                        result
                    }
                    Some(Answer::Text { stream, bytes, result }) => {
                        self.emit(observer, stream, bytes);
                        result
                    }
                    Some(Answer::Abort) => {
                        return stop(FreeStop::Trap { signal: SIGABRT, what: format!("{name} is called") });
                    }
                    Some(Answer::Setjmp { buffer }) => {
                        let at = self.at();
                        let serial = at.frame().serial;
                        let target = JumpTarget { depth: at.depth, site: at.pc, usp: self.core.usp };
                        let function = at.function;
                        if let Some(free) = &mut self.free {
                            free.jumps.retain(|jump| jump.0 != buffer);
                            free.jumps.push((buffer, target, function, serial));
                        }
                        0
                    }
                    Some(Answer::Longjmp { buffer, value }) => return self.free_longjmp(observer, buffer, value),
                    Some(Answer::Unknown { address }) => return stop(FreeStop::UnknownMemory { address }),
                    None => match self.recalled(observer, &name, &args) {
                        Some(words) => {
                            self.external_returns(observer, &args, &words);
                            return Flow::Continue;
                        }
                        None => return stop(FreeStop::External { name }),
                    },
                },
            },
        };
        self.external_returns(observer, &args, &[result]);
        match self.free.as_mut().and_then(|free| free.judge_output()) {
            Some(stopped) => stop(stopped),
            None => Flow::Continue,
        }
    }

    /// A table of character classes, in a block of its own: what `__ctype_b_loc` and its like give.
    fn table<O: Observer>(&mut self, observer: &mut O, name: &str) -> Option<u64> {
        let (_, table) = crate::recall::TABLES.iter().find(|table| table.0 == name)?;
        let address = self.free_allocate(observer, 8 + table.len() as u64, true);
        let middle = address + 8 + 128 * (table.len() as u64 / 384);
        self.core.memory.write_from(address, &middle.to_le_bytes());
        self.core.memory.write_from(address + 8, table);
        self.run.constants.push((name.to_string(), address));
        Some(address)
    }

    /// `strtok`: the next piece of a text between separators.
    fn token<O: Observer>(&mut self, observer: &mut O, text: u64, separators: u64) -> u64 {
        let before = self
            .recall
            .as_ref()
            .map(|recall| recall.tokens(self.free.as_ref().map_or(0, |free| free.first_instruction)));
        let known = self.free.as_ref().and_then(|free| free.tokens).or(before).unwrap_or(0);
        let start = if text != 0 { text } else { known };
        if start == 0 {
            return 0;
        }
        let separators = self.core.memory.read_string(separators, 1 << 12);
        let rest = self.core.memory.read_string(start, 1 << 20);
        let first = rest.iter().position(|byte| !separators.contains(byte));
        let (result, next) = match first {
            None => (0, start + rest.len() as u64),
            Some(first) => match rest[first..].iter().position(|byte| separators.contains(byte)) {
                None => (start + first as u64, start + rest.len() as u64),
                Some(length) => {
                    let end = start + (first + length) as u64;
                    if O::RANGES {
                        observer.external_write(&self.at(), end, 1, Writer::External);
                    }
                    self.core.memory.write_from(end, &[0]);
                    (start + first as u64, end + 1)
                }
            },
        };
        if let Some(free) = &mut self.free {
            free.tokens = Some(next);
        }
        result
    }

    /// The result of a call as the recorded run had it, its writes done.
    fn recalled<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64]) -> Option<Vec<u64>> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        match name {
            "strtok" => return Some(vec![self.token(observer, arg(0), arg(1))]),
            "strdup" | "__strdup" => {
                let text = self.core.memory.read_string(arg(0), 1 << 20);
                let size = text.len() as u64 + 1;
                let copy = self.free_allocate(observer, size, false);
                observer.moved(&self.at(), copy, arg(0), size);
                self.core.memory.copy(copy, arg(0), size);
                return Some(vec![copy]);
            }
            "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => {
                let memory = &self.core.memory;
                let (text, format) = (memory.read_string(arg(0), 1 << 20), memory.read_string(arg(1), 1 << 16));
                let scanned = crate::scan::scan(&text, &format)?;
                for (number, bytes) in &scanned.assigned {
                    let address = *args.get(2 + number)?;
                    if O::RANGES {
                        observer.external_write(&self.at(), address, bytes.len() as u64, Writer::External);
                    }
                    self.core.memory.write_from(address, bytes);
                }
                return Some(vec![u64::from(scanned.result as u32)]);
            }
            _ => {}
        }
        let recall = self.recall.clone()?;
        let free = self.free.as_mut()?;
        let Some(recalled) = recall.call(&mut free.made, free.first_instruction, name, args) else {
            return crate::recall::computed(name, args).map(|word| vec![word]);
        };
        for (address, bytes) in &recalled.writes {
            if O::RANGES {
                observer.external_write(&self.at(), *address, bytes.len() as u64, Writer::External);
            }
            self.core.memory.write_from(*address, bytes);
        }
        Some(recalled.words)
    }

    fn free_longjmp<O: Observer>(&mut self, observer: &mut O, buffer: u64, value: u64) -> Flow {
        let known = self.free.as_ref().and_then(|free| free.jumps.iter().find(|jump| jump.0 == buffer).copied());
        let Some((_, target, function, serial)) = known else {
            return stop(FreeStop::External { name: "longjmp".into() });
        };
        let alive = self.core.frames.get(target.depth).is_some_and(|f| f.function == function && f.serial == serial);
        if !alive {
            return stop(FreeStop::Trap { signal: SIGSEGV, what: "longjmp to a function that has returned".into() });
        }
        self.core.frames.truncate(target.depth + 1);
        self.core.forget_frames(target.depth + 1);
        self.core.usp = target.usp;
        self.core.frames[target.depth].pc = target.site;
        observer.unwind(&self.at(), target.depth + 1);
        let args = self.arguments();
        self.external_returns(observer, &args, &[value]);
        Flow::Continue
    }

    fn free_heap<O: Observer>(
        &mut self,
        observer: &mut O,
        call: HeapCall,
        args: &[u64],
    ) -> std::result::Result<u64, FreeStop> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        Ok(match call {
            HeapCall::Malloc | HeapCall::New => self.free_allocate(observer, arg(0), false),
            HeapCall::Calloc => self.free_allocate(observer, arg(0).saturating_mul(arg(1)), true),
            HeapCall::Free | HeapCall::Realloc => {
                let old = arg(0);
                let size = self.core.heap.get(old).map(|live| live.size).or_else(|| self.core.heap.foreign(old));
                if old != 0 && size.is_none() {
                    let what = format!("{old:#x} is freed and is no live block");
                    return Err(FreeStop::Trap { signal: SIGABRT, what });
                }
                let mut new = 0;
                if call == HeapCall::Realloc && (arg(1) > 0 || old == 0) {
                    new = self.free_allocate(observer, arg(1), false);
                    let n = size.unwrap_or(0).min(arg(1));
                    if new != 0 && n > 0 {
                        observer.moved(&self.at(), new, old, n);
                        self.core.memory.copy(new, old, n);
                    }
                }
                if old != 0 && (call == HeapCall::Free || new != 0 || arg(1) == 0) {
                    if self.core.heap.free(old).is_none() {
                        self.core.heap.free_foreign(old);
                    }
                    let block = size.map(|size| HeapBlock { address: old, size, defined: false });
                    observer.freed(&self.at(), old, block);
                }
                new
            }
        })
    }

    /// A block of the private heap.
    pub(crate) fn free_allocate<O: Observer>(&mut self, observer: &mut O, size: u64, zeroed: bool) -> u64 {
        let Some(free) = &mut self.free else { return 0 };
        if size > 1 << 32 {
            return 0;
        }
        let address = free.bump;
        free.bump += (size.max(1) + 31) & !15;
        self.core.heap.adopt(address, size);
        observer.allocated(&self.at(), HeapBlock { address, size, defined: zeroed });
        address
    }

    /// Whether the operation at which a free run stands touches memory that is unknown.
    pub(crate) fn check_free_access(&mut self) -> Flow {
        for (address, size) in accessed(&self.at()) {
            if let Some(flow) = self.free_range(address, size) {
                return flow;
            }
        }
        Flow::Continue
    }

    fn unknown_in(&self, model: Model, args: &[u64]) -> Option<u64> {
        let ranges = model.accesses(&self.core.memory, args);
        ranges.into_iter().find(|&(start, size)| size > 0 && !self.free_knows(start)).map(|range| range.0)
    }

    fn free_range(&self, address: u64, size: u64) -> Option<Flow> {
        if size == 0 {
            return None;
        }
        if address < 0x10000 || address >> 47 != 0 {
            let what = format!("access to address {address:#x}");
            return Some(stop(FreeStop::Trap { signal: SIGSEGV, what }));
        }
        let last = address.saturating_add(size - 1);
        // A length that went wrong leads from one object far over the gap to the next one.
        let within = if size > LARGE_ACCESS { address..last } else { 0..0 };
        let places = [address, last].into_iter().chain(within.step_by(PAGE_STEP));
        let unknown = places.into_iter().find(|&at| !self.free_knows(at));
        unknown.map(|address| stop(FreeStop::UnknownMemory { address }))
    }

    /// Whether the replay knows what is at an address, or may make it up.
    pub(crate) fn free_knows(&self, address: u64) -> bool {
        let heap_end = self.free.as_ref().map_or(PRIVATE_HEAP, |free| free.bump);
        (PRIVATE_HEAP..heap_end).contains(&address)
            || (STACK_TOP - STACK_BYTES..STACK_TOP).contains(&address)
            || self.core.memory.is_written(address)
            || self.is_known_object(address)
    }

    /// Whether an address lies in a global of a loaded module (zero and never written) or a heap block.
    fn is_known_object(&self, address: u64) -> bool {
        let modules = &self.code.modules()[..self.run.symbols.loaded as usize];
        modules.iter().any(|module| {
            let globals = module.model.globals.iter().zip(&module.globals);
            globals.into_iter().any(|(global, &at)| {
                at != 0 && global.linkage != whydunit_model::Linkage::Declared && address.wrapping_sub(at) < global.size
            })
        }) || self.core.heap.live().any(|(at, size)| address.wrapping_sub(at) < size)
    }

    /// A safepoint of a free run.
    pub(crate) fn free_step(&mut self) -> Option<Flow> {
        let free = self.free.as_ref()?;
        if self.core.instructions - free.first_instruction > free.limits.instructions {
            return Some(stop(FreeStop::Limit { what: "instructions" }));
        }
        None
    }

    /// A trap in a free run.
    pub(crate) fn free_trap(&mut self, signal: i32, what: &str) -> Flow {
        stop(FreeStop::Trap { signal, what: what.to_string() })
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
