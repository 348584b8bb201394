//! Why nothing can be checked.

use std::path::PathBuf;

use whydunit_misuse::Mistake;

/// Why nothing can be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A source that was changed cannot be compiled.
    #[error("{} does not compile: {reason}", source_file.display())]
    NotCompiled {
        /// The source.
        source_file: PathBuf,
        /// The compiler's first error.
        reason: String,
    },
    /// A model has a mistake.
    #[error("{}:{mistake}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// The mistake, with its line and column.
        mistake: Mistake,
    },
    /// A line of a baseline is none.
    #[error("{}:{line}: a baseline has five fields a line, divided by tabs", path.display())]
    Baseline {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// No model is of a class.
    #[error("no model is of the class {class}: there are models of {}", known.join(", "))]
    NoClass {
        /// The class.
        class: String,
        /// Those that there are.
        known: Vec<String>,
    },
}
