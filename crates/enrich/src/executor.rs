//! Tries methods where recorded runs are paused.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use whydunit_behavior::{Branch, Miner, Model};
use whydunit_events::ObjectId;
use whydunit_objects::{Argument, Callable, Kept, KnownCall, Pauses, Ready, Stand};
use whydunit_replay::{Limits, ReplayError};
use whydunit_typestate::ENOUGH;

use crate::checks::{self, Checks};
use crate::choice::{Arguments, choices, given};
use crate::execution::{Ending, Execution, Reached, StateRef, Step, label};
use crate::last_calls::LastCalls;
use crate::outcome::{self, Outcome};

/// Values of a state in words.
type Words = Vec<(String, String)>;

/// Places of a state that are kept.
const PLACES: usize = 200;

/// How much may be tried.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Calls one after the other from a state of a recorded run on.
    pub steps: usize,
    /// How far a call may go.
    pub limits: Limits,
    /// Calls of one method in one state that come to no end, before it is left alone.
    pub failures: usize,
    /// States beyond so many are not gone into.
    pub states: usize,
    /// No call begins after this.
    pub until: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        let limits = Limits { instructions: 5_000_000, depth: 2_000, output: 1 << 20 };
        Self { steps: 3, limits, failures: 4, states: 200, until: None }
    }
}

/// The recorded calls of methods, by class and method in the catalogue.
pub type Calls = BTreeMap<(usize, usize), Vec<KnownCall>>;

/// What the suite knows.
#[derive(Clone, Debug, Default)]
struct Suite {
    /// The states of its model, by their values.
    states: BTreeSet<Words>,
    /// Methods that were called in them.
    pairs: BTreeSet<(Words, String)>,
    calls: Calls,
    /// How many fields were known to vary when that was told.
    varying: Option<usize>,
}

impl Suite {
    /// What a model of its runs knows.
    fn learn(&mut self, model: &Model) {
        let values = |state: usize| model.states[state].values.clone();
        let known = model.transitions.iter().filter(|it| it.from != 0);
        self.pairs = known.map(|it| (values(it.from), it.method.clone())).collect();
        self.states = model.transitions.iter().flat_map(|it| [it.from, it.to]).map(values).collect();
    }
}

/// What was tried of a method in a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pair {
    /// Different executions, by what makes them different.
    pub executed: BTreeSet<String>,
    /// Why others came to no end, and how often.
    pub unseen: BTreeMap<String, u64>,
    /// There is nothing more to try.
    pub done: bool,
}

/// Tries methods.
pub struct Executor<'a> {
    class: usize,
    name: String,
    callables: Vec<Callable>,
    suite: Suite,
    miner: &'a RefCell<Miner>,
    /// What reads the events of the runs that are paused, too.
    last: &'a RefCell<LastCalls>,
    budget: Budget,
    /// What a file is called.
    files: &'a dyn Fn(&str) -> String,
    watch: Checks,
    run: String,
    /// How often the run came to a place.
    times: BTreeMap<(String, u32), u64>,
    /// What was executed, in this order.
    pub executions: Vec<Execution>,
    /// Methods in states that no test has called there.
    pub pairs: BTreeMap<(StateRef, String), Pair>,
    /// States in which there is nothing more to try.
    closed: BTreeSet<StateRef>,
    /// Calls in recorded runs behind which an object was in a state, one of each line.
    pub places: BTreeMap<StateRef, Vec<Reached>>,
    /// Calls that were begun.
    pub begun: u64,
    /// Time was up, or the user has interrupted.
    pub cut: bool,
}

/// An object that methods are tried on.
#[derive(Clone, Copy)]
struct Subject {
    object: ObjectId,
    address: u64,
    state: StateRef,
}

/// Where methods are tried: on what, how it came there, and where to go back to.
#[derive(Clone, Copy)]
struct Here<'h> {
    subject: Subject,
    reached: &'h Reached,
    point: &'h Point,
}

/// A point to go back to.
struct Point {
    kept: Kept,
    branch: Branch,
    checks: Checks,
}

impl<'a> Executor<'a> {
    /// For the objects of a class: its number in the catalogue and its name. `callables` are tried in all states in which the suite has
    /// not called them, with arguments of `calls`. The miner has read all runs of the suite, reads those that are paused again, and adds only states.
    pub fn new(
        (class, name): (usize, &str),
        callables: Vec<Callable>,
        calls: Calls,
        (miner, last): (&'a RefCell<Miner>, &'a RefCell<LastCalls>),
        budget: Budget,
        files: &'a dyn Fn(&str) -> String,
    ) -> Self {
        Self {
            class,
            name: name.to_owned(),
            callables,
            suite: Suite { calls, ..Suite::default() },
            miner,
            last,
            budget,
            files,
            watch: Checks::default(),
            run: String::new(),
            times: BTreeMap::new(),
            executions: Vec::new(),
            pairs: BTreeMap::new(),
            closed: BTreeSet::new(),
            places: BTreeMap::new(),
            begun: 0,
            cut: false,
        }
    }

    /// The next run begins.
    pub fn begin(&mut self, run: &str) {
        self.run = run.to_owned();
        self.watch = Checks::default();
        self.times.clear();
    }

    /// The methods that are tried.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.callables.iter().map(|callable| callable.name.as_str())
    }

    fn words(&self, state: StateRef) -> Words {
        match state {
            StateRef::State(number) => self.miner.borrow().state_in_words(&self.name, number).unwrap_or_default(),
            StateRef::Ended => Words::new(),
        }
    }

    /// Whether the suite's model has a state.
    fn is_known(&self, state: StateRef) -> bool {
        state != StateRef::Ended && self.suite.states.contains(&self.words(state))
    }

    /// Learns what the suite knows, again where more is known of fields.
    fn learn(&mut self) {
        let varying = Some(self.miner.borrow().varying());
        if self.suite.varying != varying {
            self.suite.varying = varying;
            let mined = self.miner.borrow_mut().finish();
            mined.models.iter().filter(|model| model.class == self.name).for_each(|model| self.suite.learn(model));
        }
    }

    /// The methods that are still to be tried in a state.
    fn open(&mut self, state: StateRef) -> Vec<Callable> {
        if self.closed.contains(&state) {
            return Vec::new();
        }
        self.learn();
        let words = self.words(state);
        let mut open = Vec::new();
        for callable in &self.callables {
            let known = state != StateRef::Ended && self.suite.pairs.contains(&(words.clone(), callable.name.clone()));
            if !known && !self.pairs.entry((state, callable.name.clone())).or_default().done {
                open.push(callable.clone());
            }
        }
        if open.is_empty() {
            self.closed.insert(state);
        }
        open
    }

    /// Keeps a place where an object is in a state.
    fn note(&mut self, state: StateRef, reached: &Reached) {
        let places = self.places.entry(state).or_default();
        let known = |it: &Reached| (&it.file, it.line, &it.after) == (&reached.file, reached.line, &reached.after);
        if places.len() < PLACES && !places.iter().any(known) {
            places.push(reached.clone());
        }
    }

    /// Whether no more calls are to begin.
    fn is_over(&mut self) -> bool {
        self.cut |= self.budget.until.is_some_and(|until| Instant::now() >= until);
        self.cut
    }

    /// Tries what is open where the run stands; it stands there again afterwards.
    fn at(
        &mut self,
        stand: &mut Stand<'_, '_>,
        subject: Subject,
        reached: &Reached,
        checks: Checks,
    ) -> Result<(), ReplayError> {
        let open = self.open(subject.state);
        if open.is_empty() {
            return Ok(());
        }
        let point = Point { kept: stand.keep(), branch: self.miner.borrow().branch(), checks };
        let here = Here { subject, reached, point: &point };
        open.iter().try_for_each(|callable| self.method(stand, &here, callable))
    }

    /// Tries a method with different arguments.
    fn method(&mut self, stand: &mut Stand<'_, '_>, here: &Here<'_>, callable: &Callable) -> Result<(), ReplayError> {
        let Here { subject, reached, .. } = *here;
        let key = (subject.state, callable.name.clone());
        let prepared = stand.ready(callable).and_then(|ready| {
            let choices = self.choices(stand, callable, &ready)?;
            Ok((ready, choices))
        });
        let (ready, choices) = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => {
                let pair = self.pairs.entry(key).or_default();
                pair.unseen.insert(reason, 1);
                pair.done = true;
                return Ok(());
            }
        };
        let takes_none = choices.iter().all(|arguments| arguments.is_empty());
        for arguments in choices {
            let pair = self.pairs.entry(key.clone()).or_default();
            if pair.executed.contains(&label(&given(&arguments), reached)) {
                continue;
            }
            if pair.done || self.is_over() {
                return Ok(());
            }
            self.execute(stand, here, (callable, &ready), &arguments)?;
            let pair = self.pairs.entry(key.clone()).or_default();
            pair.done =
                pair.executed.len() >= ENOUGH || pair.unseen.values().sum::<u64>() >= self.budget.failures as u64;
        }
        // Another object may do where there are no arguments to vary.
        self.pairs.entry(key).or_default().done |= !takes_none;
        Ok(())
    }

    fn choices(&self, stand: &Stand<'_, '_>, callable: &Callable, ready: &Ready) -> Result<Vec<Arguments>, String> {
        let none = Vec::new();
        let calls = self.suite.calls.get(&(callable.class, callable.method)).unwrap_or(&none);
        let names: Vec<String> = ready.arguments().map(str::to_owned).collect();
        let plain = calls.iter().any(|call| call.arguments.iter().all(Option::is_some));
        choices(calls, &names, &stand.boundaries(callable, ready, !plain))
    }

    /// Makes a call, goes on from a state that is new, and goes back.
    fn execute(
        &mut self,
        stand: &mut Stand<'_, '_>,
        here: &Here<'_>,
        (callable, ready): (&Callable, &Ready),
        arguments: &Arguments,
    ) -> Result<(), ReplayError> {
        let Here { subject, reached, point } = *here;
        let limits = self.budget.limits;
        if reached.steps.is_empty() {
            stand.leave(limits);
        }
        let mut checks = checks::fresh(&point.checks);
        let plain: Vec<Argument> = arguments.iter().map(|(argument, _)| argument.clone()).collect();
        let mut blocks = Vec::new();
        self.begun += 1;
        let tried = stand.call(ready, subject.address, &plain, limits, &mut checks, &mut blocks)?;
        let null = plain.iter().any(|argument| argument.text == "null");
        let outcome = outcome::of(tried, stand.ending(), &checks, &blocks, null, limits);
        let after = self.state_after(stand, subject);
        let pair = self.pairs.entry((subject.state, callable.name.clone())).or_default();
        let ending = match (outcome, after) {
            (Outcome::Returned, Some(after)) => Ending::To(after),
            (Outcome::Ex { reason, known, misuse }, after) => {
                Ending::Ex { reason, left_in: after.filter(|_| known), misuse }
            }
            (Outcome::Returned, None) => {
                *pair.unseen.entry("the object's state is not known afterwards".into()).or_default() += 1;
                return self.back(stand, point);
            }
            (Outcome::Unseen(reason), _) => {
                *pair.unseen.entry(reason).or_default() += 1;
                return self.back(stand, point);
            }
            (Outcome::Interrupted, _) => {
                self.cut = true;
                return self.back(stand, point);
            }
        };
        let arguments = given(arguments);
        pair.executed.insert(label(&arguments, reached));
        let (from, method) = (subject.state, callable.name.clone());
        let step = Step { method: method.clone(), arguments: arguments.clone() };
        let reached = reached.clone();
        self.executions.push(Execution { from, method, arguments, ending: ending.clone(), reached: reached.clone() });
        if let Ending::To(state) = ending
            && state != subject.state
            && reached.steps.len() < self.budget.steps
            && !self.is_known(state)
            && self.pairs.len() / self.callables.len().max(1) < self.budget.states
        {
            let mut further = reached;
            further.steps.push(step);
            let address = stand.address(subject.object).unwrap_or(subject.address);
            self.at(stand, Subject { state, address, ..subject }, &further, checks)?;
        }
        self.back(stand, point)
    }

    fn back(&mut self, stand: &mut Stand<'_, '_>, point: &Point) -> Result<(), ReplayError> {
        stand.go_back(&point.kept)?;
        self.miner.borrow_mut().rejoin(&point.branch);
        Ok(())
    }

    /// The state of an object after a call.
    fn state_after(&self, stand: &Stand<'_, '_>, subject: Subject) -> Option<StateRef> {
        if subject.state == StateRef::Ended || stand.class(subject.object).is_none() {
            return Some(StateRef::Ended);
        }
        self.miner.borrow().state_of(subject.object).map(StateRef::State)
    }
}

impl Pauses for Executor<'_> {
    type Watch = Checks;

    fn watch(&mut self) -> &mut Checks {
        &mut self.watch
    }

    fn pause(&mut self, stand: &mut Stand<'_, '_>) -> Result<bool, ReplayError> {
        // What-if runs have one thread.
        let several = stand.machine().core.threads.several();
        // What is tried is told as events, too.
        self.last.borrow_mut().paused = true;
        for object in stand.objects().iter().copied().filter(|_| !several).collect::<Vec<_>>() {
            if stand.class(object) != Some(self.class) {
                continue;
            }
            let state = self.miner.borrow().state_of(object).map(StateRef::State);
            let (Some(state), Some(address)) = (state, stand.address(object)) else { continue };
            let ended = self.last.borrow().of(object).unwrap_or_default();
            let (file, line) = ((self.files)(&ended.file), ended.line);
            let times = self.times.entry((file.clone(), line)).or_default();
            *times += 1;
            let (run, after, constructor) = (self.run.clone(), ended.method, ended.constructor);
            let reached = Reached { run, after, constructor, file, line, time: *times, steps: Vec::new() };
            self.note(state, &reached);
            let checks = self.watch.clone();
            self.at(stand, Subject { object, address, state }, &reached, checks)?;
        }
        self.last.borrow_mut().paused = false;
        Ok(!self.is_over())
    }
}
