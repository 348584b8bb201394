//! Why a session cannot do what is asked of it.

use whydunit_replay::ReplayError;

/// Why there is no session, or no answer.
#[derive(Debug, thiserror::Error)]
pub enum DebugError {
    /// The replay failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// No captured code ran.
    #[error("no captured code was executed in this run: there is nothing to debug")]
    Empty,
    /// The end of the request was asked for.
    #[error("it was cancelled")]
    Cancelled,
    /// There is no such thread.
    #[error("there is no thread {0} at this moment of the run")]
    NoThread(u32),
    /// There is no such frame.
    #[error("there is no such frame at this moment of the run")]
    NoFrame,
    /// An expression has no value.
    #[error("{0}")]
    Expression(String),
}
