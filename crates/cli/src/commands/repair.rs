//! `whydunit repair`

use std::io::{BufRead, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_desk::Output;
use whydunit_findings::{Grade, Patch, Problem, Report};
use whydunit_inquiry::repair::{self, LINES, Method, Question, WINDOWS};

use super::answer_file::{self, AnswerFile};
use crate::advice::NOT_APPLIED;
use crate::failure::Failure;
use crate::names;
use crate::session::Session;

/// Find a patch with which all tests pass: one expression or a guard
///
/// Locates the fault, and tries at the most suspicious statements what could stand there instead: what stands there with one
/// thing changed, other variables and constants, comparisons, sums. All of it is compiled into one program; one run of a test
/// gives the values of all, so that only what would change something is run. What passes is built by itself in a folder of ours
/// and must pass the whole suite.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit repair                        every failing test\n  \
                        whydunit repair tall --patches 1 --patch fix.diff && git apply fix.diff\n  \
                        whydunit repair tall --explain         and what tests show of each patch\n  \
                        whydunit repair --apply --yes          write the first patch that is verified into the sources")]
pub struct Repair {
    /// The failing tests that are to pass [default: all that fail]
    pub tests: Vec<String>,
    /// How many patches are looked for
    #[arg(long, value_name = "N", default_value_t = repair::PATCHES)]
    pub patches: NonZeroUsize,
    /// Seconds for all of it but the project's own build
    #[arg(long, value_name = "SECONDS", default_value_t = repair::SECONDS)]
    pub time_limit: u64,
    /// How many suspicious lines are looked at [default: 25, and the next ones as long as there is no patch and time is left]
    #[arg(long, value_name = "N")]
    pub top: Option<NonZeroUsize>,
    /// How patches are looked for
    #[arg(long, value_parser = names::repair_method(), default_value = Method::default().name())]
    pub method: Method,
    /// Write the first patch that is verified into the project's sources, after asking
    #[arg(long)]
    pub apply: bool,
    /// With --apply: where no patch is verified, the first one that is plausible
    #[arg(long, requires = "apply")]
    pub plausible: bool,
    /// Do not ask
    #[arg(long, requires = "apply")]
    pub yes: bool,
    /// Write the first patch to this file, for `git apply`
    #[arg(long, value_name = "FILE")]
    pub patch: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
    /// Tell of each patch what tests show of it: the values of what stands there, and those of what the patch puts there
    #[arg(long)]
    pub explain: bool,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// Repairs.
pub fn run(session: &Session, args: &Repair) -> Result<Report, Failure> {
    let started = Instant::now();
    let patch_file = args.patch.as_deref().map(Output::open).transpose()?;
    if args.apply {
        repair::may_apply(&session.desk.project)?;
    }
    let question = Question {
        method: args.method,
        tests: &args.tests,
        patches: args.patches.get(),
        lines: args.top.map_or(LINES, NonZeroUsize::get),
        windows: if args.top.is_some() { 1 } else { WINDOWS },
        limit: Duration::from_secs(args.time_limit),
        jobs: args.jobs,
        explain: args.explain,
    };
    let mut answer = repair::answer(&session.desk, &question)?;
    if let (Some(file), Some(patch)) = (patch_file, answer.repaired.patches.first()) {
        file.write(&patch.diff_bytes)?;
    }
    answer.problems.extend(answer_file::is_no_patch(&args.answer));
    if args.apply {
        let applied = apply(&session.desk.project, &answer.repaired.patches, args);
        // What was found is told all the same.
        let failed =
            |failure: Failure| Problem::new(format!("the patch is not written: {}", failure.line())).help(NOT_APPLIED);
        answer.problems.push(applied.unwrap_or_else(failed));
    }
    Ok(answer.report(started.elapsed().as_secs_f64(), session.desk.is_cancelled()))
}

/// Writes the first verified patch into the sources, or where that is allowed the first plausible one, once somebody has agreed;
/// what should be known.
fn apply(project: &Path, patches: &[Patch], args: &Repair) -> Result<Problem, Failure> {
    let verified = patches.iter().find(|patch| patch.grade == Grade::Verified);
    let plausible = || patches.iter().find(|patch| args.plausible && patch.stands());
    let Some(patch) = verified.or_else(plausible) else {
        let problem = Problem::new("nothing is applied: no patch is verified");
        return Ok(match patches.iter().any(Patch::stands) {
            true => problem.help("read it, and apply it with `--plausible`, or write it to a file by `--patch FILE`"),
            false => problem,
        });
    };
    if !args.yes && !agrees(patch) {
        return Ok(Problem::new("nothing is applied").help("`--apply --yes` applies without asking"));
    }
    repair::apply(project, patch)?;
    let places: Vec<String> = patch.replacements().map(|replaced| replaced.location.to_string()).collect();
    Ok(Problem::new(format!("the patch of {} is written", places.join(" and "))))
}

/// Asks on the terminal; nobody agrees where there is none.
fn agrees(patch: &Patch) -> bool {
    let (input, mut output) = (std::io::stdin(), std::io::stderr());
    if !input.is_terminal() || !output.is_terminal() {
        return false;
    }
    write!(output, "{}apply this patch? [y/N] ", patch.diff).ok();
    let mut answer = String::new();
    input.lock().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}
