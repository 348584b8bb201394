//! The runs that are read: the suite's tests, recorded one by one, or recordings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, ProjectSources, prepare};
use whydunit_events::Event;
use whydunit_findings::{Problem, Sources};
use whydunit_model::{Module, paths};
use whydunit_objects::{Catalogue, NoPauses, Pauses, Program, Wanted, trace_pausing};
use whydunit_replay::{Machine, Nothing};
use whydunit_suite::Test;
use whydunit_workbench::{self as workbench, Project, Recordings};

use super::MineError;
use crate::Error;

/// Problems of tests that are named; of more it is said how many there are.
const NAMED: usize = 5;

/// A run that is read.
pub(crate) struct Ran<'a> {
    /// The test, or the recording.
    pub name: &'a str,
    /// It is of a test that fails.
    pub failed: bool,
}

/// What is done with each event.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Ran<'_>, &Event);

/// Who watches runs beside the one who reads them, or pauses them.
pub(crate) trait Watcher: Pauses {
    /// The next run is about to be read, by a machine at its start.
    fn begin(&mut self, run: &str, opened: &Opened, machine: &mut Machine);

    /// It was read.
    fn end(&mut self) {}
}

impl Watcher for NoPauses<Nothing> {
    fn begin(&mut self, _: &str, _: &Opened, _: &mut Machine) {}
}

/// Reads runs, one after the other.
pub(crate) struct Reading<'a> {
    pub desk: &'a Desk,
    pub project: &'a Project,
    pub catalogue: &'a Catalogue,
    wanted: &'a Wanted,
    /// Runs that were read.
    pub runs: u64,
    /// The models of the programs that ran.
    pub models: Vec<Arc<Module>>,
    sources: ProjectSources,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Methods that are no inspectors.
    pub dropped: Vec<String>,
    /// Instructions of all runs.
    pub instructions: u64,
    /// What-if runs of inspectors, and values that needed none.
    pub inspected: (u64, u64),
    /// The user has interrupted: not all was read.
    pub interrupted: bool,
    /// The recordings that were read, with what their runs are called.
    pub recordings: Vec<(PathBuf, String, bool)>,
}

/// Which runs are read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Runs<'a> {
    /// Of the tests with this in their names.
    pub tests: Option<&'a str>,
    /// These recordings instead of tests.
    pub recordings: &'a [String],
}

impl<'a> Reading<'a> {
    pub fn new(desk: &'a Desk, project: &'a Project, catalogue: &'a Catalogue, wanted: &'a Wanted) -> Self {
        let sources = desk.sources();
        Self {
            desk,
            project,
            catalogue,
            wanted,
            runs: 0,
            models: Vec::new(),
            sources,
            problems: Vec::new(),
            dropped: Vec::new(),
            instructions: 0,
            inspected: (0, 0),
            interrupted: false,
            recordings: Vec::new(),
        }
    }

    /// One that reads the runs again that another one has read, for what is wanted now.
    pub fn over(other: &Self, wanted: &'a Wanted) -> Self {
        let mut reading = Self::new(other.desk, other.project, other.catalogue, wanted);
        reading.recordings.clone_from(&other.recordings);
        reading
    }

    /// Reads runs until the last one, or until the user interrupts.
    pub fn all(&mut self, runs: Runs<'_>, each: Each<'_>) -> Result<(), Error> {
        self.watched(runs, each, &mut NoPauses(Nothing))
    }

    /// The same; somebody watches the runs.
    pub fn watched(&mut self, runs: Runs<'_>, each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        match runs.recordings {
            [] => self.tests(runs.tests, each, watcher),
            names => self.named(names, each, watcher),
        }
    }

    /// A machine at the start of a run that was read.
    pub fn machine(&self, number: usize) -> Result<Machine, Error> {
        let opened = self.desk.open_recording(&self.desk.store()?, &self.recordings[number].0)?;
        let mut machine = opened.machine()?;
        machine.set_patience(Some(self.desk.cancel.clone()));
        Ok(machine)
    }

    /// Reads a run again that was read.
    pub fn again(&mut self, number: usize, each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        let (path, name, failed) = self.recordings[number].clone();
        self.replay(&path, &Ran { name: &name, failed }, each, watcher)
    }

    /// Reads runs for an answer that says what was not seen, for which all of them are needed.
    pub fn whole(&mut self, runs: Runs<'_>, each: Each<'_>) -> Result<(), Error> {
        self.all(runs, each)?;
        if self.interrupted { Err(whydunit_desk::Error::Interrupted.into()) } else { Ok(()) }
    }

    /// Records and reads the tests with a text in their names, each process of each.
    fn tests(&mut self, filter: Option<&str>, each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        let suite = prepare::one_by_one(self.desk, self.project)?;
        let all = if suite.single.is_empty() { &suite.tests } else { &suite.single };
        let tests: Vec<&Test> =
            all.iter().filter(|test| filter.is_none_or(|text| test.name().contains(text))).collect();
        if tests.is_empty() {
            return match filter {
                Some(text) => Err(prepare::no_test(&suite, text).into()),
                None => Err(MineError::NoRuns.into()),
            };
        }
        let store = self.desk.store()?;
        let recordings = Recordings::of(&store);
        let task = self.desk.task("mining", Some(tests.len() as u64));
        let mut failed = Vec::new();
        for test in tests {
            let recorded = self.project.record_test(test, &recordings, &self.desk.cancel);
            if self.desk.is_cancelled() {
                self.interrupted = true;
                break;
            }
            match recorded {
                Ok(run) => {
                    failed.extend(run.notes().map(|note| format!("{}: {note}", test.name())));
                    let fails = run.result.iter().any(|result| result.outcome.is_failure());
                    let ran = Ran { name: test.name(), failed: fails };
                    for recorded in &run.recordings {
                        self.read(&recorded.path, &ran, each, watcher)?;
                    }
                    if self.interrupted {
                        break;
                    }
                }
                Err(
                    error @ (workbench::Error::NothingRecorded { .. }
                    | workbench::Error::NoLog { .. }
                    | workbench::Error::NotRun { .. }),
                ) => failed.push(format!("{}: {error}", test.name())),
                Err(error) => return Err(error.into()),
            }
            task.step(test.name());
        }
        let more = failed.len().saturating_sub(NAMED);
        self.problems.extend(failed.into_iter().take(NAMED).map(Problem::new));
        if more > 0 {
            self.problems.push(Problem::new(format!("{more} more tests were not read, or not as a whole")));
        }
        Ok(())
    }

    /// Reads recordings.
    fn named(&mut self, names: &[String], each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        let store = self.desk.store()?;
        let recordings = Recordings::of(&store);
        for name in names {
            let path = recordings.find(Some(name)).map_err(whydunit_desk::Error::NoRecording)?;
            self.read(&path, &Ran { name, failed: false }, each, watcher)?;
            if self.interrupted {
                break;
            }
        }
        Ok(())
    }

    fn read(&mut self, path: &Path, ran: &Ran<'_>, each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        self.runs += 1;
        self.recordings.push((path.to_owned(), ran.name.to_owned(), ran.failed));
        self.replay(path, ran, each, watcher)
    }

    fn replay(&mut self, path: &Path, ran: &Ran<'_>, each: Each<'_>, watcher: &mut impl Watcher) -> Result<(), Error> {
        let name = ran.name;
        let opened: Opened = self.desk.open_recording(&self.desk.store()?, path)?;
        let mut machine = opened.machine()?;
        machine.set_patience(Some(self.desk.cancel.clone()));
        watcher.begin(ran.name, &opened, &mut machine);
        let optimised = opened.program.models().any(|module| module.optimised && !paths::is_library(&module.source));
        if optimised {
            self.note("some of the code was captured optimised: calls that the compiler took away are not seen");
        }
        for model in opened.program.models() {
            if !self.models.iter().any(|known| known.id == model.id) {
                self.models.push(Arc::clone(model));
            }
        }
        let sources = &self.sources;
        let project = &self.desk.project;
        let text = |file: &str| sources.text(&whydunit_desk::convert::relative(project, file));
        let program = Program { catalogue: self.catalogue, wanted: self.wanted, text: &text };
        match trace_pausing(&mut machine, program, name, &mut |event| each(ran, event), watcher) {
            Ok(traced) => {
                self.interrupted |= traced.end.is_none();
                self.instructions += traced.instructions;
                self.inspected.0 += traced.inspected;
                self.inspected.1 += traced.remembered;
                self.dropped.extend(traced.dropped);
            }
            Err(error) => {
                self.problems.push(Problem::new(format!("{name}: only a part of the run could be read: {error}")));
            }
        }
        watcher.end();
        self.problems.extend(opened.problems.into_iter().filter(|problem| !problem.message.is_empty()));
        self.problems.dedup();
        Ok(())
    }

    fn note(&mut self, text: &str) {
        if !self.problems.iter().any(|problem| problem.message == text) {
            self.problems.push(Problem::new(text));
        }
    }
}
