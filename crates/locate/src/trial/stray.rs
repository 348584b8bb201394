//! Whether a trial run does to memory what the failing run did wrong. What is read there is anything: that such a run prints
//! what is expected says nothing.

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, HeapBlock, Observer};
use whydunit_symbolic::{Failing, Predicate, Range};

/// Accesses so close to an object are meant for it.
const NEAR: u64 = 256;

/// Watches the operation at which the failing run's memory error happened.
pub(crate) struct Stray {
    predicate: Predicate,
    range: Range,
    pc: u32,
    freed: bool,
}

impl Stray {
    /// For a trial run that begins after so many instructions; none where the failure is no memory error.
    pub fn of(failing: &Failing, begin: u64) -> Option<Self> {
        let predicate = &failing.point.predicate;
        let (Predicate::Inside(range) | Predicate::Alive(range) | Predicate::Freeable(range)) = *predicate else {
            return None;
        };
        let freed = range.freed.is_some_and(|freed| freed.instruction < begin);
        Some(Self { predicate: predicate.clone(), range, pc: failing.point.pc, freed })
    }

    /// Whether the operation at which the run stands is about to do it again.
    fn strays(&self, at: &At<'_>) -> bool {
        if at.pc != self.pc || at.function != self.range.function {
            return false;
        }
        let Some((address, bytes)) = self.access(at) else { return false };
        let Range { start, size, .. } = self.range;
        let offset = address.wrapping_sub(start);
        match self.predicate {
            Predicate::Inside(_) => {
                let inside = offset <= size && bytes <= size - offset;
                let near = address.abs_diff(start) <= size + NEAR;
                near && !inside
            }
            Predicate::Alive(_) => self.freed && offset < size.max(1),
            _ => self.freed && offset == 0,
        }
    }

    /// The access of the operation at which the run stands, as the failing run's was: address and bytes.
    fn access(&self, at: &At<'_>) -> Option<(u64, u64)> {
        let one = |addr: Opnd| Some((at.value(addr), self.range.bytes));
        match *at.op() {
            Op::Load { addr, .. } | Op::Store { addr, .. } => one(addr),
            Op::AtomicRmw { addr, .. } | Op::CmpXchg { addr, .. } => one(addr),
            Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                Some((at.value(if self.range.write { dst } else { src }), at.value(len)))
            }
            Op::MemSet { dst, len, .. } => Some((at.value(dst), at.value(len))),
            Op::Call { call } => {
                let call = &at.model.calls[call as usize];
                let same = |address: &u64| *address == self.range.address;
                let address = call.args.iter().map(|arg| at.value(arg.value)).find(same)?;
                Some((address, self.range.bytes))
            }
            _ => None,
        }
    }
}

impl Observer for Stray {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.strays(at)
    }

    fn freed(&mut self, _: &At<'_>, address: u64, block: Option<HeapBlock>) {
        self.freed |= block.is_some() && address == self.range.start;
    }
}
