//! Dynamic dependences: for each executed operation the executions that its operands, its memory and its being executed
//! at all come from (Korel and Laski 1988; Agrawal and Horgan 1990, dynamic dependence graph).
//!
//! A trace covers a segment of a run; what was defined before the segment is named by where it stands ([`Before`]), so
//! that the walk goes on in the segment before. Memory is bounded by the segment.

mod absent;
mod away;
mod earlier;
pub mod inputs;

use std::collections::HashMap;
use std::rc::Rc;

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Entry, External, ExternalKind, FuncId, Observer, Writer};

use crate::nodes::{BEFORE, INITIAL, Node, NodeId, NodeKind, Nodes, Packed};
use crate::recipe::{NONE, Recipe, Step};
use crate::shadow::Shadow;

use absent::Absent;
use away::Away;
use inputs::Inputs;

/// Something that was defined before a trace began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Before {
    /// An index of the frames' slots.
    Slot(usize),
    /// Memory.
    Memory(u64, u32),
    /// What decided that the operation of a frame ran.
    Control {
        /// Index of the frame's slot 0.
        base: u32,
        /// The frame's function.
        function: FuncId,
        /// The operation.
        pc: u32,
    },
}

struct FrameTrace {
    function: FuncId,
    base: usize,
    depth: usize,
    call: NodeId,
    control: NodeId,
    block: u32,
    /// Index of the branch of block 0 in [`Trace::branches`].
    branches: usize,
    recipe: Rc<Recipe>,
}

// What is called now and then takes a copy of [`At`]: a reference that leaves the loop of the executor would make it keep
// one in memory at every operation.

/// The observer that makes a trace. It can start anywhere in a run. It keeps a window of the latest nodes; what is older
/// counts as defined before.
pub struct Trace {
    pub(crate) nodes: Nodes,
    pub(crate) slots: Vec<NodeId>,
    pub(crate) memory: Shadow,
    /// What calls of the library read.
    pub(crate) inputs: Inputs,
    /// Calls of external code, but for those that only write what is known.
    externals: Vec<NodeId>,
    /// For each change that was found by a load: the calls of external code since what stood there was written, if they are few.
    changers: HashMap<NodeId, Vec<NodeId>>,
    /// The innermost frame; before anything was traced one of no function.
    now: FrameTrace,
    outer: Vec<FrameTrace>,
    /// Of each live frame the latest branch of each block.
    branches: Vec<NodeId>,
    recipes: Vec<Option<Rc<Recipe>>>,
    returned: Vec<NodeId>,
    /// Calls under way (depth of the caller), innermost last.
    calls: Vec<(usize, NodeId)>,
    /// The operation on a range under way.
    range: NodeId,
    /// Index of the slot whose value the latest node is to get.
    awaited: usize,
    /// Of each node the block is told that it was executed in.
    timed: bool,
    /// What branches left out, where that is asked for.
    absent: Option<Absent>,
    /// What belongs to the threads that do not run.
    others: HashMap<u32, Away>,
}

impl Default for Trace {
    fn default() -> Self {
        Self::window(1 << 23)
    }
}

const NO_SLOT: usize = usize::MAX;
/// Of more calls none is kept that can have changed something.
const SUSPECTS: usize = 64;
impl FrameTrace {
    fn none() -> Self {
        let recipe = Rc::new(Recipe::default());
        let (call, control) = (BEFORE, BEFORE);
        Self { function: FuncId::NONE, base: 0, depth: NO_SLOT, call, control, block: 0, branches: 0, recipe }
    }
}

impl Trace {
    /// A trace of the latest `nodes` (rounded up to a power of two) executions.
    pub fn window(nodes: usize) -> Self {
        Self {
            nodes: Nodes::new(nodes),
            slots: Vec::new(),
            memory: Shadow::default(),
            inputs: Inputs::default(),
            externals: Vec::new(),
            changers: HashMap::new(),
            now: FrameTrace::none(),
            outer: Vec::new(),
            branches: Vec::new(),
            recipes: Vec::new(),
            returned: Vec::new(),
            calls: Vec::new(),
            range: BEFORE,
            awaited: NO_SLOT,
            timed: false,
            absent: None,
            others: HashMap::new(),
        }
    }

    /// The same, which tells of each node when it was executed.
    pub fn timed(self) -> Self {
        Self { timed: true, ..self }
    }

    /// Begins anew: all that was traced counts as defined before.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.slots.fill(BEFORE);
        self.memory.clear();
        self.inputs.clear();
        self.externals.clear();
        self.changers.clear();
        self.absent.iter_mut().for_each(Absent::clear);
        self.branches.clear();
        self.now = FrameTrace::none();
        self.outer.clear();
        self.returned.fill(BEFORE);
        self.calls.clear();
        (self.range, self.awaited) = (BEFORE, NO_SLOT);
        self.others.clear();
    }

    /// The node, which must be one that this trace gave.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes.get(id)
    }
    /// The calls of external code that can have made a change that a load found, as far as this trace tells.
    pub(crate) fn changers(&self, found: NodeId) -> &[NodeId] {
        let calls = self.changers.get(&found).map_or(&[][..], |calls| calls);
        let kept = |first: &NodeId| self.nodes.kept(*first) == *first;
        if calls.first().is_some_and(kept) { calls } else { &[] }
    }
    /// The nodes that are kept, the latest first.
    pub fn latest_first(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.latest_first()
    }
    /// What `before` was defined by at the end of this trace.
    pub fn find(&mut self, before: Before) -> NodeId {
        let id = match before {
            Before::Slot(index) => self.slots.get(index).copied().unwrap_or(BEFORE),
            Before::Memory(address, size) => self.memory.latest(address, size),
            Before::Control { base, function, pc } => self.decided(base, function, pc),
        };
        self.nodes.kept(id)
    }

    fn decided(&self, base: u32, function: FuncId, pc: u32) -> NodeId {
        let same = |frame: &&FrameTrace| frame.base == base as usize && frame.function == function;
        let away = self.others.values().map(|away| (&away.outer, &away.now, &away.branches));
        let mut threads = std::iter::once((&self.outer, &self.now, &self.branches)).chain(away);
        let found = threads.find_map(|(outer, now, branches)| Some((outer.iter().chain([now]).find(same)?, branches)));
        let Some((frame, branches)) = found else { return BEFORE };
        Self::control(branches, frame, frame.recipe.block_of(pc))
    }

    #[inline]
    fn control(branches: &[NodeId], frame: &FrameTrace, block: u32) -> NodeId {
        let mut latest = BEFORE;
        for &block in frame.recipe.deciders(block) {
            latest = latest.max(branches[frame.branches + block as usize]);
        }
        if latest == BEFORE { frame.call } else { latest }
    }

    /// The latest node gets its value, which was not known before its operation was executed.
    #[inline(always)]
    fn settle(&mut self, at: &At<'_>) {
        if let Some(&value) = at.core.slots.get(self.awaited) {
            self.nodes.set_latest(value);
        }
        self.awaited = NO_SLOT;
    }

    fn call(&self) -> NodeId {
        self.calls.last().map_or(BEFORE, |(_, node)| *node)
    }

    #[inline(always)]
    fn slot(&self, base: usize, slot: u32) -> NodeId {
        if slot == NONE { INITIAL } else { self.slots[base + slot as usize] }
    }

    fn operand(&self, base: usize, operand: Opnd) -> NodeId {
        if operand.is_const() { INITIAL } else { self.slots[base + operand.index() as usize] }
    }

    /// A node for each of the words that an operation hands on, which stands as the address; the first one's number, the others follow.
    fn words(&mut self, at: &At<'_>, operand: Opnd, words: u8) -> NodeId {
        let mut first = None;
        for word in 0..u32::from(words) {
            let mut node = self.fresh(at, NodeKind::Operation);
            node.data[0] = self.operand(at.base, operand.word(word));
            node.value = at.value(operand.word(word));
            node.address = word.into();
            let id = self.nodes.push(node);
            first = first.or(Some(id));
        }
        first.unwrap_or(INITIAL)
    }

    #[inline(always)]
    fn define(&mut self, base: usize, step: Step, id: NodeId) {
        let dst = base + step.dst as usize;
        self.awaited = dst;
        if step.words == 1 {
            self.slots[dst] = id;
        } else {
            self.slots[dst..dst + usize::from(step.words)].fill(id);
        }
    }

    #[inline(always)]
    fn fresh(&self, at: &At<'_>, kind: NodeKind) -> Packed {
        Packed::new(kind, at.pc, self.now.control)
    }

    fn recipe(&mut self, at: &At<'_>, function: FuncId) -> Rc<Recipe> {
        let index = function.0 as usize;
        if index >= self.recipes.len() {
            self.recipes.resize(index + 1, None);
        }
        self.recipes[index].get_or_insert_with(|| Rc::new(Recipe::of(at.code.model(function)))).clone()
    }

    /// The innermost frame's nodes follow.
    fn span(&mut self, at: &At<'_>) {
        self.nodes.span(self.now.function, self.now.base as u32, at.core.threads.running(), at.instruction());
    }

    /// Leaves the frames from `depth` on.
    fn cut(&mut self, depth: usize) {
        while self.now.depth != NO_SLOT && self.now.depth >= depth {
            self.branches.truncate(self.now.branches);
            self.now = self.outer.pop().unwrap_or_else(FrameTrace::none);
        }
    }

    /// Adds the frames up to the present one.
    fn align(&mut self, at: &At<'_>) {
        let first = if self.now.depth == NO_SLOT { 0 } else { self.now.depth + 1 };
        for depth in first..=at.depth {
            let frame = &at.core.frames[depth];
            let recipe = self.recipe(at, frame.function);
            let branches = self.branches.len();
            self.branches.resize(branches + recipe.blocks(), BEFORE);
            let pc = if depth == at.depth { at.pc } else { frame.pc };
            let block = recipe.block_of(pc);
            let (function, base) = (frame.function, frame.base);
            let frame = FrameTrace { function, base, depth, call: BEFORE, control: BEFORE, block, branches, recipe };
            let outer = std::mem::replace(&mut self.now, frame);
            if outer.depth != NO_SLOT {
                self.outer.push(outer);
            }
        }
        let end = at.base + at.model.slots as usize;
        if end > self.slots.len() {
            self.slots.resize(end.next_power_of_two(), BEFORE);
        }
        self.span(at);
    }

    #[inline(always)]
    fn check_frame(&mut self, at: &At<'_>) {
        if self.now.base != at.base || self.now.function != at.function || self.now.depth != at.depth {
            self.change_frame(*at);
        }
    }

    #[cold]
    #[inline(never)]
    fn change_frame(&mut self, at: At<'_>) {
        let at = &at;
        self.cut(at.depth + 1);
        if self.now.depth == at.depth && (self.now.function != at.function || self.now.base != at.base) {
            self.cut(at.depth);
        }
        self.align(at);
    }

    /// Begins anew before the numbers of nodes are used up.
    #[cold]
    #[inline(never)]
    fn renumber(&mut self, at: At<'_>) {
        self.clear();
        self.check_frame(&at);
    }

    #[inline(never)]
    fn special(&mut self, at: At<'_>, op: &Op, step: Step) {
        let at = &at;
        let base = at.base;
        match *op {
            Op::Select { cond, a, b, .. } => {
                let holds = at.value(cond) & 1;
                let mut node = self.fresh(at, NodeKind::Operation);
                node.data = [self.operand(base, if holds == 1 { a } else { b }), self.operand(base, cond)];
                node.address = holds;
                let id = self.nodes.push(node);
                self.define(base, step, id);
            }
            Op::Copy { n, dst, a } => {
                let first = self.words(at, a, n);
                for word in 0..u32::from(n) {
                    self.slots[base + (dst + word) as usize] = first + word;
                }
            }
            Op::AtomicRmw { addr, value, .. } | Op::CmpXchg { addr, new: value, .. } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Store);
                node.data = [self.memory.latest(address, step.bytes.into()), self.operand(base, value)];
                node.address = address;
                node.value = at.value(value);
                let id = self.nodes.push(node);
                self.define(base, step, id);
                // Its value is what was stored, not the result.
                self.awaited = NO_SLOT;
                self.memory.set(address, step.bytes.into(), id);
            }
            Op::Call { .. } => {
                self.returned.clear();
                let id = self.nodes.push(self.fresh(at, NodeKind::Call));
                while self.calls.last().is_some_and(|(depth, _)| *depth >= at.depth) {
                    self.calls.pop();
                }
                self.calls.push((at.depth, id));
                self.range = id;
            }
            Op::MemSet { value, .. } => {
                let mut node = self.fresh(at, NodeKind::Store);
                node.data[0] = self.operand(base, value);
                node.value = at.value(value);
                self.range = self.nodes.push(node);
            }
            Op::VaStart { .. } => self.range = self.nodes.push(self.fresh(at, NodeKind::Store)),
            _ => {}
        }
    }
}

impl Observer for Trace {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;

    #[inline(always)]
    fn op(&mut self, at: &At<'_>, op: &Op) {
        self.check_frame(at);
        self.settle(at);
        let step = self.now.recipe.steps[at.pc as usize];
        if step.pure {
            let mut node = self.fresh(at, NodeKind::Operation);
            node.data = [self.slot(at.base, step.a), self.slot(at.base, step.b)];
            let id = self.nodes.push(node);
            self.define(at.base, step, id);
            return;
        }
        match *op {
            Op::Load { addr, .. } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Operation);
                node.data = [self.memory.latest(address, step.bytes.into()), self.slot(at.base, step.a)];
                node.address = address;
                let id = self.nodes.push(node);
                self.define(at.base, step, id);
            }
            Op::Store { value, addr, .. } => {
                let address = at.value(addr);
                let mut node = self.fresh(at, NodeKind::Store);
                node.data = [self.slot(at.base, step.a), self.slot(at.base, step.b)];
                node.address = address;
                node.value = at.value(value);
                let id = self.nodes.push(node);
                self.memory.set(address, step.bytes.into(), id);
            }
            Op::Branch { cond: decides, .. } | Op::Switch { value: decides, .. } => {
                let mut node = self.fresh(at, NodeKind::Operation);
                node.data[0] = self.slot(at.base, step.a);
                node.value = at.value(decides);
                let id = self.nodes.push(node);
                let index = self.now.branches + self.now.block as usize;
                self.branches[index] = id;
            }
            _ => self.special(*at, op, step),
        }
    }

    #[inline(always)]
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Call { .. } = op {
            self.check_frame(at);
            let step = self.now.recipe.steps[at.pc as usize];
            for word in 0..usize::from(step.words) {
                let node = self.returned.get(word).copied().unwrap_or(INITIAL);
                self.slots[at.base + step.dst as usize + word] = node;
            }
            self.calls.pop();
        }
    }

    #[inline(always)]
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, _: &whydunit_model::Block) {
        self.check_frame(at);
        if self.nodes.must_renumber() {
            self.renumber(*at);
        }
        if self.timed {
            self.span(at);
        }
        if let (Some(from), Some(_)) = (from, &self.absent) {
            self.note_left_out(*at, from, to);
        }
        self.now.block = to;
        self.now.control = Self::control(&self.branches, &self.now, to);
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.settle(at);
        let call = self.call();
        self.cut(at.depth);
        self.align(at);
        (self.now.call, self.now.control) = (call, call);
        match entry {
            Entry::Call { caller_base, call: site, variadic, .. } => {
                let source = |slots: &[NodeId], operand: Opnd| {
                    if operand.is_const() { call } else { slots[caller_base + operand.index() as usize] }
                };
                for (arg, param) in site.args.iter().zip(&at.model.params) {
                    let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                    for word in 0..words {
                        self.slots[at.base + (param.slot + word) as usize] = source(&self.slots, arg.value.word(word));
                    }
                }
                for word in variadic.iter() {
                    if let Some(from) = word.from {
                        self.memory.moved(word.address, from, word.size);
                    } else if let Some(arg) = site.args.get(word.arg as usize) {
                        let node = source(&self.slots, arg.value.word(word.word));
                        self.memory.set(word.address, word.size, node);
                    }
                }
            }
            Entry::Callback { .. } | Entry::Signal { .. } => {
                for param in &at.model.params {
                    let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
                    let first = at.base + param.slot as usize;
                    self.slots[first..first + words as usize].fill(call.max(INITIAL));
                }
            }
        }
    }

    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.check_frame(at);
        self.settle(at);
        self.returned.clear();
        if let Some((operand, words)) = result {
            let first = self.words(at, operand, words);
            self.returned.extend((0..u32::from(words)).map(|word| first + word));
        }
    }

    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.settle(at);
        self.cut(depth);
        self.span(at);
        self.calls.retain(|(caller, _)| *caller < depth);
        self.returned.clear();
    }

    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        self.settle(at);
        let mut away = self.others.remove(&to).unwrap_or_default();
        std::mem::swap(&mut self.now, &mut away.now);
        std::mem::swap(&mut self.outer, &mut away.outer);
        std::mem::swap(&mut self.branches, &mut away.branches);
        std::mem::swap(&mut self.returned, &mut away.returned);
        std::mem::swap(&mut self.calls, &mut away.calls);
        std::mem::swap(&mut self.range, &mut away.range);
        self.others.insert(from, away);
        self.span(at);
    }

    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        let id = self.call();
        if let Op::Call { call } = at.op()
            && self.inputs(id).is_some()
        {
            self.note_read(at, id, &at.model.calls[*call as usize], address, size);
        }
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        // A copy that a function of the library makes is a step of its own.
        if let Op::Call { call } = at.op() {
            self.settle(at);
            let mut node = self.fresh(at, NodeKind::Store);
            node.data[0] = self.memory.latest(from, size.min(u64::from(u32::MAX)) as u32);
            node.address = from;
            let id = self.nodes.push(node);
            self.note_copied(at, id, &at.model.calls[*call as usize], from, size);
            self.memory.set(to, size, id);
        } else {
            self.memory.moved(to, from, size);
        }
    }

    fn filled(&mut self, _: &At<'_>, address: u64, size: u64) {
        self.memory.set(address, size, self.range.max(INITIAL));
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        self.settle(at);
        let node = match writer {
            Writer::Image => INITIAL,
            Writer::Found => {
                let mut node = self.fresh(at, NodeKind::Found);
                node.address = address;
                let written = self.nodes.kept(self.memory.latest(address, size.clamp(1, 8) as u32));
                let id = self.nodes.push(node);
                if written > INITIAL {
                    let since = self.externals.partition_point(|call| *call < written);
                    if self.externals.len() - since <= SUSPECTS {
                        self.changers.insert(id, self.externals[since..].to_vec());
                    }
                }
                id
            }
            Writer::External | Writer::Variadic => self.call().max(INITIAL),
        };
        self.memory.set(address, size, node);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.settle(at);
        let id = self.nodes.push(self.fresh(at, NodeKind::External));
        if call.kind != ExternalKind::Modelled {
            self.externals.push(id);
        }
        match call.kind {
            ExternalKind::Modelled => self.note_arguments(at, id, call.call),
            ExternalKind::Recorded => self.note_inputs(at, id, call.name, call.call),
            ExternalKind::Heap | ExternalKind::Asm => {}
        }
        if let Some(call) = self.calls.last_mut() {
            call.1 = id;
        }
        self.range = id;
    }

    fn external_done(&mut self, _: &At<'_>, _: &External<'_>, result: &[u64]) {
        let own = self.call().max(INITIAL);
        if let Some(&word) = result.first() {
            self.nodes.set_value(own, word);
        }
        self.returned.clear();
        self.returned.extend(std::iter::repeat_n(own, result.len()));
    }
}
