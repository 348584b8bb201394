//! What cannot be reviewed.

use std::path::PathBuf;

use whydunit_changes::NotApplied;
use whydunit_review::DomainError;

/// Why nothing is reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The fix is neither a patch nor a range of revisions.
    #[error("`{fix}` is no patch and no range of revisions")]
    NoFix {
        /// As it was asked for.
        fix: String,
    },
    /// The fix is a patch for another project.
    #[error("{error}")]
    DoesNotApply {
        /// The file.
        path: PathBuf,
        /// Why.
        error: NotApplied,
    },
    /// Both versions are one.
    #[error("the fix changes nothing")]
    ChangesNothing,
    /// A domain that cannot be understood.
    #[error("{error}")]
    Domain {
        /// Its file; `None` where the constraints are ours.
        path: Option<PathBuf>,
        /// Why.
        error: DomainError,
        /// What constraints may name, where a function's arguments are the input.
        parameters: Option<String>,
    },
    /// The domain leaves out the input that shows the bug.
    #[error("the input of {test} is not in the domain")]
    DomainLacks {
        /// The test.
        test: String,
        /// The domain's file.
        path: PathBuf,
    },
    /// No such test.
    #[error("there is no test `{test}` that both versions can run")]
    NoTest {
        /// Its name, as it was asked for.
        test: String,
    },
    /// The test is flaky.
    #[error("{test} is flaky before the fix")]
    Flaky {
        /// The test.
        test: String,
    },
    /// The test passes before the fix.
    #[error("{test} does not show the bug: it passes before the fix")]
    Passes {
        /// The test.
        test: String,
    },
    /// All tests pass before the fix.
    #[error("no test fails before the fix: nothing shows the bug")]
    NothingFails,
    /// The test does not call the function under test.
    #[error("{test} does not call a function `{function}`")]
    NotCalled {
        /// The test.
        test: String,
        /// The function.
        function: String,
    },
    /// The arguments of the function cannot be others.
    #[error("{function} cannot be given other values: {reason}")]
    CannotBeGiven {
        /// The function.
        function: String,
        /// Why.
        reason: String,
    },
    /// The function has no arguments that could be others.
    #[error("{function} is given nothing that could be other values")]
    GivenNothing {
        /// The function.
        function: String,
    },
    /// The function is a library's.
    #[error("{function} is not in a file of the project")]
    NotOfProject {
        /// The function.
        function: String,
        /// Where it is.
        file: String,
    },
    /// The run of the test left no recording.
    #[error("nothing of the run of {test} could be recorded")]
    NotRecorded {
        /// The test.
        test: String,
    },
    /// The file of the function is not there with the fix.
    #[error("with the fix there is no file {file}")]
    NoFile {
        /// Relative to the project.
        file: String,
    },
    /// The program was not built with what calls the function.
    #[error("{} was not built with a driver", program.display())]
    NoDriver {
        /// The program.
        program: PathBuf,
    },
    /// The function does not fail when it is called alone.
    #[error("{function} does not fail by itself when it is called as in {test}")]
    DoesNotFailAlone {
        /// The function.
        function: String,
        /// The test.
        test: String,
    },
    /// The function fails with the fix when it is called alone.
    #[error("{function} fails by itself with the fix, too, though {test} passes with it")]
    FailsAlone {
        /// The function.
        function: String,
        /// The test.
        test: String,
    },
}

impl ReviewError {
    /// Where: a file.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::DoesNotApply { path, .. } | Self::DomainLacks { path, .. } => Some(path.display().to_string()),
            Self::Domain { path, .. } => path.as_ref().map(|path| path.display().to_string()),
            Self::NotOfProject { file, .. } => Some(file.clone()),
            _ => None,
        }
    }
}
