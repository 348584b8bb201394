//! `whydunit history`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use whydunit_findings::{Body, History, Report};
use whydunit_inquiry::history::{self, Question, Side};

use crate::failure::Failure;
use crate::session::Session;

/// Find bugs in a git repository's history, with their tests and the lines that matter
///
/// Commits that say that they fix something are built and tested on both sides, in folders of their own; the repository is only read.
/// What is found is a catalogue of bugs, which `whydunit score` measures on. An interrupted run goes on where it stopped.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  whydunit history                        the bugs of this project's repository\n  \
                        whydunit history --since v1.0 --max 20  the newest twenty fixes since a revision\n  \
                        whydunit history ../other --config how.toml   another repository, built and tested as a file says\n  \
                        whydunit history --dry-run              which commits count as fixes, and how much speaks for it\n  \
                        whydunit history --format html -o page.html   with plots\n  \
                        whydunit history list --where 'fingerprint=KZ lines<10'\n  \
                        whydunit history show 1f3a              one bug, with the least part of its fix\n  \
                        whydunit history checkout 1f3a --side pre /tmp/bug"
)]
pub struct HistoryArgs {
    #[command(subcommand)]
    command: Option<Part>,
    /// The repository's folder, a bare one or one with a work tree [default: the project's]
    repo: Option<PathBuf>,
    /// Leave commits out that lead to this revision
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Look at the history of this revision
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    until: String,
    /// Examine at most so many fixes, the newest
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max: Option<u32>,
    /// The folder of the catalogue [default: .whydunit/history]
    #[arg(long, value_name = "FOLDER", global = true)]
    catalogue: Option<PathBuf>,
    /// An export of the bug tracker, as CSV or JSON: it raises and lowers the trust in messages
    #[arg(long, value_name = "FILE")]
    tracker: Option<PathBuf>,
    /// Build and test all versions as this whydunit.toml says
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Run failing tests, and those that passed after they failed, so often again
    #[arg(long, value_name = "N", default_value = "2")]
    again: u32,
    /// Make a fix smaller by at most so many builds
    #[arg(long, value_name = "N", default_value = "200")]
    builds: u64,
    /// Look for the commit that each bug came with
    #[arg(long)]
    introduced: bool,
    /// Examine fixes of several bugs, and several fixes of one bug, too
    #[arg(long)]
    several: bool,
    /// Each commit is a version: examine all, and take each test that one mends for a bug
    #[arg(long)]
    versions: bool,
    /// Only tell which commits count as fixes: build nothing, write nothing
    #[arg(long)]
    dry_run: bool,
    /// Let warnings that a version makes errors end its build
    #[arg(long)]
    strict: bool,
    /// Forget what is known from earlier runs
    #[arg(long)]
    fresh: bool,
    /// Write the answer to this file
    #[arg(long, short, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
}

/// What else there is to do with a catalogue.
#[derive(Subcommand, Debug)]
enum Part {
    /// List the bugs of the catalogue, for example `whydunit history list --where 'lines<10'`
    List {
        /// Conditions that all hold, as in 'fingerprint=KZ lines<10'
        #[arg(long = "where", value_name = "CONDITIONS")]
        conditions: Option<String>,
    },
    /// Show one bug of the catalogue, for example `whydunit history show 1f3a`
    Show {
        /// The beginning of its name
        id: String,
    },
    /// Lay out one side of a bug, for example `whydunit history checkout 1f3a --side pre /tmp/bug`
    Checkout {
        /// The beginning of its name
        id: String,
        /// The folder, which is empty or not there
        folder: PathBuf,
        /// Which side
        #[arg(long, value_enum, default_value = "pre")]
        side: SideName,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum SideName {
    /// The parent of the fix, with the tests of the fix
    Pre,
    /// The parent as it was committed
    Parent,
    /// The fix
    Post,
}

/// Mines a repository, or tells of its catalogue.
pub fn run(session: &Session, args: &HistoryArgs) -> Result<Report, Failure> {
    let (desk, folder) = (&session.desk, args.catalogue.as_deref());
    let told = |history: History| Ok(Report::new(Body::History(Box::new(history))));
    match &args.command {
        Some(Part::List { conditions }) => return told(history::list(desk, folder, conditions.as_deref())?),
        Some(Part::Show { id }) => return told(history::show(desk, folder, id)?),
        Some(Part::Checkout { id, folder: to, side }) => {
            let side = match side {
                SideName::Pre => Side::Pre,
                SideName::Parent => Side::Parent,
                SideName::Post => Side::Post,
            };
            return told(history::check_out(desk, folder, id, side, to)?);
        }
        None => {}
    }
    let question = Question {
        repository: args.repo.as_deref(),
        newest: &args.until,
        since: args.since.as_deref(),
        most: args.max.map(|most| most as usize),
        catalogue: folder,
        tracker: args.tracker.as_deref(),
        config: args.config.as_deref(),
        reruns: args.again,
        builds: args.builds,
        introduced: args.introduced,
        several: args.several,
        versions: args.versions,
        dry_run: args.dry_run,
        strict: args.strict,
        fresh: args.fresh,
        write: &whydunit_render::catalogue,
    };
    let answer = history::answer(desk, &question)?;
    let mut report = Report::new(Body::History(Box::new(answer.history)));
    report.problems = answer.problems;
    report.stats.builds = answer.builds;
    report.stats.test_runs = answer.runs;
    report.interrupted = answer.interrupted;
    report.partial = answer.interrupted;
    Ok(report)
}
