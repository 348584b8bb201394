//! Correction sets against their definition: all subsets are tried.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use whydunit_solve::correction::{Bounds, CorrectionSet, Oracle, StoppedBy, Verdict, enumerate};

type Set = BTreeSet<usize>;

/// Demands that are met when one of `ways` is relaxed whole. Its cores are small, but not always the smallest.
struct Ways {
    statements: usize,
    ways: Vec<Set>,
    /// Decides which core.
    seed: u64,
    /// Sets that it does not decide.
    dark: Vec<Set>,
    asked: Vec<Set>,
}

impl Ways {
    fn new(statements: usize, ways: Vec<Set>, seed: u64) -> Self {
        Self { statements, ways, seed, dark: Vec::new(), asked: Vec::new() }
    }

    fn next(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.seed >> 33
    }

    fn hits_all(&self, core: &Set) -> bool {
        self.ways.iter().all(|way| !way.is_disjoint(core))
    }

    /// The minimal ones among the ways, in order.
    fn minimal(&self, costs: &[u64]) -> Vec<CorrectionSet> {
        let minimal = |way: &&Set| !self.ways.iter().any(|other| other != *way && other.is_subset(way));
        let distinct: BTreeSet<&Set> = self.ways.iter().filter(minimal).collect();
        let mut sets: Vec<CorrectionSet> = distinct
            .into_iter()
            .map(|way| CorrectionSet { cost: way.iter().map(|at| costs[*at]).sum(), statements: way.clone() })
            .collect();
        sets.sort_by_key(|set| (set.cost, set.statements.len()));
        sets
    }
}

impl Oracle for Ways {
    fn check(&mut self, relaxed: &Set) -> Verdict {
        assert!(!self.asked.contains(relaxed), "asked twice: {relaxed:?}");
        self.asked.push(relaxed.clone());
        if self.dark.contains(relaxed) {
            return Verdict::Unknown;
        }
        if self.ways.iter().any(|way| way.is_subset(relaxed)) {
            return Verdict::Holds;
        }
        let mut core: Set = (0..self.statements).filter(|at| !relaxed.contains(at)).collect();
        for _ in 0..2 * self.statements {
            let at = self.next() as usize % self.statements;
            if core.remove(&at) && !self.hits_all(&core) {
                core.insert(at);
            }
        }
        Verdict::Fails { core }
    }
}

fn keys(sets: &[CorrectionSet]) -> Vec<(u64, usize)> {
    sets.iter().map(|set| (set.cost, set.statements.len())).collect()
}

fn sorted(sets: &[CorrectionSet]) -> BTreeSet<CorrectionSet> {
    sets.iter().cloned().collect()
}

fn instances() -> impl Strategy<Value = (Vec<u64>, Vec<Set>, u64)> {
    (1usize..9).prop_flat_map(|statements| {
        let costs = prop::collection::vec(0u64..6, statements);
        let ways = prop::collection::vec(prop::collection::btree_set(0..statements, 0..=statements), 0..7);
        (costs, ways, any::<u64>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_minimal_sets_come_in_the_order_of_their_cost((costs, ways, seed) in instances()) {
        let mut oracle = Ways::new(costs.len(), ways, seed);
        let mut seen = Vec::new();
        let found = enumerate(&costs, &mut oracle, &Bounds::default(), |set| {
            seen.push(set.clone());
            ControlFlow::Continue(())
        });
        let expected = oracle.minimal(&costs);
        prop_assert_eq!(found.stopped_by, StoppedBy::Complete);
        prop_assert_eq!(keys(&found.sets), keys(&expected));
        prop_assert_eq!(sorted(&found.sets), sorted(&expected));
        prop_assert_eq!(&seen, &found.sets);
        prop_assert_eq!(found.checks, found.sets.len() + found.cores);
        prop_assert_eq!(found.checks, oracle.asked.len());
    }

    #[test]
    fn bounds_are_kept((costs, ways, seed) in instances(), size in 0usize..5, most in 0usize..5) {
        let mut oracle = Ways::new(costs.len(), ways.clone(), seed);
        let all = oracle.minimal(&costs);
        let bounds = Bounds { max_size: Some(size), ..Bounds::default() };
        let found = enumerate(&costs, &mut oracle, &bounds, |_| ControlFlow::Continue(()));
        let small: Vec<CorrectionSet> = all.iter().filter(|set| set.statements.len() <= size).cloned().collect();
        prop_assert_eq!(sorted(&found.sets), sorted(&small));
        prop_assert_eq!(keys(&found.sets), keys(&small));
        if small.len() < all.len() {
            prop_assert_eq!(found.stopped_by, StoppedBy::Size);
        }

        let mut oracle = Ways::new(costs.len(), ways.clone(), seed);
        let bounds = Bounds { max_sets: Some(most), ..Bounds::default() };
        let found = enumerate(&costs, &mut oracle, &bounds, |_| ControlFlow::Continue(()));
        prop_assert_eq!(keys(&found.sets), keys(&all[..most.min(all.len())]));
        prop_assert_eq!(found.stopped_by == StoppedBy::Sets, most <= all.len());

        let mut oracle = Ways::new(costs.len(), ways, seed);
        let found = enumerate(&costs, &mut oracle, &Bounds::default(), |_| ControlFlow::Break(()));
        prop_assert_eq!(found.sets.len(), all.len().min(1));
        prop_assert_eq!(found.stopped_by == StoppedBy::Caller, !all.is_empty());
    }

    #[test]
    fn what_the_oracle_does_not_know_is_named((costs, ways, seed) in instances(), dark in 0usize..3) {
        let mut oracle = Ways::new(costs.len(), ways, seed);
        let all = oracle.minimal(&costs);
        oracle.dark = all.iter().skip(dark).take(1).map(|set| set.statements.clone()).collect();
        let found = enumerate(&costs, &mut oracle, &Bounds::default(), |_| ControlFlow::Continue(()));
        let unknown: Vec<Set> = found.unknown.iter().map(|set| set.statements.clone()).collect();
        prop_assert_eq!(&unknown, &oracle.dark);
        let mut both = found.sets.clone();
        both.extend(found.unknown);
        prop_assert_eq!(sorted(&both), sorted(&all));
    }
}

#[test]
fn nothing_to_relax_and_nothing_that_helps() {
    let mut met = Ways::new(3, vec![Set::new()], 0);
    let found = enumerate(&[1, 1, 1], &mut met, &Bounds::default(), |_| ControlFlow::Continue(()));
    assert_eq!((found.sets.len(), found.checks, found.stopped_by), (1, 1, StoppedBy::Complete));
    assert!(found.sets[0].statements.is_empty());
    let mut hopeless = Ways::new(3, Vec::new(), 0);
    let found = enumerate(&[1, 1, 1], &mut hopeless, &Bounds::default(), |_| ControlFlow::Continue(()));
    assert_eq!((found.sets.len(), found.checks, found.stopped_by), (0, 1, StoppedBy::Complete));
}

#[test]
fn a_deadline_ends_it() {
    let mut oracle = Ways::new(3, vec![[1].into(), [2].into()], 0);
    let bounds = Bounds { deadline: Some(Instant::now()), ..Bounds::default() };
    let found = enumerate(&[1, 1, 1], &mut oracle, &bounds, |_| ControlFlow::Continue(()));
    assert_eq!((found.sets.len(), found.stopped_by), (0, StoppedBy::Time));
}

/// Answers with cores that were drawn beforehand.
struct Drawn(Vec<Set>);

impl Oracle for Drawn {
    fn check(&mut self, relaxed: &Set) -> Verdict {
        match self.0.iter().find(|core| core.is_disjoint(relaxed)) {
            Some(core) => Verdict::Fails { core: core.clone() },
            None => Verdict::Holds,
        }
    }
}

#[test]
fn hundreds_of_cores_take_little_time() {
    let mut random = Ways::new(100, Vec::new(), 7);
    let costs: Vec<u64> = (0..100).map(|_| 1 + random.next() % 50).collect();
    let cores =
        (0..300).map(|_| (0..10 + random.next() % 20).map(|_| random.next() as usize % 100).collect()).collect();
    let start = Instant::now();
    let bounds = Bounds { max_sets: Some(5), ..Bounds::default() };
    let found = enumerate(&costs, &mut Drawn(cores), &bounds, |_| ControlFlow::Continue(()));
    assert_eq!(found.sets.len(), 5);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?} for {} checks", start.elapsed(), found.checks);
    eprintln!(
        "{:?} for {} checks, {} cores, sizes {:?}",
        start.elapsed(),
        found.checks,
        found.cores,
        keys(&found.sets)
    );
}
