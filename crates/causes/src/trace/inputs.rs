//! What calls of library functions read: arguments, and the memory that they point to.

use std::collections::VecDeque;
use std::rc::Rc;

use whydunit_library::{Reads, Size};
use whydunit_model::{Call, Callee, Op, Opnd, Scalar};
use whydunit_replay::{At, Code};

use super::{Before, Trace};
use crate::branch::is_handed_on;
use crate::library::{self, Taken};
use crate::nodes::{BEFORE, INITIAL, NodeId};
use crate::value::Known;

/// So many bytes of what is read are looked at.
const LOOKED_AT: usize = 256;
/// From so many statements that wrote what a call read the way goes on.
const WRITERS: usize = 8;

/// Where something that was read comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An execution of the trace, or [`INITIAL`].
    Node(NodeId),
    /// Something that was defined before it.
    Before(Before),
}

/// Something that a call read.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// Where it comes from.
    pub source: Source,
    /// The argument that it is, or that points to it, where one does.
    pub operand: Option<Opnd>,
    /// What the argument points to was read, and not the argument itself.
    pub content: bool,
    /// It says only where something was read.
    pub address: bool,
    /// What it was.
    pub value: Known,
}

/// The inputs of the calls in a trace, in the order of their nodes.
#[derive(Default)]
pub(crate) struct Inputs(VecDeque<(NodeId, Vec<Input>)>);

impl Inputs {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn get(&self, id: NodeId) -> Option<&[Input]> {
        let index = self.0.binary_search_by_key(&id, |(known, _)| *known).ok()?;
        Some(&self.0[index].1)
    }

    /// Adds inputs of a call; from then on it is known to compute from them.
    pub fn add(&mut self, id: NodeId, inputs: Vec<Input>) {
        match self.0.binary_search_by_key(&id, |(known, _)| *known) {
            Ok(index) => self.0[index].1.extend(inputs),
            Err(index) => self.0.insert(index, (id, inputs)),
        }
    }

    /// Forgets those of nodes that are no longer kept.
    pub fn forget(&mut self, gone: impl Fn(NodeId) -> bool) {
        while self.0.front().is_some_and(|(id, _)| gone(*id)) {
            self.0.pop_front();
        }
    }
}

impl Trace {
    /// What the call of a node read; none where the call is not one that computes from what it reads alone.
    pub fn inputs(&self, id: NodeId) -> Option<&[Input]> {
        self.inputs.get(id)
    }

    /// Who wrote `size` bytes of memory: of each statement the latest execution, the latest first; what was written before
    /// the trace stays together.
    pub fn writers(&mut self, address: u64, size: u64) -> Vec<Source> {
        let (mut nodes, mut before): (Vec<NodeId>, Vec<(u64, u32)>) = (Vec::new(), Vec::new());
        for at in (0..size).map(|offset| address.wrapping_add(offset)) {
            match self.nodes.kept(self.memory.latest(at, 1)) {
                BEFORE => match before.last_mut() {
                    Some((start, len)) if start.wrapping_add(u64::from(*len)) == at => *len += 1,
                    _ => before.push((at, 1)),
                },
                node => nodes.push(node),
            }
        }
        nodes.sort_unstable_by(|a, b| b.cmp(a));
        nodes.dedup();
        let mut statements = Vec::new();
        nodes.retain(|&id| {
            let node = self.nodes.get(id);
            let statement = if id == INITIAL { None } else { Some((node.function, node.pc)) };
            let new = !statements.contains(&statement);
            if new {
                statements.push(statement);
            }
            new
        });
        let before = before.into_iter().map(|(address, size)| Source::Before(Before::Memory(address, size)));
        nodes.into_iter().map(Source::Node).chain(before).take(WRITERS).collect()
    }

    /// Whether a node's value is one of several, by the way that the run came.
    pub(crate) fn is_chosen(&self, code: &Code, id: NodeId) -> bool {
        if id <= INITIAL {
            return false;
        }
        let node = self.node(id);
        let model = code.model(node.function);
        matches!(model.code[node.pc as usize], Op::Select { .. }) || is_handed_on(model, node.pc)
    }

    /// Notes what the external call `id` reads, where that is all that its results come from.
    pub(crate) fn note_inputs(&mut self, at: &At<'_>, id: NodeId, name: &str, call: &Call) {
        let Some(reads) = library::reads(name, call) else { return };
        let mut inputs = Vec::new();
        let mut fixed = call.args.len();
        for read in reads {
            let (n, limit) = match read {
                Reads::Text(n) | Reads::Number(n) | Reads::Format(n) | Reads::FormatList(n) => (n, None),
                Reads::ScanFormat(n) => (n, None),
                Reads::TextUpTo(n, limit)
                | Reads::Bytes(n, Size::Argument(limit))
                | Reads::UpTo(n, Size::Argument(limit)) => (n, Some(limit)),
                _ => continue,
            };
            let Some(arg) = call.args.get(n) else { continue };
            let limit = limit
                .map_or(usize::MAX, |limit| call.args.get(limit).map_or(0, |limit| at.value(limit.value) as usize));
            let mut text = text_at(at, at.value(arg.value), limit);
            if let Reads::Number(_) = read
                && let Some(text) = &mut text
            {
                text.truncate(library::number(text));
            }
            if let (Reads::Format(_) | Reads::FormatList(_), Some(format)) = (read, &text) {
                let taken = library::taken(format);
                if let Reads::FormatList(_) = read {
                    let list = call.args.get(n + 1).map_or(0, |list| at.value(list.value));
                    self.listed(at, list, &taken, &mut inputs);
                } else {
                    fixed = n + 1;
                    self.formatted(at, &call.args[fixed..], &taken, &mut inputs);
                }
            }
            // A format that stands in the program as it is says nothing.
            let format = matches!(read, Reads::Format(_) | Reads::FormatList(_) | Reads::ScanFormat(_));
            let is_written = !(format && arg.value.is_const())
                && self.content(at.value(arg.value), Some(arg.value), text, &mut inputs);
            self.argument(at, arg.value, is_written || format, &mut inputs);
        }
        for arg in &call.args[..fixed] {
            if !matches!(arg.leaves.first(), Some(Scalar::Ptr)) {
                self.argument(at, arg.value, false, &mut inputs);
            }
        }
        self.add_inputs(id, inputs);
    }

    /// Notes the arguments of a call that the replay computes itself; what it reads is told to it.
    pub(crate) fn note_arguments(&mut self, at: &At<'_>, id: NodeId, call: &Call) {
        let mut inputs = Vec::new();
        for arg in &call.args {
            self.argument(at, arg.value, matches!(arg.leaves.first(), Some(Scalar::Ptr)), &mut inputs);
        }
        self.add_inputs(id, inputs);
    }

    /// Notes that the call `id` read a range.
    pub(crate) fn note_read(&mut self, at: &At<'_>, id: NodeId, call: &Call, address: u64, size: u64) {
        let mut text = text_at(at, address, size as usize);
        // Texts are compared as far as they are the same; what stands there is all of the text.
        let is_cut = text.as_ref().is_some_and(|text| text.len() as u64 == size);
        if is_cut && compares_texts(at, call) {
            text = text_at(at, address, usize::MAX);
        }
        let operand = call.args.iter().map(|arg| arg.value).find(|arg| at.value(*arg) == address);
        let mut inputs = Vec::new();
        self.content(address, operand, text, &mut inputs);
        self.add_inputs(id, inputs);
    }

    /// Notes that the call made the copy `id` of a range: what was read, and what chose it where an argument is one of several.
    pub(crate) fn note_copied(&mut self, at: &At<'_>, id: NodeId, call: &Call, address: u64, size: u64) {
        self.note_read(at, id, call, address, size);
        let mut inputs = Vec::new();
        for arg in call.args.iter().filter(|arg| at.value(arg.value) == address) {
            self.argument(at, arg.value, true, &mut inputs);
        }
        inputs.retain(|input| !input.address);
        self.add_inputs(id, inputs);
    }

    fn add_inputs(&mut self, id: NodeId, inputs: Vec<Input>) {
        let nodes = &self.nodes;
        self.inputs.forget(|id| nodes.kept(id) == BEFORE);
        self.inputs.add(id, inputs);
    }

    /// The arguments that a format takes.
    fn formatted(&mut self, at: &At<'_>, args: &[whydunit_model::Arg], taken: &[Taken], inputs: &mut Vec<Input>) {
        let mut limit = 0;
        for (arg, taken) in args.iter().zip(taken) {
            let value = at.value(arg.value);
            let text = most(*taken, limit).and_then(|most| text_at(at, value, most));
            let is_written = self.content(value, Some(arg.value), text, inputs);
            self.argument(at, arg.value, is_written, inputs);
            limit = value as u32 as i32 as i64;
        }
    }

    /// The same for those of a `va_list`.
    fn listed(&mut self, at: &At<'_>, list: u64, taken: &[Taken], inputs: &mut Vec<Input>) {
        let memory = at.memory();
        let (mut general, mut floating) = (memory.read_uint(list, 4), memory.read_uint(list.wrapping_add(4), 4));
        let mut overflow = memory.read_word(list.wrapping_add(8));
        let area = memory.read_word(list.wrapping_add(16));
        let mut limit = 0;
        for taken in taken {
            let (offset, end, step) = match taken {
                Taken::Float => (&mut floating, 176, 16),
                Taken::Extended => (&mut general, 0, 0),
                _ => (&mut general, 48, 8),
            };
            let address = if *offset < end {
                *offset += step;
                area.wrapping_add(*offset - step)
            } else {
                let size = if let Taken::Extended = taken { 16 } else { 8 };
                let address = overflow.wrapping_add(size - 1) & !(size - 1);
                overflow = address.wrapping_add(size);
                address
            };
            let value = memory.read_word(address);
            if let Some(most) = most(*taken, limit) {
                self.content(value, None, text_at(at, value, most), inputs);
            } else {
                for source in self.writers(address, 8) {
                    let value = Known::Word(value);
                    inputs.push(Input { source, operand: None, content: false, address: false, value });
                }
            }
            limit = value as u32 as i32 as i64;
        }
    }

    /// An argument itself.
    fn argument(&mut self, at: &At<'_>, operand: Opnd, address: bool, inputs: &mut Vec<Input>) {
        let Some(slot) = at.slot_index(operand) else { return };
        let source = match self.nodes.kept(self.slots[slot]) {
            BEFORE => Source::Before(Before::Slot(slot)),
            INITIAL => return,
            node => Source::Node(node),
        };
        // Which of several texts was read tells as much as who wrote it.
        let address = address && !matches!(source, Source::Node(node) if self.is_chosen(at.code, node));
        let value = Known::Word(at.value(operand));
        inputs.push(Input { source, operand: Some(operand), content: false, address, value });
    }

    /// What an argument points to: a text, with the byte that ends it where there is nothing else. Whether the program wrote some of it: of a
    /// text that stands in the program the argument alone says which one it is.
    fn content(&mut self, address: u64, operand: Option<Opnd>, text: Option<Vec<u8>>, inputs: &mut Vec<Input>) -> bool {
        let Some(text) = text else { return false };
        let text: Rc<[u8]> = text.into();
        let mut is_written = false;
        for source in self.writers(address, text.len().max(1) as u64) {
            is_written |= source != Source::Node(INITIAL);
            let value = Known::Text(text.clone());
            inputs.push(Input { source, operand, content: true, address: false, value });
        }
        is_written
    }
}

/// Whether a call compares two texts that end by 0.
fn compares_texts(at: &At<'_>, call: &Call) -> bool {
    let Callee::Direct(callee) = call.callee else { return false };
    at.module()
        .functions
        .get(callee as usize)
        .is_some_and(|function| ["strcmp", "strcasecmp"].contains(&&function.name[..]))
}

/// How much of a text is read, where it is one.
fn most(taken: Taken, limit: i64) -> Option<usize> {
    match taken {
        Taken::Text(most) => Some(most.unwrap_or(usize::MAX)),
        // A negative one is none.
        Taken::Limited => Some(usize::try_from(limit).unwrap_or(usize::MAX)),
        _ => None,
    }
}

/// The text at an address, as far as it is looked at; none where nothing is known of that memory.
fn text_at(at: &At<'_>, address: u64, most: usize) -> Option<Vec<u8>> {
    let memory = at.memory();
    memory.is_written(address).then(|| memory.read_string(address, most.min(LOOKED_AT) as u64))
}
