//! Random formulas.

use whydunit_terms::{BvOp, Compare, Pool, Sort, Term};

/// Numbers for choices, from a seed (SplitMix64).
pub struct Choices(u64);

impl Choices {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A value of a width, often a small one or one of few bits.
    pub fn value(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(5) {
            0 => wide & 3,
            1 => !(wide & 3),
            2 => 1 << self.below(width as usize),
            _ => wide,
        };
        value & (u128::MAX >> (128 - width))
    }
}

/// Terms that grow from a few variables.
pub struct Formulas {
    /// Theirs.
    pub pool: Pool,
    choices: Choices,
    terms: Vec<Term>,
    division: bool,
}

impl Formulas {
    /// Two variables of each width, and one truth value.
    pub fn new(seed: u64, widths: &[u32]) -> Self {
        let mut pool = Pool::new();
        let mut terms = vec![pool.variable(Sort::Bool, "p")];
        for width in widths {
            terms.push(pool.variable(Sort::BitVec(*width), "x"));
            terms.push(pool.variable(Sort::BitVec(*width), "y"));
        }
        Self { pool, choices: Choices::new(seed), terms, division: true }
    }

    /// Leaves out what takes solvers long.
    pub fn without_division(mut self) -> Self {
        self.division = false;
        self
    }

    fn pick(&mut self, wanted: impl Fn(Sort) -> bool) -> Option<Term> {
        for _ in 0..20 {
            let reach = if self.choices.below(2) == 0 { self.terms.len().min(6) } else { self.terms.len() };
            let term = self.terms[self.terms.len() - 1 - self.choices.below(reach)];
            if wanted(self.pool.sort(term)) {
                return Some(term);
            }
        }
        None
    }

    fn partner(&mut self, like: Term) -> Term {
        let sort = self.pool.sort(like);
        if self.choices.below(3) > 0
            && let Some(term) = self.pick(|other| other == sort)
        {
            return term;
        }
        match sort {
            Sort::Bool => self.terms[0],
            Sort::BitVec(width) => {
                let value = self.choices.value(width);
                self.pool.constant(width, value)
            }
        }
    }

    fn step(&mut self) -> Option<Term> {
        let bits = |sort| matches!(sort, Sort::BitVec(_));
        Some(match self.choices.below(12) {
            0..=3 => {
                let a = self.pick(bits)?;
                let b = self.partner(a);
                let hard = [BvOp::UDiv, BvOp::SDiv, BvOp::URem, BvOp::SRem, BvOp::Mul];
                let op = BvOp::ALL[self.choices.below(13)];
                if !self.division && hard.contains(&op) && self.pool.as_constant(b).is_none() {
                    return None;
                }
                self.pool.bv(op, a, b)
            }
            4 => {
                let a = self.pick(|sort| sort == Sort::Bool)?;
                let b = self.partner(a);
                if self.choices.below(2) == 0 { self.pool.and(a, b) } else { self.pool.xor(a, b) }
            }
            5 => {
                let condition = self.pick(|sort| sort == Sort::Bool)?;
                let a = self.pick(|_| true)?;
                let b = self.partner(a);
                self.pool.ite(condition, a, b)
            }
            6 | 7 => {
                let a = self.pick(bits)?;
                let b = self.partner(a);
                let compare = [Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle][self.choices.below(4)];
                self.pool.compare(compare, a, b)
            }
            8 => {
                let a = self.pick(|_| true)?;
                let b = self.partner(a);
                self.pool.eq(a, b)
            }
            9 => {
                let a = self.pick(bits)?;
                let width = self.pool.width(a);
                let low = self.choices.below(width as usize) as u32;
                let size = 1 + self.choices.below((width - low) as usize) as u32;
                let part = self.pool.extract(a, low, size);
                self.pool.sext(part, width)
            }
            10 => {
                let a = self.pick(bits)?;
                let b = self.pick(bits)?;
                if self.pool.width(a) + self.pool.width(b) > 40 {
                    return None;
                }
                self.pool.concat(a, b)
            }
            _ => {
                let a = self.pick(|_| true)?;
                if self.pool.is_bool(a) { self.pool.not(a) } else { self.pool.bvnot(a) }
            }
        })
    }

    /// A truth value after so many steps, that no simplification has settled.
    pub fn formula(&mut self, steps: usize) -> Term {
        for _ in 0..steps {
            if let Some(term) = self.step() {
                self.terms.push(term);
            }
        }
        let open = |pool: &Pool, term: &Term| pool.is_bool(*term) && pool.as_bool(*term).is_none();
        let pool = &self.pool;
        let latest: Vec<Term> = self.terms.iter().rev().filter(|term| open(pool, term)).take(3).copied().collect();
        let formula = self.pool.all(&latest);
        if self.pool.as_bool(formula).is_some() { latest[0] } else { formula }
    }
}
