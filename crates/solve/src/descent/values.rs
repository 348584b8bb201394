//! The values of all terms of some formulas under an assignment that changes variable by variable.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use whydunit_terms::{Assignment, Node, Pool, Term, TermMap, apply, reachable};

/// Values of terms.
pub(crate) struct Values<'a> {
    pool: &'a Pool,
    /// Operands first.
    terms: Vec<Term>,
    places: TermMap<u32>,
    values: Vec<u128>,
    /// The terms that each is an operand of: a range of `users`.
    first_user: Vec<u32>,
    users: Vec<u32>,
    /// Whether a variable is below.
    open: Vec<bool>,
    queued: Vec<bool>,
    queue: BinaryHeap<Reverse<u32>>,
    work: u64,
}

impl<'a> Values<'a> {
    /// Of all terms that `roots` are made of.
    pub fn new(pool: &'a Pool, roots: &[Term], start: &Assignment) -> Self {
        let terms = reachable(pool, roots);
        let mut places = TermMap::new();
        for (place, &term) in terms.iter().enumerate() {
            places.insert(term, place as u32);
        }
        let mut counts = vec![0u32; terms.len() + 1];
        for &term in &terms {
            for operand in pool.node(term).operands() {
                counts[places.get(operand).unwrap_or(0) as usize + 1] += 1;
            }
        }
        for place in 1..counts.len() {
            counts[place] += counts[place - 1];
        }
        let first_user = counts.clone();
        let mut users = vec![0; counts.last().copied().unwrap_or(0) as usize];
        let mut open = vec![false; terms.len()];
        for (place, &term) in terms.iter().enumerate() {
            open[place] = matches!(pool.node(term), Node::Variable(_));
            for operand in pool.node(term).operands() {
                let operand = places.get(operand).unwrap_or(0) as usize;
                users[counts[operand] as usize] = place as u32;
                counts[operand] += 1;
                open[place] |= open[operand];
            }
        }
        let queued = vec![false; terms.len()];
        let values = vec![0; terms.len()];
        let queue = BinaryHeap::new();
        let mut all = Self { pool, terms, places, values, first_user, users, open, queued, queue, work: 0 };
        for place in 0..all.terms.len() {
            all.values[place] = match all.pool.node(all.terms[place]) {
                Node::Variable(_) => start.get(all.terms[place]).unwrap_or(0),
                _ => all.computed(place),
            };
        }
        all
    }

    fn computed(&self, place: usize) -> u128 {
        let term = self.terms[place];
        let mut operands = [0; 3];
        for (at, operand) in self.pool.node(term).operands().enumerate() {
            operands[at] = self.get(operand);
        }
        apply(self.pool, term, operands)
    }

    /// The value of a term; of a truth value 0 or 1.
    #[inline]
    pub fn get(&self, term: Term) -> u128 {
        self.places.get(term).map_or(0, |place| self.values[place as usize])
    }

    /// How many values were worked out since the beginning.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether a term depends on a variable.
    pub fn is_open(&self, term: Term) -> bool {
        self.places.get(term).is_some_and(|place| self.open[place as usize])
    }

    /// The variables.
    pub fn variables(&self) -> impl Iterator<Item = Term> + '_ {
        self.terms.iter().copied().filter(|&term| matches!(self.pool.node(term), Node::Variable(_)))
    }

    /// Gives a variable a value; all that depends on it follows.
    pub fn set(&mut self, variable: Term, value: u128) {
        let Some(place) = self.places.get(variable) else { return };
        if std::mem::replace(&mut self.values[place as usize], value) == value {
            return;
        }
        self.queue_users(place);
        while let Some(Reverse(place)) = self.queue.pop() {
            self.queued[place as usize] = false;
            let value = self.computed(place as usize);
            self.work += 1;
            if std::mem::replace(&mut self.values[place as usize], value) != value {
                self.queue_users(place);
            }
        }
    }

    fn queue_users(&mut self, place: u32) {
        let (from, to) = (self.first_user[place as usize], self.first_user[place as usize + 1]);
        for at in from..to {
            let user = self.users[at as usize];
            if !std::mem::replace(&mut self.queued[user as usize], true) {
                self.queue.push(Reverse(user));
            }
        }
    }
}
