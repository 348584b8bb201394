//! `whydunit cases`

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use whydunit_desk::convert;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::cases::{self, Question};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Make cases of the runs of a program that a script or another command drives
///
/// Runs the command in the project's folder and observes each run of the project's program: its arguments, its input, the files that it
/// reads, and what it prints. Each becomes a case with a folder of its own, so that `locate`, `repair` and the others can run the tests
/// one by one. What a case must print is what the run printed, where the script that drove it ended well; else the file that the command
/// compares it with (`diff`, `cmp`, `git diff`, or a file that it reads and that is called like the run's input). Each case is run by
/// itself before it is written; what does otherwise then, and runs of which nobody says what is right, are left out and counted.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit cases -- make check                       the runs of the only program that was built\n  \
                        whydunit cases --program ./calc -- sh tests/run.sh\n  \
                        whydunit cases --table tests/cases.jsonl -- python3 tests/run.py"
)]
pub struct Cases {
    #[command(flatten)]
    pub answer: AnswerFile,
    /// The table that is written, in the project's folder; long texts lie in a folder beside it
    #[arg(long, value_name = "FILE", default_value = "cases.jsonl")]
    pub table: PathBuf,
    /// A table that is there is replaced
    #[arg(long)]
    pub replace: bool,
    /// The program whose runs become cases [default: the project's executable, or the one that is run most often]
    #[arg(long, value_name = "PROGRAM")]
    pub program: Option<PathBuf>,
    /// The command that drives the program
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Makes cases.
pub fn run(session: &Session, args: &Cases) -> Result<Report, Failure> {
    let began = Instant::now();
    let question = Question {
        command: &args.command,
        table: &session.desk.project.join(&args.table),
        replace: args.replace,
        program: args.program.as_deref(),
    };
    let answer = cases::answer(&session.desk, &question)?;
    let mut report = Report::new(Body::Cases(answer.cases));
    report.tests = answer.tests.iter().map(convert::test).collect();
    report.stats.test_runs = answer.runs;
    report.stats.seconds = began.elapsed().as_secs_f64();
    report.problems = answer.problems;
    Ok(report)
}
