//! What goes to the client: responses, notifications and requests of ours.

use std::io::Write;

use lsp_server::RequestId;
use lsp_types::MessageType;
use serde::Serialize;
use serde_json::{Value, json};
use whydunit_framing::Output;

use crate::refusal::{Done, Refusal};

/// The way to the client. Clones are one and the same.
#[derive(Clone)]
pub struct Outgoing(Output);

impl Outgoing {
    /// To this stream.
    pub fn new(output: impl Write + Send + 'static) -> Self {
        Self(Output::new(output))
    }

    fn send(&self, message: &Value) {
        self.0.send(message.to_string().as_bytes());
    }

    /// The response to a request.
    pub fn respond(&self, id: &RequestId, done: Done) {
        match done {
            Ok(result) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
            Err(refusal) => self.refuse(&json!(id), &refusal),
        }
    }

    /// That a request is not done, by its number as it came; none where that is not known.
    pub fn refuse(&self, id: &Value, refusal: &Refusal) {
        let error = json!({ "code": refusal.code, "message": refusal.text });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
    }

    /// A notification.
    pub fn notify(&self, method: &str, parameters: impl Serialize) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// A request of ours, whose response nothing depends on.
    pub fn request(&self, method: &str, parameters: impl Serialize) {
        self.0.send_numbered(|number| {
            let id = format!("whydunit-{number}");
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }).to_string().into_bytes()
        });
    }

    /// Shows people something.
    pub fn show(&self, kind: MessageType, text: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": format!("whydunit: {text}") }));
    }

    /// Writes something down for who looks for it.
    pub fn log(&self, kind: MessageType, text: &str) {
        self.notify("window/logMessage", json!({ "type": kind, "message": text }));
    }
}
