//! Component-based synthesis (Jha, Gulwani, Seshia, Tiwari 2010; SemFix, section 4): an expression out of components, by
//! location variables, such that all demands of tests are met.
//!
//! A component's parameters and result have locations; equal locations are equal values. Locations and constants are
//! unknowns of one formula, and every call of every demand is one copy of the components' semantics.
//!
//! Invariants
//! - What is found meets every demand that it was made of, in numbers of 32 bits.
//! - Fewer components come before more, and lower levels before higher ones.
//!
//! Boundary: terms and solvers; nothing of sources or runs.

mod component;
mod encode;
mod level;
mod made;
mod range;
mod shape;

pub use component::{Component, Kind, Operator};
pub use encode::{Call, Decided, Demand, Found, Problem, Search};
pub use level::find;
pub use made::Made;
pub use range::{Gaps, Range};
pub use shape::{Shape, shapes};
