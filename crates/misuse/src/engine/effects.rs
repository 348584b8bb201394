//! What calls do to memory: functions of the library, of interfaces, of the program, and code that is not known.

use std::sync::Arc;

use whydunit_library::{Allocation, Writes, lookup};
use whydunit_model::defined;

use super::calls::{Called, plain, shown};
use super::run::Run;
use crate::protocol::Place;
use crate::state::{Background, Region, State};
use crate::symbol::{Sym, Symbol, Value};

impl Run<'_, '_> {
    /// What a call does to memory, and what it gives.
    pub fn effects(&mut self, mut state: State, called: &Called<'_>) -> Vec<State> {
        let library = lookup(called.symbol).filter(|_| called.bodies.is_empty());
        if library.is_none() && called.direct && !called.bodies.is_empty() {
            return self.body_of_call(state, called, called.bodies[0]);
        }
        self.results(&mut state, called);
        let Some(known) = library else {
            if called.symbol.starts_with("llvm.") {
                return vec![state];
            }
            match called.bodies.is_empty() {
                true => self.outside(&mut state, called),
                false => self.unknown(&mut state, called),
            }
            return vec![state];
        };
        if known.never_returns() || known.function.ends_process() {
            return Vec::new();
        }
        let makes = !matches!(known.function.allocation, Allocation::None | Allocation::Free);
        if let (true, Value::At(sym, 0)) = (makes, self.made(called.pc, 0)) {
            self.engine.fresh.insert(sym);
        }
        for written in known.writes() {
            match written {
                Writes::Bytes(n, _)
                | Writes::UpTo(n, _)
                | Writes::Text(n)
                | Writes::Copy(n, _)
                | Writes::Append(n, _)
                | Writes::Object(n) => {
                    let addr = called.args.get(n).copied().unwrap_or(Value::Any);
                    self.used(&mut state, called, addr);
                    self.spoil(&mut state, addr);
                }
                Writes::Buffers(..) | Writes::Scanned(_) | Writes::ScannedList(_) | Writes::Counts(_) => {
                    called.args.iter().for_each(|&addr| self.spoil(&mut state, addr));
                }
                Writes::Block | Writes::Own => {}
            }
        }
        self.reads(&mut state, called, known);
        if plain(called.symbol) == "calloc" {
            let addr = self.made(called.pc, 0);
            if let Value::At(sym, _) = addr {
                *state.region_mut(sym) = Region { background: Background::Zero, ..Region::default() };
            }
        }
        if known.function.calls_back {
            self.unknown(&mut state, called);
        }
        vec![state]
    }

    fn reads(&mut self, state: &mut State, called: &Called<'_>, known: &whydunit_library::Known) {
        use whydunit_library::Reads;
        for read in known.reads() {
            match read {
                Reads::Text(n) | Reads::TextUpTo(n, _) | Reads::Number(n) | Reads::Bytes(n, _) | Reads::UpTo(n, _) => {
                    let addr = called.args.get(n).copied().unwrap_or(Value::Any);
                    self.used(state, called, addr);
                }
                _ => {}
            }
        }
    }

    /// A function of the library reads or writes memory.
    fn used(&mut self, state: &mut State, called: &Called<'_>, addr: Value) {
        if self.engine.methods.contains_key(plain(called.symbol)) {
            return;
        }
        self.touched(state, called.pc, addr, &format!("used by {}", shown(called.symbol)));
    }

    /// The result is a value of its own.
    pub fn results(&mut self, state: &mut State, called: &Called<'_>) {
        let op = whydunit_model::Op::Call { call: self.number_of(called) };
        let Some((slot, words)) = defined(self.function, &op) else { return };
        for word in 0..words {
            let value = self.made(called.pc, word);
            state.slots.insert(slot + word, value);
        }
    }

    fn number_of(&self, called: &Called<'_>) -> u32 {
        match self.function.code[called.pc as usize] {
            whydunit_model::Op::Call { call } => call,
            _ => 0,
        }
    }

    /// Whether a model says what a function does: it is a method, and is given no function of the program to call.
    pub fn is_described(&self, called: &Called<'_>) -> bool {
        self.engine.methods.contains_key(called.symbol) && !self.calls_back(called)
    }

    /// Whether a function of the program is passed.
    fn calls_back(&self, called: &Called<'_>) -> bool {
        let function = |value: &Value| matches!(value, Value::At(sym, _) if matches!(self.engine.symbols.of(*sym), Symbol::Function(_)));
        called.args.iter().any(function)
    }

    /// Code that is not there, or is too much to look at.
    pub fn outside(&mut self, state: &mut State, called: &Called<'_>) {
        match self.is_described(called) {
            true => self.described(state, called),
            false => self.unknown(state, called),
        }
    }

    /// Code that is there may have changed all memory that others know, as far as its calls can be told.
    pub fn spoiled_by(&mut self, state: &mut State, called: &Called<'_>) {
        match self.is_described(called) {
            true => self.described(state, called),
            false => self.spoil_all(state),
        }
    }

    /// A method of an interface, whose code is not there or is too much to look at: it writes what it is given, and keeps none of it but for its own use.
    fn described(&mut self, state: &mut State, called: &Called<'_>) {
        let whole = i64::MAX;
        let mut given: Vec<(Sym, i64, i64)> = Vec::new();
        for (index, &value) in called.args.iter().enumerate() {
            let end =
                |offset: i64| self.object_bytes(called, index).map_or(whole, |bytes| offset.saturating_add(bytes));
            given.extend(placed(value).map(|(sym, offset)| (sym, offset, end(offset))));
        }
        let mut seen = 0;
        while let Some(&(sym, offset, end)) = given.get(seen) {
            seen += 1;
            let cells = state.region(sym).into_iter().flat_map(|region| region.cells.iter());
            let inner = cells.filter(|(at, _)| (offset..end).contains(at)).filter_map(|(_, cell)| placed(cell.value));
            let inner = inner.map(|(sym, offset)| (sym, offset, whole)).filter(|it| !given.contains(it));
            given.extend(inner.collect::<Vec<_>>());
        }
        for (sym, offset, end) in given {
            state.region_mut(sym).wipe(offset, (end != whole).then_some(end));
        }
    }

    /// How many bytes the object has that an argument points to, where a model says so.
    pub fn object_bytes(&self, called: &Called<'_>, index: usize) -> Option<i64> {
        let methods = self.engine.methods.get(called.symbol)?;
        let of = methods.iter().find_map(|&(protocol, method)| {
            let protocol = &self.engine.protocols[protocol];
            match protocol.methods[method].place {
                Place::Argument(at) | Place::Made(at) if at as usize == index => protocol.bytes,
                _ => None,
            }
        });
        of.map(i64::from)
    }

    /// Code of which nothing is known: it may change all that it can reach.
    pub fn unknown(&mut self, state: &mut State, called: &Called<'_>) {
        self.results(state, called);
        let mut given: Vec<Sym> = called.args.iter().copied().filter_map(placed).map(|it| it.0).collect();
        self.drop_object(state, &given);
        let mut seen = 0;
        while let Some(&sym) = given.get(seen) {
            seen += 1;
            state.escaped.insert(sym);
            let cells = state.region(sym).into_iter().flat_map(|it| it.cells.values());
            let inner = cells.filter_map(|cell| placed(cell.value)).map(|it| it.0);
            let inner: Vec<Sym> = inner.filter(|it| !given.contains(it)).collect();
            given.extend(inner);
        }
        self.spoil_all(state);
    }

    /// All memory that others may know may have changed.
    pub fn spoil_all(&self, state: &mut State) {
        state.changed = true;
        let unknown = Arc::clone(&self.engine.unknown_region);
        state.memory.retain(|&base, region| {
            let reached = !self.is_own(base) || state.escaped.contains(&base);
            if reached {
                *region = Arc::clone(&unknown);
            }
            // A caller has to know it of what it has passed; of all else nothing is said where anything may have changed.
            !reached || self.engine.symbols.is_of_entry(base) || self.is_own(base)
        });
    }

    /// The followed object is forgotten where unknown code can reach it, unless nothing can bring it back.
    fn drop_object(&mut self, state: &mut State, given: &[Sym]) {
        let Some(object) = &state.object else { return };
        let protocol = &self.engine.protocols[object.protocol];
        let gone = protocol.is_final(object.state) && !protocol.by_place();
        let at = object.at.0;
        let held =
            |region: &Region| region.cells.values().any(|cell| matches!(cell.value, Value::At(sym, _) if sym == at));
        let outside = |base: Sym| !self.is_own(base) || state.escaped.contains(&base) || given.contains(&base);
        let reached = given.contains(&at)
            || outside(at) && protocol.by_place()
            || state.memory.iter().any(|(&base, region)| outside(base) && held(region));
        if given.contains(&at) || !gone && reached {
            state.object = None;
        }
    }
}

/// The place that an address is of.
fn placed(value: Value) -> Option<(Sym, i64)> {
    match value {
        Value::At(sym, offset) => Some((sym, offset)),
        _ => None,
    }
}
