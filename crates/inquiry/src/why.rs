//! Where a value comes from: the way back from it through its causes.

use whydunit_causes::walk::{Cause, Dependence};
use whydunit_causes::why;
use whydunit_desk::{Desk, convert};
use whydunit_findings::{Problem, Why};
use whydunit_replay::Position;

use crate::Error;

/// For each step that is shown so many are looked at, as those in the library are left out.
const LOOKED_AT: usize = 8;

/// What is asked.
pub struct Question<'a> {
    /// A path, or the name of a recorded test; `None`: the latest recording.
    pub recording: Option<&'a str>,
    /// A variable, or a member or element of one.
    pub variable: &'a str,
    /// The end of a source's path.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// So many steps at most.
    pub steps: usize,
    /// Steps in the system's libraries, too.
    pub library: bool,
}

/// The causes of a value, and what should be known about the recording.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<(Why, Vec<Problem>), Error> {
    let &Question { recording, variable, file, line, steps, library } = question;
    let opened = desk.recording(recording)?;
    let asked = why::Question {
        variable: variable.into(),
        file: file.into(),
        line,
        steps: if library { steps } else { steps.saturating_mul(LOOKED_AT) },
    };
    let task = desk.task("replaying", None);
    let answer = why::why(&opened.program, &opened.recording, &asked);
    drop(task);
    let answer = answer.map_err(|error| Error::Why { error, place: format!("{file}:{line}") })?;
    let shown = shown(&answer.causes, library).take(steps);
    let several = answer.causes.iter().any(|cause| cause.thread != 0);
    let sources = desk.sources();
    let steps = shown.map(|cause| convert::step(&sources, &desk.project, cause, several)).collect();
    let end = convert::outcome(&answer.end);
    let divergence = answer.end.as_ref().err().map(|divergence| convert::divergence(&desk.project, divergence));
    Ok((Why { steps, end, divergence }, opened.problems))
}

/// The steps without those in the library, and those that the compiler made. The value asked for and what came from outside stay.
fn shown(causes: &[Cause], library: bool) -> impl Iterator<Item = &Cause> {
    let own = |position: &Position| !position.file.is_empty() && !position.in_library();
    let own = move |cause: &Cause| cause.position.as_ref().is_none_or(own);
    let stays =
        move |(index, cause): &(usize, &Cause)| library || *index == 0 || cause.kind == Dependence::Input || own(cause);
    causes.iter().enumerate().filter(stays).map(|(_, cause)| cause)
}
