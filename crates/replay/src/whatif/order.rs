//! `qsort` and `bsearch` in what-if runs, with a comparison that is captured code: it is called once in each step.

use super::stop;
use crate::machine::{Flow, Machine};
use crate::observer::Observer;
use crate::run::{After, Merge, Ordering, OrderingKind, WhatIfStop};

/// No array of more elements, or of larger ones, is sorted.
const MOST: u64 = 1 << 24;

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
            "bsearch" => OrderingKind::Search { key: arg(0), low: 0, high: count },
            _ => OrderingKind::Sort(Merge::new(count)),
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
            OrderingKind::Sort(merge) => match merge.step(said) {
                Some((a, b)) => (place(a), place(b)),
                None => {
                    let order = std::mem::take(&mut merge.order);
                    return self.put_in_order(observer, base, size, &order, &args);
                }
            },
            OrderingKind::Search { key, low, high } => {
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
        if let Some(address) = self.what_if_lacks(base, bytes) {
            return stop(WhatIfStop::UnknownMemory { address });
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
