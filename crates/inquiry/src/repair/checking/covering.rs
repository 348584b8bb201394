//! What a patch leaves of the bug: tests pass with a patch that mends their own inputs, and no more, too.

use std::time::{Duration, Instant};

use whydunit_suite::{Case, Test};

use super::Checked;
use crate::Error;
use crate::locate::Baseline;
use crate::review::{self, Fix, Violation};
use whydunit_desk::BuiltVersion;
use whydunit_desk::Desk;

/// Looking for an input takes at most so long.
const LIMIT: Duration = Duration::from_secs(4);

/// Reviews patches by the paths near that of a failing test.
pub struct Covering {
    /// A failing test that dies: what is wrong with other inputs, if it is not a death, nobody knows.
    test: Option<String>,
}

impl Covering {
    /// With the first failing test that is a case and dies.
    pub fn new(baseline: &Baseline) -> Self {
        let dies = |name: &&str| {
            let is_case = baseline.suite.test(name).is_ok_and(|test| matches!(test, Test::Case(_)));
            let executed = baseline.executed.iter().find(|test| test.result.name == **name);
            is_case && executed.is_some_and(|test| Violation::Death.of_run(&test.result).is_some())
        };
        Self { test: baseline.failing().find(dies).map(String::from) }
    }

    /// Whether the program, built with a patch and (by `before`) without it, still dies with some input.
    pub fn look<'b>(
        &self,
        desk: &Desk,
        fix: &Fix,
        patched: &BuiltVersion,
        before: impl FnOnce() -> Result<&'b BuiltVersion, Error>,
        deadline: Instant,
    ) -> Result<Checked, Error> {
        let left = deadline.saturating_duration_since(Instant::now());
        let Some(test) = self.test.as_deref().filter(|_| !left.is_zero()) else { return Ok(Checked::default()) };
        match review::by_paths(desk, fix, [before()?, patched], test, left.min(LIMIT)) {
            Ok(answer) => {
                let found = answer.reviewed.counterexample;
                let object = found.as_ref().and_then(|left| serde_json::from_str(&left.case).ok());
                let input = object.and_then(|object| Case::of_json(&object, &desk.project).ok());
                let wrong = found.map(|left| format!("{}: {}", left.fails, left.case));
                Ok(Checked { wrong, input, runs: answer.runs, ..Checked::default() })
            }
            // The patch is one all the same.
            Err(error) => {
                let text = format!("it was not reviewed by the paths near that of {test}: {}", error.line());
                Ok(Checked { unchecked: vec![text], ..Checked::default() })
            }
        }
    }
}
