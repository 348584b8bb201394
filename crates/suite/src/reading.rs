//! Runs tests that are programs, and reads their outcomes.

use std::time::Duration;

use crate::outcome::{Difference, Outcome, TestResult};
use crate::program::{ProgramTest, Reading};
use crate::run::{Context, by_exit, finish};
use crate::tools::{ctest, libtest, tap};
use whydunit_process::{Ended, Exit, Limits, Program, RunError, Stdin, run};

impl Context<'_> {
    /// Runs a program's test.
    pub(crate) fn program(&self, test: &ProgramTest) -> TestResult {
        if let Some(outcome) = &test.left_out {
            return TestResult::new(&test.name, outcome.clone());
        }
        let time = test.timeout.or(self.limits.time);
        finish(&test.name, self.ended(test, &test.args, time), |ended| outcome(&test.reading, ended))
    }

    /// Runs the examples of a documentation by one process; each has its outcome out of what that says, and may take as long as one.
    pub(crate) fn examples(&self, tests: &[&ProgramTest]) -> Vec<TestResult> {
        let Some(first) = tests.first() else { return Vec::new() };
        let words = &first.args[..first.args.len().saturating_sub(2)];
        let time = self.limits.time.map(|time| time * tests.len() as u32);
        let ended = match self.ended(first, words, time) {
            Ok(ended) if ended.stop.is_none() => ended,
            // What did not end says nothing of any.
            _ => return Vec::new(),
        };
        let result = |test: &&ProgramTest| TestResult::new(&test.name, outcome(&test.reading, &ended));
        tests.iter().map(result).collect()
    }

    /// Runs a test's program with these words.
    fn ended(&self, test: &ProgramTest, words: &[String], time: Option<Duration>) -> Result<Ended, RunError> {
        let own = test.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let program = Program {
            executable: self.options.programs.map_or_else(|| test.program.clone(), |of| of(&test.program)),
            arg0: test.program.clone().into(),
            args: words.iter().map(Into::into).collect(),
            env: self.environment(&test.name, &test.folder, own),
            folder: test.folder.clone(),
            randomise_addresses: self.options.randomise_addresses,
        };
        let limits = Limits { time, ..self.limits.clone() };
        run(&program, Stdin::Null, &limits, self.watch())
    }
}

/// The outcome of a program that ended by itself.
fn outcome(reading: &Reading, ended: &Ended) -> Outcome {
    let text = String::from_utf8_lossy(&ended.stdout);
    match (reading, ended.exit) {
        (Reading::Ctest(number), _) => ctest::outcome(*number, &text),
        (Reading::Doctest(name), exit) => libtest::outcome_of_doctest(name, &text, exit),
        (Reading::Exit { fails: true, .. }, Exit::Status(0)) => {
            Outcome::Fail { why: vec![Difference::Reported("it exited with 0 and is expected to fail".into())] }
        }
        (Reading::Exit { skip, .. }, Exit::Status(status)) if *skip == Some(status) => Outcome::Skipped,
        (Reading::Exit { error, .. }, Exit::Status(status)) if *error == Some(status) => {
            Outcome::Error(format!("it exited with {status}: it could not do what it tests"))
        }
        (Reading::Exit { fails: true, .. }, _) => Outcome::Pass,
        (_, Exit::Signal(_)) | (Reading::Exit { .. }, _) => by_exit(ended.exit),
        (Reading::Framework(framework), exit) => framework.outcome(&text, exit),
        (Reading::Libtest, exit) => libtest::outcome(&text, &String::from_utf8_lossy(&ended.stderr), exit),
        (Reading::Tap, exit) => tap::whole(&tap::read(&text), exit),
    }
}
