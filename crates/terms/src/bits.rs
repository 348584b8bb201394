//! Parts of bit-vectors: extraction, concatenation, extension, and what is built from them.

use crate::pool::{MAX_WIDTH, mask};
use crate::{BvOp, Node, Pool, Sort, Term, fold};

/// How deep bytes of nested choices are put together again.
const MERGE_DEPTH: u32 = 4;

impl Pool {
    /// `width` bits from bit `low` on.
    ///
    /// # Panics
    /// When they are not all bits of the term.
    pub fn extract(&mut self, term: Term, low: u32, width: u32) -> Term {
        let whole = self.width(term);
        assert!(width > 0 && low + width <= whole && !self.is_bool(term), "bits {low}+{width} of {whole}");
        if width == whole {
            return term;
        }
        match *self.node(term) {
            Node::Constant(_, value) => return self.constant(width, value.get() >> low),
            Node::Extract { low: inner, of, .. } => return self.extract(of, low + u32::from(inner), width),
            Node::Concat(high, rest) => {
                let split = self.width(rest);
                if low >= split {
                    return self.extract(high, low - split, width);
                }
                if low + width <= split {
                    return self.extract(rest, low, width);
                }
                let rest = self.extract(rest, low, split - low);
                let high = self.extract(high, 0, low + width - split);
                return self.concat(high, rest);
            }
            Node::Sext(_, inner) => {
                let size = self.width(inner);
                if low + width <= size {
                    return self.extract(inner, low, width);
                }
                let low = low.min(size - 1);
                let part = self.extract(inner, low, size - low);
                return self.sext(part, width);
            }
            Node::Ite(..) => {
                if let Some(term) = self.lift([term], Sort::BitVec(width), |[value]| value >> low) {
                    return term;
                }
            }
            Node::Bv(op @ (BvOp::Add | BvOp::Sub | BvOp::Mul), a, b)
                if low == 0 && self.cut_cheaply(a) && self.cut_cheaply(b) =>
            {
                let (a, b) = (self.extract(a, 0, width), self.extract(b, 0, width));
                return self.bv(op, a, b);
            }
            _ => {}
        }
        let node = Node::Extract { low: low as u8, width: width as u8, of: term };
        self.intern(node, Sort::BitVec(width))
    }

    /// Whether low bits come without an extraction of a whole computation: they are a part, or a smaller one's.
    fn cut_cheaply(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Constant(..) | Node::Concat(..) | Node::Sext(..))
            || self.as_constant_ite(term).is_some()
    }

    /// The low bits.
    pub fn truncate(&mut self, term: Term, width: u32) -> Term {
        self.extract(term, 0, width)
    }

    /// `high`'s bits above those of `low`.
    ///
    /// # Panics
    /// When they are more than 128 bits together.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        assert!(width <= MAX_WIDTH, "{width} bits are more than {MAX_WIDTH}");
        // The parts of `high` from its lowest up, each put before what is there.
        let (mut high, mut low) = (high, low);
        let mut above = Vec::new();
        while let Node::Concat(first, rest) = *self.node(high) {
            above.push(first);
            high = rest;
        }
        loop {
            low = self.prepend(high, low);
            match above.pop() {
                Some(next) => high = next,
                None => return low,
            }
        }
    }

    /// A concatenation whose first part is none.
    fn prepend(&mut self, high: Term, low: Term) -> Term {
        if let Some(merged) = self.merged(high, low, MERGE_DEPTH) {
            return merged;
        }
        if let Node::Concat(middle, rest) = *self.node(low)
            && let Some(merged) = self.merged(high, middle, MERGE_DEPTH)
        {
            return self.concat(merged, rest);
        }
        let width = self.width(high) + self.width(low);
        self.intern(Node::Concat(high, low), Sort::BitVec(width))
    }

    /// Neighbouring parts as one term that is no concatenation, where there is one.
    fn merged(&mut self, high: Term, low: Term, depth: u32) -> Option<Term> {
        let (upper, lower) = (self.width(high), self.width(low));
        let width = upper + lower;
        match (*self.node(high), *self.node(low)) {
            (Node::Constant(_, a), Node::Constant(_, b)) => Some(self.constant(width, a.get() << lower | b.get())),
            (Node::Extract { low: at, of, .. }, Node::Extract { low: from, of: same, .. })
                if of == same && u32::from(at) == u32::from(from) + lower =>
            {
                Some(self.extract(of, from.into(), width))
            }
            (Node::Sext(_, a), Node::Sext(_, b)) if a == b && self.width(a) == 1 => Some(self.sext(a, width)),
            (Node::Sext(_, sign), _) if self.width(sign) == 1 && self.is_sign(sign, low) => Some(self.sext(low, width)),
            (Node::Sext(_, a), _) => {
                let inner = self.merged(a, low, depth)?;
                Some(self.sext(inner, width))
            }
            // The sign above: two copies of it make an extension.
            (Node::Extract { width: 1, .. }, _) if self.is_sign(high, low) => Some(self.sext(low, width)),
            (Node::Ite(p, a, b), Node::Ite(q, c, d)) if p == q && depth > 0 => {
                let yes = self.merged(a, c, depth - 1)?;
                let no = self.merged(b, d, depth - 1)?;
                Some(self.ite(p, yes, no))
            }
            (Node::Constant(..), Node::Ite(..)) | (Node::Ite(..), Node::Constant(..)) => {
                self.lift([high, low], Sort::BitVec(width), |[a, b]| a << lower | b)
            }
            _ => None,
        }
    }

    /// Whether a bit is the highest one of a term.
    fn is_sign(&self, bit: Term, term: Term) -> bool {
        self.top_bit(bit) == self.top_bit(term)
    }

    /// The highest bit as a bit of the term that it is taken from.
    fn top_bit(&self, mut term: Term) -> (Term, u32) {
        loop {
            match *self.node(term) {
                Node::Sext(_, inner) => term = inner,
                Node::Concat(high, _) => term = high,
                Node::Extract { low, width, of } => return (of, u32::from(low) + u32::from(width) - 1),
                _ => return (term, self.width(term) - 1),
            }
        }
    }

    /// Extension by zeros to `width`: a concatenation.
    ///
    /// # Panics
    /// When `width` is less than the term's.
    pub fn zext(&mut self, term: Term, width: u32) -> Term {
        let own = self.width(term);
        assert!(own <= width, "{width} bits cannot hold {own}");
        if own == width {
            return term;
        }
        let zero = self.constant(width - own, 0);
        self.concat(zero, term)
    }

    /// Extension by the sign to `width`.
    ///
    /// # Panics
    /// When `width` is less than the term's.
    pub fn sext(&mut self, term: Term, width: u32) -> Term {
        let own = self.width(term);
        assert!(own <= width && width <= MAX_WIDTH, "{width} bits cannot hold {own}");
        if own == width {
            return term;
        }
        match *self.node(term) {
            Node::Sext(_, inner) => return self.sext(inner, width),
            Node::Concat(high, _) => {
                if let Some(value) = self.as_constant(high) {
                    let negative = value >> (self.width(high) - 1) != 0;
                    let above = self.constant(width - own, if negative { u128::MAX } else { 0 });
                    return self.concat(above, term);
                }
            }
            Node::Constant(..) | Node::Ite(..) => {
                if let Some(term) = self.lift([term], Sort::BitVec(width), |[value]| fold::sext(value, own, width)) {
                    return term;
                }
            }
            _ => {}
        }
        self.intern(Node::Sext(width as u8, term), Sort::BitVec(width))
    }

    /// A truth value as one bit.
    pub fn from_bool(&mut self, term: Term) -> Term {
        let (one, zero) = (self.constant(1, 1), self.constant(1, 0));
        self.ite(term, one, zero)
    }

    /// Whether any bit is set.
    pub fn to_bool(&mut self, term: Term) -> Term {
        if self.is_bool(term) {
            return term;
        }
        let zero = self.constant(self.width(term), 0);
        let none = self.eq(term, zero);
        self.not(none)
    }

    /// One bit as a truth value.
    pub(crate) fn bit(&mut self, term: Term, at: u32) -> Term {
        let bit = self.extract(term, at, 1);
        self.to_bool(bit)
    }

    /// Every bit the other way.
    pub fn bvnot(&mut self, term: Term) -> Term {
        let width = self.width(term);
        match *self.node(term) {
            Node::Not(inner) => inner,
            Node::Constant(..) | Node::Ite(..) => self
                .lift([term], Sort::BitVec(width), |[value]| !value & mask(width))
                .unwrap_or_else(|| self.intern(Node::Not(term), Sort::BitVec(width))),
            _ => self.intern(Node::Not(term), Sort::BitVec(width)),
        }
    }

    /// `and`, `or` and `xor` of bits, constants on the right.
    pub(crate) fn bitwise(&mut self, op: BvOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let ones = mask(width);
        if a == b {
            return if op == BvOp::Xor { self.constant(width, 0) } else { a };
        }
        if self.complementary(a, b) {
            return self.constant(width, if op == BvOp::And { 0 } else { ones });
        }
        if let Some(k) = self.as_constant(b) {
            match (op, k) {
                (BvOp::And, 0) => return b,
                (BvOp::Or, k) if k == ones => return b,
                (BvOp::Or | BvOp::Xor, 0) => return a,
                (BvOp::And, k) if k == ones => return a,
                (BvOp::Xor, k) if k == ones => return self.bvnot(a),
                _ => {}
            }
            if let Node::Bv(same, x, l) = *self.node(a)
                && same == op
                && let Some(l) = self.as_constant(l)
            {
                let joint = self.constant(width, fold::bv(op, width, k, l));
                return self.bv(op, x, joint);
            }
            if let Some(term) = self.masked(op, a, k) {
                return term;
            }
        } else {
            // x & (x & y), x | (x & y) and their like.
            for (whole, part) in [(a, b), (b, a)] {
                if let Node::Bv(inner @ (BvOp::And | BvOp::Or), x, y) = *self.node(part)
                    && (x == whole || y == whole)
                    && op != BvOp::Xor
                {
                    return if inner == op { part } else { whole };
                }
            }
        }
        if let Some(term) = self.by_parts(op, a, b) {
            return term;
        }
        self.intern(Node::Bv(op, a, b), Sort::BitVec(width))
    }

    /// `and` or `or` with a constant of few runs of equal bits: parts of the term between constants.
    fn masked(&mut self, op: BvOp, a: Term, k: u128) -> Option<Term> {
        let width = self.width(a);
        let changes = ((k ^ (k >> 1)) & mask(width) >> 1).count_ones();
        if op == BvOp::Xor || changes > 2 {
            return None;
        }
        let mut result: Option<Term> = None;
        let mut low = 0;
        while low < width {
            let bit = k >> low & 1;
            let run = if bit == 1 { (k >> low).trailing_ones() } else { (k >> low).trailing_zeros() };
            let run = run.min(width - low);
            let part = match (op, bit) {
                (BvOp::And, 1) | (BvOp::Or, 0) => self.extract(a, low, run),
                (_, 1) => self.constant(run, u128::MAX),
                _ => self.constant(run, 0),
            };
            result = Some(match result {
                Some(below) => self.concat(part, below),
                None => part,
            });
            low += run;
        }
        result
    }

    /// An operation on bits of which each part has a constant on one side, for a sum a zero: no operation is left, or
    /// smaller ones.
    pub(crate) fn by_parts(&mut self, op: BvOp, a: Term, b: Term) -> Option<Term> {
        if !matches!((self.node(a), self.node(b)), (Node::Concat(..), _) | (_, Node::Concat(..))) {
            return None;
        }
        let (mut left, mut right) = (a, b);
        let mut pairs = Vec::new();
        loop {
            let split = match (*self.node(left), *self.node(right)) {
                (Node::Concat(_, p), Node::Concat(_, q)) => self.width(p).max(self.width(q)),
                (Node::Concat(_, p), _) | (_, Node::Concat(_, p)) => self.width(p),
                _ => 0,
            };
            let height = self.width(left) - split;
            let cut = |pool: &mut Self, term: Term| {
                let cuttable = matches!(pool.node(term), Node::Concat(..) | Node::Constant(..)) || split == 0;
                cuttable.then(|| pool.extract(term, split, height))
            };
            let (x, y) = (cut(self, left)?, cut(self, right)?);
            let settles = |value: Option<u128>| value.is_some_and(|value| op != BvOp::Add || value == 0);
            if !settles(self.as_constant(x)) && !settles(self.as_constant(y)) {
                return None;
            }
            pairs.push((x, y));
            if split == 0 {
                break;
            }
            left = self.extract(left, 0, split);
            right = self.extract(right, 0, split);
        }
        let mut result: Option<Term> = None;
        for (x, y) in pairs.into_iter().rev() {
            let part = self.bv(if op == BvOp::Add { BvOp::Or } else { op }, x, y);
            result = Some(match result {
                Some(below) => self.concat(part, below),
                None => part,
            });
        }
        result
    }

    /// A shift by a constant that is less than the width: parts.
    pub(crate) fn shifted(&mut self, op: BvOp, a: Term, by: u32) -> Term {
        let width = self.width(a);
        if by == 0 {
            return a;
        }
        match op {
            BvOp::Shl => {
                let rest = self.extract(a, 0, width - by);
                let zero = self.constant(by, 0);
                self.concat(rest, zero)
            }
            BvOp::LShr => {
                let rest = self.extract(a, by, width - by);
                self.zext(rest, width)
            }
            _ => {
                let rest = self.extract(a, by, width - by);
                self.sext(rest, width)
            }
        }
    }
}
