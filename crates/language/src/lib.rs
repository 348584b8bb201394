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

mod actions;
mod capabilities;
mod client;
mod commands;
mod declared;
mod diagnostics;
mod dispatch;
mod documents;
mod event;
mod incoming;
mod jobs;
mod known;
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
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use event::Event;
use lsp_server::Message;
use outgoing::Outgoing;
use server::{Server, Stage};

pub use capabilities::{METHODS, Method};
pub use commands::{COMMANDS, Command};
pub use whydunit_framing::FramingError;

/// So often it is looked whether there are other recordings and answers.
const TICK: Duration = Duration::from_millis(1500);
/// So long jobs are waited for that were told to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves one client until it says that it ends, or its stream does; whether it ended as the protocol wants it. `folder` is the
/// workspace of a client that names none.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    folder: &Path,
) -> Result<bool, FramingError> {
    let (sender, events) = std::sync::mpsc::channel();
    incoming::read(input, sender.clone());
    let mut server = Server::new(Outgoing::new(output), sender, folder);
    while server.stage != Stage::Ended {
        match events.recv_timeout(TICK) {
            Ok(Event::Message(message)) => dispatch::message(&mut server, message),
            Ok(Event::Wrong(id, refusal)) => server.outgoing.refuse(&id, &refusal),
            Ok(Event::Done(number, then)) => {
                server.jobs.ended(number);
                then(&mut server);
            }
            Ok(Event::Ended(Some(error))) => {
                finish(&mut server, &events);
                return Err(error);
            }
            Ok(Event::Ended(None)) | Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => server.look(),
        }
        for request in std::mem::take(&mut server.again) {
            dispatch::message(&mut server, Message::Request(request));
        }
    }
    finish(&mut server, &events);
    Ok(server.orderly)
}

/// Ends what is under way, and waits for it: a job that is left in its middle would leave its files.
fn finish(server: &mut Server, events: &Receiver<Event<Server>>) {
    server.jobs.end();
    let until = Instant::now() + PATIENCE;
    while server.jobs.are_running() {
        match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Event::Done(number, _)) => server.jobs.ended(number),
            // The stream has ended, or somebody goes on talking.
            Ok(_) => {}
            Err(_) => return,
        }
    }
}
