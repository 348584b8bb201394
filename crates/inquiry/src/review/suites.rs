//! The suite before a fix and with it.

use std::time::Duration;

use whydunit_findings::Disruption;
use whydunit_inputs::Input;
use whydunit_process::{Cancel, Exit, Limits};
use whydunit_review::Domain;
use whydunit_suite::{Case, Outcome, RunOptions, Suite, Test, TestResult};

use super::error::ReviewError;
use super::told::did;
use crate::Error;
use whydunit_desk::BuiltVersion;

/// The case that is the failing test's call.
pub const THE_CALL: &str = "the-call";

/// A test that runs into its time limit since the fix is given so many times as long once more.
const LONGER: u32 = 3;

/// Inputs of the suite with which a search begins.
const SEEDS: usize = 12;

/// Tests, as they ran before the fix and with it: those that the fixed version has.
pub struct Outcomes {
    list: Vec<(Test, TestResult, TestResult)>,
    pub runs: u64,
}

/// The test that shows the bug.
pub enum Trigger<'a> {
    /// One with an input of its own.
    Case { case: &'a Case, before: &'a TestResult, after: &'a TestResult },
    /// Another one.
    Other { test: &'a Test, before: &'a TestResult, after: &'a TestResult },
}

impl<'a> Trigger<'a> {
    /// What it did before the fix, and with it.
    pub fn results(&self) -> (&'a TestResult, &'a TestResult) {
        match *self {
            Trigger::Case { before, after, .. } | Trigger::Other { before, after, .. } => (before, after),
        }
    }

    pub fn test(&self) -> Test {
        match *self {
            Trigger::Case { case, .. } => Test::Case(case.clone()),
            Trigger::Other { test, .. } => test.clone(),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Trigger::Case { case, .. } => &case.name,
            Trigger::Other { test, .. } => test.name(),
        }
    }
}

impl Outcomes {
    /// Runs the suite of the fixed version on both; what is no case is run as each version has it.
    pub fn of(broken: &BuiltVersion, mended: &BuiltVersion) -> Self {
        let options = RunOptions { cancel: Some(&broken.desk.cancel), ..RunOptions::default() };
        let run = |suite: &Suite| suite.run(&options, &|_| {});
        let is_case = |test: &&Test| matches!(test, Test::Case(_));
        let cases = mended.suite.tests.iter().filter(is_case).cloned();
        let others = broken.suite.tests.iter().filter(|test| !is_case(test)).cloned();
        let before = run(&Suite { tests: cases.chain(others).collect(), ..broken.suite.clone() });
        let after = again(&mended.suite, &before, run(&mended.suite), &broken.desk.cancel);
        let runs = (before.len() + after.len()) as u64;
        let tests = if mended.suite.single.is_empty() { &mended.suite.tests } else { &mended.suite.single };
        let of = |results: &[TestResult], name: &str| results.iter().find(|result| result.name == name).cloned();
        let list = after.iter().filter_map(|result| {
            let test = tests.iter().chain(&mended.suite.tests).find(|test| test.name() == result.name)?;
            Some((test.clone(), of(&before, &result.name)?, result.clone()))
        });
        Self { list: list.collect(), runs }
    }

    /// The test that shows the bug: the one of this name, or the first one that fails before the fix, cases first and those that
    /// pass with it.
    pub fn trigger(&self, name: Option<&str>) -> Result<Trigger<'_>, Error> {
        let failing = self.list.iter().filter(|(_, before, _)| before.outcome.is_failure() && !before.is_flaky());
        let found = match name {
            Some(name) => {
                let known = self.list.iter().find(|(test, ..)| test.name() == name);
                let known = known.ok_or_else(|| ReviewError::NoTest { test: name.to_owned() })?;
                if known.1.is_flaky() {
                    return Err(ReviewError::Flaky { test: name.to_owned() }.into());
                }
                if !known.1.outcome.is_failure() {
                    return Err(ReviewError::Passes { test: name.to_owned() }.into());
                }
                known
            }
            None => failing
                .min_by_key(|(test, _, after)| (!matches!(test, Test::Case(_)), after.outcome.is_failure()))
                .ok_or(ReviewError::NothingFails)?,
        };
        let (test, before, after) = found;
        Ok(match test {
            Test::Case(case) => Trigger::Case { case, before, after },
            test => Trigger::Other { test, before, after },
        })
    }

    /// The tests that the fix breaks.
    pub fn disruptions(&self) -> Vec<Disruption> {
        let broken = self.list.iter().filter(|(_, before, after)| {
            !before.outcome.is_failure() && after.outcome.is_failure() && !after.is_flaky() && !before.is_flaky()
        });
        let told = broken.map(|(test, before, after)| Disruption {
            test: Some(test.name().into()),
            case: if let Test::Case(case) = test { Some(case.to_json().to_string()) } else { None },
            what: String::new(),
            inputs: 1,
            before: did(before),
            after: did(after),
        });
        told.collect()
    }

    /// The first case, before the fix and with it: the call of a function under test. None where it was not run to its end.
    pub fn call(&self) -> Option<(&Case, &TestResult, &TestResult)> {
        let (test, before, after) = self.list.iter().find(|(test, ..)| test.name() == THE_CALL)?;
        let Test::Case(case) = test else { return None };
        let ended = |result: &TestResult| !matches!(result.outcome, Outcome::Cancelled);
        (ended(before) && ended(after)).then_some((case, before, after))
    }

    /// The cases that pass, before the fix or with it, and their runs.
    pub fn passed_cases(&self) -> impl Iterator<Item = (&Case, &TestResult)> {
        let runs = self.list.iter().flat_map(|(test, before, after)| [(test, before), (test, after)]);
        runs.filter(|(_, run)| run.outcome == Outcome::Pass)
            .filter_map(|(test, run)| if let Test::Case(case) = test { Some((case, run)) } else { None })
    }

    /// Their runs.
    pub fn passed(&self) -> impl Iterator<Item = &TestResult> {
        self.passed_cases().map(|(_, run)| run)
    }

    /// The exit statuses of the cases that pass, before the fix or with it.
    pub fn statuses(&self) -> Vec<i32> {
        self.passed()
            .filter_map(|run| if let Some(Exit::Status(status)) = run.exit { Some(status) } else { None })
            .collect()
    }

    /// The inputs of the cases that pass before the fix.
    pub fn passing_inputs(&self) -> Vec<Input> {
        let cases = self.passing().filter_map(|test| if let Test::Case(case) = test { Some(case) } else { None });
        cases.filter_map(|case| Input::of(case).ok()).collect()
    }

    /// The tests that pass before the fix.
    pub fn passing(&self) -> impl Iterator<Item = &Test> {
        self.list.iter().filter(|(_, before, _)| !before.outcome.is_failure()).map(|(test, ..)| test)
    }

    /// The time of the longest test that ends.
    pub fn longest(&self) -> Duration {
        let all = self.list.iter().flat_map(|(_, before, after)| [before, after]);
        all.filter(|result| result.outcome != Outcome::Timeout).map(|result| result.time).max().unwrap_or_default()
    }

    /// The suite's cases.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.list.iter().filter_map(|(test, ..)| if let Test::Case(case) = test { Some(case) } else { None })
    }

    /// Their inputs.
    pub fn inputs(&self) -> Vec<Input> {
        self.cases().filter_map(|case| Input::of(case).ok()).collect()
    }

    /// Some of them that are in a domain.
    pub fn seeds(&self, domain: &Domain) -> Vec<Input> {
        self.inputs().into_iter().filter(|input| domain.holds(input)).take(SEEDS).collect()
    }

    /// Cases whose inputs are not in a domain.
    pub fn outside(&self, domain: &Domain) -> Vec<&str> {
        let outside = |case: &&Case| Input::of(case).is_ok_and(|input| !domain.holds(&input));
        self.cases().filter(outside).map(|case| &case.name[..]).collect()
    }
}

/// Results with the fix, in which what ran into its time limit, and had time enough before the fix, has had more of it: a machine may
/// be busy.
fn again(suite: &Suite, before: &[TestResult], mut after: Vec<TestResult>, cancel: &Cancel) -> Vec<TestResult> {
    let in_time = |name: &str| before.iter().any(|run| run.name == name && run.outcome != Outcome::Timeout);
    for result in after.iter_mut().filter(|run| run.outcome == Outcome::Timeout) {
        let test = suite.single.iter().chain(&suite.tests).find(|test| test.name() == result.name);
        let Some(test) = test.filter(|test| in_time(test.name())) else { continue };
        let limits = Limits { time: suite.limits.time.map(|time| time * LONGER), ..suite.limits.clone() };
        let options =
            RunOptions { cancel: Some(cancel), limits: Some(limits), reruns: Some(0), ..RunOptions::default() };
        if let Some(ended) = suite.run_test(test, &options).into_iter().find(|run| run.name == result.name) {
            *result = ended;
        }
    }
    after
}
