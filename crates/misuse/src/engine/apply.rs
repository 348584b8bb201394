//! What a function of the program does, taken over into its caller.

use rustc_hash::FxHashMap;
use whydunit_dataflow::FunctionId;
use whydunit_model::{Op, Slot, defined};

use super::calls::Called;
use super::run::Run;
use super::transfer::name_place;
use crate::engine::{Entry, Exit, Passed, Path, Root, Summary, bit};
use crate::range::Range;
use crate::report::{Found, extended, joined};
use crate::state::{Background, Region, Seed, Site, State};
use crate::symbol::{Sym, Symbol, Value};

/// An object comes into a function by so many ways at most.
const MOST_PATHS: usize = 3;

/// What the symbols of a called function are in its caller.
struct Mapping {
    args: FxHashMap<Slot, Value>,
    known: FxHashMap<Sym, Value>,
}

impl Run<'_, '_> {
    /// A call of a function of the program.
    pub fn body_of_call(&mut self, mut state: State, called: &Called<'_>, body: FunctionId) -> Vec<State> {
        let callee = self.engine.program.function(body);
        let mut args: FxHashMap<Slot, Value> = FxHashMap::default();
        for (param, &value) in callee.params.iter().zip(&called.args) {
            args.insert(param.slot, value);
        }
        let mut numbers: Vec<(Slot, u64)> = Vec::new();
        for (&slot, value) in &args {
            if let Value::Number(number) = value {
                numbers.push((slot, *number));
            }
        }
        numbers.sort_unstable();
        let passed = self.passed(&state, body, &args);
        // What is not followed into it may be filled there.
        if let (Some(object), None) = (&state.object, &passed)
            && self.engine.protocols[object.protocol].raw == Some(object.state)
            && called.args.iter().any(|it| matches!(it, Value::At(sym, _) if *sym == object.at.0))
        {
            state.object = None;
        }
        let entry = Entry { object: passed, numbers };
        let summary = self.engine.summary(body, &entry);
        if summary.unknown {
            self.unseen |= self.engine.reached(body);
            if entry.object.is_none() && self.may_be_received(&state, called, body, None) {
                state.object = None;
            }
            self.results(&mut state, called);
            self.outside(&mut state, called);
            return vec![state];
        }
        let received = self.received(&state, called, &summary, &args);
        if entry.object.is_none() && self.may_be_received(&state, called, body, Some(&received)) {
            state.object = None;
        }
        if entry.object.is_some() {
            self.take_over(&state, called, &summary, &args);
        }
        let mut out = Vec::new();
        for exit in &summary.exits {
            let inner = exit.state.object.as_ref();
            let taken = match (&state.object, inner, entry.object.is_some()) {
                // What it makes itself is followed where nothing else is.
                (None, _, _) => true,
                (Some(_), None, true) => true,
                (Some(_), Some(object), true) => object.seed == Seed::Entry,
                (Some(_), inner, false) => inner.is_none(),
            };
            if taken {
                out.extend(self.apply(&state, called, exit, &args, entry.object.is_some()));
            }
        }
        out
    }

    /// What a called function calls methods on of what is there here, each with the protocol; it counts as called here.
    fn received(
        &mut self,
        state: &State,
        called: &Called<'_>,
        summary: &Summary,
        args: &FxHashMap<Slot, Value>,
    ) -> Vec<(usize, Value)> {
        self.unseen |= summary.unseen;
        let mut mapping = Mapping { args: args.clone(), known: FxHashMap::default() };
        let mut out = Vec::new();
        for &(protocol, sym) in &summary.receivers {
            let value = self.mapped(state, called, &mut mapping, sym);
            self.receives(protocol, value);
            out.push((protocol, value));
        }
        let unseen = (0..self.engine.protocols.len()).filter(|&it| summary.unseen & bit(it) != 0);
        out.extend(unseen.map(|protocol| (protocol, Value::Any)));
        out
    }

    /// Whether a called function may call methods on the followed object that was not passed to it, by ways that are not followed. `received`: what it calls
    /// methods on; `None` where that is not known. Objects with different names here are taken to be different ones.
    fn may_be_received(
        &self,
        state: &State,
        called: &Called<'_>,
        body: FunctionId,
        received: Option<&[(usize, Value)]>,
    ) -> bool {
        let Some(object) = &state.object else { return false };
        if self.is_described(called)
            || !self.engine.reaches(body, object.protocol)
            || !self.reaches_unseen(state, called)
        {
            return false;
        }
        let other = |value: &Value| match *value {
            Value::At(sym, _) => {
                let only_known_there =
                    matches!(self.engine.symbols.of(sym), Symbol::Within(f, pc, _) if (f, pc) == (self.key, called.pc));
                sym != object.at.0 && !only_known_there
            }
            Value::Any => false,
            Value::Number(_) | Value::Truth(..) => true,
        };
        received.is_none_or(|received| received.iter().any(|(it, value)| *it == object.protocol && !other(value)))
    }

    /// Whether an object lies where code that is called may find it by ways that are not followed.
    fn reaches_unseen(&self, state: &State, called: &Called<'_>) -> bool {
        let Some(object) = &state.object else { return false };
        let at = object.at.0;
        let outside = |base: &Sym| !self.is_own(*base) || state.escaped.contains(base);
        let held = |region: &Region| region.cells.values().any(|it| matches!(it.value, Value::At(sym, _) if sym == at));
        let given = called.args.iter().any(|it| matches!(it, Value::At(sym, _) if *sym == at));
        given
            || self.engine.symbols.is_of_entry(at)
            || state.memory.iter().any(|(base, region)| outside(base) && held(region))
    }

    /// How the followed object comes into a function; `None` where it does not matter there, or cannot be said.
    fn passed(&mut self, state: &State, body: FunctionId, args: &FxHashMap<Slot, Value>) -> Option<Passed> {
        let object = state.object.as_ref()?;
        let protocol = &self.engine.protocols[object.protocol];
        let matters = self.engine.reaches(body, object.protocol) || protocol.untouchable.contains(&object.state);
        if !matters || object.calls >= self.engine.options.depth {
            return None;
        }
        let mut roots: Vec<(Root, Sym, i64)> = Vec::new();
        for (&slot, &value) in args {
            if let Value::At(base, offset) = value {
                roots.push((Root::Parameter(slot), base, offset));
            }
        }
        for &base in state.memory.keys() {
            if let Symbol::Global(global) = self.engine.symbols.of(base) {
                roots.push((Root::Global(global), base, 0));
            }
        }
        if let Symbol::Global(global) = self.engine.symbols.of(object.at.0) {
            roots.push((Root::Global(global), object.at.0, 0));
        }
        let mut paths = Vec::new();
        for (root, base, offset) in roots {
            self.paths(state, (base, offset), &mut Path { root, loads: Vec::new(), last: 0 }, &mut paths);
        }
        paths.sort_by(|a, b| (a.loads.len(), a).cmp(&(b.loads.len(), b)));
        paths.dedup();
        paths.truncate(MOST_PATHS);
        let (protocol, now) = (object.protocol, object.state);
        (!paths.is_empty()).then_some(Passed { protocol, state: now, paths, down: object.calls + 1 })
    }

    /// Ways to the object from a pointer, two loads deep.
    fn paths(&self, state: &State, (base, offset): (Sym, i64), path: &mut Path, out: &mut Vec<Path>) {
        let Some(object) = &state.object else { return };
        if base == object.at.0 {
            out.push(Path { last: object.at.1 - offset, ..path.clone() });
            return;
        }
        if path.loads.len() >= 2 {
            return;
        }
        let Some(region) = state.region(base) else { return };
        for (at, cell) in region.cells.iter() {
            if let Value::At(next, shift) = cell.value
                && next != base
            {
                path.loads.push(at - offset);
                self.paths(state, (next, shift), path, out);
                path.loads.pop();
            }
        }
    }

    /// Wrong calls below, on the object that was passed.
    fn take_over(&mut self, state: &State, called: &Called<'_>, summary: &Summary, args: &FxHashMap<Slot, Value>) {
        let Some(object) = &state.object else { return };
        if !self.last {
            return;
        }
        self.passing.entry((called.pc, object.seed)).or_default().insert(object.state);
        let site = Site { function: self.here(), pc: called.pc };
        let into = extended(&object.trail, site, format!("it is passed to {}", self.called_name(called)));
        let mut mapping = Mapping { args: args.clone(), known: FxHashMap::default() };
        for found in &summary.passed {
            let Some(conditions) = self.conditions_here(state, called, &mut mapping, &found.conditions) else {
                continue;
            };
            let passed = Found {
                conditions,
                seed: object.seed,
                since: object.since,
                trail: joined(&into, &found.trail),
                must: found.must && object.sure,
                calls: found.calls + 1,
                ..found.clone()
            };
            self.below.push((called.pc, passed));
        }
    }

    /// What has to hold at the function's entry for something to be come to below; `None` where it cannot hold at this call.
    fn conditions_here(
        &mut self,
        state: &State,
        called: &Called<'_>,
        mapping: &mut Mapping,
        below: &[(Sym, Range)],
    ) -> Option<Vec<(Sym, Range)>> {
        let mut known = state.clone();
        for &(sym, range) in below {
            let value = self.mapped(state, called, mapping, sym);
            if !narrow(&mut known, value, range) {
                return None;
            }
        }
        Some(self.known_of_entry(&known))
    }

    fn called_name(&self, called: &Called<'_>) -> String {
        whydunit_model::names::readable(called.symbol).unwrap_or_else(|| called.symbol.to_owned())
    }

    /// What holds after a call that ends in this way; `None` where it cannot.
    fn apply(
        &mut self,
        before: &State,
        called: &Called<'_>,
        exit: &Exit,
        args: &FxHashMap<Slot, Value>,
        entered: bool,
    ) -> Option<State> {
        let mut mapping = Mapping { args: args.clone(), known: FxHashMap::default() };
        let mut state = before.clone();
        for (&sym, &range) in exit.state.facts.iter() {
            let value = self.mapped(before, called, &mut mapping, sym);
            if !narrow(&mut state, value, range) {
                return None;
            }
            self.remember(&mut state, called, exit, &mut mapping, sym);
        }
        if exit.state.changed {
            self.spoiled_by(&mut state, called);
        }
        for &base in &exit.state.escaped {
            if let Value::At(base, _) = self.mapped(before, called, &mut mapping, base) {
                state.escaped.insert(base);
            }
        }
        for (&base, region) in exit.state.memory.iter() {
            let Value::At(to, start) = self.mapped(before, called, &mut mapping, base) else { continue };
            if region.background != Background::Initial {
                let background = if start == 0 { region.background } else { Background::Unknown };
                let argument = called.args.iter().position(|it| *it == Value::At(to, start));
                let bytes = argument.and_then(|index| self.object_bytes(called, index));
                let there = state.region_mut(to);
                match bytes {
                    // It is a part of something larger, of which a method writes nothing else.
                    Some(bytes) => there.wipe(start, Some(start + bytes)),
                    None => *there = Region { background, ..Region::default() },
                }
            }
            for (&offset, cell) in region.cells.iter().filter(|(_, cell)| cell.written) {
                let value = self.mapped_value(before, called, &mut mapping, cell.value);
                self.write(&mut state, Value::At(to, start + offset), cell.bytes, value);
            }
        }
        let op = self.function.code[called.pc as usize].clone();
        if let (Op::Call { .. }, Some((slot, words))) = (&op, defined(self.function, &op)) {
            for word in 0..words {
                let inner = exit.results.get(word as usize).copied().unwrap_or(Value::Any);
                let value = match self.mapped_value(before, called, &mut mapping, inner) {
                    Value::Any => self.made(called.pc, word),
                    value => value,
                };
                state.slots.insert(slot + word, value);
            }
        }
        self.hand_out(before, &mut state, called, (exit, &mut mapping), entered)?;
        Some(state)
    }

    /// Something is known of what lay at a place when the function was called, and here nothing was: it has a name from now on, by which the caller knows it
    /// when it reads there.
    fn remember(&mut self, state: &mut State, called: &Called<'_>, exit: &Exit, mapping: &mut Mapping, sym: Sym) {
        let Symbol::Initial(base, offset) = self.engine.symbols.of(sym) else { return };
        let Some(cell) = exit.state.region(base).and_then(|it| it.cells.get(&offset)).copied() else { return };
        if cell.written || cell.value != Value::At(sym, 0) {
            return;
        }
        let (Value::At(to, start), Some(&value)) = (self.mapped(state, called, mapping, base), mapping.known.get(&sym))
        else {
            return;
        };
        let at = start + offset;
        match self.read(state, to, at, cell.bytes) {
            None => name_place(state, (to, at), cell.bytes, value),
            Some(known) => self.keep_read(state, (to, at), cell.bytes, known),
        }
    }

    /// The object that a function hands out is followed on. `None` where that way is not followed.
    fn hand_out(
        &mut self,
        before: &State,
        state: &mut State,
        called: &Called<'_>,
        (exit, mapping): (&Exit, &mut Mapping),
        entered: bool,
    ) -> Option<()> {
        let Some(inner) = &exit.state.object else {
            // It was followed into the function, and lost there.
            if entered {
                state.object = None;
            }
            return Some(());
        };
        let site = Site { function: self.here(), pc: called.pc };
        let into = format!("{} is called", self.called_name(called));
        if inner.seed == Seed::Entry {
            let object = state.object.as_mut()?;
            if object.state != inner.state {
                object.trail = joined(&extended(&object.trail, site, into), &inner.trail);
            }
            object.state = inner.state;
            return Some(());
        }
        let Value::At(sym, offset) = self.mapped(before, called, mapping, inner.at.0) else { return None };
        if inner.calls + 1 > self.engine.options.depth {
            return None;
        }
        let mut object = inner.clone();
        object.at = (sym, offset + inner.at.1);
        object.since = Some(called.pc);
        object.calls += 1;
        if self.engine.protocols[object.protocol].raw.is_some() {
            let place = (object.at.0, object.at.1, object.protocol);
            self.made_places.entry(place).or_default().insert(called.pc);
        }
        object.trail = joined(&extended(&None, site, into), &inner.trail);
        state.object = Some(object);
        Some(())
    }

    fn mapped_value(&mut self, before: &State, called: &Called<'_>, mapping: &mut Mapping, value: Value) -> Value {
        match value {
            Value::At(sym, offset) => match self.mapped(before, called, mapping, sym) {
                Value::At(sym, start) => Value::At(sym, start + offset),
                Value::Number(number) => Value::Number(number.wrapping_add(offset as u64)),
                value if offset == 0 => value,
                _ => Value::Any,
            },
            Value::Truth(sym, test) => match self.mapped(before, called, mapping, sym) {
                Value::At(sym, 0) => Value::Truth(sym, test),
                _ => Value::Any,
            },
            value => value,
        }
    }

    /// What a symbol of the called function is here.
    fn mapped(&mut self, before: &State, called: &Called<'_>, mapping: &mut Mapping, sym: Sym) -> Value {
        if let Some(&known) = mapping.known.get(&sym) {
            return known;
        }
        let own = |run: &mut Self| Value::At(run.engine.symbols.within(run.here(), called.pc, sym), 0);
        let value = match self.engine.symbols.of(sym) {
            Symbol::Parameter(slot) => mapping.args.get(&slot).copied().unwrap_or(Value::Any),
            Symbol::Global(_) | Symbol::Function(_) => Value::At(sym, 0),
            Symbol::Initial(base, offset) => match self.mapped(before, called, mapping, base) {
                Value::At(base, start) => {
                    let at = start + offset;
                    let bytes = before.region(base).and_then(|it| it.cells.get(&at)).map_or(8, |cell| cell.bytes);
                    self.read(before, base, at, bytes).unwrap_or_else(|| own(self))
                }
                _ => own(self),
            },
            Symbol::Term(tag, a, b) => {
                let (a, b) =
                    (self.mapped_value(before, called, mapping, a), self.mapped_value(before, called, mapping, b));
                self.engine.symbols.term(tag, a, b).unwrap_or_else(|| own(self))
            }
            _ => {
                let fresh = self.engine.fresh.contains(&sym);
                let value = own(self);
                // One name for all that is too deep says nothing of any of it.
                let is_one = |sym| matches!(self.engine.symbols.of(sym), Symbol::Within(..));
                if let (true, Value::At(sym, _)) = (fresh, value)
                    && is_one(sym)
                {
                    self.engine.fresh.insert(sym);
                }
                value
            }
        };
        mapping.known.insert(sym, value);
        value
    }
}

/// Takes in that a value lies in a range. False where it cannot.
fn narrow(state: &mut State, value: Value, range: Range) -> bool {
    let now = state.range(value);
    let Some(both) = now.both(range) else { return false };
    if let Value::At(sym, 0) = value
        && both != now
    {
        state.facts.insert(sym, both);
    }
    true
}
