//! The walk back through a trace: from a value to the statements, conditions and inputs that it comes from.

mod cause;
mod pending;
mod words;

use std::collections::{HashMap, HashSet, VecDeque};

use whydunit_model::{NO_TYPE, Op, Opnd, TypeId};
use whydunit_replay::{Code, FuncId, Position};

use crate::access::{Named, Names};
use crate::condition;
use crate::nodes::{BEFORE, INITIAL, Node, NodeId, NodeKind};
use crate::trace::inputs::{Input, Source};
use crate::trace::{Before, Trace};
use crate::value::{self, Known, ReadBytes};

pub use cause::{Cause, Dependence, When};
use pending::{Pending, Target};
use words::{read_by, signed, unnamed};

/// Formats without memory: the memory at a step's time is gone.
struct NoMemory;
impl ReadBytes for NoMemory {
    fn read(&self, _: u64, _: usize) -> Option<Vec<u8>> {
        None
    }
}

/// The execution of a statement: the trace, the function, file and line, the frame, and what controls it.
type Executed = (u32, FuncId, (u32, u32), u32, u32);

/// Causes found so far, and what is still to be followed.
pub struct Walk<'a> {
    code: &'a Code,
    causes: Vec<Cause>,
    pending: VecDeque<Pending>,
    /// Pointers that values were found through: followed when nothing else is left.
    pointers: VecDeque<Pending>,
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
    most: usize,
}

impl<'a> Walk<'a> {
    /// A walk of at most `most` steps.
    pub fn new(code: &'a Code, most: usize) -> Self {
        Self {
            code,
            causes: Vec::new(),
            pending: VecDeque::new(),
            pointers: VecDeque::new(),
            names: HashMap::new(),
            traces: 0,
            told: HashMap::new(),
            followed: HashSet::new(),
            moved: HashSet::new(),
            most,
        }
    }

    /// Starts from a place that was defined in the trace to come, or before.
    pub fn start(&mut self, target: Before, name: Named, function: FuncId, value: Known, from: Option<usize>) {
        self.pending.push_back(Pending::data(Target::Before(target), Some(name), function, value, from));
    }

    /// The name of an operand of operation `pc` of a function; `None` where it has none.
    pub fn name(&mut self, function: FuncId, pc: u32, operand: Opnd) -> Option<Named> {
        self.names(function).value(pc, operand).filter(|named| named.ty != NO_TYPE)
    }

    /// Starts from what decided that an operation ran, or did not.
    pub fn start_control(&mut self, target: Before, function: FuncId, from: usize) {
        let (target, value, from) = (Target::Before(target), Known::Word(0), Some(from));
        let (kind, name) = (Dependence::Control, None);
        self.pending.push_back(Pending { kind, ..Pending::data(target, name, function, value, from) });
    }

    /// Adds a first cause that stands for itself.
    pub fn note(&mut self, cause: Cause) -> usize {
        self.causes.push(cause);
        self.causes.len() - 1
    }

    /// Whether nothing is left to follow, or the bound is reached.
    pub fn is_done(&self) -> bool {
        self.pending.is_empty() && self.pointers.is_empty() || self.causes.len() >= self.most
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
    /// defined before it stays for the next, earlier trace.
    pub fn through(&mut self, trace: &mut Trace) {
        let mut earlier = VecDeque::new();
        self.traces += 1;
        self.followed.clear();
        self.moved.clear();
        while let Some(pending) = self.pending.pop_front().or_else(|| self.pointers.pop_front()) {
            if self.causes.len() >= self.most {
                return;
            }
            if pending.is_earlier_than(self.traces) {
                earlier.push_back(pending);
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
                            Source::Before(_) => {
                                earlier.push_back(Pending { target: source.into(), ..pending.clone() })
                            }
                            Source::Node(_) => {
                                self.pending.push_front(Pending { target: source.into(), ..pending.clone() });
                            }
                        }
                    }
                    continue;
                }
                Target::Before(before) => trace.find(before),
            };
            match node {
                BEFORE => earlier.push_back(pending),
                INITIAL => self.initial(pending),
                _ => self.step(trace, node, pending),
            }
        }
        self.pending = earlier;
    }

    /// What is left was there before the first instruction.
    pub fn finish(&mut self) {
        while let Some(pending) = self.pending.pop_front().or_else(|| self.pointers.pop_front()) {
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

    fn text(&self, function: FuncId, ty: TypeId, value: &Known) -> String {
        let module = self.code.module_of(function);
        let (bytes, size) = match value {
            Known::Text(text) => return value::quoted(text),
            Known::Word(word) => (&word.to_le_bytes()[..], value::size_of(module, ty)),
            Known::Bytes(bytes) => (&bytes[..], value::size_of(module, ty)),
        };
        if ty == NO_TYPE {
            return (value.word() as i64).to_string();
        }
        if size > bytes.len() as u64 {
            // A structure is more than the word that was followed.
            let aggregate = value::is_aggregate(module, ty);
            return if aggregate { format!("{:#x}", value.word()) } else { "(not kept)".into() };
        }
        value::format(module, ty, &bytes[..size.max(1) as usize], &NoMemory)
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
        let block = model.blocks.iter().find(|block| (block.start..block.end).contains(&node.pc));
        if let Some(edge) = block.filter(|block| block.edge)
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
        // A plain move says nothing new: go on to what it moves, under the name asked for.
        if let Op::Copy { a, n: 1, .. } = op
            && !a.is_const()
            && node.kind == NodeKind::Operation
        {
            if !self.moved.insert(id) {
                return;
            }
            let target = match node.data[0] {
                BEFORE => match trace.before(id, 0, op) {
                    Some(before) => Target::Before(before),
                    None => return,
                },
                other => Target::Node(other),
            };
            // What was passed goes by the parameter's name.
            let passed =
                matches!(target, Target::Node(from) if from > INITIAL && trace.node(from).kind == NodeKind::Call);
            let parameter = passed.then(|| self.names(node.function).variable(a.index())).flatten();
            let name = parameter.or(pending.name);
            self.pending.push_front(Pending { target, name, seen: self.traces, ..pending });
            return;
        }
        if self.is_within_call(&node, &pending) || condition::is_check(self.code, node.function, node.pc) {
            return self.control(&node, pending.from);
        }
        if self.is_told(trace, id, &pending) {
            return;
        }
        let (kind, note) = self.kind(trace, id, pending.kind);
        let name = pending.name.clone().or_else(|| self.own_name(node.function, node.pc, op));
        let variable = match (&name, pending.kind) {
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
        let ty = name.as_ref().map(|name| name.ty).filter(|ty| *ty != NO_TYPE).unwrap_or(pending.ty);
        let value = self.value(&node, &pending, ty, switched.as_ref());
        let position = Some(self.position(trace, id));
        let thread = node.thread;
        let code = self.code;
        let tested = condition::tested(code, self.names(node.function), node.function, node.pc);
        let tested = tested.map(|tested| (tested, node.value != 0));
        let is_branch = matches!(op, Op::Branch { .. });
        let condition = switched.map(|named| named.text);
        let when = Some(When { instruction: node.instruction, function: node.function, pc: node.pc });
        let from = pending.from;
        self.causes.push(Cause {
            position,
            variable,
            value,
            kind,
            note,
            condition,
            is_branch,
            tested,
            from,
            thread,
            when,
        });
        let from = Some(self.causes.len() - 1);
        if kind != Dependence::Input {
            self.sources(trace, id, from, (pending.function, ty, pending.value.word()));
        }
        self.control(&node, from);
    }

    /// The value of a node as text, in a type; of a `switch` what it decides by.
    fn value(&mut self, node: &Node, pending: &Pending, ty: TypeId, switched: Option<&Named>) -> String {
        let model = self.code.model(node.function);
        let op = &model.code[node.pc as usize];
        match op {
            Op::Branch { .. } => if node.value != 0 { "true" } else { "false" }.to_string(),
            Op::Switch { w, .. } => match switched {
                Some(named) => self.text(node.function, named.ty, &Known::Word(node.value)),
                None => signed(node.value, *w).to_string(),
            },
            _ if node.kind == NodeKind::Call => self.passed(node, pending).unwrap_or_default(),
            _ => {
                let own = Known::Word(node.value);
                let value = if pending.kind == Dependence::Data && !pending.unknown { &pending.value } else { &own };
                match (ty, value) {
                    (NO_TYPE, Known::Word(value)) => unnamed(model, op, *value),
                    (ty, value) => self.text(pending.function, ty, value),
                }
            }
        }
    }

    /// Whether the execution of a statement that a node belongs to was told; if not it counts as told now. Of another value that it made
    /// what it is from is queued.
    fn is_told(&mut self, trace: &Trace, id: NodeId, pending: &Pending) -> bool {
        let node = trace.node(id);
        let line = self.source_line(node.function, node.pc);
        let is_new = self.followed.insert(id);
        // Executions of one line in one frame are told apart by what controls them.
        let statement = (self.traces, node.function, line, node.base, if line.1 == 0 { node.pc } else { node.control });
        let Some(&told) = self.told.get(&statement) else {
            self.told.insert(statement, self.causes.len());
            return false;
        };
        if is_new && pending.kind == Dependence::Data {
            self.sources(trace, id, Some(told), (pending.function, NO_TYPE, node.value));
        }
        true
    }

    /// Queues what let a node run.
    fn control(&mut self, node: &Node, from: Option<usize>) {
        let &Node { function, base, pc, .. } = node;
        let target = match node.control {
            INITIAL => return,
            BEFORE => Target::Before(Before::Control { base, function, pc }),
            control => Target::Node(control),
        };
        self.pending.push_back(Pending {
            target,
            name: None,
            function,
            value: Known::Word(0),
            kind: Dependence::Control,
            from,
            ty: NO_TYPE,
            unknown: false,
            seen: self.traces,
        });
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

    fn own_name(&mut self, function: FuncId, pc: u32, op: &Op) -> Option<Named> {
        match *op {
            Op::Store { addr, .. } => self.names(function).place(pc, addr),
            _ => None,
        }
    }

    /// The constant that a call passes as the parameter asked for.
    fn passed(&mut self, node: &Node, pending: &Pending) -> Option<String> {
        let name = pending.name.as_ref()?;
        let parameters = &self.code.model(pending.function).params;
        let named = |slot: u32| self.names.get(&pending.function).and_then(|names| names.variable(slot));
        let index = parameters.iter().position(|param| named(param.slot).as_ref() == Some(name))?;
        let Op::Call { call } = self.code.model(node.function).code[node.pc as usize] else { return None };
        let operand = self.code.model(node.function).calls[call as usize].args.get(index)?.value;
        let value = *self.code.consts(node.function).get(operand.index() as usize).filter(|_| operand.is_const())?;
        Some(self.text(pending.function, name.ty, &Known::Word(value)))
    }

    /// The name of the function that a node calls.
    fn called(&self, node: &Node) -> String {
        let model = self.code.model(node.function);
        if let Op::Call { call } = &model.code[node.pc as usize]
            && let whydunit_model::Callee::Direct(callee) = model.calls[*call as usize].callee
            && let Some(function) = self.code.module_of(node.function).functions.get(callee as usize)
        {
            return function.name.clone();
        }
        "external code".into()
    }

    fn kind(&self, trace: &Trace, id: NodeId, kind: Dependence) -> (Dependence, Option<String>) {
        let node = trace.node(id);
        match node.kind {
            NodeKind::External => {
                let name = self.called(&node);
                match trace.inputs(id) {
                    Some(inputs) => (kind, Some(read_by(&name, inputs))),
                    None => (Dependence::Input, Some(format!("from {name}"))),
                }
            }
            NodeKind::Found => (Dependence::Input, Some(self.changed(trace, id))),
            NodeKind::Call if kind == Dependence::Control => (kind, Some("called from here".into())),
            NodeKind::Call => (kind, Some("passed as argument".into())),
            _ => (kind, None),
        }
    }

    /// What can have changed memory where no captured code did.
    fn changed(&self, trace: &Trace, id: NodeId) -> String {
        let mut names: Vec<String> = Vec::new();
        for &call in trace.changers(id) {
            let name = self.called(&trace.node(call));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        words::changed_by(&names)
    }

    /// Queues what a statement read: its operands through the operations of the same line, up to loads and results of
    /// other lines. Its own value is `whole`, of a type of a function's module.
    fn sources(&mut self, trace: &Trace, id: NodeId, from: Option<usize>, (of, ty, whole): (FuncId, TypeId, u64)) {
        let first = trace.node(id);
        let line = self.source_line(first.function, first.pc);
        let mut work = vec![(id, false)];
        let mut visited = HashSet::new();
        let (mut leaves, mut pointers) = (Vec::new(), Vec::new());
        while let Some((current, within_address)) = work.pop() {
            if !visited.insert(current) || visited.len() > 256 {
                continue;
            }
            let node = trace.node(current);
            let op = &self.code.model(node.function).code[node.pc as usize];
            if let Some(inputs) = trace.inputs(current) {
                for input in inputs {
                    let pending = self.input(&node, input, from);
                    if within_address || input.address { pointers.push(pending) } else { leaves.push(pending) }
                }
                if current != id
                    && node.kind == NodeKind::External
                    && let Some(cause) = from.and_then(|from| self.causes.get(from))
                    && cause.note.is_none()
                {
                    let note = read_by(&self.called(&node), inputs);
                    if let Some(cause) = from.and_then(|from| self.causes.get_mut(from)) {
                        cause.note = Some(note);
                    }
                }
                continue;
            }
            for which in 0..2 {
                let dependence = node.data[which];
                if dependence == INITIAL && !(which == 0 && matches!(op, Op::Load { .. })) {
                    continue;
                }
                let same = dependence > INITIAL && {
                    let other = trace.node(dependence);
                    other.function == first.function
                        && other.base == first.base
                        && self.source_line(other.function, other.pc) == line
                        && (!matches!(other.kind, NodeKind::Call | NodeKind::External)
                            || trace.inputs(dependence).is_some())
                        && !(matches!(op, Op::Load { .. }) && which == 0)
                };
                let address = within_address || is_address(op, which);
                if same {
                    work.push((dependence, address));
                    continue;
                }
                let (name, value) = self.operand_name(&node, op, which);
                let target = if dependence == BEFORE {
                    match trace.before(current, which, op) {
                        Some(before) => Target::Before(before),
                        None => continue,
                    }
                } else {
                    Target::Node(dependence)
                };
                let value = value.or_else(|| (dependence > INITIAL).then(|| trace.node(dependence).value));
                let function = node.function;
                // What is passed on as it is has the type that it gets.
                let same_module = std::ptr::eq(self.code.module_of(of), self.code.module_of(function));
                let is_untyped = name.as_ref().is_none_or(|name: &Named| name.ty == NO_TYPE);
                let passed_on = if is_untyped && value == Some(whole) && same_module { ty } else { NO_TYPE };
                let (value, unknown) = (Known::Word(value.unwrap_or(0)), value.is_none());
                let (kind, ty, seen) = (Dependence::Data, passed_on, self.traces);
                let pending = Pending { target, name, function, value, kind, from, ty, unknown, seen };
                if address { pointers.push(pending) } else { leaves.push(pending) }
            }
        }
        // Values before the addresses that they were found through.
        leaves.reverse();
        leaves.sort_by_key(|leaf| leaf.name.is_none());
        self.pending.extend(leaves);
        // A pointer without a name says nothing to a person.
        self.pointers.extend(pointers.into_iter().filter(|pending| pending.name.is_some()));
    }

    /// Something that a call of a library function read.
    fn input(&mut self, node: &Node, input: &Input, from: Option<usize>) -> Pending {
        let names = self.names(node.function);
        let name = input.operand.and_then(|operand| {
            if !input.content {
                return names.value(node.pc, operand);
            }
            // The text at `p` goes by the name of `p`, that at `a[0]` by that of `a`.
            let place = names.place(node.pc, operand)?;
            let text = place.text.strip_prefix('*').unwrap_or(&place.text);
            Some(Named { text: text.strip_suffix("[0]").unwrap_or(text).to_owned(), ty: place.ty })
        });
        let (function, value) = (node.function, input.value.clone());
        Pending { seen: self.traces, ..Pending::data(input.source.into(), name, function, value, from) }
    }

    fn operand_name(&mut self, node: &crate::nodes::Node, op: &Op, which: usize) -> (Option<Named>, Option<u64>) {
        let names = self.names(node.function);
        let pc = node.pc;
        let of = |operand: Opnd| names.value(pc, operand);
        match *op {
            Op::Load { addr, .. } if which == 0 => (names.place(pc, addr), Some(node.value)),
            Op::Load { addr, .. } => (of(addr), Some(node.address)),
            Op::Store { value, .. } if which == 0 => (of(value), Some(node.value)),
            Op::Store { addr, .. } => (of(addr), Some(node.address)),
            Op::Int { a, b, .. } | Op::ICmp { a, b, .. } | Op::Float { a, b, .. } | Op::FCmp { a, b, .. } => {
                let first = if a.is_const() { b } else { a };
                (of(if which == 0 { first } else { b }), None)
            }
            Op::PtrIndex { base, index, .. } => (of(if which == 0 && !index.is_const() { index } else { base }), None),
            Op::Copy { a, .. } | Op::ZExt { a, .. } | Op::SExt { a, .. } | Op::Trunc { a, .. } => (of(a), None),
            Op::PtrAdd { base, .. } => (of(base), None),
            Op::Branch { cond, .. } => (of(cond), None),
            Op::Switch { value, .. } => (of(value), None),
            _ => (None, None),
        }
    }
}

/// Whether an operand says only where a value was found, not what it is.
fn is_address(op: &Op, which: usize) -> bool {
    match op {
        Op::Load { .. } | Op::Store { .. } => which == 1,
        Op::PtrAdd { .. } => true,
        Op::PtrIndex { index, .. } => which == 1 || index.is_const(),
        _ => false,
    }
}
