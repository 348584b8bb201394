//! What a patch does to memory: tests pass with an access beyond an array, too.

use std::collections::HashSet;

use whydunit_findings::MemoryError;
use whydunit_workbench::{Along, Recordings};

use crate::Error;
use whydunit_desk::BuiltVersion;
use whydunit_desk::recordings;

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
        patched: &BuiltVersion,
        before: impl FnOnce() -> Result<&'b BuiltVersion, Error>,
    ) -> Result<Option<MemoryError>, Error> {
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

    fn errors<'b>(laid: &BuiltVersion, tests: impl Iterator<Item = &'b str>) -> Result<Vec<MemoryError>, Error> {
        let BuiltVersion { desk, project, suite, .. } = laid;
        let store = desk.store()?;
        let mut errors = Vec::new();
        for name in tests {
            let Ok(test) = suite.test(name) else { continue };
            let Ok(run) = project.record_test(test, &Recordings::of(&store), &desk.cancel) else { continue };
            for recorded in &run.recordings {
                let opened = desk.open_recording(&store, &recorded.path)?;
                errors.extend(recordings::replay(desk, &opened, Along::MemoryCheck)?.answer.memory_errors);
            }
        }
        Ok(errors)
    }
}
