//! How far statements are from where a run fails: the fewest steps of the walk of causes that lead back to them.

use std::collections::HashMap;

use whydunit_model::{Op, Opnd, for_each_read};
use whydunit_replay::{At, Entry, External, FuncId, Machine, Observer, ReplayError, Snapshot, Writer};

use crate::nodes::{BEFORE, INITIAL, Node, NodeId};
use crate::trace::inputs::Source;
use crate::trace::{Before, Trace};

/// So many executions before the failure are looked at, at most.
const WINDOW: usize = 1 << 21;
/// So many instructions behind the failing operation a run goes on at most, so that what it calls and reads is seen.
const BEHIND: u64 = 64;
/// So often a pointer is followed that the failing operation hands to code outside.
const POINTERS: u32 = 3;
/// So many words behind such a pointer are looked at.
const WORDS: u64 = 6;
/// How much longer a step is that leads through an address than one that leads through a value.
const ADDRESS: u32 = 2;

/// A statement: the file's number in its module, and the line, of a function.
type Line = (FuncId, u32, u32);

/// The least distance of each statement that the failure depends on, by the path of its file and its line: 0 for the failing statement,
/// one more for each statement between. Nothing of statements that it does not depend on.
pub type Distances = HashMap<(String, u32), u32>;

/// Replays from a snapshot to the failing operation, the one at `pc` when so many instructions are executed, and walks back from there
/// over data, addresses and what decided that statements ran, as far as to the snapshot. Fails where the replay does.
pub fn distances(
    machine: &mut Machine,
    start: &Snapshot,
    (instruction, pc): (u64, u32),
) -> Result<Distances, ReplayError> {
    machine.restore(start)?;
    let trace = Trace::window(WINDOW);
    let mut failing = Failing { trace, instruction, pc, read: Vec::new(), first: None, place: None };
    machine.run(&mut failing)?;
    Ok(failing.walk(machine))
}

/// Traces up to the failing operation and a little further.
struct Failing {
    trace: Trace,
    instruction: u64,
    pc: u32,
    /// What the failing operation reads: where it comes from, and its value.
    read: Vec<(NodeId, u64)>,
    /// The first node that is not older than the failing operation.
    first: Option<NodeId>,
    /// Its place.
    place: Option<(FuncId, u32)>,
}

impl Failing {
    /// The failing operation is about to be executed, or was just now.
    fn begin(&mut self, at: &At<'_>, op: &Op) {
        self.first = Some(self.trace.latest_first().next().map_or(INITIAL + 1, |latest| latest + 1));
        self.place = Some((at.function, at.pc));
        self.read.clear();
        let (trace, read) = (&mut self.trace, &mut self.read);
        for_each_read(at.model, op, |slot| {
            let operand = Opnd::slot(slot);
            let node = trace.find(Before::Slot(at.base + operand.index() as usize));
            read.push((node, at.slot(slot)));
        });
        let control = trace.find(Before::Control { base: at.base as u32, function: at.function, pc: at.pc });
        if control != BEFORE {
            read.push((control, 0));
        }
    }

    /// Nodes from which the walk starts, and how far each is.
    fn starts(&mut self) -> Vec<(NodeId, u32)> {
        let Some(first) = self.first else { return Vec::new() };
        let is_own = |node: &Node| Some((node.function, node.pc)) == self.place;
        let own = self.trace.latest_first().take_while(|id| *id >= first);
        let own: Vec<NodeId> = own.filter(|&id| is_own(&self.trace.node(id))).collect();
        let mut starts: Vec<(NodeId, u32)> = own.into_iter().map(|id| (id, 0)).collect();
        // What code outside reads is not known: it may be all that it can get at.
        let mut pointers: Vec<(u64, u32)> = Vec::new();
        for &(node, value) in &self.read {
            starts.push((node, 0));
            pointers.push((value, 0));
        }
        while let Some((address, depth)) = pointers.pop() {
            for word in 0..WORDS {
                let node = self.trace.find(Before::Memory(address.wrapping_add(8 * word), 8));
                if node <= INITIAL {
                    continue;
                }
                starts.push((node, depth + 1));
                if depth + 1 < POINTERS {
                    pointers.push((self.trace.node(node).value, depth + 1));
                }
            }
        }
        starts
    }

    fn walk(&mut self, machine: &Machine) -> Distances {
        let code = machine.code();
        let starts = self.starts();
        let mut least: HashMap<NodeId, u32> = HashMap::new();
        for (node, far) in starts {
            if node > INITIAL {
                let known = least.entry(node).or_insert(far);
                *known = (*known).min(far);
            }
        }
        let mut lines: HashMap<Line, u32> = HashMap::new();
        let line = |node: &Node| {
            let loc = code.model(node.function).loc(node.pc as usize);
            (node.function, loc.file, loc.line)
        };
        // What an execution depends on has a smaller number.
        let ids: Vec<NodeId> = self.trace.latest_first().collect();
        for id in ids {
            let Some(far) = least.remove(&id) else { continue };
            let node = self.trace.node(id);
            if node.function == FuncId::NONE {
                continue;
            }
            let here = line(&node);
            let known = lines.entry(here).or_insert(far);
            *known = (*known).min(far);
            let op = &code.model(node.function).code[node.pc as usize];
            let mut reach = |to: NodeId, more: u32| {
                if to > INITIAL && to < id {
                    let other = self.trace.node(to);
                    let step = u32::from(other.function != FuncId::NONE && line(&other) != here);
                    let far = far + step * more;
                    let known = least.entry(to).or_insert(far);
                    *known = (*known).min(far);
                }
            };
            for (which, &from) in node.data.iter().enumerate() {
                let address = matches!(op, Op::Load { .. } | Op::Store { .. }) && which == 1;
                reach(from, if address { ADDRESS } else { 1 });
            }
            reach(node.control, 1);
            for input in self.trace.inputs(id).unwrap_or_default() {
                if let Source::Node(from) = input.source {
                    reach(from, if input.address { ADDRESS } else { 1 });
                }
            }
        }
        let mut by_path = Distances::new();
        for ((function, file, line), far) in lines {
            let Some(path) = code.module_of(function).files.get(file as usize).filter(|_| line > 0) else { continue };
            let known = by_path.entry((path.clone(), line)).or_insert(far);
            *known = (*known).min(far);
        }
        by_path
    }
}

impl Observer for Failing {
    const OPS: bool = true;
    const BLOCKS: bool = true;
    const RANGES: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.first.is_some() && at.instruction() > self.instruction + BEHIND
    }

    fn op(&mut self, at: &At<'_>, op: &Op) {
        let here = (at.instruction(), at.pc);
        if here == (self.instruction, self.pc) {
            self.begin(at, op);
        } else if self.first.is_none() && here.0 >= self.instruction && here.1 == self.pc + 1 {
            // What a call prints is seen when it returns, and code of the program may have run for it: then this is behind it.
            if let Some(call) = at.model.code.get(self.pc as usize) {
                self.begin(&At { pc: self.pc, ..*at }, call);
            }
        }
        self.trace.op(at, op);
    }
    fn op_done(&mut self, at: &At<'_>, op: &Op) {
        self.trace.op_done(at, op);
    }
    fn block(&mut self, at: &At<'_>, from: Option<u32>, to: u32, block: &whydunit_model::Block) {
        self.trace.block(at, from, to, block);
    }
    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        self.trace.enter(at, entry);
    }
    fn switched(&mut self, at: &At<'_>, from: u32, to: u32) {
        self.trace.switched(at, from, to);
    }
    fn leave(&mut self, at: &At<'_>, result: Option<(Opnd, u8)>) {
        self.trace.leave(at, result);
    }
    fn unwind(&mut self, at: &At<'_>, depth: usize) {
        self.trace.unwind(at, depth);
    }
    fn read(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.trace.read(at, address, size);
    }
    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.trace.moved(at, to, from, size);
    }
    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.trace.filled(at, address, size);
    }
    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        self.trace.external_write(at, address, size, writer);
    }
    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.trace.external(at, call);
    }
    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, result: &[u64]) {
        self.trace.external_done(at, call, result);
    }
}
