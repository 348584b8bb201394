//! How objects behave: what is mined out of a stream of events (Dallmeier, "Mining and Checking Object Behavior", chapters 3 to 5).
//!
//! [`Miner`] makes object behavior models: for a class the abstract states of its objects, and which methods lead from one to which.
//! [`Purity`] tells which methods modify what was there when they were called. [`CallSequences`] keeps the windows of calls that
//! objects make, and [`weigh`] tells by them how a failing run differs.
//!
//! Invariants
//! - Events are read once; memory is bounded by the objects alive and by what a model holds, not by the length of a run.
//! - Nothing stands in a model that was not seen: each transition has a count and examples.
//!
//! Boundary: the stream alone. Nothing of recordings, compilers or languages.

mod automaton;
mod compare;
mod heap;
mod miner;
mod model;
mod names;
mod options;
mod path;
mod purity;
mod sequences;
mod value;

pub use compare::{Difference, Step, compare};
pub use miner::{Branch, Mined, Miner, Seen};
pub use model::{Ending, Example, Model, State, Transition};
pub use names::{ClassIndex, FieldIndex, KnownClass, KnownField, KnownMethod, MethodIndex, Names};
pub use options::{Abstraction, ClassOptions, Options};
pub use purity::{PureMethod, Purity, Verdict, Witness};
pub use sequences::{CallSequences, Sets, WINDOW, WeighedClass, WeighedWindow, weigh, windows};
pub use value::Abstract;
