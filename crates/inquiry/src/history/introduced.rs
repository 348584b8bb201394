//! The commit that a bug came with, by bisecting the tests of its fix over the history before it.

use whydunit_changes::{Commit, Tree};
use whydunit_findings::Introduced;
use whydunit_history::TestFiles;
use whydunit_variants::SuiteRunner;

use super::sides::Sides;
use crate::Error;

/// What the tests say of a revision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Passes,
    Fails,
    Unknown,
}

/// Looks for commits that bugs came with.
pub struct Search<'a> {
    /// Where versions are read.
    pub sides: &'a Sides,
    /// Which files are laid over older versions.
    pub files: &'a TestFiles,
    /// The first parents before the fix, the newest first.
    pub before: Vec<&'a Commit>,
    /// The version of the fix.
    pub fix: &'a Tree,
    /// The tests that fail before it.
    pub tests: &'a [String],
    /// When the fix was written.
    pub time: i64,
}

impl Search<'_> {
    /// The commit from which on the tests fail, up to the parent of the fix. `None` where they fail from the beginning on, or where
    /// versions in between do not build or have no such tests.
    pub fn find(&self, runner: &mut SuiteRunner<'_>) -> Result<Option<Introduced>, Error> {
        // The parent fails; older revisions are looked at in steps that double.
        let (mut fails, mut passes, mut step) = (0, None, 1);
        while passes.is_none() && fails + 1 < self.before.len() {
            let at = (fails + step).min(self.before.len() - 1);
            match self.state(at, runner)? {
                State::Passes => passes = Some(at),
                State::Fails => (fails, step) = (at, step * 2),
                State::Unknown => return Ok(None),
            }
        }
        let Some(mut passes) = passes else { return Ok(None) };
        while passes - fails > 1 {
            let middle = fails + (passes - fails) / 2;
            match self.state(middle, runner)? {
                State::Passes => passes = middle,
                State::Fails => fails = middle,
                State::Unknown => return Ok(None),
            }
        }
        let commit = self.before[fails];
        Ok(Some(Introduced {
            commit: commit.id.clone(),
            subject: commit.subject().to_owned(),
            seconds: self.time - commit.time,
        }))
    }

    fn state(&self, at: usize, runner: &mut SuiteRunner<'_>) -> Result<State, Error> {
        let mut tree = self.sides.tree(&self.before[at].revision())?;
        tree.files.retain(|path, _| !self.files.has(path));
        let tests = self.fix.files.iter().filter(|(path, _)| self.files.has(path));
        tree.files.extend(tests.map(|(path, file)| (path.clone(), file.clone())));
        let outcomes = runner.run(&tree, &[])?;
        let mut runs = self.tests.iter().map(|name| outcomes.test(name));
        Ok(match () {
            () if runs.clone().all(|run| run.is_some_and(whydunit_variants::TestRun::passes)) => State::Passes,
            () if runs.all(|run| run.is_some_and(whydunit_variants::TestRun::fails)) => State::Fails,
            () => State::Unknown,
        })
    }
}
