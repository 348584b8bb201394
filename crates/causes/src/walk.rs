//! The walk back through a trace: from a value to the statements, conditions and inputs that it comes from.

mod cause;
mod kept;
mod pending;
mod sources;
mod telling;
mod words;

use std::collections::{HashMap, HashSet};

use whydunit_model::{NO_TYPE, Op, Opnd, Scalar, defined, paths};
use whydunit_replay::{Code, FuncId, Position};

use crate::access::{Named, Names};
use crate::branch::edge_at;
use crate::condition;
use crate::nodes::{BEFORE, INITIAL, Node, NodeId, NodeKind};
use crate::trace::inputs::Source;
use crate::trace::{Before, Trace};
use crate::value::{self, Known};

pub use cause::{Cause, Dependence, When};
use pending::{Pending, Queue, Rank, Target};

/// Of an operation that is executed again and again so many executions are told, the latest.
const TOLD: u32 = 2;
/// So many further executions are gone through for what led to them.
const GONE_THROUGH: u32 = 1000;

/// The execution of a statement: the trace, the function, file and line, the frame, and what controls it.
type Executed = (u32, FuncId, (u32, u32), u32, u32);

/// Causes found so far, and what is still to be followed.
pub struct Walk<'a> {
    code: &'a Code,
    causes: Vec<Cause>,
    pending: Queue,
    names: HashMap<FuncId, Names<'a>>,
    /// How many traces were gone through: nodes are numbered in each of them anew.
    traces: u32,
    /// Executions of statements that were told, by trace: which of the causes each is.
    told: HashMap<Executed, usize>,
    /// Nodes of this trace whose causes were looked for.
    followed: HashSet<NodeId>,
    /// Plain moves of this trace that were gone through: what is behind them was told then. A value that a loop hands on from round to round
    /// would be followed back from each round otherwise.
    moved: HashSet<NodeId>,
    /// How many executions of an operation were told.
    executions: HashMap<(FuncId, u32), u32>,
    /// How often a branch was queued, since it left out what may have changed a value.
    kept: HashMap<(FuncId, u32), u32>,
    /// Whether the ways of the branch that led to an operation meet behind it.
    meets: HashMap<(FuncId, u32), bool>,
    /// How many were gone through without a word.
    silent: u32,
    most: usize,
}

impl<'a> Walk<'a> {
    /// A walk of at most `most` steps.
    pub fn new(code: &'a Code, most: usize) -> Self {
        Self {
            code,
            causes: Vec::new(),
            pending: Queue::default(),
            names: HashMap::new(),
            traces: 0,
            told: HashMap::new(),
            followed: HashSet::new(),
            moved: HashSet::new(),
            executions: HashMap::new(),
            kept: HashMap::new(),
            meets: HashMap::new(),
            silent: 0,
            most,
        }
    }

    /// Starts from a place that was defined in the trace to come, or before.
    pub fn start(&mut self, target: Before, name: Named, function: FuncId, value: Known, from: Option<usize>) {
        self.pending.push(Pending::data(Target::Before(target), Some(name), function, value, from));
    }

    /// The name of an operand of operation `pc` of a function; `None` where it has none.
    pub fn name(&mut self, function: FuncId, pc: u32, operand: Opnd) -> Option<Named> {
        self.names(function).value(pc, operand).filter(|named| named.ty != NO_TYPE)
    }

    /// Starts from what decided that an operation ran, or did not.
    pub fn start_control(&mut self, target: Before, function: FuncId, from: usize) {
        let (target, value, from) = (Target::Before(target), Known::Word(0), Some(from));
        let (kind, name) = (Dependence::Control, None);
        self.pending.push(Pending { kind, ..Pending::data(target, name, function, value, from) });
    }

    /// Adds a first cause that stands for itself.
    pub fn note(&mut self, cause: Cause) -> usize {
        self.causes.push(cause);
        self.causes.len() - 1
    }

    /// Whether nothing is left to follow that is worth a trace of its own, or the bound is reached.
    pub fn is_done(&self) -> bool {
        self.pending.is_again_only() || self.causes.len() >= self.most
    }

    /// The causes, in the order found.
    pub fn into_causes(self) -> Vec<Cause> {
        self.causes
    }

    fn names(&mut self, function: FuncId) -> &Names<'a> {
        let code = self.code;
        self.names.entry(function).or_insert_with(|| Names::of(code.module_of(function), code.model(function)))
    }

    /// Follows everything through `trace`, which ends where the last one began (or at the start of the walk). What was
    /// defined before it stays for the next, earlier trace, if it is not the `first` of the run.
    pub fn through(&mut self, trace: &mut Trace, first: bool) {
        let mut earlier = Queue::default();
        self.traces += 1;
        self.followed.clear();
        self.moved.clear();
        while let Some(pending) = self.pending.pop() {
            if self.causes.len() >= self.most {
                return;
            }
            // A value of an earlier trace is nearer than why another one stayed as it was.
            if pending.kept.is_some() && !first && earlier.has_values() {
                continue;
            }
            if pending.is_earlier_than(self.traces) {
                earlier.push(pending);
                continue;
            }
            let node = match pending.target {
                Target::Node(node) => node,
                // More than a word can come from several statements.
                Target::Before(Before::Memory(address, size))
                    if size > 8 || matches!(pending.value, Known::Text(_)) =>
                {
                    for source in trace.writers(address, size.into()).into_iter().rev() {
                        match source {
                            Source::Before(_) => earlier.push(Pending { target: source.into(), ..pending.clone() }),
                            Source::Node(_) => {
                                self.pending.push_first(Pending { target: source.into(), ..pending.clone() });
                            }
                        }
                    }
                    continue;
                }
                Target::Before(before) => {
                    let node = trace.find(before);
                    if let Before::Memory(address, size) = before {
                        self.kept(trace, (address, size.into()), (node, NodeId::MAX), &pending);
                    }
                    node
                }
            };
            match node {
                BEFORE => earlier.push(pending),
                INITIAL => self.initial(pending),
                _ => self.step(trace, node, pending),
            }
        }
        self.pending = earlier;
    }

    /// What is left was there before the first instruction.
    pub fn finish(&mut self) {
        while let Some(pending) = self.pending.pop() {
            if self.causes.len() < self.most {
                self.initial(pending);
            }
        }
    }

    fn initial(&mut self, pending: Pending) {
        let Some(name) = &pending.name else { return };
        if pending.kind == Dependence::Control || name.text.parse::<u64>().is_ok() {
            return;
        }
        let cause = Cause {
            position: None,
            variable: name.text.clone(),
            value: if pending.unknown {
                "(not kept)".into()
            } else {
                self.text(pending.function, name.ty, &pending.value)
            },
            kind: Dependence::Input,
            note: Some("its value from the start".into()),
            condition: None,
            is_branch: false,
            tested: None,
            from: pending.from,
            thread: 0,
            when: None,
        };
        let known = self.causes.iter().any(|c| c.position.is_none() && c.variable == cause.variable);
        if !known {
            self.causes.push(cause);
        }
    }

    /// File and line.
    fn source_line(&self, function: FuncId, pc: u32) -> (u32, u32) {
        let loc = self.code.model(function).loc(pc as usize);
        (loc.file, loc.line)
    }

    /// The position of a node; the moves on an edge stand for the assignment in the block that they leave.
    fn position(&self, trace: &Trace, node: NodeId) -> Position {
        let node = trace.node(node);
        let mut position = self.code.position(node.function, node.pc);
        let model = self.code.model(node.function);
        if let Some(edge) = edge_at(model, node.pc).map(|edge| &model.blocks[edge])
            && let Op::Copy { a, .. } = model.code[node.pc as usize]
            && let Some(source) = model.blocks.iter().find(|block| !block.edge && block.source == edge.source)
        {
            let assigned = model.debug_values.iter().rev().find(|value| {
                (source.start..source.end).contains(&value.pc) && (value.value == Some(a) || a.is_const())
            });
            let pc = assigned.map_or(source.end.saturating_sub(1), |value| value.pc.min(source.end - 1));
            let loc = model.loc(pc as usize);
            if loc.line != 0 {
                position = self.code.position(node.function, pc);
            }
        }
        position
    }

    fn step(&mut self, trace: &Trace, id: NodeId, pending: Pending) {
        let node = trace.node(id);
        let model = self.code.model(node.function);
        let op = &model.code[node.pc as usize];
        let Some(mut pending) = self.past_move(trace, id, pending) else { return };
        if self.is_within_call(&node, &pending) || condition::is_check(self.code, node.function, node.pc) {
            return self.control(&node, pending.from);
        }
        if self.is_later(&node, &pending) {
            return self.pending.push(Pending { rank: Rank::Call, ..pending });
        }
        self.own_names(&node, op, &mut pending);
        if self.says_nothing(&node, op, &pending) {
            if self.followed.insert(id) {
                self.silently(trace, id, pending.rank, &pending);
            }
            return;
        }
        let executions = self.executions.get(&(node.function, node.pc)).copied().unwrap_or_default();
        let is_repeated = executions >= TOLD;
        let told_by = pending.from.filter(|_| is_repeated).unwrap_or(self.causes.len());
        if self.is_told(trace, id, &pending, told_by) {
            return;
        }
        self.executions.insert((node.function, node.pc), executions + 1);
        if is_repeated {
            if self.silent < GONE_THROUGH {
                self.silent += 1;
                self.silently(trace, id, Rank::Again, &pending);
            }
            return;
        }
        self.tell(trace, id, pending);
    }

    /// What is to be followed where an execution is no plain move. Of one that is, which says nothing new, what it moves is queued, under the
    /// name asked for.
    fn past_move(&mut self, trace: &Trace, id: NodeId, pending: Pending) -> Option<Pending> {
        let node = trace.node(id);
        let model = self.code.model(node.function);
        let op = &model.code[node.pc as usize];
        let moved = match *op {
            Op::Copy { a, .. } | Op::Return { a, .. } if node.kind == NodeKind::Operation => {
                a.word(node.address as u32)
            }
            _ => return Some(pending),
        };
        if moved.is_const() || self.is_assigned(&node, moved) {
            return Some(pending);
        }
        if !self.moved.insert(id) {
            return None;
        }
        let target = match node.data[0] {
            BEFORE => Target::Before(trace.before(id, 0, op)?),
            other => Target::Node(other),
        };
        self.kept_on_edge(trace, &node, &pending);
        let seen = self.traces;
        if let Op::Return { .. } = op {
            // In the function it goes by another name, or none.
            let name = self.name(node.function, node.pc, moved);
            let is_truth = matches!(model.ret[..], [Scalar::Int(1)]);
            let returned = Some((model.source_name.as_ref().unwrap_or(&model.name).clone(), is_truth));
            let (value, unknown) = (Known::Word(node.value), false);
            let function = node.function;
            // What it is called where it was returned to says what type it has.
            let same_module = std::ptr::eq(self.code.module_of(pending.function), self.code.module_of(function));
            let ty = pending.name.as_ref().map_or(pending.ty, |name| name.ty);
            let ty = if same_module { ty } else { NO_TYPE };
            self.pending.push_first(Pending { target, name, ty, seen, returned, value, unknown, function, ..pending });
            return None;
        }
        // What was passed goes by the parameter's name.
        let passed = matches!(target, Target::Node(from) if from > INITIAL && trace.node(from).kind == NodeKind::Call);
        let parameter = passed.then(|| self.names(node.function).variable(moved.index())).flatten();
        let name = parameter.or(pending.name);
        self.pending.push_first(Pending { target, name, seen, ..pending });
        None
    }

    /// Whether a move on an edge is an assignment of a variable in the block that it leaves, of what was computed elsewhere: `a = b`.
    fn is_assigned(&self, node: &Node, moved: Opnd) -> bool {
        let model = self.code.model(node.function);
        let Some(edge) = edge_at(model, node.pc).map(|edge| &model.blocks[edge]) else { return false };
        let Some(source) = model.blocks.iter().find(|block| !block.edge && block.source == edge.source) else {
            return false;
        };
        let here = source.start..source.end;
        let computes =
            |pc: u32| defined(model, &model.code[pc as usize]).is_some_and(|(slot, _)| Opnd::slot(slot) == moved);
        model.debug_values.iter().any(|value| here.contains(&value.pc) && value.value == Some(moved))
            && !here.clone().any(computes)
    }

    /// Whether what let a function run can wait: why it was called is asked when the function itself has told what it can. A call out of code
    /// of a library is what tells of that.
    fn is_later(&self, node: &Node, pending: &Pending) -> bool {
        let from = pending.from.and_then(|from| self.causes.get(from)?.position.as_ref());
        pending.kind == Dependence::Control
            && pending.rank == Rank::Value
            && node.kind == NodeKind::Call
            && (!from.is_some_and(Position::in_library) || self.code.position(node.function, node.pc).in_library())
    }

    /// Names that a library has for what is passed to it are not those of who passes it; what is stored or computed goes by the name of the
    /// variable that gets it where nothing else has named it.
    fn own_names(&mut self, node: &Node, op: &Op, pending: &mut Pending) {
        if pending.function != node.function
            && node.kind != NodeKind::Store
            && self.is_of_library(pending.function)
            && !self.code.position(node.function, node.pc).in_library()
        {
            pending.ty = pending.name.take().map_or(pending.ty, |name| name.ty);
        }
        if pending.name.is_none() && pending.kind == Dependence::Data {
            pending.name = match *op {
                Op::Store { addr, .. } => self.names(node.function).place(node.pc, addr),
                _ if node.kind == NodeKind::Operation => self.names(node.function).assigned(node.pc),
                _ => None,
            };
            if pending.name.is_some() {
                pending.function = node.function;
            }
        }
    }

    /// Whether a function is defined in a file of a library.
    pub(super) fn is_of_library(&self, function: FuncId) -> bool {
        let file = self.code.model(function).loc.map(|loc| loc.file as usize);
        let path = file.and_then(|file| self.code.module_of(function).files.get(file));
        path.is_some_and(|path| paths::is_library(path) || paths::is_framework(path))
    }

    /// Whether there is nothing to tell of a step: the program was started from outside, a block was allocated somewhere in a library, an
    /// address was computed or a constant passed that have no name.
    fn says_nothing(&self, node: &Node, op: &Op, pending: &Pending) -> bool {
        let is_library = || self.code.position(node.function, node.pc).in_library();
        let data = pending.kind == Dependence::Data;
        match node.kind {
            NodeKind::External if !data => is_library(),
            NodeKind::External => self.allocates(node) && (pending.name.is_none() || is_library()),
            NodeKind::Call => data && pending.name.is_none(),
            NodeKind::Operation if data && pending.name.is_none() => matches!(
                op,
                Op::StackAddr { .. }
                    | Op::PtrAdd { .. }
                    | Op::PtrIndex { .. }
                    | Op::Alloca { .. }
                    | Op::ThreadLocal { .. }
            ),
            _ => false,
        }
    }

    /// Queues what led to an execution that is not told itself.
    fn silently(&mut self, trace: &Trace, id: NodeId, rank: Rank, pending: &Pending) {
        let node = trace.node(id);
        if pending.kind == Dependence::Data {
            self.sources(trace, id, (pending.from, rank), (pending.function, NO_TYPE, node.value));
        }
        if rank == Rank::Again {
            self.control_of(&node, pending.from, rank);
        }
    }

    /// Adds a step, and queues what led to it.
    fn tell(&mut self, trace: &Trace, id: NodeId, pending: Pending) {
        let node = trace.node(id);
        let model = self.code.model(node.function);
        let op = &model.code[node.pc as usize];
        let (kind, note) = self.kind(trace, id, &pending);
        let variable = match (&pending.name, pending.kind) {
            (_, Dependence::Control) if matches!(op, Op::Branch { .. }) => "condition".to_string(),
            (_, Dependence::Control) if matches!(op, Op::Switch { .. }) => "switch".to_string(),
            (Some(name), _) => name.text.clone(),
            (None, _) => String::new(),
        };
        let switched = match *op {
            Op::Switch { value, .. } => self.names(node.function).value(node.pc, value),
            _ => None,
        };
        let module = self.code.module_of(node.function);
        let is_number = |named: &Named| named.ty != NO_TYPE && !value::is_aggregate(module, named.ty);
        let switched = switched.filter(is_number);
        let ty = pending.name.as_ref().map(|name| name.ty).filter(|ty| *ty != NO_TYPE).unwrap_or(pending.ty);
        let value = self.value(&node, &pending, ty, switched.as_ref());
        let code = self.code;
        let tested = condition::tested(code, self.names(node.function), node.function, node.pc);
        self.causes.push(Cause {
            position: Some(self.position(trace, id)),
            variable,
            value,
            kind,
            note,
            condition: switched.map(|named| named.text),
            is_branch: matches!(op, Op::Branch { .. }),
            tested: tested.map(|tested| (tested, node.value != 0)),
            from: pending.from,
            thread: node.thread,
            when: Some(When { instruction: node.instruction, function: node.function, pc: node.pc }),
        });
        let from = Some(self.causes.len() - 1);
        if kind != Dependence::Input {
            self.sources(trace, id, (from, Rank::Value), (pending.function, ty, pending.value.word()));
        }
        self.control(&node, from);
    }

    /// Whether the execution of a statement that a node belongs to was told; if not it counts as told now, by this cause. Of another value that it made
    /// what it is from is queued.
    fn is_told(&mut self, trace: &Trace, id: NodeId, pending: &Pending, told_by: usize) -> bool {
        let node = trace.node(id);
        let line = self.source_line(node.function, node.pc);
        let is_new = self.followed.insert(id);
        // Executions of one line in one frame are told apart by what controls them.
        let statement = (self.traces, node.function, line, node.base, if line.1 == 0 { node.pc } else { node.control });
        let Some(&told) = self.told.get(&statement) else {
            self.told.insert(statement, told_by);
            return false;
        };
        if is_new && pending.kind == Dependence::Data {
            self.sources(trace, id, (Some(told), pending.rank), (pending.function, NO_TYPE, node.value));
        }
        true
    }

    /// Queues what let a node run.
    fn control(&mut self, node: &Node, from: Option<usize>) {
        self.control_of(node, from, Rank::Value);
    }

    fn control_of(&mut self, node: &Node, from: Option<usize>, rank: Rank) {
        let &Node { function, base, pc, .. } = node;
        let target = match node.control {
            INITIAL => return,
            BEFORE => Target::Before(Before::Control { base, function, pc }),
            control => Target::Node(control),
        };
        let (kind, seen) = (Dependence::Control, self.traces);
        self.pending.push(Pending { kind, seen, rank, ..Pending::data(target, None, function, Known::Word(0), from) });
    }

    /// Whether a branch that let a function's own code run belongs to a call in whose place other code stands: that the call
    /// came back is nothing to tell.
    fn is_within_call(&self, node: &Node, pending: &Pending) -> bool {
        let model = self.code.model(node.function);
        let position = pending.from.and_then(|from| self.causes.get(from)?.position.as_ref());
        pending.kind == Dependence::Control
            && pending.function == node.function
            && !model.is_own(node.pc as usize)
            && position.is_some_and(|position| model.inlined(position.loc).is_none())
    }
}
