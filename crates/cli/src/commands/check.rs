//! `whydunit check`

use std::path::PathBuf;

use clap::Args;
use whydunit_findings::Report;
use whydunit_inquiry::check::{self, Question};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Find calls that are wrong in the state that their object is in
///
/// Looks through the captured program, without running it: a stream that is used after it was closed, memory that is freed twice, a
/// mutex that is locked twice by one thread.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit check                        with the models that come with the tool\n  \
                        whydunit check port.model             with one of your own\n  \
                        whydunit check --class FILE           of one class only\n  \
                        whydunit check --format sarif -o out  for code scanning"
)]
pub struct Check {
    /// Files with models, instead of those that come with the tool
    #[arg(value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Check this class only
    #[arg(long, value_name = "CLASS")]
    pub class: Option<String>,
    /// Tell calls, too, of which a model says nothing
    #[arg(long)]
    pub strict: bool,
    /// Follow an object through so many calls
    #[arg(long, value_name = "N", default_value_t = check::DEPTH)]
    pub depth: usize,
    /// Leave out the reports that this file has
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write all reports to this file, as a baseline
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub write_baseline: Option<PathBuf>,
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// The reports.
pub fn run(session: &Session, args: &Check) -> Result<Report, Failure> {
    let question = Question {
        models: &args.models,
        class: args.class.as_deref(),
        strict: args.strict,
        depth: args.depth,
        baseline: args.baseline.as_deref(),
        write_baseline: args.write_baseline.as_deref(),
    };
    Ok(check::answer(&session.desk, &question)?.report())
}
