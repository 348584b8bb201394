//! The law of static analysis: what a run does is among what the analyses say that the program may do. Calls are in the call
//! graph, addresses are among what their operands may point to, writes are among what the functions may write whose call they
//! belong to.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use whydunit_capture::Store;
use whydunit_dataflow::{
    CallGraph, CallSite, Effects, FunctionId, GlobalId, Limits, MayWrite, Object, Offset, PointsTo, Program, Subject,
    World,
};
use whydunit_library::{Allocation, lookup};
use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Entry, FrameKind, HeapBlock, Machine, Nothing, Observer};
use whydunit_symbolic::KnownLibrary;
use whydunit_workbench::load;

/// Constructs in which the analyses are wrong, and why: a model has no symbols that are other names of a definition.
pub const KNOWN: &[&str] = &["weak_alias"];

/// So many frames up a write is held against what their functions may write.
const FRAMES: usize = 6;
/// So many writes of one run are looked at.
const MOST: u64 = 400_000;
/// So many operands that are addresses are asked for.
const QUESTIONS: usize = 300;
/// What one of them may cost: what is cheap to know has to hold, and what is not finished says nothing.
const LIMITS: Limits = Limits { depth: 2, work: 10_000, total: 300_000 };

/// What the analyses have said.
#[derive(Default)]
struct Said {
    wrong: Vec<String>,
    /// Operands that were asked for, and those of which all objects are known.
    operands: usize,
    known: usize,
}

/// Holds a recorded run against the analyses of its program: what it does that they exclude.
pub fn hold(project: &Path, recording: &Path) -> Vec<String> {
    let store = Store::open(&project.join(".whydunit")).expect("a store");
    let loaded = load(&store, recording).expect("a recording");
    let mut machine = Machine::new(loaded.program, &loaded.recording).expect("a machine");
    let start = machine.snapshot();
    machine.run(&mut Nothing).expect("a replay");
    let modules = machine.code().modules().iter().map(|module| Arc::clone(&module.model)).collect();
    let program = Program::new(modules, World::Closed);
    let graph = CallGraph::new(&program, &KnownLibrary);
    let subject = Subject { program: &program, graph: &graph, library: &KnownLibrary };
    let refined = graph.refined(&program, &KnownLibrary, &mut PointsTo::new(subject, LIMITS));
    let subject = Subject { graph: &refined, ..subject };
    let mut globals: Vec<(u64, u64, GlobalId)> = Vec::new();
    for (number, module) in machine.code().modules().iter().enumerate() {
        for (index, (&address, global)) in (0..).zip(module.globals.iter().zip(&module.model.globals)) {
            if address != 0 && global.size > 0 {
                globals.push((address, global.size, program.meant_global(program.global_id(number, index))));
            }
        }
    }
    globals.sort_unstable();
    let mut places: HashMap<GlobalId, Vec<(u64, u64)>> = HashMap::new();
    globals.iter().for_each(|&(start, size, id)| places.entry(id).or_default().push((start, size)));
    let mut watch = Watch {
        subject,
        points: PointsTo::new(subject, LIMITS),
        writes: MayWrite::default(),
        effects: HashMap::new(),
        globals,
        places,
        blocks: BTreeMap::new(),
        entered: Vec::new(),
        clock: 0,
        seen: 0,
        asked: HashSet::new(),
        said: Said::default(),
    };
    machine.restore(&start).expect("a snapshot of this run");
    machine.run(&mut watch).expect("a replay");
    // Whoever says nothing is never wrong.
    let Said { mut wrong, operands, known } = watch.said;
    if operands > 20 && known == 0 {
        wrong.push(format!("nothing is known of any of {operands} operands"));
    }
    wrong
}

/// Where an address lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Where {
    /// Offset in a global.
    Global(GlobalId, i64),
    /// In a frame of this depth, in an object of its function.
    Stack(usize, FunctionId, u32, i64),
    /// In a heap block: the operation that allocated it, and when.
    Heap(FunctionId, u32, u64),
    Elsewhere,
}

struct Watch<'p> {
    subject: Subject<'p>,
    points: PointsTo<'p>,
    writes: MayWrite,
    effects: HashMap<FunctionId, Arc<Effects>>,
    globals: Vec<(u64, u64, GlobalId)>,
    places: HashMap<GlobalId, Vec<(u64, u64)>>,
    /// Live heap blocks: size, allocating operation, and when.
    blocks: BTreeMap<u64, (u64, FunctionId, u32, u64)>,
    /// For each frame its parameters' words, and when it was entered.
    entered: Vec<(Vec<Vec<u64>>, u64)>,
    clock: u64,
    seen: u64,
    asked: HashSet<(FunctionId, u32, Opnd, bool)>,
    said: Said,
}

impl Watch<'_> {
    fn wrong(&mut self, at: &At<'_>, message: String) {
        if self.said.wrong.len() < 12 {
            self.said.wrong.push(format!("{} ({}): {message}", at.position(), at.model.name));
        }
    }

    /// The offsets that an address has in a global: linkers let constants overlap.
    fn offsets(&self, id: GlobalId, address: u64) -> impl Iterator<Item = i64> + '_ {
        let all = self.places.get(&id).into_iter().flatten();
        let inside = all.filter(move |&&(start, size)| address.wrapping_sub(start) < size);
        inside.map(move |&(start, _)| (address - start) as i64)
    }

    fn find(&self, at: &At<'_>, address: u64) -> Where {
        for (depth, frame) in at.core.frames.iter().enumerate().rev() {
            let model = at.code.model(frame.function);
            let offset = address.wrapping_sub(frame.stack_base);
            if offset < model.frame_size {
                let inside = |object: &whydunit_model::StackObject| {
                    !object.dynamic && offset >= object.offset && offset < object.offset + object.size
                };
                if let Some(object) = model.stack.iter().position(inside) {
                    let start = model.stack[object].offset;
                    return Where::Stack(depth, FunctionId(frame.function.0), object as u32, (offset - start) as i64);
                }
            }
        }
        for object in &at.core.dynamic {
            if address.wrapping_sub(object.address) < object.size {
                let function = FunctionId(at.core.frames[object.depth].function.0);
                return Where::Stack(
                    object.depth,
                    function,
                    object.object,
                    address.wrapping_sub(object.address) as i64,
                );
            }
        }
        let global = self.globals.partition_point(|&(start, ..)| start <= address).checked_sub(1);
        if let Some(&(start, size, id)) = global.map(|index| &self.globals[index])
            && address - start < size
        {
            return Where::Global(id, (address - start) as i64);
        }
        match self.blocks.range(..=address).next_back() {
            Some((start, &(size, function, pc, when))) if address - start < size => Where::Heap(function, pc, when),
            _ => Where::Elsewhere,
        }
    }

    /// Whether a call asks `operator new` for memory.
    fn allocates(&self, site: CallSite) -> bool {
        let externals = &self.subject.graph.callees(site).externals;
        let name = |id: &FunctionId| self.subject.program.function(*id).name.as_str();
        externals.iter().any(|id| lookup(name(id)).is_some_and(|it| it.function.allocation == Allocation::New))
    }

    /// An operand is used as an address.
    fn address(&mut self, at: &At<'_>, operand: Opnd) {
        let address = at.value(operand);
        let function = FunctionId(at.function.0);
        let place = self.find(at, address);
        let asked = (function, at.pc, operand, matches!(place, Where::Elsewhere));
        if self.asked.len() >= QUESTIONS || !self.asked.insert(asked) {
            return;
        }
        let found = self.points.operand(function, at.pc, operand);
        self.said.operands += 1;
        if !found.is_known() {
            return;
        }
        self.said.known += 1;
        let holds = found.targets.iter().any(|(object, offset)| match (object, place) {
            // Each thread has its own, and the addresses are the first one's.
            (Object::Global(id), _) if self.subject.program.global(id).thread_local => true,
            (Object::Global(id), _) => self.offsets(id, address).any(|at| offset.meets(1, Offset::exactly(at), 1)),
            (Object::Stack(function, object), Where::Stack(_, other, index, at)) => {
                (function, object) == (other, index) && offset.meets(1, Offset::exactly(at), 1)
            }
            (Object::Heap(function, pc), Where::Heap(other, at, _)) => (function, pc) == (other, at),
            _ => false,
        });
        if !holds {
            let all: Vec<_> = found.targets.iter().collect();
            self.wrong(at, format!("{:?} is an address in {place:?} and may be in {all:?} only", at.op()));
        }
    }

    fn effects_of(&mut self, function: FunctionId) -> Arc<Effects> {
        if let Some(known) = self.effects.get(&function) {
            return Arc::clone(known);
        }
        let effects = Arc::new(self.writes.of_function(self.subject, function).effects.clone());
        self.effects.insert(function, Arc::clone(&effects));
        effects
    }

    /// Memory is written by the code of the program.
    fn written(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.seen += 1;
        if self.seen > MOST || size == 0 {
            return;
        }
        let place = self.find(at, address);
        for depth in (at.depth.saturating_sub(FRAMES)..=at.depth).rev() {
            let frame = &at.core.frames[depth];
            // A handler is no part of what it interrupts, and what external code calls is another matter.
            if !self.allows(FunctionId(frame.function.0), depth, place, address, size) {
                let name = &at.code.model(frame.function).name;
                let effects = self.effects_of(FunctionId(frame.function.0));
                self.wrong(
                    at,
                    format!("writes {size} bytes in {place:?} within a call of {name}, which has {effects:?}"),
                );
            }
            if frame.kind != FrameKind::Call {
                break;
            }
        }
    }

    fn allows(&mut self, function: FunctionId, depth: usize, place: Where, address: u64, size: u64) -> bool {
        let effects = self.effects_of(function);
        let entered = self.entered.get(depth);
        if effects.anything || entered.is_none_or(|entered| entered.1 == u64::MAX) {
            return true;
        }
        let fresh = |when: u64| entered.is_some_and(|entered| when >= entered.1);
        let own = match place {
            Where::Stack(of, ..) => of >= depth,
            Where::Heap(_, _, when) => fresh(when) && effects.writes.contains_key(&Object::Fresh),
            _ => false,
        };
        own || effects.writes.iter().any(|(object, places)| match (object, place) {
            (Object::Global(id), _) if self.subject.program.global(*id).thread_local => true,
            (Object::Global(id), _) => self
                .offsets(*id, address)
                .any(|offset| places.iter().any(|(at, bytes)| at.meets(*bytes, Offset::exactly(offset), size))),
            (Object::Reachable { .. }, _) => true,
            (Object::Parameter { index, word }, _) => {
                let value = entered.and_then(|entered| entered.0.get(*index as usize)?.get(*word as usize).copied());
                value.is_some_and(|value| {
                    let offset = Offset::exactly(address.wrapping_sub(value) as i64);
                    places.iter().any(|(at, bytes)| at.meets(*bytes, offset, size))
                })
            }
            _ => false,
        })
    }
}

impl Observer for Watch<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;
    const RANGES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        match *op {
            Op::Load { addr, .. } => self.address(at, addr),
            Op::Store { addr, ty, .. } | Op::AtomicRmw { addr, ty, .. } | Op::CmpXchg { addr, ty, .. } => {
                self.address(at, addr);
                self.written(at, at.value(addr), u64::from(ty.bytes()));
            }
            Op::MemMove { dst, len, .. } | Op::MemSet { dst, len, .. } | Op::ByvalCopy { dst, len, .. } => {
                if at.value(len) > 0 {
                    self.address(at, dst);
                }
                self.written(at, at.value(dst), at.value(len));
            }
            _ => {}
        }
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.clock += 1;
        let words = at.model.params.iter().map(|param| {
            let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
            (0..words).map(|word| at.slot(param.slot + word)).collect()
        });
        let words = words.collect();
        self.entered.truncate(at.depth);
        self.entered.resize(at.depth, (Vec::new(), u64::MAX));
        self.entered.push((words, self.clock));
        let callee = FunctionId(at.function.0);
        let graph = self.subject.graph;
        let caller = at.depth.checked_sub(1).map(|depth| at.core.frames[depth]);
        let site = caller.and_then(|frame| {
            let Op::Call { call } = at.code.model(frame.function).code[frame.pc as usize] else { return None };
            Some(CallSite { caller: FunctionId(frame.function.0), call })
        });
        let holds = match (entry, site) {
            (Entry::Call { .. }, Some(site)) => graph.callees(site).functions.contains(&callee),
            (Entry::Call { .. }, None) => false,
            // That `new` calls a handler when memory is short is left out by assumption: it would call anything, everywhere.
            // A signal's handler, which the system was told of, may run within any call.
            (Entry::Callback { .. }, Some(site)) => {
                self.allocates(site) || graph.known_outside(callee) || graph.may_call(site, callee)
            }
            _ => graph.known_outside(callee),
        };
        if !holds {
            let by = site.map(|site| (at.code.model(whydunit_replay::FuncId(site.caller.0)).name.clone(), site));
            let callees = site.map(|site| graph.callees(site).clone());
            self.wrong(at, format!("is entered by {entry:?} of {by:?}, which may call {callees:?}"));
        }
    }

    fn allocated(&mut self, at: &At<'_>, block: HeapBlock) {
        self.clock += 1;
        if at.in_frame() {
            let made = (block.size, FunctionId(at.function.0), at.pc, self.clock);
            self.blocks.insert(block.address, made);
        }
    }

    fn resized(&mut self, _: &At<'_>, address: u64, _: Option<u64>, size: u64) {
        if let Some(block) = self.blocks.get_mut(&address) {
            block.0 = size;
        }
    }

    fn freed(&mut self, _: &At<'_>, address: u64, _: Option<HeapBlock>) {
        self.blocks.remove(&address);
    }

    /// Frames of another thread are others.
    fn switched(&mut self, at: &At<'_>, _: u32, _: u32) {
        self.entered.clear();
        self.entered.resize(at.core.frames.len(), (Vec::new(), u64::MAX));
    }
}
