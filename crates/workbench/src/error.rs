//! What can go wrong while working on a project.

use std::io;
use std::path::{Path, PathBuf};

/// Why a piece of work was not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Capture or flavours.
    #[error(transparent)]
    Capture(#[from] whydunit_capture::Error),
    /// A recording.
    #[error(transparent)]
    Recording(#[from] whydunit_recording::Error),
    /// A replay.
    #[error(transparent)]
    Replay(#[from] whydunit_replay::ReplayError),
    /// A program that does not start.
    #[error(transparent)]
    Run(#[from] whydunit_process::RunError),
    /// What observers wrote down.
    #[error(transparent)]
    Observe(#[from] whydunit_observe::Error),
    /// The configuration or the suite.
    #[error(transparent)]
    Suite(#[from] whydunit_suite::Error),
    /// Nothing says how to build.
    #[error("nothing says how {} is built{}", folder.display(), elsewhere(below))]
    NoBuild {
        /// The project.
        folder: PathBuf,
        /// Folders right below it in which a build system's files lie.
        below: Vec<String>,
    },
    /// More than one program, or none.
    #[error("which program do the tests run? set `executable` in [build] of whydunit.toml; captured are: {programs}")]
    WhichExecutable {
        /// Those that were built.
        programs: String,
    },
    /// A command that is not there.
    #[error("there is no program for `{name}`")]
    NoProgram {
        /// The command.
        name: String,
    },
    /// Files.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The model of a module is not in the store.
    #[error("{} needs the program model {id}, which {reason}; record the run again", recording.display())]
    NoModel {
        /// The recording.
        recording: PathBuf,
        /// Id of the module.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Another version made the model of a module.
    #[error("{}: {error}", path.display())]
    OldModel {
        /// The model.
        path: PathBuf,
        /// What it says.
        error: whydunit_model::ModelError,
    },
    /// The model of a module is damaged.
    #[error("the program model {} {how}", path.display())]
    DamagedModel {
        /// The model.
        path: PathBuf,
        /// What was done about it, in words that go after its name.
        how: String,
    },
    /// The test did not start.
    #[error("nothing was recorded: `{test}` could not be run: {reason}")]
    NotRun {
        /// The test.
        test: String,
        /// Why.
        reason: String,
    },
    /// There is no recording at all.
    #[error("nothing has been recorded yet")]
    NothingKept,
    /// No recording of that name.
    #[error("there is no recording `{name}`; there are {known}")]
    NoRecording {
        /// As asked for.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// The program ran and there is no log.
    #[error("nothing was recorded: `{command}` ran, but {reason}; see that {} has space and that nobody removes it, and record again", folder.display())]
    NoLog {
        /// The command.
        command: String,
        /// Why not.
        reason: String,
        /// Where logs are written.
        folder: PathBuf,
    },
    /// The command left no recording.
    #[error("nothing was recorded: `{command}` ran no captured program; captured are {captured}")]
    NothingRecorded {
        /// The command.
        command: String,
        /// Captured programs.
        captured: String,
    },
}

impl Error {
    /// An error about a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Io { path: path.to_owned(), source }
    }
}

/// A clause on builds in other folders; empty where there are none.
fn elsewhere(below: &[String]) -> String {
    let named: Vec<String> = below.iter().map(|name| format!("`{name}`")).collect();
    match named.is_empty() {
        true => String::new(),
        false => format!("; a build is in {}: is that the project?", named.join(", ")),
    }
}
