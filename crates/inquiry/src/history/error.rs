//! Why a history has no answer.

use std::path::PathBuf;

use whydunit_history::{QueryError, TrackerError};

/// Why a history has no answer.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// Nothing was committed.
    #[error("{} has no commits", folder.display())]
    NoCommits {
        /// The repository.
        folder: PathBuf,
    },
    /// There are commits, and none of them says that it fixes something.
    #[error("none of {commits} commits says that it fixes something")]
    NoFixes {
        /// How many were looked at.
        commits: usize,
    },
    /// No version has tests that can be run.
    #[error("no tests are known of any version: {reason}")]
    NoTests {
        /// Of the newest fix.
        reason: String,
    },
    /// A file that was named cannot be read.
    #[error("{}: {source}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The export of a tracker.
    #[error("{}: {source}", path.display())]
    Tracker {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: TrackerError,
    },
    /// An expression in the configuration.
    #[error("`{pattern}` in `patterns` of [history] is no regular expression: {reason}")]
    Pattern {
        /// It.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no catalogue.
    #[error("{} holds no catalogue of bugs", folder.display())]
    NoCatalogue {
        /// The folder.
        folder: PathBuf,
    },
    /// A catalogue that cannot be read.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// No such bug.
    #[error("the catalogue has no bug `{id}`")]
    NoBug {
        /// As asked.
        id: String,
        /// Some that there are.
        known: Vec<String>,
    },
    /// Several bugs begin so.
    #[error("several bugs begin with `{id}`")]
    SeveralBugs {
        /// As asked.
        id: String,
        /// They.
        known: Vec<String>,
    },
    /// Conditions.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A side would be written over something.
    #[error("{} is not empty", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// Another run works on the catalogue.
    #[error("another run works on the catalogue in {}", folder.display())]
    InUse {
        /// The folder.
        folder: PathBuf,
    },
}
