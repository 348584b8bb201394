//! Exact replay of recordings.
//!
//! A [`Program`] is the set of models of a build; a [`Machine`] runs it, driven by the events of a recording, and calls
//! an [`Observer`] at what it wants to see. Addresses are the recorded process's own.
//!
//! Invariants
//! - Never a silent wrong answer: what does not fit the recording is a [`Divergence`] that names instruction and source
//!   line.
//! - Two executors, one meaning: fused pre-decoded code for runs that nobody watches, the model's operations one by one
//!   for all others. Both share every arithmetic function, and either can go on where the other stopped.
//! - Memory is bounded by what the program touched and by the snapshots kept, not by the length of the run.
//!
//! Boundary: nothing is printed, no file is read besides the recording.

mod code;
mod divergence;
mod end;
mod heap;
mod memory;
mod observer;
mod output;
mod prepare;
mod state;

pub use code::{Code, FuncId, LoadedFunction, LoadedModule, Program};
pub use divergence::{Divergence, Position, ReplayError};
pub use end::End;
pub use heap::{Heap, Live, class_of, usable};
pub use memory::{Memory, MemorySnapshot, PAGE};
pub use observer::*;
pub use output::{OutputEvent, Stream};
pub use state::{Core, DynamicObject, Frame, FrameKind, Waits};
