//! Progress on standard error: only on a terminal, only for what takes longer than a second.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use whydunit_desk::{Decisions, Progress, Step, Task};

/// A task has to take so long before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);

/// Shows tasks on standard error, when it is a terminal, and what was decided of the project.
#[derive(Debug, Clone, Copy)]
pub struct Terminal {
    shown: bool,
    decisions: bool,
}

impl Terminal {
    /// Shows tasks when standard error is a terminal.
    pub fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), decisions: true }
    }

    /// Does not say what was decided: the project is one of ours.
    pub fn without_decisions(self) -> Self {
        Self { decisions: false, ..self }
    }

    fn begin(self, name: &str, total: Option<u64>) -> Shown {
        let state = State { name: name.into(), total, done: 0, detail: String::new(), finished: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() });
        let painter = self.shown.then(|| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || paint(&shared))
        });
        Shown { shared, painter }
    }
}

impl Progress for Terminal {
    fn task(&self, name: &str, total: Option<u64>) -> Task {
        Task::new(self.begin(name, total))
    }

    fn decided(&self, decisions: &Decisions) {
        if !self.decisions {
            return;
        }
        let lines: String = decisions.list.iter().map(|decision| format!("  {decision}\n")).collect();
        let told = match decisions.configured {
            true => format!("whydunit.toml leaves open, and so is decided:\n{lines}"),
            false => {
                format!("no whydunit.toml here, decided:\n{lines}  to change that: `whydunit init` writes it down\n")
            }
        };
        tell(&told);
    }

    fn waits(&self, what_for: &str) {
        tell(&format!("waiting for {what_for}\n"));
    }
}

/// Writes to standard error. Nobody is left to tell when that is closed.
fn tell(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).ok();
}

/// Something under way, and who paints it.
#[derive(Debug)]
struct Shown {
    shared: Arc<Shared>,
    painter: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    name: String,
    total: Option<u64>,
    done: u64,
    detail: String,
    finished: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Step for Shown {
    fn step(&self, detail: &str) {
        let mut state = self.shared.state();
        state.done += 1;
        state.detail = detail.into();
    }

    fn detail(&self, detail: &str) {
        self.shared.state().detail = detail.into();
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.shared.state().finished = true;
        self.shared.ended.notify_all();
        if let Some(painter) = self.painter.take() {
            // A painter that panicked has already said so.
            painter.join().ok();
        }
    }
}

impl State {
    /// At most `columns` wide.
    fn line(&self, elapsed: Duration, columns: usize) -> String {
        let mut line = self.name.clone();
        match self.total {
            Some(total) => line += &format!(": {} of {total}", self.done),
            None if self.done > 0 => line += &format!(": {}", self.done),
            None => {}
        }
        line += &format!(", {} s", elapsed.as_secs());
        if !self.detail.is_empty() {
            line += &format!("  {}", self.detail);
        }
        line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(columns).collect()
    }
}

fn paint(shared: &Shared) {
    let start = Instant::now();
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80) - 1;
    let mut state = shared.state();
    let mut painted = false;
    while !state.finished {
        if start.elapsed() >= PATIENCE {
            let line = state.line(start.elapsed(), columns);
            write!(std::io::stderr(), "\r\x1b[2K{line}").ok();
            painted = true;
        }
        let wait = REDRAW.min(PATIENCE.saturating_sub(start.elapsed()).max(Duration::from_millis(50)));
        (state, _) = shared.ended.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
    }
    if painted {
        write!(std::io::stderr(), "\r\x1b[2K").ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_how_far_and_how_long() {
        let mut state =
            State { name: "tests".into(), total: Some(40), done: 12, detail: "tall\nand wide".into(), finished: false };
        assert_eq!(state.line(Duration::from_secs(3), 80), "tests: 12 of 40, 3 s  tall and wide");
        assert_eq!(state.line(Duration::from_secs(3), 10), "tests: 12 ");
        state.total = None;
        state.detail.clear();
        assert_eq!(state.line(Duration::ZERO, 80), "tests: 12, 0 s");
    }

    #[test]
    fn a_task_that_is_not_shown_ends_at_once() {
        let task = Terminal { shown: false, decisions: false }.begin("nothing", None);
        task.step("one");
        task.detail("two");
        assert_eq!(task.shared.state().done, 1);
    }
}
