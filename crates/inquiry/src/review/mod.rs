//! Reviewing: the two versions built, the search for an input that still fails, and what the fix changes besides.

mod asking;
mod case;
mod comparing;
mod death;
mod deaths;
mod differing;
mod disruption;
mod echo;
mod entry;
mod error;
mod judging;
mod nearby;
mod parting;
mod places;
mod programs;
mod relations;
mod remarks;
mod suites;
mod symptom;
mod told;
mod versions;
mod violation;

use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_findings::{Counterexample, FixVerdict, Problem, Reviewed};
use whydunit_review::{Domain, DomainError};
use whydunit_suite::{Case, TestResult};

use crate::Error;
use case::OfCase;
use entry::Entry;
pub use error::ReviewError;
use suites::{Outcomes, Trigger};
use told::did;
pub use versions::Fix;
pub use violation::Violation;
use whydunit_desk::Desk;
use whydunit_desk::{BuiltVersion, Recorder};

/// Runs for paths, where nobody says how many.
pub const RUNS: u64 = 2000;

/// What is to be reviewed.
pub struct Question<'a> {
    /// A patch, or `A..B`.
    pub fix: &'a str,
    /// Another one, to compare with.
    pub against: Option<&'a str>,
    /// The test that shows the bug.
    pub test: Option<&'a str>,
    /// The file of a domain: constraints that inputs meet. `None`: any input.
    pub domain: Option<&'a Path>,
    /// The function whose arguments are the input.
    pub entry: Option<&'a str>,
    /// The farthest path that is looked at.
    pub distance: usize,
    /// All paths, near or far.
    pub unguided: bool,
    /// For the search, what has to be built first not counted.
    pub limit: Duration,
    /// Runs for paths.
    pub runs: u64,
    /// Inputs made to look for disruptions.
    pub inputs: usize,
    /// For the inputs that are made: the same number gives the same ones.
    pub seed: u64,
    /// What the fix changes far from the bug is held against it, whether anything says that it is wrong or not.
    pub strict: bool,
}

/// An answer, and what goes with it.
#[derive(Default)]
pub struct Answer {
    /// The verdict, and what it rests on.
    pub reviewed: Reviewed,
    /// Questions to a solver.
    pub questions: u64,
    /// Versions built.
    pub builds: u64,
    /// Runs of tests.
    pub runs: u64,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
}

/// Where versions are built.
fn folder(project: &Path, version: &str) -> PathBuf {
    whydunit_suite::store_of(project).join("review").join(version)
}

/// Builds a version; `what` it is called where it does not build.
fn lay(desk: &Desk, tree: &whydunit_changes::Tree, version: &str, what: &str) -> Result<BuiltVersion, Error> {
    let task = desk.task(&format!("building {what}"), None);
    let laid = Recorder::lay_once(desk, folder(&desk.project, version), tree);
    drop(task);
    laid.map_err(|error| error.of(what).into())
}

/// Reads a domain; without one everything may be given that a function under test can be given.
fn domain(path: Option<&Path>, entry: Option<&Entry>) -> Result<Domain, Error> {
    let read = |path: &Path| std::fs::read_to_string(path).map_err(whydunit_desk::Error::io(path));
    let text = path.map(read).transpose()?.unwrap_or_default();
    let failed = |error: DomainError| {
        let parameters = entry.map(Entry::parameters);
        ReviewError::Domain { path: path.map(Path::to_path_buf), error, parameters }
    };
    let domain = match entry {
        // Lines are numbered as they stand in the file.
        Some(entry) => Domain::parse(&entry.names.numbered(&text))
            .and_then(|_| Domain::parse(&entry.domain(&text)))
            .map(|domain| domain.with_arguments(entry.arguments()))
            .map_err(failed)?,
        None => Domain::parse(&text).map_err(failed)?,
    };
    Ok(domain)
}

/// Reviews.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    if question.entry.is_none() {
        // What is wrong with it is said before anything is built.
        domain(question.domain, None)?;
    }
    let fix = Fix::read(&desk.project, question.fix)?;
    if let Some(function) = question.entry {
        // So is what the function cannot be given.
        entry::foresee(&fix.broken, function)?;
    }
    let other = question.against.map(|other| Fix::read(&desk.project, other)).transpose()?;
    let broken = lay(desk, &fix.broken, "before", "the version before the fix")?;
    let mended = lay(desk, &fix.mended, "after", "the version with the fix")?;
    let against =
        other.map(|other| lay(desk, &other.mended, "against", "the version with the other fix")).transpose()?;
    review(desk, question, &fix, [&broken, &mended], against.as_ref())
}

/// Reviews a patch that is no file yet, built without it and with it, by the paths near that of a test which it mends.
pub fn by_paths(
    desk: &Desk,
    fix: &Fix,
    laid: [&BuiltVersion; 2],
    test: &str,
    limit: Duration,
) -> Result<Answer, Error> {
    let question = Question {
        fix: "the patch",
        against: None,
        test: Some(test),
        domain: None,
        entry: None,
        distance: whydunit_review::FARTHEST - 1,
        unguided: false,
        limit,
        runs: RUNS,
        inputs: 0,
        seed: 1,
        strict: false,
    };
    review(desk, &question, fix, laid, None)
}

fn review(
    desk: &Desk,
    question: &Question<'_>,
    fix: &Fix,
    laid: [&BuiltVersion; 2],
    against: Option<&BuiltVersion>,
) -> Result<Answer, Error> {
    let [broken, mended] = laid;
    let task = desk.task("running the suite before and after the fix", None);
    let outcomes = Outcomes::of(broken, mended);
    drop(task);
    if desk.is_cancelled() {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    let trigger = outcomes.trigger(question.test)?;
    let mut answer = Answer {
        builds: laid.into_iter().chain(against).map(|laid| u64::from(laid.fresh)).sum(),
        runs: outcomes.runs,
        problems: fix.notes.iter().map(Problem::new).collect(),
        ..Answer::default()
    };
    let reviewed = &mut answer.reviewed;
    (reviewed.fix, reviewed.test) = (question.fix.into(), trigger.name().into());
    reviewed.changes = fix.changed_lines();
    reviewed.disruptions = outcomes.disruptions();
    let (before, after) = trigger.results();
    if after.outcome.is_failure() {
        let case = if let Trigger::Case { case, .. } = &trigger { Some(*case) } else { None };
        reviewed.counterexample = Some(by_suite(case, before, after));
    }
    let whole = Whole { desk, question, fix, broken, outcomes: &outcomes };
    match (trigger, question.entry) {
        (trigger, Some(function)) if !after.outcome.is_failure() => {
            whole.by_entry(function, &trigger, &mut answer)?;
        }
        // What fails in the suite needs no other input.
        (_, Some(_)) => reviewed.failure = before.outcome.reason().unwrap_or_default(),
        (Trigger::Case { case, .. }, _) => {
            let domain = domain(question.domain, None)?;
            OfCase {
                desk,
                question,
                fix,
                domain: &domain,
                outcomes: &outcomes,
                answer: &mut answer,
                tried: Vec::new(),
            }
            .review(laid, against, (case, before))?;
        }
        (Trigger::Other { test, .. }, _) => {
            reviewed.failure = before.outcome.reason().unwrap_or_default();
            if question.entry.is_none() {
                let text = format!("{} is no case with an input of its own: only the suite is compared", test.name());
                let help =
                    "name the function under test by --entry, or write the input that fails as a case of cases.jsonl";
                answer.problems.push(Problem::new(text).help(help));
            }
        }
    }
    let reviewed = &mut answer.reviewed;
    reviewed.verdict = match (&reviewed.counterexample, &reviewed.disruptions[..]) {
        (Some(counterexample), _) if counterexample.covered => FixVerdict::Coverage,
        (Some(_), _) | (None, [_, ..]) => FixVerdict::Disruption,
        (None, []) => FixVerdict::NoCounterexample,
    };
    Ok(answer)
}

/// What is reviewed as a whole: the program, its suite.
struct Whole<'a> {
    desk: &'a Desk,
    question: &'a Question<'a>,
    fix: &'a Fix,
    broken: &'a BuiltVersion,
    outcomes: &'a Outcomes,
}

impl Whole<'_> {
    /// Reviews by the arguments of a function that the test calls.
    fn by_entry(&self, function: &str, trigger: &Trigger<'_>, answer: &mut Answer) -> Result<(), Error> {
        let Self { desk, question, fix, .. } = *self;
        let test = trigger.test();
        let entry = Entry::new(desk, fix, self.broken, self.outcomes, (function, &test))?;
        let domain = domain(question.domain, Some(&entry))?;
        let [broken, mended] = &entry.laid;
        let outcomes = Outcomes::of(broken, mended);
        answer.builds += [broken, mended].map(|laid| u64::from(laid.fresh)).iter().sum::<u64>();
        answer.runs += outcomes.runs;
        let names = || (function.to_owned(), test.name().to_owned());
        let (case, before) = match outcomes.call() {
            Some((_, before, _)) if !before.outcome.is_failure() => {
                let (function, test) = names();
                return Err(ReviewError::DoesNotFailAlone { function, test }.into());
            }
            // The test passes with the fix: something else is missing here.
            Some((_, _, after)) if after.outcome.is_failure() => {
                let (function, test) = names();
                return Err(ReviewError::FailsAlone { function, test }.into());
            }
            Some((case, before, _)) => (case, before),
            None => return Err(whydunit_desk::Error::Interrupted.into()),
        };
        OfCase { desk, question, fix, domain: &domain, outcomes: &outcomes, answer, tried: Vec::new() }.review(
            [broken, mended],
            None,
            (case, before),
        )?;
        entry.tell(&mut answer.reviewed);
        for problem in &mut answer.problems {
            problem.message = entry.names.named(&problem.message);
        }
        Ok(())
    }
}

/// The test that shows the bug fails with the fix, too.
fn by_suite(case: Option<&Case>, before: &TestResult, after: &TestResult) -> Counterexample {
    Counterexample {
        case: case.map_or_else(String::new, |case| case.to_json().to_string()),
        fails: after.outcome.reason().unwrap_or_default(),
        covered: true,
        by: "suite".into(),
        distance: case.map(|_| 0),
        before: did(before),
        after: did(after),
        parts: None,
    }
}
