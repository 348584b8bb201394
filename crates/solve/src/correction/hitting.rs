//! The cheapest set that hits every core and contains no blocked set: exact, by branch and bound.
//!
//! The bound is a feasible solution of the dual linear program, raised core by core; what a statement would cost beyond it
//! also shows which statements cannot be in a better set.

use std::collections::BTreeSet;
use std::time::Instant;

/// How many nodes are searched between looks at the clock.
const LOOK: u32 = 64;

/// A cost that orders by the sum of costs, then by how many statements.
type Weight = u128;

/// Cores that must be hit and sets that must not be contained.
pub(super) struct HittingSets {
    weights: Vec<Weight>,
    cores: Vec<Vec<usize>>,
    blocked: Vec<Vec<usize>>,
    /// Nothing can be lighter than what was found before: cores and blocked sets are only added. By the bound on the size,
    /// which changes what there is to find.
    at_least: Option<(Option<usize>, Weight)>,
}

/// What a search finds.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Found {
    Set(BTreeSet<usize>),
    None,
    OutOfTime,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    In,
    Out,
}

struct Search<'a> {
    sets: &'a HittingSets,
    max_size: Option<usize>,
    deadline: Option<Instant>,
    /// Where no lighter set can be.
    floor: Weight,
    /// Any set will do.
    any: bool,
    best: Option<(Weight, Vec<usize>)>,
    nodes: u32,
    out_of_time: bool,
}

impl HittingSets {
    pub(super) fn new(costs: &[u64]) -> Self {
        let scale = costs.len() as Weight + 1;
        let weights = costs.iter().map(|cost| Weight::from(*cost) * scale + 1).collect();
        Self { weights, cores: Vec::new(), blocked: Vec::new(), at_least: None }
    }

    /// From now on one of `core` must be in. Numbers beyond the statements cannot be.
    pub(super) fn add(&mut self, core: &BTreeSet<usize>) {
        self.cores.push(core.iter().copied().filter(|statement| *statement < self.weights.len()).collect());
    }

    /// From now on one of `set` must not be in.
    pub(super) fn block(&mut self, set: &BTreeSet<usize>) {
        self.blocked.push(set.iter().copied().collect());
    }

    /// The lightest set.
    pub(super) fn cheapest(&mut self, max_size: Option<usize>, deadline: Option<Instant>) -> Found {
        let floor = self.at_least.filter(|(size, _)| *size == max_size).map_or(0, |(_, weight)| weight);
        let (found, weight) = self.search(max_size, deadline, floor, false);
        if let Some(weight) = weight {
            self.at_least = Some((max_size, weight));
        }
        found
    }

    /// Any set, however heavy.
    pub(super) fn any(&self, deadline: Option<Instant>) -> Found {
        self.search(None, deadline, 0, true).0
    }

    fn search(
        &self,
        max_size: Option<usize>,
        deadline: Option<Instant>,
        floor: Weight,
        any: bool,
    ) -> (Found, Option<Weight>) {
        let mut search =
            Search { sets: self, max_size, deadline, floor, any, best: None, nodes: 0, out_of_time: false };
        search.node(vec![State::Open; self.weights.len()]);
        match search.best {
            _ if search.out_of_time => (Found::OutOfTime, None),
            Some((weight, set)) => (Found::Set(set.into_iter().collect()), Some(weight)),
            None => (Found::None, None),
        }
    }
}

impl Search<'_> {
    /// Nothing better is to be found.
    fn done(&self) -> bool {
        self.out_of_time || self.best.as_ref().is_some_and(|(weight, _)| self.any || *weight <= self.floor)
    }

    fn node(&mut self, mut state: Vec<State>) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.out_of_time = true;
        }
        if self.done() {
            return;
        }
        let Some(mut open) = self.propagate(&mut state) else { return };
        let chosen = || state.iter().enumerate().filter(|(_, state)| **state == State::In).map(|(at, _)| at);
        let weight: Weight = chosen().map(|at| self.sets.weights[at]).sum();
        if self.max_size.is_some_and(|most| chosen().count() > most) {
            return;
        }
        if open.is_empty() {
            if self.best.as_ref().is_none_or(|(best, _)| weight < *best) {
                self.best = Some((weight, chosen().collect()));
            }
            return;
        }
        open.sort_by_key(|(_, statements)| statements.len());
        let best = self.best.as_ref().map(|(best, _)| *best);
        if !self.bound(&mut state, &open, weight, best) {
            return;
        }
        // The core that leaves the least choice; first what hits much for little.
        let mut statements: Vec<usize> =
            open[0].1.iter().copied().filter(|statement| state[*statement] == State::Open).collect();
        let hits = |statement: usize| open.iter().filter(|(_, core)| core.contains(&statement)).count() as Weight;
        statements.sort_by_key(|statement| self.sets.weights[*statement] * 1024 / hits(*statement).max(1));
        for statement in statements {
            state[statement] = State::In;
            self.node(state.clone());
            if self.done() {
                return;
            }
            state[statement] = State::Out;
        }
    }

    /// Puts in and out what must be; the cores that are still to be hit, with their open statements. None when they cannot
    /// all be, or when a blocked set is in.
    fn propagate(&self, state: &mut [State]) -> Option<Vec<(usize, Vec<usize>)>> {
        loop {
            let mut changed = false;
            let mut open = Vec::new();
            for (at, core) in self.sets.cores.iter().enumerate() {
                if core.iter().any(|statement| state[*statement] == State::In) {
                    continue;
                }
                let left: Vec<usize> =
                    core.iter().copied().filter(|statement| state[*statement] == State::Open).collect();
                match left[..] {
                    [] => return None,
                    [only] => {
                        state[only] = State::In;
                        changed = true;
                    }
                    _ => open.push((at, left)),
                }
            }
            for set in &self.sets.blocked {
                if set.iter().any(|statement| state[*statement] == State::Out) {
                    continue;
                }
                let mut left = set.iter().copied().filter(|statement| state[*statement] == State::Open);
                match (left.next(), left.next()) {
                    (None, _) => return None,
                    (Some(only), None) => {
                        state[only] = State::Out;
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                return Some(open);
            }
        }
    }

    /// Whether a better set than the best is possible. Puts out what is in none.
    fn bound(&self, state: &mut [State], open: &[(usize, Vec<usize>)], weight: Weight, best: Option<Weight>) -> bool {
        let mut reduced = self.sets.weights.clone();
        let mut bound = weight;
        let mut disjoint = 0;
        let mut used = vec![false; state.len()];
        for (_, core) in open {
            let least = core.iter().map(|statement| reduced[*statement]).min().unwrap_or(0);
            bound += least;
            disjoint += usize::from(!core.iter().any(|statement| used[*statement]));
            for statement in core {
                reduced[*statement] -= least;
                used[*statement] = true;
            }
        }
        let size = state.iter().filter(|state| **state == State::In).count() + disjoint;
        if self.max_size.is_some_and(|most| size > most) {
            return false;
        }
        let Some(best) = best else { return true };
        if bound >= best {
            return false;
        }
        for (statement, reduced) in reduced.iter().enumerate() {
            if state[statement] == State::Open && bound + reduced >= best {
                state[statement] = State::Out;
            }
        }
        // A core may have lost its last statement.
        open.iter().all(|(_, core)| core.iter().any(|statement| state[*statement] == State::Open))
    }
}
