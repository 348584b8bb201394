//! What every solver must do, whatever is behind it.

mod floats;
mod formulas;

use std::time::{Duration, Instant};

use whydunit_process::Cancel;
use whydunit_solve::{Answer, Cadical, Limits, SolveError, Solver};
use whydunit_terms::{Assignment, BvOp, Compare, Evaluator, Pool, Sort, Term, evaluate, support};

pub use formulas::{Choices, Formulas};

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Everything.
    Whole,
    /// Fewer widths, formats and operands, for solvers that take their time.
    Small,
}

/// Runs the whole suite on solvers that `make` makes.
#[expect(clippy::print_stderr, reason = "how long each part takes")]
pub fn conformance(extent: Extent, make: &dyn Fn() -> Box<dyn Solver>) {
    let parts: [(&str, &dyn Fn()); 13] = [
        ("truth values", &|| truth_values(make)),
        ("operations on all widths", &|| operations_on_all_widths(extent, make)),
        ("divisions and shifts at their edges", &|| divisions_and_shifts_at_their_edges(make)),
        ("small formulas against all assignments", &|| small_formulas_against_all_assignments(make)),
        ("larger formulas against another solver", &|| larger_formulas_against_another_solver(make)),
        ("incremental use", &|| incremental_use(make)),
        ("cores", &|| cores(make)),
        ("deep terms", &|| deep_terms(extent, make)),
        ("limits", &|| limits(make)),
        ("bad input", &|| bad_input(make)),
        ("float operations", &|| floats::operations_on_all_formats(extent, make)),
        ("float searches", &|| floats::searches(make)),
        ("float formulas", &|| floats::formulas_against_another_solver(make)),
    ];
    for (name, part) in parts {
        let start = Instant::now();
        part();
        eprintln!("{}: {name} in {:.2?}", make().name(), start.elapsed());
    }
}

/// A check whose answer is held against the formula: a model by evaluation, a core by a second check of its own.
pub fn checked(solver: &mut dyn Solver, pool: &mut Pool, assertions: &[Term], assumptions: &[Term]) -> bool {
    let answer = solver.check(pool, assumptions, &Limits::default()).expect("a check");
    match answer {
        Answer::Sat(assignment) => {
            assert_model(pool, &assignment, assertions, assumptions);
            true
        }
        Answer::Unsat { core } => {
            assert!(core.is_sorted() && core.iter().all(|at| *at < assumptions.len()), "{core:?}");
            let chosen: Vec<Term> = core.iter().map(|at| assumptions[*at]).collect();
            let mut other = Cadical::new();
            for assertion in assertions {
                other.assert(pool, *assertion).expect("an assertion");
            }
            let second = other.check(pool, &chosen, &Limits::default()).expect("a check");
            assert!(second.is_unsat(), "{}: the core does not contradict", solver.name());
            false
        }
        Answer::Unknown(reason) => panic!("{}: unknown without limits: {reason}", solver.name()),
    }
}

fn assert_model(pool: &Pool, assignment: &Assignment, assertions: &[Term], assumptions: &[Term]) {
    let formula: Vec<Term> = assertions.iter().chain(assumptions).copied().collect();
    for variable in support(pool, &formula) {
        let value = assignment.get(variable).expect("a value for every variable");
        let width = pool.width(variable);
        assert!(width == 128 || value >> width == 0, "a value that fits");
    }
    let mut evaluator = Evaluator::new(pool, assignment);
    for term in formula {
        assert!(evaluator.holds(term), "the model is none of {:?}", pool.node(term));
    }
}

fn bits(width: u32) -> Sort {
    Sort::BitVec(width)
}

fn truth_values(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    let (yes, no) = (pool.truth(), pool.falsity());
    assert!(checked(&mut *solver, &mut pool, &[], &[]));
    assert!(checked(&mut *solver, &mut pool, &[], &[yes]));
    assert!(!checked(&mut *solver, &mut pool, &[], &[yes, no]));
    let (a, b) = (pool.variable(Sort::Bool, "a"), pool.variable(Sort::Bool, "b"));
    let (not_a, either) = (pool.not(a), pool.or(a, b));
    solver.assert(&mut pool, either).expect("an assertion");
    assert!(checked(&mut *solver, &mut pool, &[either], &[not_a]));
    let same = pool.iff(a, b);
    assert!(checked(&mut *solver, &mut pool, &[either], &[same]));
    assert!(!checked(&mut *solver, &mut pool, &[either], &[same, not_a]));
    assert!(!checked(&mut *solver, &mut pool, &[either], &[a, not_a]));
    solver.assert(&mut pool, no).expect("an assertion");
    assert!(!checked(&mut *solver, &mut pool, &[either, no], &[]));
    assert!(!checked(&mut *solver, &mut pool, &[either, no], &[a]));
}

/// With both operands fixed, the result is what evaluation says and nothing else.
fn assert_operation(solver: &mut dyn Solver, pool: &mut Pool, term: Term, fixed: &[(Term, u128)]) {
    let assignment: Assignment = fixed.iter().copied().collect();
    let value = evaluate(pool, term, &assignment);
    let mut assumptions = Vec::new();
    for (variable, value) in fixed {
        let constant = pool.constant(pool.width(*variable), *value);
        assumptions.push(pool.eq(*variable, constant));
    }
    let is = match pool.sort(term) {
        Sort::Bool => pool.iff(term, if value == 1 { pool.truth() } else { pool.falsity() }),
        Sort::BitVec(width) => {
            let value = pool.constant(width, value);
            pool.eq(term, value)
        }
    };
    let other = pool.not(is);
    for (last, expected) in [(is, true), (other, false)] {
        assumptions.push(last);
        let answer = solver.check(pool, &assumptions, &Limits::default()).expect("a check");
        assert_eq!(answer.is_sat(), expected, "{:?} of {fixed:?} is {value:#x}: {answer:?}", pool.node(term));
        if let Answer::Sat(assignment) = answer {
            assert_model(pool, &assignment, &[], &assumptions);
        }
        assumptions.pop();
    }
}

/// Every term that one operation makes of two variables.
fn operations(pool: &mut Pool, x: Term, y: Term) -> Vec<Term> {
    let width = pool.width(x);
    let mut terms: Vec<Term> = BvOp::ALL.into_iter().map(|op| pool.bv(op, x, y)).collect();
    for compare in [Compare::Ult, Compare::Ule, Compare::Slt, Compare::Sle] {
        terms.push(pool.compare(compare, x, y));
    }
    terms.push(pool.eq(x, y));
    terms.push(pool.bvnot(x));
    terms.push(pool.neg(x));
    terms.push(pool.extract(x, width / 3, width - width / 3));
    let less = pool.compare(Compare::Ult, x, y);
    terms.push(pool.ite(less, x, y));
    if width <= 64 {
        terms.push(pool.concat(x, y));
        terms.push(pool.sext(x, width + 7));
        terms.push(pool.zext(y, 2 * width));
        terms.push(pool.popcount(x));
        terms.push(pool.leading_zeros(x));
    }
    terms
}

fn operations_on_all_widths(extent: Extent, make: &dyn Fn() -> Box<dyn Solver>) {
    let mut choices = Choices::new(1);
    let widths: &[u32] = if extent == Extent::Whole { &[1, 2, 3, 7, 16, 33, 64, 128] } else { &[1, 3, 8, 20] };
    for width in widths.iter().copied() {
        let mut pool = Pool::new();
        let (x, y) = (pool.variable(bits(width), "x"), pool.variable(bits(width), "y"));
        for terms in operations(&mut pool, x, y).chunks(if extent == Extent::Whole { 1 } else { 8 }) {
            let mut solver = make();
            for term in terms.iter().flat_map(|term| [*term; 2]) {
                let fixed = [(x, choices.value(width)), (y, choices.value(width))];
                assert_operation(&mut *solver, &mut pool, term, &fixed);
            }
        }
    }
}

fn divisions_and_shifts_at_their_edges(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    for width in [1, 3, 8] {
        let (x, y) = (pool.variable(bits(width), "x"), pool.variable(bits(width), "y"));
        let least = 1 << (width - 1);
        let most = (1 << width) - 1;
        for op in [BvOp::UDiv, BvOp::SDiv, BvOp::URem, BvOp::SRem, BvOp::Shl, BvOp::LShr, BvOp::AShr] {
            let term = pool.bv(op, x, y);
            for (a, b) in [(least, 0), (1, 0), (least, most), (most, u128::from(width) & most), (least, least), (0, 0)]
            {
                assert_operation(&mut *solver, &mut pool, term, &[(x, a), (y, b)]);
            }
        }
    }
}

fn small_formulas_against_all_assignments(make: &dyn Fn() -> Box<dyn Solver>) {
    for seed in 0..60 {
        let mut formulas = Formulas::new(seed, &[1 + (seed % 3) as u32, 3, 2]);
        let formula = formulas.formula(12 + (seed % 20) as usize);
        let pool = &mut formulas.pool;
        let variables = support(pool, &[formula]);
        let total: u32 = variables.iter().map(|variable| pool.width(*variable)).sum();
        let satisfiable = (0..1u32 << total).any(|number| {
            let mut rest = number;
            let assignment: Assignment = variables
                .iter()
                .map(|variable| {
                    let width = pool.width(*variable);
                    let value = rest & ((1 << width) - 1);
                    rest >>= width;
                    (*variable, value.into())
                })
                .collect();
            evaluate(pool, formula, &assignment) == 1
        });
        let mut solver = make();
        assert_eq!(checked(&mut *solver, pool, &[], &[formula]), satisfiable, "formula {seed}");
        solver.assert(pool, formula).expect("an assertion");
        assert_eq!(checked(&mut *solver, pool, &[formula], &[]), satisfiable, "formula {seed}");
    }
}

fn larger_formulas_against_another_solver(make: &dyn Fn() -> Box<dyn Solver>) {
    for seed in 0..40 {
        let widths = [[8, 16], [32, 8], [16, 16], [12, 5]][seed as usize % 4];
        let mut formulas = Formulas::new(1000 + seed, &widths).without_division();
        let parts: Vec<Term> = (0..4).map(|_| formulas.formula(25)).collect();
        let pool = &mut formulas.pool;
        let (mut solver, mut other) = (make(), Cadical::new());
        solver.assert(pool, parts[0]).expect("an assertion");
        other.assert(pool, parts[0]).expect("an assertion");
        for last in 1..parts.len() {
            let assumptions = &parts[1..=last];
            let expected = other.check(pool, assumptions, &Limits::default()).expect("a check").is_sat();
            assert_eq!(checked(&mut *solver, pool, &parts[..1], assumptions), expected, "formula {seed}");
        }
    }
}

fn incremental_use(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    let x = pool.variable(bits(16), "x");
    let mut assertions = Vec::new();
    let mut add = |solver: &mut dyn Solver, pool: &mut Pool, term: Term| {
        solver.assert(pool, term).expect("an assertion");
        assertions.push(term);
        assertions.clone()
    };
    let (ten, twenty) = (pool.constant(16, 10), pool.constant(16, 20));
    let above = pool.compare(Compare::Ult, ten, x);
    let held = add(&mut *solver, &mut pool, above);
    assert!(checked(&mut *solver, &mut pool, &held, &[]));
    let below = pool.compare(Compare::Ult, x, twenty);
    assert!(checked(&mut *solver, &mut pool, &held, &[below]));
    // A variable that is new after a check, and a product over old and new.
    let y = pool.variable(bits(16), "y");
    let product = pool.bv(BvOp::Mul, x, y);
    let goal = pool.constant(16, 221);
    let factors = pool.eq(product, goal);
    let small = pool.compare(Compare::Ult, y, twenty);
    let held = add(&mut *solver, &mut pool, factors);
    assert!(checked(&mut *solver, &mut pool, &held, &[below, small]));
    let held = add(&mut *solver, &mut pool, below);
    let thirteen = pool.constant(16, 13);
    let seventeen = pool.constant(16, 17);
    let (first, second) = (pool.eq(x, thirteen), pool.eq(x, seventeen));
    let neither = [pool.not(first), pool.not(second), small];
    assert!(!checked(&mut *solver, &mut pool, &held, &neither));
    assert!(checked(&mut *solver, &mut pool, &held, &neither[1..]));
    for _ in 0..3 {
        assert!(!checked(&mut *solver, &mut pool, &held, &neither));
        assert!(checked(&mut *solver, &mut pool, &held, &[second]));
    }
    solver.reset();
    let nothing = pool.eq(x, ten);
    assert!(checked(&mut *solver, &mut pool, &[], &[nothing]));
}

fn cores(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    let variables: Vec<Term> = (0..6).map(|at| pool.variable(bits(8), format!("v{at}"))).collect();
    // v0 < v1 < ... < v5, and bounds; only two of the assumptions matter.
    for pair in variables.windows(2) {
        let less = pool.compare(Compare::Ult, pair[0], pair[1]);
        solver.assert(&mut pool, less).expect("an assertion");
    }
    let held: Vec<Term> = variables.windows(2).map(|pair| pool.compare(Compare::Ult, pair[0], pair[1])).collect();
    let (low, high, middle) = (pool.constant(8, 100), pool.constant(8, 104), pool.constant(8, 0));
    let assumptions = [
        pool.compare(Compare::Ule, middle, variables[3]),
        pool.compare(Compare::Ule, low, variables[0]),
        pool.eq(variables[2], variables[2]),
        pool.compare(Compare::Ule, variables[5], high),
    ];
    assert!(!checked(&mut *solver, &mut pool, &held, &assumptions));
    if solver.capabilities().cores {
        match solver.check(&mut pool, &assumptions, &Limits::default()).expect("a check") {
            Answer::Unsat { core } => assert_eq!(core, [1, 3]),
            answer => panic!("{answer:?}"),
        }
    }
    let equal = pool.eq(variables[0], variables[5]);
    let with_equal = [assumptions[0], equal];
    assert!(!checked(&mut *solver, &mut pool, &held, &with_equal));
    // The same assumption twice, and one that is false by itself.
    let no = pool.falsity();
    assert!(!checked(&mut *solver, &mut pool, &held, &[equal, equal]));
    assert!(!checked(&mut *solver, &mut pool, &held, &[assumptions[1], no]));
    assert!(checked(&mut *solver, &mut pool, &held, &[assumptions[1], assumptions[1]]));
}

fn deep_terms(extent: Extent, make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    let x = pool.variable(bits(8), "x");
    let mut term = x;
    for at in 0..if extent == Extent::Whole { 3000u128 } else { 300 } {
        let step = pool.constant(8, at % 251);
        let other = pool.bv(BvOp::Xor, term, step);
        let other = pool.bv(BvOp::Add, other, x);
        let same = pool.eq(term, x);
        term = pool.ite(same, other, term);
    }
    let start = pool.constant(8, 5);
    let start = pool.eq(x, start);
    let less = pool.compare(Compare::Ult, term, x);
    assert!(checked(&mut *solver, &mut pool, &[], &[start]));
    checked(&mut *solver, &mut pool, &[], &[start, less]);
}

/// Whether a prime is a product of two numbers of half its width: no, but hard to see.
pub fn hard(pool: &mut Pool) -> Term {
    let (x, y) = (pool.variable(bits(64), "x"), pool.variable(bits(64), "y"));
    let prime = pool.constant(64, 9_223_372_036_854_775_783);
    let (one, bound) = (pool.constant(64, 1), pool.constant(64, 1 << 32));
    let product = pool.bv(BvOp::Mul, x, y);
    let parts = [
        pool.eq(product, prime),
        pool.compare(Compare::Ult, x, bound),
        pool.compare(Compare::Ult, y, bound),
        pool.compare(Compare::Ult, one, x),
    ];
    pool.all(&parts)
}

fn limits(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let formula = hard(&mut pool);
    let mut solver = make();
    solver.assert(&mut pool, formula).expect("an assertion");
    let start = Instant::now();
    let answer = solver.check(&mut pool, &[], &Limits::of_time(Duration::from_millis(300))).expect("a check");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());

    // An interrupt from another thread.
    let interrupt = Cancel::new();
    let setter = {
        let interrupt = interrupt.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            interrupt.cancel();
        })
    };
    let start = Instant::now();
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let answer = solver.check(&mut pool, &[], &limits).expect("a check");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    setter.join().expect("the thread ends");

    // It goes on afterwards.
    solver.reset();
    let a = pool.variable(Sort::Bool, "a");
    let not = pool.not(a);
    let time = Limits::of_time(Duration::from_secs(60));
    assert!(solver.check(&mut pool, &[a], &time).expect("a check").is_sat());
    solver.assert(&mut pool, not).expect("an assertion");
    assert!(solver.check(&mut pool, &[a], &time).expect("a check").is_unsat());
}

fn bad_input(make: &dyn Fn() -> Box<dyn Solver>) {
    let mut pool = Pool::new();
    let mut solver = make();
    let x = pool.variable(bits(8), "x");
    assert!(matches!(solver.assert(&mut pool, x), Err(SolveError::NotBoolean(8))));
    let answer = solver.check(&mut pool, &[x], &Limits::default());
    assert!(matches!(answer, Err(SolveError::NotBoolean(8))), "{answer:?}");
    let yes = pool.truth();
    assert!(checked(&mut *solver, &mut pool, &[], &[yes]));
}
