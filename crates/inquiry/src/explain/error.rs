//! What cannot be explained.

use std::io;
use std::path::PathBuf;

use whydunit_changes::NotApplied;
use whydunit_desk as desk;
use whydunit_variants::{Tried, Verdict};

/// Why nothing is explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// Neither a folder nor a revision.
    #[error("{reason}")]
    NoVersion {
        /// As it was asked for.
        name: String,
        /// Why it is no revision.
        reason: String,
    },
    /// A patch that cannot be read.
    #[error("{source}")]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A patch that is neither in the project's files nor applies to them.
    #[error("the patch is not in the project's files ({back}), nor applies to them ({forward})")]
    PatchOfAnother {
        /// The file.
        path: PathBuf,
        /// Why it is not in them.
        back: NotApplied,
        /// Why it does not apply.
        forward: NotApplied,
    },
    /// Bisection of what has no history.
    #[error("--bisect is for revisions: one of the versions is a folder")]
    NoHistory,
    /// The bad version does not build.
    #[error("{error}")]
    BadNotBuilt {
        /// How it was named.
        version: String,
        /// Why.
        error: desk::Error,
    },
    /// The versions are the same program.
    #[error("{good} and {bad} do not differ in what is built")]
    NoDifference {
        /// How the good one was named.
        good: String,
        /// How the bad one was named.
        bad: String,
    },
    /// The good version does not build.
    #[error("the good version {version} does not build here")]
    GoodNotBuilt {
        /// How it was named.
        version: String,
        /// The build's last error.
        says: String,
    },
    /// The test does not pass in the good version.
    #[error("the test does not pass in {version} either: {says}")]
    GoodFails {
        /// How it was named.
        version: String,
        /// How the test fails there.
        says: String,
    },
    /// The test passes in the bad version when that is built apart.
    #[error("the test does not fail in the bad version when it is built by itself")]
    BadPassesApart,
    /// As many versions were built as are allowed.
    #[error("there is no answer after {builds} builds")]
    NoAnswerAfter {
        /// So many.
        builds: u64,
    },
    /// The test was not run.
    #[error("test {test} was not run")]
    NotRun {
        /// The test.
        test: String,
    },
    /// The test cannot be run.
    #[error("{0}")]
    CannotRun(String),
    /// The test passes.
    #[error("test {test} passes in the bad version: there is nothing to explain")]
    Passes {
        /// The test.
        test: String,
    },
    /// No test fails.
    #[error("no test fails in the bad version: there is nothing to explain")]
    NothingFails,
    /// Which test is meant is not clear.
    #[error("several tests fail in the bad version")]
    SeveralFail {
        /// Some of them.
        tests: String,
    },
    /// The test fails too seldom.
    #[error(
        "test {test} is flaky: it failed once, and {failures} of {runs} times when it was run again: that is too seldom to tell \
         versions apart"
    )]
    FailsTooSeldom {
        /// The test.
        test: String,
        /// How often it failed.
        failures: u32,
        /// Of so many runs.
        runs: u32,
    },
    /// Causes could not be followed: a mistake of ours.
    #[error(transparent)]
    Causes(#[from] whydunit_explain::Error),
}

impl ExplainError {
    /// Where: a file, tests, a line of a build's output.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::Unread { path, .. } | Self::PatchOfAnother { path, .. } => Some(path.display().to_string()),
            Self::GoodNotBuilt { says, .. } => Some(says.clone()),
            Self::SeveralFail { tests } => Some(tests.clone()),
            Self::BadNotBuilt { error, .. } => error.place(),
            _ => None,
        }
    }

    /// Whether a version does not build.
    pub(crate) fn is_of_build(&self) -> bool {
        match self {
            Self::GoodNotBuilt { .. } => true,
            Self::BadNotBuilt { error, .. } => error.is_of_build(),
            _ => false,
        }
    }
}

/// The test must pass in the good version, of this name.
pub(crate) fn passes_in_good(name: &str, good: Tried) -> Result<(), ExplainError> {
    let version = name.to_owned();
    match good.verdict {
        Verdict::Pass => Ok(()),
        Verdict::NotBuilt => {
            let last = good.says.lines().rev().find(|line| line.contains("error")).unwrap_or("see the build's output");
            Err(ExplainError::GoodNotBuilt { version, says: last.to_owned() })
        }
        Verdict::Fail | Verdict::Other => Err(ExplainError::GoodFails { version, says: good.says }),
    }
}
