//! What a statement read: where the walk goes on from it.

use std::collections::HashSet;

use whydunit_model::{NO_TYPE, Op, Opnd, TypeId};
use whydunit_replay::FuncId;

use super::Walk;
use super::pending::{Pending, Rank, Target};
use super::words::read_by;
use crate::access::Named;
use crate::nodes::{BEFORE, INITIAL, Node, NodeId, NodeKind};
use crate::trace::Trace;
use crate::trace::inputs::Input;
use crate::value::Known;

impl Walk<'_> {
    /// Queues what a statement read: its operands through the operations of the same line, up to loads and results of
    /// other lines. Its own value is `whole`, of a type of a function's module.
    pub(super) fn sources(
        &mut self,
        trace: &Trace,
        id: NodeId,
        (from, rank): (Option<usize>, Rank),
        (of, ty, whole): (FuncId, TypeId, u64),
    ) {
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
                if current != id && node.kind == NodeKind::External {
                    self.note_reads(&node, inputs, from);
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
                if (which, address) == (0, false) {
                    self.kept_since_stored(trace, current, name.as_ref(), from);
                }
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
                let (ty, seen) = (passed_on, self.traces);
                let pending = Pending { ty, unknown, seen, ..Pending::data(target, name, function, value, from) };
                if address { pointers.push(pending) } else { leaves.push(pending) }
            }
        }
        // Values before the addresses that they were found through.
        leaves.reverse();
        leaves.sort_by_key(|leaf| leaf.name.is_none());
        leaves.into_iter().for_each(|pending| self.pending.push(Pending { rank, ..pending }));
        self.pointers(trace, pointers, rank);
    }

    /// Queues pointers that values were found through. One without a name says nothing to a person, unless it was chosen.
    fn pointers(&mut self, trace: &Trace, mut pointers: Vec<Pending>, rank: Rank) {
        let tells = |pending: &Pending| match pending.target {
            _ if pending.name.is_some() => true,
            Target::Node(node) => self.is_chosen(trace, node),
            Target::Before(_) => false,
        };
        pointers.retain(|pending| rank < Rank::Again && tells(pending));
        pointers.into_iter().for_each(|pending| self.pending.push(Pending { rank: Rank::Pointer, ..pending }));
    }

    /// Says of a step without a note what a function of the library read for it.
    fn note_reads(&mut self, node: &Node, inputs: &[Input], from: Option<usize>) {
        let note = read_by(&self.called(node), inputs);
        if let Some(cause) = from.and_then(|from| self.causes.get_mut(from)) {
            cause.note.get_or_insert(note);
        }
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
        // Bytes that are no text are told as who wrote them has them.
        let unknown = matches!(&value, Known::Text(bytes) if !is_text(bytes));
        Pending { seen: self.traces, unknown, ..Pending::data(input.source.into(), name, function, value, from) }
    }

    fn operand_name(&mut self, node: &crate::nodes::Node, op: &Op, which: usize) -> (Option<Named>, Option<u64>) {
        let names = self.names(node.function);
        let pc = node.pc;
        // A number is no name.
        let of = |operand: Opnd| names.value(pc, operand).filter(|named| named.text.parse::<i64>().is_err());
        match *op {
            Op::Load { addr, ty, .. } if which == 0 => {
                (names.place(pc, addr).map(|place| names.narrowed(place, ty.bytes().into())), Some(node.value))
            }
            Op::Load { addr, .. } => (of(addr), Some(node.address)),
            Op::Store { value, .. } if which == 0 => (of(value), Some(node.value)),
            Op::Store { addr, .. } => (of(addr), Some(node.address)),
            Op::Int { a, b, .. } | Op::ICmp { a, b, .. } | Op::Float { a, b, .. } | Op::FCmp { a, b, .. } => {
                let first = if a.is_const() { b } else { a };
                (of(if which == 0 { first } else { b }), None)
            }
            Op::PtrIndex { base, index, .. } => (of(if which == 0 && !index.is_const() { index } else { base }), None),
            Op::Copy { a, .. } if node.address > 0 => (of(a.word(node.address as u32)), None),
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

/// Whether bytes are those of a text that a person reads.
fn is_text(bytes: &[u8]) -> bool {
    let is_read = |c: char| !c.is_control() || c.is_whitespace();
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_read))
}
