//! What comes from the client. A thread of its own reads, and ends what is under way where the client asks for that.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use whydunit_desk::Cancel;
use whydunit_framing::{self as framing, Content, FramingError};

use crate::outgoing::Outgoing;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its number, as the client gave it.
    pub number: Value,
    /// Its command.
    pub command: String,
    /// Its arguments.
    pub arguments: Value,
}

#[derive(Default)]
struct State {
    /// The request under way, and how it is ended.
    now: Option<(Value, Cancel)>,
    /// Requests that are not to be done any more.
    cancelled: BTreeSet<u64>,
    /// All is to end.
    ends: bool,
}

/// The request under way, as both threads know it.
#[derive(Clone, Default)]
pub struct Current(Arc<Mutex<State>>);

impl Current {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request is begun: how it is ended, or `None` where it is not to be done any more.
    pub fn begin(&self, number: &Value) -> Option<Cancel> {
        let mut state = self.state();
        if number.as_u64().is_some_and(|number| state.cancelled.remove(&number)) {
            return None;
        }
        let cancel = Cancel::new();
        if state.ends {
            cancel.cancel();
        }
        state.now = Some((number.clone(), cancel.clone()));
        Some(cancel)
    }

    /// It is done.
    pub fn done(&self) {
        self.state().now = None;
    }

    /// Ends what is under way; with a number, only where it is that request, which else will not be begun.
    fn cancel(&self, number: Option<u64>) {
        let mut state = self.state();
        match (&state.now, number) {
            (Some((_, cancel)), None) => cancel.cancel(),
            (Some((now, cancel)), Some(number)) if now.as_u64() == Some(number) => cancel.cancel(),
            (_, Some(number)) if state.cancelled.len() < 1000 => _ = state.cancelled.insert(number),
            _ => {}
        }
    }

    fn end(&self) {
        self.state().ends = true;
        self.cancel(None);
    }
}

/// Requests in the order in which they came.
pub struct Incoming {
    requests: Receiver<Result<Message, FramingError>>,
    current: Current,
}

impl Incoming {
    /// From this stream. What is no request is told by `outgoing`.
    pub fn read(input: impl BufRead + Send + 'static, outgoing: Outgoing) -> Self {
        let (sender, requests) = channel();
        let current = Current::default();
        let known = current.clone();
        std::thread::spawn(move || {
            read(input, &sender, &known, &outgoing);
            known.end();
        });
        Self { requests, current }
    }

    /// The request under way.
    pub fn current(&self) -> Current {
        self.current.clone()
    }

    /// The next request; `None` where the stream has ended.
    pub fn next(&self) -> Result<Option<Message>, FramingError> {
        self.requests.recv().ok().transpose()
    }
}

fn read(
    mut input: impl BufRead,
    sender: &Sender<Result<Message, FramingError>>,
    current: &Current,
    outgoing: &Outgoing,
) {
    loop {
        let content = match framing::read(&mut input) {
            Ok(Some(Content::Message(content))) => content,
            Ok(Some(Content::TooLong(bytes))) => {
                outgoing.output("stderr", format!("a message of {bytes} bytes is too long, and was passed over\n"));
                continue;
            }
            Ok(None) => return,
            Err(error) => {
                // Where nobody waits for it the session is over.
                sender.send(Err(error)).ok();
                return;
            }
        };
        match request(&content) {
            Ok(Some(message)) => {
                match message.command.as_str() {
                    "pause" => current.cancel(None),
                    "cancel" => current.cancel(message.arguments["requestId"].as_u64()),
                    "disconnect" | "terminate" => current.cancel(None),
                    _ => {}
                }
                if sender.send(Ok(message)).is_err() {
                    return;
                }
            }
            // Responses to requests of ours, which there are none of.
            Ok(None) => {}
            Err(what) => outgoing.output("stderr", format!("a message cannot be understood: {what}\n")),
        }
    }
}

/// The request that a message is; `None` where it is no request.
fn request(content: &[u8]) -> Result<Option<Message>, String> {
    let mut message: Value = serde_json::from_slice(content).map_err(|error| error.to_string())?;
    if !message.is_object() {
        return Err("it is no object".into());
    }
    match message["type"].as_str() {
        Some("request") => {}
        Some("response" | "event") => return Ok(None),
        _ => return Err("it is no request".into()),
    }
    let Some(command) = message["command"].as_str().map(str::to_owned) else {
        return Err("it is a request without a command".into());
    };
    // Without a number nobody knows which request a response is to.
    let number = if message["seq"].is_number() { message["seq"].take() } else { 0.into() };
    Ok(Some(Message { number, command, arguments: message["arguments"].take() }))
}
