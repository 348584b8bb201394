//! Who says whether a failure is still the same.

use std::ffi::OsString;
use std::path::Path;

use whydunit_inputs::Input;
use whydunit_process::{Cancel, Exit, Limits};
use whydunit_suite::{Case, Outcome, RunOptions, Suite, Test, TestResult};

use crate::failure::Failure;

/// A variable that tells scripts which program is under test.
pub const EXECUTABLE_VARIABLE: &str = "WHYDUNIT_PROGRAM";

/// The status of a script that cannot tell.
const CANNOT_TELL: i32 = 125;

/// What an input comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The failure in question.
    Same,
    /// None, or another one.
    Other,
    /// It cannot be told; why, where that should be known.
    Unclear(Option<String>),
    /// The caller ended the run.
    Cancelled,
}

/// Judges inputs, from several threads at a time.
pub trait Oracle: Sync {
    /// Judges one; `cancel` ends its run.
    fn judge(&self, input: &Input, cancel: &Cancel) -> Verdict;
}

/// The program fails as it did.
pub struct Repeats<'a> {
    /// Runs cases.
    pub suite: &'a Suite,
    /// The case that fails.
    pub case: &'a Case,
    /// How.
    pub failure: Failure,
    /// Of a run.
    pub limits: Limits,
}

impl Oracle for Repeats<'_> {
    fn judge(&self, input: &Input, cancel: &Cancel) -> Verdict {
        let options = RunOptions { limits: Some(self.limits.clone()), ..RunOptions::default() };
        let result = run(self.suite, input.case(self.case), options, cancel);
        match result.outcome {
            Outcome::Cancelled => Verdict::Cancelled,
            Outcome::Error(why) => Verdict::Unclear(Some(why)),
            _ if self.failure.is(&result) => Verdict::Same,
            _ => Verdict::Other,
        }
    }
}

/// A script says so, by its exit status: 0 still, 1 not, 125 cannot tell.
pub struct Script<'a> {
    /// Runs it.
    pub suite: &'a Suite,
    /// The case whose input changes.
    pub case: &'a Case,
    /// The script, absolute.
    pub script: &'a Path,
}

impl Script<'_> {
    /// Runs the script on an input.
    pub fn run(&self, input: &Input, cancel: &Cancel) -> TestResult {
        let program = self.suite.executable.iter().flat_map(|path| {
            let of = |name: &str| (OsString::from(name), path.clone().into_os_string());
            [of(EXECUTABLE_VARIABLE), of(whydunit_suite::EXECUTABLE_VARIABLE)]
        });
        let options =
            RunOptions { executable: Some(self.script.to_path_buf()), env: program.collect(), ..RunOptions::default() };
        run(self.suite, Case { status: Some(0), signal: None, ..input.case(self.case) }, options, cancel)
    }
}

impl Oracle for Script<'_> {
    fn judge(&self, input: &Input, cancel: &Cancel) -> Verdict {
        let result = self.run(input, cancel);
        match (&result.outcome, result.exit) {
            (Outcome::Cancelled, _) => Verdict::Cancelled,
            (Outcome::Pass, _) => Verdict::Same,
            (Outcome::Fail { .. }, Some(Exit::Status(1))) => Verdict::Other,
            (Outcome::Fail { .. }, Some(Exit::Status(CANNOT_TELL))) => Verdict::Unclear(None),
            (Outcome::Fail { .. }, Some(exit)) => Verdict::Unclear(Some(format!(
                "the script ended with {exit} on some inputs; 0, 1 and 125 have a meaning"
            ))),
            (outcome, _) => {
                let why = outcome.reason().unwrap_or_default();
                Verdict::Unclear(Some(format!("the script could not tell of some inputs: {why}")))
            }
        }
    }
}

fn run(suite: &Suite, case: Case, options: RunOptions<'_>, cancel: &Cancel) -> TestResult {
    let test = Test::Case(case);
    let mut results = suite.run_test(&test, &RunOptions { cancel: Some(cancel), ..options });
    // A case has one result.
    results.swap_remove(0)
}
