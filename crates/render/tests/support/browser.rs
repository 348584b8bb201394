//! A headless Chromium, driven by its own protocol over a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json as value};

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page in a browser of its own.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    number: u64,
    /// What happened since it was asked last.
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts Chromium, with an empty page.
    pub fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        // The protocol goes over descriptors 3 and 4: our two ends of its standard input and output.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
                      --hide-scrollbars --disable-background-networking --remote-debugging-pipe --user-data-dir=\"$0\" \
                      3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(profile.path())
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("a message is JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser =
            Self { child, input, messages, session: None, number: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", value!({ "url": "about:blank" }));
        let target = target["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", value!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(String::from);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), value!({}));
        }
        browser.resize(1440, 1000);
        browser
    }

    /// A command of the protocol; its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let mut message = value!({ "id": self.number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).expect("Chromium listens: it is installed by `scripts/setup.sh --tests`");
        loop {
            let message = self.next();
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn next(&mut self) -> Value {
        let next = self.messages.recv_timeout(PATIENCE);
        next.expect("Chromium answers: it is installed by `scripts/setup.sh --tests`")
    }

    /// Loads a file; what happened while it did.
    pub fn open(&mut self, path: &Path) -> Vec<Value> {
        self.events.clear();
        self.call("Page.navigate", value!({ "url": format!("file://{}", path.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let message = self.next();
            self.events.push(message);
        }
        self.events()
    }

    /// What happened since it was asked last.
    pub fn events(&mut self) -> Vec<Value> {
        std::thread::sleep(Duration::from_millis(100));
        // What has happened comes before the answer.
        self.evaluate("0");
        std::mem::take(&mut self.events)
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = value!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Presses a key: a letter, or one with a code.
    pub fn press(&mut self, key: &str, code: u32) {
        let mut parameters = value!({ "key": key, "windowsVirtualKeyCode": code, "type": "keyDown" });
        match key {
            "Enter" => parameters["text"] = "\r".into(),
            letter if letter.len() == 1 => parameters["text"] = letter.into(),
            _ => {}
        }
        self.call("Input.dispatchKeyEvent", parameters.clone());
        parameters["type"] = "keyUp".into();
        self.call("Input.dispatchKeyEvent", parameters);
    }

    /// Light or dark.
    pub fn scheme(&mut self, name: &str) {
        let features = value!([{ "name": "prefers-color-scheme", "value": name }]);
        self.call("Emulation.setEmulatedMedia", value!({ "features": features }));
    }

    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics = value!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The picture, in base 64.
    pub fn picture(&mut self) -> String {
        let answer = self.call("Page.captureScreenshot", value!({ "format": "png" }));
        answer["data"].as_str().expect("a picture").to_string()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may be gone already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
