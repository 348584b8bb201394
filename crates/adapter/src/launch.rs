//! Opens what is debugged: a recording, or a test's, which is recorded where it never was.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use whydunit_debugger::{EventKind, Session};
use whydunit_desk::{Cancel, Desk, prepare};
use whydunit_workbench::Recordings;

use crate::arguments::{Initialize, Launch, read};
use crate::handles::Handles;
use crate::progress::Events;
use crate::refusal::{Done, Refusal};
use crate::server::{Debugged, Server};
use crate::sources::Sources;

/// What the server can do, for a client that said what it can do.
pub fn initialize(server: &mut Server, arguments: &Value) -> Done {
    server.client = read::<Initialize>("initialize", arguments)?;
    let filter = |kind: &EventKind| {
        let (label, description) = match kind {
            EventKind::Failure => ("Point of failure", "Where the run failed: what decides the outcome of its test"),
            EventKind::Assertion => ("Failed assertions", "An assertion of C, C++ or Rust does not hold"),
            EventKind::Panic => ("Panics", "Rust panics"),
            EventKind::Abort => ("Aborts", "The program aborts"),
            EventKind::Throw => ("Thrown exceptions", "An exception of C++ is thrown"),
            EventKind::Memory => (
                "Memory errors",
                "An access outside of an object or after its end, or of what was never written; the run is checked once for it",
            ),
            EventKind::Undefined => (
                "Undefined behaviour",
                "What the language leaves undefined: overflows, shifts, divisions; the run is checked once for it",
            ),
        };
        let default = *kind == EventKind::Failure;
        json!({ "filter": kind.name(), "label": label, "description": description, "default": default })
    };
    let filters: Vec<Value> = EventKind::ALL.iter().map(filter).collect();
    Ok(json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsDataBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsGotoTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsExceptionOptions": false,
        "supportsDelayedStackTraceLoading": true,
        "supportsLoadedSourcesRequest": true,
        "supportsTerminateRequest": true,
        "supportsCancelRequest": true,
        "supportsCompletionsRequest": true,
        "completionTriggerCharacters": [".", ">", ":"],
        "supportsStepInTargetsRequest": true,
        "supportsSetVariable": false,
        "exceptionBreakpointFilters": filters,
    }))
}

/// Opens what a client wants to debug.
pub fn launch(server: &mut Server, command: &str, arguments: &Value, cancel: &Cancel) -> Result<(), Refusal> {
    let asked: Launch = read(command, arguments)?;
    if server.debugged.is_some() {
        return Err(Refusal::new("a recording is debugged already: `restart` goes to its beginning"));
    }
    if asked.test.is_some() && asked.recording.is_some() {
        return Err(Refusal::new("`test` and `recording` are both given: one of them is enough"));
    }
    let folder = asked.project.as_ref().map_or_else(|| server.project.clone(), |folder| server.project.join(folder));
    let events = Events::new(server.outgoing.clone(), server.client.supports_progress_reporting);
    let desk = Desk::new(&folder, cancel.clone(), Arc::new(events))?;
    let path = recording(&desk, &asked)?;
    let store = desk.store()?;
    let opened = desk.open_recording(&store, &path)?;
    for problem in &opened.problems {
        let help = problem.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        server.outgoing.output("important", format!("{}{help}\n", problem.message));
    }
    if let Some(shortfall) = desk.take_notes().shortfall {
        server.outgoing.output("important", format!("{shortfall}\n"));
    }
    let task = desk.task("looking over the run", None);
    let machine = opened.machine().map_err(|error| Refusal::new(error.to_string()))?;
    let told = |position| task.detail(&format!("{:.1} million operations", position as f64 / 1e6));
    let session = Session::open(machine, desk.expected(&opened.recording), cancel.clone(), told)?;
    drop(task);
    if !session.is_whole() {
        server.outgoing.output("important", format!("the run can be looked at up to there: {}\n", session.ending()));
    }
    let failure = session.failure().map(|event| event.position);
    let begin = failure.filter(|_| !asked.stop_on_entry).unwrap_or(session.start());
    let sources = Sources::new(session.sources().keys(), &desk.project);
    server.debugged = Some(Debugged {
        sources,
        desk,
        opened,
        begin,
        told: 0,
        session,
        handles: Handles::default(),
        started: false,
        checked: false,
        lines: Default::default(),
        functions: Vec::new(),
        number: 0,
        targets: Vec::new(),
        step_targets: Vec::new(),
    });
    Ok(())
}

/// The recording that is asked for.
fn recording(desk: &Desk, asked: &Launch) -> Result<PathBuf, Refusal> {
    let project = desk.open_project()?;
    let Some(test) = &asked.test else {
        let store = desk.store()?;
        return Recordings::of(&store)
            .find(asked.recording.as_deref())
            .map_err(|error| Refusal::new(error.to_string()));
    };
    if !asked.record
        && let Ok(store) = desk.store()
        && let Some(path) = kept(&Recordings::of(&store), test)
    {
        return Ok(path);
    }
    let run = prepare::record(desk, &project, test)?;
    run.recordings.into_iter().next().map(|kept| kept.path).ok_or_else(|| {
        Refusal::new("the test was run, but nothing of it could be kept: free some space and record again")
    })
}

/// The recording of a test, where it has one.
fn kept(recordings: &Recordings, test: &str) -> Option<PathBuf> {
    Some(recordings.path(test, 1)).filter(|path: &PathBuf| Path::is_file(path))
}
