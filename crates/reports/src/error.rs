//! Why shards cannot be put together.

use std::path::PathBuf;

/// Why there is no common report.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// A folder or file cannot be read.
    #[error("{} cannot be read", .0.display())]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// Nothing in the folders is an answer of a shard.
    #[error("there are no results of shards")]
    None(Vec<PathBuf>),
    /// A file says that it is an answer of a shard, and is not as such an answer is.
    #[error("this is no answer of `whydunit test --shard`")]
    NoAnswer(PathBuf, #[source] serde_json::Error),
    /// Two files are of different suites, or of another number of shards.
    #[error("these are shards of different suites")]
    Different(PathBuf, PathBuf),
    /// Two files are of the same shard.
    #[error("shard {number} is there twice")]
    Twice {
        /// Which one.
        number: usize,
        /// Both files.
        files: [PathBuf; 2],
    },
}
