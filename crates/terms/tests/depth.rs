//! Deep terms and many terms: nothing recurses, and nothing takes long.

use std::time::{Duration, Instant};

use whydunit_terms::{
    Assignment, BvOp, Compare, FloatOp, Format, Lowering, Native, Pool, Rounding, Sort, Term, evaluate, size, smtlib,
    support,
};

const DEPTH: u128 = 1_000_000;

/// A chain of operations that do not simplify.
fn chain(pool: &mut Pool, x: Term, y: Term, depth: u128) -> Term {
    let mut term = x;
    for at in 0..depth {
        let constant = pool.constant(32, at | 1);
        term = match at % 3 {
            0 => pool.bv(BvOp::Xor, term, y),
            1 => pool.bv(BvOp::Mul, term, constant),
            _ => pool.bv(BvOp::Add, term, x),
        };
    }
    term
}

#[test]
fn a_million_operations_deep() {
    let mut pool = Pool::new();
    let (x, y) = (pool.variable(Sort::BitVec(32), "x"), pool.variable(Sort::BitVec(32), "y"));
    let term = chain(&mut pool, x, y, DEPTH);
    assert_eq!(support(&pool, &[term]), [x, y]);
    assert!(size(&pool, &[term]) > 1_300_000);
    // The same on plain numbers.
    let mut value = 7u32;
    for at in 0..DEPTH as u32 {
        value = match at % 3 {
            0 => value ^ 9,
            1 => value.wrapping_mul(at | 1),
            _ => value.wrapping_add(7),
        };
    }
    let assignment = Assignment::from_iter([(x, 7), (y, 9)]);
    assert_eq!(evaluate(&pool, term, &assignment), value.into());
    let zero = pool.constant(32, 0);
    let none = pool.eq(term, zero);
    assert_eq!(Lowering::new().lower(&mut pool, none), Ok(none));
    assert_eq!(Native::new().prepare(&mut pool, none), none);
    let mut script = Vec::new();
    smtlib::write(&mut pool, &[none], &[], &mut script).expect("memory");
    assert!(script.len() > 30_000_000);
}

#[test]
fn a_million_choices_deep() {
    let mut pool = Pool::new();
    let (x, p) = (pool.variable(Sort::BitVec(8), "x"), pool.variable(Sort::Bool, "p"));
    let (mut term, mut truth) = (x, p);
    for at in 0..DEPTH {
        let flag = if at % 2 == 0 { pool.variable(Sort::Bool, "f") } else { truth };
        let value = pool.constant(8, at);
        term = pool.ite(flag, value, term);
        truth = match at % 4 {
            0 => pool.eq(term, value),
            1 => pool.not(truth),
            2 => pool.compare(Compare::Ult, term, value),
            _ => pool.or(truth, flag),
        };
    }
    let assignment = Assignment::new();
    let value = evaluate(&pool, term, &assignment);
    let constant = pool.constant(8, value);
    let equal = pool.eq(term, constant);
    assert_eq!(evaluate(&pool, equal, &assignment), 1);
    let all: Vec<Term> = (0..DEPTH).map(|_| pool.variable(Sort::Bool, "g")).collect();
    let all = pool.all(&all);
    assert_eq!(evaluate(&pool, all, &assignment), 0);
}

#[test]
fn a_long_sum_of_floats() {
    let mut pool = Pool::new();
    let x = pool.variable(Sort::BitVec(64), "x");
    let mut sum = x;
    for _ in 0..200_000 {
        sum = pool.float(FloatOp::Add, Format::Double, sum, x, Rounding::NearestEven);
    }
    let assignment = Assignment::from_iter([(x, 0.5f64.to_bits().into())]);
    let value = evaluate(&pool, sum, &assignment);
    assert_eq!(f64::from_bits(value as u64), 100_000.5);
    let zero = pool.constant(64, 0);
    let none = pool.eq(sum, zero);
    let prepared = Native::new().prepare(&mut pool, none);
    assert_ne!(prepared, none);
}

#[test]
fn millions_of_terms_take_seconds() {
    let mut pool = Pool::new();
    let (x, y) = (pool.variable(Sort::BitVec(32), "x"), pool.variable(Sort::BitVec(32), "y"));
    let start = Instant::now();
    chain(&mut pool, x, y, 3_000_000);
    let time = start.elapsed();
    eprintln!("{} terms in {time:.2?}", pool.len());
    assert!(pool.len() > 4_000_000);
    assert!(time < Duration::from_secs(60), "{time:?}");
}
