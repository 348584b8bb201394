//! What terms are worth under an assignment, and walks over terms. Nothing here recurses: terms may be deep.

use crate::pool::{MAX_WIDTH, mask, signed};
use crate::{Node, Pool, Term, TermMap, fold, ieee};

/// Values of variables.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: TermMap<u128>,
}

impl Assignment {
    /// One without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a variable, of a truth value 0 or 1.
    pub fn get(&self, variable: Term) -> Option<u128> {
        self.values.get(variable)
    }

    /// Gives a variable a value.
    pub fn set(&mut self, variable: Term, value: u128) {
        self.values.insert(variable, value);
    }

    /// Everything, in the order of the variables.
    pub fn iter(&self) -> impl Iterator<Item = (Term, u128)> + '_ {
        self.values.iter()
    }
}

impl FromIterator<(Term, u128)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Term, u128)>>(values: I) -> Self {
        let mut assignment = Self::new();
        for (variable, value) in values {
            assignment.set(variable, value);
        }
        assignment
    }
}

/// The value of a term; of a truth value 0 or 1. A variable without value is 0.
pub fn evaluate(pool: &Pool, term: Term, assignment: &Assignment) -> u128 {
    Evaluator::new(pool, assignment).value(term)
}

/// Values of many terms under one assignment, each found once.
#[derive(Debug)]
pub struct Evaluator<'a> {
    pool: &'a Pool,
    assignment: &'a Assignment,
    known: Known,
}

impl<'a> Evaluator<'a> {
    /// For the terms of `pool`.
    pub fn new(pool: &'a Pool, assignment: &'a Assignment) -> Self {
        Self { pool, assignment, known: Known::default() }
    }

    /// The value of a term; of a truth value 0 or 1. A variable without value is 0.
    pub fn value(&mut self, term: Term) -> u128 {
        self.known.value(self.pool, self.assignment, term)
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, term: Term) -> bool {
        self.value(term) & 1 != 0
    }
}

/// An assignment with the values of the terms that were asked for: an [`Evaluator`] that outlives changes of the pool.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    assignment: Assignment,
    known: Known,
}

impl Valuation {
    /// For an assignment.
    pub fn new(assignment: Assignment) -> Self {
        Self { assignment, known: Known::default() }
    }

    /// The assignment.
    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The value of a term of the one pool that it is used with; of a truth value 0 or 1.
    pub fn value(&mut self, pool: &Pool, term: Term) -> u128 {
        self.known.value(pool, &self.assignment, term)
    }

    /// Whether a truth value holds.
    pub fn holds(&mut self, pool: &Pool, term: Term) -> bool {
        self.value(pool, term) & 1 != 0
    }
}

/// The values that were found.
#[derive(Clone, Debug, Default)]
struct Known {
    values: TermMap<u128>,
    open: Vec<Term>,
}

impl Known {
    fn value(&mut self, pool: &Pool, assignment: &Assignment, term: Term) -> u128 {
        if let Some(value) = self.values.get(term) {
            return value;
        }
        self.open.push(term);
        while let Some(&next) = self.open.last() {
            let before = self.open.len();
            if !self.values.contains(next) {
                let node = pool.node(next);
                let mut operands = [0; 3];
                for (at, operand) in node.operands().enumerate() {
                    match self.values.get(operand) {
                        Some(value) => operands[at] = value,
                        None => self.open.push(operand),
                    }
                }
                if self.open.len() > before {
                    continue;
                }
                let value = match node {
                    Node::Variable(_) => assignment.get(next).unwrap_or(0) & mask(pool.width(next)),
                    _ => apply(pool, next, operands),
                };
                self.values.insert(next, value);
            }
            self.open.pop();
        }
        self.values.get(term).unwrap_or(0)
    }
}

/// The value of a term, given those of its operands; of a variable 0.
pub fn apply(pool: &Pool, term: Term, [a, b, c]: [u128; 3]) -> u128 {
    let width = pool.width(term);
    let node = pool.node(term);
    let operand = |at: usize| node.operands().nth(at).map_or(1, |term| pool.width(term));
    match *node {
        Node::Variable(_) => 0,
        Node::Bool(value) => value.into(),
        Node::Constant(_, value) => value.get(),
        Node::Not(_) => !a & mask(width),
        Node::And(..) => a & b,
        Node::Eq(..) => (a == b).into(),
        Node::Ite(..) => {
            if a & 1 != 0 {
                b
            } else {
                c
            }
        }
        Node::Bv(op, ..) => fold::bv(op, width, a, b),
        Node::Ult(..) => (a < b).into(),
        Node::Slt(..) => (signed(a, operand(0)) < signed(b, operand(0))).into(),
        Node::Extract { low, .. } => a >> low & mask(width),
        Node::Concat(..) => a << operand(1) | b,
        Node::Sext(..) => fold::sext(a, operand(0), width),
        Node::Float(op, format, rounding, ..) => ieee::binary(op, format, rounding, a, b),
        Node::FloatUnary(op, format, rounding, _) => ieee::unary(op, format, rounding, a),
        Node::Fma(format, rounding, _) => ieee::fma(format, rounding, [a, b, c]),
        Node::FloatCompare(compare, format, ..) => ieee::compare(compare, format, a, b).into(),
        Node::IsNan(format, _) => ieee::is_nan(format, a).into(),
        Node::FloatConvert(from, to, rounding, _) => ieee::convert(from, to, rounding, a),
        Node::FloatToInt { format, signed, width, .. } => ieee::to_int(format, signed, width.into(), a),
        Node::IntToFloat { format, signed, rounding, .. } => {
            let a = if signed { fold::sext(a, operand(0), MAX_WIDTH) } else { a };
            ieee::from_int(format, signed, rounding, a)
        }
    }
}

/// The distinct terms that `roots` are made of, themselves among them, operands first.
pub fn reachable(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut seen = TermMap::new();
    let mut open = roots.to_vec();
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        if seen.insert(term, ()).is_none() {
            found.push(term);
            open.extend(pool.node(term).operands());
        }
    }
    // Operands are older than what is made of them.
    found.sort_unstable();
    found
}

/// The variables that `roots` depend on, in the order of their making.
pub fn support(pool: &Pool, roots: &[Term]) -> Vec<Term> {
    let mut terms = reachable(pool, roots);
    terms.retain(|term| matches!(pool.node(*term), Node::Variable(_)));
    terms
}

/// How many distinct terms `roots` are made of.
pub fn size(pool: &Pool, roots: &[Term]) -> usize {
    reachable(pool, roots).len()
}
