//! Patches of one expression (Nguyen et al., "SemFix", ICSE 2013).
//!
//! A [`Site`] is an expression of a source file that may be another one, with what could stand in it: variables in scope and
//! constants of the function. [`Candidates`] are the expressions of a site, the closest to what stands there first, then by the
//! levels of components. All of them are compiled into one program ([`Schemata`]: mutant schemata, Untch et al. 1993): which one
//! counts is said when it runs, and one run of a test gives the values of all ([`Survey`]), so that those that would change
//! nothing, or the same as others, are never run.
//!
//! Invariants
//! - A candidate is without side effects, and has the type of what it replaces.
//! - Outside the expression a patch leaves a file byte for byte as it is.
//!
//! Boundary: no project, no suite. Who runs the program says which candidate, and reads the survey's file.

mod c;
pub mod calls;
mod candidates;
mod distance;
mod edits;
mod encoding;
mod error;
mod expression;
mod language;
mod literals;
mod near;
mod nulls;
mod rearrange;
mod rewrite;
pub mod rust;
mod schemata;
mod site;
mod slot;
mod survey;
mod updates;

pub use c::{
    ANGEL, Compile, Input, Looked, Surroundings, angelic, calls as calls_of, errors, functions, line_of_angel, sites,
    statements,
};
pub use candidates::{Candidate, Candidates, MOST_NUMBERS};
pub use edits::{Edit, edited};
pub use encoding::Encoding;
pub use error::Error;
pub use expression::{Class, Expression, Width};
pub use language::Language;
pub use literals::texts;
pub use schemata::Schemata;
pub use site::{Role, Site};
pub use slot::Slot;
pub use survey::{Entry, Survey};
