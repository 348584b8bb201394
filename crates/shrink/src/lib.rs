//! A failing input made as small as it can be: arguments, standard input and files, with which the failure is still the same.
//!
//! An [`Input`] is judged by an [`Oracle`]: the program itself ([`Repeats`], the failure is as it was) or a script ([`Script`]).
//! [`shrink`] leaves out whole parts first, then lines, brackets with what is between them, tokens, characters, and makes
//! numbers simpler, until nothing of it helps any more; the sweeps are those of `whydunit-delta`. [`Trials`] runs candidates
//! side by side, none of them twice.
//!
//! Invariants
//! - What [`shrink`] gives has been judged to be the same failure, also where time was up.
//! - The answer does not depend on how many candidates run side by side: of those that fail the first counts, and what
//!   runs behind it is ended.
//! - Text that is UTF-8 stays UTF-8.
//!
//! Boundary: candidates run by `whydunit-suite`, in fresh folders and within limits; nothing else is written here.

mod blocks;
mod brackets;
mod cuts;
mod failure;
mod numbers;
mod oracle;
mod search;
mod trials;

pub use failure::{Failure, NoFailure};
pub use oracle::{EXECUTABLE_VARIABLE, Oracle, Repeats, Script, Verdict};
pub use search::{Levels, shrink};
pub use trials::{Stopped, Trials};
pub use whydunit_inputs::{Input, Keep, Part};
