//! The executions of a trace: the latest ones, in a ring.

use std::collections::VecDeque;

use whydunit_replay::FuncId;

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
    /// The thread.
    pub thread: u32,
    /// The instructions executed, its block included: exact in a trace that is timed.
    pub instruction: u64,
    /// Where its operands' values come from: two data dependences ([`BEFORE`] for those from earlier).
    pub data: [NodeId; 2],
    /// The branch or call that decided that it ran.
    pub control: NodeId,
    /// Result, value stored, or condition.
    pub value: u64,
    /// Address of a load or store; the condition of a select; which of several words is handed on.
    pub address: u64,
}

/// A node as kept: function and frame are those of its [`Span`].
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    pub data: [NodeId; 2],
    pub control: NodeId,
    /// The operation, and above it the kind.
    pub place: u32,
    pub value: u64,
    pub address: u64,
}

const KIND_SHIFT: u32 = 29;

impl Packed {
    const NOTHING: Packed = Packed { data: [BEFORE; 2], control: BEFORE, place: 0, value: 0, address: 0 };

    /// An execution that depends on nothing yet.
    #[inline(always)]
    pub fn new(kind: NodeKind, pc: u32, control: NodeId) -> Self {
        let place = pc | (kind as u32) << KIND_SHIFT;
        Packed { data: [INITIAL; 2], control, place, ..Self::NOTHING }
    }

    fn kind(&self) -> NodeKind {
        match self.place >> KIND_SHIFT {
            0 => NodeKind::Operation,
            1 => NodeKind::Store,
            2 => NodeKind::Call,
            3 => NodeKind::External,
            _ => NodeKind::Found,
        }
    }
}

/// Nodes from `first` on belong to this frame.
#[derive(Clone, Copy)]
struct Span {
    first: NodeId,
    function: FuncId,
    base: u32,
    thread: u32,
    instruction: u64,
}

/// Beyond so many nodes they must be numbered anew.
const MOST: NodeId = NodeId::MAX - (1 << 24);

/// A ring of the latest nodes. What is older counts as defined before the trace.
pub(crate) struct Nodes {
    /// Node `id` stands at `id` modulo `count`; as long as the ring was never full, only as many as there are.
    ring: Vec<Packed>,
    /// How many are kept: a power of two.
    count: usize,
    next: NodeId,
    /// Index of the latest node.
    last: usize,
    spans: VecDeque<Span>,
}

impl Nodes {
    /// A ring of so many nodes, rounded up to a power of two.
    pub fn new(count: usize) -> Self {
        let count = count.next_power_of_two().max(64);
        // Reserved memory costs nothing before it is used.
        let mut nodes = Self { ring: Vec::with_capacity(count), count, next: 0, last: 0, spans: VecDeque::new() };
        nodes.clear();
        nodes
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.spans.clear();
        self.next = 0;
        for _ in [BEFORE, INITIAL] {
            self.push(Packed::NOTHING);
        }
    }

    /// Whether the numbers are nearly used up.
    #[inline(always)]
    pub fn must_renumber(&self) -> bool {
        self.next > MOST
    }

    /// [`BEFORE`] in place of what has left the ring.
    pub fn kept(&self, id: NodeId) -> NodeId {
        if id > INITIAL && (self.next - id) as usize > self.count { BEFORE } else { id }
    }

    /// Those that are kept, the latest first.
    pub fn latest_first(&self) -> impl Iterator<Item = NodeId> + '_ {
        let oldest = (self.next as usize).saturating_sub(self.count).max(INITIAL as usize + 1);
        (oldest as NodeId..self.next).rev()
    }

    /// The node, which must be one that is kept.
    pub fn get(&self, id: NodeId) -> Node {
        let after = self.spans.partition_point(|span| span.first <= id);
        let none = Span { first: 0, function: FuncId::NONE, base: 0, thread: 0, instruction: 0 };
        let span = after.checked_sub(1).and_then(|index| self.spans.get(index)).copied().unwrap_or(none);
        let packed = self.ring[id as usize & (self.count - 1)];
        Node {
            kind: packed.kind(),
            function: span.function,
            pc: packed.place & ((1 << KIND_SHIFT) - 1),
            base: span.base,
            thread: span.thread,
            instruction: span.instruction,
            data: packed.data.map(|data| self.kept(data)),
            control: self.kept(packed.control),
            value: packed.value,
            address: packed.address,
        }
    }

    /// Adds a node.
    #[inline(always)]
    pub fn push(&mut self, node: Packed) -> NodeId {
        let id = self.next;
        self.last = id as usize & (self.count - 1);
        match self.ring.get_mut(self.last) {
            Some(place) => *place = node,
            None => self.ring.push(node),
        }
        self.next = id.wrapping_add(1);
        id
    }

    /// The value of the latest node.
    #[inline(always)]
    pub fn set_latest(&mut self, value: u64) {
        self.ring[self.last].value = value;
    }

    /// The value of a node that is kept.
    pub fn set_value(&mut self, id: NodeId, value: u64) {
        if self.kept(id) > INITIAL {
            let index = id as usize & (self.count - 1);
            self.ring[index].value = value;
        }
    }

    /// Nodes of this frame of a thread follow, from the block on with which so many instructions are executed.
    pub fn span(&mut self, function: FuncId, base: u32, thread: u32, instruction: u64) {
        let span = Span { first: self.next, function, base, thread, instruction };
        match self.spans.back_mut() {
            Some(last) if last.first == span.first => *last = span,
            _ => self.spans.push_back(span),
        }
        let oldest = (self.next as usize).saturating_sub(self.count);
        while self.spans.get(1).is_some_and(|second| second.first as usize <= oldest) {
            self.spans.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_takes_memory_as_it_is_used() {
        let mut nodes = Nodes::new(1 << 23);
        let node = Packed::new(NodeKind::Store, 0, INITIAL);
        (0..100).for_each(|_| _ = nodes.push(node));
        assert_eq!(nodes.ring.len(), 102);
    }

    #[test]
    fn the_latest_nodes_are_kept_and_older_ones_count_as_before() {
        let mut nodes = Nodes::new(64);
        nodes.span(FuncId(3), 10, 0, 7);
        let first = nodes.push(Packed::new(NodeKind::Store, 5, INITIAL));
        nodes.span(FuncId(4), 20, 0, 9);
        let mut latest = first;
        for pc in 0..100 {
            let mut node = Packed::new(NodeKind::Operation, pc, first);
            node.data[0] = latest;
            latest = nodes.push(node);
            nodes.set_latest(u64::from(pc));
        }
        assert_eq!(nodes.kept(first), BEFORE);
        let node = nodes.get(latest);
        assert_eq!((node.kind, node.function, node.pc, node.base), (NodeKind::Operation, FuncId(4), 99, 20));
        assert_eq!((node.value, node.control, node.data), (99, BEFORE, [latest - 1, INITIAL]));
        assert_eq!(node.instruction, 9);
        nodes.set_value(latest - 1, 7);
        assert_eq!(nodes.get(latest - 1).value, 7);
        nodes.clear();
        assert_eq!(nodes.push(Packed::new(NodeKind::Store, 0, INITIAL)), first);
    }
}
