//! How tests end.

use std::time::Duration;

use crate::compare::OutputDifference;
use whydunit_process::{Exit, Stop, signal_name};

/// How a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// As expected.
    Pass,
    /// It ended by itself, but not as expected.
    Fail {
        /// What differs, at least one thing.
        why: Vec<Difference>,
    },
    /// It ran into the time limit.
    Timeout,
    /// This signal killed it, unexpectedly.
    Crash(i32),
    /// It wrote more than allowed.
    OutputLimit,
    /// It used more memory than allowed.
    MemoryLimit,
    /// It had more processes than allowed.
    ProcessLimit,
    /// The suite says that it does not apply here.
    Skipped,
    /// The caller ended the run.
    Cancelled,
    /// It could not be run: why.
    Error(String),
}

/// One thing that is not as expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The exit status.
    Status {
        /// The expected one.
        expected: i32,
        /// The real one.
        got: i32,
    },
    /// A death was expected.
    Signal {
        /// By this signal.
        expected: i32,
        /// What came.
        got: Exit,
    },
    /// Standard output.
    Stdout(OutputDifference),
    /// What the suite's own harness reports.
    Reported(String),
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Difference::Status { expected, got } => write!(f, "exit status {got} instead of {expected}"),
            Difference::Signal { expected, got } => write!(f, "{got} instead of {}", signal_name(*expected)),
            Difference::Stdout(difference) => difference.fmt(f),
            Difference::Reported(text) => f.write_str(text),
        }
    }
}

/// Of a run that was ended from outside.
impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Time => Outcome::Timeout,
            Stop::Output => Outcome::OutputLimit,
            Stop::Memory => Outcome::MemoryLimit,
            Stop::Processes => Outcome::ProcessLimit,
            Stop::Cancelled => Outcome::Cancelled,
        }
    }
}

impl Outcome {
    /// Whether it counts as a failing test.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Outcome::Pass | Outcome::Skipped | Outcome::Cancelled)
    }

    /// Why it did not pass, in a line; none where it did.
    pub fn reason(&self) -> Option<String> {
        Some(match self {
            Outcome::Pass => return None,
            Outcome::Fail { why } => {
                let parts: Vec<String> = why.iter().map(Difference::to_string).collect();
                parts.join("; ")
            }
            Outcome::Timeout => "it ran into the time limit".into(),
            Outcome::Crash(signal) => format!("it was killed by {}", signal_name(*signal)),
            Outcome::OutputLimit => "it wrote more than the output limit".into(),
            Outcome::MemoryLimit => "it used more than the memory limit".into(),
            Outcome::ProcessLimit => "it had more processes than the limit".into(),
            Outcome::Skipped => "skipped by the suite".into(),
            Outcome::Cancelled => "it was interrupted".into(),
            Outcome::Error(message) => message.clone(),
        })
    }
}

/// A test, run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reruns {
    /// How often it was run again.
    pub runs: u32,
    /// How often it failed then.
    pub failures: u32,
}

/// A test, as run.
#[derive(Clone, PartialEq, Debug)]
pub struct TestResult {
    /// Its name in the suite.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Wall time; zero where the suite's harness does not tell.
    pub time: Duration,
    /// How its process ended.
    pub exit: Option<Exit>,
    /// Its process id.
    pub pid: Option<i32>,
    /// What it wrote (automake: its log), up to the limit.
    pub stdout: Vec<u8>,
    /// What it wrote there.
    pub stderr: Vec<u8>,
    /// Processes that outlived it and were killed.
    pub left_behind: usize,
    /// The most memory seen, in bytes.
    pub peak_memory: u64,
    /// Processor time, as far as it was seen.
    pub work: Duration,
    /// Where it was run again.
    pub reruns: Option<Reruns>,
    /// What went wrong around it, without deciding the outcome.
    pub problems: Vec<String>,
}

impl TestResult {
    /// Of a test of this name that has ended so, and of which no more is known.
    pub fn new(name: &str, outcome: Outcome) -> Self {
        Self {
            name: name.to_string(),
            outcome,
            time: Duration::ZERO,
            exit: None,
            pid: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            left_behind: 0,
            peak_memory: 0,
            work: Duration::ZERO,
            reruns: None,
            problems: Vec::new(),
        }
    }

    /// It was run several times, and passed some times and failed others.
    pub fn is_flaky(&self) -> bool {
        let (runs, failures) = self.runs();
        failures > 0 && failures < runs
    }

    /// How often it was run, and how often it failed then.
    pub fn runs(&self) -> (u32, u32) {
        let again = self.reruns.unwrap_or(Reruns { runs: 0, failures: 0 });
        (1 + again.runs, u32::from(self.outcome.is_failure()) + again.failures)
    }
}
