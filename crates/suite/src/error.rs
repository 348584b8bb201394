//! Mistakes in what describes a suite.

use std::path::{Path, PathBuf};

/// Why there is no suite to run. Each says where, what and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// A mistake in a file, at a line.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// A mistake in a file as a whole, or in a folder.
    #[error("{}: {message}", path.display())]
    At {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong and what to do.
        message: String,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    pub(crate) fn line(path: &Path, line: usize, message: impl Into<String>) -> Error {
        Error::Line { path: path.to_path_buf(), line, message: message.into() }
    }

    pub(crate) fn at(path: &Path, message: impl Into<String>) -> Error {
        Error::At { path: path.to_path_buf(), message: message.into() }
    }

    /// The file and, where known, the line that it is about.
    pub fn location(&self) -> (&Path, Option<usize>) {
        match self {
            Error::Io { path, .. } | Error::At { path, .. } => (path, None),
            Error::Line { path, line, .. } => (path, Some(*line)),
        }
    }
}
