//! Methods tried in the states in which no test calls them: the program is run again in fresh virtual machines, each with a call more or
//! with some calls less (Dallmeier, 7.3).

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_behavior::{Miner, Model, Options};
use whydunit_desk::convert::relative;
use whydunit_desk::{Desk, Output};
use whydunit_enrich::{Change, Histories, History, Mutant, Wanted, plan};
use whydunit_events::Event;
use whydunit_findings::{
    Enriched, EnrichedHow, EnrichedPair, EnrichedState, EnrichedTransition, Location, Problem, Stats,
};
use whydunit_java::Mutation;
use whydunit_process::{Pool, Stop};
use whydunit_typestate::{End, Grade, Kind, Reason, START, Transition, Typestate};

use super::merge::Merged;
use super::reading::{Reading, read, read_until};
use super::{Question, options, tells};
use crate::Error;
use crate::enrich::Answer;
use crate::mine::MineError;

/// A changed run may take so many times as long as the run as it is, and some seconds.
const PATIENCE: u32 = 4;
const LEAST: Duration = Duration::from_secs(5);

/// What is asked besides.
pub struct Enriching<'a> {
    /// So many different executions of a method in a state, at most.
    pub each: usize,
    /// No run begins after this.
    pub until: Option<Instant>,
    /// The automaton goes to this file as well.
    pub model: Option<&'a Path>,
}

/// What the run as it is tells.
struct Base {
    class: String,
    how: Options,
    /// What its stream tells of the program.
    told: Vec<Event>,
    model: Model,
    histories: Vec<History>,
    methods: Vec<Wanted>,
    time: Duration,
}

/// What a changed run tells.
struct Outcome {
    model: Option<Model>,
    /// The call that was tried does not come to an end: the number of its state in the run's own model does not matter, as it is the one
    /// that it was tried in.
    hangs: bool,
    failed: Option<String>,
}

/// The automaton of a class.
pub fn enrich(desk: &Desk, question: &Question<'_>, how: &Enriching<'_>) -> Result<Answer, Error> {
    let start = Instant::now();
    let file = how.model.map(Output::open).transpose()?;
    let reading = read(desk, question, None)?;
    if desk.is_cancelled() {
        return Err(whydunit_desk::Error::Interrupted.into());
    }
    let base = base(desk, question, &reading)?;
    let inspected = |wanted: &Wanted| base.model.constant.contains(&wanted.method);
    let methods: Vec<Wanted> = base.methods.iter().filter(|wanted| !inspected(wanted)).cloned().collect();
    let known = base.model.transitions.iter().map(|it| (it.from, it.method.clone())).collect();
    let mutants = plan(&base.histories, base.model.states.len() - 1, &known, &methods, how.each);
    let outcomes = run(desk, question, &base, &reading, &mutants, how.until);
    let cut = outcomes.len() < mutants.len();
    let mut merged = Merged::of(&desk.project, base.model.clone());
    let mut failed: Vec<String> = Vec::new();
    let mut executed = 0;
    for (mutant, outcome) in mutants.iter().zip(outcomes.iter()) {
        if outcome.hangs {
            let reason = Reason { kind: Kind::Hang, text: String::new() };
            merged.saw(mutant, mutant.state, &mutant.method, End::Ex { reason, left_in: None }, None);
        }
        if let Some(model) = &outcome.model {
            merged.add(mutant, model);
            executed += 1;
        }
        failed.extend(outcome.failed.clone());
    }
    let typestate = merged.typestate(methods.iter().map(|wanted| wanted.method.clone()));
    let enriched = told(&desk.project, &merged, &typestate, &mutants[..outcomes.len()], &methods, (&reading, executed));
    if let Some(file) = file {
        file.write(enriched.model.as_bytes())?;
    }
    let mut problems = reading.problems();
    failed.dedup();
    problems.extend(failed.first().map(Problem::new));
    let interrupted = desk.is_cancelled();
    if cut {
        let why = if interrupted { "interrupted" } else { "time was up" };
        problems.push(Problem::new(format!("{why}: {} of {} changed runs were made", outcomes.len(), mutants.len())));
    }
    let stats = Stats { seconds: start.elapsed().as_secs_f64(), test_runs: reading.runs, ..Stats::default() };
    Ok(Answer { enriched, problems, stats, partial: cut, interrupted })
}

fn base(desk: &Desk, question: &Question<'_>, reading: &Reading) -> Result<Base, Error> {
    let class = reading.class(question.class)?;
    let class = class.ok_or_else(|| Error::Internal("no class is asked for".into()))?;
    let config = desk.open_project()?.config;
    let how = options::named(&config.mine, Some(&class), question.depth);
    let mut miner = Miner::new(how.clone());
    let mut histories = Histories::of(&class);
    let mut told = Vec::new();
    reading.events(&mut |_, event| {
        miner.event(event);
        histories.event(&miner, event);
        if tells(event) {
            told.push(event.clone());
        }
    })?;
    let behavior = miner.finish();
    options::check_paths(&how, &behavior)?;
    let none = || MineError::NoObjects { class: class.clone(), runs: "what was read".into(), derived: Vec::new() };
    let model = behavior.models.into_iter().next().ok_or_else(none)?;
    let histories = histories.finish(&miner, &model);
    let own = reading.traced.notes.methods.iter().filter(|it| it.class == class);
    let methods = own.map(|it| Wanted { method: it.method.clone(), takes: it.takes }).collect();
    let time = reading.traced.ended.time;
    Ok(Base { class, how, told, model, histories, methods, time })
}

/// Runs the changed runs side by side; what was begun in time is told.
fn run(
    desk: &Desk,
    question: &Question<'_>,
    base: &Base,
    reading: &Reading,
    mutants: &[Mutant],
    until: Option<Instant>,
) -> Vec<Outcome> {
    let task = desk.task("trying", Some(mutants.len() as u64));
    let is_over = || until.is_some_and(|until| Instant::now() >= until);
    let patience = base.time * PATIENCE + LEAST;
    let (project, cancel) = (reading.project(), desk.cancel.clone());
    let done = std::sync::atomic::AtomicU64::new(0);
    let pool = Pool::of_cores().cancelled_by(Some(&desk.cancel)).until(&is_over);
    let mut told = 0;
    let work = |mutant: &Mutant| {
        let question = Question { time: Some(patience), events: None, ..*question };
        let mutation = mutation(base, mutant, reading);
        let read = read_until(project.to_path_buf(), &question, Some(&mutation), &cancel);
        done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        match read.and_then(|read| outcome(base, mutant, &read)) {
            Ok(outcome) => outcome,
            Err(_) if cancel.is_cancelled() => Outcome { model: None, hangs: false, failed: None },
            Err(error) => Outcome { model: None, hangs: false, failed: Some(format!("a changed run failed: {error}")) },
        }
    };
    pool.run_looked_after(mutants, work, || {
        let now = done.load(std::sync::atomic::Ordering::Relaxed);
        while told < now {
            task.step("");
            told += 1;
        }
    })
}

fn mutation(base: &Base, mutant: &Mutant, reading: &Reading) -> Mutation {
    let (insert, suppress) = match &mutant.change {
        Change::Insert { after } => (Some((*after, mutant.method.clone())), Vec::new()),
        Change::Suppress { calls } => (None, calls.clone()),
    };
    let class = base.class.clone();
    Mutation { class, run: reading.traced_name(&mutant.run), object: mutant.object, insert, suppress }
}

/// What a changed run has shown of the class.
fn outcome(base: &Base, mutant: &Mutant, read: &Reading) -> Result<Outcome, Error> {
    let mut miner = Miner::new(base.how.clone());
    let mut histories = Histories::of(&base.class);
    read.events(&mut |_, event| {
        miner.event(event);
        histories.event(&miner, event);
    })?;
    let under_way = histories.under_way().and_then(|(history, number)| history.calls.get(&number));
    let hangs =
        read.traced.ended.stop == Some(Stop::Time) && under_way.is_some_and(|call| call.method == mutant.method);
    // States are told as those of the run as it is.
    let mut known = Miner::new(base.how.clone());
    base.told.iter().for_each(|event| known.event(event));
    known.agree_with(&mut miner);
    Ok(Outcome { model: miner.finish().models.into_iter().next(), hangs, failed: None })
}

/// The findings.
fn told(
    project: &Path,
    merged: &Merged,
    typestate: &Typestate,
    mutants: &[Mutant],
    methods: &[Wanted],
    (reading, executed): (&Reading, u64),
) -> Enriched {
    let states = typestate.states.iter().enumerate().map(|(number, state)| EnrichedState {
        name: state.name.clone(),
        values: merged.model.states.get(number).map(|state| state.values.clone()).unwrap_or_default(),
        new: state.name != START && number >= merged.known,
    });
    Enriched {
        class: typestate.class.clone(),
        depth: merged.model.depth as u32,
        objects: merged.model.objects,
        runs: reading.runs,
        states: states.collect(),
        transitions: typestate.transitions.iter().map(|it| transition(project, merged, it)).collect(),
        pairs: pairs(merged, typestate, mutants, methods),
        calls: mutants.len() as u64,
        executed,
        model: typestate.to_string(),
        unit_tests: None,
    }
}

fn transition(project: &Path, merged: &Merged, of: &Transition) -> EnrichedTransition {
    let (to, reason, left_in) = match &of.end {
        End::To(to) => (Some(*to), None, None),
        End::Ex { reason, left_in } => (None, Some((reason.kind.name(), reason.text.clone())), *left_in),
    };
    let tried = merged.tried.get(&(of.from, of.method.clone(), of.end.clone()));
    let how = tried.map(|tried| {
        let example = &tried.example;
        let known = !example.file.is_empty() && example.line > 0;
        EnrichedHow {
            test: example.run.clone(),
            location: known.then(|| Location::line(relative(project, &example.file), example.line)),
            steps: vec![tried.change.clone()],
            arguments: Vec::new(),
        }
    });
    EnrichedTransition {
        from: of.from,
        method: of.method.clone(),
        to,
        reason,
        left_in,
        seen: of.evidence.seen,
        tried: of.evidence.tried,
        how,
    }
}

/// What is known of the methods in states in which the program does not call them.
fn pairs(merged: &Merged, typestate: &Typestate, mutants: &[Mutant], methods: &[Wanted]) -> Vec<EnrichedPair> {
    let seen: BTreeSet<(usize, &str)> =
        merged.model.transitions.iter().map(|it| (it.from, it.method.as_str())).collect();
    let mut pairs = Vec::new();
    for state in 1..typestate.states.len() {
        for wanted in methods.iter().filter(|wanted| !seen.contains(&(state, wanted.method.as_str()))) {
            let grade = typestate.grade(state, &wanted.method);
            let planned = mutants.iter().any(|it| it.state == state && it.method == wanted.method);
            let reason = match (planned, state < merged.known, wanted.takes) {
                _ if grade != Grade::Unseen => None,
                (true, ..) => Some("the changed run did not come to the call"),
                (false, false, _) => Some("the run as it is has no object in this state"),
                (false, true, true) => Some("no object that was in this state has a recorded call of it later"),
                (false, true, false) => Some("no call leads an object to this state"),
            };
            let reasons = reason.map(str::to_owned).into_iter().collect();
            pairs.push(EnrichedPair { state, method: wanted.method.clone(), grade: grade.name(), reasons });
        }
    }
    pairs
}
