//! An editor that talks to a language server of ours.

use std::collections::VecDeque;
use std::path::Path;

use serde_json::{Value, json};

use super::project::Project;
use super::wire::Wire;

/// A client of a server that it started.
pub struct Editor {
    pub wire: Wire,
    number: u64,
    /// Notifications and requests of the server's that nobody has looked at.
    told: VecDeque<Value>,
}

/// How the protocol names a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.canonicalize().unwrap_or_else(|_| path.to_path_buf()).display())
}

impl Editor {
    /// In a project's folder, which is its workspace; it can do what editors can.
    pub fn new(project: &Project) -> Self {
        let mut editor = Self::bare(project);
        let capabilities = json!({
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "general": { "positionEncodings": ["utf-16"] },
        });
        editor.initialize(project, capabilities);
        editor
    }

    /// In a project's folder; nothing was said yet.
    pub fn bare(project: &Project) -> Self {
        Self { wire: Wire::to("lsp", project), number: 0, told: VecDeque::new() }
    }

    /// Begins; what the server can do.
    pub fn initialize(&mut self, project: &Project, capabilities: Value) -> Value {
        let folders = json!([{ "uri": uri(project.folder()), "name": "project" }]);
        let parameters = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders });
        let done = self.ask("initialize", parameters);
        self.notify("initialized", json!({}));
        done
    }

    /// Tells the server something.
    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.wire.send_message(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request; its number.
    pub fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.number += 1;
        self.wire.send_message(&json!({ "jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters }));
        self.number
    }

    /// The response to a request; what else comes is kept.
    pub fn response(&mut self, number: u64) -> Value {
        loop {
            let message = self.wire.receive().expect("a response");
            if message["method"].is_null() && message["id"] == number {
                return message;
            }
            self.told.push_back(message);
        }
    }

    /// The result of a request that is done.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.send(method, parameters);
        let response = self.response(number);
        assert!(response["error"].is_null(), "{method}: {response}");
        response["result"].clone()
    }

    /// The number and the words by which a request is refused.
    pub fn refused(&mut self, method: &str, parameters: Value) -> (i64, String) {
        let number = self.send(method, parameters);
        let response = self.response(number);
        let error = &response["error"];
        (
            error["code"].as_i64().unwrap_or_else(|| panic!("{response}")),
            error["message"].as_str().expect("words").into(),
        )
    }

    /// The parameters of the next message of this method; others are passed over.
    pub fn told(&mut self, method: &str) -> Value {
        loop {
            let message = match self.told.pop_front() {
                Some(message) => message,
                None => self.wire.receive().expect("it goes on"),
            };
            if message["method"] == method {
                return message["params"].clone();
            }
        }
    }

    /// Opens a file of a project as it is on the disk.
    pub fn open(&mut self, project: &Project, file: &str) {
        let document =
            json!({ "uri": uri(&project.path(file)), "languageId": "c", "version": 1, "text": project.read(file) });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Says that a file was saved.
    pub fn save(&mut self, project: &Project, file: &str) {
        let document = json!({ "uri": uri(&project.path(file)) });
        self.notify("textDocument/didSave", json!({ "textDocument": document }));
    }

    /// The next diagnostics of a file that are as `wanted` says.
    pub fn diagnostics(&mut self, project: &Project, file: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let uri = uri(&project.path(file));
        loop {
            let published = self.told("textDocument/publishDiagnostics");
            let diagnostics = published["diagnostics"].as_array().expect("diagnostics");
            if published["uri"] == uri && wanted(diagnostics) {
                return diagnostics.clone();
            }
        }
    }

    /// Ends as the protocol wants it; the status that the server ends with.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.wire.wait()
    }

    /// Says that nothing more comes; the status that the server ends with.
    pub fn leave(mut self) -> i32 {
        self.wire.close();
        self.wire.wait()
    }
}
