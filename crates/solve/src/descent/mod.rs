//! Local search by propagating wanted values (Niemetz, Preiner and Biere, "Precise and Complete Propagation Based Local
//! Search for Satisfiability Modulo Theories", CAV 2016): from a formula that does not hold down to a variable, which then
//! gets the value that mends it. It finds models of large formulas and of floats in little time, near the assignment that it
//! starts from; it never finds out that there is none.

mod inverse;
mod values;

use whydunit_terms::{Assignment, Node, Pool, Term};

use inverse::Wanted;
use values::Values;

/// A search for an assignment under which formulas hold.
pub struct Descent<'a> {
    pool: &'a Pool,
    values: Values<'a>,
    /// The formulas, conjunctions taken apart.
    roots: Vec<Term>,
    /// Variables, with the values that they should rather have.
    preferred: Vec<(Term, u128)>,
    random: Random,
}

/// A small generator, the same on every machine (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
    /// True in so many of a hundred cases.
    pub fn percent(&mut self, cases: u64) -> bool {
        self.below(100) < cases
    }
}

impl<'a> Descent<'a> {
    /// A search for what makes `formulas` (truth values) hold, from `start` on: that is where variables should stay.
    pub fn new(pool: &'a Pool, formulas: &[Term], start: &Assignment) -> Self {
        let mut roots = Vec::new();
        let mut open: Vec<Term> = formulas.iter().rev().copied().collect();
        while let Some(term) = open.pop() {
            match *pool.node(term) {
                Node::And(a, b) => open.extend([b, a]),
                Node::Bool(true) => {}
                _ => roots.push(term),
            }
        }
        roots.sort_unstable();
        roots.dedup();
        let values = Values::new(pool, &roots, start);
        let preferred = values.variables().map(|variable| (variable, start.get(variable).unwrap_or(0))).collect();
        Self { pool, values, roots, preferred, random: Random(0x9e37_79b9_7f4a_7c15) }
    }

    /// A search that stands at `model` and settles toward `preferred`.
    pub fn from(pool: &'a Pool, formulas: &[Term], preferred: &Assignment, model: &Assignment) -> Self {
        let mut descent = Self::new(pool, formulas, preferred);
        for (variable, value) in model.iter() {
            descent.values.set(variable, value);
        }
        descent
    }

    /// Whether the formulas hold under the present assignment.
    pub fn holds(&self) -> bool {
        self.roots.iter().all(|&root| self.values.get(root) & 1 == 1)
    }

    /// Searches for so many moves, and so many values of terms that are worked out anew; true when the formulas hold.
    pub fn search(&mut self, moves: u64, work: u64) -> bool {
        for _ in 0..moves {
            if self.values.work() > work {
                break;
            }
            let broken: Vec<Term> = self.roots.iter().copied().filter(|&root| self.values.get(root) & 1 == 0).collect();
            if broken.is_empty() {
                return true;
            }
            let root = broken[self.random.below(broken.len() as u64) as usize];
            if let Some((variable, value)) = self.descend(root) {
                self.values.set(variable, value);
            }
        }
        self.holds()
    }

    /// The variable, and its value, that would make `root` hold, as far as one walk down can tell.
    fn descend(&mut self, root: Term) -> Option<(Term, u128)> {
        let (mut term, mut wanted) = (root, 1);
        loop {
            if matches!(self.pool.node(term), Node::Variable(_)) {
                return Some((term, wanted));
            }
            match inverse::step(self.pool, &self.values, &mut self.random, term, wanted) {
                Wanted::Of(operand, value) => (term, wanted) = (operand, value),
                Wanted::Nothing => return self.anything(term),
            }
        }
    }

    /// Where no value of an operand gives what is wanted: some variable below gets another value.
    fn anything(&mut self, term: Term) -> Option<(Term, u128)> {
        let mut at = term;
        loop {
            let node = self.pool.node(at);
            if let Node::Variable(_) = node {
                let (now, width) = (self.values.get(at), self.pool.width(at));
                let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
                let value = match self.random.below(6) {
                    0 => now.wrapping_add(1),
                    1 => now.wrapping_sub(1),
                    2 => 0,
                    3 => now ^ 1 << self.random.below(width.into()),
                    4 => self.preferred.iter().find(|it| it.0 == at).map_or(0, |it| it.1),
                    _ => u128::from(self.random.next()) << 64 | u128::from(self.random.next()),
                };
                return Some((at, value & mask));
            }
            let open: Vec<Term> = node.operands().filter(|&operand| self.values.is_open(operand)).collect();
            if open.is_empty() {
                return None;
            }
            at = open[self.random.below(open.len() as u64) as usize];
        }
    }

    /// Puts variables back to where they should rather be, and otherwise nearer to it, as long as the formulas hold, until so
    /// many values of terms were worked out anew.
    pub fn settle(&mut self, work: u64) {
        if !self.holds() {
            return;
        }
        let work = self.values.work() + work;
        for at in (0..self.preferred.len()).rev() {
            if self.values.work() > work {
                return;
            }
            let (variable, preferred) = self.preferred[at];
            let now = self.values.get(variable);
            if now == preferred {
                continue;
            }
            let width = self.pool.width(variable);
            let nearer = nearer(now, preferred, width);
            for value in std::iter::once(preferred).chain(nearer) {
                self.values.set(variable, value);
                if self.holds() {
                    break;
                }
                self.values.set(variable, now);
            }
        }
    }

    /// How many values of terms were worked out anew so far.
    pub fn work(&self) -> u64 {
        self.values.work()
    }

    /// The present values of the variables.
    pub fn assignment(&self) -> Assignment {
        self.values.variables().map(|variable| (variable, self.values.get(variable))).collect()
    }
}

/// Numbers between a value and the one that it should rather be, the nearest to the latter first, and small numbers; for
/// whole numbers. All fit into `width` bits.
fn nearer(now: u128, preferred: u128, width: u32) -> Vec<u128> {
    if width < 2 {
        return Vec::new();
    }
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let step = |by: i128| preferred.wrapping_add(by as u128) & mask;
    let mut all: Vec<u128> = vec![step(1), step(-1), 0, 1, mask];
    all.retain(|&value| value != now && value != preferred);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_terms::{BvOp, Compare, Evaluator, Format, Rounding, Sort};

    fn found(pool: &Pool, formulas: &[Term], start: &Assignment) -> Assignment {
        let mut descent = Descent::new(pool, formulas, start);
        assert!(descent.search(2000, 1_000_000));
        descent.settle(1_000_000);
        let model = descent.assignment();
        let mut evaluator = Evaluator::new(pool, &model);
        assert!(formulas.iter().all(|&formula| evaluator.holds(formula)));
        model
    }

    #[test]
    fn sums_products_and_choices_are_inverted() {
        let mut pool = Pool::new();
        let (x, y) = (pool.variable(Sort::BitVec(32), "x"), pool.variable(Sort::BitVec(32), "y"));
        let seven = pool.constant(32, 7);
        let product = pool.bv(BvOp::Mul, x, seven);
        let sum = pool.bv(BvOp::Add, product, y);
        let target = pool.constant(32, 1000);
        let equal = pool.eq(sum, target);
        let small = pool.compare(Compare::Slt, y, seven);
        let zero = pool.constant(32, 0);
        let positive = pool.compare(Compare::Sle, zero, y);
        let model = found(&pool, &[equal, small, positive], &Assignment::new());
        assert!(model.get(y).is_some_and(|y| y < 7));
    }

    #[test]
    fn floats_are_inverted_and_what_may_stay_stays() {
        let mut pool = Pool::new();
        let (x, y) = (pool.variable(Sort::BitVec(64), "x"), pool.variable(Sort::BitVec(64), "y"));
        let third = pool.constant(64, 3.0f64.to_bits().into());
        let quotient = pool.float(whydunit_terms::FloatOp::Div, Format::Double, x, third, Rounding::NearestEven);
        let sum = pool.float(whydunit_terms::FloatOp::Add, Format::Double, quotient, y, Rounding::NearestEven);
        let (low, high) =
            (pool.constant(64, 2.4995f64.to_bits().into()), pool.constant(64, 2.5005f64.to_bits().into()));
        let above = pool.float_compare(whydunit_terms::FloatCompare::Le, Format::Double, low, sum);
        let below = pool.float_compare(whydunit_terms::FloatCompare::Le, Format::Double, sum, high);
        let start = Assignment::from_iter([(x, 3.0f64.to_bits().into()), (y, 1.0f64.to_bits().into())]);
        let model = found(&pool, &[above, below], &start);
        let stays = |variable, value: f64| model.get(variable) == Some(value.to_bits().into());
        assert!(stays(x, 3.0) || stays(y, 1.0), "{model:?}");
    }

    #[test]
    fn what_cannot_hold_is_not_found() {
        let mut pool = Pool::new();
        let x = pool.variable(Sort::BitVec(8), "x");
        let (two, one) = (pool.constant(8, 2), pool.constant(8, 1));
        let even = pool.bv(BvOp::Mul, x, two);
        let odd = pool.eq(even, one);
        let y = pool.variable(Sort::Bool, "y");
        let either = pool.or(odd, y);
        let not_y = pool.not(y);
        assert!(!Descent::new(&pool, &[either, not_y], &Assignment::new()).search(200, 1_000_000));
    }
}
