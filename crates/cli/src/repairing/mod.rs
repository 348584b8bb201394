//! Repair: suspicious statements, what could stand there, and which of it passes the tests.

mod memory;
mod places;
mod program;
mod trial;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use whydunit_changes::{Changes, Tree};
use whydunit_findings::{Exit, Grade, Location, Outcome, Patch, Problem, Repaired, TestResult};
use whydunit_repair::{Candidate, Candidates};
use whydunit_suite::process::interrupts;
use whydunit_variants::{Subject, Workshop};

use crate::convert;
use crate::explaining::{as_it_is, failed};
use crate::failure::{Failure, OrFail};
use crate::locating::{Baseline, Method, Ranking, Scope, Search};
use crate::progress::Task;
use crate::session::Session;
use memory::Checking;
use places::{Place, Places};
use program::Program;
use trial::Trial;

/// The name of the search in answers.
const ENUMERATION: &str = "enumeration";
/// Locating may take this part of the time.
const LOCATING: u32 = 4;
/// Looking for more patches takes so many times what the first took, and a bit.
const MORE: u32 = 2;
const LEAST_MORE: Duration = Duration::from_secs(5);
/// So many times the patches that are wanted are built by themselves.
const SPARE: usize = 3;
/// Places that are compiled into one program.
const TOGETHER: usize = 8;
/// Failing tests that formulas look at.
const FAILING: usize = 2;

/// What is to be repaired.
pub struct Question<'a> {
    /// The failing tests; none: all.
    pub tests: &'a [String],
    /// So many patches are looked for.
    pub patches: usize,
    /// So many suspicious lines are looked at.
    pub lines: usize,
    /// For all of it.
    pub limit: Duration,
    pub jobs: Option<NonZeroUsize>,
}

/// An answer, and what goes with it.
#[derive(Default)]
pub struct Answer {
    pub repaired: Repaired,
    /// The suite as it is.
    pub tests: Vec<TestResult>,
    pub builds: u64,
    pub runs: u64,
    /// Time was up before all was tried.
    pub late: bool,
    pub problems: Vec<Problem>,
}

/// Repairs.
pub fn answer(session: &Session, question: &Question<'_>) -> Result<Answer, Failure> {
    let baseline = Baseline::of(session, question.tests, question.jobs, Scope::default())?;
    let deadline = Instant::now() + question.limit;
    let mut answer = Answer {
        tests: baseline.executed.iter().map(|test| convert::test(&test.result)).collect(),
        problems: baseline.problems.iter().map(Problem::new).collect(),
        ..Answer::default()
    };
    answer.repaired.method = ENUMERATION.into();
    let failing: Vec<String> = baseline.failing().map(String::from).collect();
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
    let method = Method::default();
    let Ranking { located, notes, .. } =
        baseline.rank(session, &Search::by(method, FAILING, question.limit / LOCATING))?;
    answer.problems.extend(notes);
    let tree = as_it_is(&session.project)?;
    let places = Places::of(session, &tree, &located.findings, question.lines)?;
    answer.repaired.lines.clone_from(&places.lines);
    answer.problems.extend(places.problems.iter().map(Problem::new));
    answer.repaired.sites = places.list.len() as u64;
    let executable = baseline.suite.executable.as_ref();
    let executable = executable.and_then(|path| path.strip_prefix(&session.project).ok()).map(Into::into);
    let folder = whydunit_suite::store_of(&session.project).join("repair");
    let subject = Subject { test: failing[0].clone(), executable };
    let mut shop =
        Workshop::new(&folder.join("work"), &folder.join("verdicts"), subject, interrupts()).map_err(failed)?;
    let passing: Vec<String> = baseline
        .executed
        .iter()
        .filter(|test| test.result.outcome == whydunit_suite::Outcome::Pass)
        .map(|test| test.result.name.clone())
        .collect();
    let longest = baseline.executed.iter().map(|test| test.result.time).max().unwrap_or_default();
    let mut search = Searching {
        session,
        question,
        deadline,
        tree: &tree,
        checking: Checking::new(session, folder.join("checked"), &failing, &passing)?,
        trial: Trial { failing: &failing, passing: &passing, longest, jobs: question.jobs },
        answer: &mut answer,
    };
    search.all(&mut shop, &places, &folder)?;
    answer.builds = shop.counts.builds;
    Ok(answer)
}

/// Writes the first verified patch into the sources; what should be known.
pub fn apply(session: &Session, patches: &[Patch]) -> Result<Option<Problem>, Failure> {
    let Some(patch) = patches.iter().find(|patch| patch.grade == Grade::Verified) else {
        return Ok(Some(Problem::new("nothing is applied: no patch is verified")));
    };
    let path = session.project.join(&patch.location.file);
    let source = std::fs::read(&path).or_fail(Exit::Usage)?;
    let (start, end) = (patch.bytes.start, patch.bytes.end);
    let fits = source.get(start..end) == Some(patch.before.as_bytes());
    if !fits {
        return Err(Failure::usage("the source has changed since it was read").at(path.display()));
    }
    let mut text = source[..start].to_vec();
    text.extend_from_slice(patch.after.as_bytes());
    text.extend_from_slice(&source[end..]);
    crate::output::Output::open(&path)?.write(&text)?;
    Ok(Some(Problem::new(format!("patch of {} is written", patch.location))))
}

/// The search under way.
struct Searching<'a> {
    session: &'a Session,
    question: &'a Question<'a>,
    deadline: Instant,
    tree: &'a Tree,
    trial: Trial<'a>,
    checking: Checking<'a>,
    answer: &'a mut Answer,
}

impl Searching<'_> {
    fn late(&self) -> bool {
        interrupts().load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }

    /// How many patches are verified.
    fn verified(&self) -> usize {
        self.answer.repaired.patches.iter().filter(|patch| patch.grade == Grade::Verified).count()
    }

    /// Some places at a time, the most suspicious first.
    fn all(&mut self, shop: &mut Workshop<'_>, places: &Places, folder: &Path) -> Result<(), Failure> {
        let task = self.session.progress.task("repairing", None);
        let (started, mut first) = (Instant::now(), None);
        let numbers: Vec<usize> = (0..places.list.len()).collect();
        for some in numbers.chunks(TOGETHER) {
            if self.late() || self.verified() >= self.question.patches {
                break;
            }
            // Others than the first are worth some time, but no wait.
            if first.is_some_and(|first: Duration| started.elapsed() > first * MORE + LEAST_MORE) {
                break;
            }
            let found = self.some(shop, places, some, &folder.join("survey"), &task)?;
            task.detail("confirming");
            for (place, candidate) in found {
                if self.verified() >= self.question.patches || self.late() {
                    break;
                }
                let patch = self.confirm(shop, &places.list[place], &candidate)?;
                if patch.grade == Grade::Verified {
                    first.get_or_insert_with(|| started.elapsed());
                }
                self.answer.repaired.patches.push(patch);
            }
        }
        self.answer.late = self.late() && self.verified() < self.question.patches;
        self.answer.repaired.patches.sort_by_key(|patch| std::cmp::Reverse(patch.grade));
        Ok(())
    }

    /// The candidates of some places with which the tests pass.
    fn some(
        &mut self,
        shop: &mut Workshop<'_>,
        places: &Places,
        some: &[usize],
        survey: &Path,
        task: &Task,
    ) -> Result<Vec<(usize, Candidate)>, Failure> {
        let more = self.answer.repaired.candidates;
        task.detail(&format!("{more} candidates so far, looking at variables"));
        let probes = some.iter().map(|&number| (number, Candidates::probes(&places.list[number].site))).collect();
        let Some(program) = Program::make(shop, self.tree, places, probes, survey)? else { return Ok(Vec::new()) };
        self.answer.problems.extend(program.problems.iter().map(Problem::new));
        let numbers = self.trial.survey(&program, &mut self.answer.runs)?.numbers(&program);
        let candidates =
            numbers.iter().map(|(&number, numbers)| (number, Candidates::of(&places.list[number].site, numbers)));
        task.detail("building with candidates");
        let Some(program) = Program::make(shop, self.tree, places, candidates.collect(), survey)? else {
            return Ok(Vec::new());
        };
        self.answer.repaired.candidates += program.number() as u64;
        task.detail("surveying");
        let order = self.trial.survey(&program, &mut self.answer.runs)?.order(&program);
        let progress = |done: usize, found: usize| {
            task.detail(&format!("{done} of {} candidates run, {found} pass", order.len()));
        };
        let deadline = self.deadline;
        let late = || interrupts().load(Ordering::Relaxed) || Instant::now() >= deadline;
        // Some of them may not stand when they are built by themselves.
        let most = SPARE * (self.question.patches - self.verified());
        let passing = self.trial.passing(&program, &order, most, &late, &progress);
        self.answer.runs += passing.runs;
        self.answer.repaired.tried += passing.tried;
        let found = passing.found.into_iter();
        Ok(found.map(|(site, number)| (program.place(site), program.candidate(site, number).clone())).collect())
    }

    /// Builds a patch by itself, and runs the whole suite on it.
    fn confirm(&mut self, shop: &mut Workshop<'_>, place: &Place, candidate: &Candidate) -> Result<Patch, Failure> {
        let range = place.site.range.clone();
        let after = place.site.replaced(&place.source, &candidate.expression);
        let before = &place.source[range.clone()];
        let mut tree = self.tree.clone();
        if let Some(file) = tree.files.get_mut(&place.file) {
            let mut bytes = file.bytes[..range.start].to_vec();
            bytes.extend_from_slice(after.as_bytes());
            bytes.extend_from_slice(&file.bytes[range.end..]);
            file.bytes = bytes.into();
        }
        let mut grade = match shop.make(&tree).map_err(failed)? {
            Ok(suite) => self.trial.whole(&suite, &mut self.answer.runs),
            Err(_) => Grade::Display,
        };
        let location =
            Location { file: place.file.clone(), line: place.site.line, column: place.column(), ..Location::default() };
        if grade == Grade::Verified
            && let Some(error) = self.checking.new_error(self.tree, &tree)?
        {
            grade = Grade::Plausible;
            let text = format!("with `{after}` all tests pass, but memory is wrong: {}", error.message);
            self.answer.problems.push(Problem::new(text).at(location.clone()));
        }
        let changes = Changes::between(self.tree.clone(), tree, &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        Ok(Patch {
            grade,
            origin: ENUMERATION.into(),
            location,
            function: place.function.clone(),
            before: before.to_string(),
            after,
            bytes: range,
            diff: String::from_utf8_lossy(&changes.patch(&all)).into_owned(),
        })
    }
}

/// Whether a test passed.
fn passes(result: &whydunit_suite::TestResult) -> bool {
    convert::test(result).outcome == Outcome::Pass
}
