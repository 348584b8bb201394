//! Locating a fault: tests are run with counts, statements ranked by these, and failing tests asked by formulas.

mod answers;
mod baseline;
mod condition;
mod effort;
mod error;
pub mod failing;
mod formulas;
mod groups;
mod homes;
mod method;
mod mutants;
mod naming;
mod nearness;
mod numbers;
mod overrun;
mod own_tests;
mod patience;
mod ranking;
mod reach;
mod rerun;
mod scope;
mod solvers;
mod subject;
mod test_code;
mod test_macros;
mod walk;
mod words;

use std::collections::HashMap;
use std::num::NonZeroUsize;

use whydunit_desk::{Desk, convert};
use whydunit_findings::{Body, Finding, FormulaStats, Located, Problem, Report, Stats, TestResult};
use whydunit_suite::Test;
use whydunit_workbench::Executed;

use crate::Error;
use crate::anomalies;
use crate::mine::Ready;
pub use baseline::Baseline;
pub use error::LocateError;
pub use method::Method;
pub use ranking::{Ranking, Search};
pub use reach::Reach;
pub use scope::{Part, Scope};
pub use solvers::{SolverName, Solvers};
pub use subject::Subject;
pub(crate) use test_code::TestCode;

/// Suspiciousness by file (relative to the project) and line.
pub type Suspicion = HashMap<(String, u32), f64>;

/// A statement as findings name it: file (relative to the project) and line.
pub type Place = (String, u32);

/// Seconds for everything but the project's own build, where nobody says otherwise.
pub const SECONDS: u64 = 180;
/// Seconds of them that formulas take at most, and how many failing tests they look at, where nobody says otherwise.
pub const SEARCH_SECONDS: u64 = 60;
/// See [`SEARCH_SECONDS`].
pub const FAILING: NonZeroUsize = NonZeroUsize::new(3).expect("three");

/// What is to be located, and how.
pub struct Question<'a> {
    /// The failing tests in question; none: all that fail.
    pub tests: &'a [String],
    /// What is ranked.
    pub scope: Scope,
    /// How it is looked for.
    pub search: Search,
    /// Tests at a time; `None`: one for each processor.
    pub jobs: Option<NonZeroUsize>,
    /// How far the suite is run, and how long all of it may take.
    pub reach: Reach,
    /// Calls that find objects otherwise than those of passing tests do are told besides.
    pub anomalies: bool,
}

/// An answer, and what goes with it.
pub struct Answer {
    /// The ranking.
    pub located: Located,
    /// The suite as it was run.
    pub tests: Vec<TestResult>,
    /// Runs of tests.
    pub runs: u64,
    /// Figures of formulas, where they were asked.
    pub formulas: Option<FormulaStats>,
    /// Time was up before the search had come to its end.
    pub cut: bool,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
}

impl Answer {
    /// As a report on work that took so many seconds.
    pub fn report(self, seconds: f64, interrupted: bool) -> Report {
        let stats = Stats {
            seconds,
            test_runs: self.runs,
            solver_calls: self.formulas.as_ref().map_or(0, |stats| stats.solver_calls),
            formulas: self.formulas,
            ..Stats::default()
        };
        Report {
            tests: self.tests,
            problems: self.problems,
            stats,
            partial: self.cut,
            interrupted,
            ..Report::new(Body::Locate(self.located))
        }
    }
}

/// Locates.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let only = &question.scope.only;
    let baseline = Baseline::of(desk, question.tests, question.jobs, question.scope.clone(), question.reach)?;
    let mut problems: Vec<Problem> = baseline.problems.iter().map(Problem::new).collect();
    let some_fail = baseline.failing().next().is_some();
    if baseline.in_question().next().is_none() {
        problems.insert(0, nothing_fails(question.tests));
    } else if !some_fail {
        problems.push(Problem::new("no test fails each time that it is run: this is of the flaky ones"));
    } else if baseline.passing() == 0 {
        let text = "no test passes: that a statement is executed by failing tests only says nothing";
        problems.push(Problem::new(text).help("add tests that pass, as close as possible to those that fail"));
    }
    if let Some(command) = driven(&baseline).filter(|_| some_fail && baseline.passing() < FEW) {
        let text = "a failing test is a command of its own: where it runs the program several times, all of these runs are one test";
        problems.push(
            Problem::new(text).help(format!("make cases of its runs: `whydunit cases -- {}`", in_a_shell(command))),
        );
    }
    for part in only {
        if !desk.project.join(part.path()).exists() && !baseline.executes(desk, part) {
            return Err(LocateError::NoPart { part: part.to_string() }.into());
        }
    }
    let Ranking { mut located, notes, stats, cut } = baseline.rank(desk, &question.search)?;
    let cut = cut || baseline.cut;
    problems.extend(notes);
    let covers = |finding: &Finding| {
        let place = &finding.location;
        baseline.scope().covers(&desk.project, &place.file, place.line, &finding.function)
    };
    located.findings.retain(covers);
    located.groups.iter_mut().for_each(|group| group.findings.retain(covers));
    if located.findings.is_empty() && !only.is_empty() && some_fail {
        problems.push(nothing_there(only));
    }
    if question.anomalies && baseline.late(desk) {
        problems.push(Problem::new("no time was left for calls that find objects otherwise than passing tests do"));
    } else if let Some(test) = baseline.failing().next().filter(|_| question.anomalies) {
        let found = anomalies::recorded(desk, &Ready::of(desk)?, &baseline, test)?.found;
        located.anomalies = Some(anomalies::told(&desk.project, test, &found.anomalies));
        problems.extend(found.problems);
    }
    problems.extend(baseline.nothing_captured());
    let runs = |test: &Executed| 1 + test.result.reruns.map_or(0, |reruns| u64::from(reruns.runs));
    Ok(Answer {
        located,
        tests: baseline.executed.iter().map(|test| convert::test(&test.result)).collect(),
        runs: baseline.executed.iter().map(runs).sum(),
        formulas: stats,
        cut,
        problems,
    })
}

/// With fewer passing tests than these, cases of single runs would tell much more.
const FEW: usize = 5;

/// The command of the first failing test that is a command which may run programs as it likes.
fn driven(baseline: &Baseline) -> Option<&str> {
    let first = baseline.failing().next()?;
    baseline.suite.tests.iter().chain(&baseline.suite.single).find_map(|test| match test {
        Test::Script { command, .. }
        | Test::Automake { command }
        | Test::Tap { command, .. }
        | Test::AutomakeSingle { command, .. }
            if test.name() == first || matches!(test, Test::Automake { .. }) =>
        {
            Some(command.as_str())
        }
        _ => None,
    })
}

/// A command as somebody types it behind another one: what only a shell understands is given to one.
fn in_a_shell(command: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " -_=./,+:@%".contains(c);
    if command.chars().all(plain) { command.to_owned() } else { format!("sh -c '{}'", command.replace('\'', "'\\''")) }
}

/// That what was asked for is not executed.
fn nothing_there(only: &[Part]) -> Problem {
    let parts: Vec<String> = only.iter().map(Part::to_string).collect();
    let text = format!("the failing tests execute nothing in {} that could be at fault", parts.join(", "));
    Problem::new(text).help("see that the path is one of the project's sources, and the line one with a statement")
}

/// That there is nothing to locate.
fn nothing_fails(asked: &[String]) -> Problem {
    let text = match asked {
        [] => "no test fails: there is nothing to locate".to_string(),
        [one] => format!("test {one} does not fail: there is nothing to locate"),
        several => format!("none of the tests {} fails: there is nothing to locate", several.join(", ")),
    };
    let help = "of a case only what it expects is compared: `stdout`, and `status` or `signal`";
    Problem::new(text).help(help)
}

/// A finding's statement.
fn place_of(finding: &Finding) -> Place {
    (finding.location.file.clone(), finding.location.line)
}
