//! The whole program: summaries of functions, each analysed once for every way in which an object comes into it.

mod apply;
mod calls;
mod effects;
mod run;
mod transfer;

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_dataflow::flow::Flow;
use whydunit_dataflow::{CallGraph, FunctionId, GlobalId, Program, SlotSet, live_at_starts};
use whydunit_model::{BlockId, Function, Slot};

pub(crate) use self::calls::plain;
use self::run::Run;
use crate::identity::{FunctionKey, GlobalKey, Identities};
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
    Global(GlobalKey),
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
    /// Objects that were there at its entry and that it calls methods on, each with the protocol, by what leads to them; and a bit for each protocol of which it
    /// calls methods on others, too.
    pub receivers: Vec<(usize, Sym)>,
    pub unseen: u64,
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

/// Calls are followed into each other so deep; deeper ones count as unknown.
const DEEPEST: usize = 200;

/// A function is analysed for so many entries; others count as unknown.
const MOST_ENTRIES: usize = 8;

/// A function, and a way in which it is entered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ask {
    function: FunctionKey,
    entry: Entry,
}

/// What the analysis of a function gave.
pub(crate) struct Done {
    pub summary: Arc<Summary>,
    /// Calls that are wrong on objects that did not come in.
    pub reports: Vec<Found>,
    /// It was not looked at to the end.
    pub unfinished: bool,
    /// It was ended because there was too much to do in all.
    pub cut: bool,
    /// Operations that were looked at.
    pub steps: u64,
}

/// The same, as long as what it asks of others is answered as it was.
struct Record {
    done: Done,
    /// What it asked, each question once, in their order.
    asked: Vec<Asked>,
    /// The check that used it last.
    used: u64,
}

/// What checks have found out, for the next ones.
#[derive(Default)]
pub(crate) struct Kept {
    symbols: Symbols,
    fresh: FxHashSet<Sym>,
    records: FxHashMap<Ask, Record>,
    /// The last check.
    pub number: u64,
}

/// So many symbols are kept from one check to the next; then all is forgotten.
const MOST_SYMBOLS: usize = 2_000_000;

impl Kept {
    /// Forgets what none of these checks has used.
    pub fn retain(&mut self, checks: &[u64]) {
        self.records.retain(|_, record| checks.contains(&record.used));
    }
}

/// What an analysis asked of another function.
struct Asked {
    ask: Ask,
    answer: Arc<Summary>,
    /// What it had looked at itself when it was seen last whether that is too much.
    measured: u64,
    /// What was looked at for the answer.
    cost: u64,
    /// It was asked to see whether an analysis of before holds; the one that is done now has not come to it yet.
    ahead: bool,
}

/// A function that is being analysed, and what it has asked for.
struct Active {
    id: FunctionId,
    asked: Vec<Asked>,
    measured: u64,
}

/// The bit of a protocol in a set of them; the last ones share one.
pub(crate) fn bit(protocol: usize) -> u64 {
    1 << protocol.min(63)
}

/// Nothing is known of what a function does.
pub(crate) fn unknown() -> Arc<Summary> {
    Arc::new(Summary { unknown: true, ..Summary::default() })
}

pub(crate) struct Engine<'p> {
    pub program: &'p Program,
    pub graph: &'p CallGraph,
    pub protocols: &'p [Protocol],
    /// Protocol and method of each symbol.
    pub methods: FxHashMap<&'p str, Vec<(usize, usize)>>,
    pub options: Options,
    pub identities: &'p Identities,
    pub symbols: Symbols,
    /// Addresses of memory that nobody else has.
    pub fresh: FxHashSet<Sym>,
    pub reports: Vec<Found>,
    /// Memory that may hold anything.
    pub unknown_region: Arc<Region>,
    /// Operations that were looked at, now or when what is used again was made.
    pub steps: u64,
    /// Variables of the library that nobody changes.
    pub constant: FxHashSet<GlobalKey>,
    /// Functions that were not analysed to the end.
    pub unfinished: BTreeSet<FunctionId>,
    /// Functions that were analysed now, each once for every way in which it is entered.
    pub analysed: usize,
    /// Protocols whose methods a function may call, itself or by others: a bit each.
    reach: Vec<u64>,
    /// What was answered in this check.
    known: FxHashMap<(FunctionId, Entry), Arc<Summary>>,
    entries: FxHashMap<FunctionId, usize>,
    records: FxHashMap<Ask, Record>,
    number: u64,
    active: Vec<Active>,
    /// Of the steps, those for questions that analyses under way have not come to yet.
    ahead: u64,
    shapes: FxHashMap<FunctionId, Arc<Shape>>,
}

impl<'p> Engine<'p> {
    pub fn new(
        (program, graph): (&'p Program, &'p CallGraph),
        (protocols, held): (&'p [Protocol], &[usize]),
        options: Options,
        (identities, constant): (&'p Identities, &BTreeSet<GlobalId>),
        kept: Kept,
    ) -> Self {
        let mut methods: FxHashMap<&str, Vec<(usize, usize)>> = FxHashMap::default();
        for &number in held {
            for (index, method) in protocols[number].methods.iter().enumerate() {
                method.symbols.iter().for_each(|it| methods.entry(it).or_default().push((number, index)));
            }
        }
        let reach = reach(program, graph, &methods);
        let constant = constant.iter().map(|&it| identities.global(it)).collect();
        let kept = if kept.symbols.len() > MOST_SYMBOLS { Kept::default() } else { kept };
        Self {
            program,
            graph,
            protocols,
            methods,
            options,
            identities,
            symbols: kept.symbols,
            fresh: kept.fresh,
            reports: Vec::new(),
            unknown_region: Arc::new(Region { background: Background::Unknown, ..Region::default() }),
            steps: 0,
            constant,
            unfinished: BTreeSet::new(),
            known: FxHashMap::default(),
            entries: FxHashMap::default(),
            analysed: 0,
            reach,
            records: kept.records,
            number: kept.number + 1,
            active: Vec::new(),
            ahead: 0,
            shapes: FxHashMap::default(),
        }
    }

    /// What the next check can use.
    pub fn keep(self) -> Kept {
        Kept { symbols: self.symbols, fresh: self.fresh, records: self.records, number: self.number }
    }

    /// Whether a function may call a method of a protocol.
    pub fn reaches(&self, function: FunctionId, protocol: usize) -> bool {
        self.reach[function.0 as usize] & bit(protocol) != 0
    }

    /// Protocols whose methods a function may call, itself or by others: a bit each, see [`bit`].
    pub fn reached(&self, function: FunctionId) -> u64 {
        self.reach[function.0 as usize]
    }

    /// Whether something can be wrong in a function: it may call a method of some protocol.
    pub fn matters(&self, function: FunctionId) -> bool {
        self.reach[function.0 as usize] != 0
    }

    /// What a function does. Of one that is being analysed, or that is entered in too many ways, nothing is known.
    pub fn summary(&mut self, id: FunctionId, entry: &Entry) -> Arc<Summary> {
        let before = self.steps;
        let summary = self.answered(id, entry);
        let (function, cost) = (self.identities.function(id), self.steps - before);
        let Some(active) = self.active.last_mut() else { return summary };
        match active.asked.iter_mut().find(|it| it.ask.function == function && it.ask.entry == *entry) {
            Some(asked) if asked.ahead => {
                asked.ahead = false;
                self.ahead -= asked.cost;
            }
            Some(_) => {}
            None => {
                let (ask, measured) = (Ask { function, entry: entry.clone() }, active.measured);
                active.asked.push(Asked { ask, answer: Arc::clone(&summary), measured, cost, ahead: false });
            }
        }
        summary
    }

    fn answered(&mut self, id: FunctionId, entry: &Entry) -> Arc<Summary> {
        if let Some(known) = self.known.get(&(id, entry.clone())) {
            return Arc::clone(known);
        }
        let is_active = self.active.iter().any(|it| it.id == id);
        if is_active || self.active.len() >= DEEPEST || self.program.function(id).calls_setjmp {
            return unknown();
        }
        let count = self.entries.entry(id).or_default();
        *count += 1;
        let summary = if *count > MOST_ENTRIES {
            let plain = Entry { object: entry.object.clone(), numbers: Vec::new() };
            let general = *entry != plain && *count < 2 * MOST_ENTRIES;
            if general { self.answered(id, &plain) } else { unknown() }
        } else {
            self.analysis(id, entry)
        };
        self.known.insert((id, entry.clone()), Arc::clone(&summary));
        summary
    }

    /// The analysis of a function, or that of the check before where it would be the same.
    fn analysis(&mut self, id: FunctionId, entry: &Entry) -> Arc<Summary> {
        let ask = Ask { function: self.identities.function(id), entry: entry.clone() };
        self.active.push(Active { id, asked: Vec::new(), measured: 0 });
        let before = self.records.remove(&ask);
        let done = match before.filter(|record| self.holds(record)) {
            Some(record) => record.done,
            None => {
                self.analysed += 1;
                self.begin_anew();
                let state = self.entry_state(self.program.function(id), entry);
                let shape = self.shape(id);
                Run::new(self, id, shape, entry.object.is_some()).summary(state)
            }
        };
        let mut asked = self.active.pop().map(|active| active.asked).unwrap_or_default();
        for asked in &mut asked {
            self.ahead -= if std::mem::take(&mut asked.ahead) { asked.cost } else { 0 };
        }
        self.steps += done.steps;
        self.reports.extend(done.reports.iter().cloned());
        if done.unfinished {
            self.unfinished.insert(id);
        }
        let summary = Arc::clone(&done.summary);
        if !done.cut {
            self.records.insert(ask, Record { done, asked, used: self.number });
        }
        summary
    }

    /// Whether there is too much to do in all, once the analysis at hand has looked at `steps` operations.
    pub fn is_spent(&mut self, steps: u64) -> bool {
        if let Some(active) = self.active.last_mut() {
            active.measured = steps;
        }
        self.steps - self.ahead + steps > self.options.work
    }

    /// The analysis at hand is done, and has asked nothing yet: what was looked at for questions that it will ask does not count before.
    fn begin_anew(&mut self) {
        let Some(active) = self.active.last_mut() else { return };
        active.measured = 0;
        for asked in &mut active.asked {
            asked.ahead = true;
            self.ahead += asked.cost;
        }
    }

    /// Whether an analysis would go as it did before: what it asks is asked now, in the same order, and answered in the same way, and it
    /// is not ended between that. Where that is not so, it is done anew, and asks once more what was asked here: nothing else was.
    fn holds(&mut self, record: &Record) -> bool {
        for asked in &record.asked {
            if self.is_spent(asked.measured) {
                return false;
            }
            let Some(callee) = self.identities.number(asked.ask.function) else { return false };
            let (now, before) = (self.summary(callee, &asked.ask.entry), &asked.answer);
            let is_same = Arc::ptr_eq(&now, before) || now.unknown && before.unknown;
            if !is_same {
                return false;
            }
        }
        !self.is_spent(record.done.steps)
    }

    fn shape(&mut self, id: FunctionId) -> Arc<Shape> {
        let program = self.program;
        Arc::clone(self.shapes.entry(id).or_insert_with(|| Arc::new(Shape::of(program.function(id)))))
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
            all |= of.fold(0, |bits, (protocol, _)| bits | bit(*protocol));
            for call in 0..function.calls.len() as u32 {
                let callees = graph.callees(whydunit_dataflow::CallSite { caller: id, call });
                let called = callees.reached().chain(callees.externals.iter().copied());
                all |= called.fold(0, |bits, callee| {
                    let of = methods.get(plain(&program.function(callee).name)).into_iter().flatten();
                    of.fold(bits | reach[callee.0 as usize], |bits, (protocol, _)| bits | bit(*protocol))
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
