//! `whydunit why`

use clap::Args;
use whydunit_findings::{Body, Report};
use whydunit_inquiry::why::{self, Execution, Question};

use super::answer_file::AnswerFile;
use super::place::Place;
use crate::failure::Failure;
use crate::session::Session;

/// Walk back from a value to where it comes from
///
/// Starts at the last time that the line ran, and goes back step by step: the statement that gave the value, the values
/// that it was computed from, the conditions that let it run, until the value came from outside.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  whydunit why                          from where the run failed\n  \
                        whydunit why parse.c:120              why that line ran, or did not\n  whydunit why length at src/inflate.c:765\n  \
                        whydunit why 'state->length' at inflate.c:765 --recording tall")]
pub struct Why {
    /// A variable, or a member or element of one; or FILE:LINE alone: why that line ran, or did not; nothing: why the run failed
    #[arg(value_name = "VAR")]
    pub variable: Option<String>,
    /// The word `at`
    #[arg(value_name = "at", value_parser = ["at"], hide_possible_values = true, requires = "place")]
    pub at: Option<String>,
    /// Where
    #[arg(value_name = "FILE:LINE")]
    pub place: Option<Place>,
    /// Which execution of the line: a number, `first`, `last`, or `failing`, the last one up to the failure
    #[arg(long, value_name = "N", default_value = "failing", value_parser = execution)]
    pub execution: Execution,
    /// A path, or the name of a recorded test [default: the latest]
    #[arg(long, value_name = "RECORDING")]
    pub recording: Option<String>,
    /// At most so many steps
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub steps: usize,
    /// Also show steps in headers of the system's libraries (templates and inline functions)
    #[arg(long)]
    pub library: bool,
    #[command(flatten)]
    pub answer: AnswerFile,
}

fn execution(text: &str) -> Result<Execution, String> {
    match text {
        "failing" => Ok(Execution::Failing),
        "first" => Ok(Execution::First),
        "last" => Ok(Execution::Last),
        number => match number.parse() {
            Ok(number) if number > 0 => Ok(Execution::Number(number)),
            _ => Err("a number from 1 on, `first`, `last` or `failing`".into()),
        },
    }
}

/// The causes of a value.
pub fn run(session: &Session, args: &Why) -> Result<Report, Failure> {
    // A place alone stands where a variable does.
    let (variable, alone) = match (&args.variable, &args.place) {
        (Some(variable), Some(_)) => (Some(variable.as_str()), None),
        (Some(place), None) => (None, Some(place.parse::<Place>().map_err(Failure::usage)?)),
        _ => (None, None),
    };
    let place = args.place.as_ref().or(alone.as_ref());
    let question = Question {
        recording: args.recording.as_deref(),
        variable,
        place: place.map(|place| (place.file.as_str(), place.line)),
        execution: args.execution,
        steps: args.steps,
        library: args.library,
    };
    let (answer, problems) = why::answer(&session.desk, &question)?;
    let mut report = Report::new(Body::Why(answer));
    report.problems = problems;
    Ok(report)
}
