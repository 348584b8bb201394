//! Messages to and from a server that a test started, as the protocols of editors frame them.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::Value;

use super::project::{Project, WHYDUNIT};

/// A server, with its streams.
pub struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Wire {
    /// To a command of whydunit's in a project's folder.
    pub fn to(command: &str, project: &Project) -> Self {
        let mut child = project
            .command(WHYDUNIT)
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("whydunit starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { input: child.stdin.take(), output, child }
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

    /// Says that nothing more comes.
    pub fn close(&mut self) {
        drop(self.input.take());
    }

    /// The status that the server ends with.
    pub fn wait(&mut self) -> i32 {
        while self.receive().is_some() {}
        self.child.wait().expect("it ends").code().unwrap_or(-1)
    }
}
