//! Equality and order of bit-vectors.

use crate::pool::{mask, signed};
use crate::{BvOp, Compare, Node, Pool, Sort, Term, fold};

/// How deep an equality is taken apart. Parts of concatenations do not count.
const DEPTH: u32 = 8;

impl Pool {
    /// Equality of two terms of one sort.
    ///
    /// # Panics
    /// When the sorts differ.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.equal(a, b, DEPTH)
    }

    fn equal(&mut self, a: Term, b: Term, depth: u32) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "operands of one sort");
        if a == b {
            return self.truth();
        }
        if self.is_bool(a) {
            return self.iff(a, b);
        }
        let (a, b) =
            if self.as_constant(a).is_some() || b < a && self.as_constant(b).is_none() { (b, a) } else { (a, b) };
        match self.as_constant(b) {
            Some(k) => self.equals_constant(a, k, depth),
            None => self.equal_terms(a, b, depth),
        }
    }

    /// Takes invertible operations off a term that is compared with a constant.
    fn equals_constant(&mut self, term: Term, k: u128, depth: u32) -> Term {
        let width = self.width(term);
        let m = mask(width);
        let (mut term, mut k) = (term, k);
        loop {
            if let Some(value) = self.as_constant(term) {
                return self.bool(value == k);
            }
            match *self.node(term) {
                Node::Not(inner) => (term, k) = (inner, !k & m),
                Node::Bv(op, x, y) => match (op, self.as_constant(x), self.as_constant(y)) {
                    (BvOp::Add, _, Some(l)) => (term, k) = (x, k.wrapping_sub(l) & m),
                    (BvOp::Sub, Some(l), _) => (term, k) = (y, l.wrapping_sub(k) & m),
                    (BvOp::Sub, ..) if k == 0 && depth > 0 => return self.equal(x, y, depth - 1),
                    (BvOp::Xor, _, Some(l)) => (term, k) = (x, k ^ l),
                    (BvOp::Xor, ..) if k == 0 && depth > 0 => return self.equal(x, y, depth - 1),
                    (BvOp::Mul, _, Some(l)) if l & 1 == 1 => (term, k) = (x, k.wrapping_mul(inverse(l)) & m),
                    (BvOp::And, _, Some(l)) if k & !l != 0 => return self.falsity(),
                    (BvOp::Or, _, Some(l)) if !k & l != 0 => return self.falsity(),
                    (BvOp::URem, _, Some(l)) if l != 0 && k >= l => return self.falsity(),
                    _ => break,
                },
                Node::Concat(high, low) => {
                    let split = self.width(low);
                    let upper = self.equals_constant(high, k >> split, depth);
                    if self.as_bool(upper) == Some(false) {
                        return upper;
                    }
                    let lower = self.equals_constant(low, k & mask(split), depth);
                    return self.and(upper, lower);
                }
                Node::Sext(_, inner) => {
                    let small = self.width(inner);
                    if fold::sext(k & mask(small), small, width) != k {
                        return self.falsity();
                    }
                    return self.equals_constant(inner, k & mask(small), depth);
                }
                Node::Ite(condition, a, b) if depth > 0 => {
                    let settled = |pool: &Self, term| pool.as_constant(term).map(|value| value == k);
                    let (yes, no) = (settled(self, a), settled(self, b));
                    if yes.is_none() && no.is_none() {
                        break;
                    }
                    let mut arm = |settled: Option<bool>, term| match settled {
                        Some(value) => self.bool(value),
                        None => self.equals_constant(term, k, depth - 1),
                    };
                    let (yes, no) = (arm(yes, a), arm(no, b));
                    return self.ite(condition, yes, no);
                }
                _ => break,
            }
        }
        // One bit is compared with one only.
        if width == 1 && k == 0 {
            let set = self.equals_constant(term, 1, depth);
            return self.not(set);
        }
        let k = self.constant(width, k);
        self.intern(Node::Eq(term, k), Sort::Bool)
    }

    fn equal_terms(&mut self, a: Term, b: Term, depth: u32) -> Term {
        if self.complementary(a, b) {
            return self.falsity();
        }
        if depth == 0 {
            return self.intern(Node::Eq(a, b), Sort::Bool);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Not(x), Node::Not(y)) => return self.equal(x, y, depth - 1),
            (Node::Concat(_, p), Node::Concat(_, q)) => {
                let split = self.width(p).min(self.width(q));
                let height = self.width(a) - split;
                let (x, y) = (self.extract(a, split, height), self.extract(b, split, height));
                let upper = self.equal(x, y, depth);
                let (x, y) = (self.extract(a, 0, split), self.extract(b, 0, split));
                let lower = self.equal(x, y, depth);
                return self.and(upper, lower);
            }
            (Node::Sext(_, x), Node::Sext(_, y)) if self.width(x) == self.width(y) => {
                return self.equal(x, y, depth - 1);
            }
            (Node::Ite(p, x, y), Node::Ite(q, u, v)) if p == q && (x == u || y == v) => {
                let (yes, no) = (self.equal(x, u, depth - 1), self.equal(y, v, depth - 1));
                return self.ite(p, yes, no);
            }
            _ => {}
        }
        for (whole, part) in [(a, b), (b, a)] {
            match *self.node(whole) {
                Node::Ite(condition, x, y) if x == part => {
                    let rest = self.equal(y, part, depth - 1);
                    return self.or(condition, rest);
                }
                Node::Ite(condition, x, y) if y == part => {
                    let rest = self.equal(x, part, depth - 1);
                    let not = self.not(condition);
                    return self.or(not, rest);
                }
                Node::Bv(BvOp::Add | BvOp::Xor, x, y) if x == part => return self.equals_constant(y, 0, depth - 1),
                Node::Bv(BvOp::Add | BvOp::Xor, x, y) if y == part => return self.equals_constant(x, 0, depth - 1),
                Node::Bv(BvOp::Sub, x, y) if x == part => return self.equals_constant(y, 0, depth - 1),
                // One constant is enough, and moves to the other side of it.
                Node::Bv(BvOp::Add, x, k) if self.as_constant(k).is_some() => {
                    if let Node::Bv(BvOp::Add, y, l) = *self.node(part)
                        && self.as_constant(l).is_some()
                    {
                        let rest = self.bv(BvOp::Sub, l, k);
                        let other = self.bv(BvOp::Add, y, rest);
                        return self.equal(x, other, depth - 1);
                    }
                }
                _ => {}
            }
        }
        self.intern(Node::Eq(a, b), Sort::Bool)
    }

    /// A comparison of two bit-vectors of one width.
    ///
    /// # Panics
    /// When the sorts are not one width of bits.
    pub fn compare(&mut self, compare: Compare, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "operands of one sort");
        assert!(!self.is_bool(a), "bit-vectors");
        match compare {
            Compare::Ult => self.ult(a, b),
            Compare::Slt => self.slt(a, b),
            Compare::Ule => {
                let over = self.ult(b, a);
                self.not(over)
            }
            Compare::Sle => {
                let over = self.slt(b, a);
                self.not(over)
            }
        }
    }

    /// How many high bits are known to be zero.
    fn known_zeros(&self, term: Term) -> u32 {
        let width = self.width(term);
        let of_value = |value: u128| value.leading_zeros() + width - 128;
        match *self.node(term) {
            Node::Constant(_, value) => of_value(value.get()),
            Node::Concat(high, _) => match self.as_constant(high) {
                Some(0) => self.width(high),
                Some(value) => value.leading_zeros() + self.width(high) - 128,
                None => 0,
            },
            Node::Bv(BvOp::And, _, k) | Node::Bv(BvOp::URem, _, k) => {
                self.as_constant(k).filter(|k| *k != 0).map_or(0, of_value)
            }
            _ => self.as_constant_ite(term).map_or(0, |(_, a, b)| of_value(a.max(b))),
        }
    }

    fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let m = mask(width);
        if a == b {
            return self.falsity();
        }
        if let Some(term) = self.lift([a, b], Sort::Bool, |[a, b]| (a < b).into()) {
            return term;
        }
        if width == 1 {
            let (a, b) = (self.to_bool(a), self.to_bool(b));
            let not = self.not(a);
            return self.and(not, b);
        }
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(0)) => return self.falsity(),
            (Some(k), _) if k == m => return self.falsity(),
            (_, Some(1)) => return self.equals_constant(a, 0, DEPTH),
            (Some(0), _) => return self.to_bool(b),
            (_, Some(k)) if k == m => {
                let last = self.equals_constant(a, m, DEPTH);
                return self.not(last);
            }
            (Some(k), _) if k == m - 1 => return self.equals_constant(b, m, DEPTH),
            _ => {}
        }
        // High bits that are zero in both do not decide.
        let zeros = self.known_zeros(a).min(self.known_zeros(b)).min(width - 1);
        if zeros > 0 {
            let (a, b) = (self.extract(a, 0, width - zeros), self.extract(b, 0, width - zeros));
            return self.ult(a, b);
        }
        // A value below 2^n against a constant from there on.
        if let Some(k) = self.as_constant(b)
            && k > mask(width) >> self.known_zeros(a)
        {
            return self.truth();
        }
        if let Some(k) = self.as_constant(a)
            && k >= mask(width) >> self.known_zeros(b)
        {
            return self.falsity();
        }
        if let (Node::Concat(p, q), Node::Concat(r, s)) = (*self.node(a), *self.node(b)) {
            if p == r {
                return self.ult(q, s);
            }
            if q == s {
                return self.ult(p, r);
            }
        }
        if let (Node::Not(x), Node::Not(y)) = (*self.node(a), *self.node(b)) {
            return self.ult(y, x);
        }
        self.intern(Node::Ult(a, b), Sort::Bool)
    }

    fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.falsity();
        }
        if let Some(term) = self.lift([a, b], Sort::Bool, |[a, b]| (signed(a, width) < signed(b, width)).into()) {
            return term;
        }
        if width == 1 {
            return self.ult(b, a);
        }
        let (least, most) = (1 << (width - 1), mask(width - 1));
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(k)) if k == least => return self.falsity(),
            (Some(k), _) if k == most => return self.falsity(),
            (_, Some(k)) if k == least + 1 => return self.equals_constant(a, least, DEPTH),
            (Some(k), _) if k == most - 1 => return self.equals_constant(b, most, DEPTH),
            (_, Some(k)) if k == most => {
                let last = self.equals_constant(a, most, DEPTH);
                return self.not(last);
            }
            (Some(k), _) if k == least => {
                let last = self.equals_constant(b, least, DEPTH);
                return self.not(last);
            }
            (_, Some(0)) => return self.bit(a, width - 1),
            (Some(k), _) if k == mask(width) => {
                let negative = self.bit(b, width - 1);
                return self.not(negative);
            }
            _ => {}
        }
        match (self.known_zeros(a) > 0, self.known_zeros(b) > 0) {
            (true, true) => return self.ult(a, b),
            // A negative constant against what has no sign.
            (true, false) if self.as_constant(b).is_some() => return self.falsity(),
            (false, true) if self.as_constant(a).is_some() => return self.truth(),
            _ => {}
        }
        if let Some(term) = self.slt_of_extension(a, b) {
            return term;
        }
        self.intern(Node::Slt(a, b), Sort::Bool)
    }

    fn slt_of_extension(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        match (*self.node(a), *self.node(b)) {
            (Node::Sext(_, x), Node::Sext(_, y)) if self.width(x) == self.width(y) => Some(self.slt(x, y)),
            (Node::Sext(_, x), Node::Constant(_, k)) => {
                let (small, k) = (self.width(x), k.get());
                if fold::sext(k & mask(small), small, width) != k {
                    return Some(self.bool(signed(k, width) > 0));
                }
                let k = self.constant(small, k);
                Some(self.slt(x, k))
            }
            (Node::Constant(_, k), Node::Sext(_, y)) => {
                let (small, k) = (self.width(y), k.get());
                if fold::sext(k & mask(small), small, width) != k {
                    return Some(self.bool(signed(k, width) < 0));
                }
                let k = self.constant(small, k);
                Some(self.slt(k, y))
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo 2^128, by Newton's iteration: each doubles the bits that are right.
fn inverse(odd: u128) -> u128 {
    let mut x = odd;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_inverse_inverts() {
        for odd in [1u128, 3, 5, 0xdead_beef, u128::MAX, u128::MAX - 2] {
            assert_eq!(odd.wrapping_mul(super::inverse(odd)), 1);
        }
    }
}
