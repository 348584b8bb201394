//! The same reports for every renderer.

use whydunit_findings::*;
use whydunit_render::Sources;

#[path = "classes.rs"]
mod classes;
#[path = "explained.rs"]
mod explained;

use classes::classes;
use explained::explained;

/// A source file that the locations below point into.
pub struct Triangle;

const TRIANGLE: &str = "\
#include <assert.h>
int area(int base, int height) {
\tint twice = base + height; /* should be a product */
    if (twice < 0)
        return -1;
    return twice /
        2;
}";

impl Sources for Triangle {
    fn text(&self, file: &str) -> Option<String> {
        (file == "src/triangle.c").then(|| TRIANGLE.to_string())
    }
}

fn range(line: u32, column: u32, end_line: u32, end_column: u32) -> Location {
    Location { file: "src/triangle.c".into(), line, column, end_line, end_column }
}

fn point(line: u32, column: u32) -> Location {
    Location::point("src/triangle.c", line, column)
}

fn test(name: &str, outcome: Outcome, seconds: f64, reason: Option<&str>) -> TestResult {
    TestResult { name: name.into(), outcome, seconds, reason: reason.map(String::from), runs: None }
}

fn tests() -> Vec<TestResult> {
    vec![
        test("flat", Outcome::Pass, 0.0125, None),
        test("tall", Outcome::Fail, 0.5, Some("stdout differs at byte 3: expected \"12\", got \"7\"")),
        test("wild", Outcome::Crash, 0.25, Some("killed by SIGSEGV\x1b[2J")),
        TestResult {
            runs: Some(Runs { runs: 3, failures: 1 }),
            ..test("unsteady", Outcome::Flaky, 1.0, Some("exit status 1 instead of 0"))
        },
        test("windows", Outcome::Skip, 0.0, None),
    ]
}

fn out_of_bounds() -> MemoryError {
    MemoryError {
        kind: "out-of-bounds".into(),
        location: Some(point(3, 6)),
        function: "area".into(),
        message: "writes 4 bytes 4 bytes past the end of a block of 8 bytes".into(),
        access: Some(Access { write: true, size: 4 }),
        object: Some(MemoryObject {
            kind: "heap".into(),
            name: "main".into(),
            size: 8,
            offset: 12,
            allocated: Some(Location::line("src/main.c", 9)),
            freed: None,
        }),
    }
}

fn use_after_return() -> MemoryError {
    MemoryError {
        kind: "use-after-return".into(),
        location: None,
        function: "area".into(),
        message: "reads 1 byte of a local variable whose function has returned".into(),
        access: Some(Access { write: false, size: 1 }),
        object: Some(MemoryObject {
            kind: "stack".into(),
            name: "sides".into(),
            size: 1,
            offset: 0,
            allocated: Some(point(3, 6)),
            freed: Some(point(5, 9)),
        }),
    }
}

fn located() -> Located {
    let counts = |failed, passed| Some(SpectrumCounts { failed, passed, failed_total: 2, passed_total: 3 });
    Located {
        method: "dstar".into(),
        findings: vec![
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
        ],
        correction_sets: vec![
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
        ],
        lines: vec![LineScore { file: "src/triangle.c".into(), line: 5, score: 0.125 }],
        rounds: vec![Rounds {
            test: "tall".into(),
            sets: vec![vec![vec![point(4, 15)]], vec![vec![range(3, 2, 3, 27)], vec![point(4, 15), point(6, 5)]]],
        }],
        failures: vec![
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
        ],
    }
}

fn formulas() -> FormulaStats {
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

fn ran() -> Ran {
    Ran {
        path: ".whydunit/recordings/tall.rec".into(),
        test: Some("tall".into()),
        arguments: vec!["./triangle".into(), "3".into(), "a b".into()],
        folder: "/tmp/whydunit-1/work".into(),
        recorded: "2026-11-21T19:34:45Z".into(),
    }
}

fn show() -> Show {
    let entry = |depth, kind: &str, location, text: &str| OutlineEntry {
        depth,
        kind: kind.into(),
        location,
        text: text.into(),
        thread: None,
    };
    Show {
        recording: ran(),
        outline: vec![
            entry(0, "call", Some(Location::line("src/main.c", 4)), "main(argc = 3)"),
            entry(1, "call", Some(point(2, 5)), "area(base = 3, height = 4) = 3"),
            entry(1, "output", Some(Location::line("src/main.c", 12)), "\"area: 3\n\""),
        ],
        failure: Some(Failure {
            kind: "assertion".into(),
            location: Some(range(4, 9, 4, 17)),
            predicate: Some("twice >= 0".into()),
            message: "assertion `twice >= 0' failed".into(),
            stack: vec![
                ("area".into(), Some(point(4, 9))),
                ("main".into(), Some(Location::line("src/main.c", 11))),
                ("start".into(), None),
            ],
            variables: vec![("twice".into(), "-7".into()), ("base".into(), "3".into()), ("twice".into(), "0".into())],
            thread: None,
        }),
        end: "was killed by SIGABRT".into(),
        divergence: None,
        memory_errors: vec![],
    }
}

fn why() -> Why {
    let step = |location, variable: &str, value: &str, kind, note: Option<&str>| Step {
        location,
        variable: variable.into(),
        value: value.into(),
        kind,
        note: note.map(String::from),
        thread: None,
    };
    Why {
        steps: vec![
            step(Some(range(3, 6, 3, 10)), "twice", "7", StepKind::Data, None),
            step(Some(point(4, 15)), "twice < 0", "false", StepKind::Control, Some("so the branch was not taken")),
            step(Some(Location::line("src/main.c", 10)), "height", "4", StepKind::Data, None),
            step(None, "argv[2]", "\"4\"", StepKind::Input, Some("the command line")),
        ],
        end: "was killed by SIGABRT".into(),
        divergence: None,
    }
}

fn divergence() -> Divergence {
    Divergence {
        instruction: "load i32 in area (instruction 120 of the run)".into(),
        location: Some(point(3, 14)),
        expected: "a surprise at safepoint 12, site 40".into(),
        got: "a load at safepoint 12, site 41".into(),
    }
}

/// The report of this name.
pub fn report(name: &str) -> Report {
    reports().into_iter().find_map(|(own, report)| (own == name).then_some(report)).expect("a fixture")
}

fn shrunk_part(kind: PartKind, name: &str, before: (u64, u64), after: Option<(u64, u64)>) -> ShrunkPart {
    let size = |(bytes, lines)| Size { bytes, lines };
    ShrunkPart { kind, name: name.into(), before: size(before), after: after.map(size) }
}

/// A name for the snapshot, and the report.
pub fn reports() -> Vec<(&'static str, Report)> {
    let problem = Problem::new("src/generated.c has changed since the build")
        .at(Location::line("src/generated.c", 1))
        .help("build again");
    let stats = Stats { seconds: 1.25, builds: 1, test_runs: 5, ..Stats::default() };
    let replayed = ReplayStats {
        instructions: 1_234_567,
        instructions_per_second: 98_765_432.1,
        surprises: 17,
        external_calls: 42,
        log_bytes: 12_345,
    };
    let report = |body| Report::new(body);
    vec![
        (
            "init",
            report(Body::Init(Init {
                path: "whydunit.toml".into(),
                decisions: vec!["builds with `make`, since there is a Makefile".into()],
            })),
        ),
        (
            "build",
            Report {
                stats: Stats { seconds: 2.0, builds: 1, ..Stats::default() },
                ..report(Body::Build(Build {
                    units: 2,
                    executables: vec![
                        Executable { path: "triangle".into(), units: 2, external: vec!["start.o".into()] },
                        Executable { path: "libarea.so".into(), units: 1, external: vec![] },
                    ],
                    notes: vec!["-fno-tree-vectorize was dropped: clang does not know it".into()],
                }))
            },
        ),
        ("test", Report { tests: tests(), stats: stats.clone(), ..report(Body::Test) }),
        ("no-test", report(Body::Test)),
        ("test-list", report(Body::TestList(vec!["flat".into(), "unit/Sum.Wrong\x1b[2J".into()]))),
        (
            "shrink",
            Report {
                stats: stats.clone(),
                ..report(Body::Shrink(Shrunk {
                    name: "wild".into(),
                    failure: "it was killed by SIGABRT: triangle: Assertion `base > 0' failed.\x1b[2J".into(),
                    parts: vec![
                        shrunk_part(PartKind::File, "in.txt", (4210, 200), Some((7, 1))),
                        shrunk_part(PartKind::File, "more.txt", (1, 1), None),
                        shrunk_part(PartKind::Args, "", (12, 4), Some((4, 2))),
                    ],
                    case: Some("{\"name\":\"wild\",\"args\":[\"-1\",\"in\\u001b\"]}".into()),
                    text: None,
                    path: ".whydunit/shrunk/wild".into(),
                    runs: 214,
                    spared: 35,
                }))
            },
        ),
        (
            "shrink-file",
            report(Body::Shrink(Shrunk {
                name: "in.lua".into(),
                failure: "oracle.sh says that it fails".into(),
                parts: vec![shrunk_part(PartKind::File, "in.lua", (900, 40), Some((9, 2)))],
                text: Some("a(\n\tb())\x1b".into()),
                path: "small.lua".into(),
                runs: 1,
                ..Shrunk::default()
            })),
        ),
        (
            "record",
            report(Body::Record(Record {
                recordings: vec![Recorded {
                    path: ".whydunit/recordings/tall.1".into(),
                    program: "triangle".into(),
                    end: "exited with 1".into(),
                    log_bytes: 2_345_678,
                }],
                memory_errors: vec![out_of_bounds(), use_after_return()],
            })),
        ),
        (
            "replay",
            Report {
                stats: Stats { seconds: 0.5, replay: Some(replayed.clone()), ..Stats::default() },
                ..report(Body::Replay(Replay { recording: ran(), end: "exited with 1".into(), ..Replay::default() }))
            },
        ),
        (
            "replay-diverged",
            Report {
                stats: Stats { seconds: 0.5, replay: Some(replayed), ..Stats::default() },
                ..report(Body::Replay(Replay { recording: ran(), divergence: Some(divergence()), ..Replay::default() }))
            },
        ),
        ("show", report(Body::Show(show()))),
        ("show-well", report(Body::Show(Show { failure: None, ..show() }))),
        (
            "show-diverged",
            report(Body::Show(Show {
                failure: None,
                end: "parts from its recording: expected a return of read, got a call of write".into(),
                divergence: Some(divergence()),
                ..show()
            })),
        ),
        ("classes", report(Body::Classes(classes()))),
        ("why", report(Body::Why(why()))),
        ("why-diverged", report(Body::Why(Why { divergence: Some(divergence()), ..why() }))),
        (
            "locate",
            Report {
                tests: tests(),
                body: Body::Locate(located()),
                problems: vec![problem],
                stats: Stats { captured_share: Some(0.98765), formulas: Some(formulas()), ..stats.clone() },
                partial: true,
                interrupted: false,
            },
        ),
        ("score", report(Body::Score(score()))),
        ("repair", Report { stats: Stats { builds: 4, ..Stats::default() }, ..report(Body::Repair(repaired())) }),
        ("review", report(Body::Review(Box::new(reviewed())))),
        ("explain", Report { stats, ..report(Body::Explain(Box::new(explained()))) }),
        (
            "demo",
            report(Body::Demo(vec![DemoStep {
                command: "whydunit locate".into(),
                purpose: "ranks the statements".into(),
                result: "the fault stands first".into(),
            }])),
        ),
    ]
}

fn reviewed() -> Reviewed {
    let did = |output: &str, end: &str| Did { output: output.into(), end: end.into() };
    let executed = |line: u32, code: &str| Executed {
        location: Location { file: "calls.c".into(), line, ..Location::default() },
        code: code.into(),
    };
    let case = r#"{"name":"shim-again","args":["3","1"],"status":0}"#;
    Reviewed {
        fix: "first.diff".into(),
        test: "shim".into(),
        failure: "it dies by SIGABRT".into(),
        verdict: FixVerdict::Coverage,
        counterexample: Some(Counterexample {
            case: case.into(),
            fails: "it dies by SIGABRT: a function of no kind".into(),
            covered: true,
            by: "paths".into(),
            distance: Some(0),
            before: did("", "SIGABRT"),
            after: did("4\n\x1b[2J", "SIGABRT"),
            parts: Some(Parting {
                common: executed(17, "if (fun == ID_FUNCTION)").into(),
                before: vec![executed(19, "assert(0);")],
                after: vec![executed(19, "if (fun == SHIM && op != TAIL_CALL)"), executed(21, "assert(0);")],
            }),
        }),
        disruptions: vec![Disruption {
            test: Some("id-tail".into()),
            case: None,
            before: did("3\n", "status 0"),
            after: did("2\n", "status 0"),
        }],
        differences: vec![Disruption {
            test: None,
            case: Some(r#"{"name":"shim","args":["2","1"]}"#.into()),
            before: did("3\n", "status 0"),
            after: did("1\n2\n3\n4\n5\n6\n7\n", "status 1"),
        }],
        predicate: ["arg1 == 3 and arg2 <= 2", "arg1 == 3 and arg2 >= 3", "arg1 in 7..9", "arg1 == 12"]
            .map(Into::into)
            .into(),
        distances: vec![
            Distance { distance: 0, paths: 1, feasible: 1 },
            Distance { distance: 2, paths: 5, feasible: 4 },
        ],
        distance: Some(2),
        complete: false,
        exhausted: false,
        followed: [7, 3],
        inputs: 40,
        solving: 0.012,
        searching: 0.4,
        proposed_domain: Some("arg1 in 0..3\narg2 in {up, down}".into()),
        entry: Some(UnderTest {
            function: "run".into(),
            file: "calls.c".into(),
            parameters: vec!["fun".into(), "op".into()],
            arguments: vec!["3".into(), "1".into()],
            unit_test: Some("int main(void) {\n    run(3, 1);\n}\n".into()),
        }),
        compared: Some(Compared {
            other: "second.diff".into(),
            covered: [3, 2, 2],
            disrupted: [0, 1, 0],
            failing: 4,
            better: Better::This,
        }),
    }
}

fn repaired() -> Repaired {
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
    };
    Repaired {
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

fn score() -> Score {
    let place =
        FaultPlace { method: "ofc+cw".into(), examined: 1.5, found: true, seconds: 0.25, phases: None, cut: true };
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
