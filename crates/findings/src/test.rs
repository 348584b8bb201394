//! Tests and how they went.

use crate::RunErrors;

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Outcome {
    /// As expected.
    #[default]
    Pass,
    /// It ended with another status or output than expected.
    Fail,
    /// A signal killed it.
    Crash,
    /// It ran into the time limit.
    Timeout,
    /// The suite says that it does not apply here.
    Skip,
    /// Both passed and failed when it was run again.
    Flaky,
    /// It could not be run.
    Error,
}

impl Outcome {
    /// All.
    pub const ALL: [Self; 7] =
        [Self::Pass, Self::Fail, Self::Crash, Self::Timeout, Self::Skip, Self::Flaky, Self::Error];

    /// The one that JSON calls so; `None` where there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }

    /// The word for it, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Crash => "crash",
            Outcome::Timeout => "timeout",
            Outcome::Skip => "skip",
            Outcome::Flaky => "flaky",
            Outcome::Error => "error",
        }
    }

    /// Whether it counts as a failing test.
    pub const fn is_failure(self) -> bool {
        matches!(self, Outcome::Fail | Outcome::Crash | Outcome::Timeout | Outcome::Error)
    }
}

/// Which part of a suite a report is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardOf {
    /// Which one, from 1.
    pub number: usize,
    /// Of how many.
    pub of: usize,
    /// What tells the whole suite from others: a hash of its tests' names in order.
    pub suite: String,
    /// All of its tests were run.
    pub complete: bool,
}

/// One test of the suite, as run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestResult {
    /// Its name in the suite.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Wall-clock time.
    pub seconds: f64,
    /// Why it did not pass, in a line.
    pub reason: Option<String>,
    /// Where it was run several times.
    pub runs: Option<Runs>,
    /// What it printed, where it failed and that is asked for.
    pub printed: Option<Printed>,
    /// What its run did wrong, where it was looked for.
    pub errors: RunErrors,
}

/// The end of what a failed test printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Printed {
    /// The words of the check that failed: an assertion's, a panic's, a sanitizer's.
    pub check: Option<String>,
    /// The last lines of its output, standard error's behind those of standard output.
    pub lines: Vec<String>,
    /// How many lines stand before those.
    pub left_out: usize,
}

/// How often a test was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runs {
    /// In all.
    pub runs: u32,
    /// And failed.
    pub failures: u32,
}
