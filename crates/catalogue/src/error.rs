//! What can go wrong.

use std::path::{Path, PathBuf};

/// Why there is no catalogue. Each says where, what and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file or folder.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A mistake in a file or a folder.
    #[error("{}: {message}", path.display())]
    At {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
    /// A mistake in a subject's configuration or cases.
    #[error(transparent)]
    Suite(#[from] whydunit_suite::Error),
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    pub(crate) fn at(path: &Path, message: impl Into<String>) -> Error {
        Error::At { path: path.to_path_buf(), message: message.into() }
    }
}
