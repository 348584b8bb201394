//! What a patch does to memory: tests pass with an access beyond an array, too.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_findings::{Exit, MemoryError};
use whydunit_suite::process::interrupts;
use whydunit_workbench::{Along, Recordings};

use crate::failure::{Failure, OrFail};
use crate::replaying;
use crate::session::Session;
use crate::working;

/// Tests that are recorded with a patch: some that failed, and some others.
const FAILING: usize = 3;
const PASSING: usize = 2;

/// Records tests with a patch, and looks for memory errors that the program as it is does not have.
pub struct Checking<'a> {
    session: &'a Session,
    folder: PathBuf,
    tests: Vec<&'a str>,
    laid: Tree,
    /// Kinds of errors of the program as it is, and the functions in which they are.
    known: Option<HashSet<(String, String)>>,
}

impl<'a> Checking<'a> {
    /// In this folder, which is emptied.
    pub fn new(
        session: &'a Session,
        folder: PathBuf,
        failing: &'a [String],
        passing: &'a [String],
    ) -> Result<Self, Failure> {
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::new(Exit::Usage, error).at(folder.display()));
            }
            _ => {}
        }
        fs::create_dir_all(&folder).or_fail(Exit::Usage)?;
        let tests = failing.iter().take(FAILING).chain(passing.iter().take(PASSING)).map(String::as_str).collect();
        Ok(Self { session, folder, tests, laid: Tree::default(), known: None })
    }

    /// A memory error of `patched` that `before` has not; none where the runs are sound or could not be looked at.
    pub fn new_error(&mut self, before: &Tree, patched: &Tree) -> Result<Option<MemoryError>, Failure> {
        let known = match self.known.take() {
            Some(known) => known,
            None => self.errors(before)?.into_iter().map(|error| (error.kind, error.function)).collect(),
        };
        let errors = self.errors(patched)?;
        let new = errors.into_iter().find(|error| !known.contains(&(error.kind.clone(), error.function.clone())));
        self.known = Some(known);
        Ok(new)
    }

    fn errors(&mut self, tree: &Tree) -> Result<Vec<MemoryError>, Failure> {
        tree.lay_out(&self.folder, &self.laid).or_fail(Exit::Usage)?;
        self.laid = tree.clone();
        let session = self.session.quietly_in(&self.folder)?;
        let project = session.project()?;
        working::build(&session, &project, &[])?;
        working::flavours(&session, &project, Flavour::Record)?;
        let store = session.store()?;
        let suite = working::suite(&project)?;
        let mut errors = Vec::new();
        for name in &self.tests {
            let Ok(test) = suite.test(name) else { continue };
            let Ok(run) = project.record_test(test, &Recordings::of(&store), interrupts()) else { continue };
            for recorded in &run.recordings {
                let opened = session.open_recording(&store, &recorded.path)?;
                errors.extend(replaying::replay(&session, &opened, Along::MemoryCheck)?.answer.memory_errors);
            }
        }
        Ok(errors)
    }
}
