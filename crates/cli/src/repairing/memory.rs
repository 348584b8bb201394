//! What a patch does to memory: tests pass with an access beyond an array, too.

use std::collections::HashSet;

use whydunit_findings::MemoryError;
use whydunit_process::interrupts;
use whydunit_workbench::{Along, Recordings};

use crate::failure::Failure;
use crate::recorder::Laid;
use crate::replaying;

/// Tests that are recorded with a patch: some that failed, and some others.
const FAILING: usize = 3;
const PASSING: usize = 2;

/// Records tests with a patch, and looks for memory errors that the program as it is does not have.
pub struct Memory<'a> {
    /// Each with whether it ends by itself without a patch.
    tests: Vec<(&'a str, bool)>,
    /// Kinds of errors of the program as it is, and the functions in which they are.
    known: Option<HashSet<(String, String)>>,
}

impl<'a> Memory<'a> {
    /// With tests that failed, and some that did not; `endless` are those that did not end.
    pub fn new(failing: &'a [String], passing: &'a [String], endless: &HashSet<&str>) -> Self {
        let tests = failing.iter().take(FAILING).chain(passing.iter().take(PASSING)).map(String::as_str);
        Self { tests: tests.map(|name| (name, !endless.contains(name))).collect(), known: None }
    }

    /// A memory error of `patched` that the program as it is has not; none where the runs are sound or could not be looked at.
    /// `before` builds the latter, where that has to be known.
    pub fn new_error<'b>(
        &mut self,
        patched: &Laid,
        before: impl FnOnce() -> Result<&'b Laid, Failure>,
    ) -> Result<Option<MemoryError>, Failure> {
        let errors = Self::errors(patched, self.tests.iter().map(|(name, _)| *name))?;
        if errors.is_empty() {
            return Ok(None);
        }
        let known = match self.known.take() {
            Some(known) => known,
            None => {
                let ending = self.tests.iter().filter(|(_, ends)| *ends).map(|(name, _)| *name);
                let errors = Self::errors(before()?, ending)?;
                errors.into_iter().map(|error| (error.kind, error.function)).collect()
            }
        };
        let new = errors.into_iter().find(|error| !known.contains(&(error.kind.clone(), error.function.clone())));
        self.known = Some(known);
        Ok(new)
    }

    fn errors<'b>(laid: &Laid, tests: impl Iterator<Item = &'b str>) -> Result<Vec<MemoryError>, Failure> {
        let Laid { session, project, suite, .. } = laid;
        let store = session.store()?;
        let mut errors = Vec::new();
        for name in tests {
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
