//! `whydunit show`

use clap::Args;
use whydunit_findings::{Exit, Report};

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
pub fn run(_session: &Session, _args: &Show) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}
