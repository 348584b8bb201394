//! An editor that talks to a language server of ours.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::project::{Project, WHYDUNIT};

/// A client of a server that it started.
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
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
        let mut command = project.command(WHYDUNIT);
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("whydunit starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { input: child.stdin.take(), output, child, number: 0, told: VecDeque::new() }
    }

    /// Begins; what the server can do.
    pub fn initialize(&mut self, project: &Project, capabilities: Value) -> Value {
        let folders = json!([{ "uri": uri(project.folder()), "name": "project" }]);
        let parameters = json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders });
        let done = self.ask("initialize", parameters);
        self.notify("initialized", json!({}));
        done
    }

    /// Sends bytes.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("it listens");
    }

    /// Sends a message.
    pub fn send_message(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// Tells the server something.
    pub fn notify(&mut self, method: &str, parameters: Value) {
        self.send_message(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Sends a request; its number.
    pub fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.number += 1;
        self.send_message(&json!({ "jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters }));
        self.number
    }

    /// The next message; `None` where the server has ended.
    pub fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("it can be read") == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", count)) => length = count.parse().expect("a length"),
                _ if line.trim_end().is_empty() => break,
                other => panic!("no header: {other:?}"),
            }
        }
        let mut content = vec![0; length];
        self.output.read_exact(&mut content).expect("a message");
        Some(serde_json::from_slice(&content).expect("JSON"))
    }

    /// The response to a request; what else comes is kept.
    pub fn response(&mut self, number: u64) -> Value {
        loop {
            let message = self.receive().expect("a response");
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
                None => self.receive().expect("it goes on"),
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
        self.wait()
    }

    /// Says that nothing more comes; the status that the server ends with.
    pub fn leave(mut self) -> i32 {
        drop(self.input.take());
        self.wait()
    }

    fn wait(&mut self) -> i32 {
        while self.receive().is_some() {}
        self.child.wait().expect("it ends").code().unwrap_or(-1)
    }
}
