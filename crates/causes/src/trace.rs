//! Dynamic dependences: for each executed operation the executions that its operands, its memory and its being executed
//! at all come from (Korel and Laski 1988; Agrawal and Horgan 1990, dynamic dependence graph).
//!
//! A trace covers a segment of a run; what was defined before the segment is named by where it stands ([`Before`]), so
//! that the walk goes on in the segment before. Memory is bounded by the segment.

use std::collections::HashMap;
use std::rc::Rc;

use whydunit_model::flow::Flow;
use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Entry, External, FuncId, Observer, Writer};

use crate::access::defined;
use crate::variables::Watch;

/// Number of a node in its trace.
pub type NodeId = u32;
/// Defined before the trace began.
pub const BEFORE: NodeId = 0;
/// The initial image, or memory never written.
pub const INITIAL: NodeId = 1;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// An operation with a result in a slot, or a branch.
    Operation,
    /// A store.
    Store,
    /// A call of captured code (for control), or its returned value.
    Call,
    /// An external call: results and memory written come from here.
    External,
    /// Memory that was found changed from outside.
    Found,
}

/// One execution of one operation.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Kind.
    pub kind: NodeKind,
    /// Function.
    pub function: FuncId,
    /// Operation.
    pub pc: u32,
    /// Index of the frame's slot 0.
    pub base: u32,
    /// Where its operands' values come from: two data dependences ([`BEFORE`] for those from earlier).
    pub data: [NodeId; 2],
    /// The branch or call that decided that it ran.
    pub control: NodeId,
    /// Result, value stored, or condition.
    pub value: u64,
    /// Address of a load or store.
    pub address: u64,
}

/// Something that was defined before a trace began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Before {
    /// An index of the frames' slots.
    Slot(usize),
    /// Memory.
    Memory(u64, u32),
}

const PAGE: u64 = 4096;
type Page = Box<[NodeId; PAGE as usize]>;

struct FrameTrace {
    function: FuncId,
    base: usize,
    call: NodeId,
    control: NodeId,
    block: u32,
    branches: Vec<NodeId>,
    dependence: Rc<Vec<Vec<u32>>>,
}

/// The observer that makes a trace. It can start anywhere in a run.
pub struct Trace {
    nodes: Vec<Node>,
    slots: Vec<NodeId>,
    memory: HashMap<u64, Page>,
    frames: Vec<FrameTrace>,
    flows: HashMap<FuncId, Rc<Vec<Vec<u32>>>>,
    returned: Vec<NodeId>,
    /// Calls under way (depth of the caller), innermost last.
    calls: Vec<(usize, NodeId)>,
    /// The operation on a range under way.
    range: NodeId,
    /// Which debug values hold, for naming.
    pub watch: Watch,
}

impl Default for Trace {
    fn default() -> Self {
        let nothing = Node {
            kind: NodeKind::Operation,
            function: FuncId::NONE,
            pc: 0,
            base: 0,
            data: [BEFORE; 2],
            control: BEFORE,
            value: 0,
            address: 0,
        };
        Self {
            nodes: vec![nothing; 2],
            slots: Vec::new(),
            memory: HashMap::new(),
            frames: Vec::new(),
            flows: HashMap::new(),
            returned: Vec::new(),
            calls: Vec::new(),
            range: BEFORE,
            watch: Watch::default(),
        }
    }
}

impl Trace {
    /// The node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// Whether nothing was traced.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 2
    }
    /// What defined a slot last.
    pub fn slot(&self, index: usize) -> NodeId {
        self.slots.get(index).copied().unwrap_or(BEFORE)
    }
    /// What wrote any of these bytes last.
    pub fn memory(&self, address: u64, size: u32) -> NodeId {
        (0..u64::from(size)).map(|i| self.byte(address.wrapping_add(i))).max().unwrap_or(BEFORE)
    }

    fn byte(&self, address: u64) -> NodeId {
        self.memory.get(&(address / PAGE)).map_or(BEFORE, |page| page[(address % PAGE) as usize])
    }

    fn write(&mut self, address: u64, size: u64, node: NodeId) {
        let (mut at, mut left) = (address, size);
        while left > 0 {
            let offset = (at % PAGE) as usize;
            let n = left.min(PAGE - offset as u64) as usize;
            let page = self.memory.entry(at / PAGE).or_insert_with(|| Box::new([BEFORE; PAGE as usize]));
            page[offset..offset + n].fill(node);
            at = at.wrapping_add(n as u64);
            left -= n as u64;
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        // Four thousand million nodes do not fit in memory; a segment ends long before.
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    fn call(&self) -> NodeId {
        self.calls.last().map_or(BEFORE, |(_, node)| *node)
    }

    fn operand(&self, at: &At<'_>, operand: Opnd) -> NodeId {
        at.slot_index(operand).map_or(INITIAL, |index| self.slot(index))
    }

    fn set_slot(&mut self, index: usize, node: NodeId) {
        if index >= self.slots.len() {
            self.slots.resize(index + 64, BEFORE);
        }
        self.slots[index] = node;
    }

    fn fresh(&self, at: &At<'_>, kind: NodeKind) -> Node {
        Node {
            kind,
            function: at.function,
            pc: at.pc,
            base: at.base as u32,
            data: [INITIAL; 2],
            control: self.frames.last().map_or(BEFORE, |frame| frame.control),
            value: 0,
            address: 0,
        }
    }

    fn align(&mut self, at: &At<'_>) {
        self.frames.truncate(at.depth + 1);
        for depth in self.frames.len()..=at.depth {
            let frame = &at.core.frames[depth];
            let model = at.code.model(frame.function);
            let dependence = self
                .flows
                .entry(frame.function)
                .or_insert_with(|| Rc::new(Flow::of(model).control_dependence()))
                .clone();
            let branches = vec![BEFORE; model.blocks.len()];
            self.frames.push(FrameTrace {
                function: frame.function,
                base: frame.base,
                call: BEFORE,
                control: BEFORE,
                block: 0,
                branches,
                dependence,
            });
        }
    }

    fn check_frame(&mut self, at: &At<'_>) {
        let fits = self.frames.len() == at.depth + 1
            && self.frames[at.depth].function == at.function
            && self.frames[at.depth].base == at.base;
        if !fits {
            self.frames.truncate(at.depth);
            self.align(at);
        }
    }

    fn operands(&self, at: &At<'_>, op: &Op) -> [NodeId; 2] {
        let one = |a: Opnd| [self.operand(at, a), INITIAL];
        let two = |a: Opnd, b: Opnd| {
            let (a, b) = (self.operand(at, a), self.operand(at, b));
            if a == INITIAL { [b, INITIAL] } else { [a, b] }
        };
        match *op {
            Op::Int { a, b, .. }
            | Op::Wide { a, b, .. }
            | Op::Overflow { a, b, .. }
            | Op::ICmp { a, b, .. }
            | Op::Float { a, b, .. }
            | Op::FCmp { a, b, .. }
            | Op::Funnel { a, b, .. }
            | Op::Fma { a, b, .. } => two(a, b),
            Op::IntUnary { a, .. }
            | Op::Trunc { a, .. }
            | Op::ZExt { a, .. }
            | Op::SExt { a, .. }
            | Op::Copy { a, .. }
            | Op::FloatUnary { a, .. }
            | Op::FConv { a, .. }
            | Op::FToInt { a, .. }
            | Op::IntToF { a, .. } => one(a),
            Op::PtrAdd { base, .. } => one(base),
            Op::PtrIndex { base, index, .. } => two(index, base),
            Op::Select { cond, a, b, .. } => two(if at.value(cond) & 1 == 1 { a } else { b }, cond),
            Op::Alloca { count, .. } => one(count),
            Op::Branch { cond, .. } => one(cond),
            Op::Switch { value, .. } => one(value),
            _ => [INITIAL; 2],
        }
    }
}

impl Observer for Trace {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        self.check_frame(at);
        self.watch.follow(at);
        match *op {
            Op::Load { ty, addr, .. } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Operation);
                node.data = [self.memory(address, ty.bytes()), self.operand(at, addr)];
                node.address = address;
                let id = self.push(node);
                self.define(at, op, id);
            }
            Op::Store { ty, value, addr } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Store);
                node.data = [self.operand(at, value), self.operand(at, addr)];
                node.address = address;
                node.value = at.value(value);
                let id = self.push(node);
                self.write(address, u64::from(ty.bytes()), id);
            }
            Op::AtomicRmw { ty, addr, value, .. } | Op::CmpXchg { ty, addr, new: value, .. } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Store);
                node.data = [self.memory(address, ty.bytes()), self.operand(at, value)];
                node.address = address;
                node.value = at.value(value);
                let id = self.push(node);
                self.define(at, op, id);
                self.write(address, u64::from(ty.bytes()), id);
            }
            Op::Branch { .. } | Op::Switch { .. } => {
                let mut node = self.fresh(at, NodeKind::Operation);
                node.data = self.operands(at, op);
                node.value = match *op {
                    Op::Branch { cond, .. } => at.value(cond) & 1,
                    Op::Switch { value, .. } => at.value(value),
                    _ => 0,
                };
                let id = self.push(node);
                let frame = &mut self.frames[at.depth];
                let block = frame.block as usize;
                if let Some(branch) = frame.branches.get_mut(block) {
                    *branch = id;
                }
            }
            Op::Call { .. } => {
                self.returned.clear();
                let id = self.push(self.fresh(at, NodeKind::Call));
                while self.calls.last().is_some_and(|(depth, _)| *depth >= at.depth) {
                    self.calls.pop();
                }
                self.calls.push((at.depth, id));
                self.range = id;
            }
            Op::MemSet { value, .. } => {
                let mut node = self.fresh(at, NodeKind::Store);
                node.data[0] = self.operand(at, value);
                node.value = at.value(value);
                self.range = self.push(node);
            }
            Op::VaStart { .. } => {
                self.range = self.push(self.fresh(at, NodeKind::Store));
            }
            Op::MemMove { .. } | Op::ByvalCopy { .. } | Op::VaCopy { .. } => {}
            _ => {
                if defined(at.model, op).is_some() {
                    let mut node = self.fresh(at, NodeKind::Operation);
                    node.data = self.operands(at, op);
                    let id = self.push(node);
                    self.define(at, op, id);
                }
            }
        }
    }

    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Call { call } = *op {
            let call = &at.model.calls[call as usize];
            let words: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
            for word in 0..words {
                let node = self.returned.get(word as usize).copied().unwrap_or(INITIAL);
                self.set_slot(at.base + (call.dst + word) as usize, node);
            }
            self.calls.pop();
        } else if let Some((slot, _)) = defined(at.model, op) {
            let id = self.slot(at.base + slot as usize) as usize;
            if id > INITIAL as usize && self.nodes[id].kind == NodeKind::Operation {
                self.nodes[id].value = at.slot(slot);
            }
        }
    }

    fn block(&mut self, at: &At<'_>, _: Option<u32>, to: u32, _: &whydunit_model::Block) {
        self.check_frame(at);
        let frame = &mut self.frames[at.depth];
        frame.block = to;
        let decided = frame.dependence.get(to as usize).map_or(&[][..], |blocks| &blocks[..]);
        let latest = decided.iter().filter_map(|&block| frame.branches.get(block as usize)).copied().max();
        frame.control = latest.filter(|&node| node != BEFORE).unwrap_or(frame.call);
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        let call = self.call();
        self.frames.truncate(at.depth);
        self.align(at);
        self.watch.enter(at);
        let frame = &mut self.frames[at.depth];
        frame.call = call;
        frame.control = call;
        let end = at.base + at.model.slots as usize;
        if end > self.slots.len() {
            self.slots.resize(end + 64, BEFORE);
        }
        match entry {
            Entry::Call { caller_base, call: site, variadic, .. } => {
                let source = |operand: Opnd| {
                    if operand.is_const() { call } else { self.slot(caller_base + operand.index() as usize) }
                };
                let mut slots = Vec::new();
                for (arg, param) in site.args.iter().zip(&at.model.params) {
                    let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                    for word in 0..words {
                        slots.push((at.base + (param.slot + word) as usize, source(arg.value.word(word))));
                    }
                }
                let mut memory = Vec::new();
                for word in variadic.iter() {
                    if let Some(arg) = site.args.get(word.arg as usize) {
                        memory.push((word.address, word.size, source(arg.value.word(word.word))));
                    }
                }
                for (slot, node) in slots {
                    self.set_slot(slot, node);
                }
                for (address, size, node) in memory {
                    self.write(address, size, node);
                }
            }
            Entry::Callback { .. } | Entry::Signal { .. } => {
                for param in &at.model.params {
                    let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                    for word in 0..words {
                        self.set_slot(at.base + (param.slot + word) as usize, call.max(INITIAL));
                    }
                }
            }
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.returned.clear();
        if let Some((operand, words)) = result {
            let mut node = self.fresh(at, NodeKind::Operation);
            node.data[0] = self.operand(at, operand);
            node.value = at.value(operand);
            let id = self.push(node);
            self.returned.extend(std::iter::repeat_n(id, words.into()));
        }
    }

    fn unwind(&mut self, _: &At<'_>, depth: usize) {
        self.frames.truncate(depth);
        self.calls.retain(|(caller, _)| *caller < depth);
        self.returned.clear();
    }

    fn moved(&mut self, _: &At<'_>, to: u64, from: u64, size: u64) {
        let nodes: Vec<NodeId> = (0..size).map(|i| self.byte(from.wrapping_add(i))).collect();
        for (i, node) in nodes.into_iter().enumerate() {
            self.write(to.wrapping_add(i as u64), 1, node);
        }
    }

    fn filled(&mut self, _: &At<'_>, address: u64, size: u64) {
        self.write(address, size, self.range.max(INITIAL));
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        let node = match writer {
            Writer::Image => INITIAL,
            Writer::Found => {
                let mut node = self.fresh(at, NodeKind::Found);
                node.address = address;
                self.push(node)
            }
            Writer::External | Writer::Variadic => self.call().max(INITIAL),
        };
        self.write(address, size, node);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        let mut sources = call.call.args.iter().map(|arg| self.operand(at, arg.value)).filter(|&node| node != INITIAL);
        let data = [sources.next().unwrap_or(INITIAL), sources.next().unwrap_or(INITIAL)];
        let mut node = self.fresh(at, NodeKind::External);
        node.data = data;
        let id = self.push(node);
        if let Some(call) = self.calls.last_mut() {
            call.1 = id;
        }
        self.range = id;
    }

    fn external_done(&mut self, _: &At<'_>, _: &External<'_>, result: &[u64]) {
        let own = self.call().max(INITIAL);
        if let Some(&word) = result.first()
            && own > INITIAL
        {
            self.nodes[own as usize].value = word;
        }
        self.returned.clear();
        self.returned.extend(std::iter::repeat_n(own, result.len()));
    }
}

impl Trace {
    fn define(&mut self, at: &At<'_>, op: &Op, id: NodeId) {
        if let Some((slot, words)) = defined(at.model, op) {
            for word in 0..words {
                self.set_slot(at.base + (slot + word) as usize, id);
            }
        }
    }

    /// What a node's data dependence number `which` was before the trace, where it is [`BEFORE`].
    pub fn before(&self, id: NodeId, which: usize, op: &Op) -> Option<Before> {
        let node = self.node(id);
        if node.data[which] != BEFORE {
            return None;
        }
        let slot =
            |operand: Opnd| (!operand.is_const()).then(|| Before::Slot(node.base as usize + operand.index() as usize));
        match *op {
            Op::Load { ty, .. } if which == 0 => Some(Before::Memory(node.address, ty.bytes())),
            Op::Load { addr, .. } => slot(addr),
            Op::Store { value, .. } if which == 0 => slot(value),
            Op::Store { addr, .. } => slot(addr),
            Op::Int { a, b, .. } | Op::ICmp { a, b, .. } | Op::Float { a, b, .. } | Op::FCmp { a, b, .. } => {
                // A constant first operand moves the second one to the front.
                let first = if a.is_const() { b } else { a };
                slot(if which == 0 { first } else { b })
            }
            Op::Copy { a, .. } | Op::ZExt { a, .. } | Op::SExt { a, .. } | Op::Trunc { a, .. } => slot(a),
            Op::PtrAdd { base, .. } => slot(base),
            Op::Branch { cond, .. } => slot(cond),
            Op::Switch { value, .. } => slot(value),
            _ => None,
        }
    }
}
