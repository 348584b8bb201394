//! Where some memory was written last, before a moment of a run.

use whydunit_model::Op;
use whydunit_replay::{At, Machine, Observer, ReplayError, Snapshot, Writer};

use super::Arrive;

/// So many places in memory are looked at in the segments of a run, at most.
const LOOKED_AT: usize = 4;

/// A write of some memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Write {
    /// Which of the places in memory that were asked for.
    pub place: usize,
    /// The operation that writes: executed when so many instructions are, at this place of its function.
    pub operation: (u64, u32),
    /// The snapshot before it, by number.
    pub snapshot: usize,
}

/// Notes the last write of an address and a size.
struct Written {
    address: u64,
    size: u64,
    last: Option<(u64, u32)>,
}

impl Written {
    fn note(&mut self, at: &At<'_>, address: u64, size: u64) {
        if address < self.address.wrapping_add(self.size) && self.address < address.wrapping_add(size) {
            self.last = Some((at.instruction(), at.pc));
        }
    }
}

impl Observer for Written {
    const OPS: bool = true;
    const RANGES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Store { ty, addr, .. } = *op {
            self.note(at, at.value(addr), ty.bytes().into());
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

/// The last write, before an operation, of the first of some places (address and size, at most eight bytes of which are looked at) for which
/// there is one. Snapshots tell in which part of the run a place changed last: only that is replayed, and a write that left it as it was
/// is not seen there. `None` where the run changes none of them. Fails where the replay does.
pub(super) fn last_write(
    machine: &mut Machine,
    snapshots: &[Snapshot],
    (instruction, pc): (u64, u32),
    places: &[(u64, u32)],
) -> Result<Option<Write>, ReplayError> {
    let known = snapshots.partition_point(|snapshot| snapshot.instructions() <= instruction);
    let mut contents = Vec::new();
    for snapshot in &snapshots[..known] {
        machine.restore(snapshot)?;
        let memory = machine.at().memory();
        contents.push(places.iter().map(|(address, _)| memory.read_word(*address)).collect::<Vec<u64>>());
    }
    for (place, &(address, size)) in places.iter().enumerate().take(LOOKED_AT) {
        let mask = u64::MAX >> (64 - 8 * size.clamp(1, 8));
        let is_changed = |part: usize| (contents[part][place] ^ contents[part + 1][place]) & mask != 0;
        let changed = (1..known).rev().map(|next| next - 1).find(|part| is_changed(*part));
        // The part in which the operation lies first.
        for part in known.checked_sub(1).into_iter().chain(changed) {
            machine.restore(&snapshots[part])?;
            let mut written = Written { address, size: size.into(), last: None };
            let until = snapshots.get(part + 1).filter(|_| part + 1 < known).map_or(u64::MAX, Snapshot::counter);
            machine.run_until(until, &mut (Arrive { instruction, pc }, &mut written))?;
            if machine.is_out_of_patience() {
                return Ok(None);
            }
            if let Some(operation) = written.last {
                return Ok(Some(Write { place, operation, snapshot: part }));
            }
        }
    }
    Ok(None)
}
