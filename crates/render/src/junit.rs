//! JUnit's XML, which most services that show tests read.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestRerun, TestSuite};
use whydunit_findings::{Outcome, Report, TestResult};

use crate::plain::plain;

/// The tests of a report as one suite, with a newline at the end. Flaky tests pass, with their failures beside them.
pub fn junit(report: &Report) -> String {
    let mut suite = TestSuite::new(report.body.command());
    suite.set_time(report.tests.iter().map(|test| seconds(test.seconds)).sum());
    suite.add_test_cases(report.tests.iter().map(case));
    let mut suites = Suites::new("whydunit");
    suites.add_test_suite(suite);
    // Written into memory; characters that XML cannot have were left out before.
    let mut text = suites.to_string().unwrap_or_default();
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn case(test: &TestResult) -> TestCase {
    let reason = plain(test.reason.as_deref().unwrap_or_else(|| test.outcome.name()));
    let mut status = match test.outcome {
        Outcome::Pass | Outcome::Flaky => TestCaseStatus::success(),
        Outcome::Skip => TestCaseStatus::skipped(),
        Outcome::Fail | Outcome::Timeout => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Crash | Outcome::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    // One failure of a test that failed is its status.
    let others = match (test.outcome, test.runs) {
        (Outcome::Flaky, runs) => runs.map_or(1, |runs| runs.failures),
        (Outcome::Pass | Outcome::Skip, _) => 0,
        (_, runs) => runs.map_or(0, |runs| runs.failures.saturating_sub(1)),
    };
    if test.outcome.is_failure() {
        status.set_message(&*reason).set_type(test.outcome.name());
    } else if let (Outcome::Skip, Some(reason)) = (test.outcome, &test.reason) {
        status.set_message(&*plain(reason));
    }
    for _ in 0..others {
        let mut rerun = TestRerun::new(NonSuccessKind::Failure);
        rerun.set_message(&*reason).set_type(test.outcome.name());
        status.add_rerun(rerun);
    }
    let mut case = TestCase::new(&*plain(&test.name), status);
    case.set_time(seconds(test.seconds));
    case
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
