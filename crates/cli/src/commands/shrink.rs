//! `whydunit shrink`

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use whydunit_desk::Output;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::shrink::{self, Levels, Question};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// Make a failing test's input as small as it can be
///
/// Leaves out arguments, files, lines, brackets, words and characters and makes numbers simpler, as long as the test fails the
/// same way: by the same signal, exit status or limit, with the same message but for its numbers. Of a test that fails only by
/// what it prints a script must say whether the failure is still there. For cases (cases.jsonl, folders of cases), and
/// with a script for any file.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit shrink crash                 the case `crash` of the suite\n  \
                  whydunit shrink crash --keep args     with its arguments as they are\n  \
                  whydunit shrink --script still.sh in.lua -o small.lua\n\n\
                  A script runs in a folder with the files, with the arguments and standard input that are tried;\n\
                  WHYDUNIT_PROGRAM is the program. It exits with 0 where the failure is still there, with 1 where\n\
                  it is not, with 125 where that cannot be told.")]
pub struct Shrink {
    /// The failing case; with --script also a file
    #[arg(value_name = "TEST")]
    pub what: String,
    /// A program that says whether the failure is still there: exit status 0 yes, 1 no, 125 cannot tell
    #[arg(long, value_name = "SCRIPT")]
    pub script: Option<PathBuf>,
    /// What stays as it is: args, stdin, files, or the name of a file; can be given several times
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Leave out lines [default: lines, then tokens, then bytes]
    #[arg(long)]
    pub lines: bool,
    /// Leave out brackets, words, numbers and marks
    #[arg(long)]
    pub tokens: bool,
    /// Leave out characters
    #[arg(long)]
    pub bytes: bool,
    /// Seconds; when they are over the answer is the smallest input until then
    #[arg(long, value_name = "SECONDS", default_value_t = shrink::SECONDS)]
    pub time_limit: u64,
    /// Write the smaller case to this file, as a line of cases.jsonl; of a file on its own the smaller file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Runs at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl Shrink {
    fn levels(&self) -> Levels {
        match (self.lines, self.tokens, self.bytes) {
            (false, false, false) => Levels::ALL,
            (lines, tokens, bytes) => Levels { lines, tokens, bytes },
        }
    }
}

/// Makes smaller.
pub fn run(session: &Session, args: &Shrink) -> Result<Report, Failure> {
    let began = Instant::now();
    let output = args.output.as_deref().map(Output::open).transpose()?;
    let question = Question {
        what: &args.what,
        script: args.script.as_deref(),
        keep: &args.keep,
        levels: args.levels(),
        limit: Duration::from_secs(args.time_limit),
        jobs: args.jobs,
        output: output.zip(args.output.clone()),
    };
    let answer = shrink::answer(&session.desk, question)?;
    let mut report = Report::new(Body::Shrink(answer.shrunk));
    report.tests = answer.tests;
    report.stats.test_runs = answer.runs;
    report.stats.seconds = began.elapsed().as_secs_f64();
    report.problems = answer.problems;
    report.partial = answer.late;
    if answer.interrupted {
        session.fail_after_answer(
            Failure::new(Exit::TimeLimit, "interrupted: this is the smallest input until then")
                .advice("run the command again for the whole answer"),
        );
    }
    Ok(report)
}
