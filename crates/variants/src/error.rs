//! What keeps a version from being built and tested.

use std::io;
use std::path::{Path, PathBuf};

use whydunit_process::Cancel;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Files.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A version.
    #[error(transparent)]
    Changes(#[from] whydunit_changes::Error),
    /// The configuration.
    #[error(transparent)]
    Suite(#[from] whydunit_suite::Error),
    /// The build's shell.
    #[error(transparent)]
    Run(#[from] whydunit_process::RunError),
    /// Nothing says how to build.
    #[error("nothing says how {} is built: set `command` in [build] of whydunit.toml", folder.display())]
    NoBuild {
        /// The project.
        folder: PathBuf,
    },
    /// The disk was full while a version was built or tested: what came of it says nothing of the version.
    #[error("{}: the disk is full", folder.display())]
    NoSpace {
        /// Where versions are built.
        folder: PathBuf,
    },
    /// The caller ended it.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |source| Error::Io { path: path.to_path_buf(), source }
    }

    /// Whether the disk was full.
    pub fn is_of_full_disk(&self) -> bool {
        let full = |source: &io::Error| source.kind() == io::ErrorKind::StorageFull;
        match self {
            Self::NoSpace { .. } => true,
            Self::Io { source, .. } => full(source),
            Self::Changes(whydunit_changes::Error::Io { source, .. }) => full(source),
            _ => false,
        }
    }

    /// Fails where the caller ended it.
    pub(crate) fn of_cancelled(cancel: &Cancel) -> Result<(), Error> {
        if cancel.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
