//! What cannot be made smaller.

use std::io;
use std::path::PathBuf;

/// Why nothing is made smaller.
#[derive(Debug, thiserror::Error)]
pub enum ShrinkError {
    /// A script that cannot be reached.
    #[error("{source}")]
    NoScript {
        /// As it was asked for.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A script that is a folder or the like.
    #[error("the script is no file")]
    ScriptNoFile(PathBuf),
    /// A script that may not be run.
    #[error("the script is not executable")]
    ScriptNotExecutable(PathBuf),
    /// No such test, but a file of that name, and no script.
    #[error("{message}")]
    FileWithoutScript {
        /// That there is no such test.
        message: String,
    },
    /// A test whose input nobody knows.
    #[error("{test} is no case with an input of its own")]
    NoCase {
        /// The test.
        test: String,
    },
    /// A name that cannot stand in a case.
    #[error("the file's name is not UTF-8")]
    NotUtf8(PathBuf),
    /// Something to be kept that the input does not have.
    #[error("`{part}` is no part of {test}")]
    NoPart {
        /// As it was asked for.
        part: String,
        /// The test.
        test: String,
        /// What there is.
        known: String,
    },
    /// The test does not fail each time.
    #[error("{test} is flaky: it failed the same way in {same} of {runs} runs")]
    Flaky {
        /// The test.
        test: String,
        /// Runs that failed so.
        same: usize,
        /// All runs.
        runs: usize,
    },
    /// The test passes.
    #[error("{test} passes: there is no failure to keep")]
    Passes {
        /// The test.
        test: String,
    },
    /// Only an expected output tells that the test fails.
    #[error("{test} fails only by what it prints, and nobody knows what it should print for a smaller input: {how}")]
    FailsByOutput {
        /// The test.
        test: String,
        /// How the output differs.
        how: String,
    },
    /// The test could not be run.
    #[error("{test} could not be run: {reason}")]
    NotRun {
        /// The test.
        test: String,
        /// Why.
        reason: String,
    },
    /// The script says that the input does not fail.
    #[error("the script does not see the failure in {test} as it is: {why}")]
    ScriptSeesNothing {
        /// The script.
        script: PathBuf,
        /// The test, or the file.
        test: String,
        /// How the script ended, and what it said last.
        why: String,
    },
    /// The answer cannot be kept.
    #[error("{source}")]
    NotKept {
        /// Where it was to lie.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl ShrinkError {
    /// Where: a file, a folder, an option.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::NoScript { path, .. }
            | Self::ScriptNoFile(path)
            | Self::ScriptNotExecutable(path)
            | Self::NotUtf8(path)
            | Self::ScriptSeesNothing { script: path, .. }
            | Self::NotKept { folder: path, .. } => Some(path.display().to_string()),
            Self::NoPart { .. } => Some("--keep".into()),
            _ => None,
        }
    }
}
