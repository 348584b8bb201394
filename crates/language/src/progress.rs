//! Progress of a job, as the client is told it: one line from its beginning to its end.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lsp_types::{MessageType, ProgressToken};
use serde_json::{Value, json};
use whydunit_desk::{Decisions, Progress, Step, Task};

use crate::outgoing::Outgoing;

/// No more often than this.
const PAUSE: Duration = Duration::from_millis(100);

/// The line of a job.
#[derive(Clone)]
pub struct Line {
    outgoing: Outgoing,
    /// `None`: the client shows none.
    token: Option<ProgressToken>,
    told: Arc<Mutex<Option<Instant>>>,
}

impl Line {
    /// Begins one, which the client can cancel. `token` is how it is named; `None` where nobody is told.
    pub fn begin(outgoing: &Outgoing, token: Option<ProgressToken>, title: &str) -> Self {
        let line = Self { outgoing: outgoing.clone(), token, told: Arc::default() };
        line.send(json!({ "kind": "begin", "title": format!("whydunit: {title}"), "cancellable": true }));
        line
    }

    fn send(&self, value: Value) {
        if let Some(token) = &self.token {
            self.outgoing.notify("$/progress", json!({ "token": token, "value": value }));
        }
    }

    fn report(&self, message: &str, percentage: Option<u64>, at_once: bool) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !at_once && told.is_some_and(|told| told.elapsed() < PAUSE) {
            return;
        }
        *told = Some(Instant::now());
        let mut value = json!({ "kind": "report", "message": message });
        if let Some(percentage) = percentage {
            value["percentage"] = percentage.into();
        }
        self.send(value);
    }

    /// Ends it.
    pub fn end(&self) {
        self.send(json!({ "kind": "end" }));
    }
}

impl Progress for Line {
    fn task(&self, name: &str, total: Option<u64>) -> Task {
        self.report(name, None, true);
        Task::new(Shown { line: self.clone(), name: name.into(), total, done: Mutex::new(0) })
    }

    fn decided(&self, decisions: &Decisions) {
        for decision in &decisions.list {
            self.outgoing.log(MessageType::INFO, &format!("decided: {decision}"));
        }
    }

    fn waits(&self, what_for: &str) {
        self.report(&format!("waiting for {what_for}"), None, true);
    }

    fn so_far(&self, answer: &str) {
        self.outgoing.log(MessageType::INFO, &format!("so far {answer}"));
    }
}

struct Shown {
    line: Line,
    name: String,
    total: Option<u64>,
    done: Mutex<u64>,
}

impl Shown {
    fn tell(&self, detail: &str, steps: u64) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += steps;
        let percentage = self.total.filter(|total| *total > 0).map(|total| 100 * (*done).min(total) / total);
        self.line.report(&format!("{}: {detail}", self.name), percentage, false);
    }
}

impl Step for Shown {
    fn step(&self, detail: &str) {
        self.tell(detail, 1);
    }

    fn detail(&self, detail: &str) {
        self.tell(detail, 0);
    }
}
