//! `whydunit build`

use std::ffi::OsString;

use clap::Args;
use whydunit_desk::prepare;
use whydunit_findings::{Body, Report};

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Capture the program while its own build runs
///
/// The command runs as it is, with CC and PATH pointing at whydunit, so that each compiler call also leaves bitcode. What
/// the build makes is what it would have made. Code is captured as the source has it; with `optimised = true` in the
/// section [build] of whydunit.toml, as optimised as the build asks for. Without a command: the one of whydunit.toml,
/// else what the project's files suggest (CMake, Meson, configure, make, plain .c files).
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit build -- make -j4\n  whydunit build -- sh -c './configure && make'\n  \
                        whydunit build -- cc -o tool tool.c -lm\n  whydunit build             the command of whydunit.toml")]
pub struct Build {
    #[command(flatten)]
    pub answer: AnswerFile,
    /// The project's own build command
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Runs the build under capture and tells what was captured.
pub fn run(session: &Session, args: &Build) -> Result<Report, Failure> {
    let project = session.desk.open_project()?;
    let build = prepare::build(&session.desk, &project, &args.command)?;
    Ok(Report::new(Body::Build(prepare::told(&project, &build))))
}
