//! How a step is told: its value, and what else there is to say.

use whydunit_model::{Callee, NO_TYPE, Op, Scalar, TypeId};
use whydunit_numerics::arith::sext;
use whydunit_replay::FuncId;

use super::Walk;
use super::cause::Dependence;
use super::pending::Pending;
use super::words::{self, read_by, unnamed};
use crate::access::Named;
use crate::nodes::{Node, NodeId, NodeKind};
use crate::trace::Trace;
use crate::value::{self, Known, ReadBytes};

/// Formats without memory: the memory at a step's time is gone.
struct NoMemory;
impl ReadBytes for NoMemory {
    fn read(&self, _: u64, _: usize) -> Option<Vec<u8>> {
        None
    }
}

impl Walk<'_> {
    /// A value of a type as text.
    pub(super) fn text(&self, function: FuncId, ty: TypeId, value: &Known) -> String {
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
            return if value::is_aggregate(module, ty) { String::new() } else { "(not kept)".into() };
        }
        value::format(module, ty, &bytes[..size.max(1) as usize], &NoMemory)
    }

    /// The value of a node as text, in a type; of a `switch` what it decides by.
    pub(super) fn value(&mut self, node: &Node, pending: &Pending, ty: TypeId, switched: Option<&Named>) -> String {
        let model = self.code.model(node.function);
        let op = &model.code[node.pc as usize];
        match op {
            Op::Branch { .. } => if node.value != 0 { "true" } else { "false" }.to_string(),
            Op::Switch { w, .. } => match switched {
                Some(named) => self.text(node.function, named.ty, &Known::Word(node.value)),
                None => sext(node.value, *w).to_string(),
            },
            _ if pending.kind == Dependence::Control => String::new(),
            _ if node.kind == NodeKind::Call => self.passed(node, pending).unwrap_or_default(),
            _ => {
                let own = Known::Word(node.value);
                let value = if pending.kind == Dependence::Data && !pending.unknown { &pending.value } else { &own };
                match (ty, value) {
                    (NO_TYPE, Known::Word(value)) if matches!(pending.returned, Some((_, true))) => {
                        (value & 1 != 0).to_string()
                    }
                    (NO_TYPE, Known::Word(value)) => match model.ret.first() {
                        Some(Scalar::Int(width)) if pending.returned.is_some() && pending.function == node.function => {
                            sext(*value, *width).to_string()
                        }
                        _ => unnamed(model, op, *value),
                    },
                    (ty, value) => self.text(pending.function, ty, value),
                }
            }
        }
    }

    /// The constant that a call passes as the parameter asked for.
    fn passed(&mut self, node: &Node, pending: &Pending) -> Option<String> {
        let name = pending.name.as_ref()?;
        let parameters = &self.code.model(pending.function).params;
        let named = |slot: u32| self.names.get(&pending.function).and_then(|names| names.variable(slot));
        let index = parameters.iter().position(|param| named(param.slot).as_ref() == Some(name))?;
        let Op::Call { call } = self.code.model(node.function).code[node.pc as usize] else { return None };
        let site = &self.code.model(node.function).calls[call as usize];
        // A function in between may have passed it on, under another number.
        let Callee::Direct(callee) = site.callee else { return None };
        let called = self.code.module_of(node.function).functions.get(callee as usize)?;
        if called.name != self.code.model(pending.function).name {
            return None;
        }
        let operand = site.args.get(index)?.value;
        let value = *self.code.consts(node.function).get(operand.index() as usize).filter(|_| operand.is_const())?;
        Some(self.text(pending.function, name.ty, &Known::Word(value)))
    }

    /// The name of the function that a node calls.
    pub(super) fn called(&self, node: &Node) -> String {
        let model = self.code.model(node.function);
        if let Op::Call { call } = &model.code[node.pc as usize]
            && let Callee::Direct(callee) = model.calls[*call as usize].callee
            && let Some(function) = self.code.module_of(node.function).functions.get(callee as usize)
        {
            return function.source_name.as_ref().unwrap_or(&function.name).clone();
        }
        "external code".into()
    }

    /// Whether a node calls a function that gives a new block of the heap.
    pub(super) fn allocates(&self, node: &Node) -> bool {
        use whydunit_library::Allocation::{Calloc, Malloc, New, Realloc, Rust};
        let Op::Call { call } = self.code.model(node.function).code[node.pc as usize] else { return false };
        let Callee::Direct(callee) = self.code.model(node.function).calls[call as usize].callee else { return false };
        let name = self.code.module_of(node.function).functions.get(callee as usize).map(|function| &function.name[..]);
        let allocation = name.and_then(whydunit_library::lookup).map(|known| known.function.allocation);
        matches!(allocation, Some(Malloc | Calloc | Realloc | New | Rust))
    }

    /// How a step was reached, and what else there is to say.
    pub(super) fn kind(&self, trace: &Trace, id: NodeId, pending: &Pending) -> (Dependence, Option<String>) {
        let (node, kind) = (trace.node(id), pending.kind);
        match node.kind {
            NodeKind::External if kind == Dependence::Control => {
                (kind, Some(format!("called by {} from here", self.called(&node))))
            }
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
            _ if let Some(kept) = &pending.kept => (Dependence::Kept, Some(self.left_out(node.function, kept))),
            _ => (kind, pending.returned.as_ref().map(|(function, _)| format!("returned by {function}"))),
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
}
