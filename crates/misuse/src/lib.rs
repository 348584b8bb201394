//! Static typestate check: where objects are used against their protocol (JFTA; "Object Behavior Models", chapter 7).
//!
//! A [`Protocol`] says what states an object has and what calls make of them; [`shipped`] has those of common interfaces of C,
//! [`parse`] reads others. [`check`] looks through a program, without running it, for calls that a protocol excludes: flow- and
//! context-sensitive, one object followed at a time, with what its other variables hold (after Fink et al., "Effective Typestate
//! Verification in the Presence of Aliasing", and Das et al., "ESP": paths on which the object is in one state are merged).
//!
//! [`check_again`] does the same once a program was compiled anew, with what a [`Memory`] has of checks before, of this program or of
//! others with the same functions: only functions that are no longer what they were, or that call such functions, are looked at.
//!
//! Invariants
//! - An answer with a memory is the answer without one: all is asked in the same order, and an analysis is only used again where the
//!   function and all that it calls are what they were, and what it asks of others is answered as it was. What it took then counts as if
//!   it were done now; where the bound of the work lies within it, it is done anew, up to there.
//! - What is not known is not reported: an object that unknown code may have reached is no longer followed.
//! - A result is a *must* only where the call is wrong on all followed paths that lead there with the object.
//! - Work is bounded; functions that were not analysed to the end are named.
//!
//! Boundary: the model only. No runs, no files, no formats.

mod check;
mod engine;
mod identity;
mod options;
mod protocol;
mod range;
mod report;
mod shipped;
mod sorted;
mod state;
mod symbol;
mod text;
mod variables;

pub use check::{Answer, Memory, Misuse, Position, Stage, check, check_again};
pub use options::Options;
pub use protocol::{Method, Next, Place, Protocol, StateId, Transition};
pub use report::Grade;
pub use shipped::{SHIPPED, shipped};
pub use text::{Mistake, parse};
