//! A run that is followed at full speed is the one that is followed operation by operation: over the programs of `subjects/constructs`,
//! at random points.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use crate::support::numbers::Numbers;
use crate::support::project::{Project, subjects};
use whydunit_capture::Store;
use whydunit_debugger::line_codes;
use whydunit_model::Op;
use whydunit_replay::{At, Entry, FuncId, Machine, Observer, Stop, TrackedFrame};
use whydunit_workbench::{Recordings, load};

/// Follows a run one operation after the other, as [`Machine::track`] follows it at full speed.
#[derive(Default)]
pub struct Plain {
    /// How many operations were begun.
    pub begun: u64,
    threads: BTreeMap<u32, (Vec<TrackedFrame>, [Option<u64>; 2])>,
    first_own: Option<u64>,
    lines: HashMap<FuncId, Vec<u64>>,
    /// The lines that frames came to since that was asked last.
    passed: BTreeSet<(FuncId, u64)>,
}

impl Plain {
    /// The frames of the thread that runs, the outermost first.
    pub fn frames(&mut self, at: &At<'_>) -> &mut Vec<TrackedFrame> {
        let begun = self.begun;
        let (frames, _) = self.threads.entry(at.core.threads.running()).or_default();
        frames.truncate(at.depth + 1);
        while frames.len() <= at.depth {
            let function = at.core.frames[frames.len()].function;
            let values = vec![0; at.code.model(function).variables.len()];
            let frame =
                TrackedFrame { function, entered: begun, line: 0, since: begun, before: None, last: begun, values };
            frames.push(frame);
        }
        frames
    }

    /// The line, by its code, that the running frame comes to by its next operation; `None` where it is there already.
    pub fn arrives(&mut self, at: &At<'_>) -> Option<u64> {
        let line = self.lines.entry(at.function).or_insert_with(|| line_codes(at.code, at.function))[at.pc as usize];
        let known = self.frames(at).last().expect("a frame").line;
        (line != 0 && line != known).then_some(line)
    }
}

impl Observer for Plain {
    const OPS: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, _: &Op) {
        let arrives = self.arrives(at);
        let begun = self.begun;
        let frame = self.frames(at).last_mut().expect("a frame");
        for (index, value) in at.model.debug_values.iter().enumerate().filter(|(_, value)| value.pc == at.pc) {
            frame.values[value.variable as usize] = index as u32 + 1;
        }
        frame.last = begun;
        if let Some(line) = arrives {
            frame.before = (frame.line != 0).then_some(frame.since);
            (frame.line, frame.since) = (line, begun);
            self.passed.insert((at.function, line));
            if line & 1 == 1 {
                let (_, arrivals) = self.threads.get_mut(&at.core.threads.running()).expect("it runs");
                *arrivals = [Some(begun), arrivals[0]];
                self.first_own = self.first_own.or(Some(begun));
            }
        }
        self.begun += 1;
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        let depth = at.depth;
        if let Some((frames, _)) = self.threads.get_mut(&at.core.threads.running()) {
            frames.truncate(depth);
        }
        self.frames(at);
    }

    fn fault(&mut self, at: &At<'_>, _: u32, _: u64) {
        // The operation is not begun, but the run came to its line.
        if at.in_frame()
            && let Some(line) = self.arrives(at)
        {
            self.passed.insert((at.function, line));
        }
    }
}

/// Follows a run at full speed, and nothing else.
struct Tracking;

impl Observer for Tracking {
    const TRACKS: bool = true;
}

/// How the code of a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Plain,
    Optimised,
}

/// A program of `subjects/constructs`, built and recorded; `None` where nothing of it was recorded.
pub fn recorded(name: &str, level: Level) -> Option<Project> {
    let project = Project::new();
    project.copy(&format!("constructs/{name}"));
    let (stem, kind) = name.rsplit_once('.').expect("a kind of source");
    let sidecar = fs::read(subjects().join("constructs").join(format!("{stem}.expect"))).expect("a sidecar");
    let sidecar = String::from_utf8_lossy(&sidecar).into_owned();
    let flags = sidecar.lines().find_map(|line| line.strip_prefix("flags:")).unwrap_or("").trim();
    let optimised = level == Level::Optimised;
    let option = |plain: &'static str, other: &'static str| if optimised { other } else { plain };
    let build = match kind {
        "c" => format!("clang-22 -g -w -std=gnu17 {} -pthread -o program {name} -lm {flags}", option("-O0", "-O2")),
        "cpp" => format!("clang++-22 -g -w -std=gnu++17 {} -pthread -o program {name} {flags}", option("-O0", "-O2")),
        _ => format!(
            "\"$RUSTC_WRAPPER\" rustc --target x86_64-unknown-linux-gnu --crate-type bin --emit=link -A warnings -g --edition 2021 \
             --crate-name program --out-dir . {} {flags} {name}",
            option("", "-C opt-level=2")
        ),
    };
    let more = option("", "optimised = true\n");
    project.write("whydunit.toml", &format!("[build]\ncommand = {build:?}\nexecutable = \"program\"\n{more}"));
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{name}: {errors}");
    let (_, answer, errors) = project.json(&["record", "--", "./program"]);
    let some = answer["recordings"].as_array().is_some_and(|recordings| !recordings.is_empty());
    assert!(some || errors.contains("record"), "{name}: {errors}");
    some.then_some(project)
}

/// The recordings of the processes of a project's last run, each as a way to machines that replay it.
pub fn machines(project: &Project) -> Vec<(PathBuf, impl Fn() -> Machine)> {
    let store = || Store::open(&project.path(".whydunit")).expect("a store");
    let of = |path: PathBuf| {
        let (again, store) = (path.clone(), store());
        let machine = move || {
            let loaded = load(&store, &again).expect("it loads");
            Machine::new(loaded.program, &loaded.recording).expect("a machine")
        };
        (path, machine)
    };
    Recordings::of(&store()).find_run(None).expect("recordings").into_iter().map(of).collect()
}

/// So many operations of a run are looked at.
const ENOUGH: u64 = 3_000_000;
/// After so many looks at a run the next ones are far apart, so that its end is reached.
const CLOSE_LOOKS: usize = 20_000;
/// The largest gap between two looks, in steps of the run's counter.
const FAR: usize = 1000;

/// Follows a run both ways and compares at random points; how often.
fn compare(name: &str, machine: &dyn Fn() -> Machine, numbers: &mut Numbers) -> usize {
    let (mut fast, mut slow) = (machine(), machine());
    fast.track(line_codes);
    let mut plain = Plain::default();
    // Small gaps find what is wrong for a few operations only, large ones what is wrong in the midst of fast code.
    let close = [1, 3, 40, FAR][numbers.below(4)];
    // A look takes as long as there are frames: deep stacks are looked at less often.
    let mut frames_there = 0;
    for looks in 1.. {
        let gap = frames_there.max(if looks < CLOSE_LOOKS { close } else { FAR });
        frames_there = 0;
        let counter = fast.core.counter + 1 + numbers.below(gap) as u64;
        let stopped = fast.run_until(counter, &mut Tracking).map_err(|error| error.to_string());
        let same = slow.run_until(counter, &mut plain).map_err(|error| error.to_string());
        assert_eq!(same, stopped, "{name}");
        let at = format!("{name} at {counter}, operation {}", plain.begun);
        assert_eq!(fast.core.begun, plain.begun, "{at}");
        assert_eq!(fast.core.instructions, slow.core.instructions, "{at}");
        assert_eq!(fast.at().pc, slow.at().pc, "{at}");
        assert_eq!(fast.first_own(), plain.first_own, "{at}");
        let core = &slow.core;
        for thread in fast.tracked() {
            let number = thread.parked.unwrap_or(core.threads.running());
            let (mut frames, arrivals) = plain.threads.get(&number).cloned().unwrap_or_default();
            let count = core.frames_of(number).len();
            frames_there += count;
            let mut tracked = thread.frames;
            tracked.truncate(count);
            frames.truncate(count);
            assert_eq!(tracked, frames, "{at}, thread {number}");
            assert_eq!(thread.arrivals, arrivals, "{at}, thread {number}");
        }
        let passed: BTreeSet<(FuncId, u64)> = fast.take_passed().into_iter().collect();
        assert_eq!(passed, std::mem::take(&mut plain.passed), "{at}");
        if !matches!(stopped, Ok(Stop::Reached)) || plain.begun > ENOUGH {
            return looks;
        }
    }
    0
}

/// All programs with this ending, both as they stand and optimised.
fn all_of(kind: &str, seed: u64) {
    let entries = fs::read_dir(subjects().join("constructs")).expect("constructs").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(kind)).collect();
    names.sort();
    let (mut numbers, mut looks, mut runs) = (Numbers(seed), 0, 0);
    for name in &names {
        // Two run until they are killed: the other half would be the same again.
        let endless = ["hanging_loop.c", "infinite_loop.c"].contains(&name.as_str());
        if endless {
            continue;
        }
        for level in [Level::Plain, Level::Optimised] {
            let Some(project) = recorded(name, level) else { continue };
            for (path, machine) in machines(&project) {
                looks += compare(&format!("{name} ({level:?}, {})", path.display()), &machine, &mut numbers);
                runs += 1;
            }
        }
    }
    assert!(runs >= names.len() && looks > 10 * names.len(), "{runs} runs of {} programs, {looks} looks", names.len());
}

#[test]
fn what_is_followed_at_full_speed_of_c_is_what_is_followed_operation_by_operation() {
    all_of(".c", 0x3141_5926);
}

#[test]
fn what_is_followed_at_full_speed_of_cpp_is_what_is_followed_operation_by_operation() {
    all_of(".cpp", 0x2718_2818);
}

#[test]
fn what_is_followed_at_full_speed_of_rust_is_what_is_followed_operation_by_operation() {
    all_of(".rs", 0x1618_0339);
}

/// A run that parts from its recording is followed to where it does.
#[test]
fn what_is_followed_at_full_speed_ends_where_the_replay_parts_from_the_recording() {
    let project = Project::of("diverged");
    let (status, _, errors) = project.json(&["build", "--", "clang-22", "-g", "-o", "diverged", "diverged.c"]);
    assert_eq!(status, 0, "{errors}");
    let (status, _, errors) = project.json(&["record", "--", "./diverged", "word"]);
    assert_eq!(status, 0, "{errors}");
    let mut numbers = Numbers(0x5772_1566);
    for (_, machine) in machines(&project) {
        let mut fast = machine();
        fast.track(line_codes);
        assert!(fast.run(&mut Tracking).is_err(), "it parts from its recording");
        assert!(compare("diverged", &machine, &mut numbers) > 0);
    }
}
