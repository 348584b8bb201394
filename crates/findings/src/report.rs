//! A command's whole answer.

use crate::{
    Build, Class, Divergence, Exit, Explained, Init, Located, MemoryError, Problem, Record, Repaired, Replay, Reviewed,
    Score, Show, Shrunk, Stats, TestResult, Why,
};

/// What a command answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Tests that were run, in the order of the suite.
    pub tests: Vec<TestResult>,
    /// The command's own part.
    pub body: Body,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
    /// A time limit cut the work short: the answer is partial.
    pub partial: bool,
    /// It was not time but the user who cut it short.
    pub interrupted: bool,
}

/// The part of a report that differs from command to command.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// `init`
    Init(Init),
    /// `build`
    Build(Build),
    /// `test`: the tests are all.
    Test,
    /// `test --list`: the tests' names, in the order of the suite.
    TestList(Vec<String>),
    /// `record`
    Record(Record),
    /// `replay`
    Replay(Replay),
    /// `show`
    Show(Show),
    /// `show --classes`: the classes of the program, in the order of their names.
    Classes(Vec<Class>),
    /// `why`
    Why(Why),
    /// `locate`
    Locate(Located),
    /// `explain`
    Explain(Box<Explained>),
    /// `repair`
    Repair(Repaired),
    /// `review`
    Review(Box<Reviewed>),
    /// `score`
    Score(Score),
    /// `shrink`
    Shrink(Shrunk),
    /// `demo`
    Demo(Vec<DemoStep>),
}

/// A step of the tour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DemoStep {
    /// The command, as a user would type it.
    pub command: String,
    /// What it does, in a line.
    pub purpose: String,
    /// What came out, in a line.
    pub result: String,
}

impl Body {
    /// The command's name.
    pub const fn command(&self) -> &'static str {
        match self {
            Body::Init(_) => "init",
            Body::Build(_) => "build",
            Body::Test | Body::TestList(_) => "test",
            Body::Record(_) => "record",
            Body::Replay(_) => "replay",
            Body::Show(_) | Body::Classes(_) => "show",
            Body::Why(_) => "why",
            Body::Locate(_) => "locate",
            Body::Explain(_) => "explain",
            Body::Repair(_) => "repair",
            Body::Review(_) => "review",
            Body::Score(_) => "score",
            Body::Shrink(_) => "shrink",
            Body::Demo(_) => "demo",
        }
    }

    /// Memory errors that it carries.
    pub fn memory_errors(&self) -> &[MemoryError] {
        match self {
            Body::Record(record) => &record.memory_errors,
            Body::Replay(replay) => &replay.memory_errors,
            Body::Show(show) => &show.memory_errors,
            _ => &[],
        }
    }
}

impl Report {
    /// A report with nothing but its body.
    pub fn new(body: Body) -> Self {
        Self {
            tests: Vec::new(),
            body,
            problems: Vec::new(),
            stats: Stats::default(),
            partial: false,
            interrupted: false,
        }
    }

    /// Where a replay parted from its recording.
    fn divergence(&self) -> Option<&Divergence> {
        match &self.body {
            Body::Replay(replay) => replay.divergence.as_ref(),
            Body::Show(show) => show.divergence.as_ref(),
            Body::Why(why) => why.divergence.as_ref(),
            _ => None,
        }
    }

    /// The exit status. Our own fault comes before a limit, a limit before findings. A recording of a failing test is
    /// what `record` was asked for, so it alone is no finding; the same holds for the failure that `show` shows, the
    /// causes that `why` names, the case that `shrink` makes smaller, and the tour.
    pub fn exit(&self) -> Exit {
        if self.divergence().is_some() {
            return Exit::Internal;
        }
        if self.partial {
            return Exit::TimeLimit;
        }
        let found = match &self.body {
            Body::Test => self.tests.iter().any(|test| test.outcome.is_failure()),
            Body::Locate(located) => !located.findings.is_empty(),
            Body::Explain(explained) => !explained.root.is_empty(),
            Body::Repair(repaired) => !repaired.patches.is_empty(),
            Body::Review(reviewed) => reviewed.verdict != crate::FixVerdict::NoCounterexample,
            Body::Record(_) | Body::Replay(_) => !self.body.memory_errors().is_empty(),
            Body::Init(_)
            | Body::Build(_)
            | Body::TestList(_)
            | Body::Show(_)
            | Body::Classes(_)
            | Body::Why(_)
            | Body::Score(_)
            | Body::Shrink(_)
            | Body::Demo(_) => false,
        };
        if found { Exit::Findings } else { Exit::Success }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finding, Outcome};

    fn test(outcome: Outcome) -> TestResult {
        TestResult { name: "t".into(), outcome, seconds: 0.0, reason: None, runs: None }
    }

    #[test]
    fn a_failing_test_is_a_finding_and_a_flaky_or_skipped_one_is_not() {
        let mut report = Report::new(Body::Test);
        report.tests = vec![test(Outcome::Pass), test(Outcome::Skip), test(Outcome::Flaky)];
        assert_eq!(report.exit(), Exit::Success);
        report.tests.push(test(Outcome::Crash));
        assert_eq!(report.exit(), Exit::Findings);
    }

    #[test]
    fn a_divergence_is_our_own_fault_even_when_time_ran_out() {
        let replay = Replay { divergence: Some(Divergence::default()), ..Replay::default() };
        let mut report = Report::new(Body::Replay(replay));
        report.partial = true;
        assert_eq!(report.exit(), Exit::Internal);
        let show = Show { divergence: Some(Divergence::default()), ..Show::default() };
        assert_eq!(Report::new(Body::Show(show)).exit(), Exit::Internal);
        let why = Why { divergence: Some(Divergence::default()), ..Why::default() };
        assert_eq!(Report::new(Body::Why(why)).exit(), Exit::Internal);
    }

    #[test]
    fn a_partial_answer_says_so_before_its_findings() {
        let located = Located { findings: vec![Finding::default()], ..Located::default() };
        let mut report = Report::new(Body::Locate(located));
        assert_eq!(report.exit(), Exit::Findings);
        report.partial = true;
        assert_eq!(report.exit(), Exit::TimeLimit);
    }

    #[test]
    fn memory_errors_are_findings_of_replay_but_show_only_shows_them() {
        let errors = vec![MemoryError::default()];
        let replay = Body::Replay(Replay { memory_errors: errors.clone(), ..Replay::default() });
        assert_eq!(Report::new(replay).exit(), Exit::Findings);
        let show = Body::Show(Show { memory_errors: errors, ..Show::default() });
        assert_eq!(Report::new(show).exit(), Exit::Success);
    }
}
