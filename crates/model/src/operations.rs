//! Which slots an operation reads and writes.

use crate::{Callee, Function, Op, Opnd, Scalar, Slot};

/// The first slot and the number of slots that an operation defines.
pub fn defined(function: &Function, op: &Op) -> Option<(Slot, u32)> {
    let Op::Call { call } = *op else { return result(op) };
    let call = &function.calls[call as usize];
    let words = call.ret.iter().map(|leaf| leaf.slots()).sum();
    (words > 0).then_some((call.dst, words))
}

/// The first slot of an operation's result; none for calls and for what has no result.
pub fn destination(op: &Op) -> Option<Slot> {
    Some(result(op)?.0)
}

/// First slot and number of slots of the result of what is no call.
fn result(op: &Op) -> Option<(Slot, u32)> {
    Some(match *op {
        Op::Int { dst, .. }
        | Op::Funnel { dst, .. }
        | Op::ICmp { dst, .. }
        | Op::PtrAdd { dst, .. }
        | Op::PtrIndex { dst, .. }
        | Op::FCmp { dst, .. }
        | Op::StackAddr { dst, .. }
        | Op::Alloca { dst, .. }
        | Op::StackSave { dst }
        | Op::ThreadLocal { dst, .. } => (dst, 1),
        Op::LandingPad { dst, .. } => (dst, 2),
        Op::Wide { dst, .. } => (dst, 2),
        Op::IntUnary { w, dst, .. } => (dst, if w > 64 { 2 } else { 1 }),
        Op::Overflow { w, dst, .. } => (dst, if w > 64 { 3 } else { 2 }),
        Op::Trunc { to, dst, .. } | Op::ZExt { to, dst, .. } | Op::SExt { to, dst, .. } => {
            (dst, if to > 64 { 2 } else { 1 })
        }
        Op::Copy { n, dst, .. } | Op::Select { n, dst, .. } => (dst, n.into()),
        Op::Float { ty, dst, .. }
        | Op::FloatUnary { ty, dst, .. }
        | Op::Fma { ty, dst, .. }
        | Op::Load { ty, dst, .. }
        | Op::AtomicRmw { ty, dst, .. } => (dst, ty.slots()),
        Op::FConv { to, dst, .. } | Op::IntToF { to, dst, .. } => (dst, to.slots()),
        Op::FToInt { w, dst, .. } => (dst, if w > 64 { 2 } else { 1 }),
        Op::CmpXchg { ty, dst, .. } => (dst, ty.slots() + 1),
        _ => return None,
    })
}

/// Calls `read` for every slot that an operation reads (once for each operand that does).
pub fn for_each_read(function: &Function, op: &Op, mut read: impl FnMut(Slot)) {
    let mut words = |operand: Opnd, n: u32| {
        if !operand.is_const() {
            (operand.index()..operand.index() + n).for_each(&mut read);
        }
    };
    let wide = |w: u8| 1 + u32::from(w > 64);
    match *op {
        Op::Int { a, b, .. } => {
            words(a, 1);
            words(b, 1);
        }
        Op::Wide { a, b, .. } => {
            words(a, 2);
            words(b, 2);
        }
        Op::IntUnary { w, a, .. } => words(a, wide(w)),
        Op::Overflow { w, a, b, .. } | Op::ICmp { w, a, b, .. } => {
            words(a, wide(w));
            words(b, wide(w));
        }
        Op::Funnel { a, b, amount, .. } => {
            words(a, 1);
            words(b, 1);
            words(amount, 1);
        }
        // The width truncated from is not known here: a second word counts as read where the result has one.
        Op::Trunc { to, a, .. } => words(a, wide(to)),
        Op::ZExt { from, a, .. } | Op::SExt { from, a, .. } => words(a, wide(from)),
        Op::Copy { n, a, .. } => words(a, n.into()),
        Op::Select { n, cond, a, b, .. } => {
            words(cond, 1);
            words(a, n.into());
            words(b, n.into());
        }
        Op::PtrAdd { base, .. } => words(base, 1),
        Op::PtrIndex { base, index, .. } => {
            words(base, 1);
            words(index, 1);
        }
        Op::Float { ty, a, b, .. } | Op::FCmp { ty, a, b, .. } => {
            words(a, ty.slots());
            words(b, ty.slots());
        }
        Op::FloatUnary { ty, a, .. } => words(a, ty.slots()),
        Op::Fma { ty, a, b, c, .. } => {
            words(a, ty.slots());
            words(b, ty.slots());
            words(c, ty.slots());
        }
        Op::FConv { from, a, .. } | Op::FToInt { from, a, .. } => words(a, from.slots()),
        Op::IntToF { w, a, .. } => words(a, wide(w)),
        Op::Load { addr, .. } => words(addr, 1),
        Op::Store { ty, value, addr } | Op::AtomicRmw { ty, addr, value, .. } => {
            words(addr, 1);
            words(value, ty.slots());
        }
        Op::CmpXchg { ty, addr, expected, new, .. } => {
            words(addr, 1);
            words(expected, ty.slots());
            words(new, ty.slots());
        }
        Op::Alloca { count, .. } => words(count, 1),
        Op::StackRestore { a } => words(a, 1),
        Op::Resume { a } => words(a, 2),
        Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
            words(dst, 1);
            words(src, 1);
            words(len, 1);
        }
        Op::MemSet { dst, value, len } => {
            words(dst, 1);
            words(value, 1);
            words(len, 1);
        }
        Op::CheckRange { addr, len } => {
            words(addr, 1);
            words(len, 1);
        }
        Op::VaStart { list } => words(list, 1),
        Op::VaCopy { dst, src } => {
            words(dst, 1);
            words(src, 1);
        }
        Op::Call { call } => {
            let call = &function.calls[call as usize];
            if let Callee::Indirect(operand) = call.callee {
                words(operand, 1);
            }
            for arg in &call.args {
                words(arg.value, arg.leaves.iter().map(|leaf: &Scalar| leaf.slots()).sum());
            }
        }
        Op::Branch { cond, .. } => words(cond, 1),
        Op::Switch { value, .. } => words(value, 1),
        Op::Return { n, a } => words(a, n.into()),
        Op::StackAddr { .. }
        | Op::StackSave { .. }
        | Op::ThreadLocal { .. }
        | Op::LandingPad { .. }
        | Op::Safepoint
        | Op::Jump { .. }
        | Op::Trap { .. } => {}
    }
}
