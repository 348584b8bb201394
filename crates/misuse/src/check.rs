//! The question and the answer.

use std::collections::BTreeMap;

use whydunit_dataflow::{CallGraph, FunctionId, Program};

use crate::engine::{Engine, Entry, plain};
use crate::options::Options;
use crate::protocol::Protocol;
use crate::report::{Found, Grade, steps};
use crate::state::Site;

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
}

/// Looks through all functions of a program.
pub fn check(
    program: &Program,
    graph: &CallGraph,
    protocols: &[Protocol],
    options: Options,
    interrupted: &dyn Fn() -> bool,
) -> Answer {
    let mut answer = Answer::default();
    let names = |id: FunctionId| plain(&program.function(id).name);
    let called: std::collections::BTreeSet<&str> = program.functions().map(names).collect();
    let mut held = Vec::new();
    for protocol in protocols {
        let calls = |method: &crate::Method| method.symbols.iter().any(|it| called.contains(it.as_str()));
        if let Some(except) = protocol.unless.iter().find(|it| called.contains(it.as_str())) {
            answer.left_out.push((protocol.class.clone(), except.clone()));
        } else if protocol.methods.iter().any(calls) {
            held.push(protocol.clone());
        } else {
            answer.unused.push(protocol.class.clone());
        }
    }
    if held.is_empty() {
        return answer;
    }
    let mut engine = Engine::new(program, graph, &held, options);
    for component in graph.bottom_up() {
        for &id in component {
            if interrupted() {
                break;
            }
            if program.function(id).is_defined() {
                if engine.matters(id) {
                    engine.summary(id, &Entry::default());
                }
                answer.functions += 1;
            }
        }
    }
    let found = std::mem::take(&mut engine.reports);
    answer.misuses = distinct(found).into_iter().map(|it| told(program, &held, it)).collect();
    answer.misuses.sort_by(|a, b| a.position.cmp(&b.position));
    answer.misuses.dedup_by(|a, b| a.position == b.position && a.class == b.class && a.state == b.state);
    let name = |id: &FunctionId| named(program, *id);
    answer.unfinished = engine.unfinished.iter().map(name).collect();
    answer
}

/// One finding for each place and class: the surest, then the one whose object has the longest story.
fn distinct(found: Vec<Found>) -> Vec<Found> {
    let mut best: BTreeMap<(Site, usize), Found> = BTreeMap::new();
    for it in found {
        let rank = |it: &Found| (it.grade, it.must, std::cmp::Reverse(it.calls), steps(&it.trail).len());
        match best.get_mut(&(it.site, it.protocol)) {
            Some(known) if rank(known) >= rank(&it) => {}
            Some(known) => *known = it,
            None => {
                best.insert((it.site, it.protocol), it);
            }
        }
    }
    best.into_values().collect()
}

fn told(program: &Program, protocols: &[Protocol], found: Found) -> Misuse {
    let protocol = &protocols[found.protocol];
    let path = steps(&found.trail);
    let path = path.into_iter().map(|(site, what)| Stage { position: position(program, site), what: what.to_string() });
    Misuse {
        class: protocol.class.clone(),
        method: found.method.to_string(),
        state: protocol.states[found.state as usize].clone(),
        position: position(program, found.site),
        function: named(program, found.site.function),
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

fn position(program: &Program, site: Site) -> Position {
    let function = program.function(site.function);
    let module = &program.modules()[program.module_of(site.function)];
    // Code of a library that stands in a call's place is told at the call.
    let known = |loc: &whydunit_model::Loc| loc.line > 0;
    let own = function.places(site.pc as usize).map(|place| place.0).filter(known).last();
    let loc = own.unwrap_or_default();
    let file = module.files.get(loc.file as usize).cloned().unwrap_or_default();
    Position { file, line: loc.line, column: loc.column }
}
