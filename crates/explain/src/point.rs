//! The failure point in a trace: what failed there, as values of the run.

use whydunit_causes::inputs::Source;
use whydunit_causes::nodes::{INITIAL, NodeId};
use whydunit_causes::trace::{Before, Trace};
use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, Machine, Observer, Stop};
use whydunit_symbolic::{FailurePoint, Predicate};

use crate::Error;

/// So many operations before the failure are known at most.
const WINDOW: usize = 1 << 23;
/// So many bytes that a call reads are looked at.
const LOOKED_AT: u64 = 512;

/// What the run did that it should not have: its negation is what could not come about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// These executions gave the values that they gave: one of them should have given another.
    Values(Vec<NodeId>),
    /// This execution should have given this value, of so many bits.
    Wanted(NodeId, u32, u64),
    /// This branch went where it went.
    Branch(NodeId),
}

impl Goal {
    /// The executions that it is about.
    pub fn nodes(&self) -> &[NodeId] {
        match self {
            Goal::Values(nodes) => nodes,
            Goal::Wanted(node, ..) | Goal::Branch(node) => std::slice::from_ref(node),
        }
    }
}

/// A machine that stands at the failure point, and how it came there.
pub struct Stopped {
    /// The machine; its code is what positions are of.
    pub machine: Machine,
    /// What was executed before.
    pub trace: Trace,
    /// What failed.
    pub goals: Vec<Goal>,
}

/// Stops right before an operation.
struct RightBefore {
    instruction: u64,
    pc: u32,
}

impl Observer for RightBefore {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() == self.instruction && at.pc == self.pc || at.instruction() > self.instruction
    }
}

impl Stopped {
    /// Replays to the failure point.
    pub fn at(mut machine: Machine, point: &FailurePoint) -> Result<Self, Error> {
        let mut observers = (Trace::window(WINDOW), RightBefore { instruction: point.instruction, pc: point.pc });
        match machine.run_until(u64::MAX, &mut observers)? {
            Stop::Asked => {}
            // A failure at the very end: all was executed.
            Stop::End(_) if machine.at().in_frame() => {}
            _ => return Err(Error::NotReached),
        }
        let mut trace = observers.0;
        let goals = goals(&machine, &mut trace, &point.predicate);
        Ok(Self { machine, trace, goals })
    }
}

fn goals(machine: &Machine, trace: &mut Trace, predicate: &Predicate) -> Vec<Goal> {
    let at = machine.at();
    if !at.in_frame() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let of = |trace: &mut Trace, operand: Opnd| -> Option<NodeId> {
        let index = at.slot_index(operand)?;
        Some(trace.find(Before::Slot(index))).filter(|&node| node > INITIAL)
    };
    match (predicate, at.op()) {
        (Predicate::Status(wanted), Op::Return { a, .. }) => {
            out.extend(of(trace, *a).map(|node| Goal::Wanted(node, 8, *wanted as u64 & 0xff)));
        }
        (Predicate::NotReached, _) => {}
        (predicate, Op::Call { call }) => {
            let call = &at.model.calls[*call as usize];
            let mut nodes: Vec<NodeId> = Vec::new();
            for arg in &call.args {
                nodes.extend(of(trace, arg.value));
                let address = at.value(arg.value);
                // What is read through a pointer counts where something is printed.
                if matches!(predicate, Predicate::Prints(_)) && at.memory().is_written(address) {
                    let size = at.memory().read_string(address, LOOKED_AT).len() as u64 + 1;
                    let writers = trace.writers(address, size).into_iter();
                    nodes.extend(writers.filter_map(|source| match source {
                        Source::Node(node) if node > INITIAL => Some(node),
                        _ => None,
                    }));
                }
            }
            nodes.sort_unstable();
            nodes.dedup();
            match (predicate, &nodes[..]) {
                (_, []) => {}
                (Predicate::Status(wanted), &[node]) => out.push(Goal::Wanted(node, 8, *wanted as u64 & 0xff)),
                _ => out.push(Goal::Values(nodes)),
            }
        }
        (_, op) => {
            let operands: Vec<Opnd> = match *op {
                Op::Load { addr, .. } | Op::Store { addr, .. } => vec![addr],
                Op::Int { b, .. } | Op::Wide { b, .. } => vec![b],
                Op::MemMove { dst, src, len } => vec![dst, src, len],
                Op::MemSet { dst, len, .. } => vec![dst, len],
                _ => Vec::new(),
            };
            let nodes: Vec<NodeId> = operands.into_iter().filter_map(|operand| of(trace, operand)).collect();
            out.extend((!nodes.is_empty()).then_some(Goal::Values(nodes)));
        }
    }
    // That the point was come to at all is the other half.
    let (base, function, pc) = (at.base as u32, at.function, at.pc);
    let decided = trace.find(Before::Control { base, function, pc });
    out.extend(crate::deciding::branch_of(trace, machine.code(), decided).map(Goal::Branch));
    out
}
