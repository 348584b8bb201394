//! `whydunit init`

use clap::Args;
use whydunit_findings::{Exit, Report};

use crate::failure::Failure;
use crate::session::Session;

/// Write whydunit.toml with what can be found out about the project
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit init\n  whydunit init --force      write it anew")]
pub struct Init {
    /// Replace an existing whydunit.toml
    #[arg(long)]
    pub force: bool,
}

/// Writes the configuration and tells what it decided.
pub fn run(_session: &Session, _args: &Init) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}
