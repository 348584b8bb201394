//! Versions of the project that are recorded: laid out in a folder of ours, one over the other, and captured there.

use std::fs;
use std::path::PathBuf;

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_findings::Exit;
use whydunit_suite::Suite;
use whydunit_workbench::Project;

use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::working;

/// A folder for versions.
pub struct Recorder<'a> {
    session: &'a Session,
    folder: PathBuf,
    laid: Tree,
}

/// A version, built for recording.
pub struct Laid {
    pub session: Session,
    pub project: Project,
    pub suite: Suite,
}

impl<'a> Recorder<'a> {
    /// In this folder, which is emptied.
    pub fn new(session: &'a Session, folder: PathBuf) -> Result<Self, Failure> {
        working::removed(&folder)?;
        fs::create_dir_all(&folder).or_fail(Exit::Usage)?;
        Ok(Self { session, folder, laid: Tree::default() })
    }

    /// Builds a version.
    pub fn lay(&mut self, tree: &Tree) -> Result<Laid, Failure> {
        tree.lay_out(&self.folder, &self.laid).or_fail(Exit::Usage)?;
        self.laid = tree.clone();
        let session = self.session.quietly_in(&self.folder)?;
        let project = session.project()?;
        working::build(&session, &project, &[])?;
        working::flavours(&session, &project, Flavour::Record)?;
        let suite = working::suite(&project)?;
        Ok(Laid { session, project, suite })
    }
}
