//! Whether a trial run does to memory what the failing run did wrong. What is read there is anything: that such a run prints
//! what is expected says nothing.

use std::collections::BTreeMap;

use whydunit_model::{Op, Opnd};
use whydunit_replay::{At, FuncId, HeapBlock, Observer};
use whydunit_symbolic::{Failing, Predicate, Range};

/// Accesses so close to an object are meant for it.
const NEAR: u64 = 256;

/// Watches the operation at which the failing run's memory error happened.
pub(crate) struct Stray {
    predicate: Predicate,
    range: Range,
    pc: u32,
    /// Blocks that the trial run allocated, and their sizes.
    blocks: BTreeMap<u64, u64>,
    /// Blocks that were freed, and their sizes.
    freed: BTreeMap<u64, u64>,
}

/// The last of these blocks that does not begin behind an address: how far the address is from its start, and its size.
fn below(blocks: &BTreeMap<u64, u64>, address: u64) -> Option<(u64, u64)> {
    blocks.range(..=address).next_back().map(|(&start, &size)| (address - start, size))
}

impl Stray {
    /// For a trial run that begins after so many instructions; none where the failure is no memory error.
    pub fn of(failing: &Failing, begin: u64) -> Option<Self> {
        let predicate = &failing.point.predicate;
        let (Predicate::Inside(range) | Predicate::Alive(range) | Predicate::Freeable(range)) = *predicate else {
            return None;
        };
        let mut freed = BTreeMap::new();
        if range.freed.is_some_and(|freed| freed.instruction < begin) {
            freed.insert(range.start, range.size);
        }
        Some(Self { predicate: predicate.clone(), range, pc: failing.point.pc, blocks: BTreeMap::new(), freed })
    }

    /// The operation that is watched.
    pub fn place(&self) -> (FuncId, u32) {
        (self.range.function, self.pc)
    }

    /// Whether the operation at which the run stands is about to do it again.
    fn strays(&self, at: &At<'_>) -> bool {
        if at.pc != self.pc || at.function != self.range.function {
            return false;
        }
        let Some((address, bytes)) = self.access(at) else { return false };
        let fits = |offset: u64, size: u64| offset <= size && bytes <= size - offset;
        match self.predicate {
            Predicate::Inside(Range { start, size, .. }) => {
                if let Some((offset, size)) = below(&self.blocks, address)
                    && offset <= size + NEAR
                {
                    return !fits(offset, size);
                }
                address.abs_diff(start) <= size + NEAR && !fits(address.wrapping_sub(start), size)
            }
            Predicate::Alive(_) => below(&self.freed, address).is_some_and(|(offset, size)| offset < size.max(1)),
            _ => self.freed.contains_key(&address),
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
                let mut addresses = call.args.iter().map(|arg| at.value(arg.value));
                let address = match self.predicate {
                    // What is freed.
                    Predicate::Freeable(_) => addresses.next()?,
                    _ => addresses.find(|address| *address == self.range.address)?,
                };
                Some((address, self.range.bytes))
            }
            _ => None,
        }
    }
}

impl Observer for Stray {
    const BREAKS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        self.strays(at)
    }

    fn allocated(&mut self, _: &At<'_>, block: HeapBlock) {
        self.freed.remove(&block.address);
        self.blocks.insert(block.address, block.size);
    }

    fn freed(&mut self, _: &At<'_>, address: u64, block: Option<HeapBlock>) {
        if let Some(block) = block {
            self.blocks.remove(&address);
            self.freed.insert(address, block.size);
        }
    }

    fn resized(&mut self, _: &At<'_>, address: u64, _: Option<u64>, size: u64) {
        self.blocks.insert(address, size);
    }
}
