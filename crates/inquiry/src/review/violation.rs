//! What counts as the bug: how the test fails before the fix, as far as that can be told of other inputs.

use whydunit_causes::failure::FailureKind;
use whydunit_process::{Exit, signal_name};
use whydunit_suite::{Case, Outcome, Test, TestResult, reported};

use crate::Error;
use crate::locate::failing;
use whydunit_desk::BuiltVersion;

/// A failure that runs on other inputs may have, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violation {
    /// An assertion, a panic, a signal.
    Death,
    /// Memory is accessed that must not be.
    Memory,
    /// It does not end.
    Endless,
    /// It ends with this exit status, which it should not.
    Status(i32),
    /// It prints something wrong: of other inputs nobody knows what is right. What counts is that it dies.
    Output,
}

impl Violation {
    /// That of a failing case, as it ran; and how it fails, in words.
    pub fn of(laid: &BuiltVersion, case: &Case, result: &TestResult) -> Result<(Self, String), Error> {
        let plain = Self::Death;
        if let Some(how) = plain.of_run(result) {
            let kind = if result.outcome == Outcome::Timeout { Self::Endless } else { plain };
            return Ok((kind, how));
        }
        let should = case.status.unwrap_or(0);
        if let Some(Exit::Status(status)) = result.exit
            && status != should
        {
            return Ok((Self::Status(status), format!("it exits with status {status}{}", last_words(result))));
        }
        let recorded = failing::record(&laid.desk, &laid.project, &Test::Case(case.clone()))?;
        Ok(match recorded {
            Ok(failed) if failed.found.kind == FailureKind::MemoryError => (Self::Memory, failed.found.message),
            Ok(failed) => (Self::Output, failed.found.message),
            Err(_) => (Self::Output, result.outcome.reason().unwrap_or_default()),
        })
    }

    /// How a run fails in this way, as far as it shows from outside.
    pub fn of_run(&self, result: &TestResult) -> Option<String> {
        let said = || reported(&result.stderr).map(|line| format!(": {line}")).unwrap_or_default();
        match (&result.outcome, result.exit) {
            (Outcome::Timeout, _) => return Some("it does not end within its time limit".into()),
            (Outcome::MemoryLimit | Outcome::ProcessLimit | Outcome::OutputLimit, _) => return result.outcome.reason(),
            (_, Some(Exit::Signal(signal))) => return Some(format!("it dies by {}{}", signal_name(signal), said())),
            // As Rust's panics end.
            (_, Some(Exit::Status(101))) if String::from_utf8_lossy(&result.stderr).contains("panicked at") => {
                return Some(format!("it panics{}", said()).replacen(": panicked at", " at", 1));
            }
            _ => {}
        }
        match (self, result.exit) {
            (Self::Status(bad), Some(Exit::Status(status))) if status == *bad => {
                Some(format!("it exits with status {status}{}", last_words(result)))
            }
            _ => None,
        }
    }
}

/// The last line that a run printed to standard error.
fn last_words(result: &TestResult) -> String {
    let errors = String::from_utf8_lossy(&result.stderr);
    let last = errors.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map(|line| format!(": {}", line.chars().take(120).collect::<String>())).unwrap_or_default()
}
