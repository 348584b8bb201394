//! `whydunit score`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use whydunit_findings::{Body, Problem, Report};
use whydunit_inquiry::score::{self, Question};
use whydunit_inquiry::{explain, locate, repair};
use whydunit_spectra::Formula;

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::patience::awaited;
use crate::session::Session;

/// Measure locate, explain and repair on projects whose faults are known
///
/// CATALOGUE holds folders with a project and a truth.json, {"fault": [{"file": "a.c", "line": 7}]}: several lines mean that
/// any of them counts as found. Each is built where it is, its suite run, and its faulty statement looked for in the ranking
/// of each method. A folder with two projects, good and bad, is a regression: the lines are those of the bad one, what was
/// deleted counts by the line that it stood before, and each method of explain is asked for the changes at fault, from nothing.
/// A method of repair is asked for patches of each fault, from nothing. Where a held-out.jsonl stands beside truth.json, cases that
/// the suite does not have, a patch is correct when all of these pass with it.
#[derive(Args, Clone, Debug)]
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
    #[arg(long, value_parser = method())]
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
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// On projects with a fault.
    Locate(locate::Method),
    /// On regressions.
    Explain(explain::Method),
    /// On projects with a fault, too.
    Repair(repair::Method),
}

impl Method {
    fn locate(self) -> Option<locate::Method> {
        if let Method::Locate(method) = self { Some(method) } else { None }
    }

    fn explain(self) -> Option<explain::Method> {
        if let Method::Explain(method) = self { Some(method) } else { None }
    }

    fn repair(self) -> Option<repair::Method> {
        if let Method::Repair(method) = self { Some(method) } else { None }
    }

    /// Those that are listed; of `locate` there may be more, whose names are made of several.
    fn of_explain_and_repair() -> impl Iterator<Item = (&'static str, Self)> {
        let explain = explain::Method::ALL.into_iter().map(|method| (method.name(), Method::Explain(method)));
        explain.chain(repair::Method::ALL.into_iter().map(|method| (method.name(), Method::Repair(method))))
    }

    fn parse(name: &str) -> Result<Self, String> {
        match Self::of_explain_and_repair().find(|(own, _)| *own == name) {
            Some((_, method)) => Ok(method),
            None => locate::Method::parse(name).map(Method::Locate),
        }
    }

    /// All names.
    fn names() -> impl Iterator<Item = &'static str> {
        locate::Method::names().chain(Self::of_explain_and_repair().map(|(name, _)| name))
    }
}

/// For the command line.
fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::names()).try_map(|name| Method::parse(&name))
}

/// Measures.
pub fn run(session: &Session, args: &ScoreArgs) -> Result<Report, Failure> {
    let so_far = Arc::new(Mutex::default());
    let cancel = session.desk.cancel.clone();
    let measured = awaited(&cancel, {
        let (desk, args, so_far) = (session.desk.beside(cancel.clone()), args.clone(), Arc::clone(&so_far));
        move || score::answer(&desk, &question(&args), &so_far)
    })?;
    let answer: score::Answer = match measured {
        Some(answer) => answer?,
        None => so_far.lock().unwrap_or_else(PoisonError::into_inner).clone(),
    };
    if cancel.is_cancelled() && answer.measured == 0 {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    let mut report = Report::new(Body::Score(answer.score.clone()));
    if answer.is_partial() {
        (report.partial, report.interrupted) = (true, true);
        let text = format!("interrupted: {} of {} projects were measured", answer.measured, answer.projects);
        report.problems.push(Problem::new(text));
    }
    report.stats.builds = answer.builds;
    report.stats.test_runs = answer.runs;
    Ok(report)
}

fn question(args: &ScoreArgs) -> Question<'_> {
    Question {
        catalogue: &args.catalogue,
        only: args.only.as_deref(),
        locate: match args.method.is_empty() {
            true => vec![locate::Method::default(), locate::Method::Spectrum(Formula::Ochiai)],
            false => args.method.iter().filter_map(|method| method.locate()).collect(),
        },
        explain: match args.method.is_empty() {
            true => vec![explain::Method::After, explain::Method::Add, explain::Method::Dd],
            false => args.method.iter().filter_map(|method| method.explain()).collect(),
        },
        repair: args.method.iter().filter_map(|method| method.repair()).collect(),
        limit: Duration::from_secs(args.time_limit),
        patches: args.patches.get(),
        failing: args.failing.get(),
        builds: args.builds,
        least: args.least,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_methods_have_the_same_name() {
        let mut seen = HashSet::new();
        assert!(Method::names().all(|name| seen.insert(name) && Method::parse(name).is_ok()), "{seen:?}");
        for method in repair::Method::ALL {
            assert_eq!(Method::parse(method.name()), Ok(Method::Repair(method)));
        }
    }
}
