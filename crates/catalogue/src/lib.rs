//! Catalogues of known faults, to measure fault localisation on.
//!
//! A [`Subject`] is a program with cases that it passes, and with [`Fault`]s as patches. A catalogue has a folder for each
//! fault, with the program that has it and a `truth.json` that says where it is; [`make`] writes one. Beside the faults
//! that people made it can hold mutants: [`mutants`] enumerates them over the syntax tree that clang gives, and those
//! are taken, in an order that a seed gives, which compile and fail a case. Beside each program there can be cases that its suite
//! does not have, with what the right program does with them, to judge patches by. A [`Regression`] is a program in two versions; of these a
//! catalogue has both.
//!
//! Invariants
//! - The same subjects, options and seed give the same folders, on any number of cores.
//! - No choosing: of the mutants in the seed's order each one is taken that compiles and is killed, until there are enough.
//!
//! Boundary: a tool of development. It is not installed, and no other crate depends on it. It calls clang and rustc as processes.

mod catalogue;
mod compiler;
mod error;
mod fault;
mod held_out;
mod mutant;
mod patched;
mod regression;
mod subject;
mod tree;
mod trial;
mod walk;

pub use catalogue::{Made, Options, Selection, make};
pub use error::Error;
pub use fault::{Fault, Place, Use};
pub use mutant::{Mutant, Operator};
pub use regression::Regression;
pub use subject::Subject;
pub use trial::{Examined, examine};
pub use walk::mutants;
