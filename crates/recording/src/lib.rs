//! Recordings: the raw log of a process and the file it is kept in.
mod codec;
mod event;
mod hex;

pub use codec::{CodecState, DecodeError};
pub use event::*;
