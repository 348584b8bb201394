//! What a server knows: its client, the files that are open, the projects.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use lsp_server::Request;
use lsp_types::MessageType;
use serde_json::{Value, json};
use whydunit_desk::{Desk, prepare};
use whydunit_findings::Checked;
use whydunit_inquiry::check;

use crate::client::Client;
use crate::diagnostics;
use crate::documents::Documents;
use crate::event::Event;
use crate::jobs::{Job, Jobs};
use crate::known;
use crate::outgoing::Outgoing;
use crate::project::{Findings, Project, Source};
use crate::refusal::Refusal;
use crate::run;

/// How far a session is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The client has not said yet who it is.
    New,
    /// It has.
    Running,
    /// It has said that it ends.
    ShutDown,
    /// It has ended.
    Ended,
}

/// A server of one client.
pub struct Server {
    /// The way to the client.
    pub outgoing: Outgoing,
    /// How far the session is.
    pub stage: Stage,
    /// The client was told to end as it should be.
    pub orderly: bool,
    /// What the client said of itself.
    pub client: Client,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// The files that are open.
    pub documents: Documents,
    /// The projects that were met, by their folders.
    pub projects: BTreeMap<PathBuf, Project>,
    /// What is under way.
    pub jobs: Jobs<Self>,
    /// Requests that waited, and are to be asked again now.
    pub again: Vec<Request>,
    /// The diagnostics that the client has, by files.
    shown: HashMap<PathBuf, Value>,
}

impl Server {
    /// Before anything was said. `folder` is the workspace of a client that names none.
    pub fn new(outgoing: Outgoing, events: Sender<Event<Self>>, folder: &Path) -> Self {
        Self {
            jobs: Jobs::new(events, outgoing.clone()),
            outgoing,
            stage: Stage::New,
            orderly: false,
            client: Client::default(),
            folders: vec![folder.to_path_buf()],
            documents: Documents::default(),
            projects: BTreeMap::new(),
            again: Vec::new(),
            shown: HashMap::new(),
        }
    }

    /// Takes in the project of a file or folder, where it is of one.
    pub fn meet(&mut self, path: &Path) {
        let Some(root) = Desk::set_up_above(path).map(Path::to_path_buf) else { return };
        self.projects.entry(root.clone()).or_insert_with(|| Project::new(&root));
    }

    /// The project of a file: the innermost one that it lies in.
    pub fn project_of(&mut self, path: &Path) -> Option<&mut Project> {
        let root = path.ancestors().find(|folder| self.projects.contains_key(*folder))?;
        self.projects.get_mut(root)
    }

    /// The same, to be looked at.
    pub fn project_at(&self, path: &Path) -> Option<&Project> {
        path.ancestors().find_map(|folder| self.projects.get(folder))
    }

    /// Whether the values of the failing run are known for a request about a file, or there are none. Else it is asked again when
    /// they are.
    pub fn has_values(&mut self, path: &Path, request: &Request) -> bool {
        let Some(project) = self.project_of(path) else { return true };
        if !project.looking && (project.run.is_none() || project.values.is_some()) {
            return true;
        }
        project.waiting.push(request.clone());
        let run = project.run.clone().filter(|_| !project.looking && project.waiting.len() == 1);
        let root = project.root.clone();
        if let Some(run) = run {
            self.begin_values(&root, run);
        }
        false
    }

    /// Whether the tests of a file's project are known, or there are none to be known. Else a request is asked again when they are.
    pub fn has_tests(&mut self, path: &Path, request: &Request) -> bool {
        let Some(project) = self.project_of(path) else { return true };
        if project.tests.is_some() || project.store().is_none() {
            return true;
        }
        project.waiting_for_tests.push(request.clone());
        if project.waiting_for_tests.len() > 1 {
            return false;
        }
        let root = project.root.clone();
        let work = |desk: &Desk| {
            let project = desk.open_project()?;
            prepare::built(desk, &project)?;
            Ok(prepare::suite(desk, &project)?.tests.iter().map(|test| test.name().to_owned()).collect())
        };
        let job = Job::working(&root, "listing tests");
        self.jobs.start(job, work, move |server, listed: Result<Vec<String>, Refusal>| {
            let Some(project) = server.projects.get_mut(&root) else { return };
            if let Err(refusal) = &listed {
                server.outgoing.log(MessageType::WARNING, &format!("no tests: {}", refusal.text));
            }
            project.tests = Some(listed.unwrap_or_default());
            server.again.append(&mut project.waiting_for_tests);
        });
        false
    }

    fn begin_values(&mut self, root: &Path, run: run::FailingRun) {
        let (job, root, of) = (Job::looking(root, "replaying"), root.to_path_buf(), run.recording.clone());
        let work = move |desk: &Desk| known::of_run(desk, &run);
        self.jobs.start(job, work, move |server, known| {
            let Some(project) = server.projects.get_mut(&root) else { return };
            // Another run may have come since.
            if let Some(run) = project.run.clone().filter(|run| run.recording != of) {
                return server.begin_values(&root, run);
            }
            if let Err(refusal) = &known {
                server.outgoing.log(MessageType::ERROR, &format!("no values: {}", refusal.text));
            }
            project.values = Some(known.map_err(|refusal| refusal.text));
            server.again.append(&mut project.waiting);
        });
    }

    /// Looks at the recordings and kept answers of all projects, and takes in what is new.
    pub fn look(&mut self) {
        if self.stage != Stage::Running {
            return;
        }
        let roots: Vec<PathBuf> = self.projects.keys().cloned().collect();
        for root in roots {
            self.look_at(&root);
        }
    }

    fn look_at(&mut self, root: &Path) {
        let most = self.client.options.suspicious;
        let Some(project) = self.projects.get_mut(root) else { return };
        let now = project.look();
        if now.located != project.seen.located {
            let kept = project.store().and_then(|store| whydunit_reports::locate(&store)).unwrap_or_default();
            let marks = diagnostics::of_locate(&project.root, &kept, most);
            project.findings.insert(Source::Locate, Findings::new(marks));
            project.seen.located = now.located;
            self.publish(root);
        }
        let Some(project) = self.projects.get_mut(root) else { return };
        if now.reviewed != project.seen.reviewed {
            let kept = project.store().and_then(|store| whydunit_reports::review(&store)).unwrap_or_default();
            let marks = diagnostics::of_review(&project.root, &kept);
            project.findings.insert(Source::Review, Findings::new(marks));
            project.seen.reviewed = now.reviewed;
            self.publish(root);
        }
        let Some(project) = self.projects.get_mut(root) else { return };
        if now.recordings == project.seen.recordings || project.looking {
            return;
        }
        project.seen.recordings.clone_from(&now.recordings);
        project.looking = true;
        let job = Job::looking(root, "looking at recordings");
        let root = root.to_path_buf();
        self.jobs.start(
            job,
            move |desk| run::newest_failing(desk, &now.recordings),
            move |server, found| server.looked(&root, found.unwrap_or_default()),
        );
    }

    /// The newest failing run is known.
    fn looked(&mut self, root: &Path, found: Option<run::FailingRun>) {
        let Some(project) = self.projects.get_mut(root) else { return };
        project.looking = false;
        let marks = found.as_ref().map(|run| diagnostics::of_run(root, run)).unwrap_or_default();
        project.findings.insert(Source::Run, Findings::new(marks));
        project.run = found;
        project.values = None;
        self.again.append(&mut project.waiting);
        self.publish(root);
    }

    /// Checks a project, where it was built; `saved` is a file of it that was saved just now.
    pub fn check(&mut self, root: &Path, saved: Option<&Path>) {
        let Some(project) = self.projects.get_mut(root).filter(|project| project.store().is_some()) else { return };
        project.saved.extend(saved.map(Path::to_path_buf));
        if project.checking {
            project.changed = true;
            return;
        }
        (project.checking, project.changed) = (true, false);
        let job = Job::working(root, "checking");
        let root = root.to_path_buf();
        let (kept, saved) = (Arc::clone(&project.kept), std::mem::take(&mut project.saved));
        let of_job = saved.clone();
        let work = move |desk: &Desk| {
            // A check that has panicked has left what the next one must not use.
            let mut kept = kept.lock().unwrap_or_else(|poisoned| {
                kept.clear_poison();
                let mut left = poisoned.into_inner();
                *left = check::Kept::default();
                left
            });
            let answer = check::answer_again(desk, &of_job, &mut kept)?;
            if answer.interrupted { Err(Refusal::cancelled()) } else { Ok((answer.checked, kept.how)) }
        };
        self.jobs.start(job, work, move |server, checked| server.checked(&root, saved, checked));
    }

    fn checked(&mut self, root: &Path, saved: Vec<PathBuf>, checked: Result<(Checked, check::How), Refusal>) {
        let Some(project) = self.projects.get_mut(root) else { return };
        project.checking = false;
        let again = std::mem::take(&mut project.changed);
        match checked {
            Ok((checked, how)) => {
                project.said.clear();
                self.outgoing.log(MessageType::INFO, &in_words(&how));
                let marks = diagnostics::of_check(root, &checked);
                project.findings.insert(Source::Check, Findings::new(marks));
                self.publish(root);
            }
            Err(refusal) if refusal.is_cancelled() => project.saved.extend(saved),
            // What was found before stays, and moves with its lines.
            Err(refusal) if project.said != refusal.text => {
                project.saved.extend(saved);
                project.said.clone_from(&refusal.text);
                self.outgoing.show(MessageType::WARNING, &format!("not checked: {}", refusal.text));
            }
            Err(_) => project.saved.extend(saved),
        }
        if again {
            self.check(root, None);
        }
    }

    /// Shows the findings of a project.
    pub fn publish(&mut self, root: &Path) {
        let Some(project) = self.projects.get_mut(root) else { return };
        for path in project.files() {
            self.publish_file(&path);
        }
    }

    /// Shows the findings of a file as it is now.
    pub fn publish_file(&mut self, path: &Path) {
        let encoding = self.client.encoding;
        let Some(uri) = self.documents.uri(path) else { return };
        // A file may be of several projects' programs.
        let found = self.projects.values().flat_map(|project| project.diagnostics(path, &self.documents, encoding));
        let diagnostics = json!(found.collect::<Vec<_>>());
        if self.shown.get(path).map_or(diagnostics == json!([]), |shown| *shown == diagnostics) {
            return;
        }
        self.shown.insert(path.to_path_buf(), diagnostics.clone());
        let version = self.documents.get(path).map(|document| document.version);
        let mut parameters = json!({ "uri": uri, "diagnostics": diagnostics });
        if let Some(version) = version {
            parameters["version"] = version.into();
        }
        self.outgoing.notify("textDocument/publishDiagnostics", parameters);
    }
}

/// What a check took.
fn in_words(how: &check::How) -> String {
    let compiled = match how.compiled {
        None => "built".to_owned(),
        Some(1) => "1 unit compiled".to_owned(),
        Some(units) => format!("{units} units compiled"),
    };
    let (compiling, checking) = (how.compiling.as_millis(), how.checking.as_millis());
    format!("checked: {compiled} in {compiling} ms, {} analyses in {checking} ms", how.analysed)
}
