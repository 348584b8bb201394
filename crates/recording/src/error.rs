//! What can be wrong with a recording or a raw log.

use std::path::{Path, PathBuf};

use crate::format::VERSION;

/// How much of a damaged recording can still be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Intact {
    /// Chunks of events before the damage.
    pub chunks: usize,
    /// Events in them.
    pub events: u64,
    /// Safepoint count of the last of them.
    pub counter: u64,
}

impl std::fmt::Display for Intact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.events == 0 {
            write!(f, "nothing before that can be replayed; record the run again")
        } else {
            write!(
                f,
                "its first {} events, up to safepoint {}, are intact and can still be replayed; record the run again for \
                 the rest",
                self.events, self.counter
            )
        }
    }
}

/// Why there is no recording, or no further event of it.
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
    /// Some other file.
    #[error("{} is not a recording", path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
    },
    /// Written by another version of this program.
    #[error("{} has recording version {found}, this program reads version {VERSION}: record the run again", path.display())]
    OtherVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file ends too early.
    #[error("{} is cut off at byte {at}: {intact}", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length.
        at: u64,
        /// What is left.
        intact: Intact,
    },
    /// Bytes have changed.
    #[error("{} is damaged in {part} at byte {at} ({detail}): {intact}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part: "chunk 3", "its header", …
        part: String,
        /// Where that part starts.
        at: u64,
        /// What does not fit.
        detail: String,
        /// What is left.
        intact: Intact,
    },
    /// The recorded program is not the one that was built last.
    #[error("{} was recorded with build {recorded}, the program here is build {present}: record the run again, or check out and build the sources it was made from", path.display())]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// Its build identity.
        recorded: String,
        /// The one asked for.
        present: String,
    },
    /// A folder that the runtime did not write, or did not get to write.
    #[error("{} is not the log of a process: {detail}", path.display())]
    BadLog {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| Error::Io { action, path, source }
    }

    /// What can still be replayed, where this is about damage.
    pub fn intact(&self) -> Option<Intact> {
        match self {
            Error::Truncated { intact, .. } | Error::Damaged { intact, .. } => Some(*intact),
            _ => None,
        }
    }
}
