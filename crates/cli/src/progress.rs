//! Progress on standard error, for what takes longer than a second: a line that is painted anew on a terminal, elsewhere a line from time
//! to time.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use whydunit_desk::{Decisions, Progress, Step, Task};

/// A task has to take so long before anything is shown.
const PATIENCE: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(200);
/// Clears the line of a terminal.
const CLEAR: &str = "\r\x1b[2K";
/// Where no terminal is, a task under way is told each time that so much has passed.
const QUIET: Duration = Duration::from_secs(30);
/// What the answer would be by now is told in a task that takes so long.
const ANSWER_PATIENCE: Duration = Duration::from_secs(5);

/// Shows tasks on standard error, and what was decided of the project.
#[derive(Debug, Clone)]
pub struct Terminal {
    shown: bool,
    decisions: bool,
    /// What the answer would be by now, until it is told.
    so_far: Arc<Mutex<Option<String>>>,
}

impl Terminal {
    /// Paints tasks when standard error is a terminal.
    pub fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), decisions: true, so_far: Arc::default() }
    }

    /// Does not say what was decided: the project is one of ours.
    pub fn without_decisions(self) -> Self {
        Self { decisions: false, ..self }
    }

    fn begin(&self, name: &str, total: Option<u64>) -> Shown {
        let state = State { name: name.into(), total, done: 0, detail: String::new(), finished: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() });
        let painter = {
            let (shared, so_far, shown) = (Arc::clone(&shared), Arc::clone(&self.so_far), self.shown);
            std::thread::spawn(move || if shown { paint(&shared, &so_far) } else { tell_at_times(&shared, &so_far) })
        };
        Shown { shared, painter: Some(painter) }
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

    fn so_far(&self, answer: &str) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer.to_string());
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
        one_line(&line).chars().take(columns).collect()
    }
}

/// Tells what the answer would be by now, once, in a task that takes long; `before` is written before it.
fn tell_so_far(elapsed: Duration, so_far: &Mutex<Option<String>>, before: &str) {
    if elapsed >= ANSWER_PATIENCE
        && let Some(answer) = so_far.lock().unwrap_or_else(PoisonError::into_inner).take()
    {
        tell(&format!("{before}so far {}\n", one_line(&answer)));
    }
}

/// What a terminal may be given.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn tell_at_times(shared: &Shared, so_far: &Mutex<Option<String>>) {
    let start = Instant::now();
    let mut next = QUIET;
    let mut state = shared.state();
    while !state.finished {
        tell_so_far(start.elapsed(), so_far, "");
        if start.elapsed() >= next {
            tell(&format!("{}\n", state.line(start.elapsed(), usize::MAX)));
            next += QUIET;
        }
        (state, _) = shared.ended.wait_timeout(state, ANSWER_PATIENCE).unwrap_or_else(PoisonError::into_inner);
    }
}

fn paint(shared: &Shared, so_far: &Mutex<Option<String>>) {
    let start = Instant::now();
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80) - 1;
    let mut state = shared.state();
    let mut painted = false;
    while !state.finished {
        if start.elapsed() >= PATIENCE {
            tell_so_far(start.elapsed(), so_far, CLEAR);
            tell(&format!("{CLEAR}{}", state.line(start.elapsed(), columns)));
            painted = true;
        }
        let wait = REDRAW.min(PATIENCE.saturating_sub(start.elapsed()).max(Duration::from_millis(50)));
        (state, _) = shared.ended.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner);
    }
    if painted {
        tell(CLEAR);
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
        let task = Terminal { shown: false, decisions: false, so_far: Arc::default() }.begin("nothing", None);
        task.step("one");
        task.detail("two");
        assert_eq!(task.shared.state().done, 1);
    }
}
