//! A client of the Debug Adapter Protocol.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::project::Project;
use super::wire::Wire;

/// A client of an adapter that it started.
pub struct Client {
    pub wire: Wire,
    number: u64,
    events: VecDeque<Value>,
    /// What was told as output, by category.
    pub said: Vec<(String, String)>,
}

/// Where a movement ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct At {
    pub reason: String,
    pub function: String,
    pub line: u64,
}

impl Client {
    /// In a project's folder, initialized.
    pub fn new(project: &Project) -> Self {
        let mut client = Self::bare(project);
        let body = client.ask("initialize", json!({ "adapterID": "whydunit", "linesStartAt1": true }));
        assert_eq!(body["supportsStepBack"], true);
        client
    }

    /// In a project's folder; nothing was asked yet.
    pub fn bare(project: &Project) -> Self {
        Self { wire: Wire::to("dap", project), number: 0, events: VecDeque::new(), said: Vec::new() }
    }

    /// Sends a request; its number.
    pub fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.number += 1;
        let message = json!({ "seq": self.number, "type": "request", "command": command, "arguments": arguments });
        self.wire.send_message(&message);
        self.number
    }

    /// The response to a request; events before it are kept.
    pub fn response(&mut self, number: u64) -> Value {
        loop {
            let message = self.wire.receive().expect("a response");
            match message["type"].as_str() {
                Some("response") if message["request_seq"] == number => return message,
                Some("response") => panic!("a response to another request: {message}"),
                _ => self.keep(message),
            }
        }
    }

    fn keep(&mut self, event: Value) {
        if event["event"] == "output" {
            let text = |key: &str| event["body"][key].as_str().unwrap_or_default().to_owned();
            self.said.push((text("category"), text("output")));
        } else {
            self.events.push_back(event);
        }
    }

    /// The body of the response to a request that is done.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let number = self.send(command, arguments);
        let response = self.response(number);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    /// Why a request is refused.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let number = self.send(command, arguments);
        let response = self.response(number);
        assert_eq!(response["success"], false, "{command}: {response}");
        response["body"]["error"]["variables"]["text"].as_str().expect("a text").to_owned()
    }

    /// The body of the next event of this name; others are passed over.
    pub fn event(&mut self, name: &str) -> Value {
        loop {
            while let Some(event) = self.events.pop_front() {
                if event["event"] == name {
                    return event["body"].clone();
                }
            }
            let message = self.wire.receive().expect("an event");
            self.keep(message);
        }
    }

    /// Opens a recording, sets breakpoints, and stands where it begins.
    pub fn launch(&mut self, arguments: Value, breakpoints: &[(&str, Value)]) -> At {
        self.ask("launch", arguments);
        self.event("initialized");
        for (path, breakpoints) in breakpoints {
            self.breakpoints(path, breakpoints.clone());
        }
        self.ask("configurationDone", json!({}));
        self.stopped()
    }

    /// Sets the breakpoints of a file; which are verified.
    pub fn breakpoints(&mut self, path: &str, breakpoints: Value) -> Vec<Value> {
        let body = self.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": breakpoints }));
        body["breakpoints"].as_array().expect("breakpoints").clone()
    }

    fn stopped(&mut self) -> At {
        let body = self.event("stopped");
        let frames = self.frames(body["threadId"].as_u64().expect("a thread"));
        let frame = frames.first().cloned().unwrap_or_default();
        At {
            reason: body["reason"].as_str().expect("a reason").into(),
            function: frame["name"].as_str().unwrap_or_default().into(),
            line: frame["line"].as_u64().unwrap_or_default(),
        }
    }

    /// Makes a movement of the thread that ran first.
    pub fn go(&mut self, command: &str) -> At {
        self.go_with(command, json!({ "threadId": 1 }))
    }

    /// The same with other arguments.
    pub fn go_with(&mut self, command: &str, arguments: Value) -> At {
        self.ask(command, arguments);
        self.stopped()
    }

    /// The frames of a thread.
    pub fn frames(&mut self, thread: u64) -> Vec<Value> {
        let body = self.ask("stackTrace", json!({ "threadId": thread }));
        body["stackFrames"].as_array().expect("frames").clone()
    }

    /// The number of a frame of the first thread.
    pub fn frame(&mut self, index: usize) -> u64 {
        self.frames(1)[index]["id"].as_u64().expect("a number")
    }

    /// The variables of a number.
    pub fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("variables").clone()
    }

    /// The local variables of the innermost frame, with their values.
    pub fn locals(&mut self) -> Vec<(String, String)> {
        let frame = self.frame(0);
        let scopes = self.ask("scopes", json!({ "frameId": frame }));
        let variables = self.variables(&scopes["scopes"][0]["variablesReference"]);
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        variables.iter().map(|variable| (text(&variable["name"]), text(&variable["value"]))).collect()
    }

    /// The value of an expression in the innermost frame.
    pub fn value(&mut self, expression: &str) -> String {
        let frame = self.frame(0);
        let body = self.ask("evaluate", json!({ "expression": expression, "frameId": frame, "context": "watch" }));
        body["result"].as_str().expect("a result").to_owned()
    }

    /// Says that nothing more comes; the status that the adapter ends with.
    pub fn end(mut self) -> i32 {
        self.wire.close();
        self.wire.wait()
    }
}
