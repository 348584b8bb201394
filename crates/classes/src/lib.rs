//! The classes of a program with their methods, merged over its units.
//!
//! [`gather`] takes the program models of all units. Each unit knows classes and methods by its own debug information
//! ([`whydunit_model::Class`], [`whydunit_model::Method`]); here one class stands for what all units know of it. What
//! debug information of Rust does not tell is read from the syntax trees of the sources, at the line of the function: the
//! trait of an `impl`, visibility, where a type is defined, and which methods have no code.
//!
//! Invariants
//! - What neither debug information nor a source tells is `None`. A source that is not what was compiled is not read: the
//!   caller gives the text of sources, and of changed ones none.
//! - No name is taken from a mangled symbol.
//! - The order of units does not matter but for which of several positions of the same method is named.
//!
//! Boundary: plain data; no file is read here. A model is a function of its IR alone, so sources complete what is
//! gathered, not the model.

mod class;
mod complete;
mod gather;
mod gathered;
mod instances;
mod syntax;

pub use class::{Base, Class, Code, Implements, Method, Position};
pub use gather::{Options, gather};
