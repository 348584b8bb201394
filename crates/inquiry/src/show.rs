//! A recorded run told: its calls and output, where it failed, and what it did wrong.

mod moments;

use whydunit_desk::{Desk, convert};
use whydunit_findings::{OutlineEntry, Problem, Show};
use whydunit_workbench::{OutlineLimits, Shown, show};

use crate::Error;
use crate::processes::failed;

/// What is to be told.
pub struct Question<'a> {
    /// A path, or the name of a recorded test; `None`: the latest recording.
    pub recording: Option<&'a str>,
    /// How much of its outline.
    pub limits: OutlineLimits,
    /// So many moments of it at most, for a page to go through; `None`: none.
    pub moments: Option<usize>,
}

/// Tells a recorded run, and what should be known about the recording.
pub fn answer(desk: &Desk, question: Question<'_>) -> Result<(Show, Vec<Problem>), Error> {
    let mut opened = failed(desk, question.recording)?;
    let project = &desk.project;
    let expected = desk.expected(&opened.recording);
    let task = desk.task("replaying", None);
    let shown = show(opened.program.clone(), &opened.recording, expected, question.limits).map_err(Error::Show)?;
    drop(task);
    let moments = match question.moments {
        Some(most) => moments::of(desk, &mut opened, &shown, (question.limits.depth, most))?.map(Box::new),
        None => None,
    };
    let Shown { outline, failure, memory_errors, undefined, end } = shown;
    let several = outline.iter().any(|entry| entry.thread != 0);
    let entry = |entry: whydunit_causes::outline::OutlineEntry| OutlineEntry {
        depth: entry.depth as u32,
        kind: entry.kind.name().into(),
        location: entry.position.as_ref().and_then(|position| convert::location(project, position)),
        text: entry.text,
        thread: several.then_some(entry.thread),
    };
    let mut outline: Vec<OutlineEntry> = outline.into_iter().map(entry).collect();
    let divergence = end.as_ref().err();
    let ending = convert::outcome(&end);
    outline.push(OutlineEntry {
        depth: 0,
        kind: if divergence.is_some() { "divergence" } else { "exit" }.into(),
        location: divergence.and_then(|divergence| convert::location(project, &divergence.position)),
        text: format!("the {} {ending}", if divergence.is_some() { "replay" } else { "run" }),
        thread: None,
    });
    let divergence = divergence.map(|divergence| convert::divergence(project, divergence));
    let failure = failure.map(|failure| Box::new(convert::failure(project, failure)));
    let errors = convert::errors(project, &memory_errors, &undefined);
    let told = Show { recording: opened.ran, outline, end: ending, divergence, failure, errors, moments };
    Ok((told, opened.problems))
}
