//! A solver's process: commands in, answers out, neither ever waited for without an end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::solver::Watch;

/// How often the limits are looked at while an answer is awaited.
const LOOK: Duration = Duration::from_millis(5);

/// How many lines of output wait to be looked at.
const LINES: usize = 1024;

/// The longest answer.
const ANSWER: usize = 1 << 28;

/// What is kept of what a solver complains.
const COMPLAINTS: usize = 2000;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The limits were reached.
    Limit(&'static str),
    /// The process is gone or cannot be started.
    Gone(String),
}

/// A running solver. Dropping it ends the process.
pub(super) struct Session {
    child: Child,
    commands: Sender<String>,
    lines: Receiver<String>,
    complaints: Arc<Mutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    asked: u64,
}

impl Session {
    /// Starts a solver that reads commands from its standard input, with so many bytes of memory at most.
    pub(super) fn start(command: &[String], memory: Option<u64>) -> Result<Self, Trouble> {
        let program = command.first().ok_or_else(|| Trouble::Gone("no command".into()))?;
        let mut started = match memory {
            None => Command::new(program),
            Some(bytes) => {
                let mut shell = Command::new("sh");
                shell.args(["-c", "ulimit -v \"$0\" && exec \"$@\""]).arg((bytes / 1024).to_string()).arg(program);
                shell
            }
        };
        let mut child = started
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Trouble::Gone(format!("cannot start {program}: {error}")))?;
        let (Some(mut stdin), Some(stdout), Some(mut stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Trouble::Gone(format!("{program} has no pipes")));
        };
        // A thread each way: a process that does not read, or writes without end, blocks its thread only.
        let (commands, to_write) = channel::<String>();
        std::thread::spawn(move || {
            for text in to_write {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (read, lines) = sync_channel(LINES);
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { break };
                if read.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        let complaints = Arc::new(Mutex::new(Vec::new()));
        let kept = complaints.clone();
        let listener = std::thread::spawn(move || {
            let mut buffer = [0; 1024];
            while let Ok(length @ 1..) = stderr.read(&mut buffer) {
                let Ok(mut kept) = kept.lock() else { break };
                let room = COMPLAINTS.saturating_sub(kept.len());
                kept.extend_from_slice(&buffer[..length.min(room)]);
            }
        });
        Ok(Self { child, commands, lines, complaints, listener, asked: 0 })
    }

    /// Sends commands and gives what the solver prints until it has done them.
    pub(super) fn ask(&mut self, commands: String, watch: &Watch) -> Result<String, Trouble> {
        self.asked += 1;
        let marker = format!("whydunit-{}", self.asked);
        if self.commands.send(format!("{commands}\n(echo \"{marker}\")\n")).is_err() {
            return Err(self.gone(""));
        }
        let mut answer = String::new();
        loop {
            match self.lines.recv_timeout(LOOK) {
                Ok(line) if line.trim().trim_matches('"') == marker => return Ok(answer),
                Ok(_) if answer.len() > ANSWER => return Err(Trouble::Gone("it answers without end".into())),
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(&answer)),
            }
            if let Some(reason) = watch.over() {
                return Err(Trouble::Limit(reason));
            }
        }
    }

    /// What can be said of a process that ended by itself, after some output.
    fn gone(&mut self, output: &str) -> Trouble {
        // Its output is closed; if it lives on nevertheless, it must not be waited for.
        let mut status = None;
        for _ in 0..100 {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() && self.listener.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = status.map_or("it closed its output".into(), |status| format!("it ended with {status}"));
        let mut message = status;
        let complaints = self.complaints.lock().map(|kept| String::from_utf8_lossy(&kept).into_owned());
        for text in [output, &complaints.unwrap_or_default()] {
            if !text.trim().is_empty() {
                message += ": ";
                message.extend(text.trim().chars().take(COMPLAINTS));
            }
        }
        Trouble::Gone(message)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Killed it cannot be anything but gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
