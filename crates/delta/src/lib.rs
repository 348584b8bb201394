//! Delta debugging over sets of numbered things: changes, pieces of an input.
//!
//! - [`minimise`]: a failing set of which no single thing can be left out (ddmin);
//! - [`sweep`]: the same by leaving out only, for sets of which much may be needed;
//! - [`difference`]: a passing and a failing set as close as can be (dd);
//! - [`culprits`]: a small set whose removal makes the test pass, asymmetric as AFTER's dynamic analysis is;
//! - [`progression`]: a small set whose test passes, by an order in which the likeliest come first;
//! - [`shrink_grouped`]: ddmin over groups first, for sets that hang together by file and function.
//!
//! Invariants
//! - Plain computation: what a set means, and how it is tested, is the caller's. An error of a test ends the search and is
//!   handed on.
//! - Sets are ascending numbers without repetitions. What was tested before is the caller's to know.
//! - Deterministic: the same answers lead to the same sets in the same order.

mod culprits;
mod ddmin;
mod difference;
mod progression;
mod sweep;
#[cfg(test)]
mod testing;

pub use culprits::{culprits, narrow};
pub use ddmin::{minimise, shrink_grouped};
pub use difference::{Difference, difference};
pub use progression::progression;
pub use sweep::sweep;

/// What a test of a set comes to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// As it should be.
    Pass,
    /// The failure in question.
    Fail,
    /// Neither: it cannot be built, or fails otherwise.
    Unresolved,
}

/// A set: ascending, without repetitions.
pub type Set = Vec<usize>;

/// Something that tests sets; `E` ends the search.
pub trait Test<E> {
    /// Tests one set.
    fn test(&mut self, set: &[usize]) -> Result<Outcome, E>;

    /// Which of `number` sets is the first that fails. Who can test several side by side does so here; the answer must be that
    /// of testing one after the other.
    fn first_failing(&mut self, number: usize, set: &(dyn Fn(usize) -> Set + Sync)) -> Result<Option<usize>, E> {
        for index in 0..number {
            if self.test(&set(index))? == Outcome::Fail {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }
}

impl<E, F: FnMut(&[usize]) -> Result<Outcome, E>> Test<E> for F {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, E> {
        self(set)
    }
}

/// `set` in `parts` pieces of nearly equal size, in order; none is empty.
pub(crate) fn split(set: &[usize], parts: usize) -> Vec<Set> {
    let parts = parts.clamp(1, set.len().max(1));
    let mut out = Vec::with_capacity(parts);
    let mut start = 0;
    for part in 0..parts {
        let end = start + (set.len() - start) / (parts - part);
        if end > start {
            out.push(set[start..end].to_vec());
        }
        start = end;
    }
    out
}

/// What is in `set` and not in `other`.
pub fn without(set: &[usize], other: &[usize]) -> Set {
    set.iter().copied().filter(|item| other.binary_search(item).is_err()).collect()
}

/// What is in either.
pub fn union(set: &[usize], other: &[usize]) -> Set {
    let mut all: Set = set.iter().chain(other).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
