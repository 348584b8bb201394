//! Why a request has no answer, by kind.

use std::io;
use std::path::PathBuf;

use whydunit_replay::ReplayError;

/// Why something that every request needs could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The project's folder cannot be reached.
    #[error("{source}")]
    NoFolder {
        /// As asked for.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The project's folder is a file.
    #[error("the project is no folder")]
    NotAFolder(PathBuf),
    /// The project was never built under capture.
    #[error(transparent)]
    NoStore(whydunit_capture::Error),
    /// What a build made cannot be told.
    #[error(transparent)]
    Capture(#[from] whydunit_capture::Error),
    /// The project's build under capture, or a flavour of what it made.
    #[error("{source}")]
    Build {
        /// The project, where it is not the folder that it was asked for in.
        project: Option<PathBuf>,
        /// Why.
        source: whydunit_workbench::Error,
    },
    /// Sources are newer than a build that nobody can repeat.
    #[error("sources have changed since the build")]
    Stale {
        /// Some of them, relative to the project.
        sources: String,
    },
    /// The suite cannot be listed.
    #[error("{source}")]
    Suite {
        /// Why.
        source: whydunit_workbench::Error,
        /// What could not be found out, and what to write where.
        open: Vec<String>,
    },
    /// No test of this name; the message names similar ones.
    #[error("{0}")]
    NoTest(String),
    /// No test has a text in its name.
    #[error("no test has `{text}` in its name")]
    NoneNamed {
        /// The text.
        text: String,
        /// Some that there are.
        known: Vec<String>,
    },
    /// There is no recording of that name, or none at all.
    #[error(transparent)]
    NoRecording(whydunit_workbench::Error),
    /// A recording is damaged: the answer is of the part before the damage.
    #[error(transparent)]
    Damaged(#[from] whydunit_recording::Error),
    /// A program model is damaged; it is made again when it is needed next.
    #[error(transparent)]
    DamagedModel(whydunit_workbench::Error),
    /// Work on the project.
    #[error(transparent)]
    Workbench(#[from] whydunit_workbench::Error),
    /// A replay that cannot begin, or that parted from its recording.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A version that cannot be had.
    #[error(transparent)]
    Changes(#[from] whydunit_changes::Error),
    /// A version that cannot be built and tested.
    #[error(transparent)]
    Variants(whydunit_variants::Error),
    /// A file or a folder of the project or of ours.
    #[error("{source}")]
    Io {
        /// Which; none where the message names it.
        path: Option<PathBuf>,
        /// Why.
        source: io::Error,
    },
    /// An answer that is to be written to a folder.
    #[error("the answer cannot be written: this is a folder")]
    OutputIsFolder(PathBuf),
    /// A file for an answer that cannot be made.
    #[error("{source}")]
    OutputClosed {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that could not be written; it is as it was.
    #[error("{source}")]
    OutputUnwritten {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Tests whose spectrum was lost: the answer is without them.
    #[error("{number} tests were left out, because what they executed is not known")]
    TestsLost {
        /// How many.
        number: usize,
        /// Some of them.
        names: String,
    },
    /// The suite's configuration, a case or another of its files.
    #[error(transparent)]
    SuiteFile(#[from] whydunit_suite::Error),
    /// Cancelled while tests ran.
    #[error("interrupted: {ended} of {all} tests had ended or were under way")]
    TestsInterrupted {
        /// Tests that had begun.
        ended: usize,
        /// Tests that were to run.
        all: usize,
    },
    /// The time limit was over before there was an answer.
    #[error("the time limit was over while {phase}: there is no answer yet")]
    TimeUp {
        /// What was under way, as in "while ...".
        phase: &'static str,
    },
    /// Cancelled before there was an answer.
    #[error("interrupted before there was an answer")]
    Interrupted,
    /// Cancelled while versions were built: what is known of them is kept.
    #[error("interrupted")]
    VersionsInterrupted,
    /// An error with what it is the matter of before it.
    #[error("{whose}: {error}")]
    Of {
        /// Of what.
        whose: String,
        /// What.
        error: Box<Error>,
    },
}

impl Error {
    /// An error about a file or a folder.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path: Some(path), source }
    }

    /// With what it is the matter of before it.
    pub fn of(self, whose: impl Into<String>) -> Self {
        Self::Of { whose: whose.into(), error: Box::new(self) }
    }

    /// Where: a file, a folder, tests; `None` where the message says it or there is no place.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::NoFolder { path, .. }
            | Self::NotAFolder(path)
            | Self::OutputIsFolder(path)
            | Self::OutputClosed { path, .. }
            | Self::OutputUnwritten { path, .. } => Some(path.display().to_string()),
            Self::Io { path, .. } => path.as_ref().map(|path| path.display().to_string()),
            Self::Build { project, .. } => project.as_ref().map(|path| format!("in the project {}", path.display())),
            Self::Stale { sources: names } | Self::TestsLost { names, .. } => Some(names.clone()),
            Self::Of { error, .. } => error.place(),
            _ => None,
        }
    }

    /// Whether it is the program under test that does not build.
    pub fn is_of_build(&self) -> bool {
        if self.is_interrupted() {
            return false;
        }
        match self {
            Self::Capture(_) | Self::DamagedModel(_) => true,
            Self::Build { source, .. } => matches!(source, whydunit_workbench::Error::Capture(_)),
            Self::Variants(error) => matches!(error, whydunit_variants::Error::NoBuild { .. }),
            Self::Of { error, .. } => error.is_of_build(),
            _ => false,
        }
    }

    /// Whether the request was cancelled.
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::TestsInterrupted { .. } | Self::TimeUp { .. } | Self::Interrupted | Self::VersionsInterrupted => true,
            Self::Capture(error) => matches!(error, whydunit_capture::Error::Cancelled),
            Self::Build { source: whydunit_workbench::Error::Capture(error), .. } => {
                matches!(error, whydunit_capture::Error::Cancelled)
            }
            Self::Of { error, .. } => error.is_interrupted(),
            _ => false,
        }
    }
}

impl From<whydunit_variants::Error> for Error {
    fn from(error: whydunit_variants::Error) -> Self {
        match error {
            whydunit_variants::Error::Interrupted => Self::VersionsInterrupted,
            error => Self::Variants(error),
        }
    }
}

impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Self::Io { path: None, source }
    }
}

/// An error's text, followed by those of its causes that it does not repeat itself.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.ends_with(&inner_text) {
            text += &format!(": {inner_text}");
        }
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read a.toml")]
    struct Outer(#[source] io::Error);

    #[test]
    fn causes_are_part_of_the_message() {
        let error = Outer(io::Error::other("the disk is on fire"));
        assert_eq!(chain(&error), "cannot read a.toml: the disk is on fire");
        assert_eq!(chain(&Error::from(io::Error::other("full"))), "full");
    }
}
