//! Expressions out of demands.

use std::time::Duration;

use whydunit_solve::{Cadical, Limits};
use whydunit_synthesis::{Call, Demand, Found, Kind, Made, Operator, Problem, Search, Shape, find};
use whydunit_terms::{Compare, Pool, Sort, Term};

/// The first expression.
fn first(pool: &mut Pool, problem: &Problem<'_>) -> Option<Made> {
    let limits = || Some(Limits::of_time(Duration::from_secs(60)));
    find(pool, problem, u8::MAX, &|| Box::new(Cadical::new()), &limits).expect("a solver")
}

fn words(pool: &mut Pool, values: &[i64]) -> Vec<Term> {
    values.iter().map(|&value| pool.constant(64, value as u128)).collect()
}

/// A demand of one call: what it gives is compared with a number.
fn demand(pool: &mut Pool, inputs: &[i64], holds: impl Fn(&mut Pool, Term) -> Term) -> Demand {
    let result = pool.variable(Sort::BitVec(64), "beta");
    let inputs = words(pool, inputs);
    Demand { holds: vec![holds(pool, result)], calls: vec![Call { result, inputs }] }
}

fn above(number: i64) -> impl Fn(&mut Pool, Term) -> Term {
    move |pool, beta| {
        let number = pool.constant(64, number as u128);
        pool.compare(Compare::Slt, number, beta)
    }
}

fn upward(demands: &[Demand]) -> Problem<'_> {
    Problem {
        inputs: &[Kind::Number; 3],
        result: Kind::Number,
        constants: &[0, 1, 100],
        near: &[],
        demands,
        refused: &[],
    }
}

/// The worked example of SemFix, section 2: the failing tests alone admit the constant 111, with (1, 0, 100) it is `up_sep + 100`.
#[test]
fn the_worked_example() {
    let mut pool = Pool::new();
    let mut demands = vec![demand(&mut pool, &[1, 11, 110], above(110)), demand(&mut pool, &[1, -20, 60], above(60))];
    let made = first(&mut pool, &upward(&demands)).expect("an expression");
    assert!(matches!(made, Made::Number(number) if number > 110), "{made:?}");
    let not_above = |pool: &mut Pool, beta| {
        let above = above(100)(pool, beta);
        pool.not(above)
    };
    demands.push(demand(&mut pool, &[1, 0, 100], not_above));
    let made = first(&mut pool, &upward(&demands)).expect("an expression");
    let Made::Of(Operator::Add, mut operands) = made else { panic!("{made:?}") };
    operands.sort_by_key(Made::size);
    operands.sort_by_key(|operand| matches!(operand, Made::Number(_)));
    assert_eq!(operands, [Made::Input(1), Made::Number(100)]);
}

/// What an expression gives may be what a later execution is given.
#[test]
fn inputs_may_depend_on_earlier_results() {
    let mut pool = Pool::new();
    // x := f(x, 3), three times from 2 on; it comes to 11.
    let mut x = pool.constant(64, 2);
    let mut demand = Demand::default();
    for _ in 0..3 {
        let three = pool.constant(64, 3);
        let result = pool.variable(Sort::BitVec(64), "beta");
        demand.calls.push(Call { result, inputs: vec![x, three] });
        x = result;
    }
    let eleven = pool.constant(64, 11);
    demand.holds.push(pool.eq(x, eleven));
    let problem = Problem {
        inputs: &[Kind::Number, Kind::Number],
        result: Kind::Number,
        constants: &[],
        near: &[],
        demands: &[demand],
        refused: &[Made::Number(11)],
    };
    let made = first(&mut pool, &problem).expect("an expression");
    assert!(
        matches!(&made, Made::Of(Operator::Add, of) if of.contains(&Made::Input(0)) && of.contains(&Made::Input(1)))
    );
}

/// Conditions of pointers and numbers; what is refused is not given again.
#[test]
fn conditions_join_pointers_and_comparisons() {
    let mut pool = Pool::new();
    let kinds = [Kind::Address, Kind::Number, Kind::Number];
    // Set and a < b.
    let table =
        [([0, 1, 2], 0), ([4096, 1, 2], 1), ([4096, 2, 2], 0), ([8192, 3, 2], 0), ([8192, -1, 0], 1), ([0, 5, 4], 0)];
    let demands: Vec<Demand> = table
        .iter()
        .map(|(inputs, gives)| {
            let result = pool.constant(64, *gives);
            Demand { holds: Vec::new(), calls: vec![Call { result, inputs: words(&mut pool, inputs) }] }
        })
        .collect();
    let shape = Shape {
        level: 3,
        components: &[
            whydunit_synthesis::Component::Logic,
            whydunit_synthesis::Component::Presence,
            whydunit_synthesis::Component::Comparison,
        ],
        constants: 0,
    };
    let mut refused = Vec::new();
    let limits = Limits::of_time(Duration::from_secs(60));
    let mut seen = 0;
    loop {
        let problem = Problem {
            inputs: &kinds,
            result: Kind::Truth,
            constants: &[],
            near: &[],
            demands: &demands,
            refused: &refused,
        };
        let mut solver = Cadical::new();
        match Search::new(&mut pool, &problem, &shape).solve(false, &mut solver, &limits).expect("a solver") {
            Found::Made(made) => {
                assert!(!refused.contains(&made), "{made:?} again");
                let Made::Of(Operator::And, operands) = &made else { panic!("{made:?}") };
                assert!(operands.contains(&Made::Of(Operator::IsSet, vec![Made::Input(0)])), "{made:?}");
                refused.push(made);
                seen += 1;
            }
            Found::Nothing => break,
            Found::Unknown => panic!("no answer"),
        }
        assert!(seen < 9, "{refused:?}");
    }
    assert!(seen >= 2, "either may come first");
}

/// Of two expressions that would do the one of what stands there comes first.
#[test]
fn what_stands_there_comes_first() {
    let mut pool = Pool::new();
    let kinds = [Kind::Number; 3];
    // i < 4, and i <= at.
    let table = [([0, 3, 9], 1), ([3, 3, 9], 1), ([4, 3, 9], 0)];
    let demands: Vec<Demand> = table
        .iter()
        .map(|(inputs, gives)| {
            let result = pool.constant(64, *gives);
            Demand { holds: Vec::new(), calls: vec![Call { result, inputs: words(&mut pool, inputs) }] }
        })
        .collect();
    for (near, constant) in [(&[0][..], true), (&[0, 1], false)] {
        let problem =
            Problem { inputs: &kinds, result: Kind::Truth, constants: &[4], near, demands: &demands, refused: &[] };
        let made = first(&mut pool, &problem).expect("an expression");
        let Made::Of(_, operands) = &made else { panic!("{made:?}") };
        assert_eq!(operands.iter().any(|operand| matches!(operand, Made::Number(_))), constant, "{made:?}");
    }
}
