//! What a command expects of the runs that it drives.

mod beside;
mod comparison;
mod drivers;

use std::path::PathBuf;

use self::beside::Beside;
use self::comparison::Compared;
use crate::observation::{Observation, ObservedRun};

/// How it shows what is expected of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// What drove it ended well: what it did is right.
    Accepted,
    /// The command compared what it printed with this file.
    Compared(PathBuf),
    /// The command was to go on only where it ended with 0.
    Checked,
}

/// What is expected of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// What it must print; `None` where nobody says.
    pub stdout: Option<Vec<u8>>,
    /// Its exit status; `None` where nobody says.
    pub status: Option<i32>,
    /// The signal that must end it; `None` where nobody says.
    pub signal: Option<i32>,
    /// How that shows.
    pub basis: Basis,
}

impl Observation {
    /// What is expected of each run, in their order; `None` where nothing shows it. `said` is what the command printed, and `well`
    /// whether it ended with 0.
    pub fn expectations(&self, said: &[u8], well: bool) -> Vec<Option<Expectation>> {
        let comparisons = self.comparisons();
        let beside = Beside::of(self);
        let by_status = !says_that_tests_fail(said, well);
        let expectation = |run: &ObservedRun| {
            if !run.is_finished() {
                return None;
            }
            let compared = self.compared(&comparisons, run);
            let accepted = self.accepted(run).filter(|_| by_status);
            let (file, stdout) = match compared {
                Some(Compared::Otherwise) => return None,
                Some(Compared::Same(file)) => (Some(file), Some(run.stdout.clone())),
                Some(Compared::With(file, text)) => (Some(file), Some(text)),
                None => (None, None),
            };
            if accepted == Some(true) && stdout.as_ref().is_none_or(|text| *text == run.stdout) {
                return Some(Expectation {
                    stdout: Some(run.stdout.clone()),
                    status: run.status,
                    signal: run.signal,
                    basis: Basis::Accepted,
                });
            }
            if let Some((file, stdout)) = file.zip(stdout).or_else(|| beside.expected(run)) {
                let stdout = Some(stdout);
                return Some(Expectation { stdout, status: None, signal: None, basis: Basis::Compared(file) });
            }
            let checked = accepted == Some(false);
            checked.then_some(Expectation { stdout: None, status: Some(0), signal: None, basis: Basis::Checked })
        };
        self.runs.iter().map(expectation).collect()
    }
}

/// Whether a command tells of tests that fail otherwise than by its own end: what ended with 0 under it need not be right.
fn says_that_tests_fail(said: &[u8], well: bool) -> bool {
    let text = String::from_utf8_lossy(said);
    text.lines().any(|line| {
        // The Test Anything Protocol.
        let tap = line.trim_start().strip_prefix("not ok").is_some_and(|rest| !rest.contains("# TODO"));
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_bad = |word: &&&str| ["BAD", "FAIL", "FAILED", "FAILURE", "Failed", "failed"].contains(*word);
        let none = words.contains(&"0") || words.contains(&"no");
        tap || (well && !none && words.iter().any(|word| is_bad(&word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_may_say_that_tests_fail_and_end_well() {
        for said in ["not ok 3 - sums", "T.split: BAD: fields", "2 tests FAILED", "1 failed, 3 passed"] {
            assert!(says_that_tests_fail(said.as_bytes(), true), "{said}");
        }
        for said in ["ok 3 - sums", "# FAIL:  0", "0 failed, 3 passed", "not ok 4 - later # TODO", "no test failed"] {
            assert!(!says_that_tests_fail(said.as_bytes(), true), "{said}");
        }
        // It says by its own end which of its parts went wrong.
        assert!(!says_that_tests_fail(b"2 tests FAILED", false) && says_that_tests_fail(b"not ok 1", false));
    }
}
