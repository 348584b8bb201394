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
//! Rooms, from below: what functions are by their names (`role`), the loaded code (`code`), the state of a run (`state`,
//! `run`), observers (`observer`, `recall`), the machine and its parts (`machine`), its clients (`snapshot`, `patch`,
//! `verify`, `whatif`).
//!
//! Boundary: nothing is printed, no file is read besides the recording.

mod code;
mod divergence;
mod end;
mod events;
mod extraction;
mod following;
mod formats;
mod function_id;
mod heap;
mod machine;
mod marks;
mod mathematics;
mod memory;
mod observer;
mod output;
mod overflow;
mod pages;
mod patch;
mod prepare;
mod recall;
mod role;
mod rounding;
mod run;
pub mod scan;
mod signals;
mod snapshot;
mod stack;
mod state;
mod streams;
mod track;
mod verify;
mod whatif;

pub use code::{Code, LoadedFunction, LoadedModule, Program, SPARES};
pub use divergence::{Divergence, Position, ReplayError};
pub use end::End;
pub use events::Events;
pub use formats::{Formatted, formatted, telling_machine};
pub use function_id::FuncId;
pub use heap::{Heap, Live, class_of, usable};
pub use machine::{Machine, Stop};
pub use memory::{Memory, MemorySnapshot, PAGE};
pub use observer::*;
pub use output::{OutputEvent, Stream};
pub use overflow::is_on_stack;
pub use pages::PageIndex;
pub use patch::{Body, Break, Original, PATCH_TEXT, Patch};
pub use recall::{Listener, Recall};
pub use role::is_output_of_rust;
pub use run::{Expectation, Limits, WhatIfOutcome, WhatIfStop};
pub use snapshot::{Segments, Snapshot};
pub use state::{Core, DynamicObject, Frame, FrameKind, MAIN_THREAD, Thread, Threads, Waits};
pub use track::{LineCodes, TrackedFrame, TrackedThread};
pub use verify::{OutputCheck, Verified, verify, verify_watched};
pub use whatif::{Change, PANICKED, character_table};
