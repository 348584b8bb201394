//! Critical predicates: the branches that decided that the executions of a cause took place, or that others did not which would
//! have given what they read (AFTER, section II-C; potential dependence after Gyimóthy, Beszédes and Forgács, 1999).

use std::collections::{BTreeSet, HashMap};

use whydunit_causes::nodes::{INITIAL, NodeId, NodeKind};
use whydunit_causes::trace::Trace;
use whydunit_dataflow::flow::{Flow, NO_BLOCK};
use whydunit_model::{BlockId, Function, Op, Opnd};
use whydunit_replay::{Code, FuncId};

use crate::cause::Cause;
use crate::deciding::{branch_of, is_branch};

/// So many executions between a definition and what reads it are looked at for branches.
const BETWEEN: NodeId = 50_000;
/// So many branches that may have kept a value from being written are taken for one cause.
const OMITTED: usize = 32;

/// Finds critical predicates; what it works out about functions is kept.
#[derive(Default)]
pub(crate) struct Critical {
    flows: HashMap<FuncId, (Flow, Vec<BlockId>)>,
}

impl Critical {
    /// Of a cause: those that decided first, then those that may have kept something from being written, the latest first.
    pub fn of(&mut self, trace: &Trace, code: &Code, cause: &Cause) -> Vec<NodeId> {
        let mut direct: BTreeSet<NodeId> = BTreeSet::new();
        let mut omitted: BTreeSet<NodeId> = BTreeSet::new();
        for step in &cause.steps {
            let node = trace.node(step.node);
            direct.extend(branch_of(trace, code, node.control));
            let op = &code.model(node.function).code[node.pc as usize];
            if let (Op::Load { .. }, NodeKind::Operation) = (op, node.kind) {
                self.kept(trace, code, step.node, &mut omitted);
            }
        }
        direct.extend(cause.steps.iter().filter(|step| step.branch).map(|step| step.node));
        let goal = cause.goal.nodes();
        let latest = omitted.into_iter().rev().filter(|node| !direct.contains(node)).take(OMITTED).collect::<Vec<_>>();
        let all = direct.iter().rev().copied().chain(latest);
        all.filter(|node| !goal.contains(node) || !is_branch(trace, code, *node)).collect()
    }

    /// Branches between the definition of what `load` read and it, whose other way may have written it.
    fn kept(&mut self, trace: &Trace, code: &Code, load: NodeId, out: &mut BTreeSet<NodeId>) {
        let node = trace.node(load);
        let Op::Load { addr, ty, .. } = code.model(node.function).code[node.pc as usize] else { return };
        let first = node.data[0].max(INITIAL + 1).max(load.saturating_sub(BETWEEN));
        let mut seen: BTreeSet<(FuncId, u32, u64)> = BTreeSet::new();
        for id in (first..load).rev() {
            if out.len() >= 4 * OMITTED {
                break;
            }
            if !is_branch(trace, code, id) {
                continue;
            }
            let branch = trace.node(id);
            if !seen.insert((branch.function, branch.pc, branch.value)) {
                continue;
            }
            let model = code.model(branch.function);
            let here = (branch.function == node.function && branch.base == node.base).then_some(addr);
            let constant = |operand: Opnd| code.consts(branch.function).get(operand.index() as usize).copied();
            for block in self.other_side(code, branch.function, branch.pc, branch.value) {
                let bounds = &model.blocks[block as usize];
                let writes = model.code[bounds.start as usize..bounds.end as usize].iter().any(|op| match *op {
                    Op::Store { ty: wrote, addr: place, .. } => {
                        if place.is_const() {
                            return constant(place) == Some(node.address);
                        }
                        let same = here.and_then(|addr| alike(model, addr, place));
                        same.unwrap_or_else(|| wrote.bytes() == ty.bytes() && !is_stack(model, place))
                    }
                    _ => false,
                });
                if writes {
                    out.insert(id);
                    break;
                }
            }
        }
    }

    /// The blocks that would have run had a branch gone another way, up to where the ways meet.
    fn other_side(&mut self, code: &Code, function: FuncId, pc: u32, value: u64) -> Vec<BlockId> {
        let model = code.model(function);
        let (flow, meets) = self.flows.entry(function).or_insert_with(|| {
            let flow = Flow::of(model);
            let meets = flow.post_dominators();
            (flow, meets)
        });
        let block = model.blocks.partition_point(|block| block.start <= pc).saturating_sub(1);
        let end = meets.get(block).copied().unwrap_or(NO_BLOCK);
        let went = match &model.code[pc as usize] {
            Op::Branch { then, els, .. } => {
                if value & 1 == 1 {
                    *then
                } else {
                    *els
                }
            }
            Op::Switch { table, .. } => {
                let switch = &model.switches[*table as usize];
                switch.cases.iter().find(|case| case.0 == value).map_or(switch.default, |case| case.1)
            }
            _ => return Vec::new(),
        };
        let mut seen: BTreeSet<BlockId> = BTreeSet::new();
        let mut open: Vec<BlockId> = flow.successors[block].iter().copied().filter(|&to| to != went).collect();
        while let Some(now) = open.pop() {
            if now != end && now as usize != block && seen.insert(now) {
                open.extend(&flow.successors[now as usize]);
            }
        }
        seen.into_iter().collect()
    }
}

/// The operation that defines a slot, where there is one only.
fn definition(model: &Function, operand: Opnd) -> Option<&Op> {
    let mut all = model.code.iter().filter(|op| whydunit_model::destination(op) == Some(operand.index()));
    let only = all.next()?;
    all.next().is_none().then_some(only)
}

fn is_stack(model: &Function, place: Opnd) -> bool {
    matches!(definition(model, place), Some(Op::StackAddr { .. }))
}

/// Whether two addresses of one frame are the same; none where that cannot be told.
fn alike(model: &Function, one: Opnd, other: Opnd) -> Option<bool> {
    if one == other {
        return Some(true);
    }
    match (definition(model, one)?, definition(model, other)?) {
        (Op::StackAddr { offset: a, .. }, Op::StackAddr { offset: b, .. }) => Some(a == b),
        (Op::StackAddr { .. }, _) | (_, Op::StackAddr { .. }) => Some(false),
        (Op::PtrAdd { base: a, offset: x, .. }, Op::PtrAdd { base: b, offset: y, .. }) if x != y => {
            (a == b).then_some(false)
        }
        _ => None,
    }
}
