//! The output oracle: given what a program should print and a call whose output differs, what must the call's arguments be
//! so that it prints what is expected?
//!
//! [`match_format`] walks a printf format beside the expected text and turns each conversion into a [`Requirement`] on its
//! argument; [`Call::matched`] does it for every function that prints ([`whydunit_library::prints`]). An [`Oracle`] follows the calls
//! of a run and finds the first that differs.
//!
//! Invariants
//! - Plain computation on bytes, argument indices and values: no input or output, no program, no formulas.
//! - A requirement is exact: the values that satisfy it are those that print the expected text, as glibc prints in the C
//!   locale and rounding to nearest.
//! - What would have to be guessed is a [`Refusal`], and a list of readings that was cut says so.

mod call;
mod excerpt;
mod float;
mod format;
mod interval;
mod matching;
mod memory;
mod oracle;
mod print;
mod rank;
mod reading;
mod refusal;
mod requirement;

pub use call::{Call, Source};
pub use format::{Conversion, Count, Format, Kind, Notation, Piece, Style, Want};
pub use matching::{MOST_ALTERNATIVES, match_format};
pub use oracle::{Difference, Earlier, Ending, Oracle, Position, Step};
pub use refusal::Refusal;
pub use requirement::{Alternative, Argument, Match, Need, Place, Requirement, Text};
