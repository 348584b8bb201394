//! Versions of the project that are recorded: laid out in a folder of ours, one over the other, and captured there.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_suite::Suite;
use whydunit_workbench::Project;

use crate::{Desk, Error, prepare};

/// Longer than a tick of the clock by which files are dated.
const TICK: Duration = Duration::from_millis(20);

/// A folder for versions.
pub struct Recorder<'a> {
    desk: &'a Desk,
    folder: PathBuf,
    laid: Tree,
    /// What cargo has built and we have captured of the project is used again.
    seeded: bool,
    /// The tests that are recorded; `None`: any.
    tests: Option<Vec<String>>,
}

/// A version, built for recording.
pub struct BuiltVersion {
    /// A desk for it.
    pub desk: Desk,
    /// It, as a project.
    pub project: Project,
    /// Its suite.
    pub suite: Suite,
    /// It was built just now, not found as it was built before.
    pub fresh: bool,
}

impl<'a> Recorder<'a> {
    /// In this folder, which is emptied.
    pub fn new(desk: &'a Desk, folder: PathBuf) -> Result<Self, Error> {
        prepare::removed(&folder)?;
        fs::create_dir_all(&folder)?;
        Ok(Self { desk, folder, laid: Tree::default(), seeded: false, tests: None })
    }

    /// The same with what cargo has built and was captured of the project, so that other crates are not built once more.
    pub fn seeded(self) -> Self {
        Self { seeded: true, ..self }
    }

    /// The same for these tests only: programs of which only others are runs are not made.
    pub fn of_tests(self, tests: Vec<String>) -> Self {
        Self { tests: Some(tests), ..self }
    }

    /// Builds a version in a folder, or takes what lies there if it is just that version, built before.
    pub fn lay_once(desk: &'a Desk, folder: PathBuf, tree: &Tree) -> Result<BuiltVersion, Error> {
        let (stamp, hash) = (folder.with_extension("laid"), tree.hash());
        if fs::read_to_string(&stamp).is_ok_and(|known| known == hash) && tree.lies_in(&folder) {
            let recorder = Self { desk, folder, laid: tree.clone(), seeded: false, tests: None };
            return Ok(BuiltVersion { fresh: false, ..recorder.built(prepare::built)? });
        }
        match fs::remove_file(&stamp) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(stamp)(error));
            }
            _ => {}
        }
        let version = Self::new(desk, folder)?.lay(tree)?;
        fs::write(&stamp, hash)?;
        Ok(version)
    }

    /// Builds a version.
    pub fn lay(&mut self, tree: &Tree) -> Result<BuiltVersion, Error> {
        if !self.laid.files.is_empty() {
            // A source that is written in the same tick of the clock as what was built of the last one is not newer for `make`.
            std::thread::sleep(TICK);
        }
        tree.lay_out(&self.folder, &self.laid)?;
        if self.seeded && self.laid.files.is_empty() {
            whydunit_variants::sow(&self.desk.project, &self.folder, true)?;
        }
        self.laid = tree.clone();
        self.built(|desk, project| prepare::build(desk, project, &[]).map(drop))
    }

    /// What was laid out, built in some way.
    fn built(&self, build: impl FnOnce(&Desk, &Project) -> Result<(), Error>) -> Result<BuiltVersion, Error> {
        let desk = self.desk.quietly_in(&self.folder)?;
        let project = desk.open_project()?;
        build(&desk, &project)?;
        let suite = prepare::suite(&desk, &project)?;
        match &self.tests {
            Some(tests) => {
                let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
                prepare::recorders_of(&desk, &project, &suite, &tests)?
            }
            None => prepare::flavours(&desk, &project, Flavour::Record)?,
        };
        Ok(BuiltVersion { desk, project, suite, fresh: true })
    }
}
