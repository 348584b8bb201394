//! Pre-decoded code.

use whydunit_model::{Op, Slot};

pub(crate) struct Prepared;

/// The slot that an operation's result goes to.
pub fn destination(op: &Op) -> Option<Slot> {
    match *op {
        Op::Int { dst, .. }
        | Op::Wide { dst, .. }
        | Op::IntUnary { dst, .. }
        | Op::Overflow { dst, .. }
        | Op::Funnel { dst, .. }
        | Op::ICmp { dst, .. }
        | Op::Trunc { dst, .. }
        | Op::ZExt { dst, .. }
        | Op::SExt { dst, .. }
        | Op::Copy { dst, .. }
        | Op::Select { dst, .. }
        | Op::PtrAdd { dst, .. }
        | Op::PtrIndex { dst, .. }
        | Op::Float { dst, .. }
        | Op::FloatUnary { dst, .. }
        | Op::Fma { dst, .. }
        | Op::FCmp { dst, .. }
        | Op::FConv { dst, .. }
        | Op::FToInt { dst, .. }
        | Op::IntToF { dst, .. }
        | Op::Load { dst, .. }
        | Op::AtomicRmw { dst, .. }
        | Op::CmpXchg { dst, .. }
        | Op::StackAddr { dst, .. }
        | Op::Alloca { dst, .. }
        | Op::StackSave { dst }
        | Op::ThreadLocal { dst, .. } => Some(dst),
        _ => None,
    }
}
