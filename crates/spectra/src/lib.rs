//! Program spectra and suspiciousness formulas.
//!
//! A [`Spectrum`] says which entities (source statements and branch outcomes) each test executed. A [`Formula`] turns
//! the counts of an entity into a suspiciousness, and [`Spectrum::ranking`] orders the entities by it, ties kept as ties.
//!
//! Invariants
//! - Plain computation: no input or output, no dependency. Where the hits come from is not known here.
//! - An entity has a score above 0 exactly when a failing test executes it, whatever the formula.
//! - Mathematically equal scores are equal numbers, so ties do not depend on rounding.

mod entity;
mod formula;
mod hits;
mod ranking;
mod spectrum;

pub use entity::{Entity, Position};
pub use formula::{Counts, Formula};
pub use hits::{Hits, Numbers};
pub use ranking::{Rank, RankedEntity};
pub use spectrum::{Spectrum, TestHits};
