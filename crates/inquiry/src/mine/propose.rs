//! A configuration for a structure of C, out of the program and its runs: which functions make objects and end them, and how its
//! callers see that a function has failed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use whydunit_events::{Event, MethodId, ObjectId};
use whydunit_findings::Mined;
use whydunit_model::{Callee, Function, IntPred, Module, Op, Opnd};
use whydunit_objects::Catalogue;

use super::runs::{Ran, Reading};
use super::{MineError, Question};
use crate::Error;

/// What runs say of the functions of a structure.
#[derive(Default)]
struct Seen {
    names: HashMap<MethodId, String>,
    stacks: HashMap<u32, Vec<(MethodId, Option<ObjectId>)>>,
    /// Objects that nothing was called on yet.
    fresh: BTreeSet<ObjectId>,
    makes: BTreeSet<String>,
    /// Called first on an object, and on one that was there for longer.
    first: BTreeSet<String>,
    later: BTreeSet<String>,
    ends: BTreeSet<String>,
}

impl Seen {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Run(_) => {
                self.stacks.clear();
                self.fresh.clear();
            }
            Event::Method(method) => _ = self.names.insert(method.id, method.name.clone()),
            Event::Created { object, .. } => _ = self.fresh.insert(*object),
            Event::Entered { method, object, thread, .. } => {
                if let Some(object) = object {
                    let fresh = self.fresh.remove(object);
                    let name = self.name(*method);
                    if fresh { &mut self.first } else { &mut self.later }.insert(name);
                }
                self.stacks.entry(*thread).or_default().push((*method, *object));
            }
            Event::Left { method, object, thread, .. } => {
                let entered = self.stacks.get_mut(thread).and_then(Vec::pop);
                if let (Some((_, None)), Some(made)) = (entered, object) {
                    self.fresh.remove(made);
                    let name = self.name(*method);
                    self.makes.insert(name);
                }
            }
            Event::Destroyed { object } => {
                let under_way = self.stacks.values().flatten().filter(|(_, of)| *of == Some(*object));
                let names: Vec<String> = under_way.map(|(method, _)| self.name(*method)).collect();
                self.ends.extend(names);
            }
            _ => {}
        }
    }

    fn name(&self, method: MethodId) -> String {
        self.names.get(&method).cloned().unwrap_or_default()
    }
}

/// The configuration that the program and its runs suggest for a class.
pub(super) fn answer(reading: &mut Reading<'_>, question: &Question<'_>, class: Option<usize>) -> Result<Mined, Error> {
    let class = class.ok_or(MineError::NothingProposed)?;
    let mut seen = Seen::default();
    reading.whole(question.runs(), &mut |_: &Ran<'_>, event| seen.event(event))?;
    let known = &reading.catalogue.classes()[class];
    let own: BTreeSet<&str> = known.methods.iter().map(|method| method.name.as_str()).collect();
    let of_class = |names: &BTreeSet<String>| -> Vec<String> {
        names.iter().filter(|name| own.contains(name.as_str())).cloned().collect()
    };
    let mut constructors = of_class(&seen.makes);
    // What fills one is always called first.
    let fills = seen.first.difference(&seen.later).cloned().collect();
    if constructors.is_empty() {
        constructors = of_class(&fills);
    }
    let destructors = of_class(&seen.ends);
    let rule = rule(&reading.models, reading.catalogue, class, &constructors);
    let name = known.name.rsplit("::").next().unwrap_or(&known.name);
    let mut text = format!("[mine.{name}]\n");
    for (key, names) in [("constructor", &constructors), ("destructor", &destructors)] {
        match &names[..] {
            [] => {}
            [one] => text += &format!("{key} = \"{one}\"\n"),
            several => text += &format!("{key} = [\"{}\"]\n", several.join("\", \"")),
        }
    }
    if let Some(rule) = rule {
        text += &format!("error = \"{rule}\"\n");
    }
    Ok(Mined { proposal: Some(text), runs: reading.runs, ..Mined::default() })
}

/// How most callers test the results of a class's functions; `None` where they do not.
fn rule(models: &[Arc<Module>], catalogue: &Catalogue, class: usize, constructors: &[String]) -> Option<&'static str> {
    let methods = catalogue.classes()[class].methods.iter().filter(|method| !constructors.contains(&method.name));
    let symbols: BTreeSet<&String> = methods.flat_map(|method| &method.symbols).collect();
    let mut votes: BTreeMap<&'static str, usize> = BTreeMap::new();
    for model in models {
        for function in model.functions.iter().filter(|function| function.is_defined()) {
            for call in &function.calls {
                let Callee::Direct(callee) = call.callee else { continue };
                let tested = symbols.contains(&model.functions[callee as usize].name) && call.ret.len() == 1;
                for rule in tested.then(|| tests(function, Opnd::slot(call.dst))).into_iter().flatten() {
                    *votes.entry(rule).or_default() += 1;
                }
            }
        }
    }
    votes.into_iter().max_by_key(|(_, number)| *number).map(|(rule, _)| rule)
}

/// The rules that comparisons of a result with a constant suggest.
fn tests(function: &Function, result: Opnd) -> Vec<&'static str> {
    let zero = |operand: Opnd| {
        operand.is_const()
            && matches!(function.consts.get(operand.index() as usize), Some(whydunit_model::Const::Bits(0)))
    };
    let rule = |op: &Op| match *op {
        Op::ICmp { pred: IntPred::Slt | IntPred::Sge, a, b, .. } if a == result && zero(b) => Some("< 0"),
        Op::ICmp { pred: IntPred::Eq | IntPred::Ne, a, b, w, .. } if a == result && zero(b) && w < 64 => Some("!= 0"),
        _ => None,
    };
    function.code.iter().filter_map(rule).collect()
}
