//! The bad version: laid out in a folder of ours, built under capture there, and its failing test.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use whydunit_capture::Flavour;
use whydunit_changes::Tree;
use whydunit_findings::{Exit, Problem};
use whydunit_suite::process::interrupts;
use whydunit_suite::{Outcome, RunOptions, Suite, Test, TestResult, TestsKind};
use whydunit_workbench::Project;

use super::Versions;
use super::chance::Chance;
use crate::failure::{Failure, OrFail};
use crate::locating::failing::{self, Failed};
use crate::session::Session;
use crate::working;

/// How often a failing test is run again, to see whether it always fails: at least, and at most where it is done soon.
const AGAIN: (u32, u32) = (2, 10);
const SOON: Duration = Duration::from_secs(1);
/// And one that does not, to know how often it fails.
const SAMPLE: u32 = 20;

/// The bad version.
pub struct Bad {
    /// On its folder.
    pub session: Session,
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
    pub fn build(session: &Session, versions: &Versions, test: Option<&str>) -> Result<Self, Failure> {
        let folder = super::folder(&session.project);
        let place = folder.join("bad");
        lay_out(&place, &versions.new)?;
        let own = session.in_project(&place)?;
        let project = own.project()?;
        working::build(&own, &project, &[])
            .map_err(|failure| failure.advice(format!("{} must be buildable as it is", versions.bad)))?;
        let suite = working::suite(&project)?;
        let failed = match test {
            Some(name) => named(&suite, name)?,
            None => the_failing_one(&own, &suite)?,
        };
        let chance = chance(&suite, &failed)?;
        Ok(Self { session: own, project, suite, test: failed.name.clone(), failed, chance, folder })
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

    /// What the tests run, relative to the project.
    pub fn executable(&self) -> Option<PathBuf> {
        let path = self.suite.executable.as_ref()?;
        path.strip_prefix(&self.project.folder).ok().map(Path::to_path_buf)
    }

    /// How often the test has to pass in a version.
    pub fn repeats(&self) -> u32 {
        self.chance.and_then(Chance::repeats).unwrap_or(1)
    }

    /// Records the failing run; of a flaky test runs are recorded until one fails.
    pub fn record(&self) -> Result<Result<Failed, Vec<Problem>>, Failure> {
        working::flavours(&self.session, &self.project, Flavour::Record)?;
        let test = self.suite.test(&self.test).map_err(Failure::usage)?;
        let mut recorded = failing::record(&self.session, &self.project, test)?;
        for _ in 1..self.repeats() {
            if recorded.is_ok() {
                break;
            }
            recorded = failing::record(&self.session, &self.project, test)?;
        }
        Ok(recorded)
    }
}

/// Makes a folder hold a version; what a build left there of the same version stays.
fn lay_out(place: &Path, version: &Tree) -> Result<(), Failure> {
    let mark = place.with_extension("hash");
    let hash = version.hash();
    if std::fs::read_to_string(&mark).is_ok_and(|known| known == hash) && version.lies_in(place) {
        return Ok(());
    }
    match std::fs::remove_dir_all(place) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(Failure::new(Exit::Usage, error).at(place.display()));
        }
        _ => {}
    }
    std::fs::create_dir_all(place).or_fail(Exit::Usage)?;
    version.lay_out(place, &Tree::default()).or_fail(Exit::Usage)?;
    std::fs::write(&mark, hash).or_fail(Exit::Usage)
}

fn run(suite: &Suite, test: &Test) -> Option<TestResult> {
    let options = RunOptions { reruns: Some(0), cancel: Some(interrupts()), ..RunOptions::default() };
    suite.run_test(test, &options).into_iter().find(|result| result.name == test.name())
}

fn named(suite: &Suite, name: &str) -> Result<TestResult, Failure> {
    let test = suite.test(name).map_err(Failure::usage)?;
    let once = || run(suite, test).ok_or_else(|| Failure::usage(format!("test {name} was not run")));
    let mut result = once()?;
    // One that fails now and then may pass the first time.
    for _ in again() {
        if !matches!(result.outcome, Outcome::Pass) {
            break;
        }
        result = once()?;
    }
    match &result.outcome {
        Outcome::Error(message) => Err(Failure::new(Exit::Baseline, message)),
        outcome if outcome.is_failure() => Ok(result),
        _ => Err(Failure::usage(format!("test {name} passes in the bad version: there is nothing to explain"))
            .advice("name a test that fails; `whydunit test` lists them")),
    }
}

/// The only failing test.
fn the_failing_one(session: &Session, suite: &Suite) -> Result<TestResult, Failure> {
    let tests: Vec<&Test> = suite.tests.iter().collect();
    let options = RunOptions { reruns: Some(0), cancel: Some(interrupts()), ..RunOptions::default() };
    let results = working::run(session, suite, &tests, &options);
    if let Some(failure) = working::interrupted(results.len(), tests.len()) {
        return Err(failure);
    }
    let mut failing: Vec<TestResult> = results.into_iter().filter(|result| result.outcome.is_failure()).collect();
    match failing.len() {
        0 => Err(Failure::usage("no test fails in the bad version: there is nothing to explain")),
        1 => Ok(failing.remove(0)),
        _ => {
            let names: Vec<String> = failing.iter().map(|result| result.name.clone()).collect();
            Err(Failure::usage("several tests fail in the bad version")
                .at(working::some_of(&names).unwrap_or_default())
                .advice("name the one to explain"))
        }
    }
}

/// Once for each time that a test is run again to see whether it comes out the same.
fn again() -> impl Iterator<Item = u32> {
    let started = Instant::now();
    (0..AGAIN.1).take_while(move |&number| {
        let more = number < AGAIN.0 || started.elapsed() < SOON;
        more && !interrupts().load(Ordering::Relaxed)
    })
}

/// How often a test fails that does not each time.
fn chance(suite: &Suite, failed: &TestResult) -> Result<Option<Chance>, Failure> {
    let test = suite.test(&failed.name).map_err(Failure::usage)?;
    let mut known = Chance { failures: 0, runs: 0 };
    let once = |known: &mut Chance| {
        known.runs += 1;
        known.failures += u32::from(run(suite, test).is_some_and(|result| result.outcome.is_failure()));
    };
    for _ in again() {
        once(&mut known);
    }
    if known.failures == known.runs {
        return Ok(None);
    }
    while known.runs < SAMPLE && !interrupts().load(Ordering::Relaxed) {
        once(&mut known);
    }
    if known.repeats().is_some() {
        return Ok(Some(known));
    }
    let text = format!(
        "test {} is flaky: it failed once, and {} of {} times when it was run again: that is too seldom to tell versions apart",
        failed.name, known.failures, known.runs
    );
    Err(Failure::new(Exit::Baseline, text)
        .advice("see what differs from run to run first; `whydunit test --again 20` tells how often it fails"))
}
