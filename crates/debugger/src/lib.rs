//! A session over a recording: one stands at a moment of the run, and goes to any other, forwards and backwards.
//!
//! A moment is a [`Position`]: how many operations of captured code were begun before it. A run is looked over once when a
//! [`Session`] is opened; that leaves checkpoints all over the run, and notes what is worth going to. From
//! then on every movement restores the last checkpoint before its goal and runs on from there.
//!
//! Invariants
//! - What is seen at a position depends on the position alone, not on the way that led to it.
//! - Going back is the inverse of going on: whatever stops a run forwards stops it at the same position backwards, but for
//!   data breakpoints, which stop behind a write forwards and before it backwards.
//! - Memory is bounded by the number of checkpoints, not by the length of the run.
//! - A recorded run is never changed: nothing is written. Functions that an expression calls are run apart from it, and only what
//!   changes nothing has a value.
//!
//! Boundary: nothing is known of protocols, projects and files; positions in sources are those of the recorded build.

mod breakpoints;
mod calls;
mod checkpoints;
mod course;
mod data;
mod error;
mod exceptional;
mod going;
mod inspect;
mod lines;
mod restriction;
mod resume;
mod session;
mod setting;
mod sought;
mod stepping;
mod survey;
mod targets;
mod values;

pub use breakpoints::{Breakpoint, Breakpoints, Place};
pub use data::{DataBreakpoint, Watched};
pub use error::DebugError;
pub use exceptional::{Event, EventKind};
pub use inspect::{FrameId, Global, ShownFrame, ThreadInfo};
pub use lines::codes as line_codes;
pub use resume::{Direction, Reason, Stopped};
pub use session::Session;
pub use sought::{Execution, LineAt, Located, Sought, seek};
pub use stepping::Step;
pub use survey::Printed;
pub use targets::CallAhead;
pub use values::{RunValues, SetAt, VariableValues, values};
pub use whydunit_replay::FuncId;

/// A moment of a run: how many operations of captured code were begun before it.
pub type Position = u64;
