//! A project of the workspace: what was found in it, and where that stands now.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use lsp_server::{Request, RequestId};
use lsp_types::{Diagnostic, DiagnosticRelatedInformation, Location as Place, NumberOrString, Position, Range};
use whydunit_inquiry::check::Kept;
use whydunit_reports::Kind;

use crate::diagnostics::Mark;
use crate::documents::{Documents, on_disk};
use crate::known::Known;
use crate::position::{self, Encoding};
use crate::run::{FailingRun, Stamp};
use crate::tracking::Lines;

/// Findings of one question, with the texts that they are about.
#[derive(Default)]
pub struct Findings {
    marks: Vec<Mark>,
    /// By files; one that is not there just now (editors write files anew) is read when it is.
    texts: RefCell<HashMap<PathBuf, String>>,
}

impl Findings {
    /// These, about the files as they are on the disk.
    pub fn new(marks: Vec<Mark>) -> Self {
        let related = marks.iter().flat_map(|mark| mark.related.iter().map(|(path, ..)| path));
        let files: BTreeSet<&PathBuf> = marks.iter().map(|mark| &mark.path).chain(related).collect();
        let texts = files.into_iter().filter_map(|path| Some((path.clone(), on_disk(path)?))).collect();
        Self { marks, texts: RefCell::new(texts) }
    }

    /// Where the lines of a file are by now.
    fn lines(&self, path: &Path, now: &str) -> Option<Lines> {
        let mut texts = self.texts.borrow_mut();
        if !texts.contains_key(path) {
            texts.insert(path.to_path_buf(), on_disk(path)?);
        }
        texts.get(path).map(|text| Lines::between(text, now))
    }

    /// Whether the line that a finding is about was that one when it was taken in.
    fn stands(&self, mark: &Mark) -> bool {
        let Some(wanted) = &mark.line else { return true };
        let texts = self.texts.borrow();
        let number = (mark.location.line as usize).saturating_sub(1);
        let line = texts.get(&mark.path).and_then(|text| text.split('\n').nth(number));
        line.is_some_and(|line| line.trim() == wanted)
    }
}

/// How the parts of a project's findings are told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// What `check` found.
    Check,
    /// How the newest failing run failed.
    Run,
    /// What `locate` suspects.
    Locate,
    /// What `review` holds against a fix.
    Review,
}

/// What is looked at now and then, to see whether it is another.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// The recordings.
    pub recordings: Vec<Stamp>,
    /// When `locate` answered.
    pub located: Option<SystemTime>,
    /// When `review` did.
    pub reviewed: Option<SystemTime>,
}

/// A project.
pub struct Project {
    /// Its folder, the real path.
    pub root: PathBuf,
    /// What was found, by what found it.
    pub findings: BTreeMap<Source, Findings>,
    /// The newest run that failed.
    pub run: Option<FailingRun>,
    /// The values of that run, once somebody asked for them; or why they are not to be had.
    pub values: Option<Result<Known, String>>,
    /// The names of its tests, once somebody asked for them.
    pub tests: Option<Vec<String>>,
    /// Requests that are asked again when those are there.
    pub waiting_for_tests: Vec<Request>,
    /// Requests that are asked again when the values are there.
    pub waiting: Vec<Request>,
    /// What its recordings and kept answers were when they were looked at.
    pub seen: Seen,
    /// What a check has left for the next one.
    pub kept: Arc<Mutex<Kept>>,
    /// Files that were saved since the last check that came to an end.
    pub saved: Vec<PathBuf>,
    /// It is being checked.
    pub checking: bool,
    /// It has changed since that began.
    pub changed: bool,
    /// Recordings are being looked at.
    pub looking: bool,
    /// What was said of it last, so that nothing is said twice in a row.
    pub said: String,
    /// The files that the client has diagnostics of.
    shown: BTreeSet<PathBuf>,
}

impl Project {
    /// Nothing is known of it yet.
    pub fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            findings: BTreeMap::new(),
            run: None,
            values: None,
            tests: None,
            waiting_for_tests: Vec::new(),
            waiting: Vec::new(),
            seen: Seen::default(),
            kept: Arc::default(),
            saved: Vec::new(),
            checking: false,
            changed: false,
            looking: false,
            said: String::new(),
            shown: BTreeSet::new(),
        }
    }

    /// The requests that wait; none does then.
    pub fn take_waiting(&mut self) -> Vec<Request> {
        self.waiting.drain(..).chain(self.waiting_for_tests.drain(..)).collect()
    }

    /// Takes a request away that waits; whether there was one.
    pub fn forget(&mut self, id: &RequestId) -> bool {
        let all = |project: &Self| project.waiting.len() + project.waiting_for_tests.len();
        let before = all(self);
        self.waiting.retain(|request| request.id != *id);
        self.waiting_for_tests.retain(|request| request.id != *id);
        all(self) < before
    }

    /// Where what a build left is; `None` where it was never built.
    pub fn store(&self) -> Option<PathBuf> {
        Some(whydunit_suite::store_of(&self.root)).filter(|store| store.is_dir())
    }

    /// What its recordings and kept answers are now.
    pub fn look(&self) -> Seen {
        let Some(store) = self.store() else { return Seen::default() };
        Seen {
            recordings: crate::run::stamps(&store),
            located: Kind::Locate.kept(&store),
            reviewed: Kind::Review.kept(&store),
        }
    }

    /// The files with findings, and those that had some when they were shown last.
    pub fn files(&mut self) -> BTreeSet<PathBuf> {
        let now: BTreeSet<PathBuf> =
            self.findings.values().flat_map(|findings| findings.marks.iter().map(|mark| mark.path.clone())).collect();
        let all = now.union(&self.shown).cloned().collect();
        self.shown = now;
        all
    }

    /// Whether a file has findings.
    pub fn has(&self, path: &Path) -> bool {
        self.shown.contains(path)
    }

    /// The diagnostics of a file as it is now.
    pub fn diagnostics(&self, path: &Path, documents: &Documents, encoding: Encoding) -> Vec<Diagnostic> {
        let Some(now) = documents.text(path) else { return Vec::new() };
        let lines = position::lines(&now);
        let mut all = Vec::new();
        for findings in self.findings.values() {
            let Some(moved) = findings.lines(path, &now) else { continue };
            for mark in findings.marks.iter().filter(|mark| mark.path == path && findings.stands(mark)) {
                let Some(line) = mark.location.line.checked_sub(1).and_then(|line| moved.to(line)) else { continue };
                let related =
                    mark.related.iter().filter_map(|related| self.related(findings, related, documents, encoding));
                all.push(Diagnostic {
                    range: position::range(&lines, line, &mark.location, encoding),
                    severity: Some(mark.severity),
                    code: Some(NumberOrString::String(mark.code.clone())),
                    source: Some("whydunit".into()),
                    message: mark.message.clone(),
                    related_information: Some(related.collect::<Vec<_>>()).filter(|related| !related.is_empty()),
                    data: Some(mark.data.clone()),
                    ..Diagnostic::default()
                });
            }
        }
        all
    }

    fn related(
        &self,
        findings: &Findings,
        (path, location, text): &(PathBuf, whydunit_findings::Location, String),
        documents: &Documents,
        encoding: Encoding,
    ) -> Option<DiagnosticRelatedInformation> {
        let uri = documents.uri(path)?;
        let line = location.line.checked_sub(1)?;
        // Of a file that is not there the line is all that is known.
        let range = match documents.text(path) {
            Some(now) => {
                let line = findings.lines(path, &now)?.to(line)?;
                position::range(&position::lines(&now), line, location, encoding)
            }
            None => Range::new(Position::new(line, 0), Position::new(line, 0)),
        };
        Some(DiagnosticRelatedInformation { location: Place { uri, range }, message: text.clone() })
    }
}
