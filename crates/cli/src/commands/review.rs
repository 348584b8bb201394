//! `whydunit review`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Report};

use whydunit_inquiry::review::{self, Question};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Judge a fix: does it cover the bug, does it break something else
///
/// Builds the program before and after the fix. From the path on which the test fails before it, other failing paths are looked for,
/// the nearest first; under the condition of each of them the fixed program is explored for an input on which it still fails.
/// Then both versions are run on the suite, and on inputs made of the suite's: what the fix changes where nothing failed is a
/// disruption. What is reported has been run.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit review fix.diff                a patch for the project as it is\n  \
                        whydunit review HEAD~1..HEAD --test t17   the last commit\n  \
                        whydunit review fix.diff --domain inputs.txt\n  \
                        whydunit review first.diff --against second.diff\n  \
                        whydunit review fix.diff --entry parse    by the arguments of a function\n\n\
                        A domain has one constraint a line, as `arg1 in 1..10`, `arg2 in {A, B}`, `len(stdin) <= 8`.")]
pub struct Review {
    /// The fix: a patch, or REV..REV; a folder may stand for a revision
    #[arg(value_name = "PATCH|REV..REV")]
    pub fix: String,
    /// The test that shows the bug [default: those that fail before the fix]
    #[arg(long, short, value_name = "TEST")]
    pub test: Option<String>,
    /// Constraints that inputs meet
    #[arg(long, value_name = "FILE")]
    pub domain: Option<PathBuf>,
    /// A function that the test calls: its arguments are the input
    #[arg(long, value_name = "FUNCTION", conflicts_with = "against")]
    pub entry: Option<String>,
    /// How far from the failing run's path others are looked for, in edges
    #[arg(long, value_name = "N", default_value_t = whydunit_review::FARTHEST - 1)]
    pub distance: usize,
    /// Look at all paths of the fixed program, near or far
    #[arg(long)]
    pub unguided: bool,
    /// Seconds for the search, what has to be built first not counted
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// Runs for paths, of both versions together
    #[arg(long, value_name = "N", default_value_t = review::RUNS)]
    pub runs: u64,
    /// How many inputs are made to look for disruptions
    #[arg(long, value_name = "N", default_value = "2000")]
    pub inputs: usize,
    /// For these inputs: the same number gives the same ones
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// Hold all against the fix that it changes where the bug is not, whether anything says that it is wrong or not
    #[arg(long)]
    pub strict: bool,
    /// Another fix to compare with: which covers more and disrupts less
    #[arg(long, value_name = "PATCH|REV..REV")]
    pub against: Option<String>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// Reviews.
pub fn run(session: &Session, args: &Review) -> Result<Report, Failure> {
    let started = Instant::now();
    let question = Question {
        fix: &args.fix,
        against: args.against.as_deref(),
        test: args.test.as_deref(),
        domain: args.domain.as_deref(),
        entry: args.entry.as_deref(),
        distance: args.distance,
        unguided: args.unguided,
        limit: Duration::from_secs(args.time_limit),
        runs: args.runs,
        inputs: args.inputs,
        seed: args.seed,
        strict: args.strict,
    };
    let answer = review::answer(&session.desk, &question)?;
    let mut report = Report::new(Body::Review(Box::new(answer.reviewed)));
    report.stats.solver_calls = answer.questions;
    report.stats.builds = answer.builds;
    report.stats.test_runs = answer.runs;
    report.stats.seconds = started.elapsed().as_secs_f64();
    report.problems = answer.problems;
    report.interrupted = session.desk.is_cancelled();
    report.partial = report.interrupted;
    Ok(report)
}
