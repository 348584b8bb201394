//! Which slots are read before they are written again.

use whydunit_model::{Function, defined, for_each_read};

use crate::flow::Flow;
use crate::slots::SlotSet;
use crate::worklist::{Direction, Lattice, Problem, solve};

struct Liveness;

impl Lattice for SlotSet {
    fn join(&mut self, other: &Self) -> bool {
        self.union(other)
    }
}

impl Problem for Liveness {
    type Fact = SlotSet;
    const DIRECTION: Direction = Direction::Backward;

    fn bottom(&self, function: &Function) -> SlotSet {
        SlotSet::new(function.slots)
    }

    fn boundary(&self, function: &Function) -> SlotSet {
        SlotSet::new(function.slots)
    }

    fn transfer(&self, function: &Function, pc: u32, live: &mut SlotSet) {
        let op = &function.code[pc as usize];
        if let Some((slot, words)) = defined(function, op) {
            (slot..slot + words).for_each(|slot| live.remove(slot));
        }
        for_each_read(function, op, |slot| live.add(slot));
    }
}

/// For each block the slots that are read, from its start on, before they are written.
pub fn live_at_starts(function: &Function, flow: &Flow) -> Vec<SlotSet> {
    solve(function, flow, &Liveness).before
}
