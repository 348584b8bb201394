//! What cannot be measured.

use std::io;
use std::path::PathBuf;

use whydunit_findings::Location;
use whydunit_suite::TruthError;

/// Why a project of a catalogue is not measured.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    /// The catalogue cannot be read.
    #[error("{source}")]
    Unread {
        /// Its folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing in it can be measured.
    #[error("no project with a truth.json is in there")]
    NoProject {
        /// The catalogue's folder.
        folder: PathBuf,
    },
    /// What is right is not told.
    #[error(transparent)]
    Truth(#[from] TruthError),
    /// A folder whose name cannot be given on.
    #[error("the path is not UTF-8")]
    NotUtf8(PathBuf),
    /// There is no fault to be seen.
    #[error("no test fails")]
    NothingFails,
    /// Held-out cases for a project whose tests are none.
    #[error("the project's tests are no cases of its own: others cannot stand in their place")]
    NoCases {
        /// The held-out cases.
        table: PathBuf,
    },
    /// A patch that is not for the project.
    #[error("the patch does not apply")]
    DoesNotApply {
        /// Where it changes something.
        at: Location,
    },
    /// A patch with which the project does not build.
    #[error("it does not build with the patch: {says}")]
    NotBuilt {
        /// Where it changes something.
        at: Location,
        /// The build's error.
        says: String,
    },
}

impl ScoreError {
    /// Where: a file, a folder, a place in a source.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Unread { folder: path, .. }
            | Self::NoProject { folder: path }
            | Self::NotUtf8(path)
            | Self::NoCases { table: path } => Some(path.display().to_string()),
            Self::DoesNotApply { at } | Self::NotBuilt { at, .. } => Some(at.to_string()),
            Self::Truth(_) | Self::NothingFails => None,
        }
    }
}
