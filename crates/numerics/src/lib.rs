//! Numerics: what the operations of the program model compute, and numbers as C's library reads and writes them.
//!
//! Integers ([`arith`]) and floats ([`float`], in other rounding modes than to nearest [`rounding`]) come as the bits that a
//! register holds, zero-extended. Numbers as text are exact: [`decimal`] has every digit, [`text`] writes as printf does,
//! [`parse`] reads as strtol and strtod do.
//!
//! Invariants
//! - The result is the processor's, bit by bit, NaNs included.
//! - Every function gives the same for the same arguments: there is no state, and the machine that this runs on does not
//!   matter.
//!
//! Boundary: only values. Nothing is known of memory, frames, programs or runs.

pub mod arith;
pub mod decimal;
pub mod float;
pub mod parse;
pub mod rounding;
pub mod text;
