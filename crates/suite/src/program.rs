//! Tests that are programs with arguments of their own, as the tools of builds and test frameworks list them.

use std::path::PathBuf;
use std::time::Duration;

use crate::framework::Framework;
use crate::outcome::{Difference, Outcome};
use crate::run::by_exit;
use whydunit_process::Exit;

/// A test that is a run of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct ProgramTest {
    /// Its name in the suite.
    pub name: String,
    /// What its program calls it; will do where no other test has it.
    pub short: Option<String>,
    /// The program, absolute.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Where it runs.
    pub folder: PathBuf,
    /// Added to the environment.
    pub env: Vec<(String, String)>,
    /// The suite's own time limit.
    pub timeout: Option<Duration>,
    /// How its outcome is read.
    pub reading: Reading,
    /// It is not run: the suite leaves it out, or why it cannot be run.
    pub left_out: Option<Outcome>,
}

/// How the outcome of a program is read from how it ended and what it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// By its exit status.
    Exit {
        /// It is to fail.
        fails: bool,
        /// This status says that it does not apply here.
        skip: Option<i32>,
        /// This status says that it could not be run.
        error: Option<i32>,
    },
    /// One test of a program with a test framework.
    Framework(Framework),
    /// One test of a program with Rust's test harness.
    Libtest,
    /// The example of this name in a library's documentation, run by cargo, maybe with others.
    Doctest(String),
    /// A program that speaks TAP.
    Tap,
    /// The test of this number, run by `ctest -V`.
    Ctest(usize),
}

impl Reading {
    /// Zero or not.
    pub(crate) const PLAIN: Reading = Reading::Exit { fails: false, skip: None, error: None };
}

impl ProgramTest {
    /// A program without arguments that exits 0 or not.
    pub(crate) fn new(name: impl Into<String>, program: PathBuf, folder: PathBuf) -> Self {
        Self {
            name: name.into(),
            short: None,
            program,
            args: Vec::new(),
            folder,
            env: Vec::new(),
            timeout: None,
            reading: Reading::PLAIN,
            left_out: None,
        }
    }

    /// Whether its program calls it so, with or without what the suite sets before that.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let Some(before) = self.short.as_deref().and_then(|short| name.strip_suffix(short)) else { return false };
        before.is_empty() || (before.ends_with(' ') && self.name.starts_with(before))
    }

    /// Whether it is an example of a documentation.
    pub(crate) fn is_example(&self) -> bool {
        matches!(self.reading, Reading::Doctest(_))
    }
}

/// What a framework says of a failure, else the exit status.
pub(crate) fn told(lines: Vec<String>, exit: Exit) -> Outcome {
    /// More failures of one test than this are as many as there were.
    const TOLD: usize = 5;
    if lines.is_empty() {
        return by_exit(exit);
    }
    let more = lines.len().saturating_sub(TOLD);
    let mut why: Vec<Difference> = lines.into_iter().take(TOLD).map(Difference::Reported).collect();
    if more > 0 {
        why.push(Difference::Reported(format!("and {more} more")));
    }
    Outcome::Fail { why }
}
