//! The Debug Adapter Protocol over a recording: forwards and backwards, in any editor.
//!
//! [`serve`] reads requests from a stream and writes responses and events to another until the client disconnects. One thread
//! reads, so that `pause` and `cancel` reach what is under way; all else is done in order by the thread that called.
//!
//! Invariants
//! - Whatever a client sends gets a response or is told as output: a mistake of its ends no session, but for a stream that is
//!   no sequence of messages.
//! - Each request of the protocol is either answered or refused by name ([`REQUESTS`] has all of them).
//! - Handles of frames and variables are of one stop: after a movement they are unknown.
//!
//! Boundary: the only crate that knows the protocol. What a session can do is `whydunit-debugger`'s, how a project's tests are
//! recorded `whydunit-desk`'s.

mod arguments;
mod breakpoints;
mod completing;
mod console;
mod dispatch;
mod handles;
mod launch;
mod moving;
mod outgoing;
mod progress;
mod reading;
mod refusal;
mod requests;
mod server;
mod sources;
mod stack;
mod values;

use std::io::{BufRead, Write};
use std::path::Path;

pub use requests::{Answer, REQUESTS, Request};
pub use whydunit_framing::FramingError;

/// Serves one client until it disconnects or its stream ends. `project` is where recordings are looked for, unless the client
/// names another folder.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    project: &Path,
) -> Result<(), FramingError> {
    let outgoing = outgoing::Outgoing::new(output);
    let incoming = reading::Incoming::read(input, outgoing.clone());
    let mut server = server::Server::new(outgoing, incoming.current(), project);
    while let Some(request) = incoming.next()? {
        if !dispatch::handle(&mut server, &request) {
            break;
        }
    }
    Ok(())
}
