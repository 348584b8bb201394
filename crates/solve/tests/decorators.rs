//! Every decorator conforms around a backend, and does what it is for.

mod conformance;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use conformance::{Choices, Extent, Formulas, checked, conformance};
use whydunit_process::Cancel;
use whydunit_solve::{
    Answer, Cached, Cadical, Capabilities, Dumped, Fallback, Limited, Limits, SolveError, Solver, Timed, minimise_core,
};
use whydunit_terms::{Compare, Pool, Sort, Term};

fn cadical() -> Box<dyn Solver> {
    Box::new(Cadical::new())
}

/// A solver that never knows.
struct Clueless;

impl Solver for Clueless {
    fn name(&self) -> &str {
        "clueless"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities { floats: true, incremental: true, cores: true }
    }
    fn assert(&mut self, _: &mut Pool, _: Term) -> Result<(), SolveError> {
        Ok(())
    }
    fn check(&mut self, _: &mut Pool, _: &[Term], _: &Limits) -> Result<Answer, SolveError> {
        Ok(Answer::Unknown("no idea".into()))
    }
    fn reset(&mut self) {}
}

/// A solver whose cores are all assumptions.
struct Coarse(Cadical);

impl Solver for Coarse {
    fn name(&self) -> &str {
        "coarse"
    }
    fn capabilities(&self) -> Capabilities {
        Capabilities { cores: false, ..self.0.capabilities() }
    }
    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        self.0.assert(pool, term)
    }
    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        Ok(match self.0.check(pool, assumptions, limits)? {
            Answer::Unsat { .. } => Answer::Unsat { core: (0..assumptions.len()).collect() },
            answer => answer,
        })
    }
    fn reset(&mut self) {
        self.0.reset();
    }
}

/// A folder of its own that goes with the test.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn cached_conforms() {
    conformance(Extent::Small, &|| Box::new(Cached::new(cadical())));
}

#[test]
fn timed_conforms() {
    conformance(Extent::Small, &|| Box::new(Timed::new(cadical())));
}

#[test]
fn limited_conforms() {
    conformance(Extent::Small, &|| Box::new(Limited::new(cadical()).time(Duration::from_secs(600)).checks(100_000)));
}

#[test]
fn dumped_conforms() {
    let folder = folder();
    let number = AtomicUsize::new(0);
    conformance(Extent::Small, &|| {
        let own = folder.path().join(number.fetch_add(1, Ordering::Relaxed).to_string());
        Box::new(Dumped::new(cadical(), own))
    });
}

#[test]
fn fallback_conforms() {
    let share = Duration::from_secs(1);
    conformance(Extent::Small, &|| Box::new(Fallback::new(Box::new(Clueless), cadical(), share)));
    conformance(Extent::Small, &|| Box::new(Fallback::new(cadical(), Box::new(Clueless), share)));
}

#[test]
fn a_stack_of_all_conforms() {
    let folder = folder();
    let number = AtomicUsize::new(0);
    conformance(Extent::Small, &|| {
        let own = folder.path().join(number.fetch_add(1, Ordering::Relaxed).to_string());
        let limited = Limited::new(Box::new(Dumped::new(cadical(), own))).time(Duration::from_secs(600));
        let fallback = Fallback::new(Box::new(limited), cadical(), Duration::from_secs(1));
        Box::new(Timed::new(Box::new(Cached::new(Box::new(fallback)))))
    });
}

#[test]
fn a_known_model_and_a_known_core_answer_without_the_solver() {
    let mut pool = Pool::new();
    let x = pool.variable(Sort::BitVec(8), "x");
    let bound = |pool: &mut Pool, low: u128| {
        let low = pool.constant(8, low);
        pool.compare(Compare::Ult, low, x)
    };
    let (above_9, above_90) = (bound(&mut pool, 9), bound(&mut pool, 90));
    let below_50 = pool.not(above_90);
    let timed = Timed::new(cadical());
    let figures = timed.figures();
    let mut solver = Cached::new(Box::new(timed));
    let checks = || figures.lock().expect("figures").checks;
    assert!(checked(&mut solver, &mut pool, &[], &[above_90]));
    assert!(checked(&mut solver, &mut pool, &[], &[above_9]));
    assert_eq!((checks(), solver.hits()), (1, 1));
    assert!(!checked(&mut solver, &mut pool, &[], &[above_90, below_50]));
    assert!(!checked(&mut solver, &mut pool, &[], &[above_9, below_50, above_90]));
    assert_eq!((checks(), solver.hits()), (2, 2));
    // Both outlive an assertion that the model satisfies.
    solver.assert(&mut pool, above_9).expect("an assertion");
    assert!(checked(&mut solver, &mut pool, &[above_9], &[]));
    assert!(!checked(&mut solver, &mut pool, &[above_9], &[below_50, above_90]));
    assert_eq!(checks(), 2);
    let y = pool.variable(Sort::BitVec(8), "y");
    let differ = pool.eq(x, y);
    let differ = pool.not(differ);
    assert!(checked(&mut solver, &mut pool, &[above_9], &[differ]));
    solver.assert(&mut pool, below_50).expect("an assertion");
    assert!(checked(&mut solver, &mut pool, &[above_9, below_50], &[]));
    assert_eq!(checks(), 3);
    solver.reset();
    assert!(checked(&mut solver, &mut pool, &[], &[above_90]));
    assert_eq!(checks(), 4);
}

#[test]
fn figures_count_what_was_done() {
    let mut pool = Pool::new();
    let (x, y) = (pool.variable(Sort::BitVec(8), "x"), pool.variable(Sort::BitVec(8), "y"));
    let (less, more) = (pool.compare(Compare::Ult, x, y), pool.compare(Compare::Ult, y, x));
    let mut solver = Timed::new(cadical());
    solver.assert(&mut pool, less).expect("an assertion");
    assert!(checked(&mut solver, &mut pool, &[less], &[]));
    assert!(!checked(&mut solver, &mut pool, &[less], &[more]));
    let interrupt = Cancel::new();
    interrupt.cancel();
    let hard = conformance::hard(&mut pool);
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    assert!(matches!(solver.check(&mut pool, &[hard], &limits), Ok(Answer::Unknown(_))));
    let figures = *solver.figures().lock().expect("figures");
    assert_eq!((figures.checks, figures.sat, figures.unsat, figures.unknown), (3, 1, 1, 1));
    assert!(figures.longest <= figures.time && figures.time > Duration::ZERO);
    assert!(figures.largest > 10);
}

#[test]
fn a_budget_is_for_all_checks() {
    let mut pool = Pool::new();
    let (a, hard) = (pool.variable(Sort::Bool, "a"), conformance::hard(&mut pool));
    let mut solver = Limited::new(cadical()).checks(2);
    for expected in [true, true, false, false] {
        let answer = solver.check(&mut pool, &[a], &Limits::default()).expect("a check");
        assert_eq!(answer.is_sat(), expected);
    }
    let mut solver = Limited::new(cadical()).time(Duration::from_millis(150));
    assert!(solver.check(&mut pool, &[a], &Limits::default()).expect("a check").is_sat());
    let answer = solver.check(&mut pool, &[hard], &Limits::default()).expect("a check");
    assert!(matches!(answer, Answer::Unknown(_)));
    let answer = solver.check(&mut pool, &[a], &Limits::default()).expect("a check");
    assert!(matches!(answer, Answer::Unknown(reason) if reason.contains("spent")));
}

#[test]
fn a_dump_is_a_script_with_its_answer() {
    let folder = folder();
    let mut pool = Pool::new();
    let x = pool.variable(Sort::BitVec(8), "x (of\nmain)");
    let seven = pool.constant(8, 7);
    let (is, less) = (pool.eq(x, seven), pool.compare(Compare::Ult, x, seven));
    let mut solver = Dumped::new(cadical(), folder.path());
    solver.assert(&mut pool, less).expect("an assertion");
    assert!(checked(&mut solver, &mut pool, &[less], &[]));
    assert!(!checked(&mut solver, &mut pool, &[less], &[is]));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let first = read("000001.smt2");
    assert!(first.starts_with("(set-logic QF_BV)\n(declare-const v2 (_ BitVec 8)) ; x (ofmain)\n"), "{first}");
    assert!(first.ends_with("(check-sat)\n; sat\n"), "{first}");
    assert!(read("000002.smt2").ends_with("(check-sat-assuming (a0))\n; unsat, core [0]\n"));
    let mut nowhere = Dumped::new(cadical(), "/dev/null/folder");
    let message = nowhere.check(&mut pool, &[is], &Limits::default()).expect_err("an error").to_string();
    assert!(message.contains("/dev/null/folder"), "{message}");
}

#[test]
fn a_minimal_core_cannot_lose_anything() {
    for seed in 0..30 {
        let mut formulas = Formulas::new(700 + seed, &[4, 6]);
        let mut assumptions: Vec<Term> = (0..10).map(|_| formulas.formula(6)).collect();
        let pool = &mut formulas.pool;
        let mut choices = Choices::new(seed);
        for assumption in &mut assumptions {
            if choices.below(2) == 0 {
                *assumption = pool.not(*assumption);
            }
        }
        let mut solver: Box<dyn Solver> = if seed % 2 == 0 { cadical() } else { Box::new(Coarse(Cadical::new())) };
        let limits = Limits::default();
        let satisfiable = solver.check(pool, &assumptions, &limits).expect("a check").is_sat();
        let core = minimise_core(&mut *solver, pool, &assumptions, &limits).expect("a core");
        assert_eq!(core.is_none(), satisfiable);
        let Some(core) = core else { continue };
        let chosen = |left_out: Option<usize>| -> Vec<Term> {
            core.iter().filter(|at| Some(**at) != left_out).map(|at| assumptions[*at]).collect()
        };
        assert!(Cadical::new().check(pool, &chosen(None), &limits).expect("a check").is_unsat());
        for at in &core {
            assert!(Cadical::new().check(pool, &chosen(Some(*at)), &limits).expect("a check").is_sat());
        }
    }
}
