//! `whydunit explain`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_findings::{Body, Problem, Report};

use whydunit_desk::{Desk, Output};
use whydunit_inquiry::explain::{self, Answer, Asked, Bisected, Bisection, Ended, Method, Question, SoFar, Versions};

use super::answer_file::{self, AnswerFile};
use crate::failure::Failure;
use crate::names;
use crate::patience::awaited;
use crate::session::Session;

/// Find which changes broke a test, and how they lead to the failure
///
/// Takes the difference between a good and a bad version apart into its smallest changes, records the failing test of the bad one,
/// and goes back from the failure along what caused it. Where changes lie among the causes, versions with some of them reverted
/// are built and tested, until a set is found with which reverted the test passes, and with no less. All is built in folders below
/// .whydunit: the work tree, the index and the references of git stay as they are. Where it is ended before it is done, by Ctrl-C or a limit,
/// the least set is told that is known by then, and the same command goes on from there.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  whydunit explain --good v1.4              the only failing test, since that tag\n  \
                        whydunit explain --good HEAD~20 parse_empty\n  \
                        whydunit explain --good ../old --bad ../new --method dd\n  \
                        whydunit explain --change change.diff      a change that is in the files, or is to come into them\n  \
                        whydunit explain --good v1.4 --patch cause.diff && git apply -R cause.diff"
)]
pub struct Explain {
    /// The failing test [default: the only one that fails]
    pub test: Option<String>,
    /// A version in which the test passes: a git revision, or a folder
    #[arg(long, value_name = "REV|DIR", required_unless_present_any = ["change", "patch"])]
    pub good: Option<String>,
    /// The version in which it fails [default: the project's files as they are]
    #[arg(long, value_name = "REV|DIR")]
    pub bad: Option<String>,
    /// The patch that broke it, instead of two versions: one that the project's files hold, or else one that applies to them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["good", "bad", "bisect"])]
    pub change: Option<PathBuf>,
    /// First find the commit between the two revisions that broke the test, then the changes in it [default: where there are several commits,
    /// and more than 64 changes]
    #[arg(long)]
    pub bisect: bool,
    /// Look for the changes among all between the two revisions
    #[arg(long, conflicts_with = "bisect")]
    pub no_bisect: bool,
    /// How the changes are found
    #[arg(long, value_parser = names::explain_method(), default_value = Method::default().name())]
    pub method: Method,
    /// Seconds for finding causes; then the changes are found by trying alone
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    pub time_limit: u64,
    /// Seconds for all of it; then what is known is told
    #[arg(long, value_name = "SECONDS")]
    pub within: Option<u64>,
    /// Versions that are built at most; then what is known is told
    #[arg(long, value_name = "N")]
    pub builds: Option<u64>,
    /// Versions that are built side by side [default: as many as there are processors, where it pays]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Write the changes at fault to this file, as a patch that `git apply -R` takes back. Without --good and --change it is read, as in
    /// earlier versions: the patch that broke the test
    #[arg(long, value_name = "FILE")]
    pub patch: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

impl Explain {
    /// The patch that broke the test.
    fn change(&self) -> Option<&PathBuf> {
        self.change.as_ref().or_else(|| self.patch.as_ref().filter(|_| self.good.is_none()))
    }

    /// The file that the patch is written to.
    fn patch_file(&self) -> Option<&PathBuf> {
        self.patch.as_ref().filter(|_| self.good.is_some() || self.change.is_some())
    }
}

/// Explains.
pub fn run(session: &Session, args: &Explain) -> Result<Report, Failure> {
    let so_far = Arc::new(SoFar::default());
    let whole = &session.desk.cancel;
    let deadline = args.within.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    let cancel = deadline.map_or_else(|| whole.clone(), |deadline| whole.by(deadline));
    let found = awaited(&cancel, {
        let (desk, args, so_far) = (session.desk.beside(cancel.clone()), args.clone(), Arc::clone(&so_far));
        move || searched(&desk, &args, &so_far)
    })?;
    let mut report = match found {
        Some(report) => report?,
        None => {
            let interrupted = cancel.flag().load(Ordering::Relaxed);
            let ended = if interrupted { Ended::Interrupted } else { Ended::Time };
            so_far.answer(ended).map(report).ok_or(whydunit_desk::Error::Interrupted)?
        }
    };
    if let (Some(path), Body::Explain(explained)) = (args.patch_file(), &report.body) {
        Output::open(path)?.write(explained.patch.as_bytes())?;
    }
    report.problems.extend(answer_file::is_no_patch(&args.answer));
    Ok(report)
}

fn report(answer: Answer) -> Report {
    let mut report = Report::new(Body::Explain(Box::new(answer.explained)));
    report.partial = answer.ended.is_some();
    report.stats.builds = answer.builds;
    report.stats.test_runs = answer.runs;
    report.problems = answer.problems;
    report
}

fn searched(desk: &Desk, args: &Explain, so_far: &SoFar) -> Result<Report, Failure> {
    let mut versions = match (&args.good, args.change()) {
        (_, Some(patch)) => Versions::around(&desk.project, patch)?,
        (Some(good), None) => Versions::read(&desk.project, &Asked { good, bad: args.bad.as_deref() })?,
        (None, None) => return Err(Failure::usage("nothing says which version is good").advice("name one with --good")),
    };
    let (mut commit, mut builds, mut runs) = (None, 0, 0);
    let by_default = !args.no_bisect && args.method == Method::After;
    if args.bisect || by_default && explain::is_worth_it(&versions)? {
        let asked = Bisection { test: args.test.as_deref(), asked: args.bisect, builds: args.builds, so_far };
        let found = match explain::bisect(desk, versions, &asked) {
            Ok(found) => found,
            Err(error) => return Ok(report(explain::what_is_known(desk, so_far, error)?)),
        };
        Bisected { versions, commit, builds, runs } = found;
    }
    let question = Question {
        versions: &versions,
        test: args.test.as_deref(),
        method: args.method,
        limit: Duration::from_secs(args.time_limit),
        builds: args.builds.map(|most| most.saturating_sub(builds)),
        jobs: args.jobs.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
        so_far,
    };
    let mut answer = explain::answer(desk, &question)?;
    answer.explained.commit = commit;
    answer.builds += builds;
    answer.runs += runs;
    answer.problems.splice(0..0, versions.notes.iter().map(Problem::new));
    Ok(report(answer))
}
