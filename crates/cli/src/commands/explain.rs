//! `whydunit explain`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use whydunit_findings::{Body, Problem, Report};

use whydunit_desk::Output;
use whydunit_inquiry::explain::{self, Asked, Bisected, Method, Question, Versions};

use crate::failure::Failure;
use crate::names;
use crate::session::Session;

/// Find which changes broke a test, and how they lead to the failure
///
/// Takes the difference between a good and a bad version apart into its smallest changes, records the failing test of the bad one,
/// and goes back from the failure along what caused it. Where changes lie among the causes, versions with some of them reverted
/// are built and tested, until a set is found with which reverted the test passes, and with no less. All is built in folders below
/// .whydunit: the work tree, the index and the references of git stay as they are.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit explain --good v1.4              the only failing test, since that tag\n  \
                        whydunit explain --good HEAD~20 parse_empty\n  \
                        whydunit explain --good ../old --bad ../new --method dd\n  \
                        whydunit explain --patch change.diff       a change that is in the files, or is to come into them\n  \
                        whydunit explain --good v1.4 -o cause.diff && git apply -R cause.diff"
)]
pub struct Explain {
    /// The failing test [default: the only one that fails]
    pub test: Option<String>,
    /// A version in which the test passes: a git revision, or a folder
    #[arg(long, value_name = "REV|DIR", required_unless_present = "patch")]
    pub good: Option<String>,
    /// The version in which it fails [default: the project's files as they are]
    #[arg(long, value_name = "REV|DIR")]
    pub bad: Option<String>,
    /// The patch that broke it, instead of two versions: one that the project's files hold, or else one that applies to them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["good", "bad", "bisect"])]
    pub patch: Option<PathBuf>,
    /// First find the commit between the two revisions that broke the test, then the changes in it
    #[arg(long)]
    pub bisect: bool,
    /// How the changes are found
    #[arg(long, value_parser = names::explain_method(), default_value = Method::default().name())]
    pub method: Method,
    /// Seconds for finding causes; then the changes are found by trying alone
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// Versions that are built side by side [default: as many as there are processors, where it pays]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Write the changes at fault to this file, as a patch that `git apply -R` takes back
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Explains.
pub fn run(session: &Session, args: &Explain) -> Result<Report, Failure> {
    let desk = &session.desk;
    let mut versions = match (&args.good, &args.patch) {
        (_, Some(patch)) => Versions::around(&desk.project, patch)?,
        (Some(good), None) => Versions::read(&desk.project, &Asked { good, bad: args.bad.as_deref() })?,
        (None, None) => return Err(Failure::usage("nothing says which version is good").advice("name one with --good")),
    };
    let (mut commit, mut builds, mut runs) = (None, 0, 0);
    if args.bisect {
        let found = explain::bisect(desk, versions, args.test.as_deref())?;
        Bisected { versions, commit, builds, runs } = found;
    }
    let limit = Duration::from_secs(args.time_limit);
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let question =
        Question { versions: &versions, test: args.test.as_deref(), method: args.method, limit, builds: None, jobs };
    let mut answer = explain::answer(desk, &question)?;
    answer.explained.commit = commit;
    if let Some(path) = &args.output {
        Output::open(path)?.write(answer.explained.patch.as_bytes())?;
    }
    let mut report = Report::new(Body::Explain(Box::new(answer.explained)));
    report.stats.builds = builds + answer.builds;
    report.stats.test_runs = runs + answer.runs;
    report.problems = versions.notes.iter().map(Problem::new).chain(answer.problems).collect();
    Ok(report)
}
