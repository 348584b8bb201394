//! What a patch leaves of the bug: tests pass with a patch that mends their own inputs, and no more, too.

use std::time::{Duration, Instant};

use whydunit_findings::Problem;
use whydunit_suite::{Case, Test};

use super::checking::Checked;
use crate::failure::Failure;
use crate::locating::Baseline;
use crate::recorder::Laid;
use crate::reviewing::{self, Fix, Violation};
use crate::session::Session;

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
        session: &Session,
        fix: &Fix,
        patched: &Laid,
        before: impl FnOnce() -> Result<&'b Laid, Failure>,
        deadline: Instant,
    ) -> Result<Checked, Failure> {
        let left = deadline.saturating_duration_since(Instant::now());
        let Some(test) = self.test.as_deref().filter(|_| !left.is_zero()) else { return Ok(Checked::default()) };
        match reviewing::by_paths(session, fix, [before()?, patched], test, left.min(LIMIT)) {
            Ok(answer) => {
                let found = answer.reviewed.counterexample;
                let object = found.as_ref().and_then(|left| serde_json::from_str(&left.case).ok());
                let input = object.and_then(|object| Case::of_json(&object, &session.project).ok());
                let wrong = found.map(|left| format!("{}: {}", left.fails, left.case));
                Ok(Checked { wrong, input, runs: answer.runs, ..Checked::default() })
            }
            // The patch is one all the same.
            Err(failure) => {
                let text = format!("patches were not reviewed by the paths near that of {test}: {}", failure.line());
                Ok(Checked { problem: Some(Problem::new(text)), ..Checked::default() })
            }
        }
    }
}
