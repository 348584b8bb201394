//! Models of classes enriched (Dallmeier, "Mining and Checking Object Behavior", 7.3): every method is tried in every state in which no
//! test has called it.
//!
//! An [`Executor`] pauses recorded runs right after calls on objects of a class, leaves the recording there, and calls methods with the
//! arguments of recorded calls, or with boundary values. What comes of that are [`Execution`]s.
//!
//! For programs that are run again instead of replayed, [`Histories`] keep what recorded runs did call by call, and [`plan`] says which
//! changes of them would show what is not known.
//!
//! Invariants
//! - Nothing is told that was not executed: a call that meets what the replay cannot compute is told as not seen, with the reason.
//! - Every call is made under the check for errors of memory and the check for undefined behaviour; only one without either returns.
//! - The recorded run is what it was afterwards.
//!
//! Boundary: replays or events in, plain data out. Nothing of projects, suites and formats.

mod automaton;
mod checks;
mod choice;
mod execution;
mod executor;
mod history;
mod last_calls;
mod outcome;
mod planner;

pub use automaton::{ENDED, Enriched, enriched};
pub use checks::Checks;
pub use execution::{Ending, Execution, Given, Origin, Reached, StateRef, Step};
pub use executor::{Budget, Calls, Executor, Pair};
pub use history::{Call, Histories, History};
pub use last_calls::{Ended, LastCalls};
pub use planner::{Change, Mutant, Wanted, plan};
