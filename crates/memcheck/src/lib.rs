//! Finds memory errors while a recording is replayed.
//!
//! [`Memcheck`] is an observer. It follows, beside every value, which of its bits were never given a value and which
//! object a pointer was made from, and reports the first access of each place that lies outside its object, comes after
//! the object's end, or follows or decides by bits that nobody wrote. The program itself ran on as the hardware did.
//!
//! Invariants
//! - A pointer's object is known by where the pointer comes from, not by where it points: running into the neighbour is
//!   an error. A pointer of unknown origin is only held against freed blocks.
//! - External code is believed: what it wrote is defined.
//!
//! Boundary: reads the replay's hooks and the program model, prints nothing.

mod bits;
mod calls;
mod checker;
mod constants;
mod given;
mod leaks;
mod object;
mod objects;
mod observer;
mod operations;
mod outside;
mod printed;
mod report;
mod rust_heap;
mod shadow;
mod slots;
mod stack;
mod tag;
mod wrappers;

pub use checker::Memcheck;
pub use report::{Kind, Lost, MemoryError, ObjectReport};
