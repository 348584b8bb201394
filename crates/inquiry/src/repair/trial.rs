//! Candidates in the runs of tests: what one run says of all, and which pass.

use std::collections::HashSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use whydunit_process::{Limits, Pool};
use whydunit_suite::{Outcome, RunOptions, Suite, TestResult};

use super::error::RepairError;
use super::passes;
use super::program::{Chosen, Program};
use super::surveyed::Surveyed;
use crate::Error;
use whydunit_desk::Cancel;

/// A test with a candidate may take so much longer than the longest as it is, and at least [`LEAST`].
const SLOWER: u32 = 10;
const LEAST: Duration = Duration::from_secs(2);
/// All candidates may compute for so long in a survey, or for so many times as long as [`SLOWER`] says.
const SURVEY: Duration = Duration::from_millis(500);
/// At a first look it may compute for so many times that, and at least so long: most that take longer have no end.
const QUICKLY: u32 = 3;
const QUICK: Duration = Duration::from_millis(12);
/// This part of the time that a first look takes is a second one worth.
const AGAIN: u32 = 4;
/// Tests that pass and are surveyed.
const SURVEYED: usize = 20;
/// A survey begins anew without a candidate that ended the run; of a site with more than so many nothing is surveyed.
const MOST_CRASHES: usize = 5;
/// When one passes, so many times the candidates that were run until then are run for others, and some.
const MORE: usize = 2;
const LEAST_MORE: usize = 200;

/// The tests that decide.
#[derive(Clone)]
pub struct Trial<'a> {
    pub failing: &'a [String],
    /// Those that pass as it is, but for examples of documentations.
    pub passing: &'a [String],
    /// Examples that pass as it is. Each is compiled whenever it is run: they are run with patches that are built by themselves only.
    pub examples: &'a [String],
    /// The longest time that one takes.
    pub longest: Duration,
    /// The longest time that one takes which is no example.
    pub computing: Duration,
    pub jobs: Option<NonZeroUsize>,
    /// A candidate that counts besides those that are tried: what the environment says of it.
    pub beside: Vec<(String, String)>,
    /// Ends runs.
    pub cancel: &'a Cancel,
}

/// What the environment says of a candidate that counts besides others.
pub fn beside(program: &Program, (site, candidate): Chosen) -> Vec<(String, String)> {
    vec![
        ("WHYDUNIT_BESIDE".to_string(), program.sites[site].slot.site.to_string()),
        ("WHYDUNIT_BESIDE_CANDIDATE".to_string(), (candidate + 1).to_string()),
    ]
}

/// The signal that ends a program which has computed for longer than a first look allows.
pub const SIGPROF: i32 = 27;

/// Candidates that pass.
pub struct Passing {
    /// Site and candidate.
    pub found: Vec<Chosen>,
    /// Candidates that were run.
    pub tried: u64,
    /// Runs of tests.
    pub runs: u64,
}

/// A suite's limits, with so much time as `longest` allows, the longest time that a test takes as it is, and at least `least`.
pub fn limits(suite: &Suite, longest: Duration, least: Duration) -> Limits {
    let most = (longest * SLOWER).max(least);
    Limits { time: Some(suite.limits.time.map_or(most, |time| time.min(most))), ..suite.limits.clone() }
}

impl Trial<'_> {
    fn options(&self, suite: &Suite, env: Vec<(String, String)>) -> RunOptions<'_> {
        let limits = limits(suite, self.longest, LEAST);
        let mut env = env;
        env.extend(self.beside.iter().cloned());
        // What panics need not look for names of functions, which takes longer than most tests.
        env.push(("RUST_BACKTRACE".into(), "0".into()));
        let env = env.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect();
        RunOptions { limits: Some(limits), reruns: Some(0), env, cancel: Some(self.cancel), ..RunOptions::default() }
    }

    /// Runs tests with all candidates evaluated, each for some time: what has no end says enough until then.
    pub fn survey(&self, program: &Program, late: &dyn Fn() -> bool, runs: &mut u64) -> Result<Surveyed, Error> {
        let mut skipped = vec![false; program.entries];
        for site in &program.sites {
            // What has effects cannot be evaluated besides what stands there.
            for (number, candidate) in site.candidates.list.iter().enumerate() {
                skipped[site.slot.base + 1 + number] = !site.surveyed || !candidate.expression.is_pure();
            }
        }
        let mut crashes = vec![0; program.sites.len()];
        let mut surveyed = Surveyed::default();
        let passing = self.passing.iter().take(SURVEYED).map(|name| (name, false));
        for (name, fails) in self.failing.iter().map(|name| (name, true)).chain(passing) {
            let Ok(test) = program.suite.test(name) else { continue };
            while !late() {
                program.survey.begin(&skipped).map_err(RepairError::Survey)?;
                let mut env = program.survey.environment();
                env.push((
                    "WHYDUNIT_MILLISECONDS".to_string(),
                    (self.computing * SLOWER).max(SURVEY).as_millis().to_string(),
                ));
                let options = self.options(&program.suite, env);
                program.suite.run_test(test, &options);
                *runs += 1;
                let Some(entry) =
                    program.survey.interrupted().map_err(RepairError::Survey)?.filter(|entry| !skipped[*entry])
                else {
                    break;
                };
                skipped[entry] = true;
                let site = program.sites.iter().position(|site| site.slot.range().contains(&entry));
                if let Some(site) = site {
                    crashes[site] += 1;
                    if crashes[site] > MOST_CRASHES {
                        skipped[program.sites[site].slot.range()].fill(true);
                    }
                }
            }
            let entries = program.survey.read().map_err(RepairError::Survey)?;
            if fails { surveyed.failing.push(entries) } else { surveyed.passing.push(entries) }
        }
        Ok(surveyed)
    }

    /// The first candidates with which all tests pass, `most` at most. Those with which a test takes long are run again, with
    /// more time, when all others were, for a part of the time that these took.
    pub fn passing(
        &self,
        program: &Program,
        order: &[Chosen],
        most: usize,
        late: &(dyn Fn() -> bool + Sync),
        progress: &dyn Fn(usize, usize),
    ) -> Passing {
        let pool = self.pool().until(late);
        let runs = AtomicU64::new(0);
        let passing = Mutex::new(self.passing.iter().map(String::as_str).collect::<Vec<_>>());
        let (mut found, mut slow) = (Vec::new(), Vec::new());
        let (mut done, mut first) = (0, None);
        let quick = self.quick();
        let started = Instant::now();
        let mut until = None;
        for (within, order) in [(Some(quick), Some(order)), (None, None)] {
            let again = std::mem::take(&mut slow);
            // Some at a time, so that what is found does not depend on which ends first.
            let together = if within.is_some() { 8 * pool.jobs() } else { pool.jobs() };
            for some in order.unwrap_or(&again).chunks(together) {
                let enough = first.is_some_and(|first| done > MORE * first + LEAST_MORE);
                let over = until.is_some_and(|until| Instant::now() >= until);
                if found.len() >= most || enough || over || late() {
                    break;
                }
                let outcomes = pool.run(some, |&one| self.pass_with(program, one, within, &passing, &runs));
                done += some.len();
                for (&one, comes) in some.iter().zip(&outcomes) {
                    match comes {
                        Comes::Passes => found.push(one),
                        // A statement that is added makes many a loop endless, and takes no longer when it does not.
                        Comes::Slow if !program.sites[one.0].role.is_done() => slow.push(one),
                        Comes::Slow | Comes::Fails => {}
                    }
                }
                if !found.is_empty() {
                    first.get_or_insert(done);
                }
                progress(done, found.len());
            }
            until = Some(Instant::now() + started.elapsed() / AGAIN);
        }
        found.truncate(most);
        Passing { found, tried: done as u64, runs: runs.into_inner() }
    }

    /// Whether all tests pass with a candidate: those that failed first, then, of `passing`, those that failed last with another one.
    fn pass_with(
        &self,
        program: &Program,
        one: Chosen,
        within: Option<Duration>,
        passing: &Mutex<Vec<&str>>,
        runs: &AtomicU64,
    ) -> Comes {
        let options = self.options(&program.suite, chosen(program, one, within));
        let comes = |name: &str| {
            runs.fetch_add(1, Ordering::Relaxed);
            comes(&program.suite, name, &options)
        };
        for name in self.failing {
            match comes(name) {
                Comes::Passes => {}
                other => return other,
            }
        }
        self.passes_still(passing, &comes)
    }

    /// Whether the tests that pass do so still, those that failed last first.
    fn passes_still(&self, passing: &Mutex<Vec<&str>>, comes: &dyn Fn(&str) -> Comes) -> Comes {
        let order = locked(passing).clone();
        for name in order {
            match comes(name) {
                Comes::Passes => {}
                other => {
                    let mut order = locked(passing);
                    order.retain(|known| *known != name);
                    order.insert(0, name);
                    return other;
                }
            }
        }
        Comes::Passes
    }

    /// The candidates with which some failing tests pass and no other one fails, and which these are.
    pub fn partly(
        &self,
        program: &Program,
        order: &[Chosen],
        late: &(dyn Fn() -> bool + Sync),
        total: &mut u64,
    ) -> Vec<(Chosen, Vec<bool>)> {
        let passing = Mutex::new(self.passing.iter().map(String::as_str).collect::<Vec<_>>());
        let runs = AtomicU64::new(0);
        let quick = self.quick();
        let mends = |&one: &Chosen| {
            let options = self.options(&program.suite, chosen(program, one, Some(quick)));
            let comes = |name: &str| {
                runs.fetch_add(1, Ordering::Relaxed);
                comes(&program.suite, name, &options)
            };
            let mended: Vec<bool> = self.failing.iter().map(|name| comes(name) == Comes::Passes).collect();
            let some = mended.contains(&true) && self.passes_still(&passing, &comes) == Comes::Passes;
            some.then_some(mended)
        };
        let outcomes = self.pool().until(late).run(order, mends);
        *total += runs.into_inner();
        let mended = order.iter().zip(outcomes).filter_map(|(&one, mended)| Some((one, mended?)));
        mended.collect()
    }

    /// What a test may compute at a first look.
    fn quick(&self) -> Duration {
        (self.computing * QUICKLY).max(QUICK)
    }

    fn pool(&self) -> Pool<'static> {
        self.jobs.map_or_else(Pool::of_cores, Pool::new)
    }

    /// Whether a test passes.
    pub fn passes(&self, suite: &Suite, name: &str, runs: &mut u64) -> bool {
        *runs += 1;
        comes(suite, name, &self.options(suite, Vec::new())) == Comes::Passes
    }

    /// The first test of the whole suite, those that failed before the others, that does not pass; `None` where all do.
    pub fn broken(&self, suite: &Suite, runs: &mut u64) -> Option<&str> {
        let passed = self.passed(suite, runs);
        let mut all = self.failing.iter().chain(self.passing).chain(self.examples);
        all.find(|name| !passed.contains(*name)).map(String::as_str)
    }

    /// Whether a test fails with a candidate in a program with many: one that only takes long with it does not.
    pub(super) fn fails_with(&self, program: &Program, one: Chosen, name: &str, runs: &mut u64) -> bool {
        *runs += 1;
        let options = self.options(&program.suite, chosen(program, one, Some(self.quick())));
        comes(&program.suite, name, &options) == Comes::Fails
    }

    /// The tests of the whole suite that pass.
    pub fn passed(&self, suite: &Suite, runs: &mut u64) -> HashSet<String> {
        self.results(suite, runs).into_iter().filter(passes).map(|result| result.name).collect()
    }

    /// Runs the whole suite.
    pub fn results(&self, suite: &Suite, runs: &mut u64) -> Vec<TestResult> {
        let options = self.options(suite, Vec::new());
        let results = suite.run_together(&RunOptions { jobs: self.jobs, ..options }, &|_| {});
        *runs += results.len() as u64;
        results
    }
}

/// What a candidate comes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comes {
    Passes,
    Fails,
    /// A test did not end in time.
    Slow,
}

/// Runs a test.
fn comes(suite: &Suite, name: &str, options: &RunOptions<'_>) -> Comes {
    let Ok(test) = suite.test(name) else { return Comes::Fails };
    let results = suite.run_test(test, options);
    match results.iter().find(|result| result.name == *name) {
        Some(result) if passes(result) => Comes::Passes,
        Some(result) if matches!(result.outcome, Outcome::Timeout | Outcome::Crash(SIGPROF)) => Comes::Slow,
        _ => Comes::Fails,
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the environment says of the candidate that counts; `within`: how long it may compute.
fn chosen(program: &Program, (site, candidate): Chosen, within: Option<Duration>) -> Vec<(String, String)> {
    let mut env = vec![
        ("WHYDUNIT_SITE".to_string(), program.sites[site].slot.site.to_string()),
        ("WHYDUNIT_CANDIDATE".to_string(), (candidate + 1).to_string()),
    ];
    env.extend(within.map(|most| ("WHYDUNIT_MILLISECONDS".to_string(), most.as_millis().to_string())));
    env
}
