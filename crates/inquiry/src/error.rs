//! Why a question has no answer, by kind.

use whydunit_causes::why::WhyError;
use whydunit_desk as desk;

use crate::cases::CasesError;
use crate::check::CheckError;
use crate::explain::ExplainError;
use crate::history::HistoryError;
use crate::locate::LocateError;
use crate::mine::MineError;
use crate::repair::RepairError;
use crate::review::ReviewError;
use crate::score::ScoreError;
use crate::shrink::ShrinkError;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What every question needs could not be had.
    #[error(transparent)]
    Desk(#[from] desk::Error),
    /// Of `locate`.
    #[error(transparent)]
    Locate(#[from] LocateError),
    /// Of `explain`.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// Of `history`.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// Of `mine`.
    #[error(transparent)]
    Mine(#[from] MineError),
    /// A program of Java could not be traced.
    #[error(transparent)]
    Java(#[from] whydunit_java::JavaError),
    /// Of `cases`.
    #[error(transparent)]
    Cases(#[from] CasesError),
    /// Of `check`.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Of `repair`.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// Of `review`.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// Of `shrink`.
    #[error(transparent)]
    Shrink(#[from] ShrinkError),
    /// Of `score`.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// Recorded runs could not be asked by formulas.
    #[error(transparent)]
    Formulas(#[from] whydunit_locate::Error),
    /// A solver.
    #[error(transparent)]
    Solver(#[from] whydunit_solve::SolveError),
    /// A recording that cannot be told.
    #[error(transparent)]
    Show(whydunit_workbench::Error),
    /// The program's classes cannot be gathered.
    #[error(transparent)]
    Classes(whydunit_workbench::Error),
    /// No class has a text in its name.
    #[error("no class has `{text}` in its name")]
    NoClass {
        /// The text.
        text: String,
    },
    /// A value whose causes are not to be had.
    #[error("{error}")]
    Why {
        /// Why not.
        error: WhyError,
        /// Where it was asked for.
        place: String,
    },
    /// It is asked why a run failed that did not, or nowhere in the program's own code.
    #[error("the recorded run has no failure point: name a value or a line")]
    NoFailure,
    /// A mistake of ours.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// Where: a file, a line, a command; `None` where the message says it or there is no place.
    pub fn place(&self) -> Option<String> {
        match self {
            Self::Desk(error) => error.place(),
            Self::History(_)
            | Self::Mine(_)
            | Self::Java(_)
            | Self::Check(_)
            | Self::Classes(_)
            | Self::NoClass { .. }
            | Self::NoFailure => None,
            Self::Locate(_) | Self::Formulas(_) | Self::Solver(_) | Self::Show(_) | Self::Internal(_) => None,
            Self::Why { place, .. } => Some(place.clone()),
            Self::Explain(error) => error.place(),
            Self::Repair(error) => error.place(),
            Self::Review(error) => error.place(),
            Self::Cases(error) => error.place(),
            Self::Shrink(error) => error.place(),
            Self::Score(error) => error.place(),
        }
    }

    /// What went wrong, with its causes and its place, in a line.
    pub fn line(&self) -> String {
        let what = desk::chain(self);
        self.place().map_or_else(|| what.clone(), |place| format!("{what} ({place})"))
    }

    /// Whether it is the program under test that does not build.
    pub fn is_of_build(&self) -> bool {
        match self {
            Self::Desk(error) => error.is_of_build(),
            Self::Explain(error) => error.is_of_build(),
            Self::Repair(error) => matches!(error, RepairError::Unreadable(_)),
            Self::Review(ReviewError::NoDriver { .. }) | Self::Score(ScoreError::NotBuilt { .. }) => true,
            _ => false,
        }
    }

    /// Whether the disk was full where versions are built.
    pub fn is_of_full_disk(&self) -> bool {
        match self {
            Self::Desk(whydunit_desk::Error::Variants(error)) => error.is_of_full_disk(),
            Self::Desk(whydunit_desk::Error::Io { source, .. }) => source.kind() == std::io::ErrorKind::StorageFull,
            _ => false,
        }
    }

    /// Whether the question was cut short, by its user or by a limit.
    pub fn is_cut_short(&self) -> bool {
        match self {
            Self::Desk(error) => error.is_interrupted(),
            Self::Explain(error) => matches!(error, ExplainError::NoAnswerAfter { .. }),
            _ => false,
        }
    }
}

/// Errors of crates below that every question may meet.
macro_rules! of_the_desk {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Self {
                Self::Desk(error.into())
            }
        })*
    };
}

of_the_desk!(
    std::io::Error,
    whydunit_capture::Error,
    whydunit_changes::Error,
    whydunit_replay::ReplayError,
    whydunit_suite::Error,
    whydunit_variants::Error,
    whydunit_workbench::Error,
);
