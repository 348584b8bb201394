//! Where the candidates of a site lie in what a run tells of all of them.

use std::ops::Range;

/// The place of a site's candidates in a survey.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The site's number, from 1.
    pub site: usize,
    /// Where its entries begin: first what stands there, then its candidates in order.
    pub base: usize,
    /// So many candidates.
    pub candidates: usize,
    /// So many variables that are only looked at, behind them.
    pub probes: usize,
}

impl Slot {
    /// So many entries it has in a survey.
    pub fn entries(&self) -> usize {
        1 + self.candidates + self.probes
    }

    /// These entries.
    pub fn range(&self) -> Range<usize> {
        self.base..self.base + self.entries()
    }
}
