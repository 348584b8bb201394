//! Circuits of gates, each shape once, and their clauses.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// A gate's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(u32);

pub(crate) const TRUE: Lit = Lit(0);
pub(crate) const FALSE: Lit = Lit(1);

impl Lit {
    fn new(gate: u32) -> Self {
        Self(gate << 1)
    }
    fn gate(self) -> u32 {
        self.0 >> 1
    }
    fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }
    fn flipped(self, flip: bool) -> Self {
        Self(self.0 ^ u32::from(flip))
    }
    fn of(value: bool) -> Self {
        TRUE.flipped(!value)
    }
    /// Its value when it is constant.
    pub(crate) fn constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(!self.is_negated())
    }
}

impl std::ops::Not for Lit {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A gate in normal form: operands in order, no constants, negations moved to the output where they can be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    /// True, the first gate; or one that was found out and stands for its value.
    Constant,
    Input(u32),
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// Takes clauses.
pub(crate) trait Clauses {
    /// The literals are numbers from 1, negated ones negative.
    fn clause(&mut self, literals: &[i32]);
}

/// A circuit. Its gates become clauses when something that is asserted or assumed needs them.
pub(crate) struct Gates {
    gates: Vec<Gate>,
    table: HashTable<u32>,
    /// The number in the clauses, 0 for none yet.
    numbers: Vec<i32>,
    numbered: i32,
    /// What assertions have settled: the literal that stands for the gate. Only for settled ones.
    settled: Vec<Option<bool>>,
}

fn hash(gate: &Gate) -> u64 {
    FxBuildHasher.hash_one(gate)
}

impl Gates {
    pub(crate) fn new() -> Self {
        Self {
            gates: vec![Gate::Constant],
            table: HashTable::new(),
            numbers: vec![0],
            numbered: 0,
            settled: vec![Some(true)],
        }
    }

    fn push(&mut self, gate: Gate) -> Lit {
        let number = self.gates.len() as u32;
        self.gates.push(gate);
        self.numbers.push(0);
        self.settled.push(None);
        Lit::new(number)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        let gates = &self.gates;
        let found = self.table.find(hash(&gate), |other| gates[*other as usize] == gate);
        if let Some(number) = found {
            return self.known(Lit::new(*number));
        }
        let lit = self.push(gate);
        let gates = &self.gates;
        self.table.insert_unique(hash(&gate), lit.gate(), |other| hash(&gates[*other as usize]));
        lit
    }

    /// A new input.
    pub(crate) fn input(&mut self) -> Lit {
        let number = self.gates.len() as u32;
        self.push(Gate::Input(number))
    }

    /// The constant for a literal that assertions have settled.
    fn known(&self, lit: Lit) -> Lit {
        match self.settled[lit.gate() as usize] {
            Some(value) => Lit::of(value ^ lit.is_negated()),
            None => lit,
        }
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.known(a), self.known(b));
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        match a {
            TRUE => b,
            FALSE => FALSE,
            _ if a == b => a,
            _ if a == !b => FALSE,
            _ => self.intern(Gate::And(a, b)),
        }
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.known(a), self.known(b));
        let flip = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.flipped(a.is_negated()), b.flipped(b.is_negated()));
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        let lit = match a {
            // Without its negation a constant is true.
            TRUE => !b,
            _ if a == b => FALSE,
            _ => self.intern(Gate::Xor(a, b)),
        };
        lit.flipped(flip)
    }

    pub(crate) fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (condition, a, b) = (self.known(condition), self.known(a), self.known(b));
        let (condition, a, b) = if condition.is_negated() { (!condition, b, a) } else { (condition, a, b) };
        if condition == TRUE || a == b {
            return a;
        }
        if a == !b {
            return !self.xor(condition, a);
        }
        if a == TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == TRUE || b == !condition {
            return self.or(!condition, a);
        }
        if b == FALSE || b == condition {
            return self.and(condition, a);
        }
        let flip = a.is_negated();
        self.intern(Gate::Ite(condition, a.flipped(flip), b.flipped(flip))).flipped(flip)
    }

    /// The sum bit of three.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c].map(|lit| self.known(lit));
        let flip = operands.iter().filter(|lit| lit.is_negated()).count() % 2 == 1;
        operands = operands.map(|lit| lit.flipped(lit.is_negated()));
        operands.sort_unstable();
        let [a, b, c] = operands;
        let lit = if a == b {
            c
        } else if b == c {
            a
        } else if a == TRUE {
            !self.xor(b, c)
        } else {
            self.intern(Gate::Xor3(a, b, c))
        };
        lit.flipped(flip)
    }

    /// The carry bit of three.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c].map(|lit| self.known(lit));
        operands.sort_unstable();
        let [a, b, c] = operands;
        // Equal ones and opposite ones are neighbours; so is a constant the first.
        if a == TRUE {
            return self.or(b, c);
        }
        if a == FALSE {
            return self.and(b, c);
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let flip = operands.iter().filter(|lit| lit.is_negated()).count() > 1;
        let [a, b, c] = operands.map(|lit| lit.flipped(flip));
        self.intern(Gate::Majority(a, b, c)).flipped(flip)
    }

    /// The number of a literal in the clauses, which get whatever defines it; none for a constant.
    pub(crate) fn number(&mut self, lit: Lit, clauses: &mut impl Clauses) -> Option<i32> {
        let lit = self.known(lit);
        if lit.constant().is_some() {
            return None;
        }
        Some(self.define(lit, clauses))
    }

    /// The number that the clauses know a literal by, none if they do not.
    pub(crate) fn known_number(&self, lit: Lit) -> Option<i32> {
        match self.numbers[lit.gate() as usize] {
            0 => None,
            number => Some(if lit.is_negated() { -number } else { number }),
        }
    }

    /// What assertions have settled about a literal.
    pub(crate) fn settled(&self, lit: Lit) -> Option<bool> {
        self.known(lit).constant()
    }

    fn allot(&mut self, lit: Lit, open: &mut Vec<u32>) -> i32 {
        let number = &mut self.numbers[lit.gate() as usize];
        if *number == 0 {
            self.numbered += 1;
            *number = self.numbered;
            open.push(lit.gate());
        }
        if lit.is_negated() { -*number } else { *number }
    }

    fn define(&mut self, lit: Lit, clauses: &mut impl Clauses) -> i32 {
        let mut open = Vec::new();
        let number = self.allot(lit, &mut open);
        while let Some(gate) = open.pop() {
            let x = self.numbers[gate as usize];
            let shape = self.gates[gate as usize];
            let mut operand = |lit: Lit| self.allot(lit, &mut open);
            match shape {
                Gate::Constant => clauses.clause(&[x]),
                Gate::Input(_) => {}
                Gate::And(a, b) => {
                    let (a, b) = (operand(a), operand(b));
                    clauses.clause(&[-x, a]);
                    clauses.clause(&[-x, b]);
                    clauses.clause(&[x, -a, -b]);
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (operand(a), operand(b));
                    clauses.clause(&[-x, a, b]);
                    clauses.clause(&[-x, -a, -b]);
                    clauses.clause(&[x, -a, b]);
                    clauses.clause(&[x, a, -b]);
                }
                Gate::Ite(c, a, b) => {
                    let (c, a, b) = (operand(c), operand(a), operand(b));
                    clauses.clause(&[-x, -c, a]);
                    clauses.clause(&[x, -c, -a]);
                    clauses.clause(&[-x, c, b]);
                    clauses.clause(&[x, c, -b]);
                    // These two follow, and let more be propagated.
                    clauses.clause(&[-x, a, b]);
                    clauses.clause(&[x, -a, -b]);
                }
                Gate::Xor3(a, b, c) => {
                    let (a, b, c) = (operand(a), operand(b), operand(c));
                    for signs in 0..8 {
                        let sign = |lit: i32, at: u32| if signs >> at & 1 == 1 { -lit } else { lit };
                        // Of odd negations the sum of the others is one.
                        let out = if (signs as u32).count_ones() % 2 == 1 { x } else { -x };
                        clauses.clause(&[out, sign(a, 0), sign(b, 1), sign(c, 2)]);
                    }
                }
                Gate::Majority(a, b, c) => {
                    let (a, b, c) = (operand(a), operand(b), operand(c));
                    for (p, q) in [(a, b), (a, c), (b, c)] {
                        clauses.clause(&[x, -p, -q]);
                        clauses.clause(&[-x, p, q]);
                    }
                }
            }
        }
        number
    }

    /// From now on a literal holds. Conjunctions are taken apart, disjunctions become one clause.
    pub(crate) fn assert(&mut self, lit: Lit, clauses: &mut impl Clauses) {
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            let lit = self.known(lit);
            match (lit, self.gates[lit.gate() as usize]) {
                (TRUE, _) => {}
                (FALSE, _) => clauses.clause(&[]),
                (_, Gate::And(a, b)) if !lit.is_negated() => {
                    open.extend([a, b]);
                    self.settle(lit, clauses);
                }
                (_, Gate::And(..)) => {
                    if let Some(literals) = self.disjuncts(lit) {
                        let numbers: Vec<i32> = literals.iter().map(|lit| self.define(*lit, clauses)).collect();
                        clauses.clause(&numbers);
                    }
                    self.settle(lit, clauses);
                }
                _ => {
                    let number = self.define(lit, clauses);
                    clauses.clause(&[number]);
                    self.settled[lit.gate() as usize] = Some(!lit.is_negated());
                }
            }
        }
    }

    fn settle(&mut self, lit: Lit, clauses: &mut impl Clauses) {
        if let Some(number) = self.known_number(lit) {
            clauses.clause(&[number]);
        }
        self.settled[lit.gate() as usize] = Some(!lit.is_negated());
    }

    /// The parts of a disjunction that may hold; none when one holds anyway.
    fn disjuncts(&self, lit: Lit) -> Option<Vec<Lit>> {
        let mut open = vec![lit];
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(lit) = open.pop() {
            let lit = self.known(lit);
            if lit == TRUE || seen.contains(&!lit) {
                return None;
            }
            if lit == FALSE || !seen.insert(lit) {
                continue;
            }
            match self.gates[lit.gate() as usize] {
                Gate::And(a, b) if lit.is_negated() && self.known_number(lit).is_none() => open.extend([!a, !b]),
                _ => found.push(lit),
            }
        }
        Some(found)
    }
}
