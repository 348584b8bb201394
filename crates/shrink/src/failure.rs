//! What a failure is known by.

use whydunit_process::Exit;
use whydunit_suite::{Difference, Outcome, TestResult, reported, skeleton};

/// How a run failed, as far as another one can fail the same way.
#[derive(Clone, Debug)]
pub struct Failure {
    end: End,
    /// What it said, as it was said.
    message: Option<String>,
    /// In words.
    reason: String,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// By itself or by a signal.
    Exit(Exit),
    /// By a limit.
    Time,
    Output,
    Memory,
    Processes,
}

/// Why a run gives no failure to go by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFailure {
    /// It is as expected.
    Passes,
    /// Only what it prints differs: nobody knows what it should print for another input.
    Output(String),
    /// It could not be run: why.
    NotRun(String),
    /// The caller ended it.
    Cancelled,
}

impl Failure {
    /// That of a failing case.
    pub fn of(result: &TestResult) -> Result<Self, NoFailure> {
        let reason = result.outcome.reason().unwrap_or_default();
        match &result.outcome {
            Outcome::Pass | Outcome::Skipped => return Err(NoFailure::Passes),
            Outcome::Cancelled => return Err(NoFailure::Cancelled),
            Outcome::Error(why) => return Err(NoFailure::NotRun(why.clone())),
            Outcome::Fail { why } => {
                let by_end = |it: &Difference| matches!(it, Difference::Status { .. } | Difference::Signal { .. });
                // A sanitizer may end the run with a status that nobody compares.
                let told = reported(&result.stderr).is_some() && result.exit != Some(Exit::Status(0));
                if !told && !why.iter().any(by_end) {
                    return Err(NoFailure::Output(reason));
                }
            }
            _ => {}
        }
        let end = end(result).ok_or_else(|| NoFailure::NotRun("it did not end".into()))?;
        Ok(Self { end, message: message(result), reason })
    }

    /// Whether another run failed the same way: the same end, and where there is a message the same text but for numbers and
    /// what stands in quotes.
    pub fn is(&self, result: &TestResult) -> bool {
        let plain = |message: Option<&str>| message.map(skeleton);
        end(result) == Some(self.end) && plain(message(result).as_deref()) == plain(self.message.as_deref())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.message {
            Some(message) => write!(f, "{}: {message}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

fn end(result: &TestResult) -> Option<End> {
    match result.outcome {
        Outcome::Timeout => Some(End::Time),
        Outcome::OutputLimit => Some(End::Output),
        Outcome::MemoryLimit => Some(End::Memory),
        Outcome::ProcessLimit => Some(End::Processes),
        Outcome::Skipped | Outcome::Cancelled | Outcome::Error(_) => None,
        Outcome::Pass | Outcome::Fail { .. } | Outcome::Crash(_) => result.exit.map(End::Exit),
    }
}

/// What a run said of its failure: the line of an assertion, a sanitizer or a library, else where it ended by itself the
/// last line.
fn message(result: &TestResult) -> Option<String> {
    let by_itself = matches!(end(result), Some(End::Exit(Exit::Status(status))) if status != 0);
    let last = || {
        let text = String::from_utf8_lossy(&result.stderr);
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(String::from)
    };
    reported(&result.stderr).or_else(|| last().filter(|_| by_itself))
}
