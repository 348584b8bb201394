//! How the check is done.

/// How the check is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Calls that an object is followed through, into functions and out of them.
    pub depth: usize,
    /// Calls of which a model says nothing are told, too.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        // A handle is mostly opened by a function and closed by another one, each a wrapper.
        Self { depth: 4, strict: false }
    }
}
