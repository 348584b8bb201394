//! Where a value comes from: the way back from it through its causes.

mod freed;

use std::collections::HashSet;

use whydunit_causes::failure::Failure;
use whydunit_causes::walk::{Cause, Dependence, When};
use whydunit_causes::why;
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, convert};
use whydunit_findings::{Problem, Step, StepKind, Why};
use whydunit_recording::RunEnd;
use whydunit_replay::Position;

use crate::Error;
use crate::processes::{failed, failure, latest_failing};

/// For each step that is shown so many are looked at, as those in the library are left out.
const LOOKED_AT: usize = 8;

/// Which execution of a line is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Execution {
    /// The last one up to the failure.
    #[default]
    Failing,
    /// The first one.
    First,
    /// The last one.
    Last,
    /// That with this number, from 1.
    Number(u64),
}

/// What is asked.
pub struct Question<'a> {
    /// A path, or the name of a recorded test; `None`: the latest recording.
    pub recording: Option<&'a str>,
    /// A variable, or a member or element of one; `None`: why the line ran, or did not.
    pub variable: Option<&'a str>,
    /// The end of a source's path, and a line from 1; `None`: where the run failed.
    pub place: Option<(&'a str, u32)>,
    /// Which of the line's executions.
    pub execution: Execution,
    /// So many steps at most.
    pub steps: usize,
    /// Steps in the system's libraries, too.
    pub library: bool,
}

/// The causes of a value, and what should be known about the recording.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<(Why, Vec<Problem>), Error> {
    let &Question { recording, place, execution, .. } = question;
    let mut opened = failed(desk, recording)?;
    let mut failure = match (place, execution) {
        (Some(_), Execution::First | Execution::Last | Execution::Number(_)) => None,
        // Elsewhere a run fails at its end.
        (Some(_), Execution::Failing) if fails_at_end(desk, &opened) => None,
        _ => failure(desk, &opened)?,
    };
    if (recording, place, &failure) == (None, None, &None)
        && let Some((other, found)) = latest_failing(desk)?
    {
        let test = other.recording.info().run.test.as_deref();
        let of = test.map_or_else(|| other.ran.path.clone(), |test| format!("test {test}"));
        let note = Problem::new(format!("the latest recorded run did not fail; this is the latest that did, of {of}"));
        (opened, failure) = (other, Some(found));
        opened.problems.push(note);
    }
    let (why, _) = walked(desk, &opened, failure.as_ref(), question)?;
    Ok((why, opened.problems))
}

/// A step, and when it was executed; `None` where that is not known, or it was there from the start.
pub(crate) type Timed = (Step, Option<When>);

/// The causes of a value of an opened recording, whose run failed so, and when each was executed.
pub(crate) fn walked(
    desk: &Desk,
    opened: &Opened,
    failure: Option<&Failure>,
    question: &Question<'_>,
) -> Result<(Why, Vec<Option<When>>), Error> {
    let &Question { variable, place, execution, steps, library, .. } = question;
    let failed = failure.and_then(|failure| Some((failure, failure.position.as_ref()?)));
    // The walk begins where an exception was thrown that made a check fail, or where a framework decided that one fails.
    let (file, line) = match (place, failed) {
        (Some(place), _) => place,
        (None, Some((failure, position))) => {
            let thrown = failure.thrown.as_ref().map(|(thrown, _)| thrown);
            let begin = thrown.or(failure.decided.as_ref()).unwrap_or(position);
            (&begin.file[..], begin.loc.line)
        }
        (None, None) => return Err(Error::NoFailure),
    };
    let before = failed.map_or(why::Execution::Last, |(failure, _)| {
        let thrown = failure.thrown.as_ref().filter(|_| place.is_none());
        why::Execution::Before(thrown.map_or(failure.instruction, |(_, instruction)| *instruction))
    });
    let asked = why::Question {
        variable: variable.map(Into::into),
        file: file.into(),
        line,
        execution: match execution {
            Execution::First => why::Execution::Number(1),
            Execution::Number(number) => why::Execution::Number(number),
            Execution::Last => why::Execution::Last,
            Execution::Failing => before,
        },
        failed: place.is_none(),
        steps: if library { steps } else { steps.saturating_mul(LOOKED_AT) },
    };
    let task = desk.task("replaying", None);
    let answer = why::why(&opened.program, &opened.recording, &asked);
    drop(task);
    let answer = answer.map_err(|error| Error::Why { error, place: format!("{file}:{line}") })?;
    let shown = shown(&answer.causes, library).take(steps);
    let several = answer.causes.iter().any(|cause| cause.thread != 0);
    let sources = desk.sources();
    let step = |cause: &Cause| (convert::step(&sources, &desk.project, cause, several), cause.when);
    let mut steps: Vec<Timed> = shown.map(step).collect();
    if let (None, Some((Failure { decided: Some(_), thrown: None, .. }, position)), Some((first, _))) =
        (place, failed, steps.first_mut())
    {
        first.location = convert::location(&desk.project, position);
    }
    leave_out_idle(&mut steps);
    freed::follow(desk, opened, &mut steps).map_err(|error| Error::Show(error.into()))?;
    let end = convert::outcome(&answer.end);
    let divergence = answer.end.as_ref().err().map(|divergence| convert::divergence(&desk.project, divergence));
    let ran = variable.is_none().then_some(answer.ran);
    let predicate = failed.filter(|_| place.is_none()).map(|(failure, _)| failure.message.clone());
    let (steps, whens) = steps.into_iter().unzip();
    Ok((Why { steps, end, divergence, ran, failure: predicate }, whens))
}

/// Whether a run can only fail where it ends: nothing is known of what it should print, and it does not go on after a check has failed,
/// as tests do.
fn fails_at_end(desk: &Desk, opened: &Opened) -> bool {
    desk.expected(&opened.recording).stdout.is_none() && *opened.recording.end() != RunEnd::Orderly
}

/// The causes of a value at a moment of a recorded run, the value first: so many steps at most, without those in libraries.
pub fn at(desk: &Desk, opened: &Opened, variable: &str, moment: why::Moment, steps: usize) -> Result<Vec<Step>, Error> {
    let asked = why::Question {
        variable: Some(variable.into()),
        file: String::new(),
        line: 0,
        execution: why::Execution::At(moment),
        failed: false,
        steps: steps.saturating_mul(LOOKED_AT),
    };
    let task = desk.task("replaying", None);
    let answer = why::why(&opened.program, &opened.recording, &asked);
    drop(task);
    let answer = answer.map_err(|error| Error::Why { error, place: variable.into() })?;
    let several = answer.causes.iter().any(|cause| cause.thread != 0);
    let sources = desk.sources();
    let shown = shown(&answer.causes, false).take(steps);
    Ok(shown.map(|cause| convert::step(&sources, &desk.project, cause, several)).collect())
}

/// Leaves out steps that say what a step before them said, as rounds of a loop do, and those that only name a line again that one named: a call
/// that let it run, or a condition whose text is not known.
fn leave_out_idle(steps: &mut Vec<Timed>) {
    let line = |step: &Step| step.location.as_ref().map(|location| (location.file.clone(), location.line));
    let (mut named, mut told) = (HashSet::new(), HashSet::new());
    steps.retain(|(step, _)| {
        let column = step.location.as_ref().map(|location| location.column);
        let words = [Some(&step.variable), Some(&step.value), step.condition.as_ref(), step.note.as_ref()]
            .map(Option::<&String>::cloned);
        if !told.insert((
            line(step),
            column,
            words,
            [StepKind::Control, StepKind::Kept].contains(&step.kind),
            step.thread,
        )) {
            return false;
        }
        let is_idle = step.kind == StepKind::Control && step.value.is_empty() && step.condition.is_none();
        named.insert(line(step)) || !is_idle
    });
}

/// The steps without those in the library, and those that the compiler made. The value asked for and what came from outside stay.
fn shown(causes: &[Cause], library: bool) -> impl Iterator<Item = &Cause> {
    let own = |position: &Position| !position.file.is_empty() && !position.in_library();
    let own = move |cause: &Cause| cause.position.as_ref().is_none_or(own);
    let stays =
        move |(index, cause): &(usize, &Cause)| library || *index == 0 || cause.kind == Dependence::Input || own(cause);
    causes.iter().enumerate().filter(stays).map(|(_, cause)| cause)
}
