//! The bad version: laid out in a folder of ours, built under capture there, and its failing test.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_history::TestFiles;
use whydunit_suite::{Outcome, RunOptions, Suite, Test, TestResult, TestsKind};
use whydunit_workbench::Project;

use super::Versions;
use super::chance::Chance;
use super::error::ExplainError;
use crate::Error;
use crate::locate::failing::{self, Failed, NotLooked};
use whydunit_desk::Desk;
use whydunit_desk::prepare;

/// How often a failing test is run again, to see whether it always fails: at least, and at most where it is done soon.
const AGAIN: (u32, u32) = (2, 10);
const SOON: Duration = Duration::from_secs(1);
/// And one that does not, to know how often it fails.
const SAMPLE: u32 = 20;

/// The bad version.
pub struct Bad {
    /// On its folder.
    pub desk: Desk,
    project: Project,
    suite: Suite,
    /// The test's name.
    pub test: String,
    /// How it failed.
    pub failed: TestResult,
    /// How often it fails, where that is not each time.
    pub chance: Option<Chance>,
    /// The folder of all that is kept for explaining.
    pub folder: PathBuf,
}

impl Bad {
    /// Builds it and finds the test.
    pub fn build(desk: &Desk, versions: &Versions, test: Option<&str>) -> Result<Self, Error> {
        let folder = super::folder(&desk.project);
        let place = folder.join("bad");
        lay_out(&place, &versions.new)?;
        let own = desk.quietly_in(&place)?;
        let project = own.open_project()?;
        prepare::build(&own, &project, &[]).map_err(|error| match error {
            error if error.is_interrupted() => Error::from(error),
            error => ExplainError::BadNotBuilt { version: versions.bad.clone(), error }.into(),
        })?;
        let suite = prepare::suite(&own, &project)?;
        let failed = match test {
            Some(name) => named(&own, &suite, name)?,
            None => the_failing_one(&own, &suite)?,
        };
        let chance = chance(&own, &suite, &failed)?;
        Ok(Self { desk: own, project, suite, test: failed.name.clone(), failed, chance, folder })
    }

    /// Whether a file says what is tested, and not what the program does: it is the bad version's throughout.
    pub fn is_of_tests(&self, path: &str) -> bool {
        if path == whydunit_suite::FILE_NAME {
            return true;
        }
        match &self.project.config.tests.kind {
            Some(TestsKind::Cases(cases)) => {
                let cases = cases.strip_prefix(".").unwrap_or(cases);
                Path::new(path).starts_with(cases)
            }
            _ => false,
        }
    }

    /// Whether a file is one of tests, by its folder or its name, as far as the configuration does not say so.
    pub fn is_test_file(&self, path: &str) -> bool {
        self.is_of_tests(path) || TestFiles::default().has(path)
    }

    /// The files of tests, by their folders or names, in which the two versions differ; none where they differ in nothing else.
    pub fn differing_tests<'v>(&self, versions: &'v Versions) -> Vec<&'v str> {
        let (old, new) = (&versions.old.files, &versions.new.files);
        let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let differing = paths.into_iter().filter(|path| !self.is_of_tests(path) && old.get(*path) != new.get(*path));
        let (tests, others): (Vec<&str>, Vec<&str>) =
            differing.map(String::as_str).partition(|path| self.is_test_file(path));
        if others.is_empty() { Vec::new() } else { tests }
    }

    /// What the tests run, relative to the project.
    pub fn executable(&self) -> Option<PathBuf> {
        let path = self.suite.executable.as_ref()?;
        path.strip_prefix(&self.project.folder).ok().map(Path::to_path_buf)
    }

    /// What the build makes that ends with an error because it runs tests, relative to the project; empty elsewhere.
    pub fn made(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(prepare::made_beside_tests(&self.desk)?)
    }

    /// How often the test has to pass in a version.
    pub fn repeats(&self) -> u32 {
        self.chance.and_then(Chance::repeats).unwrap_or(1)
    }

    /// Records the failing run; of a flaky test runs are recorded until one fails.
    pub fn record(&self) -> Result<Result<Failed, NotLooked>, Error> {
        prepare::flavours(&self.desk, &self.project, Flavour::Record)?;
        let test = self.suite.test(&self.test).map_err(whydunit_desk::Error::NoTest)?;
        let mut recorded = failing::record(&self.desk, &self.project, test, (None, &self.desk.cancel))?;
        for _ in 1..self.repeats() {
            if recorded.is_ok() {
                break;
            }
            recorded = failing::record(&self.desk, &self.project, test, (None, &self.desk.cancel))?;
        }
        Ok(recorded)
    }
}

/// Makes a folder hold a version; what a build left there of the same version stays.
fn lay_out(place: &Path, version: &Tree) -> Result<(), Error> {
    let mark = place.with_extension("hash");
    let hash = version.hash();
    if std::fs::read_to_string(&mark).is_ok_and(|known| known == hash) && version.lies_in(place) {
        return Ok(());
    }
    match std::fs::remove_dir_all(place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(whydunit_desk::Error::io(place)(error).into());
        }
        _ => {}
    }
    std::fs::create_dir_all(place)?;
    version.lay_out(place, &Tree::default())?;
    Ok(std::fs::write(&mark, hash)?)
}

fn run(desk: &Desk, suite: &Suite, test: &Test) -> Option<TestResult> {
    let options = RunOptions { reruns: Some(0), cancel: Some(&desk.cancel), ..RunOptions::default() };
    suite.run_test(test, &options).into_iter().find(|result| result.name == test.name())
}

fn named(desk: &Desk, suite: &Suite, name: &str) -> Result<TestResult, Error> {
    let test = suite.test(name).map_err(whydunit_desk::Error::NoTest)?;
    let once = || run(desk, suite, test).ok_or_else(|| ExplainError::NotRun { test: name.to_owned() });
    let mut result = once()?;
    // One that fails now and then may pass the first time.
    for _ in again(desk) {
        if !matches!(result.outcome, Outcome::Pass) {
            break;
        }
        result = once()?;
    }
    match &result.outcome {
        Outcome::Error(message) => Err(ExplainError::CannotRun(message.clone()).into()),
        outcome if outcome.is_failure() => Ok(result),
        _ => Err(ExplainError::Passes { test: name.to_owned() }.into()),
    }
}

/// The only failing test.
fn the_failing_one(desk: &Desk, suite: &Suite) -> Result<TestResult, Error> {
    let tests: Vec<&Test> = suite.tests.iter().collect();
    let options = RunOptions { reruns: Some(0), cancel: Some(&desk.cancel), ..RunOptions::default() };
    let results = prepare::run(desk, suite, &tests, &options);
    if let Some(interrupted) = prepare::interrupted(desk, results.len(), tests.len()) {
        return Err(interrupted.into());
    }
    let mut failing: Vec<TestResult> = results.into_iter().filter(|result| result.outcome.is_failure()).collect();
    match failing.len() {
        0 => Err(ExplainError::NothingFails.into()),
        1 => Ok(failing.remove(0)),
        _ => {
            let names: Vec<String> = failing.iter().map(|result| result.name.clone()).collect();
            Err(ExplainError::SeveralFail { tests: prepare::some_of(&names).unwrap_or_default() }.into())
        }
    }
}

/// Once for each time that a test is run again to see whether it comes out the same.
fn again(desk: &Desk) -> impl Iterator<Item = u32> {
    let started = Instant::now();
    (0..AGAIN.1).take_while(move |&number| {
        let more = number < AGAIN.0 || started.elapsed() < SOON;
        more && !desk.is_cancelled()
    })
}

/// How often a test fails that does not each time.
fn chance(desk: &Desk, suite: &Suite, failed: &TestResult) -> Result<Option<Chance>, Error> {
    let test = suite.test(&failed.name).map_err(whydunit_desk::Error::NoTest)?;
    let mut known = Chance { failures: 0, runs: 0 };
    let once = |known: &mut Chance| {
        known.runs += 1;
        known.failures += u32::from(run(desk, suite, test).is_some_and(|result| result.outcome.is_failure()));
    };
    for _ in again(desk) {
        once(&mut known);
    }
    if known.failures == known.runs {
        return Ok(None);
    }
    while known.runs < SAMPLE && !desk.is_cancelled() {
        once(&mut known);
    }
    if known.repeats().is_some() {
        return Ok(Some(known));
    }
    let (test, Chance { failures, runs }) = (failed.name.clone(), known);
    Err(ExplainError::FailsTooSeldom { test, failures, runs }.into())
}
