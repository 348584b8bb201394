//! `whydunit repair`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Problem, Report};
use whydunit_process::interrupts;

use crate::failure::Failure;
use crate::repairing::{self, LINES, Method, Question, WINDOWS};
use crate::session::Session;

/// Find a patch with which all tests pass: one expression or a guard
///
/// Locates the fault, and tries at the most suspicious statements what could stand there instead: what stands there with one
/// thing changed, other variables and constants, comparisons, sums. All of it is compiled into one program; one run of a test
/// gives the values of all, so that only what would change something is run. What passes is built by itself in a folder of ours
/// and must pass the whole suite.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit repair                        every failing test\n  \
                        whydunit repair tall --patches 1 -o fix.diff && git apply fix.diff\n  \
                        whydunit repair --apply --yes          write the first patch into the sources")]
pub struct Repair {
    /// The failing tests that are to pass [default: all that fail]
    pub tests: Vec<String>,
    /// How many patches are looked for
    #[arg(long, value_name = "N", default_value = "3")]
    pub patches: NonZeroUsize,
    /// Seconds for all of it, what has to be built first not counted
    #[arg(long, value_name = "SECONDS", default_value = "240")]
    pub time_limit: u64,
    /// How many suspicious lines are looked at [default: 25, and the next ones as long as there is no patch and time is left]
    #[arg(long, value_name = "N")]
    pub top: Option<NonZeroUsize>,
    /// How patches are looked for
    #[arg(long, value_enum, default_value_t)]
    pub method: Method,
    /// Write the first patch that is verified into the project's sources, after asking
    #[arg(long)]
    pub apply: bool,
    /// Do not ask
    #[arg(long, requires = "apply")]
    pub yes: bool,
    /// Write the first patch to this file, for `git apply`
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// Repairs.
pub fn run(session: &Session, args: &Repair) -> Result<Report, Failure> {
    let started = Instant::now();
    let output = args.output.as_deref().map(crate::output::Output::open).transpose()?;
    if args.apply {
        repairing::may_apply(&session.project)?;
    }
    let question = Question {
        method: args.method,
        tests: &args.tests,
        patches: args.patches.get(),
        lines: args.top.map_or(LINES, NonZeroUsize::get),
        windows: if args.top.is_some() { 1 } else { WINDOWS },
        limit: Duration::from_secs(args.time_limit),
        jobs: args.jobs,
    };
    let answer = repairing::answer(session, &question)?;
    let mut problems = answer.problems;
    if let (Some(output), Some(patch)) = (output, answer.repaired.patches.first()) {
        output.write(&patch.diff_bytes)?;
    }
    if args.apply {
        let applied = repairing::apply(&session.project, &answer.repaired.patches, args.yes);
        // What was found is told all the same.
        let failed = |failure: Failure| {
            Problem::new(format!("the patch is not written: {}", failure.line())).help(repairing::NOT_APPLIED)
        };
        problems.push(applied.unwrap_or_else(failed));
    }
    let mut report = Report::new(Body::Repair(answer.repaired));
    report.tests = answer.tests;
    report.stats.builds = answer.builds;
    report.stats.test_runs = answer.runs;
    report.stats.seconds = started.elapsed().as_secs_f64();
    report.problems = problems;
    report.partial = answer.late;
    report.interrupted = interrupts().is_cancelled();
    Ok(report)
}
