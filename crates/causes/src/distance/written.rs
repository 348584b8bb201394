//! The last writes of some memory before a moment of a run.

use whydunit_model::Op;
use whydunit_replay::{At, Machine, Observer, ReplayError, Snapshot, Stop, Writer};

use super::Arrive;

/// So many instructions lie between safepoints that are noted, at least.
const APART: u64 = 1 << 18;

/// When some memory was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Write {
    /// The operation that writes: executed when so many instructions are, at this place of its function.
    pub instruction: u64,
    pub pc: u32,
    /// A safepoint, by number, that lies so many instructions before it or more.
    pub safepoint: u64,
}

/// Looks at the writes of memory, each an address and a size.
struct Written<'w> {
    wanted: &'w [(u64, u64)],
    last: Vec<Option<Write>>,
    /// Instructions and safepoints, from time to time.
    noted: Vec<(u64, u64)>,
    /// So many instructions of a run before a write are to be seen.
    window: u64,
}

impl Written<'_> {
    fn note(&mut self, at: &At<'_>, address: u64, size: u64) {
        for (&(wanted, bytes), last) in self.wanted.iter().zip(&mut self.last) {
            if address < wanted.wrapping_add(bytes) && wanted < address.wrapping_add(size) {
                let instruction = at.instruction();
                let from = self.noted.partition_point(|(noted, _)| noted + self.window <= instruction);
                let safepoint = from.checked_sub(1).map_or(0, |from| self.noted[from].1);
                *last = Some(Write { instruction, pc: at.pc, safepoint });
            }
        }
    }
}

impl Observer for Written<'_> {
    fn op(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Store { ty, addr, .. } = *op {
            self.note(at, at.value(addr), ty.bytes().into());
        }
    }

    fn safepoint(&mut self, at: &At<'_>) {
        let instruction = at.instruction();
        if self.noted.last().is_none_or(|(noted, _)| noted + APART <= instruction) {
            self.noted.push((instruction, at.counter()));
        }
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, _: Writer) {
        self.note(at, address, size);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, _: u64, size: u64) {
        self.note(at, to, size);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.note(at, address, size);
    }
}

/// The last write of each of the `wanted` between a snapshot and an operation, each with a safepoint that lies `window` instructions before.
/// `None` for what is not written there, and for all where the run does not come to the operation. Fails where the replay does.
pub(super) fn last_writes(
    machine: &mut Machine,
    start: &Snapshot,
    (instruction, pc): (u64, u32),
    wanted: &[(u64, u64)],
    window: u64,
) -> Result<Vec<Option<Write>>, ReplayError> {
    machine.restore(start)?;
    let mut written = Written { wanted, last: vec![None; wanted.len()], noted: Vec::new(), window };
    let stop = machine.run_until(u64::MAX, &mut (Arrive { instruction, pc }, &mut written))?;
    Ok(if stop == Stop::Asked { written.last } else { vec![None; wanted.len()] })
}
