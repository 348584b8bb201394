//! Solvers for formulas, and minimal correction sets.
//!
//! A [`Solver`] decides formulas over the terms of a pool. The backends are [`Cadical`], which is fast on many small
//! formulas, [`Z3`], which knows floats, and [`Process`] for any solver that reads SMT-LIB. [`Cached`], [`Timed`],
//! [`Limited`], [`Dumped`] and [`Fallback`] are solvers around solvers. [`Descent`] searches for models locally. [`minimise_core`] leaves out of a core what it can,
//! and [`correction`] enumerates what must be relaxed for demands to be met.
//!
//! Invariants
//! - An answer is right, whatever the solver and whatever the limits: a model satisfies the formula when it is evaluated,
//!   also where NaNs are looked at bit by bit, and the assumptions of a core contradict the assertions by themselves.
//! - No check goes on long after its limits, whatever a solver does.
//! - A solver is used with one pool until it is reset.

mod blast;
mod cadical;
mod core;
pub mod correction;
mod decorators;
mod descent;
mod gates;
mod process;
mod solver;
mod words;
mod z3;

pub use crate::cadical::Cadical;
pub use crate::z3::Z3;
pub use core::minimise_core;
pub use decorators::{Cached, Dumped, Fallback, Figures, Limited, Timed};
pub use descent::Descent;
pub use process::Process;
pub use solver::{Answer, Capabilities, Limits, SolveError, Solver};
