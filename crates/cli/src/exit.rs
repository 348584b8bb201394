//! The exit status, of an answer and of a failure: the one place that decides it for a command that ran.

use whydunit_causes::why::WhyError;
use whydunit_desk as desk;
use whydunit_findings::{Body, FixVerdict, Report};
use whydunit_inquiry::Error;
use whydunit_inquiry::cases::CasesError;
use whydunit_inquiry::explain::ExplainError;
use whydunit_inquiry::history::HistoryError;
use whydunit_inquiry::repair::RepairError;
use whydunit_inquiry::review::ReviewError;
use whydunit_inquiry::score::ScoreError;
use whydunit_inquiry::shrink::ShrinkError;
use whydunit_replay::ReplayError;

/// How the command ends. The numbers are a contract; the manual has the same table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Nothing found, or all well.
    Success = 0,
    /// There are findings: a test fails, a fault is located, undefined behaviour was seen.
    Findings = 1,
    /// A mistake in the command line, a configuration or an input file.
    Usage = 2,
    /// The program under test does not build.
    Build = 3,
    /// Its test suite is not usable as a baseline.
    Baseline = 4,
    /// The time limit was reached; the answer is partial.
    TimeLimit = 5,
    /// Our own fault: a divergence of a replay, or an internal error.
    Internal = 70,
}

impl Exit {
    /// All of them, in order.
    pub const ALL: [Exit; 7] =
        [Exit::Success, Exit::Findings, Exit::Usage, Exit::Build, Exit::Baseline, Exit::TimeLimit, Exit::Internal];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// What it says, as the manual does.
    pub const fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "nothing found, or all well",
            Exit::Findings => "there are findings",
            Exit::Usage => "a mistake in the command line, a configuration or an input file",
            Exit::Build => "the program under test does not build",
            Exit::Baseline => "its test suite is not usable as a baseline",
            Exit::TimeLimit => "the time limit was reached, the answer is partial",
            Exit::Internal => "our own fault, a divergence of a replay among them",
        }
    }

    /// The exit status of an answer. Our own fault comes before a limit, a limit before findings. A recording of a failing test is
    /// what `record` was asked for, so it alone is no finding; the same holds for the failure that `show` shows, the
    /// causes that `why` names, the case that `shrink` makes smaller, and the tour.
    pub fn of(report: &Report) -> Self {
        if report.divergence().is_some() {
            return Exit::Internal;
        }
        if report.partial {
            return Exit::TimeLimit;
        }
        let found = match &report.body {
            Body::Test => report.tests.iter().any(|test| test.outcome.is_failure()),
            Body::Locate(located) => !located.findings.is_empty(),
            Body::Explain(explained) => !explained.root.is_empty(),
            Body::Repair(repaired) => !repaired.patches.is_empty(),
            Body::Review(reviewed) => reviewed.verdict != FixVerdict::NoCounterexample,
            Body::Record(_) | Body::Replay(_) => report.body.errors().is_some_and(|errors| !errors.is_empty()),
            Body::Doctor(health) => health.missing() > 0,
            Body::Check(checked) => !checked.misuses.is_empty(),
            Body::Init(_)
            | Body::Cases(_)
            | Body::Build(_)
            | Body::TestList(_)
            | Body::Show(_)
            | Body::Classes(_)
            | Body::Mine(_)
            | Body::Enrich(_)
            | Body::History(_)
            | Body::Why(_)
            | Body::Score(_)
            | Body::Shrink(_)
            | Body::Demo(_) => false,
        };
        if found { Exit::Findings } else { Exit::Success }
    }

    /// The exit status of a question that has no answer.
    pub fn of_error(error: &Error) -> Self {
        use ReviewError as Review;
        match error {
            Error::Desk(error) => Self::of_desk(error),
            Error::Explain(ExplainError::BadNotBuilt { error, .. }) => Self::of_desk(error),
            Error::Explain(ExplainError::GoodNotBuilt { .. })
            | Error::Repair(RepairError::Unreadable(_))
            | Error::Review(Review::NoDriver { .. })
            | Error::Score(ScoreError::NotBuilt { .. }) => Exit::Build,
            Error::Explain(
                ExplainError::BadPassesApart | ExplainError::CannotRun(_) | ExplainError::FailsTooSeldom { .. },
            )
            | Error::Review(
                Review::DomainLacks { .. }
                | Review::Flaky { .. }
                | Review::Passes { .. }
                | Review::NothingFails
                | Review::NotCalled { .. }
                | Review::CannotBeGiven { .. }
                | Review::GivenNothing { .. }
                | Review::NotRecorded { .. }
                | Review::DoesNotFailAlone { .. }
                | Review::FailsAlone { .. },
            )
            | Error::Shrink(ShrinkError::Flaky { .. } | ShrinkError::Passes { .. }) => Exit::Baseline,
            Error::History(HistoryError::NoTests { .. })
            | Error::Cases(CasesError::NoRun { .. } | CasesError::NoCase { .. }) => Exit::Baseline,
            Error::Explain(ExplainError::NoAnswerAfter { .. }) => Exit::TimeLimit,
            Error::Explain(ExplainError::Causes(_))
            | Error::Show(_)
            | Error::Classes(_)
            | Error::Why { error: WhyError::Replay(ReplayError::Divergence(_)), .. }
            | Error::Internal(_) => Exit::Internal,
            Error::Locate(_)
            | Error::Explain(_)
            | Error::Repair(_)
            | Error::Review(_)
            | Error::Shrink(_)
            | Error::Score(_)
            | Error::Mine(_)
            | Error::Java(_)
            | Error::Cases(_)
            | Error::Check(_)
            | Error::History(_)
            | Error::Formulas(_)
            | Error::Solver(_)
            | Error::NoClass { .. }
            | Error::NoFailure
            | Error::Why { .. } => Exit::Usage,
        }
    }

    /// The exit status of what every question needs and could not be had.
    fn of_desk(error: &desk::Error) -> Self {
        match error {
            error if error.is_of_build() => Exit::Build,
            error if error.is_interrupted() => Exit::TimeLimit,
            _ => Exit::Usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::{
        Divergence, Finding, Located, MemoryError, Outcome, Replay, RunErrors, Show, TestResult, Why,
    };

    fn test(outcome: Outcome) -> TestResult {
        TestResult { name: "t".into(), outcome, ..TestResult::default() }
    }

    #[test]
    fn a_failing_test_is_a_finding_and_a_flaky_or_skipped_one_is_not() {
        let mut report = Report::new(Body::Test);
        report.tests = vec![test(Outcome::Pass), test(Outcome::Skip), test(Outcome::Flaky)];
        assert_eq!(Exit::of(&report), Exit::Success);
        report.tests.push(test(Outcome::Crash));
        assert_eq!(Exit::of(&report), Exit::Findings);
    }

    #[test]
    fn a_divergence_is_our_own_fault_even_when_time_ran_out() {
        let replay = Replay { divergence: Some(Divergence::default()), ..Replay::default() };
        let mut report = Report::new(Body::Replay(replay));
        report.partial = true;
        assert_eq!(Exit::of(&report), Exit::Internal);
        let show = Show { divergence: Some(Divergence::default()), ..Show::default() };
        assert_eq!(Exit::of(&Report::new(Body::Show(show))), Exit::Internal);
        let why = Why { divergence: Some(Divergence::default()), ..Why::default() };
        assert_eq!(Exit::of(&Report::new(Body::Why(why))), Exit::Internal);
    }

    #[test]
    fn a_partial_answer_says_so_before_its_findings() {
        let located = Located { findings: vec![Finding::default()], ..Located::default() };
        let mut report = Report::new(Body::Locate(located));
        assert_eq!(Exit::of(&report), Exit::Findings);
        report.partial = true;
        assert_eq!(Exit::of(&report), Exit::TimeLimit);
    }

    #[test]
    fn memory_errors_are_findings_of_replay_but_show_only_shows_them() {
        let errors = RunErrors { memory: vec![MemoryError::default()], ..RunErrors::default() };
        let replay = Body::Replay(Replay { errors: errors.clone(), ..Replay::default() });
        assert_eq!(Exit::of(&Report::new(replay)), Exit::Findings);
        let show = Body::Show(Show { errors, ..Show::default() });
        assert_eq!(Exit::of(&Report::new(show)), Exit::Success);
    }

    #[test]
    fn codes_are_distinct_and_in_order() {
        assert!(Exit::ALL.windows(2).all(|pair| pair[0].code() < pair[1].code()));
    }
}
