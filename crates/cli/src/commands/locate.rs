//! `whydunit locate`

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use whydunit_capture::Flavour;
use whydunit_findings::{Body, Exit, Finding, FormulaStats, Located, Problem, Report};
use whydunit_spectra::{Formula, RankedEntity, Spectrum};
use whydunit_suite::process::interrupts;
use whydunit_suite::{Outcome, Progress, RunOptions};
use whydunit_workbench::Executed;

use crate::failure::{Failure, OrFail};
use crate::locating::{self, Formulas, Suspicion};
use crate::session::Session;
use crate::sources::ProjectSources;
use crate::{convert, working};

/// Rank the statements that can be at fault
///
/// Runs the suite (built first where that was not done), counts which statements and branch outcomes failing and
/// passing tests execute, and ranks by a formula over these counts. Statements of one rank are a tie.
///
/// With --method ofc+cw, ofc (on-demand formulas), ba+cw or ba (BugAssist) failing tests are recorded as well, and trace
/// formulas over their recordings say which statements, were their values others, would make them pass, with the values.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit locate\n  whydunit locate tall wild            the faults of these failing tests\n  \
                        whydunit locate --method dstar --top 20"
)]
pub struct Locate {
    /// The failing tests in question [default: all that fail]
    pub tests: Vec<String>,
    /// What ranks
    #[arg(long, default_value = "ochiai", value_parser = methods())]
    pub method: Method,
    /// Seconds for formulas; when they are over the answer is what was found until then
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// How many failing tests formulas look at
    #[arg(long, value_name = "N", default_value = "3")]
    pub failing: NonZeroUsize,
    /// How many findings text shows; ties are not cut apart
    #[arg(long, value_name = "N", default_value = "10")]
    pub top: NonZeroUsize,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// What ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Counts of a spectrum.
    Spectrum(Formula),
    /// Trace formulas.
    Formulas(Formulas),
}

impl Method {
    const BY_FORMULAS: [(&'static str, Formulas); 4] = [
        ("ofc+cw", Formulas { bug_assist: false, weighted: true }),
        ("ofc", Formulas { bug_assist: false, weighted: false }),
        ("ba+cw", Formulas { bug_assist: true, weighted: true }),
        ("ba", Formulas { bug_assist: true, weighted: false }),
    ];

    fn names() -> impl Iterator<Item = &'static str> {
        Self::BY_FORMULAS.into_iter().map(|method| method.0).chain(Formula::ALL.map(Formula::name))
    }

    fn name(self) -> &'static str {
        match self {
            Method::Spectrum(formula) => formula.name(),
            Method::Formulas(formulas) => {
                Self::BY_FORMULAS.iter().find(|method| method.1 == formulas).map_or("", |method| method.0)
            }
        }
    }

    fn parse(name: &str) -> Result<Self, String> {
        match Self::BY_FORMULAS.iter().find(|method| method.0 == name) {
            Some(method) => Ok(Method::Formulas(method.1)),
            None => name.parse().map(Method::Spectrum),
        }
    }
}

fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::names()).try_map(|name| Method::parse(&name))
}

/// Ranks.
pub fn run(session: &Session, args: &Locate) -> Result<Report, Failure> {
    let project = session.project()?;
    working::built(session, &project)?;
    let mut problems = working::flavours(session, &project, Flavour::Spectrum)?;
    let suite = working::one_by_one(session, &project)?;
    let mut asked = BTreeSet::new();
    for name in &args.tests {
        asked.insert(suite.test(name).map_err(Failure::usage)?.name().to_owned());
    }
    let all = if suite.single.is_empty() { &suite.tests } else { &suite.single };
    let tests: Vec<&whydunit_suite::Test> = all.iter().collect();
    let options = RunOptions { jobs: args.jobs, cancel: Some(interrupts()), ..RunOptions::default() };
    let task = session.progress.task("running tests", Some(tests.len() as u64));
    let step = |progress: Progress<'_>| {
        if let Progress::Finished { result, .. } = progress {
            task.step(&result.name);
        }
    };
    let (mut executed, more) = project.run_spectrum(&suite, &tests, &options, &step).or_fail(Exit::Usage)?;
    drop(task);
    // A ranking from some of the tests would be another one.
    if let Some(failure) = working::interrupted(executed.len(), tests.len()) {
        return Err(failure);
    }
    problems.extend(more);
    if !suite.single.is_empty() {
        problems.extend(without_strays(&mut executed));
    }
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
    let ranking = spectrum.ranking(match args.method {
        Method::Spectrum(formula) => formula,
        Method::Formulas(_) => Formula::Ochiai,
    });
    let by_counts = || {
        let ranked = ranking.iter().filter(|ranked| ranked.score > 0.0);
        ranked.map(|ranked| convert::finding(&session.project, &sources, ranked, &spectrum)).collect::<Vec<Finding>>()
    };
    session.show_findings(args.top.get());
    let mut located = Located { method: args.method.name().into(), ..Located::default() };
    let mut notes: Vec<Problem> = Vec::new();
    let mut stats = None;
    match args.method {
        Method::Spectrum(_) => located.findings = by_counts(),
        Method::Formulas(formulas) => {
            let failing = executed.iter().filter(|test| test.result.outcome.is_failure());
            let names: Vec<&str> = failing
                .map(|test| test.result.name.as_str())
                .filter(|name| asked.is_empty() || asked.contains(*name))
                .take(args.failing.get())
                .collect();
            let suspicion = suspicion(session, &ranking);
            let deadline = Instant::now() + Duration::from_secs(args.time_limit);
            let mut answers = Vec::new();
            if !names.is_empty() {
                notes.extend(working::flavours(session, &project, Flavour::Record)?.into_iter().map(Problem::new));
            }
            for name in names {
                let test = suite.test(name).map_err(Failure::usage)?;
                match locating::ask(session, &project, test, formulas, &suspicion, deadline)? {
                    Ok(answer) => answers.push(answer),
                    Err(problem) => notes.push(problem),
                }
            }
            let (findings, sets) =
                locating::report(&session.project, &sources, &answers, formulas.weighted, &suspicion);
            notes.extend(locating::problems(&answers));
            stats = Some(locating::stats(&answers));
            located.findings = findings;
            located.correction_sets = sets;
            if located.findings.is_empty() {
                located.findings = by_counts();
                if !located.findings.is_empty() {
                    notes.push(Problem::new("formulas found nothing: this is the ranking by counts (ochiai)"));
                }
            } else {
                add_counts(&mut located.findings, &by_counts());
            }
        }
    }
    let mut report = Report::new(Body::Locate(located));
    report.tests = executed.iter().map(|test| convert::test(&test.result)).collect();
    report.stats.test_runs = executed.len() as u64;
    report.stats.solver_calls = stats.as_ref().map_or(0, |stats: &FormulaStats| stats.solver_calls);
    report.stats.formulas = stats;
    report.problems = problems.into_iter().map(Problem::new).chain(notes).collect();
    Ok(report)
}

/// Suspiciousness of lines: of the most suspicious of what stands there.
fn suspicion(session: &Session, ranking: &[RankedEntity<'_>]) -> Suspicion {
    let mut suspicion = Suspicion::new();
    for ranked in ranking {
        let position = &ranked.entity.position;
        let file = convert::relative(&session.project, &position.file);
        for line in position.line..=position.end_line.max(position.line) {
            let score = suspicion.entry((file.clone(), line)).or_insert(0.0);
            *score = score.max(ranked.score);
        }
    }
    suspicion
}

/// How many tests ran each statement.
fn add_counts(findings: &mut [Finding], by_counts: &[Finding]) {
    for finding in findings {
        let same = |other: &&Finding| {
            other.branch.is_none()
                && other.location.file == finding.location.file
                && other.location.line == finding.location.line
        };
        if let Some(other) = by_counts.iter().find(same) {
            finding.counts = other.counts;
        }
    }
}

/// Leaves out tests that their suite knows only as part of a whole. What to say of it.
fn without_strays(executed: &mut Vec<Executed>) -> Option<String> {
    let (strays, kept): (Vec<Executed>, Vec<Executed>) =
        executed.drain(..).partition(|test| matches!(test.result.outcome, Outcome::Error(_)));
    *executed = kept;
    let names: Vec<String> = strays.iter().map(|test| test.result.name.clone()).collect();
    let reason = strays.first().and_then(|test| test.result.outcome.reason())?;
    Some(format!("left out, because they could not be run for themselves: {} ({reason})", working::some_of(&names)?))
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use whydunit_spectra::Formula;

    use super::Method;

    #[test]
    fn every_formula_is_a_method() {
        for formula in Formula::ALL {
            let arguments = Arguments::try_parse_from(["whydunit", "locate", "--method", formula.name()]);
            let Command::Locate(locate) = arguments.expect("it parses").command else { panic!("another command") };
            assert_eq!(locate.method, Method::Spectrum(formula));
        }
        assert!(Arguments::try_parse_from(["whydunit", "locate", "--method", "best"]).is_err());
    }
}
