//! `whydunit record`

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use whydunit_findings::{Exit, Report};

use crate::failure::Failure;
use crate::session::Session;

/// Record a run: a test of the suite, or any command
///
/// Every process with captured code leaves a recording of its own below .whydunit. A run that crashes, hangs or is killed
/// is recorded up to its end.
#[derive(Args, Debug)]
#[command(
    group = ArgGroup::new("what").required(true).args(["test", "command"]),
    after_help = "Examples:\n  whydunit record tall                 the test `tall`\n  \
                  whydunit record --check tall         and replay it at once\n  whydunit record -- ./tool -v file"
)]
pub struct Record {
    /// The test
    pub test: Option<String>,
    /// Replay at once: verifies the recording and looks for memory errors
    #[arg(long)]
    pub check: bool,
    /// Where the recordings go [default: .whydunit/recordings]
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The command to record
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Records and tells where the recordings are.
pub fn run(_session: &Session, _args: &Record) -> Result<Report, Failure> {
    Err(Failure::new(Exit::Internal, "this command is not part of this build"))
}
