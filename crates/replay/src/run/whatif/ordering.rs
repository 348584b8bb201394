//! Sorts and searches under way, whose comparison is captured code: it is called once in each step.

use crate::function_id::FuncId;

/// A sort or search under way.
#[derive(Clone, Debug)]
pub(crate) struct Ordering {
    pub base: u64,
    pub size: u64,
    pub compare: FuncId,
    /// What the comparison gets besides (`qsort_r`).
    pub with: Option<u64>,
    pub what: OrderingKind,
}

/// What a library function does with an array.
#[derive(Clone, Debug)]
pub(crate) enum OrderingKind {
    Sort(Merge),
    /// Elements before `low` are less than the key, those from `high` on greater.
    Search {
        key: u64,
        low: u64,
        high: u64,
    },
}

/// A merge sort of indices, bottom-up: stable, as that of glibc.
#[derive(Clone, Debug)]
pub(crate) struct Merge {
    pub order: Vec<u64>,
    merged: Vec<u64>,
    /// Length of the runs that are merged.
    width: usize,
    /// Where the two runs stand, and where they end.
    left: (usize, usize),
    right: (usize, usize),
}

impl Merge {
    pub fn new(count: u64) -> Self {
        let order: Vec<u64> = (0..count).collect();
        let mut merge = Self { merged: Vec::with_capacity(order.len()), order, width: 1, left: (0, 0), right: (0, 0) };
        merge.runs(0);
        merge
    }

    /// The next two runs begin at `start`.
    fn runs(&mut self, start: usize) {
        let end = |at: usize| at.min(self.order.len());
        let middle = end(start + self.width);
        (self.left, self.right) = ((start, middle), (middle, end(middle + self.width)));
    }

    /// Takes what the last comparison said; gives the elements to compare next, none where all is sorted.
    pub fn step(&mut self, said: Option<i32>) -> Option<(u64, u64)> {
        if let Some(said) = said {
            let from = if said <= 0 { &mut self.left } else { &mut self.right };
            self.merged.push(self.order[from.0]);
            from.0 += 1;
        }
        loop {
            if self.left.0 < self.left.1 && self.right.0 < self.right.1 {
                return Some((self.order[self.left.0], self.order[self.right.0]));
            }
            self.merged.extend(&self.order[self.left.0..self.left.1]);
            self.merged.extend(&self.order[self.right.0..self.right.1]);
            let end = self.right.1;
            if end < self.order.len() {
                self.runs(end);
                continue;
            }
            self.order = std::mem::take(&mut self.merged);
            self.width *= 2;
            if self.width >= self.order.len() {
                return None;
            }
            self.runs(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Merge;

    #[test]
    fn merging_sorts_and_keeps_equal_elements_in_order() {
        for values in [vec![], vec![1], vec![3, 1, 2, 1, 3, 0, 2], vec![5, 4, 3, 2, 1], vec![1, 1, 1, 0]] {
            let mut merge = Merge::new(values.len() as u64);
            let mut said = None;
            while let Some((a, b)) = merge.step(said) {
                said = Some(values[a as usize] - values[b as usize]);
            }
            let mut expected: Vec<u64> = (0..values.len() as u64).collect();
            expected.sort_by_key(|&index| values[index as usize]);
            assert_eq!(merge.order, expected, "{values:?}");
        }
    }
}
