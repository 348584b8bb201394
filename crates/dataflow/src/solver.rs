//! The engine under points-to and may-write: a graph of values through which objects flow, and the memory of the objects.
//! Inclusion constraints (Andersen, "Program Analysis and Specialization for the C Programming Language"), made only for
//! values that somebody asks for (Heintze and Tardieu, "Demand-Driven Pointer Analysis").
//!
//! A node stands for the value of a slot at a definition, a parameter, a result. What a load or a store does becomes an edge once
//! the objects are known that its address points to. The memory of an object is the list of what is written to it, wherever that
//! happens: order does not matter there.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::object::{Object, Targets};
use crate::offset::{Offset, TO_THE_END};

/// Number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Node(u32);

impl Node {
    /// No node.
    pub const NONE: Node = Node(u32::MAX);
}

/// A value that is written to memory. Only where something may read it, it becomes a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source<V> {
    /// A node's.
    Node(Node),
    /// One that has no node yet, perhaps.
    Value(V),
}

/// What is done with everything that a node points to.
#[derive(Clone, Debug)]
pub(crate) enum Watcher<V, E> {
    /// It is loaded from.
    Load { to: Node, bytes: u64 },
    /// It is written to; no value: what has no pointers in it.
    Store { value: Option<Source<V>>, bytes: u64 },
    /// It is where memory is moved from or to, in a copy of this number.
    MovedFrom(u32),
    /// As above.
    MovedTo(u32),
    /// All that can be reached from it goes to this node as well.
    Reach(Node),
    /// Code outside the program gets to know it.
    Expose,
    /// It can be reached through places outside.
    Share,
    /// Whoever drives the engine wants to know.
    Tell(E),
}

struct NodeState<V, E> {
    targets: Targets,
    /// What was added since edges and watchers were served last.
    fresh: Vec<(Object, Offset)>,
    /// To where, and what is added to offsets on the way.
    edges: Vec<(Node, Offset)>,
    watchers: Vec<Watcher<V, E>>,
}

/// The memory of an object.
struct Memory<V> {
    writes: Vec<(Offset, u64, Source<V>)>,
    known: FxHashSet<(Offset, u64, Source<V>)>,
    known_reads: FxHashSet<(Offset, u64, Node)>,
    reads: Vec<(Offset, u64, Node)>,
    /// Moves out of it: from where, how many bytes, to which object, where there.
    moves: Vec<(Offset, u64, Object, Offset)>,
    exposed: bool,
    shared: bool,
    touched: bool,
}

/// A range of memory that is moved.
#[derive(Default)]
struct Copying {
    from: Vec<(Object, Offset)>,
    to: Vec<(Object, Offset)>,
    bytes: u64,
}

/// How memory outside what is looked at behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The engine keeps what is written there.
    Kept,
    /// Nothing is there.
    Nothing,
    /// Loads give anything; what is stored there is exposed.
    Unknown,
    /// Loads give this object, at any offset, and what was stored at such places.
    Outside(Object),
}

/// What the driver has to do before the engine can go on.
pub(crate) enum Step<V, E> {
    /// Give a value its node, and lead it to a node with this added to offsets.
    Value(V, Node, Offset),
    /// An object is looked at for the first time: say what it holds.
    Touch(Object),
    /// A function's code is exposed.
    ExposedFunction(Object),
    /// Something came to what a watcher tells of.
    Tell(E, Object),
}

/// Writes to an object that are told apart.
const MOST_WRITES: usize = 96;

/// The engine. `V` names values that have no node yet, `E` what the driver wants to be told.
pub(crate) struct Solver<V, E> {
    nodes: Vec<NodeState<V, E>>,
    edges: FxHashSet<(Node, Node, Offset)>,
    memory: FxHashMap<Object, Memory<V>>,
    copies: Vec<Copying>,
    queue: VecDeque<Node>,
    steps: VecDeque<Step<V, E>>,
    place: fn(Object) -> Place,
    /// What stands for pointers that are unknown.
    pub unknown: Node,
    /// What outside code knows.
    pub exposed: Node,
    /// What was stored in places [`Place::Outside`].
    pub outside: Node,
    /// How much work was done.
    pub work: u64,
}

impl<V: Copy + Eq + std::hash::Hash, E: Clone> Solver<V, E> {
    /// With nothing in it; `place` says how the memory of an object behaves.
    pub fn new(place: fn(Object) -> Place) -> Self {
        let zero = Node(0);
        let mut solver = Self {
            nodes: Vec::new(),
            edges: FxHashSet::default(),
            memory: FxHashMap::default(),
            copies: Vec::new(),
            queue: VecDeque::new(),
            steps: VecDeque::new(),
            place,
            unknown: zero,
            exposed: zero,
            outside: zero,
            work: 0,
        };
        solver.unknown = solver.node();
        solver.exposed = solver.node();
        solver.outside = solver.node();
        solver.add(solver.unknown, Object::Unknown, Offset::ANY);
        solver.watch(solver.exposed, Watcher::Expose);
        solver.watch(solver.outside, Watcher::Share);
        solver
    }

    /// A new node.
    pub fn node(&mut self) -> Node {
        self.work += 1;
        let state =
            NodeState { targets: Targets::default(), fresh: Vec::new(), edges: Vec::new(), watchers: Vec::new() };
        self.nodes.push(state);
        Node(self.nodes.len() as u32 - 1)
    }

    /// What a node points to, as far as is known.
    pub fn targets(&self, node: Node) -> &Targets {
        &self.nodes[node.0 as usize].targets
    }

    /// A node points to an object.
    pub fn add(&mut self, node: Node, object: Object, offset: Offset) {
        let state = &mut self.nodes[node.0 as usize];
        let Some(now) = state.targets.add(object, offset) else { return };
        self.work += 1;
        if state.fresh.is_empty() {
            self.queue.push_back(node);
        }
        state.fresh.push((object, now));
    }

    /// What a node points to, another one points to as well.
    pub fn edge(&mut self, from: Node, to: Node, shift: Offset) {
        if from == to && shift == Offset::START || !self.edges.insert((from, to, shift)) {
            return;
        }
        self.work += 1;
        self.nodes[from.0 as usize].edges.push((to, shift));
        for (object, offset) in self.targets(from).clone().iter() {
            self.add(to, object, offset.sum(shift));
        }
    }

    /// Something is done with all that a node points to.
    pub fn watch(&mut self, node: Node, watcher: Watcher<V, E>) {
        for (object, offset) in self.targets(node).clone().iter() {
            self.serve(&watcher, object, offset);
        }
        self.nodes[node.0 as usize].watchers.push(watcher);
    }

    /// A new range that is moved: its number, for watchers.
    pub fn copying(&mut self, bytes: Option<u64>) -> u32 {
        self.copies.push(Copying { bytes: bytes.unwrap_or(TO_THE_END), ..Copying::default() });
        self.copies.len() as u32 - 1
    }

    /// Goes on until the driver has to do something; `None` when all is done.
    pub fn step(&mut self) -> Option<Step<V, E>> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Some(step);
            }
            let node = self.queue.pop_front()?;
            let fresh = std::mem::take(&mut self.nodes[node.0 as usize].fresh);
            let edges = self.nodes[node.0 as usize].edges.clone();
            let watchers = self.nodes[node.0 as usize].watchers.clone();
            for &(object, offset) in &fresh {
                for &(to, shift) in &edges {
                    self.work += 1;
                    self.add(to, object, offset.sum(shift));
                }
                for watcher in &watchers {
                    self.work += 1;
                    self.serve(watcher, object, offset);
                }
            }
        }
    }

    fn serve(&mut self, watcher: &Watcher<V, E>, object: Object, offset: Offset) {
        match watcher {
            Watcher::Load { to, bytes } => self.read(object, offset, *bytes, *to),
            Watcher::Store { value, bytes } => {
                if let Some(value) = value {
                    self.write(object, offset, *bytes, *value);
                }
            }
            Watcher::MovedFrom(copy) => {
                let copying = &mut self.copies[*copy as usize];
                copying.from.push((object, offset));
                let (bytes, others) = (copying.bytes, copying.to.clone());
                others.into_iter().for_each(|(to, at)| self.move_range((object, offset), bytes, (to, at)));
            }
            Watcher::MovedTo(copy) => {
                let copying = &mut self.copies[*copy as usize];
                copying.to.push((object, offset));
                let (bytes, others) = (copying.bytes, copying.from.clone());
                others.into_iter().for_each(|(from, at)| self.move_range((from, at), bytes, (object, offset)));
            }
            Watcher::Reach(to) => self.read(object, Offset::ANY, TO_THE_END, *to),
            Watcher::Expose => self.expose(object),
            Watcher::Share => self.share(object),
            Watcher::Tell(what) => self.steps.push_back(Step::Tell(what.clone(), object)),
        }
    }

    fn memory(&mut self, object: Object) -> &mut Memory<V> {
        self.memory.entry(object).or_insert_with(|| Memory {
            writes: Vec::new(),
            known: FxHashSet::default(),
            known_reads: FxHashSet::default(),
            reads: Vec::new(),
            moves: Vec::new(),
            exposed: false,
            shared: false,
            touched: false,
        })
    }

    /// An object's memory is of interest.
    fn touch(&mut self, object: Object) {
        if !std::mem::replace(&mut self.memory(object).touched, true) {
            self.steps.push_back(Step::Touch(object));
        }
    }

    /// What is in `bytes` bytes of an object's memory goes to a node.
    pub fn read(&mut self, object: Object, offset: Offset, bytes: u64, to: Node) {
        match (self.place)(object) {
            Place::Nothing => {}
            Place::Unknown => self.add(to, Object::Unknown, Offset::ANY),
            Place::Outside(reached) => {
                self.add(to, reached, Offset::ANY);
                self.edge(self.outside, to, Offset::ANY);
            }
            Place::Kept => {
                self.touch(object);
                let memory = self.memory(object);
                if !memory.known_reads.insert((offset, bytes, to)) {
                    return;
                }
                memory.reads.push((offset, bytes, to));
                let meeting = memory.writes.iter().filter(|(at, size, _)| at.meets(*size, offset, bytes));
                let meeting: Vec<_> = meeting.map(|&(_, size, source)| (size, source)).collect();
                let (exposed, shared) = (memory.exposed, memory.shared);
                meeting.into_iter().for_each(|(size, source)| self.flow(source, to, size == bytes));
                if exposed {
                    self.add(to, Object::Unknown, Offset::ANY);
                }
                if shared {
                    self.edge(self.outside, to, Offset::ANY);
                }
            }
        }
    }

    /// A value goes to memory.
    pub fn write(&mut self, object: Object, offset: Offset, bytes: u64, value: Source<V>) {
        match (self.place)(object) {
            Place::Nothing => {}
            Place::Unknown | Place::Outside(_) => self.flow(value, self.outside, true),
            Place::Kept => {
                self.touch(object);
                let memory = self.memory(object);
                let crowded = memory.writes.len() >= MOST_WRITES;
                let offset = if crowded { Offset::ANY } else { offset };
                if !memory.known.insert((offset, bytes, value)) {
                    return;
                }
                memory.writes.push((offset, bytes, value));
                let meeting = memory.reads.iter().filter(|(at, size, _)| at.meets(*size, offset, bytes));
                let meeting: Vec<_> = meeting.map(|&(_, size, node)| (size, node)).collect();
                let moves = memory.moves.iter().filter(|(at, size, ..)| at.meets(*size, offset, bytes));
                let moves: Vec<_> = moves.copied().collect();
                let (exposed, shared) = (memory.exposed, memory.shared);
                meeting.into_iter().for_each(|(size, to)| self.flow(value, to, size == bytes));
                for (from, _, to, at) in moves {
                    self.write(to, offset.difference(from).sum(at), bytes, value);
                }
                if exposed {
                    self.flow(value, self.exposed, true);
                }
                if shared {
                    self.flow(value, self.outside, true);
                }
            }
        }
    }

    /// A value goes to a node, whole or in pieces.
    fn flow(&mut self, value: Source<V>, to: Node, whole: bool) {
        let shift = if whole { Offset::START } else { Offset::ANY };
        match value {
            Source::Node(node) => self.edge(node, to, shift),
            Source::Value(value) => self.steps.push_back(Step::Value(value, to, shift)),
        }
    }

    /// What is in a range goes to another place as it is.
    fn move_range(&mut self, (from, start): (Object, Offset), bytes: u64, (to, at): (Object, Offset)) {
        self.work += 1;
        if (self.place)(from) != Place::Kept || (self.place)(to) != Place::Kept {
            let content = self.node();
            self.read(from, start, bytes, content);
            self.write(to, at, bytes, Source::Node(content));
            return;
        }
        self.touch(from);
        let memory = self.memory(from);
        if memory.moves.contains(&(start, bytes, to, at)) {
            return;
        }
        memory.moves.push((start, bytes, to, at));
        let meeting = memory.writes.iter().filter(|(offset, size, _)| offset.meets(*size, start, bytes));
        let meeting: Vec<_> = meeting.copied().collect();
        let (exposed, shared) = (memory.exposed, memory.shared);
        for (offset, size, value) in meeting {
            self.write(to, offset.difference(start).sum(at), size, value);
        }
        if exposed {
            self.write(to, at, bytes, Source::Node(self.unknown));
        }
        if shared {
            self.write(to, at, bytes, Source::Node(self.outside));
        }
    }

    /// Code outside the program gets to know an object, and all that is in it.
    fn expose(&mut self, object: Object) {
        if let Object::Function(_) = object {
            self.steps.push_back(Step::ExposedFunction(object));
        }
        if (self.place)(object) != Place::Kept {
            return;
        }
        self.touch(object);
        if !std::mem::replace(&mut self.memory(object).exposed, true) {
            self.open(object, self.unknown, self.exposed);
        }
    }

    /// An object can be reached through places outside: what is there is in it, what is in it is there.
    pub fn share(&mut self, object: Object) {
        if (self.place)(object) != Place::Kept {
            return;
        }
        self.touch(object);
        if !std::mem::replace(&mut self.memory(object).shared, true) {
            self.open(object, self.outside, self.outside);
        }
    }

    /// What reads an object reads `gives` from now on; what was written to it goes to `takes`.
    fn open(&mut self, object: Object, gives: Node, takes: Node) {
        let memory = self.memory(object);
        let reads: Vec<Node> = memory.reads.iter().map(|read| read.2).collect();
        let writes: Vec<_> = memory.writes.iter().map(|write| write.2).collect();
        let moves: Vec<_> = memory.moves.iter().map(|&(_, bytes, to, at)| (bytes, to, at)).collect();
        reads.into_iter().for_each(|to| self.edge(gives, to, Offset::ANY));
        writes.into_iter().for_each(|value| self.flow(value, takes, true));
        moves.into_iter().for_each(|(bytes, to, at)| self.write(to, at, bytes, Source::Node(gives)));
    }
}
