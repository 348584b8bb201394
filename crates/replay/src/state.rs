//! What a run consists of at one moment, apart from its code: memory, frames, slots, counts.

mod threads;

use whydunit_model::Site;

pub(crate) use self::threads::place_frame;
pub use self::threads::{MAIN_THREAD, Thread, Threads};
use crate::function_id::FuncId;
use crate::heap::Heap;
use crate::memory::Memory;

/// How a frame came about, and so what its return means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameKind {
    /// Captured code called it.
    Call,
    /// External code called it (the start of the program included).
    Callback,
    /// It is a signal handler that interrupted the frame below at a safepoint.
    Signal,
    /// It was called by [`inspect`](crate::Machine::inspect).
    Inspect,
}

/// An activation of a captured function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Which function.
    pub function: FuncId,
    /// The operation to execute next; while a call is under way, the call's.
    pub pc: u32,
    /// How it was called.
    pub kind: FrameKind,
    /// Index of its slot 0 in [`Core::slots`].
    pub base: usize,
    /// Base of its static stack objects on the emulated stack.
    pub stack_base: u64,
    /// The emulated stack pointer before the call, which is restored at the return.
    pub usp_before: u64,
    /// Where its variadic arguments lie: register save area, then those passed on the stack. 0: none.
    pub variadic: u64,
    /// Safepoint count just after the entry.
    pub serial: u64,
    /// What is under way outside captured code at `pc`.
    pub waits: Waits,
    /// Index in [`Core::slots`] of the result's first word, where caller and callee agree about types; else `u32::MAX`.
    pub(crate) result: u32,
}

/// What a frame waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// Nothing, or a captured function that it called.
    No,
    /// An external call.
    External,
    /// A handler of a signal delivered at this safepoint.
    Signal,
    /// A handler of the signal that the operation at `pc` raised; the operation is tried again after it.
    Fault,
}

/// A stack object that was allocated while a function ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DynamicObject {
    /// Index of the frame.
    pub depth: usize,
    /// Index in [`Function::stack`](whydunit_model::Function::stack).
    pub object: u32,
    /// Where it lies.
    pub address: u64,
    /// Bytes.
    pub size: u64,
}

/// Where a setjmp call was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JumpTarget {
    pub depth: usize,
    pub site: Site,
    pub usp: u64,
    /// Address of the `jmp_buf`.
    pub buffer: u64,
}

/// Memory, frames, slots and counts of a run.
pub struct Core {
    /// Emulated memory.
    pub memory: Memory,
    /// The slots of all frames, one after the other.
    pub slots: Vec<u64>,
    /// Frames, the outermost first.
    pub frames: Vec<Frame>,
    /// Stack objects allocated dynamically, in order of allocation.
    pub dynamic: Vec<DynamicObject>,
    /// Emulated stack pointer.
    pub usp: u64,
    /// Safepoints counted.
    pub counter: u64,
    /// Instructions of the canonical IR in all blocks entered so far, the present block included as a whole.
    pub instructions: u64,
    /// Operations begun, where the run is followed ([`Machine::track`](crate::Machine::track)).
    pub begun: u64,
    /// Heap blocks and the prediction of addresses.
    pub heap: Heap,
    /// The threads; slots, frames, stack objects and stack pointer here are the running one's.
    pub threads: Threads,
    pub(crate) jumps: Vec<JumpTarget>,
    /// The exception and the selector of the landing under way.
    pub(crate) landed: [u64; 2],
}

impl Core {
    pub(crate) fn new() -> Self {
        Self {
            memory: Memory::new(),
            slots: Vec::new(),
            frames: Vec::new(),
            dynamic: Vec::new(),
            usp: 0,
            counter: 0,
            instructions: 0,
            begun: 0,
            heap: Heap::default(),
            threads: Threads::default(),
            jumps: Vec::new(),
            landed: [0; 2],
        }
    }

    /// Index of the innermost frame.
    #[inline]
    pub fn depth(&self) -> usize {
        self.frames.len().wrapping_sub(1)
    }

    /// Drops what belonged to frames from `depth` on.
    pub(crate) fn forget_frames(&mut self, depth: usize) {
        while self.dynamic.last().is_some_and(|object| object.depth >= depth) {
            self.dynamic.pop();
        }
        while self.jumps.last().is_some_and(|target| target.depth >= depth) {
            self.jumps.pop();
        }
    }
}

/// The emulated stack lies below this.
const STACK_TOP: u64 = 0x5780_0000_0000;
const STACK_BYTES: u64 = 64 << 20;

/// Whether an address lies on the emulated stack.
pub(crate) fn is_on_stack(address: u64) -> bool {
    (STACK_TOP - STACK_BYTES..STACK_TOP).contains(&address)
}
