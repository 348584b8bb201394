//! `whydunit demo`

use std::path::PathBuf;

use clap::Args;
use whydunit_findings::{Exit, Report};

use crate::failure::Failure;
use crate::session::Session;

/// The tour: build, test, record, replay, locate and why on a bundled program with a fault
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit demo\n  whydunit demo --keep tour     leave the program and its recordings in ./tour"
)]
pub struct Demo {
    /// Work in this new folder and leave it there
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Does the steps of the tour.
pub fn run(_session: &Session, _args: &Demo) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}
