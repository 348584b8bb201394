//! Which slots may not have been written yet.

use whydunit_model::{Function, defined};

use crate::flow::Flow;
use crate::slots::SlotSet;
use crate::worklist::{Direction, Problem, solve};

struct Unassigned;

impl Problem for Unassigned {
    type Fact = SlotSet;
    const DIRECTION: Direction = Direction::Forward;

    fn bottom(&self, function: &Function) -> SlotSet {
        SlotSet::new(function.slots)
    }

    fn boundary(&self, function: &Function) -> SlotSet {
        let mut slots = SlotSet::new(function.slots);
        (0..function.slots).for_each(|slot| slots.add(slot));
        for param in &function.params {
            let words: u32 = param.leaves.iter().map(|leaf| leaf.slots()).sum();
            (param.slot..param.slot + words).for_each(|slot| slots.remove(slot));
        }
        slots
    }

    fn transfer(&self, function: &Function, pc: u32, unassigned: &mut SlotSet) {
        if let Some((slot, words)) = defined(function, &function.code[pc as usize]) {
            (slot..slot + words).for_each(|slot| unassigned.remove(slot));
        }
    }
}

/// For each block the slots that some way to its start has not written: what they hold there may be anything.
pub fn unassigned_at_starts(function: &Function, flow: &Flow) -> Vec<SlotSet> {
    solve(function, flow, &Unassigned).before
}
