//! What is known of the functions of the C library, and of those that compilers and the runtimes of C++ and Rust call: one row
//! for each function, with all of its names.
//!
//! - [`lookup`] finds a function by any of its names: 64-bit, unlocked and fortified forms, those of other standards, those
//!   that glibc exports besides.
//! - [`Function`] has its effects as data: what it reads and writes by which arguments, what it gives depends on what, how it
//!   fails, what it prints, allocates and calls.
//! - [`printf`] and [`scanf`] take formats apart.
//!
//! Invariants
//! - A property belongs to a function, not to a name: all names of a function have it, with the places of arguments moved where
//!   a form has others in between ([`Known::argument`], [`Known::plain`]).
//! - What recordings hold of a function depends on the wrapper that the runtime has for a name: [`wrapped`] names are the only
//!   ones that are computed or predicted, and the runtime's tests hold the table to its wrappers.
//! - Sizes are those of x86-64 Linux with glibc, where `long` and `long long` are one.
//!
//! Boundary: plain data, without programs, recordings, files; what an analysis makes of a function is the analysis's own, by
//! these properties or by [`Function::name`].

mod cursor;
mod effects;
mod function;
mod lookup;
pub mod printf;
mod rust;
pub mod scanf;
mod table;

pub use effects::{
    Allocation, Character, Content, Destination, Ending, Fails, Input, Number, NumberValue, Output, Precision, Reads,
    Size, Source, Writes,
};
pub use function::{Function, Known};
pub use lookup::{all, canonical, lets_go, lookup, of_rustc, prints, wrapped};
pub use rust::{RustHeap, rust_heap};
