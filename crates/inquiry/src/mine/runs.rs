//! The runs that are read: the suite's tests, recorded one by one, or recordings.

use std::path::PathBuf;

use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, ProjectSources, prepare};
use whydunit_events::Event;
use whydunit_findings::{Problem, Sources};
use whydunit_model::paths;
use whydunit_objects::{Catalogue, Program, Wanted, trace};
use whydunit_suite::Test;
use whydunit_workbench::{self as workbench, Project, Recordings};

use super::MineError;
use crate::Error;

/// Problems of tests that are named; of more it is said how many there are.
const NAMED: usize = 5;

/// Reads runs, one after the other.
pub(super) struct Reading<'a> {
    desk: &'a Desk,
    project: &'a Project,
    catalogue: &'a Catalogue,
    wanted: &'a Wanted,
    sources: ProjectSources,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Methods that are no inspectors.
    pub dropped: Vec<String>,
    /// Instructions of all runs.
    pub instructions: u64,
}

impl<'a> Reading<'a> {
    pub fn new(desk: &'a Desk, project: &'a Project, catalogue: &'a Catalogue, wanted: &'a Wanted) -> Self {
        let sources = desk.sources();
        Self { desk, project, catalogue, wanted, sources, problems: Vec::new(), dropped: Vec::new(), instructions: 0 }
    }

    /// Records and reads the tests with a text in their names, each process of each; how many runs there were.
    pub fn tests(&mut self, filter: Option<&str>, each: &mut dyn FnMut(&Event)) -> Result<u64, Error> {
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
        let (mut runs, mut failed) = (0, Vec::new());
        for test in tests {
            if self.desk.is_cancelled() {
                self.problems.push(Problem::new("interrupted: this is of the tests until then"));
                break;
            }
            match self.project.record_test(test, &recordings, &self.desk.cancel) {
                Ok(run) => {
                    failed.extend(run.notes().map(|note| format!("{}: {note}", test.name())));
                    for recorded in &run.recordings {
                        self.read(&recorded.path.clone(), test.name(), each)?;
                        runs += 1;
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
        Ok(runs)
    }

    /// Reads recordings.
    pub fn recordings(&mut self, names: &[String], each: &mut dyn FnMut(&Event)) -> Result<u64, Error> {
        let store = self.desk.store()?;
        let recordings = Recordings::of(&store);
        for name in names {
            let path = recordings.find(Some(name)).map_err(whydunit_desk::Error::NoRecording)?;
            self.read(&path, name, each)?;
        }
        Ok(names.len() as u64)
    }

    fn read(&mut self, path: &PathBuf, name: &str, each: &mut dyn FnMut(&Event)) -> Result<(), Error> {
        let opened: Opened = self.desk.open_recording(&self.desk.store()?, path)?;
        let mut machine = opened.machine()?;
        let optimised = opened.program.models().any(|module| module.optimised && !paths::is_library(&module.source));
        if optimised {
            self.note("some of the code was captured optimised: calls that the compiler took away are not seen");
        }
        let sources = &self.sources;
        let project = &self.desk.project;
        let text = |file: &str| sources.text(&whydunit_desk::convert::relative(project, file));
        let program = Program { catalogue: self.catalogue, wanted: self.wanted, text: &text };
        match trace(&mut machine, program, name, each) {
            Ok(traced) => {
                self.instructions += traced.instructions;
                self.dropped.extend(traced.dropped);
            }
            Err(error) => {
                self.problems.push(Problem::new(format!("{name}: only a part of the run could be read: {error}")));
            }
        }
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
