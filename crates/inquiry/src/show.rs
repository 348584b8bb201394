//! A recorded run told: its calls and output, where it failed, and what it did wrong.

use whydunit_desk::{Desk, convert};
use whydunit_findings::{OutlineEntry, Problem, Show};
use whydunit_workbench::{OutlineLimits, show};

use crate::Error;
use crate::processes::failed;

/// What is to be told.
pub struct Question<'a> {
    /// A path, or the name of a recorded test; `None`: the latest recording.
    pub recording: Option<&'a str>,
    /// How much of its outline.
    pub limits: OutlineLimits,
}

/// Tells a recorded run, and what should be known about the recording.
pub fn answer(desk: &Desk, question: Question<'_>) -> Result<(Show, Vec<Problem>), Error> {
    let opened = failed(desk, question.recording)?;
    let project = &desk.project;
    let expected = desk.expected(&opened.recording);
    let task = desk.task("replaying", None);
    let shown = show(opened.program, &opened.recording, expected, question.limits).map_err(Error::Show)?;
    drop(task);
    let several = shown.outline.iter().any(|entry| entry.thread != 0);
    let entry = |entry: &whydunit_causes::outline::OutlineEntry| OutlineEntry {
        depth: entry.depth as u32,
        kind: entry.kind.name().into(),
        location: entry.position.as_ref().and_then(|position| convert::location(project, position)),
        text: entry.text.clone(),
        thread: several.then_some(entry.thread),
    };
    let mut outline: Vec<OutlineEntry> = shown.outline.iter().map(entry).collect();
    let divergence = shown.end.as_ref().err();
    let end = convert::outcome(&shown.end);
    outline.push(OutlineEntry {
        depth: 0,
        kind: if divergence.is_some() { "divergence" } else { "exit" }.into(),
        location: divergence.and_then(|divergence| convert::location(project, &divergence.position)),
        text: format!("the {} {end}", if divergence.is_some() { "replay" } else { "run" }),
        thread: None,
    });
    let divergence = divergence.map(|divergence| convert::divergence(project, divergence));
    let failure = shown.failure.map(|failure| Box::new(convert::failure(project, failure)));
    let errors = convert::errors(project, &shown.memory_errors, &shown.undefined);
    let told = Show { recording: opened.ran, outline, end, divergence, failure, errors };
    Ok((told, opened.problems))
}
