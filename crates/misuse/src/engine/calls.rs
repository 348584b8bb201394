//! Calls: methods of protocols, functions of the library, functions of the program, and what is not known.

use std::sync::Arc;

use whydunit_dataflow::{CallKind, CallSite, FunctionId};
use whydunit_library::{Ending, lookup};
use whydunit_model::{BlockId, Call, IntPred, names};

use super::run::Run;
use super::transfer::is_index;
use crate::engine::bit;
use crate::identity::FunctionKey;
use crate::protocol::{Method, Next, Place, StateId};
use crate::range::Range;
use crate::report::{Found, Grade, extended};
use crate::state::{Object, Seed, Site, State};
use crate::symbol::{Sym, Symbol, Value};

/// The word of what a call gives that is the handle it stores behind an argument.
const BEHIND: u32 = u32::MAX - 1;

/// The plain name of a function of the C library, however it is called.
pub(crate) fn plain(symbol: &str) -> &str {
    lookup(symbol).map_or(symbol, |known| known.name())
}

/// A name for people.
pub(crate) fn shown(symbol: &str) -> String {
    names::readable(symbol).unwrap_or_else(|| symbol.to_owned())
}

/// What a call is of.
pub(crate) struct Called<'c> {
    pub pc: u32,
    pub call: &'c Call,
    pub args: Vec<Value>,
    pub symbol: &'c str,
    /// Functions with code.
    pub bodies: Vec<FunctionId>,
    /// It is one function, by name.
    pub direct: bool,
}

impl<'p> Run<'_, 'p> {
    pub fn call(
        &mut self,
        mut state: State,
        pc: u32,
        number: u32,
        next: &mut Vec<State>,
        out: &mut Vec<(BlockId, State)>,
    ) {
        let function: &'p whydunit_model::Function = self.function;
        let call = &function.calls[number as usize];
        let graph = self.engine.graph;
        let callees = graph.callees(CallSite { caller: self.id, call: number });
        let program = self.engine.program;
        // What the same call gave in an earlier round is no longer known by the name that its result has now.
        self.again(&mut state, pc);
        let args = call.args.iter().map(|arg| self.operand(&state, arg.value)).collect();
        let one = callees.functions.len() + callees.externals.len() == 1 && !callees.outside;
        let direct = callees.kind == CallKind::Direct && callees.functions.len() + callees.externals.len() >= 1;
        let name = callees.functions.first().or(callees.externals.first());
        let symbol = name.filter(|_| one || direct).map_or("", |&id| program.function(id).name.as_str());
        let called = Called { pc, call, args, symbol, bodies: callees.functions.clone(), direct: one };
        if let Some(pad) = call.unwind
            && lookup(symbol).is_none_or(|known| known.function.ending == Some(Ending::Throw))
        {
            let mut thrown = state.clone();
            self.unknown(&mut thrown, &called);
            thrown.object = None;
            out.push((pad, thrown));
        }
        // Which of several functions is called, and on what, is not seen.
        let bodies = callees.functions.iter().filter(|_| !one).chain(&callees.callbacks);
        self.unseen |= bodies.map(|&id| self.engine.reached(id)).fold(0, |all, one| all | one);
        let known = self.engine.methods.get(plain(symbol)).cloned().unwrap_or_default();
        for &(protocol, method) in &known {
            if let Place::Argument(index) | Place::Made(index) = self.engine.protocols[protocol].methods[method].place {
                self.receives(protocol, argument(&called, index).unwrap_or(Value::Any));
            }
        }
        let mut states = vec![state];
        if known.is_empty() {
            states = states.into_iter().flat_map(|state| self.effects(state, &called)).collect();
        } else {
            self.before(&mut states, &called, &known);
            states = states.into_iter().flat_map(|state| self.beside(state, &called, &known)).collect();
            states = states.into_iter().flat_map(|state| self.after(state, &called, &known)).collect();
        }
        if !call.noreturn {
            next.extend(states);
        }
    }

    /// A method of a protocol is called on an object.
    pub fn receives(&mut self, protocol: usize, receiver: Value) {
        match receiver {
            Value::At(sym, _) if self.is_own(sym) => {}
            Value::At(sym, _) if self.engine.symbols.is_of_entry(sym) => {
                self.receivers.insert((protocol, sym));
            }
            Value::Number(_) | Value::Truth(..) => {}
            _ => self.unseen |= bit(protocol),
        }
    }

    /// The followed object is the receiver: where the call is wrong, that is told, and nothing follows.
    fn before(&mut self, states: &mut Vec<State>, called: &Called<'_>, known: &[(usize, usize)]) {
        let protocols = self.engine.protocols;
        let Some(state) = states.first().cloned() else { return };
        for &(protocol, method) in known {
            let method = &protocols[protocol].methods[method];
            let Place::Argument(index) = method.place else { continue };
            let receiver = argument(called, index);
            if let (Some(object), Some(Value::At(sym, offset))) = (&state.object, receiver)
                && object.protocol == protocol
                && object.at == (sym, offset)
            {
                let right =
                    method.transitions.iter().any(|it| it.from == object.state && matches!(it.to, Next::State(_)));
                let wrong =
                    method.transitions.iter().find(|it| it.from == object.state && !matches!(it.to, Next::State(_)));
                let name: Arc<str> = shown(called.symbol).into();
                match wrong {
                    Some(wrong) if !right => {
                        let grade = if wrong.to == Next::MayFail { Grade::MayFail } else { Grade::Never };
                        self.wrong(&state, object.clone(), called.pc, name, grade);
                        states.clear();
                        return;
                    }
                    None if !right && self.engine.options.strict => {
                        self.wrong(&state, object.clone(), called.pc, name, Grade::Unseen);
                    }
                    _ => self.fine(object.seed, called.pc),
                }
            }
        }
    }

    /// What a call does to everything but the followed object. What it makes of that one, where it is the receiver, is the model's word, not that of the code
    /// below: that code may be too much to look at, and belongs to the class.
    fn beside(&mut self, mut state: State, called: &Called<'_>, known: &[(usize, usize)]) -> Vec<State> {
        let protocols = self.engine.protocols;
        let receives = |object: &Object| {
            known.iter().any(|&(protocol, method)| match protocols[protocol].methods[method].place {
                Place::Argument(index) => {
                    object.protocol == protocol && argument(called, index) == Some(Value::At(object.at.0, object.at.1))
                }
                _ => false,
            })
        };
        let Some(object) = state.object.take_if(|object| receives(object)) else { return self.effects(state, called) };
        let mut out = self.effects(state.clone(), called);
        let ends = out.is_empty();
        out.retain(|it| it.object.is_none());
        if out.is_empty() && !ends {
            self.unknown(&mut state, called);
            out.push(state);
        }
        out.iter_mut().for_each(|it| it.object = Some(object.clone()));
        out
    }

    /// A call on an object is right.
    fn fine(&mut self, seed: Seed, pc: u32) {
        if self.last {
            self.outcomes.entry((pc, seed)).or_default().fine = true;
        }
    }

    fn wrong(&mut self, state: &State, object: Object, pc: u32, method: Arc<str>, grade: Grade) {
        if !self.last {
            return;
        }
        let site = Site { function: self.here(), pc };
        let found = Found {
            protocol: object.protocol,
            state: object.state,
            seed: object.seed,
            site,
            method,
            must: object.sure && grade == Grade::Never,
            grade,
            since: object.since,
            trail: object.trail,
            calls: object.calls,
            conditions: self.known_of_entry(state),
        };
        self.outcomes.entry((pc, object.seed)).or_default().wrong.push(found);
    }

    /// What is known of values at the function's entry.
    pub fn known_of_entry(&self, state: &State) -> Vec<(Sym, Range)> {
        let facts = state.facts.iter().filter(|(sym, _)| self.engine.symbols.is_of_entry(**sym));
        facts.map(|(&sym, &range)| (sym, range)).collect()
    }

    /// Memory is read or written: of an object, that may be wrong.
    pub fn touched(&mut self, state: &mut State, pc: u32, addr: Value, how: &str) {
        let Some(object) = &state.object else { return };
        let protocol = &self.engine.protocols[object.protocol];
        if protocol.untouchable.is_empty() || self.pointed(addr) != Some(object.at.0) {
            return;
        }
        if protocol.untouchable.contains(&object.state) {
            let object = object.clone();
            self.wrong(state, object, pc, how.into(), Grade::Never);
            state.object = None;
        } else {
            self.fine(object.seed, pc);
        }
    }

    /// The object that an address leads into, by whatever index.
    fn pointed(&self, addr: Value) -> Option<Sym> {
        let Value::At(mut sym, _) = addr else { return None };
        while let Symbol::Term(tag, Value::At(base, _), _) = self.engine.symbols.of(sym)
            && is_index(tag)
        {
            sym = base;
        }
        Some(sym)
    }

    /// What the methods make of the states of objects, once the call has its result.
    fn after(&mut self, state: State, called: &Called<'_>, known: &[(usize, usize)]) -> Vec<State> {
        let protocols = self.engine.protocols;
        let mut plain = vec![state];
        let mut made = Vec::new();
        for &(number, method) in known {
            let protocol = &protocols[number];
            let method = &protocol.methods[method];
            match method.place {
                Place::Argument(index) => {
                    let Some(Value::At(sym, offset)) = argument(called, index) else { continue };
                    let mut next = Vec::new();
                    for state in plain {
                        match &state.object {
                            Some(object) if object.protocol == number && object.at == (sym, offset) => {
                                let from = object.state;
                                next.extend(self.followed(&state, called, method, from));
                            }
                            Some(_) => next.push(state),
                            None => {
                                made.extend(self.adopted(&state, called, (number, method), (sym, offset)));
                                next.push(state);
                            }
                        }
                    }
                    plain = next;
                }
                place => {
                    for state in &mut plain {
                        self.handed_out(state, called, number, place);
                    }
                    for state in plain.iter().filter(|state| state.object.is_none()) {
                        made.extend(self.constructed(state, called, (number, method), place));
                    }
                }
            }
        }
        plain.extend(made);
        plain
    }

    /// An object that is made lies at its place, its handle where it is stored.
    fn handed_out(&mut self, state: &mut State, called: &Called<'_>, number: usize, place: Place) {
        match place {
            Place::Made(index) => made_anew(state, number, argument(called, index)),
            Place::Behind(index) => {
                let handle = self.made(called.pc, BEHIND);
                if let Some(addr @ Value::At(..)) = argument(called, index) {
                    self.write(state, addr, 8, handle);
                }
            }
            Place::Result | Place::Argument(_) => {}
        }
    }

    /// The followed object goes on to other states.
    fn followed(&mut self, state: &State, called: &Called<'_>, method: &Method, from: StateId) -> Vec<State> {
        let mut out = Vec::new();
        for transition in method.transitions.iter().filter(|it| it.from == from) {
            let Next::State(to) = transition.to else { continue };
            let mut state = state.clone();
            if !self.result_is(&mut state, called, transition.result) {
                continue;
            }
            if let Some(object) = &mut state.object
                && object.state != to
            {
                object.state = to;
                object.trail = self.step(&object.trail, called);
            }
            out.push(state);
        }
        if out.is_empty() && !method.transitions.iter().any(|it| it.from == from) {
            // The model says nothing of it: the state is unknown from here on.
            out.push(State { object: None, ..state.clone() });
        }
        out
    }

    /// An object that was not followed: where the call leaves it in a state from which not all goes on.
    fn adopted(
        &mut self,
        state: &State,
        called: &Called<'_>,
        (number, method): (usize, &Method),
        at: (Sym, i64),
    ) -> Vec<State> {
        let protocol = &self.engine.protocols[number];
        let made = self.made_places.keys().any(|&(sym, _, protocol)| (sym, protocol) == (at.0, number));
        if made
            || self.is_constructed(at.0, number)
            || self.counts_references(state, at.0)
            || at.1 != 0 && !protocol.by_place()
        {
            return Vec::new();
        }
        let mut out: Vec<State> = Vec::new();
        for transition in &method.transitions {
            let Next::State(to) = transition.to else { continue };
            if !protocol.is_dangerous(to) || transition.from == to && !protocol.by_place() {
                continue;
            }
            // Where other states lead elsewhere with the same result, it is not known where this object went.
            let elsewhere = |it: &crate::protocol::Transition| {
                let together = it.result == transition.result || it.result.is_none() || transition.result.is_none();
                together && matches!(it.to, Next::State(other) if other != to)
            };
            if method.transitions.iter().any(elsewhere) {
                continue;
            }
            let mut state = state.clone();
            if !self.result_is(&mut state, called, transition.result) {
                continue;
            }
            let (pred, against) = protocol.valid();
            if !protocol.by_place() && !state.assume(at.0, pred, against) {
                continue;
            }
            self.follow(&mut state, called, (number, to), at);
            if !out.iter().any(|it| it.key() == state.key()) {
                out.push(state);
            }
        }
        out
    }

    /// A branch hangs on a count that is kept in the object: others may still have it.
    fn counts_references(&self, state: &State, sym: Sym) -> bool {
        let symbols = &self.engine.symbols;
        let counted = |symbol: Symbol| {
            matches!(symbol, Symbol::Term(tag, a, b) if tag >> 28 == 5
                && (symbols.value_mentions(a, &|it| it == symbols.of(sym)) || symbols.value_mentions(b, &|it| it == symbols.of(sym))))
        };
        state.facts.keys().any(|&fact| symbols.mentions(fact, &counted))
    }

    /// Whether an object is followed since it was made.
    fn is_constructed(&self, sym: Sym, number: usize) -> bool {
        let mut symbol = self.engine.symbols.of(sym);
        while let Symbol::Within(function, pc, inner) = symbol {
            if self.makes(function, pc, number) {
                return true;
            }
            symbol = self.engine.symbols.of(inner);
        }
        let (Symbol::Made(function, pc, 0 | BEHIND) | Symbol::Old(function, pc)) = symbol else { return false };
        self.makes(function, pc, number)
    }

    /// Whether an operation calls what makes objects that are followed.
    fn makes(&self, function: FunctionKey, pc: u32, number: usize) -> bool {
        let Some(function) = self.engine.identities.number(function) else { return false };
        let whydunit_model::Op::Call { call } = self
            .engine
            .program
            .function(function)
            .code
            .get(pc as usize)
            .cloned()
            .unwrap_or(whydunit_model::Op::Safepoint)
        else {
            return false;
        };
        let callees = self.engine.graph.callees(CallSite { caller: function, call });
        let names =
            callees.functions.iter().chain(&callees.externals).map(|&id| plain(&self.engine.program.function(id).name));
        let protocol = &self.engine.protocols[number];
        let makes = |name: &str| {
            let handed = |place: Place| matches!(place, Place::Result | Place::Behind(_));
            let made = |method: &&Method| handed(method.place) && method.symbols.iter().any(|it| it == name);
            protocol.methods.iter().filter(made).any(|method| worth(protocol, method))
        };
        names.into_iter().any(makes)
    }

    /// An object is made.
    fn constructed(
        &mut self,
        state: &State,
        called: &Called<'_>,
        (number, method): (usize, &Method),
        place: Place,
    ) -> Vec<State> {
        let protocol = &self.engine.protocols[number];
        if !worth(protocol, method) {
            return Vec::new();
        }
        let mut out = Vec::new();
        for transition in &method.transitions {
            let Next::State(to) = transition.to else { continue };
            let mut state = state.clone();
            if !self.result_is(&mut state, called, transition.result) {
                continue;
            }
            let at = match place {
                Place::Result => self.result(&state, called),
                Place::Made(index) => argument(called, index).unwrap_or(Value::Any),
                Place::Behind(_) => self.made(called.pc, BEHIND),
                Place::Argument(_) => Value::Any,
            };
            let Value::At(sym, offset) = at else { continue };
            if let Place::Made(_) = place {
                self.made_places.entry((sym, offset, number)).or_default().insert(called.pc);
            }
            self.follow(&mut state, called, (number, to), (sym, offset));
            out.push(state);
        }
        out
    }

    fn follow(&mut self, state: &mut State, called: &Called<'_>, (protocol, to): (usize, StateId), at: (Sym, i64)) {
        let seed = Seed::Call(Site { function: self.here(), pc: called.pc });
        let trail = self.step(&None, called);
        let since = Some(called.pc);
        state.object = Some(Object { seed, since, protocol, at, state: to, trail, calls: 0, sure: true });
    }

    /// The trail goes on with this call.
    fn step(&self, trail: &Option<Arc<crate::state::Step>>, called: &Called<'_>) -> Option<Arc<crate::state::Step>> {
        let site = Site { function: self.here(), pc: called.pc };
        extended(trail, site, format!("{} is called", shown(called.symbol)))
    }

    /// Takes in what the result is. False where it cannot be.
    fn result_is(&mut self, state: &mut State, called: &Called<'_>, wanted: Option<(IntPred, i64)>) -> bool {
        let Some((pred, against)) = wanted else { return true };
        match self.result(state, called) {
            Value::At(sym, 0) if !called.call.ret.is_empty() => state.assume(sym, pred, against),
            Value::Number(number) => {
                let bits = called.call.ret.first().map_or(64, |leaf| 8 * leaf.bytes()).clamp(1, 64);
                let number = ((number << (64 - bits)) as i64) >> (64 - bits);
                Range::exactly(number).narrowed(pred, against).is_some()
            }
            _ => true,
        }
    }

    /// What a call has given: a function of the program may give what is known.
    fn result(&mut self, state: &State, called: &Called<'_>) -> Value {
        let known = state.slots.get(&called.call.dst).copied().filter(|_| !called.call.ret.is_empty());
        known.filter(|value| *value != Value::Any).unwrap_or_else(|| self.made(called.pc, 0))
    }
}

/// An object that is made where a followed one lies is another one.
fn made_anew(state: &mut State, protocol: usize, at: Option<Value>) {
    let there = |object: &Object| object.protocol == protocol && at == Some(Value::At(object.at.0, object.at.1));
    if state.object.as_ref().is_some_and(there) {
        state.object = None;
    }
}

/// Whether objects are followed from their making on: something may be wrong with what was made.
fn worth(protocol: &crate::protocol::Protocol, method: &Method) -> bool {
    let dangerous = |it: &crate::protocol::Transition| matches!(it.to, Next::State(to) if protocol.is_dangerous(to));
    method.transitions.iter().any(dangerous)
}

fn argument(called: &Called<'_>, index: u32) -> Option<Value> {
    let index = lookup(called.symbol).map_or(index as usize, |known| known.argument(index as usize));
    called.args.get(index).copied()
}
