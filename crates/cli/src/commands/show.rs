//! `whydunit show`

use clap::Args;
use whydunit_findings::{self as findings, Body, Exit, OutlineEntry, Report};
use whydunit_workbench::{OutlineLimits, show};

use super::classes;
use crate::convert;
use crate::failure::{Failure, OrFail};
use crate::session::Session;

/// Show a recording: its calls, its output, and where it failed, with the variables in scope
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  whydunit show                  the latest recording\n  whydunit show tall             that of the test `tall`\n  \
                        whydunit show --depth 3 tall   calls down to depth 3\n  whydunit show --classes        \
                        the classes of the program, with their methods\n  whydunit show --classes Ring   those with `Ring` in their names"
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
    /// Show no recording but the classes of the captured program with their methods: all, or those with TEXT in their names
    #[arg(long, value_name = "TEXT", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["recording", "depth", "lines"])]
    pub classes: Option<String>,
    /// With --classes: those of libraries too
    #[arg(long, requires = "classes")]
    pub all: bool,
    /// With --classes: each instance of a template or generic type for itself
    #[arg(long, requires = "classes")]
    pub instances: bool,
}

/// Outline and failure of a run.
pub fn run(session: &Session, args: &Show) -> Result<Report, Failure> {
    if let Some(text) = &args.classes {
        let options = whydunit_classes::Options { instances: args.instances, libraries: args.all };
        return classes::run(session, Some(text.as_str()).filter(|text| !text.is_empty()), options);
    }
    let opened = session.recording(args.recording.as_deref())?;
    let project = &session.project;
    let expected = session.expected(&opened.recording);
    let limits = OutlineLimits { lines: args.lines, depth: args.depth as usize };
    let task = session.progress.task("replaying", None);
    let shown = show(opened.program, &opened.recording, expected, limits).or_fail(Exit::Internal)?;
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
