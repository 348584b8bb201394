//! How the check is done.

/// Some seconds for a program.
const WORK: u64 = 40_000_000;

/// How the check is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Calls that an object is followed through, into functions and out of them.
    pub depth: usize,
    /// Calls of which a model says nothing are told, too.
    pub strict: bool,
    /// So much work is done for a program: operations, each weighed by what is known where it stands. What is not looked at then may do
    /// anything.
    pub work: u64,
}

impl Default for Options {
    fn default() -> Self {
        // A handle is mostly opened by a function and closed by another one, each a wrapper.
        Self { depth: 4, strict: false, work: WORK }
    }
}
