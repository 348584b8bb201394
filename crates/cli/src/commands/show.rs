//! `whydunit show`

use clap::Args;
use whydunit_desk::convert;
use whydunit_findings::{self as findings, Body, OutlineEntry, Report};
use whydunit_workbench::{OutlineLimits, show};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

/// Show a recording: its calls, its output, and where it failed, with the variables in scope
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit show                  the latest recording\n  whydunit show tall             that of the test `tall`\n  \
                        whydunit show --depth 3 tall   calls down to depth 3"
)]
pub struct Show {
    /// A path, or the name of a recorded test [default: the latest]
    pub recording: Option<String>,
    /// Calls deeper than this are left out
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub depth: u32,
    /// At most so many lines of outline; the first and the last are kept
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub lines: usize,
}

/// Outline and failure of a run.
pub fn run(session: &Session, args: &Show) -> Result<Report, Failure> {
    let desk = &session.desk;
    let opened = desk.recording(args.recording.as_deref())?;
    let project = &desk.project;
    let expected = desk.expected(&opened.recording);
    let limits = OutlineLimits { lines: args.lines, depth: args.depth as usize };
    let task = desk.task("replaying", None);
    let shown = show(opened.program, &opened.recording, expected, limits)
        .map_err(|error| Failure::new(Exit::Internal, whydunit_desk::chain(&error)))?;
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
    let failure = shown.failure.map(|failure| convert::failure(project, failure));
    let memory_errors = shown.memory_errors.iter().map(|error| convert::memory_error(project, error)).collect();
    let mut report = Report::new(Body::Show(findings::Show {
        recording: opened.ran,
        outline,
        end,
        divergence,
        failure,
        memory_errors,
    }));
    report.problems = opened.problems;
    Ok(report)
}
