//! The laws of a session over a recording: what is seen at a moment does not depend on the way to it, and what stops a run
//! forwards stops it backwards.

mod following;
mod hits;

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::numbers::Numbers;
use crate::support::project::Project;
use whydunit_capture::Store;
use whydunit_causes::failure::Expected;
use whydunit_debugger::{
    Breakpoint, DataBreakpoint, Direction, EventKind, Place, Position, Reason, Session, Step, Watched,
};
use whydunit_model::Op;
use whydunit_process::Cancel;
use whydunit_replay::{At, Machine, Observer};
use whydunit_workbench::{Recordings, load};

/// A construct, recorded.
fn recorded(name: &str) -> Project {
    let project = Project::new();
    project.copy(&format!("constructs/{name}"));
    let rustc = format!(
        "\"$RUSTC_WRAPPER\" rustc --target x86_64-unknown-linux-gnu --crate-type bin --emit=link -A warnings --edition 2021 \
         --crate-name program --out-dir . {name}"
    );
    let build: Vec<&str> = match name.rsplit_once('.').expect("a kind of source").1 {
        "c" => vec!["clang-22", "-g", "-pthread", "-o", "program", name, "-lm"],
        "cpp" => vec!["clang++-22", "-g", "-pthread", "-o", "program", name],
        _ => vec!["sh", "-c", &rustc],
    };
    let (status, _, errors) = project.json(&[&["build", "--"], &build[..]].concat());
    assert_eq!(status, 0, "{name}: {errors}");
    let (_, answer, errors) = project.json(&["record", "--", "./program"]);
    assert!(answer["recordings"].is_array(), "{name}: {errors}");
    project
}

/// A session over the project's last recording.
fn opened(project: &Path) -> Session {
    let store = Store::open(&project.join(".whydunit")).expect("a store");
    let path = Recordings::of(&store).find(None).expect("a recording");
    let loaded = load(&store, &path).expect("it loads");
    let machine = Machine::new(loaded.program, &loaded.recording).expect("a machine");
    Session::open(machine, Expected::default(), Cancel::new(), |_| {}).expect("a session")
}

/// Counts how often a run could have been stopped, and its operations.
#[derive(Default)]
struct Counts(u64, u64);

impl Observer for Counts {
    const OPS: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, _: &At<'_>) -> bool {
        self.0 += 1;
        false
    }

    fn op(&mut self, _: &At<'_>, _: &Op) {
        self.1 += 1;
    }
}

#[test]
fn a_run_can_be_stopped_before_each_of_its_operations() {
    for name in ["aggregates.c", "qsort_bsearch.c", "cpp_exceptions.cpp"] {
        let project = recorded(name);
        let store = Store::open(&project.path(".whydunit")).expect("a store");
        let path = Recordings::of(&store).find(None).expect("a recording");
        let loaded = load(&store, &path).expect("it loads");
        let mut counts = Counts::default();
        Machine::new(loaded.program, &loaded.recording).expect("a machine").run(&mut counts).expect("a replay");
        assert!(counts.1 > 100);
        assert_eq!(counts.0, counts.1, "{name}");
    }
}

/// All that is seen at the present moment.
fn seen(session: &Session) -> String {
    let mut text = format!("{:?}\n", session.threads());
    for thread in session.threads() {
        for frame in session.frames(thread.number, 0, 20).expect("frames") {
            text += &format!("{frame:?}\n");
            let view = session.view(frame.id).expect("a frame");
            for found in view.in_scope() {
                text += &format!("  {} = {}\n", found.name, found.text(view.module(), view.at.memory()));
            }
        }
    }
    text
}

const CONSTRUCTS: [&str; 15] = [
    "aggregates.c",
    "threads_local.c",
    "setjmp_longjmp.c",
    "qsort_bsearch.c",
    "cpp_exceptions.cpp",
    "cpp_containers.cpp",
    "threads_cpp.cpp",
    "rust_collections.rs",
    "rust_traits.rs",
    "rust_threads.rs",
    "threads_queue.c",
    "signals_raise.c",
    "alarm_siglongjmp.c",
    "longjmp_qsort.c",
    "cpp_unwinding.cpp",
];

/// Some line breakpoints at the lines where a walk came by.
fn breakpoints(session: &Session, lines: &[(String, u32)]) -> Vec<Breakpoint> {
    let place = |(file, line): &(String, u32)| Place::Line { file: file.clone(), line: *line };
    let known = |(file, line): &&(String, u32)| session.lines(file, *line, *line).len() == 1;
    lines.iter().filter(known).enumerate().map(|(n, at)| Breakpoint::new(n as u32, place(at))).collect()
}

/// Walks at random; what was seen at each position, and at which lines it was.
fn walk(session: &mut Session, seed: u64) -> (BTreeMap<Position, String>, Vec<(String, u32)>) {
    let mut numbers = Numbers(seed);
    let (mut known, mut lines) = (BTreeMap::new(), Vec::new());
    for _ in 0..120 {
        let direction = [Direction::Forward, Direction::Backward][numbers.below(2)];
        let step = [Step::In, Step::Over, Step::Out][numbers.below(3)];
        match numbers.below(8) {
            0 => session.goto(numbers.below(session.last() as usize + 1) as u64).expect("a position"),
            1 => drop(session.resume(direction).expect("it goes on")),
            _ => drop(session.step(session.running(), step, direction).expect("a step")),
        }
        let position = session.position();
        assert!((session.start()..=session.last()).contains(&position));
        let now = seen(session);
        let before = known.entry(position).or_insert_with(|| now.clone());
        assert_eq!(*before, now, "at {position} of {}", session.last());
        if let Some(frame) = session.frames(session.running(), 0, 1).expect("frames").first() {
            lines.push((frame.file.clone(), frame.line));
        }
        if lines.len() == 12 {
            session.set_breakpoints(breakpoints(session, &lines[6..9])).expect("breakpoints");
        }
    }
    (known, lines)
}

/// Where a session stops, one after the other, from its start to its end or back.
fn stops(session: &mut Session, direction: Direction) -> Vec<(Position, Reason)> {
    session.goto(if direction == Direction::Forward { 0 } else { session.last() }).expect("a position");
    let mut stops = Vec::new();
    loop {
        let stopped = session.resume(direction).expect("it goes on");
        match stopped.reason {
            Reason::Start | Reason::End => return stops,
            reason => stops.push((session.position(), reason)),
        }
        assert!(stops.len() < 100_000, "it stops too often");
    }
}

fn holds(name: &str, seed: u64) {
    let project = recorded(name);
    let mut session = opened(project.folder());
    assert!(session.is_whole(), "{name}: {}", session.ending());
    let (known, lines) = walk(&mut session, seed);
    // Forwards only, in another session.
    let mut fresh = opened(project.folder());
    for (position, before) in &known {
        fresh.goto(*position).expect("a position");
        assert_eq!(seen(&fresh), *before, "{name} at {position}");
    }
    assert!(known.len() > 10, "{name}: the walk saw {} moments", known.len());
    // What stops it on the way there stops it on the way back.
    let mut at: Vec<(String, u32)> = lines.into_iter().filter(|(_, line)| *line > 0).collect();
    at.sort();
    at.dedup();
    at.truncate(6);
    session.set_breakpoints(breakpoints(&session, &at)).expect("breakpoints");
    session.events.extend(EventKind::ALL);
    let (there, mut back) = (stops(&mut session, Direction::Forward), stops(&mut session, Direction::Backward));
    back.reverse();
    let end = session.last();
    let inside = |stops: Vec<(Position, Reason)>, start| {
        stops.into_iter().map(|(at, _)| at).filter(|at| (start + 1..end).contains(at)).collect::<Vec<_>>()
    };
    let (there, back) = (inside(there, session.start()), inside(back, session.start()));
    assert!(!there.is_empty(), "{name}: nothing stops it");
    assert_eq!(there, back, "{name}");
}

#[test]
fn what_is_seen_of_c_does_not_depend_on_the_way() {
    CONSTRUCTS.iter().filter(|name| name.ends_with(".c")).for_each(|name| holds(name, 0x9e37_79b9));
}

#[test]
fn what_is_seen_of_cpp_does_not_depend_on_the_way() {
    CONSTRUCTS.iter().filter(|name| name.ends_with(".cpp")).for_each(|name| holds(name, 0x517c_c1b7));
}

#[test]
fn what_is_seen_of_rust_does_not_depend_on_the_way() {
    CONSTRUCTS.iter().filter(|name| name.ends_with(".rs")).for_each(|name| holds(name, 0x2545_f491));
}

/// At its start a run stands in a frame, too: before its first operation.
#[test]
fn a_session_stands_in_a_frame_wherever_it_stands() {
    for name in ["use_after_free.c", "aggregates.c", "threads_cpp.cpp"] {
        let project = recorded(name);
        let mut session = opened(project.folder());
        for position in [session.start(), session.last(), session.start()] {
            session.goto(position).expect("a position");
            let frames = session.frames(session.running(), 0, 1).expect("frames");
            assert!(frames.first().is_some_and(|frame| frame.line > 0), "{name} at {position}");
        }
    }
}

/// A step over a line and back stands where it began, as long as the frame is the same.
#[test]
fn steps_over_lines_are_undone_by_steps_back() {
    for name in ["aggregates.c", "cpp_containers.cpp", "rust_collections.rs"] {
        let project = recorded(name);
        let mut session = opened(project.folder());
        let mut undone = 0;
        for _ in 0..60 {
            let thread = session.running();
            let before = (session.position(), session.frames(thread, 0, 1).expect("frames"));
            let stopped = session.step(thread, Step::Over, Direction::Forward).expect("a step");
            let after = session.frames(thread, 0, 1).expect("frames");
            if stopped.reason != Reason::Step || before.1.is_empty() || after.is_empty() {
                break;
            }
            if before.1[0].id == after[0].id && before.1[0].function == after[0].function {
                let there = session.position();
                session.step(thread, Step::Over, Direction::Backward).expect("a step");
                assert_eq!(session.position(), before.0, "{name}: back over {:?}", after[0]);
                undone += 1;
                session.goto(there).expect("a position");
            }
        }
        assert!(undone >= 5, "{name}: {undone} steps");
    }
}

/// Each write of a value stops behind it forwards and before it backwards.
#[test]
fn a_value_is_stopped_at_behind_its_writes_and_before_them() {
    let project = recorded("aggregates.c");
    let mut session = opened(project.folder());
    session.events.clear();
    // The first variable in memory that changes more than once.
    session.step(session.running(), Step::Over, Direction::Forward).expect("a step");
    let frame = session.frames(session.running(), 0, 1).expect("frames")[0].id;
    let names: Vec<String> = session.view(frame).expect("a frame").in_scope().iter().map(|v| v.name.clone()).collect();
    let in_memory = names.iter().filter_map(|name| session.watch(frame, name).ok());
    let watched: Vec<Watched> = in_memory.collect();
    assert!(!watched.is_empty(), "of {names:?}");
    session.data = (0..).zip(watched).map(|(number, watched)| DataBreakpoint::new(number, watched)).collect();
    let there = stops(&mut session, Direction::Forward);
    let mut back = stops(&mut session, Direction::Backward);
    back.reverse();
    assert!(!there.is_empty());
    let behind: Vec<Position> = there.iter().map(|(at, _)| *at).collect();
    let before: Vec<Position> = back.iter().map(|(at, _)| at + 1).filter(|at| *at > session.start()).collect();
    assert_eq!(behind, before);
}

/// A program that runs long enough for many stretches, recorded.
fn long_run() -> Project {
    let project = Project::new();
    let source = "#include <stdio.h>\n#include <stdlib.h>\n\
        struct node { int key; struct node *next; };\n\
        static struct node *head;\nstatic int early, rare[4096], often;\n\
        static int length(struct node *n) { int count = 0; while (n) { count++; n = n->next; } return count; }\n\
        static int count_up(void) { return ++often; }\n\
        static void seldom(int n) {\n    rare[2048] = n;\n}\n\
        int main(void) {\n    early = 7;\n    for (int i = 0; i < 20000; i++) {\n        count_up();\n        if (i % 9000 == 4000)\n            seldom(i);\n    }\n\
    for (int i = 0; i < 3; i++) {\n        struct node *made = malloc(sizeof *made);\n        made->key = i;\n        made->next = head;\n        head = made;\n    }\n\
    printf(\"%d %d\\n\", often, length(head));\n    return 0;\n}\n";
    project.write("long.c", source);
    let (status, _, errors) = project.json(&["build", "--", "clang-22", "-g", "-o", "program", "long.c"]);
    assert_eq!(status, 0, "{errors}");
    project.json(&["record", "--", "./program"]);
    project
}

/// Stretches of a run in which nothing is to be seen are passed over; what stops it is the same.
#[test]
fn rare_hits_and_writes_are_found_both_ways() {
    let project = long_run();
    let mut session = opened(project.folder());
    session.events.clear();
    assert!(session.checkpoints() > 20, "{} checkpoints", session.checkpoints());
    let function = |name: &str| Place::Function(name.into());
    session.set_breakpoints(vec![Breakpoint::new(1, function("seldom"))]).expect("breakpoints");
    let positions = |stops: Vec<(Position, Reason)>| stops.into_iter().map(|(at, _)| at).collect::<Vec<_>>();
    let there = positions(stops(&mut session, Direction::Forward));
    let mut back = positions(stops(&mut session, Direction::Backward));
    back.reverse();
    assert_eq!((there.len(), &there), (2, &back));
    // The numbers of hits are those of a run that looks everywhere.
    let counted = |hits: &str| Breakpoint::new(1, function("count_up")).on_hits(hits).expect("hits");
    session.set_breakpoints(vec![counted("15000")]).expect("breakpoints");
    let hit = positions(stops(&mut session, Direction::Forward));
    assert_eq!(hit.len(), 1);
    session.goto(hit[0]).expect("a position");
    let frame = session.frames(session.running(), 0, 1).expect("frames")[0].id;
    let often = session.evaluate(frame, "often").expect("a value");
    let view = session.view(frame).expect("a frame");
    assert_eq!(often.text(view.module(), view.at.memory()), "14999");
    session.set_breakpoints(Vec::new()).expect("none");
    // A value that is written twice in the run, and one that is written at each turn.
    let watched = |session: &Session, name: &str| session.watch(frame, name).expect("it is in memory");
    let (rare, often) = (watched(&session, "rare[2048]"), watched(&session, "often"));
    session.set_data(vec![DataBreakpoint::new(1, rare.clone())]).expect("breakpoints");
    let there = positions(stops(&mut session, Direction::Forward));
    let mut back = positions(stops(&mut session, Direction::Backward));
    back.reverse();
    assert_eq!(there.len(), 2);
    assert_eq!(there, back.iter().map(|at| at + 1).collect::<Vec<_>>());
    let second = DataBreakpoint::new(1, rare).on_hits("2").expect("hits");
    let often = DataBreakpoint::new(2, often).on_condition("often % 10000 == 0").expect("a condition");
    session.set_data(vec![second, often]).expect("breakpoints");
    let with_conditions = stops(&mut session, Direction::Forward);
    let numbers: Vec<Reason> = with_conditions.iter().map(|(_, reason)| reason.clone()).collect();
    assert_eq!(numbers, [Reason::Data(2), Reason::Data(1), Reason::Data(2)]);
    let mut back = positions(stops(&mut session, Direction::Backward));
    back.reverse();
    assert_eq!(positions(with_conditions), back.iter().map(|at| at + 1).collect::<Vec<_>>());
}

/// Functions that change nothing are called by expressions; others are refused, and all is as it was.
#[test]
fn expressions_call_functions_that_change_nothing() {
    let project = long_run();
    let mut session = opened(project.folder());
    session.goto(session.last()).expect("a position");
    let frame = session.frames(session.running(), 0, 1).expect("frames")[0].id;
    let text = |session: &mut Session, expression: &str| {
        let value = session.evaluate(frame, expression).map_err(|error| error.to_string())?;
        let view = session.view(frame).expect("a frame");
        Ok::<String, String>(value.text(view.module(), view.at.memory()))
    };
    let before = seen(&session);
    assert_eq!(text(&mut session, "length(head)"), Ok("3".into()));
    assert_eq!(text(&mut session, "length(head->next) * 2 + length(0)"), Ok("4".into()));
    assert_eq!(text(&mut session, "often == 20000 || count_up() == 1"), Ok("true".into()));
    let refused = |session: &mut Session, expression: &str| text(session, expression).expect_err("it is refused");
    assert!(refused(&mut session, "count_up()").contains("it changes more than its own variables"));
    assert!(refused(&mut session, "puts(0)").contains("no function `puts` was captured"));
    assert!(refused(&mut session, "length(head, 1)").contains("takes 2 plain arguments"));
    assert!(refused(&mut session, "head.size()").contains("no method `size`"));
    assert_eq!(seen(&session), before);
    assert_eq!(text(&mut session, "often"), Ok("20000".into()));
}
