//! How much of a suite is run before its tests are compared: all of it, passing tests near the failing ones up to a number, or what time
//! lets.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use whydunit_desk::Desk;
use whydunit_process::Cancel;
use whydunit_suite::{Outcome, Progress, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use crate::Error;

/// With so many passing tests failing ones are compared where there is no time for more: fewer hardly tell statements apart.
const FEW: usize = 10;

/// Where time is short, tests that are not needed take this part of it at most: the rest is the search's.
const PART: u32 = 2;

/// How far a suite is run. By default all of it, however long that takes.
#[derive(Clone, Copy, Default, Debug)]
pub struct Reach {
    /// With so many passing tests failing ones are compared at most.
    pub passing: Option<NonZeroUsize>,
    /// So long everything may take but the project's own build.
    pub limit: Option<Duration>,
    /// A failing program that is one test, and whose functions are tests by themselves, is looked at function by function.
    pub apart: bool,
}

/// What ended the run of a suite before all of its tests were run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Whoever asked ended it.
    Interrupted,
    /// Time was short.
    Time,
    /// As many passing tests were run as were asked for.
    Enough,
}

/// Tests that were run, in the suite's order.
pub struct Ran {
    /// With what they executed.
    pub executed: Vec<Executed>,
    /// What is missing in that.
    pub problems: Vec<String>,
    /// Why they are not all.
    pub cut: Option<Cut>,
}

/// What was seen so far of a run.
#[derive(Default)]
struct Seen {
    failing: usize,
    passing: usize,
    /// Tests in question that have ended.
    asked: usize,
}

/// Runs a suite's tests with counts: those in question first, then those that are near to them by their names.
pub(super) fn run(
    desk: &Desk,
    project: &Project,
    suite: &Suite,
    (asked, options): (&BTreeSet<String>, &RunOptions<'_>),
    (reach, deadline): (Reach, Option<Instant>),
) -> Result<Ran, Error> {
    let all = all(suite);
    let tests = ordered(all, asked);
    let started = Instant::now();
    let spare = deadline.map(|deadline| started + deadline.saturating_duration_since(started) / PART);
    // Ended apart from the request, which goes on.
    let own = match deadline {
        Some(deadline) => desk.cancel.apart().by(deadline),
        None => desk.cancel.apart(),
    };
    let (seen, enough) = (Mutex::new(Seen::default()), AtomicBool::new(false));
    let task = desk.task("running tests", Some(tests.len() as u64));
    let told = |progress: Progress<'_>| {
        let Progress::Finished { result, .. } = progress else { return };
        task.step(&result.name);
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.failing += usize::from(result.outcome.is_failure());
        seen.passing += usize::from(result.outcome == Outcome::Pass);
        seen.asked += usize::from(asked.contains(&result.name));
        if seen.failing == 0 || seen.asked < asked.len() {
            return;
        }
        if reach.passing.is_some_and(|most| seen.passing >= most.get()) {
            enough.store(true, Ordering::Relaxed);
            own.cancel();
        } else if seen.passing >= FEW && spare.is_some_and(|spare| Instant::now() >= spare) {
            own.cancel();
        }
    };
    let options = RunOptions { cancel: Some(&own), ..options.clone() };
    let (mut executed, problems) = project.run_spectrum(suite, &tests, &options, &told)?;
    drop(task);
    executed.retain(|test| test.result.outcome != Outcome::Cancelled);
    if let Some(most) = reach.passing {
        at_most(most.get(), &tests, &mut executed);
    }
    let enough = enough.load(Ordering::Relaxed);
    let cut = cut(desk, &own, enough).filter(|_| executed.len() < tests.len());
    in_order_of(all, &mut executed);
    let knows = executed.iter().any(|test| test.result.outcome.is_failure()) && known(asked, &executed);
    match cut {
        Some(Cut::Interrupted) if !knows => {
            Err(whydunit_desk::Error::TestsInterrupted { ended: executed.len(), all: all.len() }.into())
        }
        Some(Cut::Time) if !knows => Err(whydunit_desk::Error::TimeUp { phase: "tests were run" }.into()),
        cut => Ok(Ran { executed, problems, cut }),
    }
}

/// The tests of a suite that can be run for themselves.
pub(super) fn all(suite: &Suite) -> &[Test] {
    if suite.single.is_empty() { &suite.tests } else { &suite.single }
}

/// What to say of tests that were not run.
pub(super) fn told(cut: Cut, run: usize, all: usize) -> String {
    let why = match cut {
        Cut::Interrupted => "interrupted",
        Cut::Time => "the time limit leaves none for more",
        Cut::Enough => "with as many passing ones as asked for",
    };
    format!(
        "{run} of {all} tests were run ({why}): what the others execute is not counted, and no change was tried on them"
    )
}

/// Why a run ended that was ended.
fn cut(desk: &Desk, own: &Cancel, enough: bool) -> Option<Cut> {
    if desk.is_cancelled() {
        return Some(Cut::Interrupted);
    }
    own.is_cancelled().then_some(if enough { Cut::Enough } else { Cut::Time })
}

/// Whether all tests in question were run.
fn known(asked: &BTreeSet<String>, executed: &[Executed]) -> bool {
    asked.iter().all(|name| executed.iter().any(|test| test.result.name == *name))
}

/// How near a test is to some others, by what their names begin with: as its suite names them, tests of one file, fixture or module have
/// most in common.
pub(super) fn nearness<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> usize {
    let common = |other: &str| name.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    others.map(common).max().unwrap_or(0)
}

/// The tests in question first, then those that are near to one of them.
fn ordered<'t>(all: &'t [Test], asked: &BTreeSet<String>) -> Vec<&'t Test> {
    let distance = |test: &Test| {
        let near = nearness(test.name(), asked.iter().map(String::as_str));
        (!asked.contains(test.name()), std::cmp::Reverse(near))
    };
    let mut tests: Vec<&Test> = all.iter().collect();
    tests.sort_by_cached_key(|test| distance(test));
    tests
}

/// Puts tests into the suite's order. The points of a stream keep the order in which their program names them.
fn in_order_of(all: &[Test], executed: &mut [Executed]) {
    let place: HashMap<&str, usize> = all.iter().enumerate().map(|(at, test)| (test.name(), at)).collect();
    executed.sort_by_key(|test| place.get(test.result.name.as_str()).copied().unwrap_or(usize::MAX));
}

/// Leaves out passing tests beyond a number, the farthest first.
fn at_most(most: usize, nearest_first: &[&Test], executed: &mut Vec<Executed>) {
    let passes: HashSet<String> = executed
        .iter()
        .filter(|test| test.result.outcome == Outcome::Pass)
        .map(|test| test.result.name.clone())
        .collect();
    let kept: HashSet<&str> =
        nearest_first.iter().map(|test| test.name()).filter(|name| passes.contains(*name)).take(most).collect();
    executed.retain(|test| !passes.contains(&test.result.name) || kept.contains(test.result.name.as_str()));
}
