//! What every question about a project needs, whoever asks it.
//!
//! A [`Desk`] is one request on one project: its folder, who is told of [`Progress`], the [`Cancel`] value that ends it, and the
//! [`Notes`] that are taken on the way. With it a project is built and flavoured ([`prepare`]), its recordings are opened
//! ([`recordings`]), versions of it are built to be recorded ([`BuiltVersion`]), and what the engine's crates say is turned into findings
//! ([`convert`]).
//!
//! Invariants
//! - A request ends soon after its [`Cancel`] was asked to, with what is known by then or with [`Error::Interrupted`].
//! - A file of the user changes whole or not at all ([`Output`]).
//! - An [`Error`] is a kind with its data: what, where, why. What to do about it, and with which exit status a program ends, is the
//!   affair of a front end.
//!
//! Boundary: nothing is printed, nothing is read from standard input, no exit status is known. Formats, protocols and arguments are
//! those of front ends.

mod built_version;
pub mod checking;
mod condition;
pub mod convert;
mod date;
mod desk;
pub mod differences;
mod error;
mod notes;
mod output;
pub mod prepare;
mod progress;
pub mod recordings;
mod sources;

pub use built_version::{BuiltVersion, Recorder};
pub use condition::Condition;
pub use date::utc;
pub use desk::Desk;
pub use error::{Error, chain};
pub use notes::{Decisions, Notes};
pub use output::Output;
pub use progress::{Progress, Silent, Step, Task};
pub use sources::{ProjectSources, sources_line};
pub use whydunit_process::Cancel;
