//! Three ways to enumerate correction sets of at most three statements, cheapest first, on formulas of programs that are made
//! up: statements that compute from earlier ones, and a value at the end that they do not give. By implicit hitting sets; by
//! candidates in the order of their cost, without cores; and by minimal sets that are shrunk from all statements and blocked,
//! sorted in the end (Marques-Silva and others, "On computing minimal correction subsets", IJCAI 2013). Prints how often the
//! solver was asked, and how long it took.
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use whydunit_solve::correction::{Bounds, Oracle, Verdict, enumerate};
use whydunit_solve::{Answer, Cadical, Limits, Solver};
use whydunit_terms::{BvOp, Pool, Sort, Term};

const MOST_STATEMENTS: usize = 3;

/// No way gets longer.
const PATIENCE: Duration = Duration::from_secs(60);

type Sets = Vec<(u64, BTreeSet<usize>)>;

/// The same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// A program's formula with a selector for each statement.
struct Program {
    pool: Pool,
    solver: Box<dyn Solver>,
    kept: Vec<Term>,
    costs: Vec<u64>,
    checks: usize,
}

impl Program {
    fn new(statements: usize) -> Self {
        let (mut pool, mut solver, mut random) = (Pool::new(), Cadical::new(), Random(statements as u64));
        let sort = Sort::BitVec(16);
        let (mut values, mut kept): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        for number in 0..statements {
            let value = pool.variable(sort, format!("v{number}"));
            let own = pool.constant(16, random.below(1000) as u128);
            let operand = |random: &mut Random| match values.is_empty() {
                true => own,
                false => values[values.len() - 1 - random.below(values.len().min(4))],
            };
            let (a, b) = (operand(&mut random), operand(&mut random));
            let op = [BvOp::Add, BvOp::Sub, BvOp::Xor, BvOp::And, BvOp::Or][random.below(5)];
            let (computed, limit) = (pool.bv(op, a, b), pool.constant(16, 200));
            // Every third one depends on a condition.
            let small = pool.compare(whydunit_terms::Compare::Ult, a, limit);
            let computed = if number % 3 == 2 { pool.ite(small, computed, own) } else { computed };
            let keeps = pool.variable(Sort::Bool, format!("keep{number}"));
            let (same, free) = (pool.eq(value, computed), pool.not(keeps));
            let rule = pool.or(free, same);
            solver.assert(&mut pool, rule).expect("a rule");
            values.push(value);
            kept.push(keeps);
        }
        // Two of the last values are others than any single statement but they themselves gives.
        for back in [1, 2] {
            let goal = pool.constant(16, 40_000 + random.below(20_000) as u128);
            let wrong = pool.eq(values[statements - back], goal);
            solver.assert(&mut pool, wrong).expect("a goal");
        }
        let costs = (0..statements).map(|_| 1 + random.below(50) as u64).collect();
        Self { pool, solver: Box::new(solver), kept, costs, checks: 0 }
    }

    fn cost(&self, set: &BTreeSet<usize>) -> u64 {
        set.iter().map(|&statement| self.costs[statement]).sum()
    }
}

impl Oracle for Program {
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict {
        self.checks += 1;
        let places: Vec<usize> = (0..self.kept.len()).filter(|place| !relaxed.contains(place)).collect();
        let assumed: Vec<Term> = places.iter().map(|&place| self.kept[place]).collect();
        match self.solver.check(&mut self.pool, &assumed, &Limits::default()).expect("an answer") {
            Answer::Sat(_) => Verdict::Holds,
            Answer::Unsat { core } => Verdict::Fails { core: core.into_iter().map(|index| places[index]).collect() },
            Answer::Unknown(_) => Verdict::Unknown,
        }
    }
}

fn by_hitting_sets(program: &mut Program) -> Option<Sets> {
    let bounds =
        Bounds { max_size: Some(MOST_STATEMENTS), deadline: Some(Instant::now() + PATIENCE), ..Bounds::default() };
    let costs = program.costs.clone();
    let found = enumerate(&costs, program, &bounds, |_| ControlFlow::Continue(()));
    Some(found.sets.into_iter().map(|set| (set.cost, set.statements)).collect())
}

fn by_cost(program: &mut Program) -> Option<Sets> {
    let (n, end) = (program.costs.len(), Instant::now() + PATIENCE);
    let mut candidates: Vec<BTreeSet<usize>> = Vec::new();
    for a in 0..n {
        candidates.push(BTreeSet::from([a]));
        for b in a + 1..n {
            candidates.push(BTreeSet::from([a, b]));
            candidates.extend((b + 1..n).map(|c| BTreeSet::from([a, b, c])));
        }
    }
    candidates.sort_by_key(|set| (program.cost(set), set.len()));
    let mut found: Sets = Vec::new();
    for candidate in candidates {
        if Instant::now() > end {
            return None;
        }
        if !found.iter().any(|(_, set)| set.is_subset(&candidate)) && program.check(&candidate) == Verdict::Holds {
            found.push((program.cost(&candidate), candidate));
        }
    }
    Some(found)
}

fn by_blocking(program: &mut Program) -> Option<Sets> {
    let (n, end) = (program.costs.len(), Instant::now() + PATIENCE);
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    loop {
        let mut set: BTreeSet<usize> = (0..n).collect();
        // All are relaxed, so that only what was blocked can contradict.
        if program.check(&set) != Verdict::Holds {
            let small = found.into_iter().filter(|set| set.len() <= MOST_STATEMENTS);
            let mut small: Sets = small.map(|set| (program.cost(&set), set)).collect();
            small.sort();
            return Some(small);
        }
        for statement in 0..n {
            if Instant::now() > end {
                return None;
            }
            set.remove(&statement);
            if program.check(&set) != Verdict::Holds {
                set.insert(statement);
            }
        }
        let kept: Vec<Term> = set.iter().map(|&statement| program.kept[statement]).collect();
        let mut any = program.pool.bool(false);
        for keeps in kept {
            any = program.pool.or(any, keeps);
        }
        program.solver.assert(&mut program.pool, any).expect("a clause");
        found.push(set);
    }
}

type Way = fn(&mut Program) -> Option<Sets>;

fn main() {
    let ways: [(&str, Way); 3] =
        [("hitting sets", by_hitting_sets), ("by cost", by_cost), ("shrunk and blocked", by_blocking)];
    println!("{:>10}  {:<20} {:>6} {:>8} {:>9}", "statements", "way", "sets", "checks", "seconds");
    for statements in [10, 20, 40, 80] {
        let mut first: Option<Vec<u64>> = None;
        for (name, way) in ways {
            let mut program = Program::new(statements);
            let began = Instant::now();
            let found = way(&mut program);
            let seconds = began.elapsed().as_secs_f64();
            let sets = found.as_ref().map_or("late".to_string(), |sets| sets.len().to_string());
            println!("{statements:>10}  {name:<20} {sets:>6} {:>8} {seconds:>9.3}", program.checks);
            let costs = found.map(|sets| sets.iter().map(|set| set.0).collect::<Vec<u64>>());
            if let (Some(first), Some(costs)) = (&first, &costs) {
                assert_eq!(first, costs, "{name} finds the same");
            }
            first = first.or(costs);
        }
    }
}
