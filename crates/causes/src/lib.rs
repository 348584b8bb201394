//! Outlines of runs, failure points, and the causes of a value.
//!
//! All of it reads a replay through its observers; nothing here knows how a recording is made or how a finding is shown.

pub mod access;
pub mod beside;
mod branch;
pub mod checks;
pub mod condition;
pub mod distance;
pub mod expression;
pub mod failure;
mod left_out;
pub mod library;
pub mod nodes;
pub mod outline;
pub mod parts;
pub mod recipe;
pub mod shadow;
pub mod trace;
pub mod value;
pub mod variables;
pub mod walk;
pub mod why;

pub use failure::{check, panic};
pub use trace::inputs;
