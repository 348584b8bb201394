//! Why a run had to fail as it did, and which changes are to blame (Yi, Yang, Liu, Zhao, Wang, "A Synergistic Analysis Method for
//! Explaining Failed Regression Tests", 2015: AFTER).
//!
//! [`explain`] goes back from the failed predicate. Of each predicate it asks what on the path made its negation impossible
//! ([`Cause`]: the generator instructions of a minimal core of the weakest precondition), which changes lie there, and whether
//! reverting some of them makes the test pass; if not it goes on from the branches that decided that these instructions ran, or
//! that others did not which would have given what they read (critical predicates).
//!
//! Invariants
//! - What the run did is exact: it comes from the replay. Where the meaning of an operation is not followed, its result is held to
//!   what its operands were, never left open.
//! - A set of changes is reported only if the caller's test says that reverting it makes the test pass.
//!
//! Boundary: what a change is, and how versions are tested, is the caller's.

mod cause;
mod critical;
mod deciding;
mod equations;
mod point;
mod search;

pub use cause::{Cause, Step};
pub use point::{Goal, Stopped};
pub use search::{Dynamic, Explanation, Settings, explain};

/// What keeps a run from being explained.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The replay failed.
    #[error(transparent)]
    Replay(#[from] whydunit_replay::ReplayError),
    /// The solver failed.
    #[error(transparent)]
    Solve(#[from] whydunit_solve::SolveError),
    /// The failure point was not come to.
    #[error("the failure point was not reached again in the replay")]
    NotReached,
}
