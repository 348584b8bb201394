//! What memory a function, or some blocks of it, may write, calls included: in terms of globals, of what its parameters lead to,
//! of its own frame and of memory that it has allocated itself. Functions are summarised bottom up over the call graph (Sălcianu
//! and Rinard, "Purity and Side Effect Analysis for Java Programs", do so with points-to graphs; here a summary is flat).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_model::{BlockId, Op, Scalar};

use crate::callgraph::{CallKind, CallSite, Callees};
use crate::context::Context;
use crate::library::{Calls, External, Writes};
use crate::object::{Object, Targets};
use crate::offset::{Offset, TO_THE_END};
use crate::points_to::{external_effects, external_result};
use crate::program::FunctionId;
use crate::solver::{Node, Place, Source, Watcher};
use crate::values::{Called, Key, Scope, Subject, Values, constant_word};

/// What may be written.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Anything may be written.
    pub anything: bool,
    /// Places in objects, and how many bytes there ([`TO_THE_END`]: up to the object's end).
    pub writes: BTreeMap<Object, Vec<(Offset, u64)>>,
    /// Objects whose memory may be freed.
    pub frees: BTreeSet<Object>,
}

impl Effects {
    /// That anything may be written.
    pub fn anything() -> Self {
        Self { anything: true, ..Self::default() }
    }

    /// Whether nothing is written and nothing freed that was there when the function was called.
    pub fn is_pure(&self) -> bool {
        let old = |object: &Object| !matches!(object, Object::Fresh | Object::Heap(..) | Object::Stack(..));
        !self.anything && !self.writes.keys().any(old) && !self.frees.iter().any(old)
    }

    fn write(&mut self, object: Object, offset: Offset, bytes: u64) {
        let places = self.writes.entry(object).or_default();
        if places.iter().any(|&(at, size)| at.covers(offset) && size >= bytes) {
            return;
        }
        places.push((offset, bytes));
        if places.len() > MOST_PLACES {
            *places = vec![(Offset::ANY, TO_THE_END)];
        }
        places.sort_unstable();
    }

    fn add(&mut self, effect: Effect) {
        match effect {
            Effect::Anything => self.anything = true,
            Effect::Writes(object, offset, bytes) => self.write(object, offset, bytes),
            Effect::Frees(object) => {
                self.frees.insert(object);
            }
        }
    }
}

/// Places of one object that are told apart.
const MOST_PLACES: usize = 64;
/// Steps of work for one function; the largest functions of interpreters and parsers take a tenth of it.
const MOST_WORK: u64 = 3_000_000;
/// So often a group of functions that call each other is looked at before all of it may write anything.
const MOST_ROUNDS: usize = 40;

/// An effect of one operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Anything,
    Writes(Object, Offset, u64),
    Frees(Object),
}

/// What a call of a function does, in terms of its parameters ([`Object::Parameter`], [`Object::Reachable`]), of globals, and of
/// memory allocated meanwhile ([`Object::Fresh`]).
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// What it writes besides its own frame.
    pub effects: Effects,
    /// What each word of its result may point to.
    pub results: Vec<Targets>,
    /// Pointers that it may have stored in memory that others see.
    pub stored: Targets,
    /// Pointers that it may have stored in memory that it allocated.
    pub fresh: Targets,
}

impl Summary {
    fn anything() -> Self {
        Self { effects: Effects::anything(), ..Self::default() }
    }

    fn result(&self, word: u32) -> Targets {
        if self.effects.anything {
            return Targets::from_iter([(Object::Unknown, Offset::ANY)]);
        }
        self.results.get(word as usize).cloned().unwrap_or_default()
    }
}

/// The analysis, with what it has found out already. What it is asked about must be one subject throughout.
#[derive(Default)]
pub struct MayWrite {
    summaries: FxHashMap<FunctionId, Rc<Summary>>,
    details: FxHashMap<FunctionId, Rc<Vec<(u32, Effect)>>>,
}

impl MayWrite {
    /// What a call of a function with code does.
    pub fn of_function(&mut self, subject: Subject<'_>, function: FunctionId) -> Rc<Summary> {
        self.summarise(subject, [function]);
        Rc::clone(&self.summaries[&function])
    }

    /// What these blocks of a function may write, its own frame and what they call included.
    pub fn of_blocks(&mut self, subject: Subject<'_>, function: FunctionId, blocks: &[BlockId]) -> Effects {
        let model = subject.program.function(function);
        if !self.details.contains_key(&function) {
            let calls = (0..model.calls.len() as u32).map(|call| CallSite { caller: function, call });
            let called: Vec<_> =
                calls.flat_map(|site| subject.graph.callees(site).reached().collect::<Vec<_>>()).collect();
            self.summarise(subject, called);
            let detail = analyse(subject, function, &self.summaries, true).0;
            self.details.insert(function, Rc::new(detail));
        }
        let mut effects = Effects::default();
        let bounds: Vec<_> = blocks.iter().map(|&block| &model.blocks[block as usize]).collect();
        let inside = |pc: u32| bounds.iter().any(|block| (block.start..block.end).contains(&pc));
        let detail = &self.details[&function];
        detail.iter().filter(|(pc, _)| inside(*pc)).for_each(|&(_, effect)| effects.add(effect));
        effects
    }

    /// Summaries of functions and all that they call, callees first.
    fn summarise(&mut self, subject: Subject<'_>, functions: impl IntoIterator<Item = FunctionId>) {
        let mut needed = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut todo: Vec<FunctionId> = functions.into_iter().collect();
        while let Some(function) = todo.pop() {
            if self.summaries.contains_key(&function) || !seen.insert(function) {
                continue;
            }
            needed.insert(subject.graph.component_of(function));
            for call in 0..subject.program.function(function).calls.len() as u32 {
                todo.extend(subject.graph.callees(CallSite { caller: function, call }).reached());
            }
        }
        for component in needed {
            self.component(subject, &subject.graph.bottom_up()[component]);
        }
    }

    fn component(&mut self, subject: Subject<'_>, members: &[FunctionId]) {
        if members.iter().any(|&member| self.writes_anything(subject, member)) {
            members.iter().for_each(|&member| self.set(member, Summary::anything()));
            return;
        }
        let recursive = members.len() > 1 || subject.graph.calls_itself(members[0]);
        if recursive {
            members.iter().for_each(|&member| self.set(member, Summary::default()));
        }
        // Until all is stable, an address that nothing is known of is one that is not there yet; then it may be any.
        for strict in if recursive { [false, true].as_slice() } else { &[true] } {
            let mut rounds = 0;
            loop {
                let mut changed = false;
                for &member in members {
                    let summary = analyse(subject, member, &self.summaries, *strict).1;
                    changed |= self.summaries.get(&member).is_none_or(|known| **known != summary);
                    self.set(member, summary);
                }
                rounds += 1;
                if !changed || !recursive {
                    break;
                }
                if rounds > MOST_ROUNDS {
                    members.iter().for_each(|&member| self.set(member, Summary::anything()));
                    return;
                }
            }
        }
    }

    fn set(&mut self, function: FunctionId, summary: Summary) {
        self.summaries.insert(function, Rc::new(summary));
    }

    /// Whether a function's calls alone say that it may write anything.
    fn writes_anything(&self, subject: Subject<'_>, function: FunctionId) -> bool {
        (0..subject.program.function(function).calls.len() as u32).any(|call| {
            let callees = subject.graph.callees(CallSite { caller: function, call });
            if ends(subject, callees) {
                return false;
            }
            let unknown = |&id: &FunctionId| external(subject, id).writes == Writes::Anything;
            let known = |id: FunctionId| self.summaries.get(&id).is_some_and(|summary| summary.effects.anything);
            callees.outside || callees.externals.iter().any(unknown) || callees.reached().any(known)
        })
    }
}

fn external(subject: Subject<'_>, id: FunctionId) -> External {
    subject.library.external(&subject.program.function(id).name).unwrap_or_else(External::unknown)
}

/// Whether a call ends the run.
fn ends(subject: Subject<'_>, callees: &Callees) -> bool {
    let ends = |&id: &FunctionId| !external(subject, id).returns;
    callees.kind == CallKind::Direct && !callees.externals.is_empty() && callees.externals.iter().all(ends)
}

/// The scope of one function beside what is known of those that it calls.
struct Single<'s> {
    root: FunctionId,
    summaries: &'s FxHashMap<FunctionId, Rc<Summary>>,
    /// Operations that write, what they write to, and how many bytes.
    stores: Vec<(u32, Node, u64)>,
    frees: Vec<(u32, Node)>,
    anything: BTreeSet<u32>,
    reached: FxHashMap<Node, Node>,
    /// What is stored in memory that the function allocates.
    fresh: Node,
}

impl Scope for Single<'_> {
    fn place(object: Object) -> Place {
        match object {
            Object::Parameter { index, word } | Object::Reachable { index, word } => {
                Place::Outside(Object::Reachable { index, word })
            }
            Object::Function(_) => Place::Nothing,
            Object::Number | Object::Unknown => Place::Unknown,
            _ => Place::Kept,
        }
    }

    fn parameter(values: &mut Values<'_, Self>, at: (Context, FunctionId), index: u32, word: u32, node: Node) {
        let leaves = &values.function(at.1).params[index as usize].leaves;
        let mut words = leaves.iter().flat_map(|leaf| (0..leaf.slots()).map(move |_| leaf));
        let pointer = words.nth(word as usize).is_some_and(|leaf| matches!(leaf, Scalar::Ptr | Scalar::Int(64..)));
        if pointer {
            values.solver.add(node, Object::Parameter { index, word }, Offset::START);
        }
    }

    fn called(values: &mut Values<'_, Self>, context: Context, site: CallSite, word: u32, node: Node) {
        let callees = values.subject.graph.callees(site);
        for &id in &callees.functions {
            if let Some(summary) = values.scope.summaries.get(&id) {
                let result = import(values, site, &summary.result(word));
                values.solver.edge(result, node, Offset::START);
            }
        }
        for &id in &callees.externals {
            let external = external(values.subject, id);
            external_result(values, Called { context, site }, &external, word, node);
        }
        if callees.outside && callees.kind != CallKind::Direct {
            values.solver.add(node, Object::Unknown, Offset::ANY);
        }
    }

    fn touched(values: &mut Values<'_, Self>, object: Object) {
        match object {
            Object::Global(id) if values.subject.program.global(id).constant => values.initial(id),
            Object::Global(_) => {
                let unknown = Source::Node(values.solver.unknown);
                values.solver.write(object, Offset::ANY, TO_THE_END, unknown);
                values.solver.share(object);
            }
            Object::Heap(..) => {
                let fresh = values.scope.fresh;
                values.solver.read(object, Offset::ANY, TO_THE_END, fresh);
            }
            _ => {}
        }
    }

    fn exposed(_: &mut Values<'_, Self>, _: FunctionId) {}

    fn tell(_: &mut Values<'_, Self>, _: Called, _: Object) {}
}

/// What a callee's summary names, as its caller knows it at a call.
fn import(values: &mut Values<'_, Single<'_>>, site: CallSite, targets: &Targets) -> Node {
    let node = values.solver.node();
    for (object, offset) in targets.iter() {
        match object {
            Object::Parameter { index, word } => {
                if let Some(argument) = values.argument(Context::ANY, site, index, word) {
                    values.solver.edge(argument, node, offset);
                }
            }
            Object::Reachable { index, word } => {
                if let Some(argument) = values.argument(Context::ANY, site, index, word) {
                    let reached = reached(values, argument);
                    values.solver.edge(reached, node, Offset::ANY);
                }
            }
            Object::Fresh => {
                let pc = values.place_of(site).unwrap_or(0);
                values.solver.add(node, Object::Heap(site.caller, pc), offset);
            }
            other => values.solver.add(node, other, offset),
        }
    }
    node
}

/// What can be reached from a node by loading.
fn reached(values: &mut Values<'_, Single<'_>>, from: Node) -> Node {
    if let Some(&known) = values.scope.reached.get(&from) {
        return known;
    }
    let node = values.solver.node();
    values.scope.reached.insert(from, node);
    values.solver.watch(from, Watcher::Reach(node));
    values.solver.watch(node, Watcher::Reach(node));
    node
}

/// The effects of the operations of a function, and its summary. `strict`: an address that nothing is known of may be any.
fn analyse(
    subject: Subject<'_>,
    root: FunctionId,
    summaries: &FxHashMap<FunctionId, Rc<Summary>>,
    strict: bool,
) -> (Vec<(u32, Effect)>, Summary) {
    let scope = Single {
        root,
        summaries,
        stores: Vec::new(),
        frees: Vec::new(),
        anything: BTreeSet::new(),
        reached: FxHashMap::default(),
        fresh: Node::NONE,
    };
    let mut values = Values::new(subject, scope, 0);
    values.scope.fresh = values.solver.node();
    let function = subject.program.function(root);
    for (pc, op) in (0..).zip(&function.code) {
        if let Op::Call { call } = *op {
            call_effects(&mut values, CallSite { caller: root, call }, pc);
        } else if let Some((address, bytes)) = values.effect(Context::ANY, root, pc)
            // What is written through null ends the run.
            && constant_word(function, address).is_none_or(|word| word >= FIRST_PAGE)
        {
            let value = crate::values::Value { context: Context::ANY, function: root, pc, operand: address };
            let node = values.value(value);
            values.scope.stores.push((pc, node, bytes));
        }
    }
    let words: u32 = function.ret.iter().map(|leaf| leaf.slots()).sum();
    let results: Vec<Node> = (0..words).map(|word| values.key(Key::Result(Context::ANY, root, word))).collect();
    if !values.run(MOST_WORK) {
        let all = (0..function.code.len() as u32).map(|pc| (pc, Effect::Anything)).collect();
        return (all, Summary::anything());
    }
    let effects = effects(&values, strict);
    let summary = summary(&values, &effects, &results);
    (effects, summary)
}

/// Addresses below are those of null pointers and what is near them.
const FIRST_PAGE: u64 = 4096;

/// The effects that were found.
fn effects(values: &Values<'_, Single<'_>>, strict: bool) -> Vec<(u32, Effect)> {
    let mut effects: Vec<(u32, Effect)> = values.scope.anything.iter().map(|&pc| (pc, Effect::Anything)).collect();
    for &(pc, node, bytes) in &values.scope.stores {
        let targets = values.solver.targets(node);
        if targets.is_unknown() || targets.is_empty() && strict {
            effects.push((pc, Effect::Anything));
        }
        effects.extend(targets.iter().map(|(object, offset)| (pc, Effect::Writes(object, offset, bytes))));
    }
    for &(pc, node) in &values.scope.frees {
        effects.extend(values.solver.targets(node).iter().map(|(object, _)| (pc, Effect::Frees(object))));
    }
    effects.retain(|(_, effect)| match effect {
        Effect::Writes(object, ..) => !object.is_unknown() && !matches!(object, Object::Function(_)),
        _ => true,
    });
    effects
}

/// What callers see of it.
fn summary(values: &Values<'_, Single<'_>>, effects: &[(u32, Effect)], results: &[Node]) -> Summary {
    let mut summary = Summary::default();
    for &(_, effect) in effects {
        match effect {
            Effect::Writes(object, offset, bytes) => {
                if let Some(object) = outward(object) {
                    summary.effects.write(object, offset, bytes);
                }
            }
            Effect::Frees(object) => summary.effects.frees.extend(outward(object)),
            Effect::Anything => summary.effects.anything = true,
        }
    }
    if summary.effects.anything {
        return Summary::anything();
    }
    let seen = |node: Node| {
        let targets = values.solver.targets(node).iter();
        targets.filter_map(|(object, offset)| Some((outward(object)?, offset))).collect::<Targets>()
    };
    summary.results = results.iter().map(|&node| seen(node)).collect();
    summary.stored = seen(values.solver.outside);
    summary.fresh = seen(values.scope.fresh);
    summary
}

/// An object as callers name it; `None` for those that are gone with the frame.
fn outward(object: Object) -> Option<Object> {
    match object {
        Object::Stack(..) => None,
        Object::Heap(..) => Some(Object::Fresh),
        other => Some(other),
    }
}

/// What a call does to memory.
fn call_effects(values: &mut Values<'_, Single<'_>>, site: CallSite, pc: u32) {
    let callees = values.subject.graph.callees(site);
    // What runs on the way out is nothing to who waits for the call.
    if ends(values.subject, callees) {
        return;
    }
    for &id in &callees.functions {
        if let Some(summary) = values.scope.summaries.get(&id).cloned() {
            apply(values, site, pc, &summary);
        }
        // Arguments beyond the parameters are read through lists whose pointers are not followed.
        let fixed = values.function(id).params.len() as u32;
        values.arguments(Context::ANY, site, fixed).into_iter().for_each(|node| values.expose(node));
    }
    for &id in &callees.externals {
        let external = external(values.subject, id);
        external_effects(values, Called { context: Context::ANY, site }, &external);
        if external.calls == Calls::Anything {
            unknown_code(values, site, pc);
        }
        match &external.writes {
            Writes::Anything => unknown_code(values, site, pc),
            Writes::Arguments(written) => {
                for &(number, _) in written {
                    if let Some(node) = values.argument(Context::ANY, site, number, 0) {
                        values.scope.stores.push((pc, node, TO_THE_END));
                    }
                }
            }
        }
        if let Some(node) = external.frees.and_then(|number| values.argument(Context::ANY, site, number, 0)) {
            values.scope.frees.push((pc, node));
        }
    }
    for &id in &callees.callbacks {
        let Some(summary) = values.scope.summaries.get(&id).cloned() else { continue };
        callback(values, site, pc, &summary);
    }
    if callees.outside {
        unknown_code(values, site, pc);
    }
}

/// Code runs of which nothing is known.
fn unknown_code(values: &mut Values<'_, Single<'_>>, site: CallSite, pc: u32) {
    values.scope.anything.insert(pc);
    values.arguments(Context::ANY, site, 0).into_iter().for_each(|node| values.expose(node));
    let outside = values.solver.outside;
    values.expose(outside);
}

/// A function is called of which there is a summary.
fn apply(values: &mut Values<'_, Single<'_>>, site: CallSite, pc: u32, summary: &Summary) {
    if summary.effects.anything {
        unknown_code(values, site, pc);
        return;
    }
    let stored = import(values, site, &summary.stored);
    for (&object, places) in &summary.effects.writes {
        for &(offset, bytes) in places {
            let node = import(values, site, &Targets::from_iter([(object, offset)]));
            if object != Object::Fresh {
                values.solver.watch(node, Watcher::Store { value: Some(Source::Node(stored)), bytes });
            }
            values.scope.stores.push((pc, node, bytes));
        }
    }
    let fresh = import(values, site, &summary.fresh);
    let (object, value) = (Object::Heap(values.scope.root, pc), Source::Node(fresh));
    values.solver.write(object, Offset::ANY, TO_THE_END, value);
    for &object in &summary.effects.frees {
        let node = import(values, site, &Targets::from_iter([(object, Offset::START)]));
        values.scope.frees.push((pc, node));
    }
}

/// External code calls a function, with arguments of its own.
fn callback(values: &mut Values<'_, Single<'_>>, site: CallSite, pc: u32, summary: &Summary) {
    let outside = |object: &Object| matches!(object, Object::Parameter { .. } | Object::Reachable { .. });
    let effects = &summary.effects;
    if effects.anything || effects.writes.keys().chain(&effects.frees).any(outside) {
        unknown_code(values, site, pc);
        return;
    }
    apply(values, site, pc, summary);
}
