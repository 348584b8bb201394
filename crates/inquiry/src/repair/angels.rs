//! What tests demand of expressions: recorded with the values of expressions passing through functions, failing tests say which
//! of them would do (angelic values), and tests that pass say which they are.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use whydunit_changes::Tree;
use whydunit_locate::{Asked, Exists, Question, angelic, executed};
use whydunit_repair::{
    ANGEL, Class, Expression, Input, Language, Looked, Role, angelic as angelic_source, line_of_angel,
};
use whydunit_replay::{At, Entry, Observer};
use whydunit_solve::Cadical;
use whydunit_symbolic::{Bounds, Encoding, Knowledge, Statement, StatementId};
use whydunit_synthesis::{Call, Demand, Kind};
use whydunit_terms::{Pool, Term, TermMap};
use whydunit_workbench::Recordings;

use super::compiling::compiling;
use super::places::Places;
use crate::Error;
use crate::locate::{self, failing};
use whydunit_desk::BuiltVersion;
use whydunit_desk::Cancel;

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
    /// What it gives; none of what is looked at, but not made: floats.
    pub result: Option<Kind>,
}

/// What an expression's value is to a search; none for what it does not compute with.
fn kind_of(class: Class) -> Option<Kind> {
    match class {
        Class::Bool => Some(Kind::Truth),
        Class::Int | Class::Sized(_) | Class::Char => Some(Kind::Number),
        Class::Pointer(_) => Some(Kind::Address),
        Class::Float | Class::Record(_) => None,
    }
}

impl Watched {
    /// An expression without effects, of numbers, truth values and pointers.
    pub fn of(places: &Places, place: usize, number: usize) -> Option<Self> {
        let site = &places.list[place].site;
        if site.language != Language::C {
            return None;
        }
        let result = kind_of(site.result);
        let known = result.is_some() || site.result == Class::Float;
        if !known || !site.expression.is_pure() || site.role == Role::Left || site.role.is_done() {
            return None;
        }
        let known = |input: Input| Some((kind_of(input.expression.class())?, input));
        let (kinds, inputs) = Input::of(site).into_iter().filter_map(known).unzip();
        Some(Self { place, number, inputs, kinds, result })
    }
}

/// The project with the values of expressions passing through functions, or of another one in their place; and those of `list`
/// with which it compiles.
pub fn watched(
    tree: &Tree,
    places: &Places,
    list: Vec<Watched>,
    instead: Option<&Expression>,
) -> Result<(Tree, Vec<Watched>), Error> {
    let mut by_file: BTreeMap<&str, Vec<Watched>> = BTreeMap::new();
    for one in list {
        by_file.entry(&places.list[one.place].file).or_default().push(one);
    }
    let (mut tree, mut list) = (tree.clone(), Vec::new());
    for (file, here) in by_file {
        let text = |some: &[Watched]| {
            let source = some.first().map_or("", |one| &*places.list[one.place].source);
            let sites: Vec<Looked<'_>> = some
                .iter()
                .map(|one| Looked {
                    site: &places.list[one.place].site,
                    number: one.number,
                    inputs: &one.inputs,
                    instead,
                })
                .collect();
            angelic_source(source, &sites)
        };
        let Some(compile) = &places.list[here[0].place].compile else { continue };
        let Some((kept, text)) = compiling(compile, here, &text, &|_, _| false)? else { continue };
        list.extend(kept);
        let bytes = places.written(file, &text);
        if let Some(file) = tree.files.get_mut(file) {
            file.bytes = bytes.into();
        }
    }
    list.sort_by_key(|one| one.number);
    Ok((tree, list))
}

/// A failing test, recorded.
pub struct Failing {
    /// Its number among those that fail.
    pub number: Option<usize>,
    subject: locate::Subject,
    knowledge: Knowledge,
    /// What the run executes.
    executed: Vec<StatementId>,
    cancel: Cancel,
}

/// What a test demands of the executions of expressions.
pub struct Demanded {
    pub demand: Demand,
    /// What each execution gives in the run.
    pub gave: Vec<i64>,
    /// Which expression each is of; none of what is not executed in the run, but on a way beside it.
    pub whose: Vec<Option<usize>>,
}

/// A failing test fails whatever the values of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Never;

impl Failing {
    /// Records a test; none where that says nothing.
    pub fn record(laid: &BuiltVersion, name: &str, number: Option<usize>) -> Result<Option<Self>, Error> {
        let Ok(test) = laid.suite.test(name) else { return Ok(None) };
        let Ok(failed) = failing::record(&laid.desk, &laid.project, test, (None, &laid.desk.cancel))? else {
            return Ok(None);
        };
        let Ok(Some(mut subject)) = locate::Subject::failing(&laid.desk, failed, &laid.desk.cancel)? else {
            return Ok(None);
        };
        let locate::Subject { machine, start, failing, .. } = &mut subject;
        let mut knowledge = Knowledge::default();
        let executed = executed(machine, start, &mut knowledge, failing)?;
        Ok(Some(Self { number, subject, knowledge, executed, cancel: laid.desk.cancel.clone() }))
    }

    /// Which values of expressions, which stand in these files, would make it pass, and what they give in the run; none where nothing
    /// is known of them.
    pub fn demand(
        &mut self,
        some: &[(&str, &Watched)],
        pool: &mut Pool,
        deadline: Instant,
    ) -> Result<Result<Option<Demanded>, Never>, Error> {
        let statement = |&(file, one): &(&str, &Watched)| {
            let line = line_of_angel(one.number);
            let is_angel =
                |statement: &Statement| statement.line == line && Path::new(&statement.file).ends_with(Path::new(file));
            let statements = self.knowledge.statements.iter().filter(|(_, statement)| is_angel(statement));
            statements.map(|(id, _)| id).find(|id| self.executed.contains(id))
        };
        let statements: Option<Vec<StatementId>> = some.iter().map(statement).collect();
        let Some(statements) = statements else { return Ok(Ok(None)) };
        let asked = Asked {
            statements: &statements,
            deadline: deadline.min(Instant::now() + PATIENCE),
            bounds: Bounds { terms: TERMS, cancel: Some(self.cancel.clone()), ..Bounds::default() },
            question: QUESTION,
            solver: &|| Box::new(Cadical::new()),
        };
        let locate::Subject { machine, start, failing, .. } = &mut self.subject;
        let Some(known) = angelic(machine, start, &mut self.knowledge, failing, &asked)? else {
            return Ok(Ok(None));
        };
        Ok(match known.exists {
            // What was held as in the run may be why.
            Exists::No if known.encoding.notes.is_empty() => Err(Never),
            Exists::No | Exists::Unknown => Ok(None),
            Exists::Yes => Ok(copied(&known.encoding, &statements, pool)),
        })
    }
}

/// The demand of a formula, in terms of another pool, and what its calls give in the run; none where it has too many calls.
fn copied(encoding: &Encoding, statements: &[StatementId], pool: &mut Pool) -> Option<Demanded> {
    if encoding.returns.len() > MOST_CALLS || encoding.returns.is_empty() {
        return None;
    }
    let mut copies = TermMap::new();
    let mut copy = |pool: &mut Pool, term: Term| pool.copy(&encoding.pool, &[term], &mut copies).first().copied();
    let (mut demand, mut gave, mut whose) = (Demand::default(), Vec::new(), Vec::new());
    for &term in encoding.hard.iter().chain([&encoding.gone]) {
        demand.holds.push(copy(pool, term)?);
    }
    for returning in &encoding.returns {
        let free = &encoding.free[returning.free];
        let result = copy(pool, free.term)?;
        let of = statements.iter().position(|known| *known == free.statement)?;
        whose.push(free.on_run.then_some(of));
        let mut inputs = Vec::new();
        // The first word is what the expression is in the run.
        gave.push(returning.given.first()?.value as i64);
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
    Some(Demanded { demand, gave, whose })
}

/// The executions of expressions in a test that passes, by their numbers: what they were given, what they were.
#[derive(Default)]
pub struct Calls {
    /// The number, the words given, the result.
    list: Vec<(usize, Vec<u64>, u64)>,
}

impl Calls {
    /// Records a test; none where nothing is known of it.
    pub fn record(laid: &BuiltVersion, name: &str) -> Result<Option<Self>, Error> {
        let Ok(test) = laid.suite.test(name) else { return Ok(None) };
        let store = laid.desk.store()?;
        let Ok(run) = laid.project.record_test(test, &Recordings::of(&store), &laid.desk.cancel) else {
            return Ok(None);
        };
        let Some(recorded) = run.recordings.first() else { return Ok(None) };
        let opened = laid.desk.open_recording(&store, &recorded.path)?;
        let mut machine = opened.machine()?;
        let mut calls = Self::default();
        Ok(machine.run(&mut calls).is_ok().then_some(calls))
    }

    /// That an expression gives what it gave: the demand of its executions that differ.
    pub fn demand(&self, number: usize, pool: &mut Pool) -> Demand {
        let mut demand = Demand::default();
        let mut seen = HashSet::new();
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
