//! What a trace formula does not speak of.

/// Why values may do although a formula cannot hold: it says more than that the run passes, or not all that could be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unsaid {
    /// Loops that turn more often than the bounds allow.
    Turns,
    /// Ways that nobody has gone, or on which the replay could not follow, that may end the run or print.
    Ways,
    /// Objects besides the run's own that a pointer could point into.
    Objects,
    /// What calls print of which too little is known, and more that could be printed before the failure.
    Output,
    /// What should have held at the failure point.
    Predicate,
}
