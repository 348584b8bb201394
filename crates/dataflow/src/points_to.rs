//! Demand-driven points-to over a whole program: what an operand may point to.
//!
//! Sensitive to fields (by byte offset, see [`Offset`]) and, within a function, to the order in which slots are written; not to
//! the order in which memory is. A result is followed into the function that was called, and what that was given back to this
//! one call, up to a depth. Work is bounded: what could not be finished is said to be incomplete, and may be anything.
//!
//! What is assumed: a pointer stays within the object that it was made from, a number that only constants make is no address.

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_model::{Callee, Linkage, Op, Opnd};

use crate::callgraph::{CallSite, Resolve};
use crate::context::Context;
use crate::library::{Calls, Content, External, Returned, Writes};
use crate::object::{Object, Targets};
use crate::offset::{Offset, TO_THE_END};
use crate::program::{FunctionId, World};
use crate::solver::{Node, Place, Source, Watcher};
use crate::values::{Called, Key, Scope, Subject, Value, Values};

/// Bounds of the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Calls that a value is followed into and back out of the same call.
    pub depth: usize,
    /// Steps of work for one question. What one question has found out is there for the next.
    pub work: u64,
    /// Steps of work for all questions together, which bounds the memory too: what is asked after them is left incomplete.
    pub total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        // Two calls see through a getter of a getter; some seconds at most.
        Self { depth: 2, work: 1_000_000, total: 20_000_000 }
    }
}

/// What an operand may point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointees {
    /// The objects, and the offsets in them.
    pub targets: Targets,
    /// All that there is. If not, the work was not finished, and it may point to anything.
    pub complete: bool,
}

impl Pointees {
    /// Whether the objects are all there are, and known. Where there is none, an address is null, made of constants, or never
    /// used: it is not known either.
    pub fn is_known(&self) -> bool {
        self.complete && !self.targets.is_empty() && !self.targets.is_unknown()
    }
}

/// The analysis, with what it has found out already.
pub struct PointsTo<'p> {
    values: Values<'p, Whole>,
    limits: Limits,
}

impl<'p> PointsTo<'p> {
    /// Of a program.
    pub fn new(subject: Subject<'p>, limits: Limits) -> Self {
        Self { values: Values::new(subject, Whole::default(), limits.depth), limits }
    }

    /// What an operand may point to where operation `pc` of a function reads it, however the function was called.
    pub fn operand(&mut self, function: FunctionId, pc: u32, operand: Opnd) -> Pointees {
        self.through(&[], function, pc, operand)
    }

    /// The same where the function was reached by these calls, the last one being its own.
    pub fn through(&mut self, calls: &[CallSite], function: FunctionId, pc: u32, operand: Opnd) -> Pointees {
        let context = calls.iter().fold(Context::ANY, |context, &site| self.values.contexts.push(context, site));
        let node = self.values.value(Value { context, function, pc, operand });
        let until = self.limits.total.min(self.values.solver.work + self.limits.work);
        let complete = self.values.run(until);
        Pointees { targets: self.values.solver.targets(node).clone(), complete }
    }
}

impl Resolve for PointsTo<'_> {
    fn resolve(&mut self, site: CallSite) -> Option<Vec<FunctionId>> {
        let Callee::Indirect(pointer) = self.values.function(site.caller).calls[site.call as usize].callee else {
            return None;
        };
        let pc = self.values.place_of(site)?;
        let found = self.operand(site.caller, pc, pointer);
        let functions = found.targets.iter().filter_map(|(object, _)| match object {
            Object::Function(id) => Some(id),
            _ => None,
        });
        found.is_known().then(|| functions.collect())
    }
}

/// What a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Target {
    Code(FunctionId),
    External(FunctionId),
    Outside,
}

/// Why somebody wants to know what a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Interest {
    /// A word of the result goes to a node.
    Result(u32, Node),
    /// Where it is this function: a word of an argument goes to a node.
    Argument(FunctionId, u32, u32, Node),
    /// What external code does.
    Effects,
}

/// The scope of a whole program.
#[derive(Default)]
struct Whole {
    /// All stores are looked at: something is read from memory.
    active: bool,
    /// Parameters of functions, to be told when outside code may call them.
    waiting: FxHashMap<FunctionId, Vec<Node>>,
    given_away: FxHashSet<FunctionId>,
    /// Calls through pointers: what they call, and who wants to know.
    arrived: FxHashMap<Called, FxHashSet<Target>>,
    interests: FxHashMap<Called, FxHashSet<Interest>>,
}

impl Scope for Whole {
    fn place(object: Object) -> Place {
        match object {
            Object::Function(_) => Place::Nothing,
            Object::Number | Object::Unknown => Place::Unknown,
            _ => Place::Kept,
        }
    }

    fn parameter(values: &mut Values<'_, Self>, at: (Context, FunctionId), index: u32, word: u32, node: Node) {
        let (context, function) = at;
        if let Some((site, outer)) = values.contexts.pop(context) {
            let called = Called { context: outer, site };
            want(values, called, Interest::Argument(function, index, word, node));
            return;
        }
        for &site in values.subject.graph.callers(function) {
            let called = Called { context: Context::ANY, site };
            want(values, called, Interest::Argument(function, index, word, node));
        }
        let named = values.subject.graph.named_outside(function);
        if named || values.scope.given_away.contains(&function) {
            values.solver.add(node, Object::Unknown, Offset::ANY);
        } else if values.subject.graph.known_outside(function) {
            activate(values);
            values.scope.waiting.entry(function).or_default().push(node);
        }
    }

    fn called(values: &mut Values<'_, Self>, context: Context, site: CallSite, word: u32, node: Node) {
        want(values, Called { context, site }, Interest::Result(word, node));
    }

    fn touched(values: &mut Values<'_, Self>, object: Object) {
        activate(values);
        if let Object::Global(id) = object {
            values.initial(id);
            let linkage = values.subject.program.global(id).linkage;
            let visible = values.subject.program.world() == World::Open && linkage != Linkage::Internal;
            if visible || linkage == Linkage::Declared {
                values.solver.add(values.solver.exposed, object, Offset::ANY);
            }
        }
    }

    fn exposed(values: &mut Values<'_, Self>, function: FunctionId) {
        if !values.function(function).is_defined() || !values.scope.given_away.insert(function) {
            return;
        }
        for node in values.scope.waiting.remove(&function).unwrap_or_default() {
            values.solver.add(node, Object::Unknown, Offset::ANY);
        }
        expose_results(values, function);
    }

    fn tell(values: &mut Values<'_, Self>, called: Called, object: Object) {
        let callees = values.subject.graph.callees(called.site);
        match object {
            Object::Function(id) if callees.functions.contains(&id) => arrive(values, called, Target::Code(id)),
            Object::Function(id) if !values.function(id).is_defined() => arrive(values, called, Target::External(id)),
            object if object.is_unknown() => {
                callees.functions.iter().for_each(|&id| arrive(values, called, Target::Code(id)));
                callees.externals.iter().for_each(|&id| arrive(values, called, Target::External(id)));
                arrive(values, called, Target::Outside);
            }
            _ => {}
        }
    }
}

fn expose_results(values: &mut Values<'_, Whole>, function: FunctionId) {
    let words: u32 = values.function(function).ret.iter().map(|leaf| leaf.slots()).sum();
    for word in 0..words {
        let result = values.key(Key::Result(Context::ANY, function, word));
        values.expose(result);
    }
}

/// Somebody wants to know what a call calls.
fn want(values: &mut Values<'_, Whole>, called: Called, interest: Interest) {
    let callees = values.subject.graph.callees(called.site);
    let Callee::Indirect(pointer) = values.function(called.site.caller).calls[called.site.call as usize].callee else {
        let outside =
            matches!(values.function(called.site.caller).calls[called.site.call as usize].callee, Callee::Asm(_));
        let code = callees.functions.iter().map(|&id| Target::Code(id));
        let externals = callees.externals.iter().map(|&id| Target::External(id));
        let outside = outside.then_some(Target::Outside);
        code.chain(externals).chain(outside).for_each(|target| serve(values, called, target, interest));
        return;
    };
    let known = values.scope.interests.contains_key(&called);
    if !values.scope.interests.entry(called).or_default().insert(interest) {
        return;
    }
    if !known && let Some(pc) = values.place_of(called.site) {
        let value = Value { context: called.context, function: called.site.caller, pc, operand: pointer };
        let node = values.value(value);
        values.solver.watch(node, Watcher::Tell(called));
    }
    let arrived: Vec<Target> = values.scope.arrived.get(&called).into_iter().flatten().copied().collect();
    arrived.into_iter().for_each(|target| serve(values, called, target, interest));
}

/// A call through a pointer may call something.
fn arrive(values: &mut Values<'_, Whole>, called: Called, target: Target) {
    if !values.scope.arrived.entry(called).or_default().insert(target) {
        return;
    }
    let interests: Vec<Interest> = values.scope.interests.get(&called).into_iter().flatten().copied().collect();
    interests.into_iter().for_each(|interest| serve(values, called, target, interest));
}

fn serve(values: &mut Values<'_, Whole>, called: Called, target: Target, interest: Interest) {
    let Called { context, site } = called;
    match (interest, target) {
        (Interest::Result(word, node), Target::Code(id)) => {
            let inner = values.contexts.push(context, site);
            let result = values.key(Key::Result(inner, id, word));
            values.solver.edge(result, node, Offset::START);
        }
        (Interest::Result(word, node), Target::External(id)) => {
            let external = external(values, id);
            external_result(values, called, &external, word, node);
        }
        (Interest::Result(_, node), Target::Outside) => values.solver.add(node, Object::Unknown, Offset::ANY),
        (Interest::Argument(function, index, word, node), Target::Code(id)) if id == function => {
            if let Some(argument) = values.argument(context, site, index, word) {
                values.solver.edge(argument, node, Offset::START);
            }
        }
        (Interest::Argument(..), _) => {}
        (Interest::Effects, Target::Code(id)) => {
            // Arguments beyond the parameters are read through lists whose pointers are not followed.
            let fixed = values.function(id).params.len() as u32;
            values.arguments(context, site, fixed).into_iter().for_each(|node| values.expose(node));
        }
        (Interest::Effects, Target::External(id)) => {
            let external = external(values, id);
            external_effects(values, called, &external);
        }
        (Interest::Effects, Target::Outside) => {
            values.arguments(context, site, 0).into_iter().for_each(|node| values.expose(node));
        }
    }
}

fn external<S: Scope>(values: &Values<'_, S>, id: FunctionId) -> External {
    values.subject.library.external(&values.function(id).name).unwrap_or_else(External::unknown)
}

/// What an external function returns.
pub(crate) fn external_result<S: Scope>(
    values: &mut Values<'_, S>,
    Called { context, site }: Called,
    external: &External,
    word: u32,
    node: Node,
) {
    let pc = values.place_of(site).unwrap_or(0);
    let fresh = Object::Heap(site.caller, pc);
    match external.result {
        Returned::Plain => {}
        Returned::Fresh if word == 0 => values.solver.add(node, fresh, Offset::START),
        Returned::Moved(number) if word == 0 => {
            values.solver.add(node, fresh, Offset::START);
            if let Some(old) = values.argument(context, site, number, 0) {
                values.solver.edge(old, node, Offset::START);
                let new = values.solver.node();
                values.solver.add(new, fresh, Offset::START);
                values.moved(new, old, None);
            }
        }
        Returned::Argument(number) => {
            if let Some(argument) = values.argument(context, site, number, 0) {
                values.solver.edge(argument, node, Offset::ANY);
            }
        }
        Returned::Fresh | Returned::Moved(_) => {}
        Returned::Unknown => values.solver.add(node, Object::Unknown, Offset::ANY),
    }
}

/// What an external function does to memory that the program sees.
pub(crate) fn external_effects<S: Scope>(
    values: &mut Values<'_, S>,
    Called { context, site }: Called,
    external: &External,
) {
    if external.keeps || external.calls != Calls::Nothing || external.writes == Writes::Anything {
        values.arguments(context, site, 0).into_iter().for_each(|node| values.expose(node));
        return;
    }
    let Writes::Arguments(written) = &external.writes else { return };
    for &(number, content) in written {
        let Some(to) = values.argument(context, site, number, 0) else { continue };
        match content {
            Content::Plain => {}
            Content::Of(from) => {
                if let Some(from) = values.argument(context, site, from, 0) {
                    values.moved(to, from, None);
                }
            }
            Content::Unknown => {
                let value = Some(Source::Node(values.solver.unknown));
                values.solver.watch(to, Watcher::Store { value, bytes: TO_THE_END });
            }
        }
    }
}

/// From here on every store of the program counts, and every value that outside code is given.
fn activate(values: &mut Values<'_, Whole>) {
    if std::mem::replace(&mut values.scope.active, true) {
        return;
    }
    values.solver.edge(values.solver.outside, values.solver.exposed, Offset::START);
    let program = values.subject.program;
    for function in program.defined() {
        for (pc, op) in (0..).zip(&program.function(function).code) {
            match op {
                Op::Call { call } => {
                    let site = CallSite { caller: function, call: *call };
                    want(values, Called { context: Context::ANY, site }, Interest::Effects);
                }
                _ => {
                    values.effect(Context::ANY, function, pc);
                }
            }
        }
        if values.subject.graph.named_outside(function) {
            expose_results(values, function);
        }
    }
}
