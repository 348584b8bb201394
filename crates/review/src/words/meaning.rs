//! What a formula says as it is written for people: in whole numbers that have no width, where the program's have one. A condition is
//! told only where both agree on the values of the run that it is of.

use whydunit_terms::{Assignment, BvOp, Evaluator, Node, Pool, Term, support};

/// Deeper ones are not written out, either.
const DEEPEST: usize = 12;

/// Reads formulas as they are written, with the values of a run.
pub struct Meaning<'a> {
    pool: &'a Pool,
    values: &'a Assignment,
}

impl<'a> Meaning<'a> {
    pub fn new(pool: &'a Pool, values: &'a Assignment) -> Self {
        Self { pool, values }
    }

    /// A number as it is meant most often: with a sign.
    fn signed(&self, term: Term, value: u128) -> i128 {
        let shift = 128 - self.pool.width(term);
        (value << shift) as i128 >> shift
    }

    /// What a term is as it is written. None where that is no whole number, or nobody would read it as one.
    pub fn number(&self, term: Term) -> Option<i128> {
        self.number_within(term, DEEPEST)
    }

    fn number_within(&self, term: Term, depth: usize) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let pool = self.pool;
        match *pool.node(term) {
            Node::Variable(_) => Some(self.signed(term, self.values.get(term)?)),
            Node::Constant(_, value) => Some(self.signed(term, value.get())),
            Node::Ite(condition, then, other) => {
                if self.holds_within(condition, depth)? {
                    self.number_within(then, depth)
                } else {
                    self.number_within(other, depth)
                }
            }
            Node::Extract { low: 0, of, .. } | Node::Sext(_, of) => self.number_within(of, depth),
            Node::Concat(high, low) if pool.as_constant(high) == Some(0) => self.number_within(low, depth),
            Node::Bv(op, a, b) => {
                let (a, b) = (self.number_within(a, depth)?, self.number_within(b, depth)?);
                match op {
                    BvOp::Add => a.checked_add(b),
                    BvOp::Sub => a.checked_sub(b),
                    BvOp::Mul => a.checked_mul(b),
                    BvOp::UDiv | BvOp::SDiv => a.checked_div(b),
                    BvOp::URem | BvOp::SRem => a.checked_rem(b),
                    BvOp::And => Some(a & b),
                    BvOp::Or => Some(a | b),
                    BvOp::Xor => Some(a ^ b),
                    BvOp::Shl => u32::try_from(b).ok().filter(|b| *b < 64).map(|b| a << b),
                    BvOp::LShr | BvOp::AShr => u32::try_from(b).ok().filter(|b| *b < 64).map(|b| a >> b),
                }
            }
            _ => None,
        }
    }

    /// Whether a condition holds as it is written. None where it has parts that are not read as they are computed.
    pub fn holds(&self, term: Term) -> Option<bool> {
        self.holds_within(term, DEEPEST)
    }

    fn holds_within(&self, term: Term, depth: usize) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let pool = self.pool;
        match *pool.node(term) {
            Node::Bool(value) => Some(value),
            Node::Not(inner) if pool.is_bool(inner) => self.holds_within(inner, depth).map(|holds| !holds),
            Node::And(a, b) => Some(self.holds_within(a, depth)? && self.holds_within(b, depth)?),
            Node::Ite(condition, then, other) => {
                if self.holds_within(condition, depth)? {
                    self.holds_within(then, depth)
                } else {
                    self.holds_within(other, depth)
                }
            }
            Node::Eq(a, b) if pool.is_bool(a) => Some(self.holds_within(a, depth)? == self.holds_within(b, depth)?),
            Node::Eq(a, b) => Some(self.number_within(a, depth)? == self.number_within(b, depth)?),
            Node::Slt(a, b) | Node::Ult(a, b) => Some(self.number_within(a, depth)? < self.number_within(b, depth)?),
            Node::FloatCompare(..) => Some(self.really(term)),
            _ => None,
        }
    }

    /// Whether a condition that is a fact of the run is one, too, as it is written.
    pub fn is_true(&self, term: Term) -> bool {
        self.holds(term) == Some(true)
    }

    /// Whether it holds as the program computes it.
    fn really(&self, term: Term) -> bool {
        // What the run has no value for is as good as any.
        let missing = support(self.pool, &[term]).into_iter().filter(|one| self.values.get(*one).is_none());
        let mut values = self.values.clone();
        missing.for_each(|one| values.set(one, 0));
        Evaluator::new(self.pool, &values).holds(term)
    }
}
