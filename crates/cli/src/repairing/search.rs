//! The search: candidates of some places at a time are run, and what passes is built by itself.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use whydunit_changes::{Changes, Tree};
use whydunit_findings::{Exit, Grade, Location, Patch, Problem, RepairPhases};
use whydunit_repair::{Candidate, Candidates, Expression};
use whydunit_suite::process::interrupts;
use whydunit_variants::Workshop;

use super::memory::Checking;
use super::places::{Place, Places};
use super::program::Program;
use super::recorder::Recorder;
use super::synthesis::Asked;
use super::trial::{Surveyed, Trial};
use super::{Answer, Method, Question, patched};
use crate::failure::Failure;
use crate::progress::Task;
use crate::session::Session;

/// Looking for more patches takes so many times what the first took, and a bit.
const MORE: u32 = 2;
const LEAST_MORE: Duration = Duration::from_secs(5);
/// So many times the patches that are wanted are built by themselves.
const SPARE: usize = 3;
/// Places that are compiled into one program.
const TOGETHER: usize = 8;

fn interrupted() -> bool {
    interrupts().load(Ordering::Relaxed)
}

/// The search under way.
pub struct Searching<'a> {
    pub session: &'a Session,
    pub question: &'a Question<'a>,
    pub deadline: Instant,
    pub tree: &'a Tree,
    pub trial: Trial<'a>,
    pub checking: Checking<'a>,
    pub answer: &'a mut Answer,
}

impl Searching<'_> {
    pub fn late(&self) -> bool {
        interrupted() || Instant::now() >= self.deadline
    }

    /// What took how long.
    pub fn phases(&mut self) -> &mut RepairPhases {
        &mut self.answer.repaired.phases
    }

    fn add_problem(&mut self, problem: Problem) {
        if !self.answer.problems.contains(&problem) {
            self.answer.problems.push(problem);
        }
    }

    /// How many patches are verified.
    pub fn verified(&self) -> usize {
        self.answer.repaired.patches.iter().filter(|patch| patch.grade == Grade::Verified).count()
    }

    /// Some places at a time, the most suspicious first.
    pub fn all(&mut self, shop: &mut Workshop<'_>, places: &Places, folder: &Path) -> Result<(), Failure> {
        let task = self.session.progress.task("repairing", None);
        let mut recorder = Recorder::new(self.session, folder.join("angelic"))?;
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
            match self.round(shop, &mut recorder, places, some, &folder.join("survey"), &task) {
                // What is known by then is an answer.
                Err(failure) if interrupted() && failure.exit == Exit::TimeLimit => break,
                round => round?,
            }
            if self.verified() > 0 {
                first.get_or_insert_with(|| started.elapsed());
            }
        }
        self.answer.late = self.late() && self.verified() < self.question.patches;
        self.answer.repaired.patches.sort_by_key(|patch| std::cmp::Reverse(patch.grade));
        Ok(())
    }

    /// Looks for patches at some places: tests are asked which values would do, expressions are tried where some would, and made
    /// where none was found.
    fn round(
        &mut self,
        shop: &mut Workshop<'_>,
        recorder: &mut Recorder<'_>,
        places: &Places,
        some: &[usize],
        survey: &Path,
        task: &Task,
    ) -> Result<(), Failure> {
        let method = self.question.method;
        let asked = match method {
            Method::Enumeration | Method::Genprog => Asked::default(),
            Method::Combined | Method::Synthesis => {
                let started = Instant::now();
                let asked = self.ask(recorder, places, some, task);
                self.phases().ask += started.elapsed().as_secs_f64();
                match asked {
                    // What does not build with our functions in it is tried without them.
                    Err(failure) if failure.exit == Exit::Build => {
                        self.add_problem(Problem::new(format!("tests are not asked: {}", failure.line())));
                        Asked::default()
                    }
                    asked => asked?,
                }
            }
        };
        let before = self.verified();
        if method != Method::Synthesis {
            let rest: Vec<usize> = some.iter().copied().filter(|place| !asked.hopeless.contains(place)).collect();
            self.enumerate(shop, places, &rest, survey, task)?;
        }
        if self.verified() == before {
            self.synthesise(shop, recorder, places, asked.open, task)?;
        }
        Ok(())
    }

    /// Tries what could stand at some places.
    fn enumerate(
        &mut self,
        shop: &mut Workshop<'_>,
        places: &Places,
        some: &[usize],
        survey: &Path,
        task: &Task,
    ) -> Result<(), Failure> {
        let found = self.some(shop, places, some, survey, task)?;
        task.detail("confirming");
        for (place, candidate) in found {
            if self.verified() >= self.question.patches || self.late() {
                break;
            }
            let patch = self.confirm(shop, &places.list[place], &candidate.expression, Method::Enumeration)?;
            // Tests that were cut short say nothing.
            if !interrupted() {
                self.answer.repaired.patches.push(patch);
            }
        }
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
        if some.is_empty() {
            return Ok(Vec::new());
        }
        let probes = some.iter().map(|&number| (number, Candidates::probes(&places.list[number].site))).collect();
        let Some(program) = self.program(shop, places, probes, survey)? else { return Ok(Vec::new()) };
        let numbers = self.survey(&program)?.numbers(&program);
        let candidates =
            numbers.iter().map(|(&number, numbers)| (number, Candidates::of(&places.list[number].site, numbers)));
        task.detail("building with candidates");
        let Some(program) = self.program(shop, places, candidates.collect(), survey)? else {
            return Ok(Vec::new());
        };
        self.answer.repaired.candidates += program.number() as u64;
        task.detail("surveying");
        let order = self.survey(&program)?.order(&program);
        let progress = |done: usize, found: usize| {
            task.detail(&format!("{done} of {} candidates run, {found} pass", order.len()));
        };
        let deadline = self.deadline;
        let late = || interrupted() || Instant::now() >= deadline;
        // Some of them may not stand when they are built by themselves.
        let most = SPARE * (self.question.patches - self.verified());
        let started = Instant::now();
        let passing = self.trial.passing(&program, &order, most, &late, &progress);
        self.phases().run += started.elapsed().as_secs_f64();
        self.answer.runs += passing.runs;
        self.answer.repaired.tried += passing.tried;
        let found = passing.found.into_iter();
        Ok(found.map(|(site, number)| (program.place(site), program.candidate(site, number).clone())).collect())
    }

    /// Evaluates all candidates in runs of tests.
    fn survey(&mut self, program: &Program) -> Result<Surveyed, Failure> {
        let started = Instant::now();
        let surveyed = self.trial.survey(program, &mut self.answer.runs);
        self.phases().survey += started.elapsed().as_secs_f64();
        surveyed
    }

    /// The program with candidates in it; none, and why, where it cannot be built.
    fn program(
        &mut self,
        shop: &mut Workshop<'_>,
        places: &Places,
        candidates: Vec<(usize, Candidates)>,
        survey: &Path,
    ) -> Result<Option<Program>, Failure> {
        let started = Instant::now();
        let made = Program::make(shop, self.tree, places, candidates, survey);
        self.phases().build += started.elapsed().as_secs_f64();
        let made = made?;
        let (problems, program) = match made {
            Ok(mut program) => (std::mem::take(&mut program.problems), Some(program)),
            Err(problem) => (vec![problem], None),
        };
        problems.into_iter().for_each(|problem| self.add_problem(problem));
        Ok(program)
    }

    /// Builds an expression at its place by itself, and runs the whole suite on it.
    pub fn confirm(
        &mut self,
        shop: &mut Workshop<'_>,
        place: &Place,
        expression: &Expression,
        origin: Method,
    ) -> Result<Patch, Failure> {
        let patch = Patched {
            file: &place.file,
            function: &place.function,
            line: place.site.line,
            column: place.column(),
            before: &place.source[place.site.range.clone()],
            after: place.site.replaced(&place.source, expression),
            bytes: place.site.range.clone(),
        };
        self.confirmed(shop, patch, origin)
    }

    /// Builds a patch by itself, and runs the whole suite on it.
    pub fn confirmed(&mut self, shop: &mut Workshop<'_>, patch: Patched<'_>, origin: Method) -> Result<Patch, Failure> {
        let started = Instant::now();
        let Patched { file, function, line, column, before, after, bytes } = patch;
        let tree = self.patched(file, bytes.clone(), &after);
        let mut grade = match shop.make(&tree)? {
            Ok(suite) => self.trial.whole(&suite, &mut self.answer.runs),
            Err(_) => Grade::Display,
        };
        let location = Location { file: file.into(), line, column, ..Location::default() };
        if grade == Grade::Verified
            && let Some(error) = self.checking.new_error(self.tree, &tree)?
        {
            grade = Grade::Plausible;
            let text = format!("with `{after}` all tests pass, but memory is wrong: {}", error.message);
            self.answer.problems.push(Problem::new(text).at(location.clone()));
        }
        self.phases().confirm += started.elapsed().as_secs_f64();
        let changes = Changes::between(self.tree.clone(), tree, &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        Ok(Patch {
            grade,
            origin: origin.name().into(),
            location,
            function: function.into(),
            before: before.into(),
            after,
            bytes,
            diff: String::from_utf8_lossy(&changes.patch(&all)).into_owned(),
        })
    }

    /// The project with something else in the place of some bytes of a file.
    pub fn patched(&self, file: &str, bytes: Range<usize>, text: &str) -> Tree {
        let mut tree = self.tree.clone();
        if let Some(file) = tree.files.get_mut(file) {
            file.bytes = patched(&file.bytes, bytes, text).into();
        }
        tree
    }

    /// The project with an expression at a place.
    pub fn with(&self, place: &Place, expression: &Expression) -> Tree {
        self.patched(&place.file, place.site.range.clone(), &place.site.replaced(&place.source, expression))
    }
}

/// A patch that is to be confirmed.
pub struct Patched<'a> {
    /// Relative to the project.
    pub file: &'a str,
    /// Around it; empty where it is in several.
    pub function: &'a str,
    pub line: u32,
    pub column: u32,
    pub before: &'a str,
    pub after: String,
    /// Of what is replaced.
    pub bytes: Range<usize>,
}
