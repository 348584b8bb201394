//! What the objects of a recorded run do: a replay turned into a stream of [events](whydunit_events).
//!
//! A [`Tracer`] watches a replay with the classes of the program at hand. It knows which objects are alive and where, follows
//! them when they move, tells of methods that start and end, and of fields that have other values then.
//!
//! Invariants
//! - An object is a place with a life, not an address: what lies at an address later is another object.
//! - What is not known is told as not known, or not at all.
//!
//! Boundary: nothing is concluded here about how objects behave; that is for whoever reads the events.

mod argument;
mod asking;
mod callable;
mod candidate;
mod catalogue;
mod constants;
mod decode;
mod gather;
mod inspectors;
mod interface;
mod layout;
mod methods;
mod places;
mod signature;
mod stand;
mod tables;
mod trace;
mod tracer;
mod wanted;

pub use argument::{Argument, Blocks};
pub use callable::{Callable, callables};
pub use candidate::{Candidate, candidates};
pub use catalogue::Catalogue;
pub use gather::{Gatherer, KnownCall};
pub use interface::{ClassFunction, ObjectPlace, class_functions};
pub use stand::{Kept, Ready, Stand, Tried};
pub use trace::{NoPauses, Pauses, Traced, trace, trace_pausing};
pub use wanted::{ErrorRule, Program, Wanted};
