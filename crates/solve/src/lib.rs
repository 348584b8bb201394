//! Solvers for formulas, and minimal correction sets.
//!
//! A [`Solver`] decides formulas over the terms of a pool. [`Cadical`] is one.
//!
//! Invariants
//! - An answer within the limits is right, whatever the solver: a model satisfies the formula when it is evaluated, and
//!   the assumptions of a core contradict the assertions by themselves.
//! - No solver waits longer than its limits, and none hangs the caller.

mod blast;
mod cadical;
mod core;
pub mod correction;
mod decorators;
mod gates;
mod process;
mod solver;
mod words;
mod z3;

pub use crate::cadical::Cadical;
pub use crate::z3::Z3;
pub use core::minimise_core;
pub use decorators::{Cached, Dumped, Fallback, Figures, Limited, Timed};
pub use process::Process;
pub use solver::{Answer, Capabilities, Limits, SolveError, Solver};
