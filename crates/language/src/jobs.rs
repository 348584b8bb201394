//! What takes long: jobs, each in a thread of its own, some at a time.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, RequestId};
use lsp_types::ProgressToken;
use serde_json::json;
use whydunit_desk::{Cancel, Desk};

use crate::event::{Event, Then};
use crate::outgoing::Outgoing;
use crate::progress::Line;
use crate::refusal::Refusal;

/// So many run at a time; others wait.
const AT_A_TIME: usize = 4;

type Run<S> = Box<dyn FnOnce(Cancel, Line) -> Then<S> + Send>;

/// What is to be done.
pub struct Job {
    /// In a few words, for people.
    pub title: String,
    /// The project that it is about.
    pub project: PathBuf,
    /// It builds, or runs tests of what was built: no other such job of the project runs beside it.
    pub alone: bool,
    /// The request that it answers.
    pub request: Option<RequestId>,
    /// The client's own name of its progress.
    pub token: Option<ProgressToken>,
}

impl Job {
    /// One that looks at what there is, and answers no request.
    pub fn looking(project: &Path, title: &str) -> Self {
        Self { title: title.into(), project: project.to_path_buf(), alone: false, request: None, token: None }
    }

    /// One that builds or runs what was built, and answers no request.
    pub fn working(project: &Path, title: &str) -> Self {
        Self { alone: true, ..Self::looking(project, title) }
    }
}

struct Waiting<S> {
    job: Job,
    run: Run<S>,
}

struct Running {
    /// The project that it has for itself.
    alone: Option<PathBuf>,
    cancel: Cancel,
    request: Option<RequestId>,
    token: Option<ProgressToken>,
}

/// The jobs of a server `S`.
pub struct Jobs<S> {
    events: Sender<Event<S>>,
    outgoing: Outgoing,
    number: u64,
    running: HashMap<u64, Running>,
    waiting: VecDeque<Waiting<S>>,
    /// The client shows progress that we begin.
    pub shown: bool,
}

impl<S: 'static> Jobs<S> {
    /// None yet.
    pub fn new(events: Sender<Event<S>>, outgoing: Outgoing) -> Self {
        Self { events, outgoing, number: 0, running: HashMap::new(), waiting: VecDeque::new(), shown: false }
    }

    /// Begins a job as soon as there is room. `work` is done in a thread of its own; what becomes of its result is `then` done by the
    /// thread that knows all.
    pub fn start<T: Send + 'static>(
        &mut self,
        job: Job,
        work: impl FnOnce(&Desk) -> Result<T, Refusal> + Send + 'static,
        then: impl FnOnce(&mut S, Result<T, Refusal>) + Send + 'static,
    ) {
        let (project, title) = (job.project.clone(), job.title.clone());
        let run = Box::new(move |cancel: Cancel, line: Line| {
            let told = line.clone();
            let done = catch_unwind(AssertUnwindSafe(|| work(&Desk::new(&project, cancel, Arc::new(told))?)));
            line.end();
            let text = || format!("internal error ({title}): this is a fault of whydunit, please report it");
            let done = done.unwrap_or_else(|_| Err(Refusal::new(ErrorCode::InternalError, text())));
            Box::new(move |server: &mut S| then(server, done)) as Then<S>
        });
        self.waiting.push_back(Waiting { job, run });
        self.go_on();
    }

    /// Begins what waits, as far as there is room.
    fn go_on(&mut self) {
        while self.running.len() < AT_A_TIME {
            let is_free = |job: &Job| {
                !job.alone || self.running.values().all(|running| running.alone.as_ref() != Some(&job.project))
            };
            let next = self.waiting.iter().position(|waiting| is_free(&waiting.job));
            let Some(Waiting { job, run }) = next.and_then(|next| self.waiting.remove(next)) else { return };
            self.number += 1;
            let number = self.number;
            let token = job.token.or_else(|| self.shown.then(|| self.create(number)));
            let cancel = Cancel::new();
            let line = Line::begin(&self.outgoing, token.clone(), &job.title);
            let alone = job.alone.then_some(job.project);
            self.running.insert(number, Running { alone, cancel: cancel.clone(), request: job.request, token });
            let events = self.events.clone();
            // Where nobody waits for it the session is over.
            std::thread::spawn(move || events.send(Event::Done(number, run(cancel, line))).ok());
        }
    }

    /// Progress that we begin.
    fn create(&self, number: u64) -> ProgressToken {
        let token = ProgressToken::String(format!("whydunit-{number}"));
        self.outgoing.request("window/workDoneProgress/create", json!({ "token": token }));
        token
    }

    /// A job has ended.
    pub fn ended(&mut self, number: u64) {
        self.running.remove(&number);
        self.go_on();
    }

    /// Whether any has not ended yet.
    pub fn are_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Ends the job of a request. One that has not begun is done no more: whether it was so.
    pub fn cancel(&mut self, request: &RequestId) -> bool {
        for running in self.running.values().filter(|running| running.request.as_ref() == Some(request)) {
            running.cancel.cancel();
        }
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.job.request.as_ref() != Some(request));
        before > self.waiting.len()
    }

    /// Ends the job of this progress.
    pub fn cancel_progress(&mut self, token: &ProgressToken) {
        for running in self.running.values().filter(|running| running.token.as_ref() == Some(token)) {
            running.cancel.cancel();
        }
    }

    /// Ends all, and begins none of those that wait; the requests of these.
    pub fn end(&mut self) -> Vec<RequestId> {
        self.running.values().for_each(|running| running.cancel.cancel());
        self.waiting.drain(..).filter_map(|waiting| waiting.job.request).collect()
    }
}
