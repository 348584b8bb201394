//! Why a value stayed as it was: branches that left out what may have changed it.

use whydunit_dataflow::flow::Flow;
use whydunit_model::{Function, Op};
use whydunit_replay::FuncId;

use super::cause::Dependence;
use super::pending::{Kept, Pending, Rank, Target};
use super::{TOLD, Walk};
use crate::access::Named;
use crate::branch::{block_at, edge_at};
use crate::nodes::{INITIAL, Node, NodeId};
use crate::trace::Trace;
use crate::value::Known;

impl Walk<'_> {
    /// Queues the branches of a trace that left out a store to a place between two nodes: what the place holds is from before them.
    pub(super) fn kept(
        &mut self,
        trace: &Trace,
        place: (u64, u64),
        (from, until): (NodeId, NodeId),
        pending: &Pending,
    ) {
        if pending.rank == Rank::Again || pending.kept.is_some() {
            return;
        }
        for (branch, pc) in trace.left_out(place, from, until) {
            let name = pending.name.as_ref().map(|name| name.text.clone());
            self.queue_kept((branch, &trace.node(branch)), Kept { name, pc: Some(pc) }, pending.from);
        }
    }

    /// The same of what a load read, since that was stored.
    pub(super) fn kept_since_stored(&mut self, trace: &Trace, id: NodeId, name: Option<&Named>, from: Option<usize>) {
        let node = trace.node(id);
        let Op::Load { ty, .. } = self.code.model(node.function).code[node.pc as usize] else { return };
        let read = Pending::data(Target::Node(id), name.cloned(), node.function, Known::Word(0), from);
        self.kept(trace, (node.address, ty.bytes().into()), (node.data[0], id), &read);
    }

    /// Queues the branch that led to the edge on which a value is handed on, where all ways behind the branch meet after that edge: on another one
    /// another value may have come there.
    pub(super) fn kept_on_edge(&mut self, trace: &Trace, node: &Node, pending: &Pending) {
        if node.control <= INITIAL || pending.rank == Rank::Again {
            return;
        }
        let branch = trace.node(node.control);
        let code = self.code;
        let meet = || meet_behind(code.model(node.function), node.pc, branch.pc);
        if branch.function == node.function && *self.meets.entry((node.function, node.pc)).or_insert_with(meet) {
            let name = pending.name.as_ref().map(|name| name.text.clone());
            self.queue_kept((node.control, &branch), Kept { name, pc: None }, pending.from);
        }
    }

    /// Of a branch that is executed again and again so many executions are queued as of other operations are told.
    fn queue_kept(&mut self, (id, branch): (NodeId, &Node), kept: Kept, from: Option<usize>) {
        let queued = self.kept.entry((branch.function, branch.pc)).or_default();
        if *queued >= TOLD {
            return;
        }
        *queued += 1;
        let (kind, rank, seen) = (Dependence::Control, Rank::Kept, self.traces);
        let pending = Pending::data(Target::Node(id), None, branch.function, Known::Word(0), from);
        self.pending.push(Pending { kind, rank, seen, kept: Some(kept), ..pending });
    }

    /// Whether a value without a name was chosen among several, or returned by a function of the program's own: which one tells something.
    pub(super) fn is_chosen(&self, trace: &Trace, id: NodeId) -> bool {
        let is_returned = || {
            let node = trace.node(id);
            let op = &self.code.model(node.function).code[node.pc as usize];
            matches!(op, Op::Return { .. }) && !self.is_of_library(node.function)
        };
        trace.is_chosen(self.code, id) || (id > INITIAL && is_returned())
    }

    /// What a branch of a function left out, in words.
    pub(super) fn left_out(&self, function: FuncId, kept: &Kept) -> String {
        let name = kept.name.as_deref().unwrap_or("it");
        let line = kept.pc.map(|pc| self.source_line(function, pc).1).filter(|line| *line != 0);
        match line {
            Some(line) => format!("else {name} may be set by line {line}"),
            None => format!("else {name} may have another value"),
        }
    }
}

/// Whether an operation stands on the edge of a branch's way to where all of its ways meet.
fn meet_behind(model: &Function, pc: u32, branch: u32) -> bool {
    let (Some(edge), Some(decided)) = (edge_at(model, pc), block_at(model, branch)) else { return false };
    if !matches!(model.code[branch as usize], Op::Branch { .. } | Op::Switch { .. }) {
        return false;
    }
    let flow = Flow::of(model);
    flow.successors[edge].first().is_some_and(|&meets| flow.post_dominators()[decided] == meets)
}
