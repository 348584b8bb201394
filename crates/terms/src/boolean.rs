//! Truth values and choices, in normal form: `and`, `not`, `=` and `ite` are the only shapes.

use crate::{Node, Pool, Sort, Term};

impl Pool {
    /// Negation of a truth value.
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert!(self.is_bool(a), "a truth value");
        match *self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), Sort::Bool),
        }
    }

    /// Whether one is the negation of the other.
    pub(crate) fn complementary(&self, a: Term, b: Term) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Not(inner), _) if *inner == b => true,
            (_, Node::Not(inner)) if *inner == a => true,
            (Node::Bool(x), Node::Bool(y)) => x != y,
            _ => false,
        }
    }

    /// Conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (mut a, mut b) = (a, b);
        debug_assert!(self.is_bool(a) && self.is_bool(b), "truth values");
        // Each round leaves the operands smaller; what the rules can reach is a few rounds.
        for _ in 0..8 {
            if a == b {
                return a;
            }
            if b < a {
                (a, b) = (b, a);
            }
            if let Node::Bool(value) = *self.node(a) {
                return if value { b } else { a };
            }
            if self.complementary(a, b) {
                return self.falsity();
            }
            let result = match self.and_of_nested(a, b) {
                Conjunction::Open => self.and_of_nested(b, a),
                settled => settled,
            };
            match result {
                Conjunction::Is(term) => return term,
                Conjunction::Of(x, y) => (a, b) = (x, y),
                Conjunction::Open => break,
            }
        }
        if let (Node::And(p, q), Node::And(r, s)) = (*self.node(a), *self.node(b))
            && [(p, r), (p, s), (q, r), (q, s)].iter().any(|(x, y)| self.complementary(*x, *y))
        {
            return self.falsity();
        }
        if let Some(term) = self.and_of_equalities(a, b) {
            return term;
        }
        self.intern(Node::And(a, b), Sort::Bool)
    }

    /// What the operands of `p` say about its conjunction with `q`.
    fn and_of_nested(&mut self, p: Term, q: Term) -> Conjunction {
        match *self.node(p) {
            Node::And(x, y) => {
                if x == q || y == q {
                    Conjunction::Is(p)
                } else if self.complementary(x, q) || self.complementary(y, q) {
                    Conjunction::Is(self.falsity())
                } else {
                    Conjunction::Open
                }
            }
            Node::Not(inner) => {
                let Node::And(x, y) = *self.node(inner) else { return Conjunction::Open };
                if self.complementary(x, q) || self.complementary(y, q) {
                    Conjunction::Is(q)
                } else if x == q {
                    Conjunction::Of(q, self.not(y))
                } else if y == q {
                    Conjunction::Of(q, self.not(x))
                } else {
                    Conjunction::Open
                }
            }
            _ => Conjunction::Open,
        }
    }

    /// A term equal to one constant is not equal to another.
    fn and_of_equalities(&mut self, a: Term, b: Term) -> Option<Term> {
        let equality = |term: Term, pool: &Pool| match *pool.node(term) {
            Node::Eq(x, k) => pool.as_constant(k).map(|k| (x, k)),
            _ => None,
        };
        let denied = |term: Term, pool: &Pool| match *pool.node(term) {
            Node::Not(inner) => equality(inner, pool),
            _ => None,
        };
        match (equality(a, self), equality(b, self)) {
            (Some((x, _)), Some((y, _))) => (x == y).then(|| self.falsity()),
            (Some((x, k)), None) => denied(b, self).filter(|(y, l)| x == *y && k != *l).map(|_| a),
            (None, Some((y, l))) => denied(a, self).filter(|(x, k)| *x == y && *k != l).map(|_| b),
            (None, None) => None,
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.iff(a, b);
        self.not(same)
    }

    /// The second where the first holds.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let b = self.not(b);
        let broken = self.and(a, b);
        self.not(broken)
    }

    /// Both or neither.
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        debug_assert!(self.is_bool(a) && self.is_bool(b), "truth values");
        let (mut a, mut b, mut flip) = (a, b, false);
        for side in [&mut a, &mut b] {
            if let Node::Not(inner) = *self.node(*side) {
                (*side, flip) = (inner, !flip);
            }
        }
        if b < a {
            (a, b) = (b, a);
        }
        let same = match *self.node(a) {
            _ if a == b => self.truth(),
            Node::Bool(true) => b,
            Node::Bool(false) => self.not(b),
            _ => self.intern(Node::Eq(a, b), Sort::Bool),
        };
        if flip { self.not(same) } else { same }
    }

    /// All of them, as a balanced conjunction.
    pub fn all(&mut self, terms: &[Term]) -> Term {
        let mut level: Vec<Term> = terms.to_vec();
        level.sort_unstable();
        level.dedup();
        for term in &level {
            if let Node::Not(inner) = self.node(*term)
                && level.binary_search(inner).is_ok()
            {
                return self.falsity();
            }
        }
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] }).collect();
        }
        level.pop().unwrap_or(self.truth())
    }

    /// Any of them.
    pub fn any(&mut self, terms: &[Term]) -> Term {
        let denied: Vec<Term> = terms.iter().map(|term| self.not(*term)).collect();
        let none = self.all(&denied);
        self.not(none)
    }

    /// `a` where `condition` holds, else `b`.
    ///
    /// # Panics
    /// When the sorts of `a` and `b` differ.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "both values of a choice have one sort");
        debug_assert!(self.is_bool(condition), "a truth value");
        let (mut condition, mut a, mut b) = (condition, a, b);
        // Every round takes a choice out of a branch.
        loop {
            if let Some(value) = self.as_bool(condition) {
                return if value { a } else { b };
            }
            if let Node::Not(inner) = *self.node(condition) {
                (condition, a, b) = (inner, b, a);
            }
            if let Node::Ite(same, yes, _) = *self.node(a)
                && same == condition
            {
                a = yes;
            }
            if let Node::Ite(same, _, no) = *self.node(b)
                && same == condition
            {
                b = no;
            }
            if a == b {
                return a;
            }
            if let Node::Eq(x, y) = *self.node(condition)
                && ((x, y) == (a, b) || (x, y) == (b, a))
            {
                return b;
            }
            if self.is_bool(a) {
                return self.ite_of_truths(condition, a, b);
            }
            match self.merged_conditions(condition, a, b) {
                Some(merged) => (condition, a, b) = merged,
                None => break,
            }
        }
        if let Some(term) = self.ite_of_concats(condition, a, b) {
            return term;
        }
        let sort = self.sort(a);
        self.intern(Node::Ite(condition, a, b), sort)
    }

    fn ite_of_truths(&mut self, condition: Term, a: Term, b: Term) -> Term {
        // What a branch is where it counts, if that is settled: there the condition holds, or does not.
        let settled = |term: Term, holds: bool| match self.as_bool(term) {
            Some(value) => Some(value),
            None if term == condition => Some(holds),
            None if self.complementary(term, condition) => Some(!holds),
            None => None,
        };
        match (settled(a, true), settled(b, false)) {
            (Some(x), Some(y)) => match (x, y) {
                (true, true) => self.truth(),
                (false, false) => self.falsity(),
                (true, false) => condition,
                (false, true) => self.not(condition),
            },
            (Some(true), None) => self.or(condition, b),
            (Some(false), None) => {
                let not = self.not(condition);
                self.and(not, b)
            }
            (None, Some(true)) => self.implies(condition, a),
            (None, Some(false)) => self.and(condition, a),
            (None, None) if self.complementary(a, b) => self.iff(condition, a),
            (None, None) => self.intern(Node::Ite(condition, a, b), Sort::Bool),
        }
    }

    /// A choice in one branch that has the other branch among its values: one choice under a joint condition.
    fn merged_conditions(&mut self, condition: Term, a: Term, b: Term) -> Option<(Term, Term, Term)> {
        if let Node::Ite(inner, x, y) = *self.node(a) {
            if y == b {
                return Some((self.and(condition, inner), x, b));
            }
            if x == b {
                let not = self.not(inner);
                return Some((self.and(condition, not), y, b));
            }
        }
        if let Node::Ite(inner, x, y) = *self.node(b) {
            if x == a {
                return Some((self.or(condition, inner), a, y));
            }
            if y == a {
                let not = self.not(inner);
                return Some((self.or(condition, not), a, x));
            }
        }
        None
    }

    /// Branches that share their upper or lower part choose only between the rest.
    fn ite_of_concats(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        let low = match (self.node(a), self.node(b)) {
            (Node::Concat(_, p), Node::Concat(_, q)) => self.width(*p).min(self.width(*q)),
            (Node::Concat(_, p), Node::Constant(..)) | (Node::Constant(..), Node::Concat(_, p)) => self.width(*p),
            _ => return None,
        };
        let high = self.width(a) - low;
        let (a_high, b_high) = (self.part(a, low, high)?, self.part(b, low, high)?);
        let (a_low, b_low) = (self.part(a, 0, low)?, self.part(b, 0, low)?);
        if a_high == b_high {
            let low = self.ite(condition, a_low, b_low);
            return Some(self.concat(a_high, low));
        }
        if a_low == b_low {
            let high = self.ite(condition, a_high, b_high);
            return Some(self.concat(high, a_low));
        }
        None
    }

    /// Bits of a constant or a concatenation split where they start or end.
    fn part(&mut self, term: Term, low: u32, width: u32) -> Option<Term> {
        match self.node(term) {
            Node::Constant(..) | Node::Concat(..) => Some(self.extract(term, low, width)),
            _ => None,
        }
    }
}

/// What is known of a conjunction.
enum Conjunction {
    Is(Term),
    Of(Term, Term),
    Open,
}
