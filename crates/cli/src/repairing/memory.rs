//! What a patch does to memory: tests pass with an access beyond an array, too.

use std::collections::HashSet;

use whydunit_findings::MemoryError;
use whydunit_suite::process::interrupts;
use whydunit_workbench::{Along, Recordings};

use crate::failure::Failure;
use crate::recorder::Laid;
use crate::replaying;

/// Tests that are recorded with a patch: some that failed, and some others.
const FAILING: usize = 3;
const PASSING: usize = 2;

/// Records tests with a patch, and looks for memory errors that the program as it is does not have.
pub struct Memory<'a> {
    tests: Vec<&'a str>,
    /// Kinds of errors of the program as it is, and the functions in which they are.
    known: Option<HashSet<(String, String)>>,
}

impl<'a> Memory<'a> {
    /// With tests that failed, and some that did not.
    pub fn new(failing: &'a [String], passing: &'a [String]) -> Self {
        let tests = failing.iter().take(FAILING).chain(passing.iter().take(PASSING)).map(String::as_str).collect();
        Self { tests, known: None }
    }

    /// A memory error of `patched` that `before` has not; none where the runs are sound or could not be looked at.
    pub fn new_error(&mut self, before: &Laid, patched: &Laid) -> Result<Option<MemoryError>, Failure> {
        let known = match self.known.take() {
            Some(known) => known,
            None => self.errors(before)?.into_iter().map(|error| (error.kind, error.function)).collect(),
        };
        let errors = self.errors(patched)?;
        let new = errors.into_iter().find(|error| !known.contains(&(error.kind.clone(), error.function.clone())));
        self.known = Some(known);
        Ok(new)
    }

    fn errors(&self, laid: &Laid) -> Result<Vec<MemoryError>, Failure> {
        let Laid { session, project, suite, .. } = laid;
        let store = session.store()?;
        let mut errors = Vec::new();
        for name in &self.tests {
            let Ok(test) = suite.test(name) else { continue };
            let Ok(run) = project.record_test(test, &Recordings::of(&store), interrupts()) else { continue };
            for recorded in &run.recordings {
                let opened = session.open_recording(&store, &recorded.path)?;
                errors.extend(replaying::replay(session, &opened, Along::MemoryCheck)?.answer.memory_errors);
            }
        }
        Ok(errors)
    }
}
