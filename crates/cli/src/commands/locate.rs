//! `whydunit locate`

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use whydunit_capture::Flavour;
use whydunit_findings::{Body, Exit, Finding, Located, Problem, Report};
use whydunit_spectra::{Formula, Spectrum};
use whydunit_suite::process::interrupts;
use whydunit_suite::{Progress, RunOptions};
use whydunit_workbench::Executed;

use crate::failure::{Failure, OrFail};
use crate::session::Session;
use crate::sources::ProjectSources;
use crate::{convert, working};

/// Rank the statements that can be at fault
///
/// Runs the suite (built first where that was not done), counts which statements and branch outcomes failing and
/// passing tests execute, and ranks by a formula. Statements of one score are a tie and shown as one.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit locate\n  whydunit locate tall wild            the faults of these failing tests\n  \
                        whydunit locate --method dstar --top 20"
)]
pub struct Locate {
    /// The failing tests in question [default: all that fail]
    pub tests: Vec<String>,
    /// The formula
    #[arg(long, default_value = "ochiai", value_parser = methods())]
    pub method: Formula,
    /// How many findings text shows; ties are not cut apart
    #[arg(long, value_name = "N", default_value = "10")]
    pub top: NonZeroUsize,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

fn methods() -> impl TypedValueParser<Value = Formula> {
    PossibleValuesParser::new(Formula::ALL.map(Formula::name)).try_map(|name| name.parse::<Formula>())
}

/// Ranks.
pub fn run(session: &Session, args: &Locate) -> Result<Report, Failure> {
    let project = session.project()?;
    working::built(session, &project)?;
    let mut problems = working::flavours(session, &project, Flavour::Spectrum)?;
    let suite = working::suite(&project)?;
    let mut asked = BTreeSet::new();
    for name in &args.tests {
        asked.insert(suite.test(name).map_err(Failure::usage)?.name().to_owned());
    }
    let tests: Vec<&whydunit_suite::Test> = suite.tests.iter().collect();
    let options = RunOptions { jobs: args.jobs, cancel: Some(interrupts()), ..RunOptions::default() };
    let task = session.progress.task("running tests", Some(tests.len() as u64));
    let step = |progress: Progress<'_>| {
        if let Progress::Finished { result, .. } = progress {
            task.step(&result.name);
        }
    };
    let (executed, more) = project.run_spectrum(&suite, &tests, &options, &step).or_fail(Exit::Usage)?;
    drop(task);
    // A ranking from some of the tests would be another one.
    if let Some(failure) = working::interrupted(executed.len(), tests.len()) {
        return Err(failure);
    }
    problems.extend(more);
    // Other faults' failing tests would only blur the picture.
    let counts =
        |test: &&Executed| asked.is_empty() || !test.result.outcome.is_failure() || asked.contains(&test.result.name);
    let (counted, lost): (Vec<&Executed>, Vec<&Executed>) = executed.iter().filter(counts).partition(|test| test.whole);
    let names: Vec<String> = lost.iter().map(|test| test.result.name.clone()).collect();
    if let Some(names) = working::some_of(&names) {
        let text = "left out, because what they executed is not known";
        session.fail_after_answer(Failure::usage(format!("{} tests were {text}", lost.len())).at(&names).advice(
            "see that the disk is not full and nobody removes files below .whydunit, and run the command again",
        ));
        problems.push(format!("{text}: {names}"));
    }
    if !counted.iter().chain(&lost).any(|test| test.result.outcome.is_failure()) {
        problems.push("no test fails: there is nothing to locate".into());
    }
    let spectrum = Spectrum::new(counted.iter().map(|test| test.test_hits()));
    let sources = ProjectSources::new(&session.project);
    let ranking = spectrum.ranking(args.method);
    let findings: Vec<Finding> = ranking
        .iter()
        .filter(|ranked| ranked.score > 0.0)
        .map(|ranked| convert::finding(&session.project, &sources, ranked, &spectrum))
        .collect();
    session.show_findings(args.top.get());
    let mut report =
        Report::new(Body::Locate(Located { method: args.method.name().into(), findings, correction_sets: Vec::new() }));
    report.tests = executed.iter().map(|test| convert::test(&test.result)).collect();
    report.stats.test_runs = executed.len() as u64;
    report.problems = problems.into_iter().map(Problem::new).collect();
    Ok(report)
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use whydunit_spectra::Formula;

    #[test]
    fn every_formula_is_a_method() {
        for formula in Formula::ALL {
            let arguments = Arguments::try_parse_from(["whydunit", "locate", "--method", formula.name()]);
            let Command::Locate(locate) = arguments.expect("it parses").command else { panic!("another command") };
            assert_eq!(locate.method, formula);
        }
        assert!(Arguments::try_parse_from(["whydunit", "locate", "--method", "best"]).is_err());
    }
}
