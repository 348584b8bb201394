//! What goes to the client: responses and events, numbered in order.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use whydunit_framing as framing;

struct Shared {
    output: Box<dyn Write + Send>,
    number: u64,
}

/// The way to the client. Clones are one and the same.
#[derive(Clone)]
pub struct Outgoing(Arc<Mutex<Shared>>);

impl Outgoing {
    /// To this stream.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Shared { output: Box::new(output), number: 0 })))
    }

    fn send(&self, mut message: Value) {
        let mut shared = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shared.number += 1;
        message["seq"] = shared.number.into();
        // A client that does not listen any more is noticed where its requests end.
        framing::write(&mut shared.output, message.to_string().as_bytes()).ok();
    }

    /// An event.
    pub fn event(&self, event: &str, body: Value) {
        self.send(json!({ "seq": 0, "type": "event", "event": event, "body": body }));
    }

    /// Something for people to read, of a category of the protocol.
    pub fn output(&self, category: &str, text: impl Into<String>) {
        self.event("output", json!({ "category": category, "output": text.into() }));
    }

    /// A line of our own for people to read.
    pub fn say(&self, text: &str) {
        self.output("console", format!("{text}\n"));
    }

    /// The response to a request that was done.
    pub fn respond(&self, request: &Value, command: &str, body: Value) {
        self.send(json!({
            "seq": 0, "type": "response", "request_seq": request, "success": true, "command": command, "body": body,
        }));
    }

    /// The response to a request that was not done. `short` is a word for programs, `text` is for people.
    pub fn refuse(&self, request: &Value, command: &str, short: Option<&str>, text: &str) {
        self.send(json!({
            "seq": 0, "type": "response", "request_seq": request, "success": false, "command": command,
            "message": short.unwrap_or(text),
            // Braces would be taken for names of variables.
            "body": { "error": { "id": 1, "format": "{text}", "variables": { "text": text }, "showUser": true } },
        }));
    }
}
