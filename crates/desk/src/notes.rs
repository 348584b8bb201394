//! What is noted while a request is worked on, beside its answer.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::Error;

/// Notes beside an answer.
#[derive(Default, Debug)]
pub struct Notes {
    /// Sources that are no longer what a recorded program was built from: their lines are not what the answer is about.
    pub changed_sources: BTreeSet<PathBuf>,
    /// Why the answer is less than what was asked for, where it is.
    pub shortfall: Option<Error>,
}

/// What was decided of a project.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Decisions {
    /// In sentences.
    pub list: Vec<String>,
    /// The project has a configuration, which leaves this open.
    pub configured: bool,
}
