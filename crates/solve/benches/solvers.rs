//! What solvers and correction sets cost.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use divan::Bencher;
use whydunit_solve::correction::{Bounds, Oracle, Verdict, enumerate};
use whydunit_solve::{Answer, Cadical, Limits, Process, Solver, Z3};
use whydunit_terms::{BvOp, Compare, FloatOp, Format, Pool, Rounding, Sort, Term};

fn main() {
    divan::main();
}

const BACKENDS: [&str; 3] = ["cadical", "z3", "z3 process"];

fn make(backend: &str) -> Box<dyn Solver> {
    match backend {
        "cadical" => Box::new(Cadical::new()),
        "z3" => Box::new(Z3::new()),
        _ => Box::new(Process::z3()),
    }
}

fn check(solver: &mut dyn Solver, pool: &mut Pool, assumptions: &[Term]) -> Answer {
    solver.check(pool, assumptions, &Limits::default()).expect("a check")
}

/// A formula of some twenty terms, another one for each number.
fn tiny(pool: &mut Pool, x: Term, y: Term, number: u128) -> Term {
    let constant = pool.constant(32, number);
    let sum = pool.bv(BvOp::Add, x, y);
    let mixed = pool.bv(BvOp::Xor, sum, constant);
    let less = pool.compare(Compare::Ult, mixed, x);
    let low = pool.extract(mixed, 0, 8);
    let bound = pool.constant(8, number & 0x7f);
    let part = pool.compare(Compare::Slt, bound, low);
    let differ = pool.eq(x, y);
    let differ = pool.not(differ);
    pool.all(&[less, part, differ])
}

fn variables(pool: &mut Pool) -> (Term, Term) {
    (pool.variable(Sort::BitVec(32), "x"), pool.variable(Sort::BitVec(32), "y"))
}

/// A new solver for each tiny query.
#[divan::bench(args = BACKENDS, max_time = 3)]
fn tiny_query_on_a_new_solver(bencher: Bencher, backend: &str) {
    let mut pool = Pool::new();
    let (x, y) = variables(&mut pool);
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        let formula = tiny(&mut pool, x, y, number);
        check(&mut *make(backend), &mut pool, &[formula])
    });
}

/// One solver for all tiny queries.
#[divan::bench(args = BACKENDS, max_time = 3)]
fn tiny_query_on_one_solver(bencher: Bencher, backend: &str) {
    let mut pool = Pool::new();
    let (x, y) = variables(&mut pool);
    let mut solver = make(backend);
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        let formula = tiny(&mut pool, x, y, number);
        check(&mut *solver, &mut pool, &[formula])
    });
}

/// The input of a chain of sums and products that gives a wanted result: each step can be run backwards.
#[divan::bench(args = ["cadical", "z3"], consts = [20, 200], max_time = 5)]
fn chain_of_sums_and_products<const LENGTH: u128>(bencher: Bencher, backend: &str) {
    bencher.bench_local(|| {
        let mut pool = Pool::new();
        let (x, y) = variables(&mut pool);
        let mut term = x;
        for at in 0..LENGTH {
            let factor = pool.constant(32, 2 * at + 3);
            term = pool.bv(BvOp::Mul, term, factor);
            term = pool.bv(BvOp::Xor, term, y);
        }
        let result = pool.constant(32, 12345);
        let reached = pool.eq(term, result);
        let seven = pool.constant(32, 7);
        let fixed = pool.eq(y, seven);
        let answer = check(&mut *make(backend), &mut pool, &[reached, fixed]);
        assert!(answer.is_sat());
    });
}

/// The factors of a product of two primes.
#[divan::bench(args = ["cadical", "z3"], max_time = 5)]
fn factors_of_32_bits(bencher: Bencher, backend: &str) {
    bencher.bench_local(|| {
        let mut pool = Pool::new();
        let (x, y) = variables(&mut pool);
        let product = pool.bv(BvOp::Mul, x, y);
        let goal = pool.constant(32, 32_771 * 32_779);
        let bound = pool.constant(32, 1 << 16);
        let parts = [
            pool.eq(product, goal),
            pool.compare(Compare::Ult, x, bound),
            pool.compare(Compare::Ult, y, bound),
            pool.compare(Compare::Ule, x, y),
        ];
        let formula = pool.all(&parts);
        assert!(check(&mut *make(backend), &mut pool, &[formula]).is_sat());
    });
}

/// Doubles that add up to a wanted bit pattern.
#[divan::bench(args = ["cadical", "z3"], max_time = 5)]
fn sum_of_doubles(bencher: Bencher, backend: &str) {
    bencher.bench_local(|| {
        let mut pool = Pool::new();
        let sort = Sort::BitVec(64);
        let (x, y) = (pool.variable(sort, "x"), pool.variable(sort, "y"));
        let sum = pool.float(FloatOp::Add, Format::Double, x, y, Rounding::NearestEven);
        let goal = pool.constant(64, 0.3f64.to_bits().into());
        let tenth = pool.constant(64, 0.1f64.to_bits().into());
        let parts = [pool.eq(sum, goal), pool.eq(x, tenth)];
        assert!(check(&mut *make(backend), &mut pool, &parts).is_sat());
    });
}

/// Cores that were drawn beforehand.
struct Drawn(Vec<BTreeSet<usize>>);

impl Oracle for Drawn {
    fn check(&mut self, relaxed: &BTreeSet<usize>) -> Verdict {
        match self.0.iter().find(|core| core.is_disjoint(relaxed)) {
            Some(core) => Verdict::Fails { core: core.clone() },
            None => Verdict::Holds,
        }
    }
}

/// The ten cheapest correction sets of a hundred statements that some cores of three to eight statements demand.
#[divan::bench(args = [10, 50, 300], max_time = 5)]
fn correction_sets(bencher: Bencher, cores: usize) {
    let mut seed = 7u64;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let costs: Vec<u64> = (0..100).map(|_| 1 + next() as u64 % 50).collect();
    let drawn: Vec<BTreeSet<usize>> = (0..cores).map(|_| (0..3 + next() % 6).map(|_| next() % 100).collect()).collect();
    let bounds = Bounds { max_sets: Some(10), ..Bounds::default() };
    bencher.bench_local(|| enumerate(&costs, &mut Drawn(drawn.clone()), &bounds, |_| ControlFlow::Continue(())));
}
