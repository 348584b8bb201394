//! `whydunit locate`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::Report;
use whydunit_inquiry::locate::{self, Method, Part, Question, Reach, Scope, Search, SolverName, Solvers};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::names;
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
    #[arg(long, default_value_t, value_parser = names::locate_method())]
    pub method: Method,
    /// Seconds for everything but the project's own build; when they are over the answer is what was found until then [default: 180, of
    /// which formulas take at most 60]
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<u64>,
    /// How many failing tests formulas look at
    #[arg(long, value_name = "N", default_value_t = locate::FAILING)]
    pub failing: NonZeroUsize,
    /// Look at everything that the time limit lets: all statements, and sets of up to three
    #[arg(long)]
    pub thorough: bool,
    /// What answers formulas
    #[arg(long, value_name = "NAME", default_value = SolverName::default().name(), value_parser = names::solver())]
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
    /// Also tell which calls of the first failing test find an object otherwise than those of passing tests do, as `mine --failing` does;
    /// all tests are recorded for it
    #[arg(long)]
    pub anomalies: bool,
    #[command(flatten)]
    pub answer: AnswerFile,
    /// Compare failing tests with so many passing ones at most, the nearest by name [default: with all that time lets]
    #[arg(long, value_name = "N")]
    pub passing: Option<NonZeroUsize>,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// Ranks.
pub fn run(session: &Session, args: &Locate) -> Result<Report, Failure> {
    let desk = &session.desk;
    let only: Vec<Part> = args.only.iter().map(|part| part.inside(&desk.project)).collect::<Result<_, _>>()?;
    let solvers = Solvers::new(args.solver, args.dump_formulas.clone())?;
    let started = Instant::now();
    session.show_findings((!args.all).then_some(args.top.get()));
    let limit = Duration::from_secs(args.time_limit.unwrap_or(locate::SECONDS));
    let formulas = Duration::from_secs(args.time_limit.unwrap_or(locate::SEARCH_SECONDS));
    let question = Question {
        tests: &args.tests,
        scope: Scope { library: args.library, tests: args.test_code, only, ..Scope::default() },
        search: Search { thorough: args.thorough, solvers, ..Search::by(args.method, args.failing.get(), formulas) },
        jobs: args.jobs,
        reach: Reach { passing: args.passing, limit: Some(limit), apart: true },
        anomalies: args.anomalies,
    };
    let answer = locate::answer(desk, &question)?;
    Ok(answer.report(started.elapsed().as_secs_f64(), desk.is_cancelled()))
}
