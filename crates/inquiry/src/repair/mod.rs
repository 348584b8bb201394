//! Repair: suspicious statements, what could stand there, and which of it passes the tests.

mod angels;
mod asked_place;
mod checking;
mod compiling;
mod crates;
mod demands;
mod differing;
mod error;
mod method;
mod pachika;
mod places;
mod program;
mod search;
mod surroundings;
mod surveyed;
mod told;
mod trial;

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use whydunit_findings::{Body, Finding, Outcome, Patch, Problem, Repaired, Replacement, Report, Stats, TestResult};
use whydunit_repair::Encoding;
use whydunit_suite::Test;
use whydunit_variants::{Subject, Workshop};

use crate::Error;
use crate::explain::as_it_is;
use crate::locate::{self, Baseline, Ranking, Reach, Scope, Search};
use checking::{Checking, Covering, Memory};
pub use error::RepairError;
pub use method::Method;
use pachika::Suggested;
use places::Places;
use search::Searching;
use trial::Trial;
pub use trial::limits;
use whydunit_desk::Desk;
use whydunit_desk::Recorder;
use whydunit_desk::convert;
use whydunit_desk::prepare;

/// Seconds for all of it, where nobody says otherwise.
pub const SECONDS: u64 = 240;
/// So many patches are looked for where nobody says otherwise.
pub const PATCHES: NonZeroUsize = NonZeroUsize::new(3).expect("three");
/// So many suspicious lines are looked at together, unless somebody says otherwise.
pub const LINES: usize = 25;
/// So often the next ones are.
pub const WINDOWS: usize = 4;
/// Locating may take this part of the time.
const LOCATING: u32 = 4;
/// Failing tests that formulas look at.
const FAILING: usize = 2;

/// What is to be repaired.
pub struct Question<'a> {
    /// How patches are looked for.
    pub method: Method,
    /// The failing tests; none: all.
    pub tests: &'a [String],
    /// So many patches are looked for.
    pub patches: usize,
    /// So many suspicious lines are looked at together.
    pub lines: usize,
    /// So often the next ones are, as long as there is no patch.
    pub windows: usize,
    /// For all of it but the project's own build.
    pub limit: Duration,
    /// Tests at a time; `None`: one for each processor.
    pub jobs: Option<NonZeroUsize>,
    /// Patches are given what tests show of them.
    pub explain: bool,
}

/// An answer, and what goes with it.
#[derive(Default)]
pub struct Answer {
    /// The patches, and how they were found.
    pub repaired: Repaired,
    /// The suite as it is.
    pub tests: Vec<TestResult>,
    /// Versions built.
    pub builds: u64,
    /// Runs of tests.
    pub runs: u64,
    /// Time was up before all was tried.
    pub late: bool,
    /// What did not stop it and should be known.
    pub problems: Vec<Problem>,
}

impl Answer {
    /// As a report on work that took so many seconds.
    pub fn report(self, seconds: f64, interrupted: bool) -> Report {
        let stats = Stats { seconds, builds: self.builds, test_runs: self.runs, ..Stats::default() };
        Report {
            tests: self.tests,
            problems: self.problems,
            stats,
            partial: self.late,
            interrupted,
            ..Report::new(Body::Repair(self.repaired))
        }
    }
}

/// What is kept of versions and verdicts.
pub fn folder(project: &Path) -> PathBuf {
    whydunit_suite::store_of(project).join("repair")
}

/// The folder for copies of a project. Its last name is the project's: some builds go by it.
pub fn copies(folder: &Path, name: &str, project: &Path) -> PathBuf {
    let folder = folder.join(name);
    project.file_name().map_or_else(|| folder.clone(), |project| folder.join(project))
}

/// Repairs.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let reach = Reach { limit: Some(question.limit), ..Reach::default() };
    let baseline = Baseline::of(desk, question.tests, question.jobs, Scope::default(), reach)?;
    let deadline = baseline.deadline.unwrap_or_else(|| Instant::now() + question.limit);
    let mut answer = Answer {
        tests: baseline.executed.iter().map(|test| convert::test(&test.result)).collect(),
        problems: baseline.problems.iter().map(Problem::new).collect(),
        ..Answer::default()
    };
    answer.repaired.method = question.method.name().into();
    let mut failing: Vec<String> = baseline.failing().map(String::from).collect();
    // What is compiled each time that it is run comes last.
    failing.sort_by_key(|name| baseline.is_example(name));
    if failing.is_empty() {
        let help = "of a case only what it expects is compared: `stdout`, and `status` or `signal`";
        answer
            .problems
            .insert(0, Problem::new("no test fails each time that it is run: there is nothing to repair").help(help));
        return Ok(answer);
    }
    if baseline.passing() == 0 {
        let text = "no test passes: nothing says what a patch must not break";
        answer.problems.push(Problem::new(text).help("add tests that pass, as close as possible to those that fail"));
    }
    answer.repaired.tests.clone_from(&failing);
    answer.problems.extend(baseline.nothing_captured());
    let findings = suspicious(desk, question, &baseline, deadline, &mut answer)?;
    search(desk, question, &baseline, &failing, &findings, deadline, &mut answer)?;
    Ok(answer)
}

/// With fewer passing tests than these, more are looked for inside of a program.
const FEW: usize = 5;

/// The statements that can be at fault, the most suspicious first.
fn suspicious(
    desk: &Desk,
    question: &Question<'_>,
    baseline: &Baseline,
    deadline: Instant,
    answer: &mut Answer,
) -> Result<Vec<Finding>, Error> {
    if question.method == Method::Pachika {
        return Ok(Vec::new());
    }
    let started = Instant::now();
    let search = Search::by(locate::Method::default(), FAILING, question.limit / LOCATING);
    // Where hardly a test passes, functions of one program that are tests tell more of where the fault is.
    let apart = match baseline.passing() < FEW {
        true => {
            let left = deadline.saturating_duration_since(Instant::now());
            let reach = Reach { apart: true, limit: Some(left / LOCATING), ..Reach::default() };
            match Baseline::of(desk, question.tests, question.jobs, Scope::default(), reach) {
                // What is known without it does.
                Err(Error::Desk(error)) if error.is_interrupted() && !desk.is_cancelled() => None,
                apart => Some(apart?),
            }
        }
        false => None,
    };
    let tells_more = |apart: &&Baseline| apart.passing() > baseline.passing();
    let ranked = apart.as_ref().filter(tells_more).unwrap_or(baseline);
    let Ranking { located, notes, .. } = ranked.rank(desk, &search)?;
    answer.repaired.phases.locate = started.elapsed().as_secs_f64();
    answer.problems.extend(notes);
    Ok(located.findings)
}

/// The passing tests of the programs that fail: they say most, and for others much more may have to be made. All, where there are none.
fn near(baseline: &Baseline, failing: &[String], passing: &[String]) -> Vec<String> {
    let program = |name: &String| match baseline.suite.test(name) {
        Ok(Test::Program(test)) => Some(&test.program),
        _ => None,
    };
    let programs: HashSet<&PathBuf> = failing.iter().filter_map(program).collect();
    let is_near = |name: &&String| program(name).is_some_and(|of| programs.contains(of));
    let near: Vec<String> = passing.iter().filter(is_near).cloned().collect();
    if near.is_empty() { passing.to_vec() } else { near }
}

/// Looks for patches at suspicious statements, some of them at a time.
fn search(
    desk: &Desk,
    question: &Question<'_>,
    baseline: &Baseline,
    failing: &[String],
    mut findings: &[Finding],
    deadline: Instant,
    answer: &mut Answer,
) -> Result<(), Error> {
    let tree = as_it_is(&desk.project)?;
    let folder = folder(&desk.project);
    let (executable, made) = (prepare::executable(desk, &baseline.suite), prepare::made_beside_tests(desk)?);
    let subject = Subject { test: failing[0].clone(), executable, made };
    let copies = |name: &str| copies(&folder, name, &desk.project);
    let mut shop = Workshop::new(&copies("work"), &folder.join("verdicts"), subject, 1, &desk.cancel)?;
    let results = baseline.executed.iter().map(|test| &test.result);
    let passing = results.filter(|result| result.outcome == whydunit_suite::Outcome::Pass).map(|of| of.name.clone());
    let (examples, passing): (Vec<String>, Vec<String>) = passing.partition(|name| baseline.is_example(name));
    shop.seed(&desk.project);
    let mut recorder = Recorder::new(desk, copies("angelic"))?;
    let near = near(baseline, failing, &passing);
    let memory = Memory::new(failing, &near, &baseline.endless());
    let mut checking = Checking::new(desk, &folder, memory, Covering::new(baseline))?;
    let trial = Trial {
        failing,
        passing: &passing,
        examples: &examples,
        longest: baseline.longest(),
        computing: baseline.longest_of(|name| !baseline.is_example(name)),
        jobs: question.jobs,
        beside: Vec::new(),
        cancel: &desk.cancel,
    };
    let mut suggested = Suggested { edits: told::edits(findings), ..Suggested::default() };
    if question.method == Method::Pachika {
        suggested = pachika::suggested(desk, &tree, baseline, &failing[0], answer)?;
    }
    for window in 0..question.windows {
        let twice = window == 0 && matches!(question.method, Method::Combined | Method::Enumeration);
        let mut places = Places::of(desk, &tree, findings, question.lines, &mut shop)?;
        places.encoded_as(&suggested.places);
        findings = &findings[places.read..];
        answer.repaired.lines.extend(places.lines.iter().cloned());
        for problem in places.problems.iter().map(Problem::new) {
            if !answer.problems.contains(&problem) {
                answer.problems.push(problem);
            }
        }
        answer.repaired.sites += places.list.len() as u64;
        let mut search = Searching {
            question,
            deadline,
            cancel: &desk.cancel,
            twice,
            edits: if window == 0 { &suggested.edits } else { &[] },
            tree: &tree,
            places: &places,
            shop: &mut shop,
            recorder: &mut recorder,
            table: folder.join("survey"),
            task: desk.task("repairing", None),
            checking: &mut checking,
            inputs: None,
            deciding: BTreeMap::new(),
            made: Vec::new(),
            trial: &trial,
            answer,
        };
        search.run()?;
        if search.is_over() || !answer.repaired.patches.is_empty() || findings.is_empty() {
            break;
        }
    }
    Ok(())
}

/// Sees that sources can be written, before the work is done.
pub fn may_apply(project: &Path) -> Result<(), Error> {
    let unwritable = |source| RepairError::Unwritable { project: project.to_path_buf(), source };
    Ok(tempfile::tempfile_in(project).map(drop).map_err(unwritable)?)
}

/// Writes a patch into the project's sources, all of them or none.
pub fn apply(project: &Path, patch: &Patch) -> Result<(), Error> {
    let mut written = Vec::new();
    for file in patch.files() {
        let path = project.join(file);
        let source = std::fs::read(&path)?;
        let Some(after) = applied(&source, file, patch) else {
            return Err(RepairError::SourceChanged(path).into());
        };
        written.push((whydunit_desk::Output::open(&path)?, after));
    }
    for (output, after) in written {
        output.write(&after)?;
    }
    Ok(())
}

/// The source of a file with a patch; none where it does not have what the patch replaces.
pub fn applied(source: &[u8], file: &str, patch: &Patch) -> Option<Vec<u8>> {
    let (text, encoding) = Encoding::read(source)?;
    let mut own: Vec<&Replacement> = patch.replacements().filter(|one| one.location.file == file).collect();
    // From behind: what stands before stays where it is.
    own.sort_by_key(|one| std::cmp::Reverse((one.bytes.start, one.bytes.end)));
    own.into_iter().try_fold(source.to_vec(), |source, one| {
        let is_there = text.get(one.bytes.clone()) == Some(&one.before);
        is_there.then(|| patched(&source, one.bytes.clone(), &encoding.write(&one.after)))
    })
}

/// A source with something else in the place of some bytes.
fn patched(source: &[u8], bytes: std::ops::Range<usize>, text: &[u8]) -> Vec<u8> {
    [&source[..bytes.start], text, &source[bytes.end..]].concat()
}

/// Whether a test passed.
fn passes(result: &whydunit_suite::TestResult) -> bool {
    convert::test(result).outcome == Outcome::Pass
}
