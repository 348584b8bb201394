//! The whole program: summaries of functions, each analysed once for every way in which an object comes into it.

mod apply;
mod calls;
mod effects;
mod run;
mod transfer;

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_dataflow::flow::Flow;
use whydunit_dataflow::{CallGraph, FunctionId, GlobalId, Program, SlotSet, live_at_starts};
use whydunit_model::{BlockId, Function, Slot};

pub(crate) use self::calls::plain;
use self::run::Run;
use crate::options::Options;
use crate::protocol::{Protocol, StateId};
use crate::report::Found;
use crate::state::{Background, Object, Region, Seed, State};
use crate::symbol::{Sym, Symbol, Symbols, Value};

/// A way from the entry of a function to an object: values that are loaded one after the other.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Path {
    pub root: Root,
    pub loads: Vec<i64>,
    pub last: i64,
}

/// Where a path starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Root {
    Parameter(Slot),
    Global(GlobalId),
}

/// An object that comes into a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Passed {
    pub protocol: usize,
    pub state: StateId,
    pub paths: Vec<Path>,
    /// Calls that it was passed down by.
    pub down: usize,
}

/// How a function is entered.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Entry {
    pub object: Option<Passed>,
    /// Arguments that are numbers.
    pub numbers: Vec<(Slot, u64)>,
}

/// What a function does, entered so.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub exits: Vec<Exit>,
    /// Wrong calls on the object that came in.
    pub passed: Vec<Found>,
    /// It was not analysed to the end: it may do anything.
    pub unknown: bool,
}

/// What holds where a function returns.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub state: State,
    pub results: Vec<Value>,
}

/// A function's flow.
pub(crate) struct Shape {
    pub rank: Vec<u32>,
    pub live: Vec<SlotSet>,
    pub in_loop: Vec<bool>,
    pub dominators: Vec<BlockId>,
    pub blocks: Vec<BlockId>,
}

/// A function is analysed for so many entries; others count as unknown.
const MOST_ENTRIES: usize = 8;
/// Calls are followed into each other so deep; deeper ones count as unknown.
const DEEPEST: usize = 200;

pub(crate) struct Engine<'p> {
    pub program: &'p Program,
    pub graph: &'p CallGraph,
    pub protocols: &'p [Protocol],
    /// Protocol and method of each symbol.
    pub methods: FxHashMap<&'p str, Vec<(usize, usize)>>,
    pub options: Options,
    pub symbols: Symbols,
    /// Addresses of memory that nobody else has.
    pub fresh: FxHashSet<Sym>,
    /// Places at which a function has objects made, each with the protocol.
    pub made_places: FxHashSet<(FunctionId, Sym, usize)>,
    pub reports: Vec<Found>,
    /// Memory that may hold anything.
    pub unknown_region: Rc<Region>,
    /// Operations that were looked at.
    pub steps: u64,
    /// Functions that were not analysed to the end.
    pub unfinished: BTreeSet<FunctionId>,
    /// Protocols whose methods a function may call, itself or by others: a bit each.
    reach: Vec<u64>,
    summaries: FxHashMap<(FunctionId, Entry), Rc<Summary>>,
    entries: FxHashMap<FunctionId, usize>,
    active: Vec<FunctionId>,
    shapes: FxHashMap<FunctionId, Rc<Shape>>,
}

impl<'p> Engine<'p> {
    pub fn new(program: &'p Program, graph: &'p CallGraph, protocols: &'p [Protocol], options: Options) -> Self {
        let mut methods: FxHashMap<&str, Vec<(usize, usize)>> = FxHashMap::default();
        for (number, protocol) in protocols.iter().enumerate() {
            for (index, method) in protocol.methods.iter().enumerate() {
                method.symbols.iter().for_each(|it| methods.entry(it).or_default().push((number, index)));
            }
        }
        let reach = reach(program, graph, &methods);
        Self {
            program,
            graph,
            protocols,
            methods,
            options,
            symbols: Symbols::default(),
            fresh: FxHashSet::default(),
            made_places: FxHashSet::default(),
            reports: Vec::new(),
            unknown_region: Rc::new(Region { background: Background::Unknown, ..Region::default() }),
            steps: 0,
            unfinished: BTreeSet::new(),
            reach,
            summaries: FxHashMap::default(),
            entries: FxHashMap::default(),
            active: Vec::new(),
            shapes: FxHashMap::default(),
        }
    }

    /// Whether a function may call a method of a protocol.
    pub fn reaches(&self, function: FunctionId, protocol: usize) -> bool {
        self.reach[function.0 as usize] >> protocol.min(63) & 1 == 1
    }

    /// Whether something can be wrong in a function: it may call a method of some protocol.
    pub fn matters(&self, function: FunctionId) -> bool {
        self.reach[function.0 as usize] != 0
    }

    /// What a function does. Of one that is being analysed, or that is entered in too many ways, nothing is known.
    pub fn summary(&mut self, id: FunctionId, entry: &Entry) -> Rc<Summary> {
        if let Some(known) = self.summaries.get(&(id, entry.clone())) {
            return Rc::clone(known);
        }
        let unknown = || Rc::new(Summary { unknown: true, ..Summary::default() });
        let function = self.program.function(id);
        if self.active.contains(&id) || self.active.len() >= DEEPEST || function.calls_setjmp {
            return unknown();
        }
        let count = self.entries.entry(id).or_default();
        *count += 1;
        if *count > MOST_ENTRIES {
            let plain = Entry { object: entry.object.clone(), numbers: Vec::new() };
            let general = *entry != plain && *count < 2 * MOST_ENTRIES;
            return if general { self.summary(id, &plain) } else { unknown() };
        }
        self.active.push(id);
        let state = self.entry_state(function, entry);
        let shape = self.shape(id);
        let summary = Rc::new(Run::new(self, id, shape, entry.object.is_some()).summary(state));
        self.active.pop();
        self.summaries.insert((id, entry.clone()), Rc::clone(&summary));
        summary
    }

    fn shape(&mut self, id: FunctionId) -> Rc<Shape> {
        let program = self.program;
        Rc::clone(self.shapes.entry(id).or_insert_with(|| Rc::new(Shape::of(program.function(id)))))
    }

    fn entry_state(&mut self, function: &Function, entry: &Entry) -> State {
        let mut state = State::default();
        for param in &function.params {
            let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
            for slot in param.slot..param.slot + words {
                let sym = self.symbols.number(Symbol::Parameter(slot));
                state.slots.insert(slot, Value::At(sym, 0));
            }
        }
        state.slots.extend(entry.numbers.iter().map(|&(slot, number)| (slot, Value::Number(number))));
        let Some(passed) = &entry.object else { return state };
        let mut at = None;
        for path in &passed.paths {
            self.lay(&mut state, path, &mut at);
        }
        if let Some(at) = at {
            state.object = Some(Object {
                seed: Seed::Entry,
                since: None,
                protocol: passed.protocol,
                at,
                state: passed.state,
                trail: None,
                calls: passed.down,
                sure: true,
            });
        }
        state
    }

    /// The object lies at the end of a path.
    fn lay(&mut self, state: &mut State, path: &Path, at: &mut Option<(Sym, i64)>) {
        let root = match path.root {
            Root::Parameter(slot) => Symbol::Parameter(slot),
            Root::Global(global) => Symbol::Global(global),
        };
        let mut sym = self.symbols.number(root);
        let mut holder = None;
        for &offset in &path.loads {
            let Some(next) = self.symbols.initial(sym, offset) else { return };
            holder = Some((sym, offset));
            sym = next;
        }
        let Some((object, offset)) = *at else {
            *at = Some((sym, path.last));
            return;
        };
        let value = Value::At(object, offset - path.last);
        match (holder, path.root) {
            (Some((base, offset)), _) => {
                let cell = crate::state::Cell { bytes: 8, value, written: false };
                state.region_mut(base).cells.insert(offset, cell);
            }
            (None, Root::Parameter(slot)) => {
                state.slots.insert(slot, value);
            }
            (None, Root::Global(_)) => {}
        }
    }
}

fn reach(program: &Program, graph: &CallGraph, methods: &FxHashMap<&str, Vec<(usize, usize)>>) -> Vec<u64> {
    let mut reach = vec![0u64; program.functions().count()];
    for component in graph.bottom_up() {
        let mut all = 0;
        for &id in component {
            let function = program.function(id);
            let of = methods.get(plain(&function.name)).into_iter().flatten();
            all |= of.fold(0, |bits, (protocol, _)| bits | 1 << (*protocol).min(63));
            for call in 0..function.calls.len() as u32 {
                let callees = graph.callees(whydunit_dataflow::CallSite { caller: id, call });
                let called = callees.reached().chain(callees.externals.iter().copied());
                all |= called.fold(0, |bits, callee| {
                    let of = methods.get(plain(&program.function(callee).name)).into_iter().flatten();
                    of.fold(bits | reach[callee.0 as usize], |bits, (protocol, _)| bits | 1 << (*protocol).min(63))
                });
            }
        }
        component.iter().for_each(|id| reach[id.0 as usize] = all);
    }
    reach
}

impl Shape {
    fn of(function: &Function) -> Self {
        let flow = Flow::of(function);
        let count = function.blocks.len();
        let mut rank = vec![u32::MAX; count];
        (0..).zip(flow.reverse_postorder()).for_each(|(place, block)| rank[block as usize] = place);
        let successors: Vec<Vec<u32>> = flow.successors.clone();
        let mut in_loop = vec![false; count];
        for component in whydunit_dataflow::components(&successors) {
            let around = component.len() > 1 || component.iter().any(|&it| successors[it as usize].contains(&it));
            component.iter().for_each(|&block| in_loop[block as usize] = around);
        }
        let mut blocks = vec![0; function.code.len()];
        for (number, block) in (0..).zip(&function.blocks) {
            blocks[block.start as usize..block.end as usize].fill(number);
        }
        Self { rank, live: live_at_starts(function, &flow), in_loop, dominators: flow.dominators(), blocks }
    }
}
