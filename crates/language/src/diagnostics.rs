//! Findings as diagnostics: what stands where, why, and what belongs to it.

use std::path::{Path, PathBuf};

use lsp_types::DiagnosticSeverity;
use serde_json::{Value, json};
use whydunit_findings::{Checked, Failure, Finding, Location, MemoryError, UndefinedBehaviour};
use whydunit_reports::{KeptLocate, KeptReview};

use crate::run::FailingRun;

/// A finding at its place, as the text was when it was made.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The file, its real path.
    pub path: PathBuf,
    /// Where in it.
    pub location: Location,
    /// What stands in its line, but for the space around it, where that is known: of another line it says nothing.
    pub line: Option<String>,
    /// How bad it is.
    pub severity: DiagnosticSeverity,
    /// Of which kind it is, in a word.
    pub code: String,
    /// In the words of the command that tells it.
    pub message: String,
    /// What belongs to it: places, and what is there.
    pub related: Vec<(PathBuf, Location, String)>,
    /// What actions need to know: `command`, and `test` where it is of a test's run.
    pub data: Value,
}

/// Where findings of a project are.
struct Places<'a>(&'a Path);

impl Places<'_> {
    fn path(&self, location: &Location) -> PathBuf {
        crate::paths::real(&self.0.join(&location.file))
    }

    fn related(&self, location: &Location, text: impl Into<String>) -> (PathBuf, Location, String) {
        (self.path(location), location.clone(), text.into())
    }

    /// Calls under way, the innermost first.
    fn calls(&self, stack: &[(String, Option<Location>)], what: &str) -> Vec<(PathBuf, Location, String)> {
        let called = stack.iter().filter_map(|(function, location)| Some((function, location.as_ref()?)));
        called.map(|(function, location)| self.related(location, format!("{what} {function}"))).collect()
    }
}

/// What `check` found.
pub fn of_check(project: &Path, checked: &Checked) -> Vec<Mark> {
    let places = Places(project);
    let mark = |misuse: &whydunit_findings::Misuse| Mark {
        path: places.path(&misuse.location),
        location: misuse.location.clone(),
        line: None,
        severity: if misuse.must { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING },
        code: misuse.grade.into(),
        message: misuse.message.clone(),
        related: misuse.path.iter().map(|step| places.related(&step.location, &step.what)).collect(),
        data: json!({ "command": "check", "certainty": misuse.certainty() }),
    };
    checked.misuses.iter().map(mark).collect()
}

/// Where a run failed, and what it did wrong to memory and else. Nothing is told of sources that have changed since.
pub fn of_run(project: &Path, run: &FailingRun) -> Vec<Mark> {
    let data = json!({ "command": "show", "test": run.told.recording.test });
    let places = Places(project);
    let failure = run.told.failure.as_deref().and_then(|failure| of_failure(&places, failure, run, &data));
    let errors = run.told.errors.memory.iter().filter_map(|error| of_memory(&places, error, &data));
    let undefined = run.told.errors.undefined.iter().filter_map(|found| of_undefined(&places, found, &data));
    let mut marks: Vec<Mark> = failure.into_iter().chain(errors).chain(undefined).collect();
    marks.retain(|mark| !is_changed(run, &mark.path));
    marks
}

fn is_changed(run: &FailingRun, path: &Path) -> bool {
    run.changed.iter().any(|changed| crate::paths::real(changed) == path)
}

fn of_failure(places: &Places<'_>, failure: &Failure, run: &FailingRun, data: &Value) -> Option<Mark> {
    let location = failure.location.as_ref()?;
    let predicate = failure.predicate.as_ref().map(|text| format!("\nshould have held: {text}")).unwrap_or_default();
    Some(Mark {
        path: places.path(location),
        location: location.clone(),
        line: None,
        severity: DiagnosticSeverity::ERROR,
        code: failure.kind.clone(),
        message: format!("{} fails here: {}{predicate}", run.name(), failure.message),
        related: places.calls(failure.stack.get(1..).unwrap_or_default(), "called in"),
        data: data.clone(),
    })
}

fn of_memory(places: &Places<'_>, error: &MemoryError, data: &Value) -> Option<Mark> {
    let location = error.location.as_ref()?;
    let mut related = places.calls(&error.stack, "called in");
    if let Some(object) = &error.object {
        related.extend(
            object
                .allocated
                .iter()
                .map(|at| places.related(at, format!("the {} object `{}`", object.kind, object.name))),
        );
        related.extend(object.freed.iter().map(|at| places.related(at, "freed here")));
    }
    Some(Mark {
        path: places.path(location),
        location: location.clone(),
        line: None,
        severity: DiagnosticSeverity::ERROR,
        code: error.kind.clone(),
        message: error.message.clone(),
        related,
        data: data.clone(),
    })
}

fn of_undefined(places: &Places<'_>, found: &UndefinedBehaviour, data: &Value) -> Option<Mark> {
    let location = found.location.as_ref()?;
    Some(Mark {
        path: places.path(location),
        location: location.clone(),
        line: None,
        severity: DiagnosticSeverity::WARNING,
        code: found.kind.clone(),
        message: found.message.clone(),
        related: places.calls(&found.stack, "called in"),
        data: data.clone(),
    })
}

/// What the last answer of `review` holds against a fix: where its lines stand in the source, and where those stand that it changes.
pub fn of_review(project: &Path, kept: &KeptReview) -> Vec<Mark> {
    let places = Places(project);
    let against = kept.against.join("\n");
    let mark = |(location, line): &(Location, String), message: String, severity| Mark {
        path: places.path(location),
        location: location.clone(),
        line: Some(line.clone()),
        severity,
        code: kept.verdict.clone(),
        message,
        related: Vec::new(),
        data: json!({ "command": "review", "test": kept.test }),
    };
    let marks = kept.changes.iter().flat_map(|[before, after]| {
        // A line that both versions have says nothing of which one this is.
        let same = matches!((before, after), (Some(before), Some(after)) if before.1 == after.1);
        let with = after.as_ref().filter(|_| !same).map(|after| {
            let message = format!("this is a bad fix of {} ({}): {against}", kept.test, kept.fix);
            mark(after, message, DiagnosticSeverity::WARNING)
        });
        let without = before.as_ref().filter(|_| !same).map(|before| {
            let message = format!("{} is a bad fix of {} here: {against}", kept.fix, kept.test);
            mark(before, message, DiagnosticSeverity::HINT)
        });
        with.into_iter().chain(without)
    });
    marks.collect()
}

/// The first findings of the last answer of `locate`, as hints.
pub fn of_locate(project: &Path, kept: &KeptLocate, most: usize) -> Vec<Mark> {
    let places = Places(project);
    let mark = |finding: &Finding| Mark {
        path: places.path(&finding.location),
        location: finding.location.clone(),
        line: Some(finding.code.clone()),
        severity: DiagnosticSeverity::HINT,
        code: "suspicious".into(),
        message: whydunit_render::told(finding, &kept.method),
        related: Vec::new(),
        data: json!({ "command": "locate" }),
    };
    kept.findings.iter().take(most).filter(|finding| !finding.code.is_empty()).map(mark).collect()
}
