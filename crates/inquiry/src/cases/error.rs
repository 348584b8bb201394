//! Why no cases are made.

use std::io;
use std::path::PathBuf;

/// Why no cases are made.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// The table is there.
    #[error("the table is there already")]
    Exists(PathBuf),
    /// The table cannot be written.
    #[error("{source}")]
    NotWritten {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The command ran none of the project's programs.
    #[error("`{command}` ran no program that was built under capture")]
    NoRun {
        /// The command.
        command: String,
    },
    /// The command did not run the program that was asked for.
    #[error("{} was not run", program.display())]
    NotRun {
        /// As it was asked for.
        program: PathBuf,
        /// Those that were.
        known: Vec<String>,
    },
    /// No run is a case.
    #[error("no run under `{command}` is a case: {}", reasons.join("; "))]
    NoCase {
        /// The command.
        command: String,
        /// Why not, with counts.
        reasons: Vec<String>,
    },
}

impl CasesError {
    /// Where: a file.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Exists(path) | Self::NotWritten { path, .. } => Some(path.display().to_string()),
            Self::NoRun { .. } | Self::NotRun { .. } | Self::NoCase { .. } => None,
        }
    }
}
