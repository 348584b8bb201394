//! What tests demand of expressions: recorded with the values of expressions passing through functions, failing tests say which
//! of them would do (angelic values), and tests that pass say which they are.

use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_changes::Tree;
use whydunit_findings::Exit;
use whydunit_locate::{Asked, Exists, Question, angelic};
use whydunit_repair::{ANGEL, Class, Expression, Input, Looked, compiles, line_of_angel, result_of};
use whydunit_replay::{At, Entry, Machine, Observer};
use whydunit_solve::Cadical;
use whydunit_suite::process::interrupts;
use whydunit_symbolic::{Bounds, Encoding, Knowledge, Statement};
use whydunit_synthesis::{Call, Demand, Kind};
use whydunit_terms::{Pool, Term, TermMap};
use whydunit_workbench::Recordings;

use super::places::Places;
use super::recorder::Laid;
use crate::failure::{Failure, OrFail};
use crate::locating::{self, failing};

/// Executions of an expression that one test may demand something of.
const MOST_CALLS: usize = 60;
/// Terms of a formula.
const TERMS: usize = 200_000;
/// What one question to the solver may cost.
const QUESTION: Question = Question { conflicts: 3_000, time: Duration::from_millis(500) };
/// So long one test may be asked about one expression.
const PATIENCE: Duration = Duration::from_millis(1000);

/// An expression whose values are recorded.
pub struct Watched {
    /// The number of its place.
    pub place: usize,
    /// The number of its function, from 1.
    pub number: usize,
    /// What it can be made of.
    pub inputs: Vec<Input>,
    /// What these are.
    pub kinds: Vec<Kind>,
    /// What it gives.
    pub result: Kind,
}

/// What an expression's value is to a search; none for what it does not compute with.
fn kind_of(class: Class) -> Option<Kind> {
    match class {
        Class::Bool => Some(Kind::Truth),
        Class::Int | Class::Char => Some(Kind::Number),
        Class::Pointer(_) => Some(Kind::Address),
        Class::Float => None,
    }
}

impl Watched {
    /// An expression without effects, of numbers, truth values and pointers.
    pub fn of(places: &Places, place: usize, number: usize) -> Option<Self> {
        let site = &places.list[place].site;
        let result = kind_of(result_of(site)).filter(|_| site.expression.is_pure())?;
        let known = |input: Input| Some((kind_of(input.expression.class())?, input));
        let (kinds, inputs) = Input::of(site).into_iter().filter_map(known).unzip();
        Some(Self { place, number, inputs, kinds, result })
    }
}

/// The project with the values of expressions passing through functions, and another expression at one of them; those of `list`
/// with which it does not compile are taken out.
pub fn watched(
    tree: &Tree,
    places: &Places,
    list: &mut Vec<Watched>,
    instead: Option<(usize, &Expression)>,
) -> Result<Tree, Failure> {
    let mut tree = tree.clone();
    let mut files: Vec<String> = list.iter().map(|one| places.list[one.place].file.clone()).collect();
    files.sort();
    files.dedup();
    for file in files {
        let text = |some: &[&Watched]| {
            let looked: Vec<Looked<'_>> = some
                .iter()
                .map(|one| Looked {
                    site: &places.list[one.place].site,
                    number: one.number,
                    inputs: &one.inputs,
                    instead: instead.filter(|(place, _)| *place == one.place).map(|(_, expression)| expression),
                })
                .collect();
            let source = some.first().map_or("", |one| &*places.list[one.place].source);
            whydunit_repair::angelic(source, &looked)
        };
        let here = |one: &Watched| places.list[one.place].file == file;
        let some: Vec<&Watched> = list.iter().filter(|one| here(one)).collect();
        let Some(compile) = some.first().map(|one| places.list[one.place].compile.clone()) else { continue };
        let mut whole = text(&some);
        if !compiles(&compile, &whole).or_fail(Exit::Build)? {
            let mut bad = Vec::new();
            for one in some {
                if !compiles(&compile, &text(&[one])).or_fail(Exit::Build)? {
                    bad.push(one.number);
                }
            }
            list.retain(|one| !bad.contains(&one.number));
            let some: Vec<&Watched> = list.iter().filter(|one| here(one)).collect();
            whole = text(&some);
            if some.is_empty() || !compiles(&compile, &whole).or_fail(Exit::Build)? {
                list.retain(|one| !here(one));
                continue;
            }
        }
        if let Some(file) = tree.files.get_mut(&file) {
            file.bytes = whole.into_bytes().into();
        }
    }
    Ok(tree)
}

/// A failing test, recorded.
pub struct Failing {
    subject: locating::Subject,
    knowledge: Knowledge,
}

/// What a failing test says of an expression.
pub enum Says {
    /// With these values it passes.
    Demand(Demand),
    /// Whatever the values, it fails.
    Never,
    /// Nothing.
    Nothing,
}

impl Failing {
    /// Records a test; none where that says nothing.
    pub fn record(laid: &Laid, name: &str) -> Result<Option<Self>, Failure> {
        let Ok(test) = laid.suite.test(name) else { return Ok(None) };
        let Ok(failed) = failing::record(&laid.session, &laid.project, test)? else { return Ok(None) };
        let Ok(Some(subject)) = locating::Subject::failing(&laid.session, failed)? else { return Ok(None) };
        Ok(Some(Self { subject, knowledge: Knowledge::default() }))
    }

    /// Which values of an expression would make it pass.
    pub fn demand(&mut self, file: &str, one: &Watched, pool: &mut Pool, deadline: Instant) -> Result<Says, Failure> {
        let line = line_of_angel(one.number);
        let statement =
            |statement: &Statement| statement.line == line && Path::new(&statement.file).ends_with(Path::new(file));
        let asked = Asked {
            statement: &statement,
            deadline: deadline.min(Instant::now() + PATIENCE),
            bounds: Bounds { terms: TERMS, cancel: Some(interrupts()), ..Bounds::default() },
            question: QUESTION,
            solver: &|| Box::new(Cadical::new()),
        };
        let locating::Subject { machine, start, failing, .. } = &mut self.subject;
        let Some(known) = angelic(machine, start, &mut self.knowledge, failing, &asked).or_fail(Exit::Usage)? else {
            return Ok(Says::Nothing);
        };
        Ok(match known.exists {
            // What was held as in the run may be why.
            Exists::No if known.encoding.notes.is_empty() => Says::Never,
            Exists::No | Exists::Unknown => Says::Nothing,
            Exists::Yes => copied(&known.encoding, pool).map_or(Says::Nothing, Says::Demand),
        })
    }
}

/// The demand of a formula, in terms of another pool; none where it has too many calls.
fn copied(encoding: &Encoding, pool: &mut Pool) -> Option<Demand> {
    if encoding.returns.len() > MOST_CALLS || encoding.returns.is_empty() {
        return None;
    }
    let mut copies = TermMap::new();
    let mut copy = |pool: &mut Pool, term: Term| pool.copy(&encoding.pool, &[term], &mut copies).first().copied();
    let mut demand = Demand::default();
    for &term in encoding.hard.iter().chain([&encoding.gone]) {
        demand.holds.push(copy(pool, term)?);
    }
    for returning in &encoding.returns {
        let result = copy(pool, encoding.free[returning.free].term)?;
        let mut inputs = Vec::new();
        // The first word is what the expression is in the run.
        for given in returning.given.iter().skip(1) {
            inputs.push(match given.term {
                Some(term) => {
                    let term = copy(pool, term)?;
                    if pool.width(term) < 64 { pool.zext(term, 64) } else { term }
                }
                None => pool.constant(64, given.value.into()),
            });
        }
        demand.calls.push(Call { result, inputs });
    }
    Some(demand)
}

/// The executions of expressions in a test that passes, by their numbers: what they were given, what they were.
#[derive(Default)]
pub struct Calls {
    /// The number, the words given, the result.
    list: Vec<(usize, Vec<u64>, u64)>,
}

impl Calls {
    /// Records a test; none where nothing is known of it.
    pub fn record(laid: &Laid, name: &str) -> Result<Option<Self>, Failure> {
        let Ok(test) = laid.suite.test(name) else { return Ok(None) };
        let store = laid.session.store()?;
        let Ok(run) = laid.project.record_test(test, &Recordings::of(&store), interrupts()) else { return Ok(None) };
        let Some(recorded) = run.recordings.first() else { return Ok(None) };
        let opened = laid.session.open_recording(&store, &recorded.path)?;
        let mut machine = Machine::new(opened.program.clone(), &opened.recording).or_fail(Exit::Usage)?;
        let mut calls = Self::default();
        Ok(machine.run(&mut calls).is_ok().then_some(calls))
    }

    /// That an expression gives what it gave: the demand of its executions that differ.
    pub fn demand(&self, number: usize, pool: &mut Pool) -> Demand {
        let mut demand = Demand::default();
        let mut seen = std::collections::HashSet::new();
        for (own, given, result) in &self.list {
            if *own == number && seen.insert(given) && demand.calls.len() < MOST_CALLS {
                let inputs = given.iter().map(|&word| pool.constant(64, word.into())).collect();
                demand.calls.push(Call { result: pool.constant(64, (*result).into()), inputs });
            }
        }
        demand
    }
}

impl Observer for Calls {
    const FRAMES: bool = true;

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        let Some(number) = at.model.name.strip_prefix(ANGEL).and_then(|number| number.parse().ok()) else {
            return;
        };
        let mut words = at.model.params.iter().map(|param| at.slot(param.slot));
        let result = words.next().unwrap_or_default();
        self.list.push((number, words.collect(), result));
    }
}
