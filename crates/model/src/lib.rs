//! The program model: what the replay executes and every analysis reads.
//!
//! A [`Module`] is one captured translation unit, lowered from its canonical LLVM IR to a compact register code
//! ([`Op`]) with source positions, variables and debug types. A program is a set of modules; which definition a
//! symbol means is not decided here: a recording carries the native addresses of all globals and functions of
//! every module, and two symbols are the same when their addresses are.
//!
//! Invariants
//! - Plain data: no LLVM, no input or output besides [`Module::to_bytes`] / [`Module::from_bytes`].
//! - A module is a function of its canonical IR: the same bitcode gives the same bytes, and `site` numbers equal those
//!   that the instrumented copy was compiled with.
//! - Values of at most 64 bits live zero-extended in one 64-bit slot; wider scalars in two (low word first); vectors
//!   and aggregates in the consecutive slots of their scalar leaves.

pub mod checks;
mod class;
mod code;
mod constant;
mod debug;
mod demand;
mod ids;
mod module;
pub mod names;
mod operations;
mod operators;
pub mod paths;
mod print;
mod spectrum;
mod store;

pub use class::*;
pub use code::*;
pub use constant::*;
pub use debug::*;
pub use demand::*;
pub use ids::*;
pub use module::*;
pub use operations::{defined, destination, for_each_read};
pub use operators::*;
pub use print::print;
pub use spectrum::*;
pub use store::ModelError;
