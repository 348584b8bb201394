//! Typed hash-consed terms, simplified on construction: formulas over executions of C programs.
//!
//! A [`Pool`] holds terms of truth values and of bit-vectors of 1 to 128 bits, each shape once. Floats are bit-vectors of
//! their layout with operations on them, so that memory can be read as anything. [`evaluate`] says what a term is worth
//! under an [`Assignment`].
//!
//! Invariants
//! - A simplified term is worth the same as the plain one under every assignment: also NaNs bit by bit, which are the
//!   processor's.
//! - An operand is older than what is made of it: the order of terms is an order of evaluation.
//! - Nothing recurses over the depth of a term.
//! - No solver, no LLVM, no input or output.

mod arithmetic;
mod bits;
mod boolean;
mod choose;
mod compare;
mod copy;
mod evaluate;
mod float;
mod fold;
mod format;
mod ieee;
mod lower;
mod map;
mod native;
mod pool;
pub mod smtlib;
mod term;
mod width;

pub use evaluate::{Assignment, Evaluator, Valuation, apply, evaluate, reachable, size, support};
pub use format::{Format, Rounding};
pub use lower::{LowerError, Lowering, lower_floats};
pub use map::TermMap;
pub use native::{Binding, Native};
pub use pool::{MAX_WIDTH, Pool};
pub use term::{BvOp, Compare, FloatCompare, FloatOp, FloatUnary, Node, Operands, Sort, Term, Value};
