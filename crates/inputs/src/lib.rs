//! Inputs of programs, and new ones made of those of a suite.
//!
//! An [`Input`] is what a case gives to its program: arguments, standard input, files. [`tokens`] cuts a text of whatever
//! language into words, numbers, marks and blanks. [`vary`] makes cases that a suite does not have: each is one of its cases
//! with one to four random changes, of a number, a word, a character, a line, an argument, for which all that the suite's
//! inputs hold is in stock.
//!
//! [`neighbours`] are the inputs one step away from one, and a [`Spelling`] writes an input so that many programs read the same.
//! [`repeats`] makes those in which something stands twice, one after the other and without chance, [`with_options`] those that give
//! options which the program's sources name ([`options`]).
//!
//! Invariants
//! - The same cases, number and seed give the same new cases, on every machine; more of them begin with the same.
//! - New inputs differ from each other and from the suite's.
//! - Text that is UTF-8 stays UTF-8.
//!
//! Boundary: nothing is run and nothing is written. What a program should do with a new input is not known here.

mod arguments;
mod input;
mod lines;
mod neighbours;
mod options;
mod random;
mod repeats;
mod spellings;
mod stock;
mod text;
pub mod tokens;
mod values;
mod vary;

pub use input::{Input, Keep, Part};
pub use neighbours::neighbours;
pub use options::{options, with_options};
pub use random::{Random, shuffle};
pub use repeats::repeats;
pub use spellings::Spelling;
pub use vary::vary;
