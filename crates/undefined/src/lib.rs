//! Finds what a run does that C, C++ or Rust leave undefined, other than errors of memory, while its recording is replayed.
//!
//! [`Undefined`] is an observer. It holds the operands of each operation against what the language of the source demands of them:
//! what the flags of LLVM's operations state, what shifts, divisions and conversions need to have a result, and the
//! [demands](whydunit_model::Demand) of the model. The program itself ran on as the hardware did.
//!
//! Invariants
//! - Only what is certain is reported: what the model does not keep is not told. It keeps no sign of a shifted number (a shift that
//!   loses its sign), no type of what a pointer to an enumeration leads to, and no end of a structure's last array.
//! - Of a module that was optimised nothing is reported: an optimiser computes ahead what the source never computes, and throws it
//!   away.
//!
//! Boundary: reads the replay's hooks and the program model, prints nothing.

mod arithmetic;
mod demands;
mod floats;
mod kind;
mod lengths;
mod observer;

pub use kind::Kind;
pub use observer::{Ends, Undefined, UndefinedBehaviour};
