//! `whydunit test`

use std::num::NonZeroUsize;

use clap::Args;
use whydunit_findings::{Exit, Report};

use crate::failure::Failure;
use crate::session::Session;

/// Run the test suite, side by side, each test in a fresh folder and within limits
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit test\n  whydunit test parser              the tests with `parser` in their names\n  \
                        whydunit test --again 5           run failing tests again, to tell the flaky ones"
)]
pub struct Test {
    /// Only tests with this in their names
    pub filter: Option<String>,
    /// Tests at a time [default: one for each processor]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Run each failing test so many times more: one that also passes is flaky
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub again: u32,
}

/// Runs the suite.
pub fn run(_session: &Session, _args: &Test) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}
