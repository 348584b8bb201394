//! Progress of what takes long, as events.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use whydunit_desk::{Decisions, Progress, Step, Task};

use crate::outgoing::Outgoing;

/// No more often than this.
const PAUSE: Duration = Duration::from_millis(200);

/// Tells a client.
pub struct Events {
    outgoing: Outgoing,
    /// The client understands progress; else it is told in words.
    understood: bool,
    number: AtomicU64,
}

impl Events {
    /// By this way.
    pub fn new(outgoing: Outgoing, understood: bool) -> Self {
        Self { outgoing, understood, number: AtomicU64::new(1) }
    }
}

impl Progress for Events {
    fn task(&self, name: &str, total: Option<u64>) -> Task {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let id = self.understood.then(|| format!("whydunit-{number}"));
        match &id {
            Some(id) => {
                let body = json!({ "progressId": id, "title": format!("whydunit: {name}"), "cancellable": false });
                self.outgoing.event("progressStart", body);
            }
            None => self.outgoing.say(&format!("{name} …")),
        }
        let state = Mutex::new((Instant::now(), 0));
        Task::new(Shown { outgoing: self.outgoing.clone(), id, total, state })
    }

    fn decided(&self, decisions: &Decisions) {
        for decision in &decisions.list {
            self.outgoing.say(&format!("decided: {decision}"));
        }
    }

    fn waits(&self, what_for: &str) {
        self.outgoing.say(&format!("waiting for {what_for}"));
    }

    fn so_far(&self, answer: &str) {
        self.outgoing.say(&format!("so far {answer}"));
    }
}

struct Shown {
    outgoing: Outgoing,
    id: Option<String>,
    total: Option<u64>,
    state: Mutex<(Instant, u64)>,
}

impl Shown {
    fn tell(&self, detail: &str, steps: u64) {
        let Some(id) = &self.id else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 += steps;
        if state.0.elapsed() < PAUSE {
            return;
        }
        state.0 = Instant::now();
        let mut body = json!({ "progressId": id, "message": detail });
        if let Some(total) = self.total.filter(|total| *total > 0) {
            body["percentage"] = (100 * state.1.min(total) / total).into();
        }
        self.outgoing.event("progressUpdate", body);
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

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.outgoing.event("progressEnd", json!({ "progressId": id }));
        }
    }
}
