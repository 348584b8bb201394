//! Trace formulas: a failing run, replayed with symbolic values beside the concrete ones, as a formula that says which
//! values of which statements would have made it pass (Ermis, Schäf, Wies, "Error Invariants" and on-demand formulas).
//!
//! [`encode`] turns a run, a [`Relaxation`] (the statements that may change) and a set of ways explored ([`Arms`]) into an
//! [`Encoding`]. What does not depend on a relaxed statement stays the replay's value, so a formula is as large as what
//! the question touches.
//!
//! [`follow`] is another question to the same state: what the run was given - arguments, standard input, files - is variable, and its
//! path becomes a condition over that, turn by turn ([`Path`]).
//!
//! Invariants
//! - Under the run's own values every term is worth what the replay computes.
//! - A branch goes only where it was explored, or the formula says so ([`Encoding::explored`]).
//! - No witness rests on undefined behaviour: side conditions are hard.
//!
//! Boundary: terms only, no solver.

mod bytes;
mod effects;
mod encode;
mod externals;
mod facts;
mod follow;
mod fork;
mod frame;
mod free;
mod inputs;
mod knowledge;
#[cfg(debug_assertions)]
mod law;
mod listing;
mod memory;
mod path;
mod predicate;
mod question;
mod region;
pub mod semantics;
mod state;
mod statement;
mod unsaid;
mod whereabouts;

pub use encode::{Encoding, encode, list};
pub use externals::KnownLibrary;
pub use follow::follow;
pub use fork::{Branch, Known, Way};
pub use frame::Given;
pub use free::{Free, FreeKind, Returning};
pub use inputs::{InputVariable, Inputs, ReadAs, Source};
pub use knowledge::Knowledge;
pub use listing::{Checkpoint, FirstRun, Listing, Values};
pub use path::{Other, Path, Turn};
pub use question::{Arms, Bounds, Failing, FailurePoint, Mode, Moment, Predicate, Range, Relaxation};
pub use region::Instance;
pub use state::ENTRY;
pub use statement::{NO_STATEMENT, Statement, StatementId, Statements};
pub use unsaid::Unsaid;
pub use whereabouts::Whereabouts;
