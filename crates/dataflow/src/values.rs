//! The values of functions as nodes of the engine: what each operation makes of pointers.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use whydunit_model::{AtomicOp, Const, ConstExpr, Function, IntOp, IntUnary, Op, Opnd, Scalar, Symbol};

use crate::callgraph::{CallGraph, CallSite, call_places};
use crate::context::{Context, Contexts};
use crate::definitions::Definitions;
use crate::library::Library;
use crate::object::Object;
use crate::offset::{Offset, TO_THE_END};
use crate::program::{FunctionId, GlobalId, Program};
use crate::solver::{Node, Place, Solver, Source, Step, Watcher};

/// What an analysis works on.
#[derive(Clone, Copy)]
pub struct Subject<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its call graph.
    pub graph: &'p CallGraph,
    /// What is known of other functions.
    pub library: &'p dyn Library,
}

/// An operand as an operation reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value {
    pub context: Context,
    pub function: FunctionId,
    pub pc: u32,
    pub operand: Opnd,
}

/// What has a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Constant(FunctionId, u32),
    /// A word of the result of an operation.
    Definition(Context, FunctionId, u32, u32),
    /// What several operations may have written to a slot.
    Slot(Context, FunctionId, u32),
    /// A word of a parameter.
    Parameter(Context, FunctionId, u32, u32),
    /// A word of a function's result.
    Result(Context, FunctionId, u32),
}

/// A call through a pointer got something to call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Called {
    pub context: Context,
    pub site: CallSite,
}

/// What is kept of a function.
pub(crate) struct Facts {
    pub definitions: Definitions,
    pub calls: FxHashMap<u32, u32>,
}

/// What calls and memory mean: of a whole program, or of one function beside what is known of others.
pub(crate) trait Scope {
    /// How the memory of objects behaves.
    fn place(object: Object) -> Place;
    /// A word of a parameter gets what it is given.
    fn parameter(values: &mut Values<'_, Self>, at: (Context, FunctionId), index: u32, word: u32, node: Node)
    where
        Self: Sized;
    /// A word of what a call returns.
    fn called(values: &mut Values<'_, Self>, context: Context, site: CallSite, word: u32, node: Node)
    where
        Self: Sized;
    /// An object's memory is looked at for the first time.
    fn touched(values: &mut Values<'_, Self>, object: Object)
    where
        Self: Sized;
    /// Code outside the program gets to know a function.
    fn exposed(values: &mut Values<'_, Self>, function: FunctionId)
    where
        Self: Sized;
    /// Something to call came to a call through a pointer.
    fn tell(values: &mut Values<'_, Self>, called: Called, object: Object)
    where
        Self: Sized;
}

/// Nodes for values, made where they are asked for.
pub(crate) struct Values<'p, S> {
    pub subject: Subject<'p>,
    pub solver: Solver<Value, Called>,
    pub scope: S,
    pub contexts: Contexts,
    nodes: FxHashMap<Key, Node>,
    pending: Vec<(Key, Node)>,
    facts: FxHashMap<FunctionId, Rc<Facts>>,
}

impl<'p, S: Scope> Values<'p, S> {
    /// No values yet.
    pub fn new(subject: Subject<'p>, scope: S, depth: usize) -> Self {
        Self {
            subject,
            solver: Solver::new(S::place),
            scope,
            contexts: Contexts::new(depth),
            nodes: FxHashMap::default(),
            pending: Vec::new(),
            facts: FxHashMap::default(),
        }
    }

    /// Works until nothing is left to do; false where that takes more than `work`.
    pub fn run(&mut self, work: u64) -> bool {
        loop {
            if self.solver.work > work {
                return false;
            }
            if let Some((key, node)) = self.pending.pop() {
                self.generate(key, node);
                continue;
            }
            match self.solver.step() {
                None => return true,
                Some(Step::Value(value, to, shift)) => {
                    let node = self.value(value);
                    self.solver.edge(node, to, shift);
                }
                Some(Step::Touch(object)) => S::touched(self, object),
                Some(Step::ExposedFunction(Object::Function(id))) => S::exposed(self, id),
                Some(Step::ExposedFunction(_)) => {}
                Some(Step::Tell(called, object)) => S::tell(self, called, object),
            }
        }
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &'p Function {
        self.subject.program.function(id)
    }

    /// What is kept of a function.
    pub fn facts(&mut self, id: FunctionId) -> Rc<Facts> {
        let function = self.function(id);
        let make = || Rc::new(Facts { definitions: Definitions::of(function), calls: call_places(function) });
        Rc::clone(self.facts.entry(id).or_insert_with(make))
    }

    /// The operation that makes a call.
    pub fn place_of(&mut self, site: CallSite) -> Option<u32> {
        self.facts(site.caller).calls.get(&site.call).copied()
    }

    /// The node of something.
    pub fn key(&mut self, key: Key) -> Node {
        if let Some(&known) = self.nodes.get(&key) {
            return known;
        }
        let node = self.solver.node();
        self.nodes.insert(key, node);
        self.pending.push((key, node));
        node
    }

    /// The node of an operand.
    pub fn value(&mut self, Value { context, function, pc, operand }: Value) -> Node {
        if operand.is_const() {
            return self.key(Key::Constant(function, operand.index()));
        }
        let slot = operand.index();
        let facts = self.facts(function);
        match facts.definitions.reaching(pc, slot) {
            &[(at, word)] if !self.is_parameter(function, slot) => {
                self.key(Key::Definition(context, function, at, word))
            }
            _ => self.key(Key::Slot(context, function, slot)),
        }
    }

    fn is_parameter(&self, function: FunctionId, slot: u32) -> bool {
        self.parameter_at(function, slot).is_some()
    }

    /// The parameter that a slot holds, and the word of it.
    fn parameter_at(&self, function: FunctionId, slot: u32) -> Option<(u32, u32)> {
        (0..).zip(&self.function(function).params).find_map(|(index, param)| {
            let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
            (param.slot..param.slot + words).contains(&slot).then(|| (index, slot - param.slot))
        })
    }

    /// The node of a word of an argument; `None` for one that the call does not have.
    pub fn argument(&mut self, context: Context, site: CallSite, index: u32, word: u32) -> Option<Node> {
        let function = self.function(site.caller);
        let argument = function.calls[site.call as usize].args.get(index as usize)?;
        let words: u32 = argument.leaves.iter().map(|leaf| leaf.slots()).sum();
        let operand = (word < words).then(|| argument.value.word(word))?;
        let pc = self.place_of(site)?;
        Some(self.value(Value { context, function: site.caller, pc, operand }))
    }

    /// All words of all arguments from number `from` on.
    pub fn arguments(&mut self, context: Context, site: CallSite, from: u32) -> Vec<Node> {
        let count = self.function(site.caller).calls[site.call as usize].args.len() as u32;
        let mut nodes = Vec::new();
        for index in from..count {
            for word in 0.. {
                match self.argument(context, site, index, word) {
                    Some(node) => nodes.push(node),
                    None => break,
                }
            }
        }
        nodes
    }

    fn generate(&mut self, key: Key, node: Node) {
        match key {
            Key::Constant(function, index) => {
                let module = self.subject.program.module_of(function);
                let value = self.function(function).consts.get(index as usize).cloned();
                if let Some(value) = value {
                    self.constant(module, &value, node, Offset::START);
                }
            }
            Key::Slot(context, function, slot) => {
                if let Some((index, word)) = self.parameter_at(function, slot) {
                    let parameter = self.key(Key::Parameter(context, function, index, word));
                    self.solver.edge(parameter, node, Offset::START);
                }
                let facts = self.facts(function);
                for &(at, word) in facts.definitions.reaching(0, slot) {
                    let definition = self.key(Key::Definition(context, function, at, word));
                    self.solver.edge(definition, node, Offset::START);
                }
            }
            Key::Definition(context, function, pc, word) => self.definition(context, function, pc, word, node),
            Key::Parameter(context, function, index, word) => {
                S::parameter(self, (context, function), index, word, node);
            }
            Key::Result(context, function, word) => {
                for (pc, op) in (0..).zip(&self.function(function).code) {
                    if let Op::Return { n, a } = op
                        && word < u32::from(*n)
                    {
                        let value = self.value(Value { context, function, pc, operand: a.word(word) });
                        self.solver.edge(value, node, Offset::START);
                    }
                }
            }
        }
    }

    /// The objects in a constant of a module.
    fn constant(&mut self, module: usize, value: &Const, node: Node, shift: Offset) {
        match value {
            Const::Bits(_) => {}
            Const::Addr(symbol, offset) => {
                let offset = shift.plus(*offset);
                self.objects_of(module, *symbol).into_iter().for_each(|object| self.solver.add(node, object, offset));
            }
            Const::Expr(expr) => match &**expr {
                ConstExpr::Add(a, b) | ConstExpr::Sub(a, b) | ConstExpr::Mul(a, b) | ConstExpr::Xor(a, b) => {
                    self.constant(module, a, node, Offset::ANY);
                    self.constant(module, b, node, Offset::ANY);
                }
                ConstExpr::Trunc(_, a) => self.constant(module, a, node, Offset::ANY),
            },
        }
    }

    /// What a symbol of a module means.
    fn objects_of(&self, module: usize, symbol: Symbol) -> Vec<Object> {
        let program = self.subject.program;
        match symbol {
            Symbol::Global(index) => vec![Object::Global(program.meant_global(program.global_id(module, index)))],
            Symbol::Function(index) => {
                let id = program.function_id(module, index);
                let meant = program.meant(id);
                if meant.is_empty() {
                    return vec![Object::Function(id)];
                }
                meant.into_iter().map(Object::Function).collect()
            }
        }
    }

    /// What a global holds at the start.
    pub fn initial(&mut self, id: GlobalId) {
        let program = self.subject.program;
        let module = program.module_of_global(id);
        for (offset, size, value) in &program.global(id).init.addresses {
            let node = self.solver.node();
            self.constant(module, value, node, Offset::START);
            let at = Offset::exactly(*offset as i64);
            self.solver.write(Object::Global(id), at, u64::from(*size), Source::Node(node));
        }
    }

    fn definition(&mut self, context: Context, function: FunctionId, pc: u32, word: u32, node: Node) {
        let model = self.function(function);
        let at = |operand: Opnd| Value { context, function, pc, operand };
        let number = |operand: Opnd| constant_word(model, operand);
        match model.code[pc as usize] {
            Op::Copy { a, .. } => self.from(at(a.word(word)), node, Offset::START),
            Op::Select { a, b, .. } => {
                self.from(at(a.word(word)), node, Offset::START);
                self.from(at(b.word(word)), node, Offset::START);
            }
            Op::PtrAdd { base, offset, .. } => self.from(at(base), node, Offset::exactly(offset)),
            Op::PtrIndex { w, base, index, scale, .. } => {
                let shift = match number(index) {
                    Some(index) => Offset::exactly(sign_extended(index, w).wrapping_mul(scale)),
                    None => Offset::START.stepped(scale.unsigned_abs()),
                };
                self.from(at(base), node, shift);
            }
            Op::StackAddr { offset, object, .. } => {
                let start = model.stack.get(object as usize).map_or(0, |object| object.offset);
                self.solver.add(
                    node,
                    Object::Stack(function, object),
                    Offset::exactly(offset.wrapping_sub(start) as i64),
                );
            }
            Op::Alloca { object, .. } => self.solver.add(node, Object::Stack(function, object), Offset::START),
            Op::ThreadLocal { global, .. } => {
                let module = self.subject.program.module_of(function);
                for object in self.objects_of(module, Symbol::Global(global)) {
                    self.solver.add(node, object, Offset::START);
                }
            }
            Op::Load { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => self.load(at(addr), ty, word, node),
            Op::AtomicRmw { ty, addr, .. } => self.load(at(addr), ty, word, node),
            Op::LandingPad { .. } if word == 0 => self.solver.add(node, Object::Unknown, Offset::ANY),
            Op::Call { call } => S::called(self, context, CallSite { caller: function, call }, word, node),
            ref op => self.arithmetic(op, at, node),
        }
    }

    /// What arithmetic leaves of pointers: they may be marked, masked, taken apart and put together.
    fn arithmetic(&mut self, op: &Op, at: impl Fn(Opnd) -> Value, node: Node) {
        let program = self.subject.program;
        let constant = |operand: Opnd| constant_word(program.function(at(operand).function), operand);
        match *op {
            Op::Int { op: op @ (IntOp::Add | IntOp::Sub), w: 64, a, b, .. } => match (constant(a), constant(b)) {
                (_, Some(b)) => {
                    let by = if op == IntOp::Add { b } else { b.wrapping_neg() };
                    self.from(at(a), node, Offset::exactly(by as i64));
                }
                (Some(a), None) if op == IntOp::Add => self.from(at(b), node, Offset::exactly(a as i64)),
                _ => [a, b].into_iter().for_each(|operand| self.from(at(operand), node, Offset::ANY)),
            },
            Op::Int { op: IntOp::Mul | IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem, .. } => {}
            Op::Int { a, b, .. } => [a, b].into_iter().for_each(|operand| self.from(at(operand), node, Offset::ANY)),
            Op::Wide { a, b, .. } => {
                for operand in [a, a.word(1), b, b.word(1)] {
                    self.from(at(operand), node, Offset::ANY);
                }
            }
            Op::Overflow { a, b, .. } => {
                [a, b].into_iter().for_each(|operand| self.from(at(operand), node, Offset::ANY));
            }
            Op::Funnel { a, b, .. } => [a, b].into_iter().for_each(|operand| self.from(at(operand), node, Offset::ANY)),
            Op::IntUnary { op: IntUnary::Bswap | IntUnary::BitReverse, a, .. } => self.from(at(a), node, Offset::ANY),
            Op::Trunc { to, a, .. } => {
                self.from(at(a), node, if to >= 64 { Offset::START } else { Offset::ANY });
                if to > 64 {
                    self.from(at(a.word(1)), node, Offset::ANY);
                }
            }
            Op::ZExt { from, to, a, .. } | Op::SExt { from, to, a, .. } => {
                self.from(at(a), node, if from >= 64 { Offset::START } else { Offset::ANY });
                if (32..64).contains(&from) && to >= 64 && constant(a).is_none() {
                    self.solver.add(node, Object::Number, Offset::ANY);
                }
            }
            Op::FToInt { w: 64.., .. } => self.solver.add(node, Object::Number, Offset::ANY),
            _ => {}
        }
    }

    /// A value goes to a node.
    pub fn from(&mut self, value: Value, node: Node, shift: Offset) {
        let from = self.value(value);
        self.solver.edge(from, node, shift);
    }

    fn load(&mut self, address: Value, ty: Scalar, word: u32, node: Node) {
        // The success of an exchange, and what follows the significand, are no pointers.
        if ty == Scalar::F80 || word >= ty.slots() {
            return;
        }
        let mut address = self.value(address);
        if word > 0 {
            let next = self.solver.node();
            self.solver.edge(address, next, Offset::exactly(8 * i64::from(word)));
            address = next;
        }
        self.solver.watch(address, Watcher::Load { to: node, bytes: u64::from(ty.bytes().min(8)) });
    }

    /// A store puts its value into memory.
    pub fn store(&mut self, address: Value, value: Value, ty: Scalar) {
        let to = self.value(address);
        for word in 0..ty.slots() {
            let mut to = to;
            if word > 0 {
                let next = self.solver.node();
                self.solver.edge(to, next, Offset::exactly(8 * i64::from(word)));
                to = next;
            }
            let value = Value { operand: value.operand.word(word), ..value };
            let plain = ty == Scalar::F80 || constant_word(self.function(value.function), value.operand).is_some();
            let bytes = u64::from(ty.bytes().min(8));
            let value = (!plain).then_some(Source::Value(value));
            self.solver.watch(to, Watcher::Store { value, bytes });
        }
    }

    /// A range of memory is moved; its length in bytes, where it is known.
    pub fn moved(&mut self, to: Node, from: Node, bytes: Option<u64>) {
        let copy = self.solver.copying(bytes);
        self.solver.watch(from, Watcher::MovedFrom(copy));
        self.solver.watch(to, Watcher::MovedTo(copy));
    }

    /// Outside code gets to know a node's objects.
    pub fn expose(&mut self, node: Node) {
        self.solver.edge(node, self.solver.exposed, Offset::START);
    }

    /// What an operation that is no call does to memory. Gives the address that it writes to, and how many bytes, where that
    /// is known.
    pub fn effect(&mut self, context: Context, function: FunctionId, pc: u32) -> Option<(Opnd, u64)> {
        let model = self.function(function);
        let at = |operand: Opnd| Value { context, function, pc, operand };
        match model.code[pc as usize] {
            Op::Store { ty, value, addr } | Op::AtomicRmw { op: AtomicOp::Xchg, ty, value, addr, .. } => {
                self.store(at(addr), at(value), ty);
                Some((addr, u64::from(ty.bytes())))
            }
            Op::AtomicRmw { ty, value, addr, .. } => {
                self.store(at(addr), at(value), ty);
                // A pointer there is moved on.
                let (before, after) = (self.key(Key::Definition(context, function, pc, 0)), self.solver.node());
                self.solver.edge(before, after, Offset::ANY);
                let to = self.value(at(addr));
                self.solver.watch(to, Watcher::Store { value: Some(Source::Node(after)), bytes: 8 });
                Some((addr, u64::from(ty.bytes())))
            }
            Op::CmpXchg { ty, addr, new, .. } => {
                self.store(at(addr), at(new), ty);
                Some((addr, u64::from(ty.bytes())))
            }
            Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                let (to, from, bytes) = (self.value(at(dst)), self.value(at(src)), constant_word(model, len));
                self.moved(to, from, bytes);
                Some((dst, bytes.unwrap_or(TO_THE_END)))
            }
            Op::MemSet { dst, len, .. } => Some((dst, constant_word(model, len).unwrap_or(TO_THE_END))),
            // A list of arguments has pointers to where they lie.
            Op::VaStart { list } | Op::VaCopy { dst: list, .. } => {
                let (list_node, unknown) = (self.value(at(list)), self.solver.unknown);
                self.solver.watch(list_node, Watcher::Store { value: Some(Source::Node(unknown)), bytes: VA_LIST });
                Some((list, VA_LIST))
            }
            Op::Resume { a } => {
                let exception = self.value(at(a));
                self.expose(exception);
                None
            }
            _ => None,
        }
    }
}

/// Bytes of a `va_list` (System V ABI, 3.5.7).
const VA_LIST: u64 = 24;

/// The word of a constant that is no address.
pub(crate) fn constant_word(function: &Function, operand: Opnd) -> Option<u64> {
    match function.consts.get(operand.index() as usize).filter(|_| operand.is_const())? {
        Const::Bits(bits) => Some(*bits),
        _ => None,
    }
}

fn sign_extended(value: u64, width: u8) -> i64 {
    let spare = 64 - u32::from(width.clamp(1, 64));
    ((value << spare) as i64) >> spare
}
