//! Arithmetic on bit-vectors. Sums keep their constant outermost, so that it cancels and merges.

use crate::pool::mask;
use crate::{BvOp, Node, Pool, Sort, Term, fold};

/// A term as plus or minus a core, and a constant.
#[derive(Clone, Copy)]
struct Linear {
    /// The core, and whether it is subtracted; none for a constant.
    core: Option<(Term, bool)>,
    constant: u128,
}

impl Linear {
    fn negated(self) -> Self {
        Self { core: self.core.map(|(term, negative)| (term, !negative)), constant: self.constant.wrapping_neg() }
    }
}

impl Pool {
    /// An operation on two bit-vectors of one width.
    ///
    /// # Panics
    /// When the sorts are not one width of bits.
    pub fn bv(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "operands of one sort");
        let width = self.width(a);
        assert!(!self.is_bool(a), "bit-vectors");
        if let Some(term) = self.lift([a, b], Sort::BitVec(width), |[a, b]| fold::bv(op, width, a, b)) {
            return term;
        }
        let (a, b) = if self.swaps(op, a, b) { (b, a) } else { (a, b) };
        match op {
            BvOp::Add => self.sum(a, b, false),
            BvOp::Sub => self.sum(a, b, true),
            BvOp::Mul => self.product(a, b),
            BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem => self.division(op, a, b),
            BvOp::And | BvOp::Or | BvOp::Xor => self.bitwise(op, a, b),
            BvOp::Shl | BvOp::LShr | BvOp::AShr => match self.as_constant(b) {
                Some(by) if by < u128::from(width) => self.shifted(op, a, by as u32),
                Some(_) if op != BvOp::AShr => self.constant(width, 0),
                Some(_) => self.shifted(op, a, width - 1),
                None if self.as_constant(a) == Some(0) => a,
                None if op == BvOp::AShr && self.as_constant(a) == Some(mask(width)) => a,
                None => self.intern(Node::Bv(op, a, b), Sort::BitVec(width)),
            },
        }
    }

    /// Whether the operands of a commutative operation stand in the wrong order.
    fn swaps(&self, op: BvOp, a: Term, b: Term) -> bool {
        let commutes = matches!(op, BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor);
        commutes && self.as_constant(b).is_none() && (self.as_constant(a).is_some() || b < a)
    }

    /// Zero minus the term.
    pub fn neg(&mut self, term: Term) -> Term {
        let zero = self.constant(self.width(term), 0);
        self.bv(BvOp::Sub, zero, term)
    }

    fn linear(&self, term: Term) -> Linear {
        match *self.node(term) {
            Node::Constant(_, value) => Linear { core: None, constant: value.get() },
            Node::Bv(BvOp::Add, x, k) if self.as_constant(k).is_some() => {
                Linear { core: Some((x, false)), constant: self.as_constant(k).unwrap_or(0) }
            }
            Node::Bv(BvOp::Sub, k, x) if self.as_constant(k).is_some() => {
                Linear { core: Some((x, true)), constant: self.as_constant(k).unwrap_or(0) }
            }
            _ => Linear { core: Some((term, false)), constant: 0 },
        }
    }

    fn emit(&mut self, width: u32, linear: Linear) -> Term {
        let constant = self.constant(width, linear.constant);
        match linear.core {
            None => constant,
            Some((x, false)) if linear.constant & mask(width) == 0 => x,
            Some((x, false)) => self.intern(Node::Bv(BvOp::Add, x, constant), Sort::BitVec(width)),
            Some((x, true)) => {
                // -(x - y) = y - x
                if let Node::Bv(BvOp::Sub, p, q) = *self.node(x)
                    && linear.constant & mask(width) == 0
                {
                    return self.intern(Node::Bv(BvOp::Sub, q, p), Sort::BitVec(width));
                }
                self.intern(Node::Bv(BvOp::Sub, constant, x), Sort::BitVec(width))
            }
        }
    }

    fn sum(&mut self, a: Term, b: Term, subtract: bool) -> Term {
        let width = self.width(a);
        let x = self.linear(a);
        let mut y = self.linear(b);
        if subtract {
            y = y.negated();
        }
        let constant = x.constant.wrapping_add(y.constant);
        let mut result = match (x.core, y.core) {
            (None, core) | (core, None) => Linear { core, constant: 0 },
            (Some((p, false)), Some((q, false))) => {
                let term = self.plus(p, q);
                self.linear(term)
            }
            (Some((p, true)), Some((q, true))) => {
                let term = self.plus(p, q);
                self.linear(term).negated()
            }
            (Some((p, false)), Some((q, true))) | (Some((q, true)), Some((p, false))) => {
                let term = self.minus(p, q);
                self.linear(term)
            }
        };
        result.constant = result.constant.wrapping_add(constant);
        // not x is -x - 1.
        if let Some((core, negative)) = result.core
            && let Node::Not(inner) = *self.node(core)
        {
            let plain = if negative { result.constant.wrapping_add(1) } else { result.constant.wrapping_sub(1) };
            if plain & mask(width) == 0 {
                result = self.linear(inner);
                if !negative {
                    result = result.negated();
                }
            }
        }
        self.emit(width, result)
    }

    /// A sum of terms without constants of their own.
    fn plus(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        if a == b {
            return if width == 1 { self.constant(1, 0) } else { self.shifted(BvOp::Shl, a, 1) };
        }
        if self.complementary(a, b) {
            return self.constant(width, u128::MAX);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Bv(BvOp::Sub, p, q) = *self.node(x)
                && q == y
            {
                return p;
            }
        }
        if let Some(term) = self.by_parts(BvOp::Add, a, b) {
            return term;
        }
        self.intern(Node::Bv(BvOp::Add, a, b), Sort::BitVec(width))
    }

    /// A difference of terms without constants of their own.
    fn minus(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.constant(width, 0);
        }
        if let Node::Bv(BvOp::Add, p, q) = *self.node(a) {
            if p == b {
                return q;
            }
            if q == b {
                return p;
            }
        }
        let below = match *self.node(b) {
            Node::Bv(BvOp::Add, p, q) if p == a => Some(q),
            Node::Bv(BvOp::Add, p, q) if q == a => Some(p),
            Node::Bv(BvOp::Sub, p, q) if p == a => return q,
            _ => match *self.node(a) {
                Node::Bv(BvOp::Sub, p, q) if p == b => Some(q),
                _ => None,
            },
        };
        match below {
            Some(term) => {
                let linear = self.linear(term).negated();
                self.emit(width, linear)
            }
            None => self.intern(Node::Bv(BvOp::Sub, a, b), Sort::BitVec(width)),
        }
    }

    fn product(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let Some(k) = self.as_constant(b) else {
            return self.intern(Node::Bv(BvOp::Mul, a, b), Sort::BitVec(width));
        };
        if k == 0 {
            return b;
        }
        if k.is_power_of_two() {
            return self.shifted(BvOp::Shl, a, k.trailing_zeros());
        }
        if k == mask(width) {
            return self.neg(a);
        }
        if let Node::Bv(BvOp::Mul, x, l) = *self.node(a)
            && let Some(l) = self.as_constant(l)
        {
            let joint = self.constant(width, k.wrapping_mul(l));
            return self.bv(BvOp::Mul, x, joint);
        }
        // (x + l) k = x k + l k, the constant outermost again.
        let linear = self.linear(a);
        if let Some((core, negative)) = linear.core
            && core != a
        {
            let factor = if negative { k.wrapping_neg() } else { k };
            let factor = self.constant(width, factor);
            let scaled = self.bv(BvOp::Mul, core, factor);
            let rest = self.constant(width, linear.constant.wrapping_mul(k));
            return self.bv(BvOp::Add, scaled, rest);
        }
        self.intern(Node::Bv(BvOp::Mul, a, b), Sort::BitVec(width))
    }

    fn division(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let quotient = matches!(op, BvOp::UDiv | BvOp::SDiv);
        if let Some(k) = self.as_constant(b) {
            let minus_one = k == mask(width) && width > 1;
            match op {
                BvOp::URem | BvOp::SRem if k == 0 => return a,
                BvOp::UDiv if k == 0 => return self.constant(width, u128::MAX),
                BvOp::UDiv if k.is_power_of_two() => return self.shifted(BvOp::LShr, a, k.trailing_zeros()),
                BvOp::URem if k == 1 => return self.constant(width, 0),
                BvOp::URem if k.is_power_of_two() => {
                    let rest = self.extract(a, 0, k.trailing_zeros());
                    return self.zext(rest, width);
                }
                BvOp::SDiv if k == 1 && width > 1 => return a,
                BvOp::SDiv if minus_one => return self.neg(a),
                BvOp::SRem if minus_one || k == 1 => return self.constant(width, 0),
                _ => {}
            }
            if let Some(term) = self.narrow_division(op, a, k) {
                return term;
            }
        } else if !quotient && a == b {
            return self.constant(width, 0);
        }
        self.intern(Node::Bv(op, a, b), Sort::BitVec(width))
    }

    /// Division of an extension by a constant that fits the extended term: done on fewer bits.
    fn narrow_division(&mut self, op: BvOp, a: Term, k: u128) -> Option<Term> {
        let width = self.width(a);
        match *self.node(a) {
            Node::Concat(zero, low) if self.as_constant(zero) == Some(0) && k != 0 => {
                let small = self.width(low);
                let signed_op = matches!(op, BvOp::SDiv | BvOp::SRem);
                if signed_op && k >> (width - 1) != 0 {
                    return None;
                }
                let quotient = matches!(op, BvOp::UDiv | BvOp::SDiv);
                if k > mask(small) {
                    return Some(if quotient { self.constant(width, 0) } else { a });
                }
                let k = self.constant(small, k);
                let part = self.bv(if quotient { BvOp::UDiv } else { BvOp::URem }, low, k);
                Some(self.zext(part, width))
            }
            Node::Sext(_, inner) if matches!(op, BvOp::SDiv | BvOp::SRem) && k != 0 => {
                let small = self.width(inner);
                // The least value divided by minus one would not fit, but that is no case here.
                if fold::sext(k & mask(small), small, width) != k {
                    return None;
                }
                let k = self.constant(small, k);
                let part = self.bv(op, inner, k);
                Some(self.sext(part, width))
            }
            _ => None,
        }
    }
}
