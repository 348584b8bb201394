//! The two versions, run on inputs: recorded and followed, or just run.

use std::cell::RefCell;
use std::collections::HashSet;
use std::time::{Duration, Instant};

use whydunit_inputs::Input;
use whydunit_process::Limits;
use whydunit_replay::{At, Machine, Observer};
use whydunit_review::Version;
use whydunit_suite::{Case, RunOptions, Suite, Test, TestResult};
use whydunit_symbolic::{Bounds, Inputs, Knowledge, Path, follow};
use whydunit_workbench::{Recorder, Recordings};

use super::deaths::Deaths;
use super::echo;
use super::places::Places;
use super::remarks::Remarks;
use super::suites::Outcomes;
use super::symptom::Symptom;
use super::versions::Fix;
use super::violation::Bug;
use crate::Error;
use whydunit_desk::BuiltVersion;
use whydunit_desk::Cancel;
use whydunit_desk::recordings::Opened;

/// The name of runs that are made for paths.
const NAME: &str = "review";
/// Terms of a path.
const TERMS: usize = 2_000_000;
/// Runs of more instructions are not followed.
const LONGEST: u64 = 50_000_000;

/// The two versions, as they are built.
#[derive(Clone, Copy)]
pub struct Plain<'a> {
    /// Run the version before the fix, and that with it.
    suites: [&'a Suite; 2],
    /// The case whose input varies.
    pub case: &'a Case,
    pub bug: &'a Bug,
    /// For one run: there are many.
    time: Option<Duration>,
    /// Ends runs.
    pub cancel: &'a Cancel,
}

/// A run may take so many times as long as the suite's longest did, and at least this.
const SLOWER: u32 = 10;
const SHORTEST: Duration = Duration::from_secs(1);
/// A run takes so many times as long while it is recorded.
const RECORDED: u32 = 2;
/// No run is followed for more than this part of the time that there is for all.
const PART: u32 = 10;

/// The two versions, to be recorded.
pub struct Pair<'a> {
    pub plain: Plain<'a>,
    /// Before the fix, and with it.
    pub laid: [&'a BuiltVersion; 2],
    pub deadline: Instant,
    /// Their lines.
    pub places: Places<'a>,
    /// What was found besides, and is no counterexample.
    pub remarks: RefCell<Remarks>,
    /// Inputs like the bug's on which the fix changes nothing, where the bug is an output.
    pub questions: RefCell<Remarks>,
    /// What only the failing test shows. None where the bug is no output, or passing tests show as much.
    pub symptom: Option<Symptom>,
    /// Passing tests print no number that their inputs do not have.
    pub echoes: bool,
    /// What the suite's cases are given.
    pub suite: Vec<Input>,
    /// How the program dies before the fix on inputs that were run.
    pub deaths: RefCell<Deaths>,
    /// Somebody has said which inputs there are.
    pub in_domain: bool,
    /// The path of the failing test before the fix, once it was followed.
    pub first: RefCell<Option<Vec<u64>>>,
    /// Inputs that take this path, as far as that was asked.
    pub own: RefCell<HashSet<[u8; 32]>>,
    /// So long a run is followed.
    patience: Duration,
    knowledge: RefCell<[Knowledge; 2]>,
}

fn index(version: Version) -> usize {
    usize::from(version == Version::Mended)
}

impl Plain<'_> {
    /// A case with this input, of which nothing is expected.
    fn of(&self, input: &Input) -> Case {
        let mut case = Case { name: NAME.into(), status: None, signal: None, ..input.case(self.case) };
        // Where a panic was called from is of no interest in thousands of runs, and takes its time.
        case.env.entry("RUST_BACKTRACE".into()).or_insert_with(|| "0".into());
        case
    }

    /// Runs a version on inputs, as it is built.
    pub fn results(&self, version: Version, inputs: &[Input]) -> Vec<TestResult> {
        self.within(version, inputs, &|limits| Limits { time: self.time, ..limits })
    }

    /// The same within other limits than the suite's.
    pub fn within(&self, version: Version, inputs: &[Input], limits: &dyn Fn(Limits) -> Limits) -> Vec<TestResult> {
        let tests = inputs.iter().enumerate().map(|(number, input)| {
            // Each has a name of its own.
            Test::Case(Case { name: format!("{NAME}-{number}"), ..self.of(input) })
        });
        let suite = Suite { tests: tests.collect(), ..self.suites[index(version)].clone() };
        let all: Vec<&Test> = suite.tests.iter().collect();
        let limits = Some(limits(suite.limits.clone()));
        let options = RunOptions { cancel: Some(self.cancel), reruns: Some(0), limits, ..Default::default() };
        suite.run_selected(&all, &options, &|_| {})
    }

    /// Runs a version on an input.
    pub fn result(&self, version: Version, input: &Input) -> Option<TestResult> {
        self.results(version, std::slice::from_ref(input)).pop()
    }

    /// The time that one run may take. None where there is no limit.
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// Tests at a time.
    pub fn jobs(&self) -> std::num::NonZeroUsize {
        self.suites[0].jobs
    }
}

impl<'a> Pair<'a> {
    /// `outcomes` are the suite's, before the fix and with it.
    pub fn new(
        laid: [&'a BuiltVersion; 2],
        fix: &'a Fix,
        (case, bug): (&'a Case, &'a Bug),
        outcomes: &Outcomes,
        deadline: Instant,
    ) -> Self {
        let own = (outcomes.longest() * SLOWER).max(SHORTEST);
        let time = Some(laid[0].suite.limits.time.map_or(own, |limit| own.min(limit)));
        let plain = Plain { suites: [&laid[0].suite, &laid[1].suite], case, bug, time, cancel: &laid[0].desk.cancel };
        Self {
            plain,
            laid,
            deadline,
            places: Places::new(fix),
            remarks: RefCell::default(),
            questions: RefCell::default(),
            symptom: None,
            echoes: echo::is_kept(outcomes.passed_cases()),
            suite: outcomes.inputs(),
            deaths: RefCell::default(),
            in_domain: false,
            first: RefCell::default(),
            own: RefCell::default(),
            patience: deadline.saturating_duration_since(Instant::now()) / PART,
            knowledge: RefCell::default(),
        }
    }

    /// The runs of the same with another fixed version.
    pub fn against(&self, other: &'a BuiltVersion) -> Plain<'a> {
        Plain { suites: [self.plain.suites[0], &other.suite], ..self.plain }
    }

    /// Time is up, or somebody has interrupted.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.plain.cancel.is_cancelled()
    }

    /// Records a version on an input.
    pub fn record(&self, version: Version, input: &Input) -> Result<Option<(TestResult, Opened)>, Error> {
        let laid = self.laid[index(version)];
        let store = laid.desk.store()?;
        let test = Test::Case(self.plain.of(input));
        let left = self.deadline.saturating_duration_since(Instant::now()).max(SHORTEST);
        let time = self.plain.time.map_or(left, |time| (time * RECORDED).min(left));
        let recordings = Recordings::of(&store);
        let how = Recorder { time: Some(time), ..Recorder::default() };
        let run = laid.project.record_test_as(&test, &recordings, &laid.desk.cancel, how);
        let Ok(run) = run else {
            return Ok(None);
        };
        let (Some(result), Some(recorded)) = (run.result.into_iter().next(), run.recordings.first()) else {
            return Ok(None);
        };
        Ok(Some((result, laid.desk.open_recording(&store, &recorded.path)?)))
    }

    /// The path of a recorded run; none where it cannot be followed.
    pub fn path(&self, version: Version, input: &Input, opened: &Opened) -> Option<Path> {
        let mut machine = Machine::new(opened.program.clone(), &opened.recording).ok()?;
        let start = machine.snapshot();
        let inputs = Inputs {
            args: opened.recording.head().args.iter().map(|arg| arg.0.clone()).collect(),
            stdin: input.stdin.clone().unwrap_or_default(),
            files: input.files.clone(),
        };
        let bounds = Bounds {
            terms: TERMS,
            instructions: LONGEST,
            deadline: Some(self.deadline.min(Instant::now() + self.patience)),
            cancel: Some(self.plain.cancel.clone()),
            ..Bounds::default()
        };
        follow(&mut machine, &start, &mut self.knowledge.borrow_mut()[index(version)], inputs, bounds).ok()
    }

    /// The statements that a version executes on an input, one behind the other: files, lines.
    pub fn lines(&self, version: Version, input: &Input) -> Result<Vec<(String, u32)>, Error> {
        let Some((_, opened)) = self.record(version, input)? else { return Ok(Vec::new()) };
        let Ok(mut machine) = Machine::new(opened.program.clone(), &opened.recording) else { return Ok(Vec::new()) };
        let mut lines = Lines::default();
        // What was executed until it failed tells enough.
        machine.run(&mut lines).ok();
        let folder = &self.laid[index(version)].desk.project;
        Ok(lines.list.into_iter().map(|(file, line)| (whydunit_desk::convert::relative(folder, &file), line)).collect())
    }
}

/// So many lines are listed.
const LINES: usize = 200_000;

/// Lines as they are executed.
#[derive(Default)]
struct Lines {
    list: Vec<(String, u32)>,
}

impl Observer for Lines {
    const OPS: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, _: &At<'_>) -> bool {
        self.list.len() >= LINES
    }

    fn op(&mut self, at: &At<'_>, _: &whydunit_model::Op) {
        let loc = at.loc();
        if let Some(file) = at.module().files.get(loc.file as usize) {
            self.add(file, loc.line);
        }
    }
}

impl Lines {
    /// Adds a line that is executed, unless it is the compiler's own (0) or still the one before.
    fn add(&mut self, file: &str, line: u32) {
        let is_last = |(last_file, last_line): &(String, u32)| *last_line == line && last_file == file;
        if line > 0 && !self.list.last().is_some_and(is_last) {
            self.list.push((file.to_string(), line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_number_in_two_files_are_two_steps() {
        let mut lines = Lines::default();
        for (file, line) in [("a.c", 3), ("a.c", 3), ("b.h", 3), ("b.h", 0), ("b.h", 3), ("a.c", 3), ("a.c", 4)] {
            lines.add(file, line);
        }
        let listed: Vec<(&str, u32)> = lines.list.iter().map(|(file, line)| (file.as_str(), *line)).collect();
        assert_eq!(listed, [("a.c", 3), ("b.h", 3), ("a.c", 3), ("a.c", 4)]);
    }
}
