//! What was defined before a trace began, of what an execution read.

use whydunit_model::{Op, Opnd};

use super::{Before, Trace};
use crate::nodes::{BEFORE, NodeId};
use crate::recipe::NONE;

impl Trace {
    /// What a node's data dependence number `which` was before the trace, where it is [`BEFORE`].
    pub fn before(&self, id: NodeId, which: usize, op: &Op) -> Option<Before> {
        let node = self.node(id);
        if node.data[which] != BEFORE {
            return None;
        }
        let slot = |slot: u32| (slot != NONE).then(|| Before::Slot(node.base as usize + slot as usize));
        let operand = |operand: Opnd| if operand.is_const() { None } else { slot(operand.index()) };
        match *op {
            Op::Load { ty, .. } if which == 0 => Some(Before::Memory(node.address, ty.bytes())),
            Op::AtomicRmw { ty, .. } | Op::CmpXchg { ty, .. } if which == 0 => {
                Some(Before::Memory(node.address, ty.bytes()))
            }
            Op::Load { addr, .. } => operand(addr),
            Op::Select { cond, a, b, .. } => operand(match (which, node.address) {
                (0, 1) => a,
                (0, _) => b,
                _ => cond,
            }),
            Op::Return { a, .. } | Op::Copy { a, .. } if which == 0 => operand(a.word(node.address as u32)),
            _ => {
                let step = self.recipes.get(node.function.0 as usize)?.as_ref()?.steps[node.pc as usize];
                slot(if which == 0 { step.a } else { step.b })
            }
        }
    }
}
