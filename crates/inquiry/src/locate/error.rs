//! What cannot be located.

use std::path::PathBuf;

/// Why nothing is located.
#[derive(Debug, thiserror::Error)]
pub enum LocateError {
    /// A part of the program that is to be ranked and is none.
    #[error("`{part}` lies outside the project ({})", project.display())]
    Outside {
        /// As it was asked for.
        part: String,
        /// The project.
        project: PathBuf,
    },
    /// A part of the program that nobody knows.
    #[error("--only {part}: there is no such file in the project, and no test executes one of that name")]
    NoPart {
        /// As it was asked for.
        part: String,
    },
    /// A solver that is a program of its own, and not there.
    #[error("the solver {solver} is asked as a program, which cannot be run")]
    NoSolver {
        /// Its name.
        solver: &'static str,
    },
}
