//! `qsort` and `bsearch` in what-if runs, with a comparison that is captured code: it is called once in each step.

use super::pending::After;
use super::{WhatIfStop, stop};
use crate::func_id::FuncId;
use crate::machine::{Flow, Machine};
use crate::observer::Observer;

/// No array of more elements, or of larger ones, is sorted.
const MOST: u64 = 1 << 24;

/// A sort or search under way.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    base: u64,
    size: u64,
    compare: FuncId,
    /// What the comparison gets besides (`qsort_r`).
    with: Option<u64>,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
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
struct Merge {
    order: Vec<u64>,
    merged: Vec<u64>,
    /// Length of the runs that are merged.
    width: usize,
    /// Where the two runs stand, and where they end.
    left: (usize, usize),
    right: (usize, usize),
}

impl Merge {
    fn new(count: u64) -> Self {
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
    fn step(&mut self, said: Option<i32>) -> Option<(u64, u64)> {
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

impl Machine {
    /// `qsort`, `qsort_r` and `bsearch`; none where that is another function.
    pub(super) fn order<O: Observer>(&mut self, observer: &mut O, name: &str, args: &[u64]) -> Option<Flow> {
        let arg = |n: usize| args.get(n).copied().unwrap_or(0);
        let (base, count, size, compare, with) = match name {
            "qsort" => (arg(0), arg(1), arg(2), arg(3), None),
            "qsort_r" => (arg(0), arg(1), arg(2), arg(3), Some(arg(4))),
            "bsearch" => (arg(1), arg(2), arg(3), arg(4), None),
            _ => return None,
        };
        let compare = self.function_at(compare)?;
        if count > MOST || size > MOST {
            return None;
        }
        let what = match name {
            "bsearch" => What::Search { key: arg(0), low: 0, high: count },
            _ => What::Sort(Merge::new(count)),
        };
        Some(self.go_on_ordering(observer, Box::new(Ordering { base, size, compare, with, what }), None))
    }

    pub(super) fn go_on_ordering<O: Observer>(
        &mut self,
        observer: &mut O,
        mut ordering: Box<Ordering>,
        said: Option<i32>,
    ) -> Flow {
        let Ordering { base, size, compare, with, .. } = *ordering;
        let place = |index: u64| base.wrapping_add(index.wrapping_mul(size));
        let args = self.arguments();
        let next = match &mut ordering.what {
            What::Sort(merge) => match merge.step(said) {
                Some((a, b)) => (place(a), place(b)),
                None => {
                    let order = std::mem::take(&mut merge.order);
                    return self.put_in_order(observer, base, size, &order, &args);
                }
            },
            What::Search { key, low, high } => {
                let middle = |low: u64, high: u64| low + (high - low) / 2;
                match said {
                    Some(0) => return self.what_if_returns(observer, &args, &[place(middle(*low, *high))]),
                    Some(..0) => *high = middle(*low, *high),
                    Some(_) => *low = middle(*low, *high) + 1,
                    None => {}
                }
                if low >= high {
                    return self.what_if_returns(observer, &args, &[0]);
                }
                (*key, place(middle(*low, *high)))
            }
        };
        let words: Vec<u64> = [next.0, next.1].into_iter().chain(with).collect();
        self.call_captured(observer, compare, &words, After::Order(ordering))
    }

    fn put_in_order<O: Observer>(
        &mut self,
        observer: &mut O,
        base: u64,
        size: u64,
        order: &[u64],
        args: &[u64],
    ) -> Flow {
        let bytes = size * order.len() as u64;
        if let Some(stopped) = self.charge([bytes].into_iter()) {
            return stop(stopped);
        }
        if bytes > 0 && !self.what_if_knows(base) {
            return stop(WhatIfStop::UnknownMemory { address: base });
        }
        let memory = &self.core.memory;
        let elements = order.iter().map(|index| memory.read_vec(base.wrapping_add(index * size), size as usize));
        let sorted: Vec<u8> = elements.flatten().collect();
        if !sorted.is_empty() {
            self.written(observer, &[(base, sorted)]);
        }
        self.what_if_returns(observer, args, &[])
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
