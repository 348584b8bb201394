//! Paths of runs in terms of one pool, so that those of two versions can be put together.

use std::collections::{BTreeMap, HashMap};

use whydunit_inputs::Input;
use whydunit_symbolic::{Other, Path};
use whydunit_terms::{Assignment, Pool, Sort, Term, TermMap};

use crate::given::{Key, Place};

/// A pool in which what programs are given has one variable each.
#[derive(Default)]
pub struct Shared {
    pub pool: Pool,
    variables: HashMap<Key, Term>,
    keys: HashMap<Term, Key>,
}

/// A path in it.
#[derive(Default)]
pub struct Shown {
    pub turns: Vec<Turn>,
    pub edges: Vec<u64>,
    /// What it was given, as far as it looked at it.
    pub values: BTreeMap<Key, u128>,
}

/// A place where it depends on that.
pub struct Turn {
    pub holds: Term,
    /// Other ways.
    pub others: Vec<Other>,
    pub edges: usize,
    /// Tells it from others on the same edges.
    pub place: u64,
}

impl Shared {
    /// The variable of something that is given.
    pub fn variable(&mut self, key: &Key) -> Term {
        if let Some(&known) = self.variables.get(key) {
            return known;
        }
        let term = self.pool.variable(Sort::BitVec(key.place.width()), key.name());
        self.variables.insert(key.clone(), term);
        self.keys.insert(term, key.clone());
        term
    }

    /// The variable, where a path has looked at it.
    pub fn known(&self, key: &Key) -> Option<Term> {
        self.variables.get(key).copied()
    }

    /// What a variable is.
    pub fn key(&self, term: Term) -> Option<&Key> {
        self.keys.get(&term)
    }

    /// A path of a run with this input.
    pub fn show(&mut self, path: &Path, input: &Input) -> Shown {
        let (mut copies, mut values) = (TermMap::new(), BTreeMap::new());
        for variable in &path.inputs {
            // What is no number in the text is a variable by itself, which nothing can change.
            if let Some(key) = Key::of(variable, input) {
                copies.insert(variable.term, self.variable(&key));
                values.insert(key, variable.value);
            }
        }
        let mut copy = |pool: &mut Pool, term: Term| pool.copy(&path.pool, &[term], &mut copies)[0];
        let turns = path.turns.iter().map(|turn| Turn {
            holds: copy(&mut self.pool, turn.holds),
            others: turn
                .others
                .iter()
                .map(|other| Other { when: copy(&mut self.pool, other.when), ..*other })
                .collect(),
            edges: turn.edges,
            place: u64::from(turn.function.0) << 32 | u64::from(turn.pc),
        });
        Shown { turns: turns.collect(), edges: path.edges.clone(), values }
    }

    /// Values as an assignment.
    pub fn assignment(&mut self, values: &BTreeMap<Key, u128>) -> Assignment {
        values.iter().map(|(key, &value)| (self.variable(key), value)).collect()
    }

    /// What values must be for a text that people can read, or at least for one that can be given.
    pub fn writable(&mut self, terms: &[Term], readable: bool) -> Vec<Term> {
        let variables = whydunit_terms::support(&self.pool, terms);
        let mut demands = Vec::new();
        for variable in variables {
            let Some(Key { place, source }) = self.keys.get(&variable).cloned() else { continue };
            if let Place::Float(_) = place {
                // Infinite ones and what is no number have no digits.
                let exponent = self.pool.extract(variable, 52, 11);
                let all = self.pool.constant(11, 0x7ff);
                let infinite = self.pool.eq(exponent, all);
                demands.push(self.pool.not(infinite));
            }
            let Place::Byte(_) = place else { continue };
            let (low, high) = (self.pool.constant(8, 32), self.pool.constant(8, 126));
            if readable {
                let above = self.pool.compare(whydunit_terms::Compare::Ule, low, variable);
                let below = self.pool.compare(whydunit_terms::Compare::Ule, variable, high);
                let printable = self.pool.and(above, below);
                let end = self.pool.constant(8, 10);
                let ends = self.pool.eq(variable, end);
                demands.push(self.pool.or(printable, ends));
            } else {
                let zero = self.pool.constant(8, 0);
                let is_zero = self.pool.eq(variable, zero);
                if matches!(source, whydunit_symbolic::Source::Argument(_)) {
                    demands.push(self.pool.not(is_zero));
                }
            }
        }
        demands
    }
}
