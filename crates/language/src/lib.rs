//! The Language Server Protocol: what is found out about a project, in any editor, beside its other servers.
//!
//! [`serve`] reads messages from a stream and writes others to another until the client says that it ends. One thread reads, one
//! does what is quick in the order in which it comes, and what takes long is a job of its own thread, which tells its progress and
//! ends where the client cancels it.
//!
//! Invariants
//! - Whatever a client sends gets a response, is a notification, or is told as an error: a mistake of its ends no session, but
//!   for a stream that is no sequence of messages.
//! - What is shown are the answers of the questions that the command line asks, in their words.
//! - No state is global: several servers may live in one process, and several on one project.
//! - A file of the project is never written: edits go to the client.
//!
//! Boundary: the only crate that knows the protocol. What is found is `whydunit-inquiry`'s, what is kept of earlier answers
//! `whydunit-reports`'s.

mod capabilities;
mod client;
mod diagnostics;
mod dispatch;
mod documents;
mod incoming;
mod jobs;
mod outgoing;
mod paths;
mod position;
mod progress;
mod project;
mod refusal;
mod run;
mod server;
mod tracking;
mod values;

use std::io::{BufRead, Write};
use std::path::Path;

pub use capabilities::{METHODS, Method};
pub use whydunit_framing::FramingError;

/// Serves one client until it says that it ends, or its stream does; whether it ended as the protocol wants it. `folder` is the
/// workspace of a client that names none.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    folder: &Path,
) -> Result<bool, FramingError> {
    let (sender, events) = std::sync::mpsc::channel();
    let outgoing = outgoing::Outgoing::new(output);
    incoming::read(input, sender.clone());
    server::Server::new(outgoing, sender, folder).serve(&events)
}
