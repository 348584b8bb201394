//! The same reports for every renderer.

use whydunit_findings::*;
use whydunit_render::Sources;

#[path = "checked.rs"]
mod checked;
#[path = "classes.rs"]
mod classes;
#[path = "enriched.rs"]
mod enriched;
#[path = "explained.rs"]
mod explained;
#[path = "health.rs"]
mod health;
#[path = "historied.rs"]
mod historied;
#[path = "located.rs"]
mod located;
#[path = "mined.rs"]
mod mined;
#[path = "repaired.rs"]
mod repaired;
#[path = "reviewed.rs"]
mod reviewed;
#[path = "run_page.rs"]
mod run_page;

use checked::checked;
use classes::classes;
use enriched::enriched;
use explained::explained;
use health::health;
use historied::historied;
use located::{formulas, located};
use mined::{mined, mined_classes, mined_methods};
use repaired::{repaired, score};
use reviewed::reviewed;
use run_page::run_page;

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
    TestResult { name: name.into(), outcome, seconds, reason: reason.map(String::from), ..TestResult::default() }
}

fn tests() -> Vec<TestResult> {
    vec![
        test("flat", Outcome::Pass, 0.0125, None),
        test("tall", Outcome::Fail, 0.5, Some("stdout differs at byte 3: expected \"12\", got \"7\"")),
        TestResult {
            printed: Some(Printed {
                check: Some("main.c:5: main: Assertion `n < 3' failed.".into()),
                lines: vec!["reading".into(), "n = 4\x1b[2J".into()],
                left_out: 2,
            }),
            ..test("wild", Outcome::Crash, 0.25, Some("killed by SIGSEGV\x1b[2J"))
        },
        TestResult {
            errors: RunErrors { memory: vec![], undefined: vec![overflow()] },
            ..test(
                "sum",
                Outcome::Fail,
                0.5,
                Some("undefined behaviour: src/triangle.c:5:9: 2147483647 + 1 does not fit"),
            )
        },
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
        stack: vec![("main".into(), Some(point(5, 9)))],
        access: Some(Access { write: true, size: 4 }),
        object: Some(MemoryObject {
            kind: "heap".into(),
            name: "main".into(),
            size: 8,
            offset: 12,
            allocated: Some(Location::line("src/main.c", 9)),
            freed: None,
            wrappers: vec!["need".into()],
            allocation: vec![
                ("reserve".into(), Some(Location::line("src/main.c", 9))),
                ("grow".into(), Some(point(5, 9))),
                ("grow".into(), Some(point(5, 9))),
                ("main".into(), None),
            ],
            freeing: vec![],
        }),
    }
}

fn overflow() -> UndefinedBehaviour {
    UndefinedBehaviour {
        kind: "signed-overflow".into(),
        location: Some(point(5, 9)),
        function: "area".into(),
        message: "2147483647 + 1 does not fit in a signed integer of 32 bits".into(),
        stack: vec![("main".into(), None)],
        times: 3,
    }
}

fn use_after_return() -> MemoryError {
    MemoryError {
        kind: "use-after-return".into(),
        location: None,
        function: "area".into(),
        message: "reads 1 byte of a local variable whose function has returned".into(),
        stack: vec![],
        access: Some(Access { write: false, size: 1 }),
        object: Some(MemoryObject {
            kind: "stack".into(),
            name: "sides".into(),
            size: 1,
            offset: 0,
            allocated: Some(point(3, 6)),
            freed: Some(point(5, 9)),
            allocation: vec![],
            wrappers: vec![],
            freeing: vec![],
        }),
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
        failure: Some(Box::new(Failure {
            kind: "assertion".into(),
            location: Some(range(4, 9, 4, 17)),
            predicate: Some("twice >= 0".into()),
            message: "assertion `twice >= 0' failed".into(),
            stack: vec![
                ("area".into(), Some(point(4, 9))),
                ("main".into(), Some(Location::line("src/main.c", 11))),
                ("start".into(), None),
            ],
            stack_left_out: None,
            variables: vec![("twice".into(), "-7".into()), ("base".into(), "3".into()), ("twice".into(), "0".into())],
            thread: None,
        })),
        end: "was killed by SIGABRT".into(),
        divergence: None,
        errors: RunErrors::default(),
        moments: None,
    }
}

fn why() -> Why {
    let step = |location, variable: &str, value: &str, kind, note: Option<&str>| Step {
        location,
        variable: variable.into(),
        value: value.into(),
        kind,
        note: note.map(String::from),
        condition: None,
        thread: None,
    };
    let negated = Step {
        condition: Some("!(twice < 0)".into()),
        ..step(Some(point(4, 9)), "condition", "true", StepKind::Control, None)
    };
    Why {
        steps: vec![
            step(Some(range(3, 6, 3, 10)), "twice", "7", StepKind::Data, None),
            step(Some(point(4, 15)), "twice < 0", "false", StepKind::Control, Some("so the branch was not taken")),
            negated,
            step(Some(Location::line("src/main.c", 10)), "height", "4", StepKind::Data, None),
            step(None, "argv[2]", "\"4\"", StepKind::Input, Some("the command line")),
        ],
        end: "was killed by SIGABRT".into(),
        divergence: None,
        ran: None,
        failure: None,
    }
}

/// Why a line did not run, asked where the run failed.
fn why_not() -> Why {
    let Why { steps, end, divergence, .. } = why();
    let first = Step { kind: StepKind::Control, note: Some("did not run".into()), ..steps[0].clone() };
    let first = Step { variable: String::new(), value: String::new(), ..first };
    let steps = [first].into_iter().chain(steps.into_iter().skip(2)).collect();
    Why { steps, end, divergence, ran: Some(false), failure: Some("the program aborts".into()) }
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
pub fn reports() -> Vec<Named> {
    [of_projects(), of_cases(), of_shrinking(), of_recordings(), of_answers()].concat()
}

type Named = (&'static str, Report);

fn stats() -> Stats {
    Stats { seconds: 1.25, builds: 1, test_runs: 5, ..Stats::default() }
}

fn problem() -> Problem {
    Problem::new("src/generated.c has changed since the build")
        .at(Location::line("src/generated.c", 1))
        .help("build again")
}

fn replayed() -> ReplayStats {
    ReplayStats {
        instructions: 1_234_567,
        instructions_per_second: 98_765_432.1,
        surprises: 17,
        external_calls: 42,
        log_bytes: 12_345,
    }
}

fn of_projects() -> Vec<Named> {
    vec![
        (
            "init",
            Report::new(Body::Init(Init {
                path: "whydunit.toml".into(),
                decisions: vec!["builds with `make`, since there is a Makefile".into()],
            })),
        ),
        (
            "build",
            Report {
                stats: Stats { seconds: 2.0, builds: 1, ..Stats::default() },
                ..Report::new(Body::Build(Build {
                    units: 2,
                    executables: vec![
                        Executable { path: "triangle".into(), units: 2, external: vec!["start.o".into()] },
                        Executable { path: "libarea.so".into(), units: 1, external: vec![] },
                    ],
                    notes: vec!["-fno-tree-vectorize was dropped: clang does not know it".into()],
                }))
            },
        ),
        ("test", Report { tests: tests(), stats: stats(), ..Report::new(Body::Test) }),
        ("no-test", Report::new(Body::Test)),
        (
            "test-shard",
            Report {
                tests: vec![test("flat", Outcome::Pass, 0.0125, None)],
                shard: Some(ShardOf { number: 2, of: 4, suite: "ab12".into(), complete: true }),
                ..Report::new(Body::Test)
            },
        ),
        ("test-list", Report::new(Body::TestList(vec!["flat".into(), "unit/Sum.Wrong\x1b[2J".into()]))),
    ]
}

fn of_cases() -> Vec<Named> {
    let case = |name: &str, basis, outcome| MadeCase { name: name.into(), basis, outcome };
    vec![(
        "cases",
        Report::new(Body::Cases(Cases {
            command: "make check".into(),
            ended: "exited with 2".into(),
            program: "calc".into(),
            path: "cases.jsonl".into(),
            runs: 8,
            cases: vec![
                case("tests/add.sh one.txt", CaseBasis::Accepted, Outcome::Pass),
                case("tests/sub.sh\x1b", CaseBasis::Compared("tests/sub.out".into()), Outcome::Fail),
                case("run", CaseBasis::Checked, Outcome::Crash),
            ],
            left_out: vec![LeftOutRuns {
                reason: "nothing shows what they must print".into(),
                count: 5,
                example: "tests/misc.sh #2".into(),
            }],
        })),
    )]
}

fn of_shrinking() -> Vec<Named> {
    vec![
        (
            "shrink",
            Report {
                stats: stats(),
                ..Report::new(Body::Shrink(Shrunk {
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
            Report::new(Body::Shrink(Shrunk {
                name: "in.lua".into(),
                failure: "oracle.sh says that it fails".into(),
                parts: vec![shrunk_part(PartKind::File, "in.lua", (900, 40), Some((9, 2)))],
                text: Some("a(\n\tb())\x1b".into()),
                path: "small.lua".into(),
                runs: 1,
                ..Shrunk::default()
            })),
        ),
    ]
}

fn of_recordings() -> Vec<Named> {
    vec![
        (
            "record",
            Report::new(Body::Record(Record {
                recordings: vec![Recorded {
                    path: ".whydunit/recordings/tall.1".into(),
                    program: "triangle".into(),
                    end: "exited with 1".into(),
                    log_bytes: 2_345_678,
                }],
                errors: RunErrors { memory: vec![out_of_bounds(), use_after_return()], undefined: vec![overflow()] },
                until_fails: Some(UntilFails {
                    runs: 7,
                    failures: 1,
                    passing: Some(".whydunit/recordings/tall.passing.rec".into()),
                    compared: true,
                    cut: false,
                    differences: vec![
                        RunDifference {
                            kind: "path".into(),
                            location: Some(point(4, 15)),
                            thread: Some(2),
                            message: "the runs part here: `twice < 0` is true in the failing run, and false in the passing one".into(),
                        },
                        RunDifference {
                            kind: "clock".into(),
                            message: "`time` gives 5 in the failing run, and 4 in the passing one".into(),
                            ..RunDifference::default()
                        },
                    ],
                }),
            })),
        ),
        (
            "replay",
            Report {
                stats: Stats { seconds: 0.5, replay: Some(replayed()), ..Stats::default() },
                ..Report::new(Body::Replay(Replay {
                    recording: ran(),
                    end: "exited with 1".into(),
                    ..Replay::default()
                }))
            },
        ),
        (
            "replay-diverged",
            Report {
                stats: Stats { seconds: 0.5, replay: Some(replayed()), ..Stats::default() },
                ..Report::new(Body::Replay(Replay {
                    recording: ran(),
                    divergence: Some(divergence()),
                    ..Replay::default()
                }))
            },
        ),
        ("show", Report::new(Body::Show(show()))),
        ("show-well", Report::new(Body::Show(Show { failure: None, ..show() }))),
        (
            "show-diverged",
            Report::new(Body::Show(Show {
                failure: None,
                end: "parts from its recording: expected a return of read, got a call of write".into(),
                divergence: Some(divergence()),
                ..show()
            })),
        ),
        ("classes", Report::new(Body::Classes(classes()))),
        ("history", Report::new(Body::History(Box::new(historied())))),
        ("history-one", Report::new(Body::History(Box::new(History { single: true, bugs: vec![historied().bugs.remove(0)], ..historied() })))),
        ("history-list", Report::new(Body::History(Box::new(History { listed: true, ..historied() })))),
        ("check", Report::new(Body::Check(checked()))),
        ("mine", Report::new(Body::Mine(mined()))),
        ("mine-methods", Report::new(Body::Mine(mined_methods()))),
        ("mine-classes", Report::new(Body::Mine(mined_classes()))),
        ("why", Report::new(Body::Why(why()))),
        ("why-not", Report::new(Body::Why(why_not()))),
        ("why-diverged", Report::new(Body::Why(Why { divergence: Some(divergence()), ..why() }))),
    ]
}

fn of_answers() -> Vec<Named> {
    vec![
        ("show-page", Report { problems: vec![problem()], ..Report::new(Body::Show(run_page())) }),
        ("enrich", Report::new(Body::Enrich(Box::new(enriched())))),
        (
            "locate",
            Report {
                tests: tests(),
                body: Body::Locate(located()),
                problems: vec![problem()],
                stats: Stats { captured_share: Some(0.98765), formulas: Some(formulas()), ..stats() },
                partial: true,
                interrupted: false,
                shard: None,
            },
        ),
        ("doctor", Report::new(Body::Doctor(health()))),
        ("score", Report::new(Body::Score(score()))),
        ("repair", Report { stats: Stats { builds: 4, ..Stats::default() }, ..Report::new(Body::Repair(repaired())) }),
        ("review", Report::new(Body::Review(Box::new(reviewed())))),
        ("explain", Report { stats: stats(), ..Report::new(Body::Explain(Box::new(explained()))) }),
        (
            "demo",
            Report::new(Body::Demo(vec![DemoStep {
                command: "whydunit locate".into(),
                purpose: "ranks the statements".into(),
                result: "the fault stands first".into(),
            }])),
        ),
    ]
}
