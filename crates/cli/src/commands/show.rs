//! `whydunit show`

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::show::{self, Question};
use whydunit_workbench::OutlineLimits;

use crate::failure::Failure;
use crate::session::Session;

/// Show a recording: its calls, its output, and where it failed, with the variables in scope
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit show                  the latest recording\n  whydunit show tall             that of the test `tall`\n  \
                        whydunit show --depth 3 tall   calls down to depth 3"
)]
pub struct Show {
    /// A path, or the name of a recorded test [default: the latest]
    pub recording: Option<String>,
    /// Calls deeper than this are left out
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub depth: u32,
    /// At most so many lines of outline; the first and the last are kept
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub lines: usize,
}

/// Outline and failure of a run.
pub fn run(session: &Session, args: &Show) -> Result<Report, Failure> {
    let limits = OutlineLimits { lines: args.lines, depth: args.depth as usize };
    let question = Question { recording: args.recording.as_deref(), limits };
    let (shown, problems) = show::answer(&session.desk, question)?;
    let mut report = Report::new(Body::Show(shown));
    report.problems = problems;
    Ok(report)
}
