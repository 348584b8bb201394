//! Runs of a program that another process drives: what each was given, what it did, and what was expected of it.
//!
//! A command (a script, `make check`, a runner in Python) runs with the preloaded libraries of the runtime: wherever it starts a program
//! of the project, an *observer* ([`observer`]) starts it instead, passes its input and output on, and writes both down; and each
//! process writes down which files it opened and how it ended. All of it lies in one [`Folder`], out of which [`Observation`] reads the
//! runs. [`Expectation`] is what the command expects of a run, as far as that shows; [`Draft`] makes a case of it.
//!
//! Invariants
//! - An observed program gets the arguments, environment, folder and input that it would have had, and ends as it would have.
//! - An output is expected only where the command said that it is right, or read what it compares it with.

mod case;
mod expectation;
mod folder;
mod log;
mod observation;
mod observer;
mod streams;

pub use case::{Draft, Inexpressible};
pub use expectation::{Basis, Expectation};
pub use folder::Folder;
pub use observation::{Observation, ObservedRun};
pub use observer::observer;

/// Why runs cannot be observed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(std::path::PathBuf, #[source] std::io::Error),
    /// What an observer wrote down is no such thing.
    #[error("{}: {}", .0.display(), .1)]
    Damaged(std::path::PathBuf, #[source] serde_json::Error),
}

impl Error {
    fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io(path, error)
    }
}
