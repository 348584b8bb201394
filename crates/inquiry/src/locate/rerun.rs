//! Failing tests run again: which are flaky, and which fail only in the copy that counts.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use whydunit_desk::{Desk, Task, prepare};
use whydunit_process::Limits;
use whydunit_suite::{Outcome, Progress, Reruns, RunOptions, Suite, Test};
use whydunit_workbench::{Executed, Project};

use super::patience::without_counts;
use crate::Error;

/// What tests are run again with.
pub(super) struct Rerun<'a> {
    pub desk: &'a Desk,
    pub project: &'a Project,
    pub suite: &'a Suite,
    /// Those in question; none: all.
    pub asked: &'a BTreeSet<String>,
}

impl Rerun<'_> {
    /// Tells flaky tests apart, and those that pass as they are built: the latter are left out. What to say of them, in sentences.
    pub fn told_apart(&self, jobs: Option<NonZeroUsize>, executed: &mut Vec<Executed>) -> Result<Vec<String>, Error> {
        let options = RunOptions { jobs, cancel: Some(&self.desk.cancel), ..RunOptions::default() };
        self.again(&options, executed)?;
        let mut told: Vec<String> = self.by_counting_alone(&options, executed)?.into_iter().collect();
        told.extend(apart(executed));
        told.extend(self.as_built(&options, executed)?);
        Ok(told)
    }

    /// Runs the failing tests in question again, to tell the flaky ones.
    fn again(&self, options: &RunOptions<'_>, executed: &mut [Executed]) -> Result<(), Error> {
        let &Self { desk, project, suite, asked } = self;
        // What a limit ended takes long, and hardly ever ends otherwise.
        let by_itself = |outcome: &Outcome| matches!(outcome, Outcome::Fail { .. } | Outcome::Crash(_));
        let wanted = |test: &Executed| {
            by_itself(&test.result.outcome) && (asked.is_empty() || asked.contains(&test.result.name))
        };
        let names: Vec<String> =
            executed.iter().filter(|test| wanted(test)).map(|test| test.result.name.clone()).collect();
        let tests: Vec<&Test> = names.iter().filter_map(|name| suite.test(name).ok()).collect();
        let times = suite.reruns.max(1);
        let task = desk.task("running failing tests again", Some(tests.len() as u64 * u64::from(times)));
        for _ in 0..times {
            if tests.is_empty() {
                break;
            }
            let (rerun, _) = project.run_spectrum(suite, &tests, options, &steps(&task))?;
            if let Some(interrupted) = prepare::interrupted(desk, rerun.len(), tests.len()) {
                return Err(interrupted.into());
            }
            for test in rerun {
                let same = executed.iter_mut().find(|known| known.result.name == test.result.name);
                if let Some(known) = same.filter(|known| wanted(known)) {
                    let reruns = known.result.reruns.get_or_insert(Reruns { runs: 0, failures: 0 });
                    reruns.runs += 1;
                    reruns.failures += u32::from(test.result.outcome.is_failure());
                }
            }
        }
        Ok(())
    }

    /// Runs the tests that failed each time also without counts, and leaves out those that pass so and fail once more
    /// with counts: what was built for counting is another program there. What to say of these. What a limit ended takes long: of such tests the next one is run only
    /// where the one before passes so.
    fn by_counting_alone(
        &self,
        options: &RunOptions<'_>,
        executed: &mut Vec<Executed>,
    ) -> Result<Option<String>, Error> {
        let &Self { desk, project, suite, .. } = self;
        let options = RunOptions { reruns: Some(0), ..options.clone() };
        let (endless, ended): (Vec<&Executed>, Vec<&Executed>) =
            executed.iter().filter(|test| fails(test)).partition(|test| test.result.outcome == Outcome::Timeout);
        let find = |tests: &[&Executed]| -> Vec<&Test> {
            tests.iter().filter_map(|test| suite.test(&test.result.name).ok()).collect()
        };
        let mut passing = Vec::new();
        let mut run = |tests: &[&Test], limits: Option<Limits>| -> Result<bool, Error> {
            let results = prepare::run(desk, suite, tests, &RunOptions { limits, ..options.clone() });
            if let Some(interrupted) = prepare::interrupted(desk, results.len(), tests.len()) {
                return Err(interrupted.into());
            }
            let before = passing.len();
            passing.extend(results.into_iter().filter(|result| result.outcome == Outcome::Pass));
            Ok(passing.len() > before)
        };
        let ended = find(&ended);
        if !ended.is_empty() {
            run(&ended, None)?;
        }
        for test in find(&endless) {
            if !run(&[test], Some(without_counts(suite)))? {
                break;
            }
        }
        let passing: Vec<String> = passing.into_iter().map(|result| result.name).collect();
        let tests: Vec<&Test> = passing.iter().filter_map(|name| suite.test(name).ok()).collect();
        if tests.is_empty() {
            return Ok(None);
        }
        let (with_counts, _) = project.run_spectrum(suite, &tests, &options, &|_| {})?;
        if let Some(interrupted) = prepare::interrupted(desk, with_counts.len(), tests.len()) {
            return Err(interrupted.into());
        }
        let mut names = Vec::new();
        for result in with_counts.into_iter().map(|test| test.result) {
            let Some(at) = executed.iter().position(|test| test.result.name == result.name) else { continue };
            if result.outcome.is_failure() {
                names.push(executed.remove(at).result.name);
            } else {
                let reruns = executed[at].result.reruns.get_or_insert(Reruns { runs: 0, failures: 0 });
                reruns.runs += 1;
            }
        }
        let text = "left out, because they pass as they are built and fail only in the copy that counts what they execute (what they do \
                is undefined, or the copy was built otherwise: see what `whydunit build` notes)";
        Ok(prepare::some_of(&names).map(|names| format!("{text}: {names}")))
    }

    /// Runs tests that pass and should not without counts: what is undefined may come out otherwise with them. These are the ones
    /// that were asked for; where none was and none fails, all. What to say of those that fail then.
    fn as_built(&self, options: &RunOptions<'_>, executed: &mut [Executed]) -> Result<Option<String>, Error> {
        let &Self { desk, suite, asked, .. } = self;
        let fails = |test: &Executed| test.result.outcome.is_failure();
        if asked.is_empty() && executed.iter().any(fails) {
            return Ok(None);
        }
        let wanted = |test: &&Executed| !fails(test) && (asked.is_empty() || asked.contains(&test.result.name));
        let names: Vec<String> = executed.iter().filter(wanted).map(|test| test.result.name.clone()).collect();
        let tests: Vec<&Test> = names.iter().filter_map(|name| suite.test(name).ok()).collect();
        let results = prepare::run(desk, suite, &tests, &RunOptions { reruns: Some(0), ..options.clone() });
        if let Some(interrupted) = prepare::interrupted(desk, results.len(), tests.len()) {
            return Err(interrupted.into());
        }
        let mut failing = Vec::new();
        for result in results.into_iter().filter(|result| result.outcome.is_failure()) {
            if let Some(test) = executed.iter_mut().find(|test| test.result.name == result.name) {
                failing.push(result.name.clone());
                test.result = result;
            }
        }
        let text = "passed while it was counted what they execute, and failed when they were run again without counts (flaky, or what \
                they do is undefined)";
        Ok(prepare::some_of(&failing).map(|names| format!("{text}: {names}")))
    }
}

/// Whether a test fails each time that it is run.
pub(super) fn fails(test: &Executed) -> bool {
    test.result.outcome.is_failure() && !test.result.is_flaky()
}

/// What to say of tests that failed at times.
fn apart(executed: &[Executed]) -> Option<String> {
    let flaky: Vec<String> =
        executed.iter().filter(|test| test.result.is_flaky()).map(|test| test.result.name.clone()).collect();
    let apart = "kept apart, because they failed and passed when they were run again (flaky)";
    prepare::some_of(&flaky).map(|names| format!("{apart}: {names}"))
}

/// A step of a task for each test that was run.
fn steps(task: &Task) -> impl Fn(Progress<'_>) {
    |progress| {
        if let Progress::Finished { result, .. } = progress {
            task.step(&result.name);
        }
    }
}
