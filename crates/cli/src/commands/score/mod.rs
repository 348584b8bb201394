//! `whydunit score`

mod faults;
mod judge;
mod method;
mod regressions;
mod repairs;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use whydunit_findings::{
    Body, ExplainerScore, MethodScore, RepairScore, Report, Score, ScoredBug, ScoredRegression, ScoredRepair,
};
use whydunit_process::interrupts;
use whydunit_spectra::Formula;
use whydunit_suite::TRUTH;

use crate::failure::Failure;
use crate::session::Session;
use crate::{explaining, locating, repairing};
use method::Method;

/// Measure locate, explain and repair on projects whose faults are known
///
/// CATALOGUE holds folders with a project and a truth.json, {"fault": [{"file": "a.c", "line": 7}]}: several lines mean that
/// any of them counts as found. Each is built where it is, its suite run, and its faulty statement looked for in the ranking
/// of each method. A folder with two projects, good and bad, is a regression: the lines are those of the bad one, what was
/// deleted counts by the line that it stood before, and each method of explain is asked for the changes at fault, from nothing.
/// A method of repair is asked for patches of each fault, from nothing. Where a held-out.jsonl stands beside truth.json, cases that
/// the suite does not have, a patch is correct when all of these pass with it.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit score bugs\n  whydunit score bugs --method ofc+cw --method ba --method ochiai --only tokens\n  \
                        whydunit score regressions --method after --method dd --builds 500\n  \
                        whydunit score bugs --method combined --time-limit 120"
)]
pub struct ScoreArgs {
    /// The folder with the projects
    #[arg(value_name = "CATALOGUE")]
    pub catalogue: PathBuf,
    /// A method of locate, explain or repair; can be given several times [default: ofc+cw, ochiai; after, add, dd]
    #[arg(long, value_parser = Method::parser())]
    pub method: Vec<Method>,
    /// Only projects with this in their names
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Seconds for formulas, causes and each method of repair, for each project
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// How many patches a method of repair looks for
    #[arg(long, value_name = "N", default_value = "1")]
    pub patches: NonZeroUsize,
    /// How many failing tests formulas look at
    #[arg(long, value_name = "N", default_value = "3")]
    pub failing: NonZeroUsize,
    /// A method of explain gives up after so many builds of a regression
    #[arg(long, value_name = "N")]
    pub builds: Option<u64>,
    /// Also try all single changes and pairs of regressions with 30 changes at most: the least number whose reverting helps
    #[arg(long)]
    pub least: bool,
}

/// Measures.
pub fn run(session: &Session, args: &ScoreArgs) -> Result<Report, Failure> {
    let mut folders = Vec::new();
    find(&args.catalogue, 3, &mut folders)?;
    folders.sort();
    let name_of = |folder: &Path| {
        let name = folder.strip_prefix(&args.catalogue).unwrap_or(folder).to_string_lossy().into_owned();
        if name.is_empty() { ".".to_string() } else { name }
    };
    folders.retain(|folder| args.only.as_ref().is_none_or(|text| name_of(folder).contains(text)));
    if folders.is_empty() {
        return Err(Failure::usage("no project with a truth.json is in there")
            .at(args.catalogue.display())
            .advice("name a folder whose folders hold a project and its truth.json"));
    }
    let locate: Vec<locating::Method> = match args.method.is_empty() {
        true => vec![locating::Method::default(), locating::Method::Spectrum(Formula::Ochiai)],
        false => args.method.iter().filter_map(|method| method.locate()).collect(),
    };
    let explain: Vec<explaining::Method> = match args.method.is_empty() {
        true => vec![explaining::Method::After, explaining::Method::Add, explaining::Method::Dd],
        false => args.method.iter().filter_map(|method| method.explain()).collect(),
    };
    let repair: Vec<repairing::Method> = args.method.iter().filter_map(|method| method.repair()).collect();
    let task = session.progress.task("scoring", Some(folders.len() as u64));
    let mut score = Score::default();
    let (mut builds, mut test_runs) = (0, 0);
    for folder in &folders {
        let name = name_of(folder);
        task.detail(&name);
        if regressions::is_regression(folder) {
            if explain.is_empty() {
                continue;
            }
            let mut regression = ScoredRegression { name: name.clone(), ..ScoredRegression::default() };
            if let Err(failure) = regressions::measure(session, folder, &explain, args, &mut regression) {
                regression.answers.clear();
                regression.problem = Some(failure.line());
            }
            builds += regression.answers.iter().map(|answer| answer.builds).sum::<u64>();
            test_runs += regression.answers.iter().map(|answer| answer.runs).sum::<u64>();
            score.regressions.push(regression);
        } else {
            if !locate.is_empty() {
                let mut bug = ScoredBug { name: name.clone(), ..ScoredBug::default() };
                if let Err(failure) = faults::measure(session, folder, &locate, args, &mut bug) {
                    bug.places.clear();
                    bug.problem = Some(failure.line());
                }
                test_runs += bug.tests;
                score.bugs.push(bug);
            }
            if !repair.is_empty() {
                let mut scored = ScoredRepair { name: name.clone(), ..ScoredRepair::default() };
                if let Err(failure) = repairs::measure(session, folder, &repair, args, &mut scored) {
                    scored.answers.clear();
                    scored.problem = Some(failure.line());
                }
                builds += scored.answers.iter().map(|answer| answer.builds).sum::<u64>();
                test_runs += scored.answers.iter().map(|answer| answer.runs).sum::<u64>();
                score.repairs.push(scored);
            }
        }
        task.step(&name);
        if interrupts().is_cancelled() {
            break;
        }
    }
    drop(task);
    let places = || score.bugs.iter().flat_map(|bug| &bug.places);
    if !score.bugs.is_empty() {
        score.methods = locate.iter().map(|method| MethodScore::of(method.name(), places())).collect();
    }
    if !score.regressions.is_empty() {
        let baseline = explaining::Method::Dd.name();
        let of = |method: &explaining::Method| ExplainerScore::of(method.name(), baseline, &score.regressions);
        score.explainers = explain.iter().map(of).collect();
    }
    if !score.repairs.is_empty() {
        score.repairers = repair.iter().map(|method| RepairScore::of(method.name(), &score.repairs)).collect();
    }
    let mut report = Report::new(Body::Score(score));
    report.stats.builds = builds;
    report.stats.test_runs = test_runs;
    Ok(report)
}

/// Folders with a truth, down to a depth.
fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if folder.join(TRUTH).is_file() {
        found.push(folder.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(folder).map_err(|error| {
        Failure::usage(error).at(folder.display()).advice("name the folder with the projects whose faults are known")
    })?;
    for entry in entries.flatten() {
        let path = entry.path();
        if depth > 0 && path.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            find(&path, depth - 1, found)?;
        }
    }
    Ok(())
}
