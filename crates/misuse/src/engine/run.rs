//! One function, entered in one way: the fixed point over its blocks, then a last round that reports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use whydunit_dataflow::FunctionId;
use whydunit_dataflow::flow::{dominates, successors};
use whydunit_model::{BlockId, Function, IntPred, Op};

use crate::engine::{Done, Engine, Exit, Shape, Summary};
use crate::identity::FunctionKey;
use crate::protocol::StateId;
use crate::report::Found;
use crate::state::{Key, Object, Seed, State};
use crate::symbol::{Sym, Symbol, Value};
use crate::variables::structures;

/// So many sets of paths are told apart at a block.
const MOST_KEYS: usize = 32;
/// Of them, so many by what a function returns.
const MOST_RETURNED: usize = 8;
/// So much work is done for one entry of a function: operations, each weighed by what is known where it stands.
const MOST_STEPS: u64 = 1_000_000;
/// After so many joins numbers that still change may be any.
const PATIENCE: u32 = 4;
/// So many sets of paths are told apart at the returns of a function.
const MOST_EXITS: usize = 12;

/// Memory behind so many symbols is told apart; beyond that what is known of memory is given up.
const MOST_REGIONS: usize = 128;

/// So many paths are followed side by side within a block: each call has some ends.
const MOST_PATHS: usize = 48;

/// What tells sets of paths apart at a block: the followed object and, where a function returns with one, the number that it returns.
type PathKey = (Key, Option<u64>);

/// States at a block, with how often each was joined.
type Incoming = Vec<(PathKey, State, u32)>;

/// What a call on an object came to on the paths of the last round.
#[derive(Default)]
pub(crate) struct Outcome {
    pub fine: bool,
    pub wrong: Vec<Found>,
}

pub(crate) struct Run<'e, 'p> {
    pub engine: &'e mut Engine<'p>,
    pub id: FunctionId,
    /// The name of the function, for symbols.
    pub key: FunctionKey,
    pub function: &'p Function,
    pub shape: Arc<Shape>,
    /// The last round: what is wrong is told.
    pub last: bool,
    /// By operation, and where the object comes from.
    pub outcomes: BTreeMap<(u32, Seed), Outcome>,
    /// States in which an object comes to a call of a function that it is passed to.
    pub passing: BTreeMap<(u32, Seed), BTreeSet<StateId>>,
    pub below: Vec<(u32, Found)>,
    exits: Vec<Exit>,
    /// Work that was done.
    pub steps: u64,
    /// It is entered with an object.
    entered: bool,
    /// It was not looked at to the end.
    unfinished: bool,
    /// Objects of the entry that methods are called on, and protocols of which others are, as in a [`Summary`].
    pub receivers: BTreeSet<(usize, Sym)>,
    pub unseen: u64,
    /// Results of calls that branches hang on.
    tested: FxHashSet<Sym>,
    /// Places at which it has objects made, each with its offset and the protocol: by which calls.
    pub made_places: BTreeMap<(Sym, i64, usize), BTreeSet<u32>>,
}

impl<'e, 'p> Run<'e, 'p> {
    pub fn new(engine: &'e mut Engine<'p>, id: FunctionId, shape: Arc<Shape>, entered: bool) -> Self {
        let function = engine.program.function(id);
        let engine_key = engine.identities.function(id);
        Self {
            engine,
            id,
            key: engine_key,
            function,
            shape,
            last: false,
            outcomes: BTreeMap::new(),
            passing: BTreeMap::new(),
            below: Vec::new(),
            exits: Vec::new(),
            steps: 0,
            entered,
            unfinished: false,
            receivers: BTreeSet::new(),
            unseen: 0,
            tested: FxHashSet::default(),
            made_places: BTreeMap::new(),
        }
    }

    /// From what is known at the entry.
    pub fn summary(mut self, entry: State) -> Done {
        let mut blocks: Vec<Incoming> = vec![Vec::new(); self.function.blocks.len()];
        let mut todo = BTreeSet::new();
        blocks[0].push(((entry.key(), None), entry.clone(), 0));
        todo.insert((0, 0, 0usize));
        for raw in self.raw_objects(&entry) {
            todo.insert((0, 0, blocks[0].len()));
            blocks[0].push(((raw.key(), None), raw, 0));
        }
        while let Some((_, block, index)) = todo.pop_first() {
            let state = blocks[block as usize][index].1.clone();
            for (to, state) in self.block(block, state) {
                if let Some(index) = self.arrive(&mut blocks[to as usize], to, state) {
                    todo.insert((self.shape.rank[to as usize], to, index));
                }
            }
            let cut = self.engine.is_spent(self.steps);
            if self.steps > MOST_STEPS || cut {
                let summary = Arc::new(Summary { unknown: true, ..Summary::default() });
                return Done { summary, reports: Vec::new(), unfinished: true, cut, steps: self.steps };
            }
        }
        self.last = true;
        self.exits.clear();
        for (block, incoming) in (0..).zip(blocks) {
            for (_, state, _) in incoming {
                self.block(block, state);
            }
        }
        self.finish()
    }

    /// What is known at the entry, with each variable of the function that is an object of a class and has to be made first.
    fn raw_objects(&mut self, entry: &State) -> Vec<State> {
        let protocols = self.engine.protocols;
        let held = self.engine.methods.values().flatten().map(|it| it.0);
        let held: BTreeSet<usize> = held.filter(|&it| protocols[it].raw.is_some()).collect();
        if self.entered || held.is_empty() {
            return Vec::new();
        }
        let program = self.engine.program;
        let module = &program.modules()[program.module_of(self.id)];
        let mut out = Vec::new();
        for structure in structures(module, self.function) {
            for &protocol in held.iter().filter(|&&it| protocols[it].class == structure.name) {
                let Some(raw) = protocols[protocol].raw.filter(|_| self.engine.reaches(self.id, protocol)) else {
                    continue;
                };
                let sym = self.engine.symbols.number(Symbol::Stack(self.key, structure.object));
                let at = (sym, structure.offset);
                let seed = Seed::Variable(structure.object, structure.offset);
                let object = Object { seed, since: None, protocol, at, state: raw, trail: None, calls: 0, sure: true };
                out.push(State { object: Some(object), ..entry.clone() });
            }
        }
        out
    }

    fn finish(mut self) -> Done {
        self.rate_exits();
        let mut found = Vec::new();
        self.leave_out_what_may_be_made();
        for (pc, mut below) in std::mem::take(&mut self.below) {
            let states = self.passing.get(&(pc, below.seed)).map_or(0, BTreeSet::len);
            below.must &= states == 1 && self.always_from(below.since, pc);
            found.push(below);
        }
        for ((pc, _), outcome) in std::mem::take(&mut self.outcomes) {
            for mut wrong in outcome.wrong {
                wrong.must &= !outcome.fine && self.always_from(wrong.since, pc);
                found.push(wrong);
            }
        }
        let (passed, own): (Vec<Found>, Vec<Found>) = found.into_iter().partition(|it| it.seed == Seed::Entry);
        let reports = if self.entered { Vec::new() } else { own };
        let receivers = self.receivers.into_iter().collect();
        let summary = Arc::new(Summary { exits: self.exits, passed, receivers, unseen: self.unseen, unknown: false });
        Done { summary, reports, unfinished: self.unfinished, cut: false, steps: self.steps }
    }

    /// A call on an object that nothing was done to yet is left out where another path makes the object before: what decides between the two may not be
    /// seen here.
    fn leave_out_what_may_be_made(&mut self) {
        let protocols = self.engine.protocols;
        let made = std::mem::take(&mut self.made_places);
        let may_be = |run: &Self, found: &Found, pc: u32| {
            protocols[found.protocol].raw == Some(found.state)
                && made.iter().any(|(&(sym, offset, protocol), calls)| {
                    let same = match (found.seed, run.engine.symbols.of(sym)) {
                        (Seed::Variable(object, start), Symbol::Stack(function, other)) => {
                            (function, other, offset) == (run.key, object, start)
                        }
                        (Seed::Variable(..), _) => false,
                        (_, symbol) => !matches!(symbol, Symbol::Stack(..)),
                    };
                    same && protocol == found.protocol && calls.iter().any(|&call| run.leads(call, pc))
                })
        };
        let mut below = std::mem::take(&mut self.below);
        below.retain(|(pc, found)| !may_be(self, found, *pc));
        self.below = below;
        let mut outcomes = std::mem::take(&mut self.outcomes);
        for (&(pc, _), outcome) in &mut outcomes {
            outcome.wrong.retain(|found| !may_be(self, found, pc));
        }
        self.outcomes = outcomes;
    }

    /// Whether a path leads from one operation to another one, which comes after it.
    fn leads(&self, from: u32, to: u32) -> bool {
        let (first, last) = (self.shape.blocks[from as usize], self.shape.blocks[to as usize]);
        if first == last && from < to {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut todo: Vec<BlockId> = successors(self.function, first);
        while let Some(block) = todo.pop() {
            if block == last {
                return true;
            }
            if seen.insert(block) {
                todo.extend(successors(self.function, block));
            }
        }
        false
    }

    /// Whether an object that is followed since an operation is there on all paths to another one. Within a block it is not there
    /// before the operation, which only a loop leads back to.
    fn always_from(&self, since: Option<u32>, pc: u32) -> bool {
        let block = |pc: u32| self.shape.blocks[pc as usize];
        since.is_none_or(|since| match block(since) == block(pc) {
            true => since < pc,
            false => dominates(&self.shape.dominators, block(since), block(pc)),
        })
    }

    /// An object is handed out for sure where all returns come after it was made, and leave it in one state.
    fn rate_exits(&mut self) {
        let code = (0..).zip(&self.function.code);
        let returns: Vec<u32> = code.filter(|(_, op)| matches!(op, Op::Return { .. })).map(|(pc, _)| pc).collect();
        let ends: Vec<(Seed, StateId)> =
            self.exits.iter().filter_map(|it| it.state.object.as_ref()).map(|it| (it.seed, it.state)).collect();
        for index in 0..self.exits.len() {
            let Some(object) = &self.exits[index].state.object else { continue };
            let (seed, since, state) = (object.seed, object.since, object.state);
            let alone = !ends.iter().any(|&(other, end)| other == seed && end != state);
            let always = returns.iter().all(|&pc| self.always_from(since, pc));
            if let Some(object) = &mut self.exits[index].state.object {
                object.sure &= alone && always;
            }
        }
    }

    /// Takes a state in at a block: the number of what has to be looked at again.
    fn arrive(&mut self, incoming: &mut Incoming, to: BlockId, mut state: State) -> Option<usize> {
        self.steps += state.weight();
        let live = &self.shape.live[to as usize];
        state.slots.retain(|&slot, _| live.has(slot));
        self.bound_memory(&mut state);
        self.lose_unreachable(&mut state);
        if self.shape.in_loop[to as usize] {
            self.refresh(to, &mut state);
        }
        let returned = state.object.as_ref().and_then(|_| self.returned_number(to, &state));
        let mut key = (state.key(), returned);
        if incoming.len() >= MOST_RETURNED && !incoming.iter().any(|it| it.0 == key) {
            key.1 = None;
        }
        let symbols = &mut self.engine.symbols;
        if let Some(index) = incoming.iter().position(|it| it.0 == key) {
            let (_, known, joins) = &mut incoming[index];
            *joins += 1;
            let wide = *joins > PATIENCE;
            return known.join(&state, (self.key, to), symbols, wide).then_some(index);
        }
        if incoming.len() >= MOST_KEYS {
            self.unfinished = true;
            return None;
        }
        incoming.push((key, state, 0));
        Some(incoming.len() - 1)
    }

    /// The number that a function returns at the end of a block, where it is known when the block is come to.
    fn returned_number(&self, block: BlockId, state: &State) -> Option<u64> {
        let last = self.function.blocks[block as usize].end.checked_sub(1)?;
        let Op::Return { n: 1, a } = self.function.code[last as usize] else { return None };
        match state.slots.get(&a.index()).filter(|_| !a.is_const()) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Where too much memory is told apart, all of it may hold anything.
    fn bound_memory(&self, state: &mut State) {
        if state.memory.len() > MOST_REGIONS {
            self.spoil_all(state);
            let symbols = &self.engine.symbols;
            state.memory.retain(|&base, _| symbols.is_of_entry(base) || matches!(symbols.of(base), Symbol::Stack(..)));
        }
    }

    /// An object that nothing leads to any more is no longer followed. What callers know, and own objects, can always be reached.
    fn lose_unreachable(&self, state: &mut State) {
        let Some(object) = &state.object else { return };
        let (at, symbols) = (object.at.0, &self.engine.symbols);
        let always = matches!(symbols.of(at), Symbol::Stack(..)) || symbols.is_of_entry(at);
        if !always && !state.leads_to(symbols, at) {
            state.object = None;
        }
    }

    /// Symbols of a block's joins are of its last round where their slots hold something else by now.
    fn refresh(&mut self, to: BlockId, state: &mut State) {
        let id = self.key;
        let current: BTreeSet<u32> = state
            .slots
            .iter()
            .filter(|(slot, value)| {
                matches!(value, Value::At(sym, 0)
                    if self.engine.symbols.of(*sym) == Symbol::Joined(id, to, **slot))
            })
            .map(|(slot, _)| *slot)
            .collect();
        let old = self.engine.symbols.number(Symbol::Old(id, u32::MAX - to));
        let stale = |symbol: Symbol| matches!(symbol, Symbol::Joined(f, b, slot) if (f, b) == (id, to) && !current.contains(&slot));
        let symbols = &self.engine.symbols;
        state.forget(symbols, &stale, old);
    }

    /// The blocks that follow a block, with what is known there.
    fn block(&mut self, block: BlockId, state: State) -> Vec<(BlockId, State)> {
        let bounds = &self.function.blocks[block as usize];
        let mut out = Vec::new();
        let mut states = vec![state];
        for pc in bounds.start..bounds.end {
            self.steps += states.iter().map(State::weight).sum::<u64>();
            let mut next = Vec::new();
            for state in states {
                self.operation(state, pc, &mut next, &mut out);
            }
            states = next;
            if states.len() > MOST_PATHS {
                // The function is given up.
                self.steps += MOST_STEPS;
                states.clear();
            }
            if states.is_empty() {
                break;
            }
        }
        out
    }

    fn operation(&mut self, mut state: State, pc: u32, next: &mut Vec<State>, out: &mut Vec<(BlockId, State)>) {
        let function = self.function;
        match &function.code[pc as usize] {
            Op::Call { call } => self.call(state, pc, *call, next, out),
            Op::Jump { to } => out.push((*to, state)),
            Op::Branch { cond, then, els } => {
                let condition = self.operand(&state, *cond);
                self.tested.extend(asked(condition));
                let mut other = state.clone();
                if state.decide(condition, true) {
                    out.push((*then, state));
                }
                if other.decide(condition, false) {
                    out.push((*els, other));
                }
            }
            Op::Switch { w, value, table } => self.switch(state, (*w, *value, *table), out),
            Op::Return { n, a } => {
                let results = (0..u32::from(*n)).map(|word| self.operand(&state, a.word(word))).collect();
                self.leave(state, results);
            }
            Op::Trap { .. } | Op::Resume { .. } => {}
            Op::Select { n: 1, dst, cond, a, b } if next.len() < 8 => {
                let condition = self.operand(&state, *cond);
                let (one, two) = (self.operand(&state, *a), self.operand(&state, *b));
                let mut other = state.clone();
                if state.decide(condition, true) {
                    state.slots.insert(*dst, one);
                    next.push(state);
                }
                if other.decide(condition, false) {
                    other.slots.insert(*dst, two);
                    next.push(other);
                }
            }
            op => {
                self.simple(&mut state, pc, op);
                next.push(state);
            }
        }
    }

    fn switch(
        &mut self,
        mut state: State,
        (w, value, table): (u8, whydunit_model::Opnd, u32),
        out: &mut Vec<(BlockId, State)>,
    ) {
        let function = self.function;
        let switch = &function.switches[table as usize];
        let value = self.operand(&state, value);
        self.tested.extend(asked(value));
        if let Value::Number(number) = value {
            let found = switch.cases.iter().find(|case| case.0 == number);
            out.push((found.map_or(switch.default, |case| case.1), state));
            return;
        }
        for &(number, to) in &switch.cases {
            let mut taken = state.clone();
            let number = whydunit_numerics::arith::sext(number, w);
            let possible = match value {
                Value::At(sym, 0) => taken.assume(sym, IntPred::Eq, number) && state.assume(sym, IntPred::Ne, number),
                _ => true,
            };
            if possible {
                out.push((to, taken));
            }
        }
        out.push((switch.default, state));
    }

    /// Whether an object could not be made here, and the function has tested the result that says so: who calls it is told by what it returns.
    fn is_known_missing(&mut self, object: &Object) -> bool {
        let protocol = &self.engine.protocols[object.protocol];
        let Seed::Call(made) = object.seed else { return false };
        protocol.by_place()
            && protocol.may_be_missing(object.state)
            && made.function == self.key
            && self.tested.contains(&self.engine.symbols.number(Symbol::Made(self.key, made.pc, 0)))
    }

    /// A return.
    fn leave(&mut self, mut state: State, results: Vec<Value>) {
        state.slots.clear();
        let id = self.key;
        let own = |engine: &Engine<'_>, sym| matches!(engine.symbols.of(sym), Symbol::Stack(f, _) if f == id);
        state.memory.retain(|&base, _| !own(self.engine, base));
        if state.object.as_ref().is_some_and(|object| own(self.engine, object.at.0) || self.is_known_missing(object)) {
            state.object = None;
        }
        state.keep_reachable(&self.engine.symbols, &results);
        self.bound_memory(&mut state);
        let class = |results: &[Value]| match results.first() {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        };
        let key = (state.key(), class(&results));
        if let Some(exit) = self.exits.iter_mut().find(|it| (it.state.key(), class(&it.results)) == key) {
            if exit.results != results {
                for (mine, theirs) in exit.results.iter_mut().zip(&results) {
                    if *mine != *theirs {
                        *mine = Value::Any;
                    }
                }
            }
            exit.state.join(&state, (id, u32::MAX), &mut self.engine.symbols, true);
        } else if self.exits.len() < MOST_EXITS {
            self.exits.push(Exit { state, results });
        } else if let Some(exit) = self.exits.iter_mut().find(|it| it.state.key() == key.0) {
            exit.results.fill(Value::Any);
            exit.state.join(&state, (id, u32::MAX), &mut self.engine.symbols, true);
        } else {
            self.unfinished |= state.object.is_some();
        }
    }
}

/// The symbol that a condition is of.
fn asked(condition: Value) -> Option<Sym> {
    match condition {
        Value::Truth(sym, _) | Value::At(sym, 0) => Some(sym),
        _ => None,
    }
}
