//! Faults located by trace formulas: BugAssist (Jose and Majumdar 2011), clause weighting and on-demand formulas.
//!
//! A correction set is a minimal set of statements whose values, were they others, would make the failing run pass. Sets
//! come in order of cost, with the values that do it ([`Change`]).
//!
//! Invariants
//! - A set says what it rests on ([`Support`]): a run, a formula on explored ways only, or ways that nobody has gone.
//! - Time is bounded: what was found until then is the answer, and it says what stopped it.
//!
//! Boundary: recordings are replayed, nothing is run, nothing is printed.

mod angelic;
mod candidate;
mod failure;
mod formula;
mod larger;
mod operations;
mod prints;
mod question;
mod search;
mod trial;
mod tried;
mod unasked;

pub use angelic::{Angelic, Asked, Exists, angelic, executed};
pub use failure::{Found, HANGS, NotFound, find};
pub use prints::Printed;
pub use question::{
    Change, CorrectionSet, Located, Method, Phases, Question, Settings, Stopped, Support, Trials, Witness,
};
pub use search::locate;
pub use trial::{Home, Judgement, Kind, Mutant, Relation, check, tested};
pub use unasked::Unasked;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The replay.
    #[error(transparent)]
    Replay(#[from] whydunit_replay::ReplayError),
    /// The solver.
    #[error(transparent)]
    Solve(#[from] whydunit_solve::SolveError),
}
