//! How well locate, explain and repair do on projects whose faults are known.

mod error;
mod faults;
mod judge;
mod regressions;
mod repairs;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use whydunit_desk::Desk;
use whydunit_findings::{ExplainerScore, MethodScore, RepairScore, Score, ScoredBug, ScoredRegression, ScoredRepair};
use whydunit_suite::TRUTH;

use crate::{Error, explain, locate, repair};
pub use error::ScoreError;

/// Folders below a catalogue in which projects are looked for.
const DEPTH: usize = 3;

/// What is measured.
pub struct Question<'a> {
    /// The folder with the projects.
    pub catalogue: &'a Path,
    /// Only projects with this in their names.
    pub only: Option<&'a str>,
    /// Methods of locate, on projects with a fault.
    pub locate: Vec<locate::Method>,
    /// Methods of explain, on regressions.
    pub explain: Vec<explain::Method>,
    /// Methods of repair, on projects with a fault.
    pub repair: Vec<repair::Method>,
    /// For formulas, causes and each method of repair, for each project.
    pub limit: Duration,
    /// Patches that a method of repair looks for.
    pub patches: usize,
    /// Failing tests that formulas look at.
    pub failing: usize,
    /// A method of explain gives up after so many builds of a regression.
    pub builds: Option<u64>,
    /// The least number of changes whose reverting helps is looked for by trying, too.
    pub least: bool,
}

/// An answer, and what goes with it.
#[derive(Clone, Default)]
pub struct Answer {
    /// It.
    pub score: Score,
    /// Versions built.
    pub builds: u64,
    /// Tests run.
    pub runs: u64,
    /// Projects that were asked about.
    pub projects: usize,
    /// Projects that were measured.
    pub measured: usize,
}

/// Measures; what cannot be measured is told by project. After each project `so_far` is what is known by then, which is the answer
/// where the work is interrupted: of the project under way nothing is told.
pub fn answer(desk: &Desk, question: &Question<'_>, so_far: &Mutex<Answer>) -> Result<Answer, Error> {
    let projects = projects(question)?;
    let task = desk.task("scoring", Some(projects.len() as u64));
    let mut answer = Answer { projects: projects.len(), ..Answer::default() };
    for (name, folder) in &projects {
        task.detail(name);
        let mut next = answer.clone();
        next.add(desk, folder, name, question);
        if desk.is_cancelled() {
            break;
        }
        answer = next;
        answer.measured += 1;
        answer.sum(question);
        so_far.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&answer);
        task.step(name);
    }
    Ok(answer)
}

impl Answer {
    /// Whether projects are left that were not measured.
    pub fn is_partial(&self) -> bool {
        self.measured < self.projects
    }

    fn add(&mut self, desk: &Desk, folder: &Path, name: &str, question: &Question<'_>) {
        if regressions::is_regression(folder) {
            if !question.explain.is_empty() {
                self.add_regression(desk, folder, name, question);
            }
            return;
        }
        if !question.locate.is_empty() {
            self.add_bug(desk, folder, name, question);
        }
        if !question.repair.is_empty() {
            self.add_repair(desk, folder, name, question);
        }
    }

    fn add_regression(&mut self, desk: &Desk, folder: &Path, name: &str, question: &Question<'_>) {
        let mut regression = ScoredRegression { name: name.to_owned(), ..ScoredRegression::default() };
        if let Err(error) = regressions::measure(desk, folder, &question.explain, question, &mut regression) {
            regression.answers.clear();
            regression.problem = Some(error.line());
        }
        self.builds += regression.answers.iter().map(|answer| answer.builds).sum::<u64>();
        self.runs += regression.answers.iter().map(|answer| answer.runs).sum::<u64>();
        self.score.regressions.push(regression);
    }

    fn add_bug(&mut self, desk: &Desk, folder: &Path, name: &str, question: &Question<'_>) {
        let mut bug = ScoredBug { name: name.to_owned(), ..ScoredBug::default() };
        if let Err(error) = faults::measure(desk, folder, &question.locate, question, &mut bug) {
            bug.places.clear();
            bug.problem = Some(error.line());
        }
        self.runs += bug.tests;
        self.score.bugs.push(bug);
    }

    fn add_repair(&mut self, desk: &Desk, folder: &Path, name: &str, question: &Question<'_>) {
        let mut repair = ScoredRepair { name: name.to_owned(), ..ScoredRepair::default() };
        if let Err(error) = repairs::measure(desk, folder, &question.repair, question, &mut repair) {
            repair.answers.clear();
            repair.problem = Some(error.line());
        }
        self.builds += repair.answers.iter().map(|answer| answer.builds).sum::<u64>();
        self.runs += repair.answers.iter().map(|answer| answer.runs).sum::<u64>();
        self.score.repairs.push(repair);
    }

    /// The figures of each method over all projects.
    fn sum(&mut self, question: &Question<'_>) {
        let score = &mut self.score;
        let places = || score.bugs.iter().flat_map(|bug| &bug.places);
        if !score.bugs.is_empty() {
            score.methods = question.locate.iter().map(|method| MethodScore::of(method.name(), places())).collect();
        }
        if !score.regressions.is_empty() {
            let baseline = explain::Method::Dd.name();
            let of = |method: &explain::Method| ExplainerScore::of(method.name(), baseline, &score.regressions);
            score.explainers = question.explain.iter().map(of).collect();
        }
        if !score.repairs.is_empty() {
            let of = |method: &repair::Method| RepairScore::of(method.name(), &score.repairs);
            score.repairers = question.repair.iter().map(of).collect();
        }
    }
}

/// The projects that are asked for, in order, with their names; fails where there is none.
fn projects(question: &Question<'_>) -> Result<Vec<(String, PathBuf)>, ScoreError> {
    let mut folders = Vec::new();
    find(question.catalogue, DEPTH, &mut folders)?;
    folders.sort();
    let named = |folder: PathBuf| {
        let name = folder.strip_prefix(question.catalogue).unwrap_or(&folder).to_string_lossy().into_owned();
        (if name.is_empty() { ".".to_string() } else { name }, folder)
    };
    let wanted = |(name, _): &(String, PathBuf)| question.only.is_none_or(|text| name.contains(text));
    let projects: Vec<(String, PathBuf)> = folders.into_iter().map(named).filter(wanted).collect();
    if projects.is_empty() {
        return Err(ScoreError::NoProject { folder: question.catalogue.to_path_buf() });
    }
    Ok(projects)
}

/// Folders with a truth, down to a depth.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), ScoreError> {
    if folder.join(TRUTH).is_file() {
        found.push(folder.to_path_buf());
        return Ok(());
    }
    let unread = |source| ScoreError::Unread { folder: folder.to_path_buf(), source };
    for entry in std::fs::read_dir(folder).map_err(unread)?.flatten() {
        let path = entry.path();
        if depth > 0 && path.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            find(&path, depth - 1, found)?;
        }
    }
    Ok(())
}
