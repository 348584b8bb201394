//! Library functions that a what-if run computes and that have called captured ones.

use super::Ordering;

/// What is to be done when the captured function has returned.
#[derive(Clone, Debug)]
pub(crate) enum After {
    /// The library function returns nothing.
    Nothing,
    /// It returns what the captured one did.
    Same,
    /// It does not return.
    Abort,
    /// It goes on to sort or search.
    Order(Box<Ordering>),
    /// It has printed what it was given to format, and says that this worked where it has a result.
    Formatted { result: bool },
    /// It returns a place in a stream's buffer, which has failed where fewer bytes were taken.
    Place { buffer: u64, bytes: u64 },
}

/// A library function under way.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// Index of the frame that has called it.
    pub depth: usize,
    pub after: After,
}
