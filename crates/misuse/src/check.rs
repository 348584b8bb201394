//! The question and the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use whydunit_dataflow::{CallGraph, FunctionId, Program};
use whydunit_model::Module;

use crate::engine::{Engine, Entry, Kept, plain};
use crate::identity::{Bodies, Identities, bodies};
use crate::options::Options;
use crate::protocol::Protocol;
use crate::report::{Found, Grade, steps};
use crate::state::{Seed, Site};
use crate::variables::standard_streams;

/// A place in a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// As the compiler was given it, absolute where it said so.
    pub file: String,
    /// From 1; 0 where it is not known.
    pub line: u32,
    /// From 1; 0 where it is not known.
    pub column: u32,
}

/// A step on the way to a wrong call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Where.
    pub position: Position,
    /// What happens there.
    pub what: String,
}

/// A call that a protocol excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misuse {
    /// The class.
    pub class: String,
    /// The method, or what is done to the object.
    pub method: String,
    /// The name of the object's state.
    pub state: String,
    /// Where.
    pub position: Position,
    /// The function that it stands in.
    pub function: String,
    /// On every followed path that leads there with the object; else on some.
    pub must: bool,
    /// How the model grades it.
    pub grade: Grade,
    /// The way there: what was done to the object before, first to last.
    pub path: Vec<Stage>,
    /// Calls that the object was followed through.
    pub calls: usize,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// By position.
    pub misuses: Vec<Misuse>,
    /// Functions that were not analysed to the end.
    pub unfinished: Vec<String>,
    /// Classes of which the program calls nothing.
    pub unused: Vec<String>,
    /// Classes whose protocol does not hold in this program, with the function that it calls.
    pub left_out: Vec<(String, String)>,
    /// Functions that were looked at.
    pub functions: usize,
    /// Analyses of functions that had to be done, one for every way in which a function is entered; those of the check before that
    /// still hold do not count.
    pub analysed: usize,
    /// Operations that were looked at, each weighed by what was known there; those of analyses of the check before that still hold count
    /// as they did then.
    pub work: u64,
    /// Which check of its memory it was.
    pub number: u64,
}

/// What checks have found out of functions, for the next ones: of the same program later, or of others that have the same functions.
#[derive(Default)]
pub struct Memory {
    protocols: Vec<Protocol>,
    options: Option<Options>,
    /// By the ids of modules.
    bodies: FxHashMap<String, Bodies>,
    kept: Kept,
}

impl Memory {
    /// Forgets what none of these checks has used, and of all modules but these.
    pub fn retain(&mut self, checks: &[u64], modules: &dyn Fn(&str) -> bool) {
        self.kept.retain(checks);
        self.bodies.retain(|id, _| modules(id));
    }
}

/// Looks through all functions of a program.
pub fn check(
    program: &Program,
    graph: &CallGraph,
    protocols: &[Protocol],
    options: Options,
    interrupted: &dyn Fn() -> bool,
) -> Answer {
    check_again(program, graph, protocols, options, interrupted, &mut Memory::default())
}

/// The same, with what the check before has left in `memory`: the answer is that of [`check`].
pub fn check_again(
    program: &Program,
    graph: &CallGraph,
    protocols: &[Protocol],
    options: Options,
    interrupted: &dyn Fn() -> bool,
    memory: &mut Memory,
) -> Answer {
    let mut answer = Answer::default();
    let held = held(program, protocols, &mut answer);
    if held.is_empty() {
        return answer;
    }
    // What was analysed to its end does not hang on how much is done.
    let of_memory = Some(Options { work: 0, ..options });
    if memory.protocols != protocols || memory.options != of_memory {
        *memory = Memory { protocols: protocols.to_vec(), options: of_memory, ..Memory::default() };
    }
    let of_module =
        |module: &Arc<Module>| Arc::clone(memory.bodies.entry(module.id.clone()).or_insert_with(|| bodies(module)));
    let bodies: Vec<Bodies> = program.modules().iter().map(of_module).collect();
    let constant = standard_streams(program);
    let names: Vec<&str> = constant.iter().map(|&it| program.global(it).name.as_str()).collect();
    let identities = Identities::of(program, graph, &bodies, &(&held, names));
    let kept = std::mem::take(&mut memory.kept);
    let mut engine = Engine::new((program, graph), (protocols, &held), options, (&identities, &constant), kept);
    answer.functions = all_functions(&mut engine, interrupted);
    answer.analysed = engine.analysed;
    answer.work = engine.steps;
    let found = std::mem::take(&mut engine.reports);
    answer.misuses =
        distinct(&identities, found).into_iter().map(|it| told(program, &identities, protocols, it)).collect();
    answer.misuses.sort_by(|a, b| a.position.cmp(&b.position));
    answer.misuses.dedup_by(|a, b| a.position == b.position && a.class == b.class && a.state == b.state);
    answer.unfinished = engine.unfinished.iter().map(|&id| named(program, id)).collect();
    memory.kept = engine.keep();
    answer.number = memory.kept.number;
    answer
}

/// The protocols that are checked, by their numbers: those that the program calls something of, and that hold in it. Others are told.
fn held(program: &Program, protocols: &[Protocol], answer: &mut Answer) -> Vec<usize> {
    let names = |id: FunctionId| plain(&program.function(id).name);
    let called: std::collections::BTreeSet<&str> = program.functions().map(names).collect();
    let mut held = Vec::new();
    for (number, protocol) in protocols.iter().enumerate() {
        let calls = |method: &crate::Method| method.symbols.iter().any(|it| called.contains(it.as_str()));
        if let Some(except) = protocol.unless.iter().find(|it| called.contains(it.as_str())) {
            answer.left_out.push((protocol.class.clone(), except.clone()));
        } else if protocol.methods.iter().any(calls) {
            held.push(number);
        } else {
            answer.unused.push(protocol.class.clone());
        }
    }
    held
}

/// Analyses all functions, those that are called first; how many there are.
fn all_functions(engine: &mut Engine<'_>, interrupted: &dyn Fn() -> bool) -> usize {
    let (program, graph) = (engine.program, engine.graph);
    let mut functions = 0;
    for &id in graph.bottom_up().iter().flatten() {
        if interrupted() {
            break;
        }
        if program.function(id).is_defined() {
            if engine.matters(id) {
                engine.summary(id, &Entry::default());
            }
            functions += 1;
        }
    }
    functions
}

/// One finding for each place and class: the surest, then the one whose object has the longest story.
fn distinct(identities: &Identities, found: Vec<Found>) -> Vec<Found> {
    let place = |site: Site| (identities.number(site.function), site.pc);
    let mut best: BTreeMap<(FunctionId, u32, usize), Found> = BTreeMap::new();
    for it in found {
        let Some(function) = identities.number(it.site.function) else { continue };
        let rank = |it: &Found| {
            let seed = match it.seed {
                Seed::Entry | Seed::Variable(..) => None,
                Seed::Call(site) => Some(place(site)),
            };
            let steps: Vec<_> = steps(&it.trail).into_iter().map(|(site, what)| (place(site), what)).collect();
            // Of two that are as good it is no matter which one, as long as it is always the same.
            let whole = (it.state, seed, steps.clone(), Arc::clone(&it.method));
            (it.grade, it.must, std::cmp::Reverse(it.calls), steps.len(), whole)
        };
        match best.get_mut(&(function, it.site.pc, it.protocol)) {
            Some(known) if rank(known) >= rank(&it) => {}
            Some(known) => *known = it,
            None => {
                best.insert((function, it.site.pc, it.protocol), it);
            }
        }
    }
    best.into_values().collect()
}

fn told(program: &Program, identities: &Identities, protocols: &[Protocol], found: Found) -> Misuse {
    let protocol = &protocols[found.protocol];
    let path = steps(&found.trail);
    let path = path
        .into_iter()
        .map(|(site, what)| Stage { position: position(program, identities, site), what: what.to_string() });
    Misuse {
        class: protocol.class.clone(),
        method: found.method.to_string(),
        state: protocol.states[found.state as usize].clone(),
        position: position(program, identities, found.site),
        function: identities.number(found.site.function).map_or_else(String::new, |id| named(program, id)),
        must: found.must,
        grade: found.grade,
        path: path.collect(),
        calls: found.calls,
    }
}

fn named(program: &Program, id: FunctionId) -> String {
    let function = program.function(id);
    function.source_name.clone().unwrap_or_else(|| function.name.clone())
}

fn position(program: &Program, identities: &Identities, site: Site) -> Position {
    let unknown = || Position { file: String::new(), line: 0, column: 0 };
    let Some(id) = identities.number(site.function) else { return unknown() };
    let function = program.function(id);
    let module = &program.modules()[program.module_of(id)];
    // Code of a library that stands in a call's place is told at the call.
    let known = |loc: &whydunit_model::Loc| loc.line > 0;
    let own = function.places(site.pc as usize).map(|place| place.0).filter(known).last();
    let loc = own.unwrap_or_default();
    let file = module.files.get(loc.file as usize).cloned().unwrap_or_default();
    Position { file, line: loc.line, column: loc.column }
}
