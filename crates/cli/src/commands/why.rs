//! `whydunit why`

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::why::{self, Question};

use super::place::Place;
use crate::failure::Failure;
use crate::session::Session;

/// Walk back from a value to where it comes from
///
/// Starts at the last time that the line ran, and goes back step by step: the statement that gave the value, the values
/// that it was computed from, the conditions that let it run, until the value came from outside.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit why length at src/inflate.c:765\n  \
                        whydunit why 'state->length' at inflate.c:765 --recording tall")]
pub struct Why {
    /// A variable, or a member or element of one
    #[arg(value_name = "VAR")]
    pub variable: String,
    /// The word `at`
    #[arg(value_name = "at", value_parser = ["at"], hide_possible_values = true)]
    pub at: String,
    /// Where
    #[arg(value_name = "FILE:LINE")]
    pub place: Place,
    /// A path, or the name of a recorded test [default: the latest]
    #[arg(long, value_name = "RECORDING")]
    pub recording: Option<String>,
    /// At most so many steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,
    /// Also show steps in headers of the system's libraries (templates and inline functions)
    #[arg(long)]
    pub library: bool,
}

/// The causes of a value.
pub fn run(session: &Session, args: &Why) -> Result<Report, Failure> {
    let question = Question {
        recording: args.recording.as_deref(),
        variable: &args.variable,
        file: &args.place.file,
        line: args.place.line,
        steps: args.steps,
        library: args.library,
    };
    let (answer, problems) = why::answer(&session.desk, &question)?;
    let mut report = Report::new(Body::Why(answer));
    report.problems = problems;
    Ok(report)
}
