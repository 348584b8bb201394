//! What happens to a server, whatever it knows: messages of its client, and jobs that have ended.

use lsp_server::Message;
use serde_json::Value;
use whydunit_framing::FramingError;

use crate::refusal::Refusal;

/// What a job has left to be done by the thread that knows all.
pub type Then<S> = Box<dyn FnOnce(&mut S) + Send>;

/// What happens to a server `S`.
pub enum Event<S> {
    /// The client says something.
    Message(Message),
    /// It says something that cannot be understood: the number that it had, and why.
    Wrong(Value, Refusal),
    /// Its stream has ended; why, where that was no orderly end.
    Ended(Option<FramingError>),
    /// A job has, with what is to be done then.
    Done(u64, Then<S>),
}
