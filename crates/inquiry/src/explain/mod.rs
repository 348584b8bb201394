//! Which changes broke a test: versions, what is recorded of the bad one, and the searches that have versions built.

mod belonging;
mod bisect;
mod blame;
mod chance;
mod complaints;
mod culprits;
mod cutting;
mod error;
mod mixture;
mod needs;
mod search;
mod shedding;
mod so_far;
mod subject;
mod syntax;
mod tokens;
mod touching;
mod versions;
mod work;

use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_changes::{Change, ChangeKind, Changes};
use whydunit_delta::{Outcome, Set, Test as _};
use whydunit_explain::{Explanation, Stopped};
use whydunit_findings::{self as findings, Explained, Location, Problem};
use whydunit_variants::Counts;

use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::convert;
use whydunit_desk::{ProjectSources, sources_line};

pub use bisect::{Bisected, Bisection, bisect, is_worth_it};
use chance::Chance;
use cutting::Cut;
pub use error::ExplainError;
use search::Search;
pub use so_far::{Ended, SoFar};
use subject::Bad;
pub use versions::{Asked, Versions, as_it_is, read_patch};
use work::{Help, Working};

/// How the changes are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// By the causes of the failure (AFTER)
    #[default]
    After,
    /// By delta debugging over all changes
    Dd,
    /// The same, only over what the failing run executes, the nearest to the failure first
    Add,
}

impl Method {
    /// All of them, the default first.
    pub const ALL: [Method; 3] = [Method::After, Method::Dd, Method::Add];

    /// Its name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Method::After => "after",
            Method::Dd => "dd",
            Method::Add => "add",
        }
    }
}

/// What is to be explained.
pub struct Question<'a> {
    /// The two versions.
    pub versions: &'a Versions,
    /// The test; none: the one that fails.
    pub test: Option<&'a str>,
    /// How the changes are found.
    pub method: Method,
    /// For finding causes.
    pub limit: Duration,
    /// So many versions are built at most.
    pub builds: Option<u64>,
    /// So many are built side by side.
    pub jobs: usize,
    /// Takes what is known while the search goes on.
    pub so_far: &'a SoFar,
}

/// An answer, and what goes with it.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    /// The changes at fault, those that go with them, and how they lead to the failure.
    pub explained: Explained,
    /// With what is reported reverted the test passes.
    pub passes: bool,
    /// Versions built until it was known what to report.
    pub builds: u64,
    /// Runs of the test until then.
    pub runs: u64,
    /// Time until then, without the build under capture.
    pub seconds: f64,
    /// What ended the search before it was done.
    pub ended: Option<Ended>,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
}

/// Where all is kept that explaining needs.
pub fn folder(project: &Path) -> PathBuf {
    whydunit_suite::store_of(project).join("explain")
}

/// The bad version, built under capture, and the changes to it.
fn built(desk: &Desk, question: &Question<'_>) -> Result<(Bad, Changes), Error> {
    let versions = question.versions;
    let bad = Bad::build(desk, versions, question.test)?;
    let changes = Changes::between(versions.old.clone(), versions.new.clone(), &|path| bad.is_of_tests(path));
    Ok((bad, changes))
}

/// How many changes there are.
pub fn number(desk: &Desk, question: &Question<'_>) -> Result<u64, Error> {
    Ok(built(desk, question)?.1.list.len() as u64)
}

/// Explains. Where the search is ended before it is done, the answer is what is known by then, if anything is.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let versions = question.versions;
    let (bad, changes) = built(desk, question)?;
    if changes.list.is_empty() {
        let (good, bad) = (versions.good.clone(), versions.bad.clone());
        return Err(ExplainError::NoDifference { good, bad }.into());
    }
    let explained = Explained {
        method: question.method.name().into(),
        test: bad.test.clone(),
        good: versions.good.clone(),
        bad: versions.bad.clone(),
        changes: changes.list.len() as u64,
        ..Explained::default()
    };
    let problems: Vec<Problem> = bad.chance.iter().map(|chance| flaky(&bad, *chance)).collect();
    question.so_far.begin(Answer { explained, ..Answer::default() });
    question.so_far.change(|answer| answer.problems = problems);
    found(desk, question, &bad, &changes).or_else(|error| what_is_known(desk, question.so_far, error))
}

/// The answer by some changes; test files are the bad version's throughout where the test passes in the good one with them.
fn found(desk: &Desk, question: &Question<'_>, bad: &Bad, changes: &Changes) -> Result<Answer, Error> {
    let (versions, mut counts) = (question.versions, Counts::default());
    let tests = bad.differing_tests(versions);
    if !tests.is_empty() {
        let held = Changes::between(versions.old.clone(), versions.new.clone(), &|path| bad.is_test_file(path));
        let mut working = Working::new(desk, bad, &held, question)?;
        if working.mends_as_a_whole()? {
            question.so_far.change(|answer| answer.problems.push(Problem::new(with_tests_of_bad(&tests))));
            return Search::new(desk, question, bad).answer(&held, &mut working);
        }
        counts = working.counts();
    }
    let mut working = Working::new(desk, bad, changes, question)?;
    working.shop.counts = counts;
    Search::new(desk, question, bad).answer(changes, &mut working)
}

/// What is said where all versions have these test files of the bad one.
fn with_tests_of_bad(tests: &[&str]) -> String {
    const NAMED: usize = 3;
    let more = tests.len().saturating_sub(NAMED);
    let names = tests.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("all versions are tested with the bad version's test files: {names}{rest}")
}

/// What is known where a search was ended before it was done; the error where nothing is, or where it is a failure.
pub fn what_is_known(desk: &Desk, so_far: &SoFar, error: Error) -> Result<Answer, Error> {
    ended(desk, &error).and_then(|ended| so_far.answer(ended)).ok_or(error)
}

/// What ended a search that failed so; none where it is a failure.
fn ended(desk: &Desk, error: &Error) -> Option<Ended> {
    match error {
        Error::Explain(ExplainError::NoAnswerAfter { builds }) => Some(Ended::Builds(*builds)),
        error if error.is_cut_short() => {
            let asked = desk.cancel.flag().load(std::sync::atomic::Ordering::Relaxed);
            Some(if asked { Ended::Interrupted } else { Ended::Time })
        }
        _ => None,
    }
}

/// The least number of changes, up to `most`, whose reverting makes the test pass, nothing else reverted with them: all sets are
/// tried. None where no set is that small.
pub fn least(desk: &Desk, question: &Question<'_>, most: usize) -> Result<Option<u64>, Error> {
    let (bad, changes) = built(desk, question)?;
    let mut working = Working::new(desk, &bad, &changes, &Question { builds: None, jobs: 1, ..*question })?;
    working.help = Help::None;
    let mut sets: Vec<Set> = vec![Set::new()];
    for size in 1..=most {
        let larger = |set: &Set| -> Vec<Set> {
            let next = set.last().map_or(0, |last| last + 1);
            (next..changes.list.len()).map(|change| [&set[..], &[change]].concat()).collect()
        };
        sets = sets.iter().flat_map(larger).collect();
        for set in &sets {
            if working.test(set)? == Outcome::Pass {
                return Ok(Some(size as u64));
            }
        }
    }
    Ok(None)
}

/// What is to be known where fewer lines matter than the changes have, or where that was not tried to the end.
fn spared_lines(cut: &Cut) -> Option<Problem> {
    let (needed, all) = cut.lines;
    let rest = if cut.complete { "" } else { "; that is not the least: no more versions were tried" };
    let text = format!(
        "of the {all} lines of code that these changes have {needed} have to be reverted, and only these are shown{rest}"
    );
    (needed < all).then(|| Problem::new(text))
}

/// What is to be known where the test does not fail each time.
fn flaky(bad: &Bad, chance: Chance) -> Problem {
    let (Chance { failures, runs }, repeats) = (chance, bad.repeats());
    Problem::new(format!(
        "test {} is flaky: it failed {failures} of {runs} times. In each version it was run until it failed, {repeats} times at most: a \
         version at fault counts as one that passes with a probability of {:.1} %",
        bad.test,
        chance.luck(repeats) * 100.0
    ))
}

/// A change as it is told.
fn told(changes: &Changes, number: usize) -> findings::Change {
    let Change { id, file, kind } = &changes.list[number];
    let (line, last, diff) = match kind {
        ChangeKind::Lines { new, .. } => {
            let (old, young) = changes.texts(number).unwrap_or_default();
            let side = |sign: &str, lines: Vec<&[u8]>| -> String {
                let text = |line: &[u8]| String::from_utf8_lossy(line).trim_end_matches('\n').to_string();
                lines.into_iter().map(|line| format!("{sign}{}\n", text(line))).collect()
            };
            let first = new.start + 1;
            (first, new.end.max(first), side("-", old) + &side("+", young))
        }
        ChangeKind::Added => {
            let file = changes.new.files.get(file);
            let lines = file.map_or(1, |file| file.bytes.split_inclusive(|&byte| byte == b'\n').count() as u32);
            (1, lines.max(1), "the file was added\n".into())
        }
        ChangeKind::Deleted => (1, 1, "the file was deleted\n".into()),
        ChangeKind::Renamed { from } => (1, 1, format!("the file was {from}\n")),
        ChangeKind::Mode => (1, 1, "the file has another mode\n".into()),
        ChangeKind::Content => (1, 1, "the file has another content\n".into()),
    };
    let location = Location { end_line: last, ..Location::line(file.clone(), line) };
    findings::Change { id: id.clone(), location, diff }
}

/// The causes on the way from the changes to the failure, as they are told.
fn causes(
    bad: &Bad,
    stopped: &Stopped,
    explanation: &Explanation,
    changes: &Changes,
    sources: &ProjectSources,
) -> Vec<findings::Cause> {
    let relevant = explanation.relevant();
    let id = |number: usize| relevant.binary_search(&number).unwrap_or(0) as u64;
    let project = &bad.desk.project;
    let code = stopped.machine.code();
    let tell = |&number: &usize| {
        let cause = &explanation.causes[number];
        let goal = cause.goal.nodes().last().map(|&node| stopped.trace.node(node));
        let position = goal.map(|node| code.position(node.function, node.pc));
        let predicate = position.as_ref().and_then(|position| convert::location(project, position)).unwrap_or_default();
        let mut statements: Vec<findings::CauseStatement> = Vec::new();
        for step in &cause.steps {
            let Some(location) = convert::location(project, &step.position) else { continue };
            let value = match step.branch {
                true => if step.value != 0 { "true" } else { "false" }.to_string(),
                false => short_value(step.value),
            };
            // Of a statement's operations the last one says what it gave.
            let same = |known: &&mut findings::CauseStatement| {
                (&known.location.file, known.location.line) == (&location.file, location.line)
            };
            match statements.last_mut().filter(same) {
                Some(known) => known.value = value,
                None => {
                    let code = sources_line(sources, &location.file, location.line);
                    statements.push(findings::CauseStatement { location, code, value });
                }
            }
        }
        findings::Cause {
            id: id(number),
            code: sources_line(sources, &predicate.file, predicate.line),
            predicate,
            statements,
            changes: explanation.changes[number].iter().map(|&change| changes.list[change].id.clone()).collect(),
            leads_to: cause.leads_to.map(id),
        }
    };
    relevant.iter().map(tell).collect()
}

/// The words of a line of source, numbers among them; empty ones where others part them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// A word as a person would write it: small numbers, also negative ones, in decimal digits.
fn short_value(word: u64) -> String {
    match word {
        0..=0xffff_ffff if word as u32 as i32 >= 0 => word.to_string(),
        0..=0xffff_ffff => (word as u32 as i32).to_string(),
        _ if (word as i64).unsigned_abs() < 1 << 40 => (word as i64).to_string(),
        _ => format!("{word:#x}"),
    }
}
