//! What can be watched during a replay.
//!
//! An [`Observer`] is dispatched statically. Its associated constants say which groups of hooks it needs; what it does
//! not need costs nothing, and a replay whose observer needs neither [`OPS`](Observer::OPS) nor
//! [`BLOCKS`](Observer::BLOCKS) runs fused, pre-decoded code.
//!
//! Order of hooks around one operation:
//! 1. `external_write` for memory that the recording says was changed from outside before the operation reads it
//!    (surprises of loads, ranges checked);
//! 2. [`op`](Observer::op) with the operands in place;
//! 3. for a load or store nothing more: its address is the operand's value. For operations on ranges and modelled
//!    functions [`read`](Observer::read), [`moved`](Observer::moved), [`filled`](Observer::filled) and so on;
//! 4. the operation's effect, then [`op_done`](Observer::op_done) (not for terminators).
//!
//! A call of captured code: `op` (in the caller), `enter` (in the callee, arguments in its parameters' slots), …,
//! `op` of the return, `leave` (still in the callee), then `op_done` of the call in the caller with the result in its
//! slot. A call of external code: `op`, `external`, effects and callbacks, `external_done`, `op_done`.
//!
//! An execution of an operation is named by ([`At::instruction`], [`At::pc`]): the count includes the whole present
//! block, and grows with every block entered, so no two executions have the same pair.

mod per_thread;

use whydunit_model::{Block, Call, Function, Loc, Module, Op, Opnd, Site};

pub use self::per_thread::PerThread;
use crate::code::Code;
use crate::divergence::Position;
use crate::end::End;
use crate::function_id::FuncId;
use crate::memory::Memory;
use crate::output::OutputEvent;
use crate::state::{Core, Frame};

/// Where the run stands, for hooks. Before the first frame exists, [`At::in_frame`] is false and what concerns the frame
/// must not be asked.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Memory, frames, slots.
    pub core: &'a Core,
    /// Loaded modules and functions.
    pub code: &'a Code,
    /// The model of the present function.
    pub model: &'a Function,
    /// The constant pool of the present function, resolved.
    pub consts: &'a [u64],
    /// Index of the present frame.
    pub depth: usize,
    /// The present function.
    pub function: FuncId,
    /// The present operation.
    pub pc: u32,
    /// Index of the frame's slot 0 in [`Core::slots`]: slot `n` is `base + n` there. No two live frames share slots.
    pub base: usize,
}

impl<'a> At<'a> {
    /// Whether there is a frame.
    #[inline(always)]
    pub fn in_frame(&self) -> bool {
        self.function != FuncId::NONE
    }
    /// The value of an operand (its first word).
    #[inline(always)]
    pub fn value(&self, operand: Opnd) -> u64 {
        if operand.is_const() {
            self.consts[operand.index() as usize]
        } else {
            self.core.slots[self.base + operand.index() as usize]
        }
    }
    /// The value of an operand of two words.
    #[inline]
    pub fn wide(&self, operand: Opnd) -> u128 {
        u128::from(self.value(operand)) | u128::from(self.value(operand.word(1))) << 64
    }
    /// The value of a slot of this frame.
    #[inline(always)]
    pub fn slot(&self, slot: u32) -> u64 {
        self.core.slots[self.base + slot as usize]
    }
    /// Index in [`Core::slots`] of the slot that an operand reads; none for a constant.
    #[inline(always)]
    pub fn slot_index(&self, operand: Opnd) -> Option<usize> {
        if operand.is_const() { None } else { Some(self.base + operand.index() as usize) }
    }
    /// How many of [`Core::slots`] the running thread's frames take.
    pub fn slots_in_use(&self) -> usize {
        let last = self.core.frames.last();
        last.map_or(0, |frame| frame.base + self.code.function(frame.function).frame_slots())
    }
    /// The operation.
    #[inline(always)]
    pub fn op(&self) -> &'a Op {
        &self.model.code[self.pc as usize]
    }
    /// The module of the present function.
    pub fn module(&self) -> &'a Module {
        self.code.module_of(self.function)
    }
    /// The present frame.
    #[inline]
    pub fn frame(&self) -> &'a Frame {
        &self.core.frames[self.depth]
    }
    /// Number of the instruction in its module.
    pub fn site(&self) -> Site {
        self.model.sites.get(self.pc as usize).copied().unwrap_or(0)
    }
    /// Source position.
    pub fn loc(&self) -> Loc {
        self.model.loc(self.pc as usize)
    }
    /// The position, spelled out.
    pub fn position(&self) -> Position {
        self.code.position(self.function, self.pc)
    }
    /// Emulated memory.
    #[inline(always)]
    pub fn memory(&self) -> &'a Memory {
        &self.core.memory
    }
    /// Safepoints counted.
    #[inline(always)]
    pub fn counter(&self) -> u64 {
        self.core.counter
    }
    /// Instructions executed, the present block included as a whole.
    #[inline(always)]
    pub fn instruction(&self) -> u64 {
        self.core.instructions
    }
}

/// How a function came to be called.
#[derive(Clone, Copy, Debug)]
pub enum Entry<'a> {
    /// By captured code.
    Call {
        /// Index in [`Core::slots`] of the caller's slot 0.
        caller_base: usize,
        /// The caller.
        caller: FuncId,
        /// The call; its `i`-th argument went to the callee's `i`-th parameter.
        call: &'a Call,
        /// Where the variadic arguments went.
        variadic: &'a [VariadicWord],
    },
    /// By external code, with these argument words.
    Callback {
        /// Their values are in the parameters' slots already.
        words: &'a [u64],
    },
    /// As a signal handler.
    Signal {
        /// As for a callback.
        words: &'a [u64],
    },
}

/// A word of a variadic argument in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariadicWord {
    /// Index of the argument in the call.
    pub arg: u32,
    /// Which word of it.
    pub word: u32,
    /// Where it was written.
    pub address: u64,
    /// How many bytes (a by-value argument is one piece).
    pub size: u64,
    /// Where a by-value argument was copied from; `None` for what lay in the caller's slots.
    pub from: Option<u64>,
}

/// What kind of external call it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternalKind {
    /// The recording has its result and what it wrote.
    Recorded,
    /// Computed by the replay from memory and arguments.
    Modelled,
    /// malloc and its like: computed with the prediction.
    Heap,
    /// Inline assembly.
    Asm,
}

/// An external call.
#[derive(Clone, Copy, Debug)]
pub struct External<'a> {
    /// Symbol name; empty when called through a pointer that no declaration names.
    pub name: &'a str,
    /// Address called; 0 for inline assembly.
    pub address: u64,
    /// Kind.
    pub kind: ExternalKind,
    /// The call.
    pub call: &'a Call,
    /// First words of the arguments.
    pub args: &'a [u64],
}

/// What wrote memory from outside the captured code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writer {
    /// A WRITE event: the external call under way (or the process's start) wrote it.
    External,
    /// Memory was found changed when captured code read it: who wrote it is unknown.
    Found,
    /// The initial image of a module's global.
    Image,
    /// The variadic area of a function that external code called.
    Variadic,
}

/// A heap block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeapBlock {
    /// Where it starts.
    pub address: u64,
    /// Bytes asked for.
    pub size: u64,
    /// The content is defined: zero (calloc), or written by the external code that gave the block.
    pub defined: bool,
}

/// Watches a replay. Every hook has an empty default.
#[allow(unused_variables)]
pub trait Observer {
    /// [`op`](Observer::op) and [`op_done`](Observer::op_done) are wanted.
    const OPS: bool = false;
    /// [`block`](Observer::block) and [`safepoint`](Observer::safepoint) are wanted.
    const BLOCKS: bool = false;
    /// [`read`](Observer::read), [`moved`](Observer::moved), [`filled`](Observer::filled) and
    /// [`external_write`](Observer::external_write) are wanted.
    const RANGES: bool = false;
    /// [`enter`](Observer::enter), [`leave`](Observer::leave) and [`unwind`](Observer::unwind) are wanted.
    const FRAMES: bool = false;

    /// [`stop`](Observer::stop) is wanted.
    const STOPS: bool = false;
    /// [`stop`](Observer::stop) is wanted where the machine was told to ask ([`Machine::break_at`](crate::Machine::break_at));
    /// it may be asked elsewhere.
    const BREAKS: bool = false;
    /// The run is followed, where the machine was told to ([`Machine::track`](crate::Machine::track)); [`enter`](Observer::enter) and
    /// [`leave`](Observer::leave) come for some frames, all functions that checks call among them.
    const TRACKS: bool = false;
    /// Operations are executed one by one.
    const WATCHED: bool = Self::OPS || Self::BLOCKS || Self::STOPS;

    /// Asked before each operation: whether the run is to stop here ([`Stop::Asked`](crate::Stop::Asked)). It is asked again
    /// when the run goes on.
    #[inline(always)]
    fn stop(&mut self, at: &At<'_>) -> bool {
        false
    }
    /// An operation is about to be executed; operands are in place.
    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {}
    /// An operation that is no terminator was executed; its result is in place. After a call: it returned.
    #[inline(always)]
    fn op_done(&mut self, at: &At<'_>, op: &Op) {}

    /// A block is entered (`at.pc` is its first operation, not yet executed); `from` is the block left, none at a
    /// function's entry.
    #[inline(always)]
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &Block) {}
    /// A safepoint was counted.
    #[inline(always)]
    fn safepoint(&mut self, at: &At<'_>) {}

    /// A function was entered: its frame is the last one, its parameters are in place, its stack objects are alive.
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {}
    /// A function is about to return; its frame still stands. `result` is the operand of the first word returned.
    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {}
    /// The frames from index `depth` on are gone (longjmp); `at` is where the run goes on.
    fn unwind(&mut self, at: &At<'_>, depth: usize) {}
    /// A dynamic stack object comes alive. It dies with its frame or by `StackRestore`.
    fn stack_object(&mut self, at: &At<'_>, object: u32, address: u64, size: u64) {}

    /// An operation or modelled function reads a range (`MemMove` and `moved` ones report `moved` alone).
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {}
    /// A range was moved to another place.
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {}
    /// A range was filled with a byte (memset), zeroed, or written by a modelled function with computed content.
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {}
    /// Memory was written from outside captured code.
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {}

    /// A heap block comes alive.
    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {}
    /// The block at `address` has another size now, in place; `before` is none where the old size is unknown.
    fn resized(&mut self, at: &At<'_>, address: u64, before: Option<u64>, size: u64) {}
    /// A block is freed. `block` is none when no live block starts there (a double or wild free, or a block of external code's
    /// that the replay does not know).
    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {}

    /// External code is called.
    fn external(&mut self, at: &At<'_>, call: &External<'_>) {}
    /// It returned; `result` are the words of the result.
    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {}
    /// A call printed something.
    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {}

    /// A module was loaded (its number in order of registration); its initial image is in memory.
    fn module_loaded(&mut self, at: &At<'_>, index: u32) {}
    /// Thread `to` runs from here on, where it had stopped: `at` is there. What an observer keeps by frames belongs to the thread
    /// `from` that ran before.
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {}
    /// A synchronous signal is raised by the present operation.
    fn fault(&mut self, at: &At<'_>, signal: u32, address: u64) {}
    /// The run ends here.
    fn end(&mut self, at: &At<'_>, end: &End) {}
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Observer for Nothing {}

/// Two observers side by side.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const OPS: bool = A::OPS || B::OPS;
    const BLOCKS: bool = A::BLOCKS || B::BLOCKS;
    const RANGES: bool = A::RANGES || B::RANGES;
    const FRAMES: bool = A::FRAMES || B::FRAMES;
    const STOPS: bool = A::STOPS || B::STOPS;
    const BREAKS: bool = A::BREAKS || B::BREAKS;
    const TRACKS: bool = A::TRACKS || B::TRACKS;

    #[inline(always)]
    fn stop(&mut self, at: &At<'_>) -> bool {
        let first = self.0.stop(at);
        self.1.stop(at) || first
    }

    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        self.0.op(at, op);
        self.1.op(at, op);
    }
    #[inline(always)]
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        self.0.op_done(at, op);
        self.1.op_done(at, op);
    }
    #[inline(always)]
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &Block) {
        self.0.block(at, from, to, block);
        self.1.block(at, from, to, block);
    }
    #[inline(always)]
    fn safepoint(&mut self, at: &At<'_>) {
        self.0.safepoint(at);
        self.1.safepoint(at);
    }
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.0.enter(at, entry);
        self.1.enter(at, entry);
    }
    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.0.leave(at, result);
        self.1.leave(at, result);
    }
    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.0.unwind(at, depth);
        self.1.unwind(at, depth);
    }
    fn stack_object(&mut self, at: &At<'_>, object: u32, address: u64, size: u64) {
        self.0.stack_object(at, object, address, size);
        self.1.stack_object(at, object, address, size);
    }
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.0.read(at, address, size);
        self.1.read(at, address, size);
    }
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.0.moved(at, to, from, size);
        self.1.moved(at, to, from, size);
    }
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.0.filled(at, address, size);
        self.1.filled(at, address, size);
    }
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        self.0.external_write(at, address, size, writer);
        self.1.external_write(at, address, size, writer);
    }
    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {
        self.0.allocated(at, block);
        self.1.allocated(at, block);
    }
    fn resized(&mut self, at: &At<'_>, address: u64, before: Option<u64>, size: u64) {
        self.0.resized(at, address, before, size);
        self.1.resized(at, address, before, size);
    }
    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        self.0.freed(at, address, block);
        self.1.freed(at, address, block);
    }
    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.0.external(at, call);
        self.1.external(at, call);
    }
    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        self.0.external_done(at, call, result);
        self.1.external_done(at, call, result);
    }
    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        self.0.output(at, output);
        self.1.output(at, output);
    }
    fn module_loaded(&mut self, at: &At<'_>, index: u32) {
        self.0.module_loaded(at, index);
        self.1.module_loaded(at, index);
    }
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        self.0.switched(at, from, to);
        self.1.switched(at, from, to);
    }
    fn fault(&mut self, at: &At<'_>, signal: u32, address: u64) {
        self.0.fault(at, signal, address);
        self.1.fault(at, signal, address);
    }
    fn end(&mut self, at: &At<'_>, end: &End) {
        self.0.end(at, end);
        self.1.end(at, end);
    }
}

/// An observer lent.
impl<O: Observer> Observer for &mut O {
    const OPS: bool = O::OPS;
    const BLOCKS: bool = O::BLOCKS;
    const RANGES: bool = O::RANGES;
    const FRAMES: bool = O::FRAMES;
    const STOPS: bool = O::STOPS;
    const BREAKS: bool = O::BREAKS;
    const TRACKS: bool = O::TRACKS;

    #[inline(always)]
    fn stop(&mut self, at: &At<'_>) -> bool {
        (**self).stop(at)
    }

    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        (**self).op(at, op);
    }
    #[inline(always)]
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        (**self).op_done(at, op);
    }
    #[inline(always)]
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &Block) {
        (**self).block(at, from, to, block);
    }
    #[inline(always)]
    fn safepoint(&mut self, at: &At<'_>) {
        (**self).safepoint(at);
    }
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        (**self).enter(at, entry);
    }
    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        (**self).leave(at, result);
    }
    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        (**self).unwind(at, depth);
    }
    fn stack_object(&mut self, at: &At<'_>, object: u32, address: u64, size: u64) {
        (**self).stack_object(at, object, address, size);
    }
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        (**self).read(at, address, size);
    }
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        (**self).moved(at, to, from, size);
    }
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        (**self).filled(at, address, size);
    }
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        (**self).external_write(at, address, size, writer);
    }
    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {
        (**self).allocated(at, block);
    }
    fn resized(&mut self, at: &At<'_>, address: u64, before: Option<u64>, size: u64) {
        (**self).resized(at, address, before, size);
    }
    fn freed(&mut self, at: &At<'_>, address: u64, block: Option<HeapBlock>) {
        (**self).freed(at, address, block);
    }
    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        (**self).external(at, call);
    }
    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        (**self).external_done(at, call, result);
    }
    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        (**self).output(at, output);
    }
    fn module_loaded(&mut self, at: &At<'_>, index: u32) {
        (**self).module_loaded(at, index);
    }
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        (**self).switched(at, from, to);
    }
    fn fault(&mut self, at: &At<'_>, signal: u32, address: u64) {
        (**self).fault(at, signal, address);
    }
    fn end(&mut self, at: &At<'_>, end: &End) {
        (**self).end(at, end);
    }
}
