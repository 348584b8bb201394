//! What goes to the client: responses and events, numbered in order.

use std::io::Write;

use serde_json::{Value, json};
use whydunit_framing::Output;

/// The way to the client. Clones are one and the same.
#[derive(Clone)]
pub struct Outgoing(Output);

impl Outgoing {
    /// To this stream.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self(Output::new(output))
    }

    fn send(&self, mut message: Value) {
        self.0.send_numbered(|number| {
            message["seq"] = number.into();
            message.to_string().into_bytes()
        });
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
