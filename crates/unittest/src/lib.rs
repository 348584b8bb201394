//! Unit tests as source text (for Dallmeier, "Mining and Checking Object Behavior", 7.3): the beginning of a test that is there, up to a
//! call on an object, then another call on that object, and what is expected of it.
//!
//! A [`Source`] is a file with tests, by its syntax tree. [`stop`] finds the call behind which a test was left: its statement, the object's
//! name, and the [`Body`] of the test around it. [`draft`] makes a test of that, in the framework of the one that it begins as, and
//! [`inserted`] puts tests in their file.
//!
//! Invariants
//! - What stands in a new test of the old one is its text, statement by statement; statements that share no name with the object, and
//!   checks that change nothing, may be left out, and nothing else.
//! - Where that text would not do by itself (the call stands in a loop, the object has no name, an argument is no literal) there is no
//!   test, but the reason.
//!
//! Boundary: texts alone. Whether a test compiles and passes is for who has a compiler.

mod body;
mod call;
mod draft;
mod expected;
mod insert;
mod literal;
mod name;
mod prefix;
mod register;
mod source;
mod stop;
#[cfg(test)]
mod tests;

pub use body::{Body, Kind};
pub use call::{Call, Shape, arguments_of};
pub use draft::{Draft, Wanted, draft, mark};
pub use expected::Expected;
pub use insert::{Insertion, inserted};
pub use literal::literal;
pub use name::{Style, identifier, state_words};
pub use source::{Language, Source};
pub use stop::{Receiver, Stop, Stopped, stop};
