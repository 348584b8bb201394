//! Recordings: the raw log of a process and the file it is kept in.
//!
//! A recorded process leaves a folder (`head`, `ctl`, `log.*`; docs/engine.md section 4). [`finalise`] turns it into one
//! file, a *recording*: versioned, in chunks, compressed, every byte of it covered by a checksum, with everything that a
//! replay needs to know about the run. [`Recording`] opens it and [`EventReader`] streams its [`Event`]s.
//!
//! Invariants
//! - A recording appears under its name whole or not at all.
//! - Damage is an error or ends the events where [`Recording::open_partial`] was asked for; no damaged byte becomes an
//!   event.
//! - Values are plain: differences, slots and prefixes of the log are resolved before a consumer sees an event.
//! - Memory is bounded by a few chunks, not by the length of the run.
//!
//! Boundary: knows no program model; sites and addresses are numbers here.

mod codec;
mod error;
mod event;
mod finalise;
mod format;
mod hex;
mod info;
mod raw;
mod read;
mod scan;
mod write;

pub use codec::{CodecState, DecodeError};
pub use error::{Error, Intact};
pub use event::*;
pub use finalise::finalise;
pub use format::VERSION;
pub use info::*;
pub use raw::{LOG_CHUNK_BYTES, LOG_VERSION, LogDamage, LogReader, ProcessFolder, RawEntry};
pub use raw::{processes, read_control, read_head};
pub use read::{EventReader, Position, Recording};
pub use write::RecordingWriter;
