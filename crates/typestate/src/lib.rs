//! Typestate automata of classes (Dallmeier, "Mining and Checking Object Behavior", 7.1 and 7.2): which method may be called in which
//! state of an object.
//!
//! An automaton is made from an object behavior model ([`Typestate::of`]) or read from a text that a person wrote ([`parse`]); its
//! states with the same future are merged ([`Typestate::minimised`]), and each pair of state and method has a [`Grade`].
//!
//! Invariants
//! - No transition is made up: each one is of the model, or of the text, that an automaton comes from. Merging keeps them.
//! - What was printed and is parsed again is the same automaton.
//!
//! Boundary: models and texts alone. Nothing of recordings, compilers or languages.

mod automaton;
mod convert;
mod grade;
mod minimise;
mod text;

pub use automaton::{EX, End, Evidence, Kind, Reason, START, State, Transition, Typestate};
pub use grade::{ENOUGH, Grade};
pub use text::{Mistake, parse};
