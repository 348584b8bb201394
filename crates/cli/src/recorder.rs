//! Versions of the project that are recorded: laid out in a folder of ours, one over the other, and captured there.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_findings::Exit;
use whydunit_suite::Suite;
use whydunit_workbench::Project;

use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::working;

/// Longer than a tick of the clock by which files are dated.
const TICK: Duration = Duration::from_millis(20);

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
    /// It was built just now.
    pub fresh: bool,
}

impl<'a> Recorder<'a> {
    /// In this folder, which is emptied.
    pub fn new(session: &'a Session, folder: PathBuf) -> Result<Self, Failure> {
        working::removed(&folder)?;
        fs::create_dir_all(&folder).or_fail(Exit::Usage)?;
        Ok(Self { session, folder, laid: Tree::default() })
    }

    /// Builds a version in a folder, or takes what lies there if it is just that version, built before.
    pub fn lay_once(session: &'a Session, folder: PathBuf, tree: &Tree) -> Result<Laid, Failure> {
        let (stamp, hash) = (folder.with_extension("laid"), tree.hash());
        if fs::read_to_string(&stamp).is_ok_and(|known| known == hash) && tree.lies_in(&folder) {
            let recorder = Self { session, folder, laid: tree.clone() };
            return Ok(Laid { fresh: false, ..recorder.built(working::built)? });
        }
        match fs::remove_file(&stamp) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::new(Exit::Usage, error).at(stamp.display()));
            }
            _ => {}
        }
        let laid = Self::new(session, folder)?.lay(tree)?;
        fs::write(&stamp, hash).or_fail(Exit::Usage)?;
        Ok(laid)
    }

    /// Builds a version.
    pub fn lay(&mut self, tree: &Tree) -> Result<Laid, Failure> {
        if !self.laid.files.is_empty() {
            // A source that is written in the same tick of the clock as what was built of the last one is not newer for `make`.
            std::thread::sleep(TICK);
        }
        tree.lay_out(&self.folder, &self.laid).or_fail(Exit::Usage)?;
        self.laid = tree.clone();
        self.built(|session, project| working::build(session, project, &[]).map(drop))
    }

    /// What was laid out, built in some way.
    fn built(&self, build: impl FnOnce(&Session, &Project) -> Result<(), Failure>) -> Result<Laid, Failure> {
        let session = self.session.quietly_in(&self.folder)?;
        let project = session.project()?;
        build(&session, &project)?;
        working::flavours(&session, &project, Flavour::Record)?;
        let suite = working::suite(&project)?;
        Ok(Laid { session, project, suite, fresh: true })
    }
}
