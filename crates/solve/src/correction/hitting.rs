//! The cheapest set that hits every core and contains no blocked set: exact, by branch and bound.
//!
//! The bound is a feasible solution of the dual linear program, raised core by core; what a statement would cost beyond it
//! also shows which statements cannot be in a better set. The set of the search before, completed and trimmed, is where
//! the next one starts.

use std::collections::BTreeSet;
use std::time::Instant;

/// How many nodes are searched between looks at the clock.
const LOOK: u32 = 64;

/// A cost that orders by the sum of costs, then by how many statements.
type Weight = u128;

/// A set of statements, a bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    fn of(size: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut bits = Self::new(size);
        members.into_iter().for_each(|member| bits.insert(member));
        bits
    }

    fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn remove(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether all its members are in `other`.
    fn within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        members(self.0.iter().copied())
    }

    /// Its members that are not in `other`.
    fn without<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        members(self.0.iter().zip(&other.0).map(|(a, b)| a & !b))
    }
}

fn members(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros();
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(at * 64 + bit as usize)
        })
    })
}

/// Cores that must be hit and sets that must not be contained.
pub(super) struct HittingSets {
    weights: Vec<Weight>,
    cores: Vec<Bits>,
    blocked: Vec<Bits>,
    /// Nothing can be lighter than what was found before: cores and blocked sets are only added. By the bound on the size,
    /// which changes what there is to find.
    at_least: Option<(Option<usize>, Weight)>,
    /// What was found before.
    last: Bits,
}

/// What a search finds.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Found {
    Set(BTreeSet<usize>),
    None,
    OutOfTime,
}

/// What is decided at a node of the search.
#[derive(Clone)]
struct Choice {
    chosen: Bits,
    excluded: Bits,
}

struct Search<'a> {
    sets: &'a HittingSets,
    max_size: Option<usize>,
    deadline: Option<Instant>,
    /// Where no lighter set can be.
    floor: Weight,
    /// Any set will do.
    any: bool,
    best: Option<(Weight, Bits)>,
    nodes: u32,
    out_of_time: bool,
}

impl HittingSets {
    pub(super) fn new(costs: &[u64]) -> Self {
        let scale = costs.len() as Weight + 1;
        let weights = costs.iter().map(|cost| Weight::from(*cost) * scale + 1).collect();
        Self { weights, cores: Vec::new(), blocked: Vec::new(), at_least: None, last: Bits::new(costs.len()) }
    }

    /// From now on one of `core` must be in. Numbers beyond the statements cannot be.
    pub(super) fn add(&mut self, core: &BTreeSet<usize>) {
        let size = self.weights.len();
        self.cores.push(Bits::of(size, core.iter().copied().filter(|statement| *statement < size)));
    }

    /// From now on one of `set` must not be in.
    pub(super) fn block(&mut self, set: &BTreeSet<usize>) {
        self.blocked.push(Bits::of(self.weights.len(), set.iter().copied()));
    }

    /// The lightest set.
    pub(super) fn cheapest(&mut self, max_size: Option<usize>, deadline: Option<Instant>) -> Found {
        let floor = self.at_least.filter(|(size, _)| *size == max_size).map_or(0, |(_, weight)| weight);
        let best = self.started(max_size);
        let (found, best) = self.search(max_size, deadline, floor, false, best);
        if let Some((weight, set)) = best {
            self.at_least = Some((max_size, weight));
            self.last = set;
        }
        found
    }

    /// Any set, however heavy.
    pub(super) fn any(&self, deadline: Option<Instant>) -> Found {
        self.search(None, deadline, 0, true, None).0
    }

    fn weight(&self, set: &Bits) -> Weight {
        set.iter().map(|statement| self.weights[statement]).sum()
    }

    /// A set that is allowed and not very heavy, if one is found easily: the last one with what hits much of the rest for
    /// little, without what is not needed.
    fn started(&self, max_size: Option<usize>) -> Option<(Weight, Bits)> {
        let mut set = self.last.clone();
        loop {
            let open: Vec<&Bits> = self.cores.iter().filter(|core| !core.meets(&set)).collect();
            let Some(first) = open.first() else { break };
            let hits = |statement: usize| open.iter().filter(|core| core.contains(statement)).count() as Weight;
            let price = |statement: &usize| self.weights[*statement] * 1024 / hits(*statement).max(1);
            set.insert(first.iter().min_by_key(price)?);
        }
        let mut members: Vec<usize> = set.iter().collect();
        members.sort_by_key(|statement| std::cmp::Reverse(self.weights[*statement]));
        for statement in members {
            set.remove(statement);
            if self.cores.iter().any(|core| !core.meets(&set)) {
                set.insert(statement);
            }
        }
        let allowed = !self.blocked.iter().any(|blocked| blocked.within(&set));
        let small = max_size.is_none_or(|most| set.len() <= most);
        (allowed && small).then(|| (self.weight(&set), set))
    }

    fn search(
        &self,
        max_size: Option<usize>,
        deadline: Option<Instant>,
        floor: Weight,
        any: bool,
        best: Option<(Weight, Bits)>,
    ) -> (Found, Option<(Weight, Bits)>) {
        let mut search = Search { sets: self, max_size, deadline, floor, any, best, nodes: 0, out_of_time: false };
        let nothing = Bits::new(self.weights.len());
        let open: Vec<usize> = (0..self.cores.len()).collect();
        search.node(Choice { chosen: nothing.clone(), excluded: nothing }, &open);
        match search.best {
            _ if search.out_of_time => (Found::OutOfTime, None),
            Some((weight, set)) => (Found::Set(set.iter().collect()), Some((weight, set))),
            None => (Found::None, None),
        }
    }
}

impl Search<'_> {
    /// Nothing better is to be found.
    fn done(&self) -> bool {
        self.out_of_time || self.best.as_ref().is_some_and(|(weight, _)| self.any || *weight <= self.floor)
    }

    /// Searches on from a choice that leaves some cores open.
    fn node(&mut self, mut choice: Choice, open: &[usize]) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.out_of_time = true;
        }
        if self.done() {
            return;
        }
        let Some(mut open) = self.propagate(&mut choice, open) else { return };
        let weight = self.sets.weight(&choice.chosen);
        if self.max_size.is_some_and(|most| choice.chosen.len() > most) {
            return;
        }
        if open.is_empty() {
            if self.best.as_ref().is_none_or(|(best, _)| weight < *best) {
                self.best = Some((weight, choice.chosen));
            }
            return;
        }
        open.sort_unstable();
        let open: Vec<usize> = open.into_iter().map(|(_, core)| core).collect();
        let Some(reduced) = self.bound(&mut choice, &open, weight) else { return };
        // The core that leaves the least choice; first what the bound has paid for, and hits much.
        let cores = &self.sets.cores;
        let mut statements: Vec<usize> = cores[open[0]].without(&choice.excluded).collect();
        let hits = |statement: usize| open.iter().filter(|core| cores[**core].contains(statement)).count();
        statements.sort_by_cached_key(|statement| (reduced[*statement], usize::MAX - hits(*statement)));
        for statement in statements {
            let mut next = choice.clone();
            next.chosen.insert(statement);
            self.node(next, &open);
            if self.done() {
                return;
            }
            choice.excluded.insert(statement);
        }
    }

    /// Puts in and out what must be; the cores that are still to be hit, with how many statements can. None when they
    /// cannot all be, or when a blocked set is in.
    fn propagate(&self, choice: &mut Choice, open: &[usize]) -> Option<Vec<(usize, usize)>> {
        loop {
            let mut changed = false;
            let mut left = Vec::with_capacity(open.len());
            for at in open {
                let core = &self.sets.cores[*at];
                if core.meets(&choice.chosen) {
                    continue;
                }
                let (mut statements, count) = (core.without(&choice.excluded), core.without(&choice.excluded).count());
                match (statements.next(), count) {
                    (None, _) => return None,
                    (Some(only), 1) => {
                        choice.chosen.insert(only);
                        changed = true;
                    }
                    _ => left.push((count, *at)),
                }
            }
            for set in &self.sets.blocked {
                if set.meets(&choice.excluded) {
                    continue;
                }
                let mut statements = set.without(&choice.chosen);
                match (statements.next(), statements.next()) {
                    (None, _) => return None,
                    (Some(only), None) => {
                        choice.excluded.insert(only);
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                return Some(left);
            }
        }
    }

    /// What statements cost beyond the bound, if a better set than the best is possible. Excludes what is in none.
    fn bound(&self, choice: &mut Choice, open: &[usize], weight: Weight) -> Option<Vec<Weight>> {
        let mut reduced = self.sets.weights.clone();
        let mut bound = weight;
        let mut disjoint = 0;
        let mut used = Bits::new(reduced.len());
        for at in open {
            let core = &self.sets.cores[*at];
            let statements = || core.without(&choice.excluded);
            let least = statements().map(|statement| reduced[statement]).min().unwrap_or(0);
            bound += least;
            if !statements().any(|statement| used.contains(statement)) {
                disjoint += 1;
                statements().for_each(|statement| used.insert(statement));
            }
            if least > 0 {
                statements().for_each(|statement| reduced[statement] -= least);
            }
        }
        if self.max_size.is_some_and(|most| choice.chosen.len() + disjoint > most) {
            return None;
        }
        let Some((best, _)) = &self.best else { return Some(reduced) };
        if bound >= *best {
            return None;
        }
        for (statement, reduced) in reduced.iter().enumerate() {
            if bound + reduced >= *best && !choice.chosen.contains(statement) {
                choice.excluded.insert(statement);
            }
        }
        // A core may have lost its last statement.
        let possible = open.iter().all(|at| self.sets.cores[*at].without(&choice.excluded).next().is_some());
        possible.then_some(reduced)
    }
}
