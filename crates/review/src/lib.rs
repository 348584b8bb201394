//! Reviews a fix: whether the program that was mended still fails on inputs on which the broken one does (Gopinath, Zaeem,
//! Khurshid and others, "Has the bug really been fixed?", FIXATION).
//!
//! The paths of the broken program that fail, and lie within a Levenshtein distance of the failing run's path in the
//! interprocedural control-flow graph, are enumerated by running: a run's path condition is turned at one of its branches and
//! solved for an input, which is run ([`Search`]). Their conditions together are the weakest precondition of the failure
//! within that distance. Under each of them the mended program is explored the same way.
//!
//! Invariants
//! - What is reported has been run: a counterexample makes the mended program fail.
//! - Within a distance no path is left out that inputs of the same lengths take, unless the search says so ([`Coverage::complete`]).
//!
//! Boundary: programs are run by whoever asks ([`Programs`]).

mod distance;
mod domain;
mod given;
mod path;
mod search;
mod words;

pub use distance::{FARTHEST, Rows, distance};
pub use domain::{Domain, DomainError};
pub use given::{Key, Place};
pub use search::{AtDistance, Counterexample, Coverage, Guide, Programs, Question, Ran, Search, Version};
