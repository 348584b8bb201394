//! Hits, writes and values of a session that passes stretches over are those of one look at the run from its start to its end,
//! operation by operation.

use std::collections::{BTreeMap, BTreeSet};

use super::following::{Level, Plain, machines, recorded};
use super::stops;
use crate::support::numbers::Numbers;
use crate::support::project::Project;
use whydunit_causes::failure::Expected;
use whydunit_causes::variables::{View, Watch};
use whydunit_debugger::{Breakpoint, DataBreakpoint, Direction, FrameId, Place, Position, Reason, Session, Watched};
use whydunit_model::Op;
use whydunit_process::Cancel;
use whydunit_replay::{At, Entry, Machine, Observer};

/// Checkpoints stand so many operations apart: short runs have many stretches, too.
const CLOSE: u64 = 48;

/// What is asked of one look at a run.
#[derive(Default)]
struct Asked {
    lines: Vec<(String, u32)>,
    values: Vec<Watched>,
    moments: BTreeMap<Position, Vec<FrameId>>,
}

/// One look at a run.
struct Look {
    plain: Plain,
    watch: Watch,
    asked: Asked,
    /// For each line where frames come to it, in the order of the run: twice where a signal is raised there.
    hits: Vec<Vec<Position>>,
    /// For each value where it is another than before.
    changes: Vec<BTreeSet<Position>>,
    known: Vec<Option<Option<Vec<u8>>>>,
    seen: BTreeMap<Position, Vec<Vec<String>>>,
    last: Option<(Position, whydunit_replay::FuncId, u32)>,
}

/// A frame's variables with their values.
fn variables(view: &View<'_>) -> Vec<String> {
    let found = view.in_scope().into_iter();
    found.map(|found| format!("{} = {}", found.name, found.text(view.module(), view.at.memory()))).collect()
}

impl Look {
    /// At the run of a machine, up to its end.
    fn at(machine: &mut Machine, asked: Asked) -> Self {
        let (lines, values) = (asked.lines.len(), asked.values.len());
        let mut look = Look {
            plain: Plain::default(),
            watch: Watch::default(),
            asked,
            hits: vec![Vec::new(); lines],
            changes: vec![BTreeSet::new(); values],
            known: vec![None; values],
            seen: BTreeMap::new(),
            last: None,
        };
        // A run that parts from its recording is looked at up to there.
        drop(machine.run(&mut look));
        look
    }

    /// The value of a watched variable; the inner one is `None` where it has none, the outer one where its frame does not run.
    fn value(&mut self, watched: &Watched, at: &At<'_>) -> Option<Option<Vec<u8>>> {
        match watched {
            Watched::Memory { address, size } => Some(Some(at.memory().read_vec(*address, *size as usize))),
            Watched::Variable { entered, depth, name } => {
                let is_it = at.depth == *depth && self.plain.frames(at)[*depth].entered == *entered;
                is_it.then(|| {
                    View::of(at, &self.watch, *depth).and_then(|view| view.named(name)).map(|found| found.bytes)
                })
            }
        }
    }

    fn looks_at(&mut self, at: &At<'_>) {
        let position = self.plain.begun;
        let Some(line) = self.plain.arrives(at) else { return };
        let (number, file) = ((line >> 1) as u32, (line >> 33) as usize);
        let file = &at.code.module_of(at.function).files[file];
        for (sought, hits) in self.asked.lines.iter().zip(&mut self.hits) {
            if *file == sought.0 && number == sought.1 {
                hits.push(position);
            }
        }
    }
}

impl Observer for Look {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        let position = self.plain.begun;
        let here = (position, at.function, at.pc);
        if self.last.replace(here) == Some(here) {
            return false;
        }
        self.watch.follow(at);
        self.looks_at(at);
        let values = std::mem::take(&mut self.asked.values);
        for (index, watched) in values.iter().enumerate() {
            let Some(value) = self.value(watched, at) else { continue };
            if self.known[index].as_ref().is_some_and(|known| *known != value) {
                self.changes[index].insert(position);
            }
            self.known[index] = Some(value);
        }
        self.asked.values = values;
        if let Some(frames) = self.asked.moments.get(&position)
            && !self.seen.contains_key(&position)
        {
            let of = |id: &FrameId| {
                let view = View::in_thread(at, &self.watch, id.thread, id.depth).expect("a frame");
                variables(&view.at_place(id.place))
            };
            self.seen.insert(position, frames.iter().map(of).collect());
        }
        false
    }

    fn op(&mut self, at: &At<'_>, op: &Op) {
        self.plain.op(at, op);
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.watch.enter(at);
        self.plain.enter(at, entry);
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.watch.switched(from, to);
    }
}

/// The frames of the present moment, each with its variables.
fn present(session: &Session) -> Vec<(FrameId, Vec<String>)> {
    let threads = session.threads().into_iter();
    let frames = threads.flat_map(|thread| session.frames(thread.number, 0, 30).expect("frames"));
    frames.map(|frame| (frame.id, variables(&session.view(frame.id).expect("a frame")))).collect()
}

/// What can be watched of the frames of the present moment: some of it.
fn watchable(session: &Session, numbers: &mut Numbers) -> Vec<Watched> {
    let mut watched = Vec::new();
    for (frame, variables) in present(session) {
        for text in variables {
            let name = text.split(" = ").next().expect("a name");
            if numbers.below(3) == 0 {
                watched.extend(session.watch(frame, name).ok());
            }
        }
        let globals = session.globals(frame).expect("globals");
        if !globals.is_empty() {
            watched.extend(session.watch(frame, &globals[numbers.below(globals.len())].found.name).ok());
        }
    }
    watched
}

/// More stops than this of one breakpoint are not compared one by one.
const MOST: usize = 25;

/// Where a session stops both ways, strictly inside the run, as far as `reason` tells that it is a breakpoint.
fn both_ways(session: &mut Session) -> [Vec<Position>; 2] {
    [Direction::Forward, Direction::Backward].map(|direction| {
        let stops = stops(session, direction).into_iter();
        let at = stops.filter(|(_, reason)| matches!(reason, Reason::Breakpoints(_) | Reason::Data(_)));
        let mut at: Vec<Position> = at.map(|(at, _)| at).collect();
        at.sort_unstable();
        at
    })
}

/// The positions behind the start and before the end, each once.
fn inside(session: &Session, positions: impl IntoIterator<Item = Position>) -> Vec<Position> {
    let range = session.start() + 1..session.last();
    let set: BTreeSet<Position> = positions.into_iter().filter(|at| range.contains(at)).collect();
    set.into_iter().collect()
}

/// Longer runs are not looked at: each operation is, and each stop both ways.
const LONGEST: Position = 60_000;

/// How much was compared.
#[derive(Default, Debug)]
struct Compared {
    hits: usize,
    counted: usize,
    changes: usize,
    variables: usize,
    moments: usize,
    stretches: usize,
}

/// Lines, values and moments drawn from a run, as a session has them.
fn drawn(session: &mut Session, numbers: &mut Numbers) -> (Asked, BTreeMap<Position, Vec<Vec<String>>>) {
    let (mut asked, mut seen) = (Asked::default(), BTreeMap::new());
    for _ in 0..25 {
        session.goto(numbers.below(session.last() as usize + 1) as u64).expect("a position");
        let now = present(session);
        let position = session.position();
        if let Some(frame) = session.frames(session.running(), 0, 1).expect("frames").first().filter(|f| f.line != 0) {
            asked.lines.push((frame.file.clone(), frame.line));
        }
        asked.values.extend(watchable(session, numbers).into_iter().take(4));
        asked.moments.insert(position, now.iter().map(|(id, _)| *id).collect());
        seen.insert(position, now.into_iter().map(|(_, variables)| variables).collect());
    }
    // Lines that nothing comes to, or that are come to once, are not drawn that way.
    let sources: Vec<(String, u32)> = session
        .sources()
        .iter()
        .flat_map(|(file, lines)| lines.iter().map(|line| (file.clone(), *line)))
        .filter(|(file, _)| !file.starts_with('/'))
        .collect();
    for _ in 0..6 {
        asked.lines.extend(sources.get(numbers.below(sources.len())).cloned());
    }
    asked.lines.sort();
    asked.lines.dedup();
    (asked, seen)
}

/// Compares the hits of each line, all of them and each third.
fn compare_hits(name: &str, session: &mut Session, look: &Look, compared: &mut Compared) {
    for ((file, line), hits) in look.asked.lines.iter().zip(&look.hits) {
        let breakpoint = || Breakpoint::new(1, Place::Line { file: file.clone(), line: *line });
        let third = |hits: &[Position]| hits.iter().skip(2).step_by(3).copied().collect::<Vec<_>>();
        let some = hits.len() <= MOST;
        if some {
            session.set_breakpoints(vec![breakpoint()]).expect("breakpoints");
            for stops in both_ways(session) {
                assert_eq!(
                    inside(session, stops),
                    inside(session, hits.iter().copied()),
                    "{name}: hits of {file}:{line}"
                );
            }
            compared.hits += hits.len();
        }
        let counted = if some { third(hits) } else { hits.iter().skip(999).take(1).copied().collect() };
        let which = if some { "% 3" } else { "1000" };
        session.set_breakpoints(vec![breakpoint().on_hits(which).expect("hits")]).expect("breakpoints");
        for stops in both_ways(session) {
            let expected = inside(session, counted.iter().copied());
            assert_eq!(inside(session, stops), expected, "{name}: hits {which} of {file}:{line}");
        }
        compared.counted += counted.len();
    }
    session.set_breakpoints(Vec::new()).expect("none");
}

/// Compares the writes of each value.
fn compare_changes(name: &str, session: &mut Session, look: &Look, compared: &mut Compared) {
    for (watched, changes) in look.asked.values.iter().zip(&look.changes).filter(|(_, at)| at.len() <= MOST) {
        session.set_data(vec![DataBreakpoint::new(1, watched.clone())]).expect("breakpoints");
        let [there, back] = both_ways(session);
        let behind: Vec<Position> = back.into_iter().map(|write| write + 1).collect();
        let expected = inside(session, changes.iter().copied());
        assert_eq!(inside(session, there), expected, "{name}: forwards, {watched:?}");
        assert_eq!(inside(session, behind), expected, "{name}: backwards, {watched:?}");
        compared.changes += expected.len();
        compared.variables += usize::from(matches!(watched, Watched::Variable { .. }) && !expected.is_empty());
    }
    session.set_data(Vec::new()).expect("none");
}

fn compare(name: &str, machine: &dyn Fn() -> Machine, numbers: &mut Numbers, compared: &mut Compared) {
    let opened = Session::open_closely(machine(), Expected::default(), Cancel::new(), CLOSE, |_| {});
    // A process that did nothing of the program's own.
    let Ok(mut session) = opened else { return };
    if session.last() > LONGEST {
        return;
    }
    session.events.clear();
    compared.stretches += session.checkpoints();
    let (mut asked, seen) = drawn(&mut session, numbers);
    // Some of each.
    while asked.values.len() > 12 {
        asked.values.swap_remove(numbers.below(asked.values.len()));
    }
    while asked.lines.len() > 12 {
        asked.lines.swap_remove(numbers.below(asked.lines.len()));
    }
    let look = Look::at(&mut machine(), asked);
    assert_eq!(look.seen, seen, "{name}: what is seen");
    compared.moments += seen.len();
    compare_hits(name, &mut session, &look, compared);
    compare_changes(name, &mut session, &look, compared);
}

fn of(project: &Project, name: &str, numbers: &mut Numbers, compared: &mut Compared) {
    for (_, machine) in machines(project) {
        compare(name, &machine, numbers, compared);
    }
}

fn all(names: &[&str], seed: u64) {
    let (mut numbers, mut compared) = (Numbers(seed), Compared::default());
    for name in names {
        for level in [Level::Plain, Level::Optimised] {
            if let Some(project) = recorded(name, level) {
                of(&project, &format!("{name} ({level:?})"), &mut numbers, &mut compared);
            }
        }
    }
    let Compared { hits, counted, changes, variables, moments, stretches } = compared;
    let enough = [(hits, 50), (counted, 20), (changes, 50), (variables, 5), (moments, 100), (stretches, 200)];
    assert!(enough.iter().all(|(some, least)| some >= least), "{compared:?}");
}

#[test]
fn hits_writes_and_values_of_c_are_those_of_a_look_at_the_whole_run() {
    let names = [
        "aggregates.c",
        "setjmp_longjmp.c",
        "longjmp_qsort.c",
        "qsort_bsearch.c",
        "signals_raise.c",
        "alarm_siglongjmp.c",
        "sigsetjmp_handler.c",
        "alternate_stack.c",
        "threads_local.c",
        "threads_queue.c",
        "threads_race.c",
        "external_callbacks.c",
        "segv_null_write.c",
        "switches.c",
        "deep_recursion.c",
    ];
    all(&names, 0x9e37_79b9);
}

#[test]
fn hits_writes_and_values_of_cpp_are_those_of_a_look_at_the_whole_run() {
    let names = [
        "cpp_exceptions.cpp",
        "cpp_unwinding.cpp",
        "cpp_external_frames.cpp",
        "cpp_containers.cpp",
        "cpp_virtual.cpp",
        "cpp_noexcept.cpp",
        "cpp_statics.cpp",
        "threads_cpp.cpp",
    ];
    all(&names, 0x517c_c1b7);
}

#[test]
fn hits_writes_and_values_of_rust_are_those_of_a_look_at_the_whole_run() {
    all(&["rust_collections.rs", "rust_traits.rs", "rust_threads.rs", "rust_panics.rs", "rust_enums.rs"], 0x2545_f491);
}
