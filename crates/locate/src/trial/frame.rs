//! The variables of the frame at which a run stands.

use whydunit_model::Opnd;
use whydunit_replay::At;

use super::operators::{Known, name};

/// The slots whose types are known: those of variables with names first.
pub(super) fn slots(at: &At<'_>, known: &Known) -> Vec<u32> {
    let mut slots: Vec<u32> = (0..at.model.slots).filter(|&slot| known.slot_type(slot).is_some()).collect();
    slots.sort_by_cached_key(|&slot| name(at.model, Opnd::slot(slot)).is_none());
    slots
}

/// What a slot holds.
pub(super) fn value(at: &At<'_>, slot: u32) -> u64 {
    at.core.slots[at.base + slot as usize]
}
