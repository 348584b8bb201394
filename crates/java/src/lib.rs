//! Programs of the Java virtual machine, run under a tracer that writes what their objects do as a stream of events.
//!
//! The tracer (`java/` in the repository) is an agent of the virtual machine; this crate carries its archives, starts the user's command
//! with it, and gives the events to whoever reads such streams.
//!
//! Invariants
//! - The program is what the user starts: its command line has one option more, and nothing of its environment is changed.
//! - A stream that was cut, by a program that was killed or by the limit of its size, is said to be cut.
//!
//! Boundary: nothing of models, projects and formats.

mod command;
mod error;
mod notes;
mod trace;

pub use command::{Version, version};
pub use error::JavaError;
pub use notes::{Callable, Notes};
pub use trace::{Mutation, Request, Traced, trace};
