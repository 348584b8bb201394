//! What may be called when on the objects of a class, tests or no tests: the model of the recorded runs, and what comes of calls that no
//! test makes.

mod convert;
mod unit_tests;

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use whydunit_behavior::Miner;
use whydunit_desk::recordings::Opened;
use whydunit_desk::{Desk, Output};
use whydunit_enrich::{Budget, Calls, Checks, Executor, LastCalls, enriched};
use whydunit_events::Event;
use whydunit_findings::{Enriched, Problem, Stats};
use whydunit_objects::{Callable, Gatherer, Pauses, Stand, callables};
use whydunit_replay::{Listener, Machine, Recall, ReplayError};

use crate::Error;
use crate::mine::options;
use crate::mine::runs::{Ran, Reading, Watcher};
use crate::mine::{self, Ready};
use unit_tests::Learned;

/// What is asked.
pub struct Question<'a> {
    /// The class, with or without its scopes.
    pub class: &'a str,
    /// The length of the longest value access paths.
    pub depth: usize,
    /// Only tests with this in their names.
    pub tests: Option<&'a str>,
    /// These recordings instead of tests.
    pub recordings: &'a [String],
    /// Calls one after the other from a state of a recorded run on.
    pub steps: usize,
    /// No call begins after this.
    pub until: Option<Instant>,
    /// The automaton goes to this file as well.
    pub model: Option<&'a Path>,
    /// Whether unit tests of what was learned are made.
    pub unit_tests: UnitTesting,
}

/// Whether unit tests are made.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum UnitTesting {
    /// No.
    #[default]
    No,
    /// They are told.
    Told,
    /// They are written into the files of the suite's tests, too.
    Written,
}

/// What was found, with what goes beside it.
pub struct Answer {
    /// The automaton.
    pub enriched: Enriched,
    /// What should be known.
    pub problems: Vec<Problem>,
    /// Figures.
    pub stats: Stats,
    /// Not all was tried: time was up, or the user has interrupted.
    pub partial: bool,
    /// It was the user.
    pub interrupted: bool,
}

/// Reads the runs of the project's tests, or recordings, twice: for the model, and to try what it does not know.
pub fn answer(desk: &Desk, question: &Question<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let file = question.model.map(Output::open).transpose()?;
    let ready = Ready::of(desk)?;
    let class = options::class(&ready.catalogue, question.class)?;
    let name = ready.catalogue.classes()[class].name.clone();
    let of_model = question.of_model();
    let mut wanted = options::wanted(&ready.project, &ready.catalogue, &of_model, Some(class))?;
    wanted.pauses.insert(class);
    let inspectors = wanted.inspectors.get(&class).cloned().unwrap_or_default();
    let is_asked = |it: &Callable| inspectors.iter().any(|known| (known.class, known.method) == (it.class, it.method));
    let mut methods = callables(&ready.catalogue, class);
    methods.retain(|method| !is_asked(method));
    let mut reading = Reading::new(desk, &ready.project, &ready.catalogue, &wanted);
    let how = options::of(&reading, &of_model, Some(class));
    let miner = RefCell::new(Miner::new(how.clone()));
    let mut hearing = Hearing::default();
    let last = RefCell::new(LastCalls::default());
    let mut read = |_: &Ran<'_>, event: &Event| {
        miner.borrow_mut().event(event);
        last.borrow_mut().event(event);
    };
    reading.watched(of_model.runs(), &mut read, &mut hearing)?;
    if reading.interrupted {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    let behavior = miner.borrow_mut().finish();
    mine::check(&ready.catalogue, class, &behavior, reading.runs)?;
    options::check_paths(&how, &behavior)?;
    let before = behavior.models.into_iter().next().ok_or_else(|| Error::Internal("a class without model".into()))?;
    let calls = gathered(&mut reading, Gatherer::new(&ready.catalogue, &methods), &hearing.heard)?;
    miner.borrow_mut().only_states();
    let budget = Budget { steps: question.steps, until: question.until, ..Budget::default() };
    let files = |file: &str| whydunit_desk::convert::relative(&desk.project, file);
    let executor = Executor::new((class, &name), methods.clone(), calls, (&miner, &last), budget, &files);
    let mut trying = Trying { executor, heard: hearing.heard.into_iter() };
    let runs = reading.runs;
    let task = desk.task("trying", Some(reading.recordings.len() as u64));
    for number in 0..reading.recordings.len() {
        if trying.executor.cut || desk.is_cancelled() {
            break;
        }
        reading.again(number, &mut read, &mut trying)?;
        task.step(&reading.recordings[number].1);
    }
    drop(task);
    let executor = trying.executor;
    let after = miner.borrow_mut().finish().models.into_iter().next().unwrap_or_else(|| before.clone());
    let states = miner.borrow().states(&name);
    let made = enriched(&after, &states, methods.iter().map(|it| it.name.clone()), &executor.executions);
    let mut enriched = convert::enriched(&desk.project, &after, &made, &executor, runs);
    let states = enriched.states.iter().map(|state| state.values.clone()).collect();
    let (project, catalogue) = (&ready.project, &ready.catalogue);
    let learned = Learned { project, catalogue, class, methods: &methods, made: &made, executor: &executor, states };
    let builds = question.add_unit_tests(desk, &learned, &mut enriched)?;
    if let Some(file) = file {
        file.write(enriched.model.as_bytes())?;
    }
    let mut problems: Vec<Problem> = ready.problems.iter().map(Problem::new).collect();
    problems.extend(after.notes.iter().map(Problem::new));
    let interrupted = desk.is_cancelled();
    let partial = executor.cut || interrupted;
    if partial {
        let why = if interrupted { "interrupted" } else { "time was up" };
        problems.push(Problem::new(format!("{why}: not all calls were tried")));
    }
    let Reading { problems: noted, dropped, instructions, .. } = reading;
    problems.extend(noted);
    problems.extend(dropped.into_iter().map(Problem::new));
    let mut told = std::collections::BTreeSet::new();
    problems.retain(|problem| told.insert(problem.message.clone()));
    let seconds = start.elapsed().as_secs_f64();
    let stats =
        Stats { seconds, builds, test_runs: runs, watched_instructions: Some(instructions), ..Stats::default() };
    Ok(Answer { enriched, problems, stats, partial, interrupted })
}

impl Question<'_> {
    /// Adds unit tests, where they are asked for; so many builds were made.
    fn add_unit_tests(&self, desk: &Desk, learned: &Learned<'_>, enriched: &mut Enriched) -> Result<u64, Error> {
        if self.unit_tests == UnitTesting::No || desk.is_cancelled() {
            return Ok(0);
        }
        let (tests, builds) = unit_tests::unit_tests(desk, learned, self.unit_tests == UnitTesting::Written)?;
        enriched.unit_tests = Some(tests);
        Ok(builds)
    }

    /// The question for the model that is enriched.
    fn of_model(&self) -> mine::Question<'_> {
        mine::Question {
            class: Some(self.class),
            depth: self.depth,
            tests: self.tests,
            recordings: self.recordings,
            inspectors: true,
            purity: false,
            failing: None,
            against: None,
            propose: false,
            events: None,
        }
    }
}

/// The calls of methods, with the arguments that they had.
fn gathered(reading: &mut Reading<'_>, mut gatherer: Gatherer<'_>, heard: &[Arc<Recall>]) -> Result<Calls, Error> {
    for (number, recall) in heard.iter().enumerate() {
        let mut machine = reading.machine(number)?;
        machine.set_recall(Arc::clone(recall));
        // A run that cannot be read to its end was told of already.
        if let Ok(false) = gatherer.gather(&mut machine, &reading.recordings[number].1) {
            return Err(whydunit_desk::Error::Interrupted.into());
        }
    }
    Ok(gatherer.into_calls())
}

/// Hears what external code writes, while the model is made.
#[derive(Default)]
struct Hearing {
    listener: Listener,
    arguments: Vec<Vec<u8>>,
    /// What was heard of each run.
    heard: Vec<Arc<Recall>>,
}

impl Pauses for Hearing {
    type Watch = Listener;

    fn watch(&mut self) -> &mut Listener {
        &mut self.listener
    }

    fn pause(&mut self, _: &mut Stand<'_, '_>) -> Result<bool, ReplayError> {
        Ok(true)
    }
}

impl Watcher for Hearing {
    fn begin(&mut self, _: &str, opened: &Opened, _: &mut Machine) {
        self.listener = Listener::of(None);
        self.arguments = opened.recording.head().args.iter().map(|arg| arg.0.clone()).collect();
    }

    fn end(&mut self) {
        let listener = std::mem::take(&mut self.listener);
        // A call that is tried must not be given what a recorded one was.
        self.heard.push(Arc::new(listener.recall(std::mem::take(&mut self.arguments)).without_input()));
    }
}

/// Tries calls.
struct Trying<'a> {
    executor: Executor<'a>,
    heard: std::vec::IntoIter<Arc<Recall>>,
}

impl Pauses for Trying<'_> {
    type Watch = Checks;

    fn watch(&mut self) -> &mut Checks {
        self.executor.watch()
    }

    fn pause(&mut self, stand: &mut Stand<'_, '_>) -> Result<bool, ReplayError> {
        self.executor.pause(stand)
    }
}

impl Watcher for Trying<'_> {
    fn begin(&mut self, run: &str, _: &Opened, machine: &mut Machine) {
        self.heard.next().into_iter().for_each(|recall| machine.set_recall(recall));
        self.executor.begin(run);
    }
}
