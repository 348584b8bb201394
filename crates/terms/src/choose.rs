//! Choices by an index, and counts of bits.

use crate::{BvOp, Pool, Term};

impl Pool {
    /// The element that an unsigned index names, or `default` beyond them: a tree of choices, balanced over the index's
    /// bits, in which equal neighbours are one.
    ///
    /// # Panics
    /// When an element's sort is not the default's.
    pub fn choose(&mut self, index: Term, elements: &[Term], default: Term) -> Term {
        let width = self.width(index);
        let reachable = if width < 32 { elements.len().min(1 << width) } else { elements.len() };
        let elements = &elements[..reachable];
        if let Some(at) = self.as_constant(index) {
            return usize::try_from(at).ok().and_then(|at| elements.get(at)).copied().unwrap_or(default);
        }
        if elements.is_empty() {
            return default;
        }
        let bits = usize::BITS - (elements.len() - 1).leading_zeros();
        let mut level = elements.to_vec();
        for at in 0..bits {
            let bit = self.bit(index, at);
            level = level.chunks(2).map(|pair| self.ite(bit, *pair.get(1).unwrap_or(&default), pair[0])).collect();
        }
        let chosen = level[0];
        if bits == width {
            return chosen;
        }
        let high = self.extract(index, bits, width - bits);
        let beyond = self.to_bool(high);
        self.ite(beyond, default, chosen)
    }

    /// How many bits are set, in the term's width.
    pub fn popcount(&mut self, term: Term) -> Term {
        let width = self.width(term);
        // A tree of sums, each just wide enough.
        let mut level: Vec<Term> = (0..width).map(|at| self.extract(term, at, 1)).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| {
                    let wide = self.width(pair[0]) + 1;
                    let first = self.zext(pair[0], wide.min(width));
                    let Some(second) = pair.get(1) else { return first };
                    let second = self.zext(*second, wide.min(width));
                    self.bv(BvOp::Add, first, second)
                })
                .collect();
        }
        let count = level[0];
        if self.width(count) > width { self.truncate(count, width) } else { self.zext(count, width) }
    }

    /// How many zeros stand above the highest bit that is set; the width for zero. In the term's width.
    pub fn leading_zeros(&mut self, term: Term) -> Term {
        let width = self.width(term);
        self.zeros(term, width, true)
    }

    /// How many zeros stand below the lowest bit that is set; the width for zero. In the term's width.
    pub fn trailing_zeros(&mut self, term: Term) -> Term {
        let width = self.width(term);
        self.zeros(term, width, false)
    }

    /// Counts by halves: the half that comes first decides whether the other counts.
    fn zeros(&mut self, term: Term, result: u32, leading: bool) -> Term {
        let width = self.width(term);
        if width == 1 {
            let set = self.to_bool(term);
            let (zero, one) = (self.constant(result, 0), self.constant(result, 1));
            return self.ite(set, zero, one);
        }
        let half = width / 2;
        let (low, high) = (self.extract(term, 0, half), self.extract(term, half, width - half));
        let (first, second) = if leading { (high, low) } else { (low, high) };
        let counted = self.zeros(first, result, leading);
        let rest = self.zeros(second, result, leading);
        let offset = self.constant(result, self.width(first).into());
        let beyond = self.bv(BvOp::Add, rest, offset);
        let any = self.to_bool(first);
        self.ite(any, counted, beyond)
    }
}
