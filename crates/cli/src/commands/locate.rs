//! `whydunit locate`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Problem, Report};
use whydunit_process::interrupts;
use whydunit_workbench::Executed;

use crate::convert;
use crate::failure::Failure;
use crate::locating::{Baseline, ENOUGH, Method, Part, Ranking, Scope, Search, SolverName, Solvers};
use crate::session::Session;

/// Rank the statements that can be at fault
///
/// Runs the suite (built first where that was not done) and counts which statements and branch outcomes failing and passing
/// tests execute. Then failing tests are recorded, and trial runs and trace formulas over their recordings say which
/// statements, were their values others, would make them pass, with the values. Statements that explain all of them come
/// first, the more suspicious by the counts the earlier.
///
/// Methods are ofc+cw and ofc (on-demand formulas), ba+cw and ba (BugAssist), and formulas over the counts alone.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit locate\n  whydunit locate tall wild            the faults of these failing tests\n  \
                        whydunit locate --method ochiai --top 20   by counts alone\n  \
                        whydunit locate --only src/parse.c   whether it can be in this file\n  \
                        whydunit locate --format html -o report.html"
)]
pub struct Locate {
    /// The failing tests in question [default: all that fail]
    pub tests: Vec<String>,
    /// What ranks
    #[arg(long, default_value_t, value_parser = Method::parser())]
    pub method: Method,
    /// Seconds for formulas; when they are over the answer is what was found until then
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// How many failing tests formulas look at
    #[arg(long, value_name = "N", default_value = "3")]
    pub failing: NonZeroUsize,
    /// Look at everything that the time limit lets: all statements, and sets of up to three
    #[arg(long)]
    pub thorough: bool,
    /// What answers formulas
    #[arg(long, value_name = "NAME", default_value = "cadical", value_enum)]
    pub solver: SolverName,
    /// Write each question to the solver into this folder, as an SMT-LIB script
    #[arg(long, value_name = "DIR")]
    pub dump_formulas: Option<PathBuf>,
    /// How many findings are shown in full in formats for people; what more a tie has is summed up
    #[arg(long, value_name = "N", default_value = "10")]
    pub top: NonZeroUsize,
    /// Show all findings in full
    #[arg(long, conflicts_with = "top")]
    pub all: bool,
    /// Also rank statements in libraries: headers of the system's (templates and inline functions), and crates that cargo has got
    #[arg(long)]
    pub library: bool,
    /// Also rank the code of the tests themselves, where they are Rust
    #[arg(long)]
    pub test_code: bool,
    /// Only rank what lies there, a file, a folder or a line; can be given several times
    #[arg(long, value_name = "FILE[:LINE]")]
    pub only: Vec<Part>,
    /// Write the answer to this file, whole or not at all, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// Ranks.
pub fn run(session: &Session, args: &Locate) -> Result<Report, Failure> {
    args.output.as_deref().map_or(Ok(()), |path| session.write_to(path))?;
    let only: Vec<Part> = args.only.iter().map(|part| part.inside(&session.project)).collect::<Result<_, _>>()?;
    let scope = Scope { library: args.library, tests: args.test_code, only: only.clone(), ..Scope::default() };
    let solvers = Solvers::new(args.solver, args.dump_formulas.clone())?;
    let started = Instant::now();
    let baseline = Baseline::of(session, &args.tests, args.jobs, scope)?;
    let mut problems: Vec<Problem> = baseline.problems.iter().map(Problem::new).collect();
    if baseline.in_question().next().is_none() {
        problems.insert(0, nothing_fails(&args.tests));
    } else if baseline.failing().next().is_none() {
        problems.push(Problem::new("no test fails each time that it is run: this is of the flaky ones"));
    } else if baseline.passing() == 0 {
        let text = "no test passes: that a statement is executed by failing tests only says nothing";
        problems.push(Problem::new(text).help("add tests that pass, as close as possible to those that fail"));
    }
    for part in &only {
        if !session.project.join(part.path()).exists() && !baseline.executes(session, part) {
            let text =
                format!("--only {part}: there is no such file in the project, and no test executes one of that name");
            return Err(Failure::usage(text)
                .advice("name a file, a folder or FILE:LINE as findings do, from the project's folder"));
        }
    }
    session.show_findings((!args.all).then_some(args.top.get()));
    let limit = Duration::from_secs(args.time_limit);
    let search = Search {
        enough: args.top.get().max(ENOUGH),
        thorough: args.thorough,
        solvers,
        ..Search::by(args.method, args.failing.get(), limit)
    };
    let Ranking { mut located, notes, stats, cut } = baseline.rank(session, &search)?;
    problems.extend(notes);
    let project = &session.project;
    located.findings.retain(|finding| {
        let place = &finding.location;
        baseline.scope().covers(project, &place.file, place.line, &finding.function)
    });
    if located.findings.is_empty() && !args.only.is_empty() && baseline.failing().next().is_some() {
        problems.push(nothing_there(&args.only));
    }
    if !baseline.captured && baseline.failing().next().is_some() {
        let text = "the failing tests execute nothing that was captured";
        problems.push(Problem::new(text).help("`whydunit build` says what was captured, and why other code was not"));
    }
    let mut report = Report::new(Body::Locate(located));
    report.tests = baseline.executed.iter().map(|test| convert::test(&test.result)).collect();
    let runs = |test: &Executed| 1 + test.result.reruns.map_or(0, |reruns| u64::from(reruns.runs));
    report.stats.test_runs = baseline.executed.iter().map(runs).sum();
    report.stats.solver_calls = stats.as_ref().map_or(0, |stats| stats.solver_calls);
    report.stats.formulas = stats;
    report.stats.seconds = started.elapsed().as_secs_f64();
    report.problems = problems;
    report.partial = cut;
    report.interrupted = interrupts().is_cancelled();
    Ok(report)
}

/// That what was asked for is not executed.
fn nothing_there(only: &[Part]) -> Problem {
    let parts: Vec<String> = only.iter().map(Part::to_string).collect();
    let text = format!("the failing tests execute nothing in {} that could be at fault", parts.join(", "));
    Problem::new(text).help("see that the path is one of the project's sources, and the line one with a statement")
}

/// That there is nothing to locate.
fn nothing_fails(asked: &[String]) -> Problem {
    let text = match asked {
        [] => "no test fails: there is nothing to locate".to_string(),
        [one] => format!("test {one} does not fail: there is nothing to locate"),
        several => format!("none of the tests {} fails: there is nothing to locate", several.join(", ")),
    };
    let help = "of a case only what it expects is compared: `stdout`, and `status` or `signal`";
    Problem::new(text).help(help)
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use clap::Parser;
    use whydunit_spectra::Formula;

    use crate::locating::Method;

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
