//! `whydunit doctor`

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::doctor;

use super::answer_file::AnswerFile;
use crate::failure::Failure;
use crate::session::Session;

/// Say what is installed, what is missing, and what to type
///
/// Looks at the tools, at what the kernel allows, at what is kept on the disk, and at the project here: which build and which tests
/// are found. Builds nothing and runs no test. Ends with 1 where something is missing that is needed.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit doctor\n  whydunit doctor --project ../parser\n  whydunit doctor --format json"
)]
pub struct Doctor {
    #[command(flatten)]
    pub answer: AnswerFile,
}

/// Looks.
pub fn run(session: &Session, _: &Doctor) -> Result<Report, Failure> {
    Ok(Report::new(Body::Doctor(doctor::answer(&session.desk, env!("CARGO_PKG_VERSION")))))
}
