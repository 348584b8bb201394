//! Patches for every renderer, and how methods are measured by them.

use whydunit_findings::*;

pub fn repaired() -> Repaired {
    let diff = "--- a/sums.c\n+++ b/sums.c\n@@ -8 +8 @@\n-        bias = down_sep;\n+        bias = up_sep + 100;\n";
    let patch = Patch {
        grade: Grade::Verified,
        origin: "enumeration".into(),
        replaced: Replacement {
            location: Location { file: "sums.c".into(), line: 8, ..Location::default() },
            function: "preferred".into(),
            before: "down_sep".into(),
            after: "up_sep + 100".into(),
            bytes: 120..128,
        },
        also: vec![Replacement {
            location: Location { file: "sums.c".into(), line: 11, ..Location::default() },
            function: "preferred".into(),
            before: "bias > down_sep".into(),
            after: "bias >= down_sep\x1b[2J".into(),
            bytes: 160..175,
        }],
        demands: vec!["t4: the first time, it has to be more than 110; `down_sep` gave 110\x1b[2J".into()],
        diff: diff.into(),
        diff_bytes: diff.into(),
        differing: Some(Differing {
            other: 2,
            case: r#"{"args":["1","5"],"name":"varied-3","status":0,"stdout":"4\n0\n"}"#.into(),
            output: "4\n0\n".into(),
            status: 0,
            other_output: "4\n1\x1b[2J\n".into(),
            other_status: 0,
        }),
        deciding: Some(5),
        rivals: 1,
        refuted: None,
        unchecked: Vec::new(),
        evidence: Some(PatchEvidence {
            has_values: true,
            failing: vec![
                ValuesSeen {
                    test: "t4".into(),
                    times: 3,
                    first: Some((2, Otherwise::Value { before: "110".into(), after: "111\x1b[2J".into() })),
                    known: true,
                    ..ValuesSeen::default()
                },
                ValuesSeen { replacement: 1, test: "t4".into(), times: 1, ..ValuesSeen::default() },
            ],
            passing: 7,
            reaching: 4,
            otherwise: vec![ValuesSeen {
                test: "t2".into(),
                times: 1,
                first: Some((1, Otherwise::LeftOut)),
                known: true,
                ..ValuesSeen::default()
            }],
        }),
    };
    Repaired {
        anomalies: Vec::new(),
        method: "enumeration".into(),
        tests: vec!["t1".into(), "t4\x1b[2J".into()],
        patches: vec![patch],
        sites: 9,
        candidates: 2_000,
        tried: 300,
        alike: 1,
        hopeless: 4,
        phases: RepairPhases { locate: 0.5, run: 1.25, ..RepairPhases::default() },
        lines: vec![Location { file: "sums.c".into(), line: 8, ..Location::default() }],
    }
}

pub fn score() -> Score {
    let place = FaultPlace {
        method: "ofc+cw".into(),
        examined: 1.5,
        found: true,
        seconds: 0.25,
        phases: None,
        cut: true,
        exclusions: Some(Exclusions { falsely: 1, rightly: 12 }),
    };
    let bugs = vec![
        ScoredBug { name: "one".into(), failing: 2, tests: 7, places: vec![place.clone()], ..ScoredBug::default() },
        ScoredBug { name: "two".into(), problem: Some("no test fails\x1b[2J".into()), ..ScoredBug::default() },
    ];
    let answer = |method: &str, reported, auxiliary, passes, builds| ScoredAnswer {
        method: method.into(),
        reported,
        auxiliary,
        found: passes,
        passes,
        builds,
        runs: builds - 1,
        seconds: builds as f64 / 4.0,
        problem: None,
    };
    let gave_up =
        ScoredAnswer { problem: Some("there is no answer after 500 builds".into()), ..answer("dd", 0, 0, false, 1) };
    let regressions = vec![
        ScoredRegression {
            name: "sums".into(),
            kind: Some("two at once".into()),
            test: "three".into(),
            changes: 4,
            least: Some(2),
            answers: vec![answer("after", 2, 1, true, 7), answer("dd", 2, 0, false, 10)],
            problem: None,
        },
        ScoredRegression {
            name: "larger".into(),
            test: "t".into(),
            changes: 400,
            answers: vec![answer("after", 1, 0, true, 30), gave_up],
            ..ScoredRegression::default()
        },
        ScoredRegression { name: "third".into(), problem: Some("it does not build".into()), ..Default::default() },
    ];
    let explainers = ["after", "dd"].map(|method| ExplainerScore::of(method, "dd", &regressions)).to_vec();
    let repairs = scored_repairs();
    let repairers = ["enumeration", "synthesis"].map(|method| RepairScore::of(method, &repairs)).to_vec();
    let methods = vec![MethodScore::of("ofc+cw", [place].iter())];
    Score { bugs, methods, regressions, explainers, repairs, repairers }
}

fn scored_repairs() -> Vec<ScoredRepair> {
    let patch = repaired().patches.remove(0);
    let answer = |method: &str, after: &str, correct: bool, any_correct: bool| ScoredPatch {
        method: method.into(),
        patched: 2,
        first: Some(Patch {
            replaced: Replacement { after: after.into(), ..patch.replaced.clone() },
            also: Vec::new(),
            ..patch.clone()
        }),
        correct: Some(correct),
        any_correct: Some(any_correct),
        held_out: 200,
        held_out_failing: if correct { 0 } else { 17 },
        phases: RepairPhases { build: 1.0, run: 2.5, ..RepairPhases::default() },
        candidates: 2_000,
        tried: 300,
        builds: 9,
        runs: 4_000,
        seconds: 4.25,
        ..ScoredPatch::default()
    };
    let nothing = ScoredPatch {
        method: "enumeration".into(),
        held_out: 200,
        candidates: 12_000,
        tried: 4_000,
        builds: 21,
        seconds: 60.5,
        cut: true,
        ..ScoredPatch::default()
    };
    let long = format!("up_sep\n    + {}", "100 + ".repeat(20));
    let unjudged = ScoredPatch {
        correct: None,
        any_correct: None,
        held_out: 0,
        problem: Some("held-out.jsonl: it cannot be read".into()),
        ..answer("synthesis", &long, true, true)
    };
    vec![
        ScoredRepair {
            name: "sums-order".into(),
            kind: Some("wrong variable".into()),
            failing: 2,
            tests: 7,
            answers: vec![
                answer("enumeration", "up_sep + 100", true, true),
                answer("synthesis", "up_sep\x1b[2J", false, true),
            ],
            problem: None,
        },
        ScoredRepair {
            name: "sums-end".into(),
            failing: 1,
            tests: 7,
            answers: vec![answer("enumeration", "0", false, false), unjudged],
            ..ScoredRepair::default()
        },
        ScoredRepair {
            name: "sums-far".into(),
            failing: 1,
            tests: 7,
            answers: vec![nothing],
            ..ScoredRepair::default()
        },
        ScoredRepair { name: "third".into(), problem: Some("it does not build".into()), ..Default::default() },
    ]
}
