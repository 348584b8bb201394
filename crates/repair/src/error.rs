//! What can go wrong.

use std::path::{Path, PathBuf};

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or program of the system.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The compiler does not tell the structure of a source.
    #[error("{} cannot be read by {compiler}: {says}", path.display())]
    Compiler {
        /// The source.
        path: PathBuf,
        /// The compiler.
        compiler: String,
        /// Its first error.
        says: String,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::Io { path, source }
    }
}
