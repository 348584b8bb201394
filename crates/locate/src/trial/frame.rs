//! The variables of the frame at which a run stands.

use whydunit_model::Opnd;
use whydunit_replay::At;

use super::known::{Known, name};

/// The slots whose types are known and that have been written, whichever way the run came: those of variables with names first.
pub(super) fn slots(at: &At<'_>, known: &Known) -> Vec<u32> {
    let unassigned = known.unassigned(at.model, at.pc);
    let is_there = |slot: &u32| known.slot_type(*slot).is_some() && !unassigned.has(*slot);
    let mut slots: Vec<u32> = (0..at.model.slots).filter(is_there).collect();
    slots.sort_by_cached_key(|&slot| name(at.model, Opnd::slot(slot)).is_none());
    slots
}

/// What a slot holds.
pub(super) fn value(at: &At<'_>, slot: u32) -> u64 {
    at.core.slots[at.base + slot as usize]
}
