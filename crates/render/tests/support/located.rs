//! A ranking for every renderer.

use whydunit_findings::*;

use super::{point, range};

pub fn located() -> Located {
    Located {
        anomalies: None,
        method: "dstar".into(),
        findings: findings(),
        correction_sets: correction_sets(),
        lines: vec![LineScore { file: "src/triangle.c".into(), line: 5, score: 0.125 }],
        rounds: vec![Rounds {
            test: "tall".into(),
            sets: vec![vec![vec![point(4, 15)]], vec![vec![range(3, 2, 3, 27)], vec![point(4, 15), point(6, 5)]]],
        }],
        failures: failures(),
        groups: vec![
            Group { tests: vec!["tall".into(), "flat".into()], ..Group::default() },
            Group {
                tests: vec!["wide".into()],
                apart: Apart::Symptom,
                findings: findings().into_iter().take(1).collect(),
            },
        ],
    }
}

/// A statement and a branch of one rank, what is less suspicious, and what nothing is known of.
fn findings() -> Vec<Finding> {
    let counts = |failed, passed| Some(SpectrumCounts { failed, passed, failed_total: 2, passed_total: 3 });
    vec![
        Finding {
            rank: 1.5,
            rank_best: 1,
            rank_worst: 2,
            score: f64::INFINITY,
            location: range(3, 2, 3, 27),
            function: "area".into(),
            code: "int twice = base + height; /* should be a product */".into(),
            counts: counts(2, 0),
            sets: vec![0],
            witness: vec!["if `twice` were 12 instead of 7, the test would pass".into()],
            ..Finding::default()
        },
        Finding {
            rank: 1.5,
            rank_best: 1,
            rank_worst: 2,
            score: f64::INFINITY,
            location: point(4, 15),
            function: "area".into(),
            code: "if (twice < 0)".into(),
            branch: Some("false".into()),
            counts: counts(2, 0),
            ..Finding::default()
        },
        Finding {
            rank: 3.0,
            rank_best: 3,
            rank_worst: 3,
            score: 0.8,
            location: range(6, 5, 7, 9),
            function: "area".into(),
            code: "return twice /".into(),
            counts: counts(2, 3),
            sets: vec![1],
            ..Finding::default()
        },
        Finding {
            rank: 4.0,
            rank_best: 4,
            rank_worst: 4,
            score: 0.25,
            location: Location::line("src/generated.c", 40),
            function: "main".into(),
            ..Finding::default()
        },
    ]
}

fn correction_sets() -> Vec<CorrectionSet> {
    vec![
        CorrectionSet {
            cost: 1.0,
            statements: vec![range(3, 2, 3, 27)],
            witness: vec!["if `twice` were 12 instead of 7".into()],
            confirmed: true,
            ran: true,
            tests: vec!["tall".into()],
        },
        CorrectionSet {
            cost: 2.5,
            statements: vec![range(6, 5, 7, 9), point(4, 15)],
            witness: vec!["if `a|b` <were> *true*".into(), "if line 6 returned 6".into()],
            confirmed: false,
            ran: false,
            tests: vec!["tall".into(), "wild".into()],
        },
    ]
}

fn failures() -> Vec<TestFailure> {
    vec![
        TestFailure {
            test: "tall".into(),
            kind: "memory-error".into(),
            location: Some(point(6, 5)),
            function: "area".into(),
            message: "reads 4 bytes just past the end of `sides` (12 bytes)".into(),
            predicate: Some("the index lies inside `sides[3]`".into()),
        },
        TestFailure {
            test: "wild".into(),
            kind: "abort".into(),
            message: "the program <aborts>".into(),
            ..TestFailure::default()
        },
    ]
}

pub fn formulas() -> FormulaStats {
    FormulaStats {
        iterations: 2,
        paths: 3,
        branches_explored: 5,
        branches_total: 8,
        solver_calls: 40,
        replay_seconds: 0.25,
        encode_seconds: 0.5,
        solve_seconds: 1.125,
        trial_seconds: 0.25,
        terms: 512,
        left_out: vec!["held as in the run: `strcmp` in line 7 of main.c is given what may change".into()],
    }
}
