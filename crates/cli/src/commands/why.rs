//! `whydunit why`

use clap::Args;
use whydunit_causes::walk::{Cause, Dependence};
use whydunit_causes::why::{Question, WhyError, why};
use whydunit_desk::convert;
use whydunit_findings::{self as findings, Body, Report};
use whydunit_replay::{Position, ReplayError};

use super::place::Place;
use crate::exit::Exit;
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

/// For each step that is shown so many are looked at, as those in the library are left out.
const LOOKED_AT: usize = 8;

/// The causes of a value.
pub fn run(session: &Session, args: &Why) -> Result<Report, Failure> {
    let desk = &session.desk;
    let opened = desk.recording(args.recording.as_deref())?;
    let question = Question {
        variable: args.variable.clone(),
        file: args.place.file.clone(),
        line: args.place.line,
        steps: if args.library { args.steps } else { args.steps.saturating_mul(LOOKED_AT) },
    };
    let task = desk.task("replaying", None);
    let answer = why(&opened.program, &opened.recording, &question);
    drop(task);
    let answer = answer.map_err(|error| {
        let exit = match &error {
            WhyError::Replay(ReplayError::Divergence(_)) => Exit::Internal,
            _ => Exit::Usage,
        };
        Failure::new(exit, &error).at(format!("{}:{}", args.place.file, args.place.line))
    })?;
    let steps = shown(&answer.causes, args.library).take(args.steps);
    let several = answer.causes.iter().any(|cause| cause.thread != 0);
    let steps = steps.map(|cause| convert::step(&desk.project, cause, several)).collect();
    let end = convert::outcome(&answer.end);
    let divergence = answer.end.as_ref().err().map(|divergence| convert::divergence(&desk.project, divergence));
    let mut report = Report::new(Body::Why(findings::Why { steps, end, divergence }));
    report.problems = opened.problems;
    Ok(report)
}

/// The steps without those in the library, and those that the compiler made. The value asked for and what came from outside stay.
fn shown(causes: &[Cause], library: bool) -> impl Iterator<Item = &Cause> {
    let own = |position: &Position| !position.file.is_empty() && !position.in_library();
    let own = move |cause: &Cause| cause.position.as_ref().is_none_or(own);
    let stays =
        move |(index, cause): &(usize, &Cause)| library || *index == 0 || cause.kind == Dependence::Input || own(cause);
    causes.iter().enumerate().filter(stays).map(|(_, cause)| cause)
}

#[cfg(test)]
mod tests {
    use crate::arguments::{Arguments, Command};
    use clap::Parser;

    #[test]
    fn the_command_reads_as_a_question() {
        let parse = |words: &str| Arguments::try_parse_from(words.split(' '));
        let arguments = parse("whydunit why p->n at a.c:7 --recording r").expect("it parses");
        let Command::Why(why) = arguments.command else { panic!("another command") };
        assert_eq!((why.variable.as_str(), why.place.line), ("p->n", 7));
        assert!(parse("whydunit why n in a.c:7").is_err());
        assert!(parse("whydunit why n at a.c").unwrap_err().to_string().contains("FILE:LINE"));
    }
}
