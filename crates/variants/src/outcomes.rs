//! Versions are built and their whole suites are run; what that came to is kept by content.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use whydunit_changes::{File, Tree};
use whydunit_process::Cancel;
use whydunit_sealed::hash;
use whydunit_suite::{Outcome, RunOptions, Suite, TestResult, reported};

use crate::bench::{Bench, emptied};
use crate::compilers;
use crate::known::{Known, Line, escaped, told_of, unescaped};
use crate::limits::limits;
use crate::tested::only_tests_failed;
use crate::{Counts, Error, lock};

/// What compilers and tools say where a disk is full.
const FULL: [&str; 2] = ["No space left on device", "Disk quota exceeded"];

/// Folders of a runner: of the version, and of choosing its dependencies.
const VERSION: &str = "version";
const LOCK_FOLDER: &str = "lock";

/// A test may take so long at least, however short the slowest was that passed.
const LEAST: Duration = Duration::from_secs(5);

/// A test of a version, as it was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestRun {
    /// Its name.
    pub name: String,
    /// `pass`, `fail`, `skipped` or `error`: it could not be run.
    pub outcome: &'static str,
    /// Of a failure, what it is: `hang`, `crash`, `null`, `bounds`, `overflow`, `panic`, `exception`, `assertion`, `output` or `status`; else empty.
    pub kind: &'static str,
    /// Why it did not pass, in a line.
    pub says: String,
    /// How often it was run.
    pub runs: u32,
    /// How often it failed then.
    pub failures: u32,
}

impl TestRun {
    /// Whether it passed each time.
    pub fn passes(&self) -> bool {
        self.outcome == "pass" && self.failures == 0
    }

    /// Whether it failed each time.
    pub fn fails(&self) -> bool {
        self.outcome == "fail" && self.failures == self.runs
    }

    /// Whether it passed some times and failed others.
    pub fn is_flaky(&self) -> bool {
        self.failures > 0 && self.failures < self.runs
    }
}

/// What a version came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcomes {
    /// It was built, and these tests were run.
    Ran(Vec<TestRun>),
    /// It does not build: what was said.
    NotBuilt(String),
    /// Its tests are not to be had: why.
    NoSuite(String),
}

impl Outcomes {
    /// The tests that were run; none where it was not built.
    pub fn tests(&self) -> &[TestRun] {
        match self {
            Self::Ran(tests) => tests,
            Self::NotBuilt(_) | Self::NoSuite(_) => &[],
        }
    }

    /// A test by name.
    pub fn test(&self, name: &str) -> Option<&TestRun> {
        self.tests().iter().find(|test| test.name == name)
    }
}

/// Builds versions in a folder and runs their suites. Nothing is built twice: what a version came to is known by its content, in a
/// later run too.
pub struct SuiteRunner<'a> {
    bench: Bench,
    cancel: &'a Cancel,
    known: Known<Outcomes>,
    /// Told apart from what was run otherwise.
    salt: String,
    /// What builds find in their environment.
    env: Vec<(OsString, OsString)>,
    /// What tests find besides.
    apart: (OsString, OsString),
    strict: bool,
    reruns: u32,
    longest: Duration,
    /// What was done.
    pub counts: Counts,
}

impl<'a> SuiteRunner<'a> {
    /// One in `folder`, which may be there from before and is emptied then; `known` is the file of what is known. Failing tests are run
    /// `reruns` times more. Where builds are not `strict`, compilers take warnings that a version makes errors for warnings.
    pub fn new(folder: &Path, known: &Path, reruns: u32, strict: bool, cancel: &'a Cancel) -> Result<Self, Error> {
        emptied(folder)?;
        let bench = Bench::new(&folder.join(compilers::APART).join(VERSION))?;
        let apart = compilers::apart(folder)?;
        let mut env = if strict { Vec::new() } else { compilers::lenient(&folder.join("compilers"))? };
        env.push(apart.clone());
        Ok(Self {
            bench,
            cancel,
            known: Known::read(known),
            salt: format!("suite {reruns}{}", if strict { "" } else { " lenient" }),
            env,
            apart,
            strict,
            reruns,
            longest: Duration::ZERO,
            counts: Counts::default(),
        })
    }

    /// Builds a version and runs its suite. Tests named in `again` are run repeatedly even where they pass.
    pub fn run(&mut self, version: &Tree, again: &[String]) -> Result<Outcomes, Error> {
        let key = hash(format!("{} {}", version.hash(), self.salt).as_bytes())[..32].to_owned();
        if let Some(known) = self.known.get(&key) {
            let once = |name: &String| known.test(name).is_some_and(|test| test.runs <= 1);
            if self.reruns == 0 || !again.iter().any(once) {
                self.counts.saved += 1;
                return Ok(known.clone());
            }
        }
        self.counts.builds += 1;
        let outcomes = self.made(version, again)?;
        Error::of_cancelled(self.cancel)?;
        self.known.add(key, outcomes.clone());
        Ok(outcomes)
    }

    /// The lock file that cargo would have made of a version at a time, `2026-01-31T00:00:00Z`; `None` where it has one, or where that cannot be told.
    pub fn locked(&self, version: &Tree, time: &str) -> Result<Option<File>, Error> {
        lock::of_day(version, time, &self.bench.folder.with_file_name(LOCK_FOLDER), self.cancel)
    }

    fn made(&mut self, version: &Tree, again: &[String]) -> Result<Outcomes, Error> {
        Error::of_cancelled(self.cancel)?;
        self.bench.lay(version)?;
        let mut config = match whydunit_suite::configuration(&self.bench.folder) {
            Ok(found) => found.config,
            Err(error) => return Ok(self.no_suite(&error.to_string())),
        };
        config.build.env.clone_from(&self.env);
        if !self.strict {
            config.build.env.extend(compilers::toolchain(version, &self.bench.folder));
        }
        match self.bench.build(&config, &[], self.cancel) {
            Ok(None) => {}
            Ok(Some(said)) if only_tests_failed(&said) => {}
            Ok(Some(said)) => {
                Error::of_cancelled(self.cancel)?;
                if FULL.iter().any(|words| said.contains(words)) {
                    return Err(Error::NoSpace { folder: self.bench.folder.clone() });
                }
                return Ok(Outcomes::NotBuilt(told_of(said)));
            }
            // A project without a build may have tests all the same.
            Err(Error::NoBuild { .. }) if config.tests.kind.is_some() => {}
            Err(error @ Error::NoBuild { .. }) => return Ok(self.no_suite(&error.to_string())),
            Err(error) => return Err(error),
        }
        match Suite::load(&config, self.cancel) {
            Ok(suite) => Ok(Outcomes::Ran(self.ran(&suite, again))),
            Err(error) => {
                Error::of_cancelled(self.cancel)?;
                Ok(self.no_suite(&error.to_string()))
            }
        }
    }

    fn no_suite(&self, why: &str) -> Outcomes {
        let folder = self.bench.folder.display().to_string();
        Outcomes::NoSuite(self.bench.without_folder(why).replace(&folder, "the version"))
    }

    /// Runs a suite, failing tests and those of `again` repeatedly.
    fn ran(&mut self, suite: &Suite, again: &[String]) -> Vec<TestRun> {
        let limits = limits(suite, self.longest, LEAST);
        let env = vec![self.apart.clone()];
        let options = RunOptions { limits: Some(limits), env, cancel: Some(self.cancel), ..RunOptions::default() };
        let first = RunOptions { reruns: Some(self.reruns), ..options.clone() };
        let results = suite.run_together(&first, &|_| {});
        self.counts.runs += results.iter().map(|result| u64::from(result.runs().0)).sum::<u64>();
        let mut longest = self.longest;
        let mut tests = Vec::new();
        for result in &results {
            let mut run = test_run(result);
            if run.passes() {
                longest = longest.max(result.time);
            }
            if self.reruns > 0 && run.passes() && again.contains(&run.name) {
                self.repeated(suite, &options, &mut run);
            }
            tests.push(run);
        }
        self.longest = longest;
        tests
    }

    fn repeated(&mut self, suite: &Suite, options: &RunOptions<'_>, run: &mut TestRun) {
        let Ok(test) = suite.test(&run.name) else { return };
        for _ in 0..self.reruns {
            let results = suite.run_test(test, options);
            let Some(result) = results.iter().find(|result| result.name == run.name) else { continue };
            self.counts.runs += 1;
            run.runs += 1;
            run.failures += u32::from(result.outcome.is_failure());
        }
    }
}

fn test_run(result: &TestResult) -> TestRun {
    let outcome = match &result.outcome {
        Outcome::Pass => "pass",
        Outcome::Skipped | Outcome::Cancelled => "skipped",
        Outcome::Error(_) => "error",
        _ => "fail",
    };
    let (runs, failures) = result.runs();
    let says = result.outcome.reason().unwrap_or_default();
    let says = says.lines().next().unwrap_or_default().to_owned();
    let kind = if outcome == "fail" { kind(result) } else { "" };
    TestRun { name: result.name.clone(), outcome, kind, says, runs, failures }
}

/// Which kind of failure it is, by how the test ended and by what it said.
fn kind(result: &TestResult) -> &'static str {
    let said =
        [&result.stderr[..], &result.stdout[..]].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    match &result.outcome {
        Outcome::Timeout => "hang",
        _ if has(&["index out of bounds", "out of range for slice", "buffer-overflow", "out_of_range"]) => "bounds",
        _ if has(&["`None` value", "null pointer", "SEGV on unknown address 0x00000000"]) => "null",
        _ if has(&[
            "attempt to add with overflow",
            "attempt to subtract with overflow",
            "attempt to multiply with overflow",
        ]) =>
        {
            "overflow"
        }
        _ if has(&["assertion `left", "assertion failed", "Assertion `"]) => "assertion",
        _ if has(&["terminate called after throwing"]) => "exception",
        _ if has(&["panicked at"]) => "panic",
        Outcome::Crash(_) => "crash",
        Outcome::Fail { why } if why.iter().any(|it| matches!(it, whydunit_suite::Difference::Stdout(_))) => "output",
        _ if reported(&result.stderr).is_some() => "assertion",
        _ => "status",
    }
}

/// All words that a test's outcome and kind can be, by which they are read again.
const WORDS: [&str; 15] = [
    "pass",
    "fail",
    "skipped",
    "error",
    "",
    "hang",
    "crash",
    "null",
    "bounds",
    "overflow",
    "panic",
    "exception",
    "assertion",
    "output",
    "status",
];

impl Line for Outcomes {
    fn write(&self) -> String {
        match self {
            Self::NotBuilt(said) => format!("not-built\t{}", escaped(said)),
            Self::NoSuite(said) => format!("no-suite\t{}", escaped(said)),
            Self::Ran(tests) => {
                let line = |test: &TestRun| {
                    let (runs, failures) = (test.runs, test.failures);
                    let (name, says) = (escaped(&test.name), escaped(&test.says));
                    format!("\t{name}\t{}\t{}\t{runs}\t{failures}\t{says}", test.outcome, test.kind)
                };
                format!("ran{}", tests.iter().map(line).collect::<String>())
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        let fields: Vec<String> = text.split('\t').map(unescaped).collect();
        let word = |text: &String| WORDS.iter().copied().find(|word| word == text);
        Some(match fields[0].as_str() {
            "not-built" => Self::NotBuilt(fields.get(1)?.clone()),
            "no-suite" => Self::NoSuite(fields.get(1)?.clone()),
            "ran" => {
                let test = |of: &[String]| {
                    Some(TestRun {
                        name: of.first()?.clone(),
                        outcome: word(of.get(1)?)?,
                        kind: word(of.get(2)?)?,
                        runs: of.get(3)?.parse().ok()?,
                        failures: of.get(4)?.parse().ok()?,
                        says: of.get(5)?.clone(),
                    })
                };
                Self::Ran(fields[1..].chunks(6).map(test).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let test = |name: &str, outcome, kind| TestRun {
            name: name.into(),
            outcome,
            kind,
            says: "a\\b\tc\nd".into(),
            runs: 3,
            failures: 2,
        };
        let tests = vec![test("one\ttwo", "fail", "output"), test("", "pass", "")];
        for outcomes in [Outcomes::Ran(tests), Outcomes::Ran(vec![]), Outcomes::NotBuilt("x\\n\n".into())] {
            let line = outcomes.write();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(Outcomes::read(&line), Some(outcomes));
        }
    }
}
