//! Levenshtein distances between paths.

/// Paths that differ by more than this are as far as any others.
pub const FARTHEST: usize = 200;

/// The distance between two sequences; [`FARTHEST`] where it is that, or more.
pub fn distance(one: &[u64], other: &[u64]) -> usize {
    let mut rows = Rows::new(other);
    for &symbol in one {
        rows.add(symbol);
    }
    rows.whole()
}

/// The rows of the table by which the distance of a growing sequence to another one is worked out, as far as [`FARTHEST`] on both
/// sides of the diagonal.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    other: &'a [u64],
    /// So many symbols were added.
    length: usize,
    /// Distances to the prefixes of the other sequence from `first` on.
    row: Vec<usize>,
    first: usize,
}

impl<'a> Rows<'a> {
    /// Of the empty sequence.
    pub fn new(other: &'a [u64]) -> Self {
        Self { other, length: 0, row: (0..=other.len().min(FARTHEST)).collect(), first: 0 }
    }

    /// The row of the sequence with one symbol more.
    fn next(&self, symbol: u64) -> (usize, Vec<usize>) {
        let length = self.length + 1;
        let first = length.saturating_sub(FARTHEST).min(self.other.len() + 1);
        let last = (length + FARTHEST).min(self.other.len());
        let before = |at: usize| at.checked_sub(self.first).and_then(|at| self.row.get(at)).copied();
        let mut row = Vec::with_capacity((last + 1).saturating_sub(first));
        for at in first..=last {
            let delete = before(at).map_or(FARTHEST, |known| known + 1);
            let insert = row.last().map_or(FARTHEST, |known: &usize| known + 1);
            let replace = match at.checked_sub(1) {
                Some(left) => before(left).map_or(FARTHEST, |known| known + usize::from(self.other[left] != symbol)),
                None => FARTHEST,
            };
            row.push(delete.min(insert).min(replace).min(FARTHEST));
        }
        (first, row)
    }

    /// Adds a symbol.
    pub fn add(&mut self, symbol: u64) {
        (self.first, self.row) = self.next(symbol);
        self.length += 1;
    }

    /// No sequence that goes on with `symbol` has a smaller distance.
    pub fn least_with(&self, symbol: u64) -> usize {
        self.next(symbol).1.into_iter().min().unwrap_or(FARTHEST)
    }

    /// No sequence that goes on from here has a smaller distance.
    pub fn least(&self) -> usize {
        self.row.iter().copied().min().unwrap_or(FARTHEST)
    }

    /// The distance of the whole sequence.
    pub fn whole(&self) -> usize {
        self.other.len().checked_sub(self.first).and_then(|at| self.row.get(at)).copied().unwrap_or(FARTHEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the definition.
    fn plainly(one: &[u64], other: &[u64]) -> usize {
        match (one, other) {
            ([], rest) | (rest, []) => rest.len(),
            ([a, one @ ..], [b, other @ ..]) if a == b => plainly(one, other),
            ([_, less @ ..], [_, fewer @ ..]) => {
                1 + plainly(less, other).min(plainly(one, fewer)).min(plainly(less, fewer))
            }
        }
    }

    proptest! {
        #[test]
        fn it_is_the_distance(one in prop::collection::vec(0u64..3, 0..7), other in prop::collection::vec(0u64..3, 0..7)) {
            prop_assert_eq!(distance(&one, &other), plainly(&one, &other));
            prop_assert_eq!(distance(&one, &other), distance(&other, &one));
        }

        #[test]
        fn what_goes_on_is_not_nearer(
            one in prop::collection::vec(0u64..3, 0..6),
            more in prop::collection::vec(0u64..3, 1..4),
            other in prop::collection::vec(0u64..3, 0..7),
        ) {
            let mut rows = Rows::new(&other);
            one.iter().for_each(|&symbol| rows.add(symbol));
            let whole = distance(&[&one[..], &more].concat(), &other);
            prop_assert!(rows.least() <= rows.least_with(more[0]) && rows.least_with(more[0]) <= whole);
        }
    }

    #[test]
    fn long_paths_are_far_at_most() {
        let one: Vec<u64> = (0..1000).collect();
        assert_eq!(distance(&one, &[]), FARTHEST);
        let mut other = one.clone();
        other.drain(400..403);
        assert_eq!(distance(&one, &other), 3);
    }
}
