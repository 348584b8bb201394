//! What a patch leaves of the bug: tests pass with a patch that mends their own inputs, and no more, too.

use std::time::Duration;

use whydunit_changes::Tree;
use whydunit_findings::Counterexample;

use crate::failure::Failure;
use crate::locating::Baseline;
use crate::reviewing::{self, Fix, Violation};
use crate::session::Session;

/// Looking for an input takes at most so long.
const LIMIT: Duration = Duration::from_secs(4);

/// Reviews patches by the paths near that of a failing test.
pub struct Covering<'a> {
    session: &'a Session,
    /// A failing test that dies: what is wrong with other inputs, if it is not a death, nobody knows.
    test: Option<&'a str>,
    pub runs: u64,
    pub builds: u64,
}

impl<'a> Covering<'a> {
    /// With the first of these failing tests that is a case and dies.
    pub fn new(session: &'a Session, baseline: &Baseline, failing: &'a [String]) -> Self {
        let dies = |name: &&String| {
            let is_case = baseline.suite.test(name).is_ok_and(|test| matches!(test, whydunit_suite::Test::Case(_)));
            let executed = baseline.executed.iter().find(|test| test.result.name == **name);
            is_case && executed.is_some_and(|test| Violation::Death.of_run(&test.result).is_some())
        };
        Self { session, test: failing.iter().find(dies).map(String::as_str), runs: 0, builds: 0 }
    }

    /// An input with which the patched program still dies.
    pub fn uncovered(&mut self, before: &Tree, patched: &Tree) -> Result<Option<Counterexample>, Failure> {
        let Some(test) = self.test else { return Ok(None) };
        let fix = Fix { broken: before.clone(), mended: patched.clone(), notes: Vec::new() };
        let answer = reviewing::by_paths(self.session, &fix, test, LIMIT)?;
        self.runs += answer.runs;
        self.builds += answer.builds;
        Ok(answer.reviewed.counterexample)
    }
}
