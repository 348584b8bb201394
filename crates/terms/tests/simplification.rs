//! The law of construction: whatever the simplifier does, a term is worth what its operation says of the values of its
//! operands. The operations are written here once more, on plain numbers.

use proptest::prelude::*;
use whydunit_terms::{Assignment, BvOp, Compare, Evaluator, Pool, Sort, Term};

/// How many assignments a term is held against.
const LANES: usize = 12;

/// A term with its value under each assignment, found without the pool.
#[derive(Clone)]
struct Known {
    term: Term,
    /// 0 for a truth value.
    width: u32,
    values: [u128; LANES],
}

/// Numbers for choices, from a seed.
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    /// Often small, near a power of two, or all ones.
    fn value(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(6) {
            0 => u128::from(self.next() % 4),
            1 => u128::MAX - u128::from(self.next() % 3),
            2 => 1 << self.below(width as usize),
            3 => (1 << self.below(width as usize)) - 1,
            _ => wide,
        };
        value & mask(width)
    }
}

fn mask(width: u32) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

fn negative(value: u128, width: u32) -> bool {
    value >> (width - 1) & 1 == 1
}

fn magnitude(value: u128, width: u32) -> u128 {
    if negative(value, width) { (value ^ mask(width)).wrapping_add(1) & mask(width) } else { value }
}

fn minus(value: u128, width: u32) -> u128 {
    (value ^ mask(width)).wrapping_add(1) & mask(width)
}

fn less_signed(a: u128, b: u128, width: u32) -> bool {
    match (negative(a, width), negative(b, width)) {
        (true, false) => true,
        (false, true) => false,
        _ => a < b,
    }
}

/// SMT-LIB's definitions: signed division by magnitudes.
fn operation(op: BvOp, width: u32, a: u128, b: u128) -> u128 {
    let m = mask(width);
    let udiv = |a: u128, b: u128| a.checked_div(b).unwrap_or(m);
    let urem = |a: u128, b: u128| a.checked_rem(b).unwrap_or(a);
    let (x, y) = (magnitude(a, width), magnitude(b, width));
    let shift = |f: &dyn Fn(u32) -> u128, beyond: u128| if b < u128::from(width) { f(b as u32) } else { beyond };
    match op {
        BvOp::Add => a.wrapping_add(b) & m,
        BvOp::Sub => a.wrapping_add(minus(b, width)) & m,
        BvOp::Mul => a.wrapping_mul(b) & m,
        BvOp::UDiv => udiv(a, b),
        BvOp::URem => urem(a, b),
        BvOp::SDiv if negative(a, width) != negative(b, width) => minus(udiv(x, y), width),
        BvOp::SDiv => udiv(x, y),
        BvOp::SRem if negative(a, width) => minus(urem(x, y), width),
        BvOp::SRem => urem(x, y),
        BvOp::Shl => shift(&|by| a << by & m, 0),
        BvOp::LShr => shift(&|by| a >> by, 0),
        BvOp::AShr if negative(a, width) => shift(&|by| (a | !m) >> by & m | m & !(m >> by), m),
        BvOp::AShr => shift(&|by| a >> by, 0),
        BvOp::And => a & b,
        BvOp::Or => a | b,
        BvOp::Xor => a ^ b,
    }
}

/// A value for each assignment.
fn lanes(value: &dyn Fn(usize) -> u128) -> [u128; LANES] {
    std::array::from_fn(value)
}

struct Grown {
    pool: Pool,
    assignments: Vec<Assignment>,
    known: Vec<Known>,
    choices: Choices,
}

impl Grown {
    fn new(seed: u64, widths: &[u32]) -> Self {
        let mut choices = Choices(seed);
        let mut pool = Pool::new();
        let mut assignments = vec![Assignment::new(); LANES];
        let mut known = Vec::new();
        for width in widths.iter().flat_map(|width| [*width; 2]).chain([0, 0]) {
            let sort = if width == 0 { Sort::Bool } else { Sort::BitVec(width) };
            let term = pool.variable(sort, "v");
            let values = std::array::from_fn(|_| choices.value(width.max(1)));
            for (assignment, value) in assignments.iter_mut().zip(values) {
                assignment.set(term, value);
            }
            known.push(Known { term, width, values });
        }
        Self { pool, assignments, known, choices }
    }

    fn pick(&mut self, wanted: impl Fn(u32) -> bool) -> Option<Known> {
        // The latest terms more often: deep nests.
        for _ in 0..20 {
            let reach = if self.choices.below(2) == 0 { self.known.len().min(8) } else { self.known.len() };
            let at = self.known.len() - 1 - self.choices.below(reach);
            if wanted(self.known[at].width) {
                return Some(self.known[at].clone());
            }
        }
        None
    }

    /// A partner of a width: often a constant.
    fn partner(&mut self, width: u32) -> Known {
        if width > 0 && self.choices.below(3) == 0 {
            let value = self.choices.value(width);
            return Known { term: self.pool.constant(width, value), width, values: [value; LANES] };
        }
        match self.pick(|other| other == width) {
            Some(known) => known,
            None => {
                let value = self.choices.value(width.max(1));
                let term = if width == 0 { self.pool.bool(value == 1) } else { self.pool.constant(width, value) };
                Known { term, width, values: [value; LANES] }
            }
        }
    }

    fn step(&mut self) -> Option<Known> {
        let kind = self.choices.below(24);
        let known = match kind {
            0..=6 => {
                let a = self.pick(|width| width > 0)?;
                let mut b = self.partner(a.width);
                let mut a = a;
                if self.choices.below(4) == 0 {
                    (a, b) = (b, a);
                }
                let op = BvOp::ALL[self.choices.below(13)];
                let term = self.pool.bv(op, a.term, b.term);
                Known { term, width: a.width, values: lanes(&|at| operation(op, a.width, a.values[at], b.values[at])) }
            }
            7 | 8 => self.connective()?,
            9 => {
                let a = self.pick(|_| true)?;
                let term = if a.width == 0 { self.pool.not(a.term) } else { self.pool.bvnot(a.term) };
                Known { term, width: a.width, values: lanes(&|at| a.values[at] ^ mask(a.width.max(1))) }
            }
            10..=12 => {
                let condition = self.pick(|width| width == 0)?;
                let a = self.pick(|_| true)?;
                let (mut a, mut b) = (a.clone(), self.partner(a.width));
                if self.choices.below(2) == 0 {
                    (a, b) = (b, a);
                }
                let term = self.pool.ite(condition.term, a.term, b.term);
                let value = |at: usize| if condition.values[at] == 1 { a.values[at] } else { b.values[at] };
                Known { term, width: a.width, values: lanes(&value) }
            }
            13 | 14 => {
                let a = self.pick(|_| true)?;
                let b = self.partner(a.width);
                let term = self.pool.eq(a.term, b.term);
                Known { term, width: 0, values: lanes(&|at| (a.values[at] == b.values[at]).into()) }
            }
            15 | 16 => self.comparison()?,
            17 | 18 => {
                let a = self.pick(|width| width > 0)?;
                let low = self.choices.below(a.width as usize) as u32;
                let low = if self.choices.below(3) == 0 { 0 } else { low };
                let width = 1 + self.choices.below((a.width - low) as usize) as u32;
                let term = self.pool.extract(a.term, low, width);
                Known { term, width, values: lanes(&|at| a.values[at] >> low & mask(width)) }
            }
            19 | 20 => {
                let a = self.pick(|width| width > 0)?;
                let wanted = self.choices.below(2) * a.width as usize;
                let b = if wanted > 0 { self.partner(a.width) } else { self.pick(|width| width > 0)? };
                if a.width + b.width > 128 {
                    return None;
                }
                let term = self.pool.concat(a.term, b.term);
                Known { term, width: a.width + b.width, values: lanes(&|at| a.values[at] << b.width | b.values[at]) }
            }
            21 => {
                let a = self.pick(|width| width > 0)?;
                let width = (a.width + self.choices.below(20) as u32).min(128);
                let signed = self.choices.below(2) == 0;
                let term = if signed { self.pool.sext(a.term, width) } else { self.pool.zext(a.term, width) };
                let high = mask(width) & !mask(a.width);
                let value = |at: usize| {
                    let value = a.values[at];
                    if signed && negative(value, a.width) { value | high } else { value }
                };
                Known { term, width, values: lanes(&value) }
            }
            22 => self.count()?,
            _ => {
                let index = self.pick(|width| width > 0)?;
                let default = self.pick(|_| true)?;
                let count = self.choices.below(7);
                let elements: Vec<Known> = (0..count).map(|_| self.partner(default.width)).collect();
                let terms: Vec<Term> = elements.iter().map(|element| element.term).collect();
                let term = self.pool.choose(index.term, &terms, default.term);
                let value = |at: usize| {
                    let chosen = usize::try_from(index.values[at]).ok().and_then(|index| elements.get(index));
                    chosen.unwrap_or(&default).values[at]
                };
                Known { term, width: default.width, values: lanes(&value) }
            }
        };
        Some(known)
    }

    /// Two truth values connected.
    fn connective(&mut self) -> Option<Known> {
        let (a, b) = (self.pick(|width| width == 0)?, self.pick(|width| width == 0)?);
        let which = self.choices.below(5);
        let term = match which {
            0 => self.pool.and(a.term, b.term),
            1 => self.pool.or(a.term, b.term),
            2 => self.pool.xor(a.term, b.term),
            3 => self.pool.implies(a.term, b.term),
            _ => self.pool.iff(a.term, b.term),
        };
        let value = |at: usize| {
            let (a, b) = (a.values[at], b.values[at]);
            match which {
                0 => a & b,
                1 => a | b,
                2 => a ^ b,
                3 => (a ^ 1) | b,
                _ => a ^ b ^ 1,
            }
        };
        Some(Known { term, width: 0, values: lanes(&value) })
    }

    fn comparison(&mut self) -> Option<Known> {
        let a = self.pick(|width| width > 0)?;
        let (mut a, mut b) = (a.clone(), self.partner(a.width));
        if self.choices.below(2) == 0 {
            (a, b) = (b, a);
        }
        let compare = [Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle][self.choices.below(4)];
        let term = self.pool.compare(compare, a.term, b.term);
        let value = |at: usize| {
            let (x, y) = (a.values[at], b.values[at]);
            u128::from(match compare {
                Compare::Ult => x < y,
                Compare::Ule => x <= y,
                Compare::Slt => less_signed(x, y, a.width),
                Compare::Sle => !less_signed(y, x, a.width),
            })
        };
        Some(Known { term, width: 0, values: lanes(&value) })
    }

    /// Of one operand: a count of its bits, or what it is with the other sign.
    fn count(&mut self) -> Option<Known> {
        let a = self.pick(|width| width > 0)?;
        let which = self.choices.below(4);
        let term = match which {
            0 => self.pool.popcount(a.term),
            1 => self.pool.leading_zeros(a.term),
            2 => self.pool.trailing_zeros(a.term),
            _ => self.pool.neg(a.term),
        };
        let value = |at: usize| {
            let value = a.values[at];
            let count = match which {
                0 => value.count_ones(),
                1 => value.leading_zeros() + a.width - 128,
                2 => value.trailing_zeros().min(a.width),
                _ => return minus(value, a.width),
            };
            u128::from(count) & mask(a.width)
        };
        Some(Known { term, width: a.width, values: lanes(&value) })
    }

    fn grow(&mut self, steps: usize) {
        for _ in 0..steps {
            let Some(known) = self.step() else { continue };
            let sort = if known.width == 0 { Sort::Bool } else { Sort::BitVec(known.width) };
            assert_eq!(self.pool.sort(known.term), sort);
            self.known.push(known);
        }
        for (at, assignment) in self.assignments.iter().enumerate() {
            let mut evaluator = Evaluator::new(&self.pool, assignment);
            for known in &self.known {
                assert_eq!(
                    evaluator.value(known.term),
                    known.values[at],
                    "{:?} {:?} of width {} under {assignment:?}",
                    known.term,
                    self.pool.node(known.term),
                    known.width
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_simplified_term_is_worth_what_its_operation_says(seed: u64, width in 1u32..=16) {
        Grown::new(seed, &[width, 1 + width / 2]).grow(80);
    }

    #[test]
    fn so_is_one_of_a_common_width(seed: u64) {
        let widths = [[8u32, 32], [32, 64], [1, 8], [64, 128], [2, 3], [16, 8]];
        Grown::new(seed, &widths[seed as usize % widths.len()]).grow(80);
    }

    #[test]
    fn so_is_one_of_any_width(seed: u64, first in 1u32..=128, second in 1u32..=128) {
        Grown::new(seed, &[first, second]).grow(60);
    }
}
