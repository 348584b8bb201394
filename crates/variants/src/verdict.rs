//! What versions come to.

/// What a version came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The test passes.
    Pass,
    /// It fails as the newer version does.
    Fail,
    /// It fails otherwise, or is not there.
    Other,
    /// It cannot be built.
    NotBuilt,
}

/// A version that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// What it came to.
    pub verdict: Verdict,
    /// What the compiler said, or how the test failed.
    pub says: String,
}
