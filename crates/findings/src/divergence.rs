//! Where a replay parts from its recording.

use crate::Location;

/// The replay stands elsewhere than the recorder stood.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Divergence {
    /// The instruction of the replay, with its function and number.
    pub instruction: String,
    /// Its source position.
    pub location: Option<Location>,
    /// What the recording has next.
    pub expected: String,
    /// What the replay came to.
    pub got: String,
}
