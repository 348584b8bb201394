//! What cannot be repaired, or written.

use std::io;
use std::path::PathBuf;

/// Why a patch is not made or not written.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    /// The compiler does not read a source.
    #[error(transparent)]
    Unreadable(whydunit_repair::Error),
    /// The table in which candidates leave their values.
    #[error(transparent)]
    Survey(whydunit_repair::Error),
    /// The project's sources cannot be written.
    #[error("{source}")]
    Unwritable {
        /// The project.
        project: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A source is no longer what the patch was made for.
    #[error("the source has changed since it was read")]
    SourceChanged(PathBuf),
}

impl RepairError {
    /// Where: a file or folder.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Unwritable { project: path, .. } | Self::SourceChanged(path) => Some(path.display().to_string()),
            Self::Unreadable(_) | Self::Survey(_) => None,
        }
    }
}
