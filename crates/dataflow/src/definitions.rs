//! Which operations give a slot the value that an operation reads.
//!
//! A slot that several values share holds each within one block only (see `crates/lower/src/slots.rs`): what was written last
//! in the block is what is read, and where the block has not written it, the slot has one meaning throughout the function.

use rustc_hash::FxHashMap;
use whydunit_model::{Function, Slot, defined};

/// The operations that write each slot, in order, with the word of their result that goes there.
pub(crate) struct Definitions {
    by_slot: FxHashMap<Slot, Vec<(u32, u32)>>,
    /// First operation of the block of each operation.
    starts: Vec<u32>,
}

impl Definitions {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let mut by_slot: FxHashMap<Slot, Vec<(u32, u32)>> = FxHashMap::default();
        for (pc, op) in (0..).zip(&function.code) {
            if let Some((slot, words)) = defined(function, op) {
                (0..words).for_each(|word| by_slot.entry(slot + word).or_default().push((pc, word)));
            }
        }
        let mut starts = vec![0; function.code.len()];
        for block in &function.blocks {
            starts[block.start as usize..block.end as usize].fill(block.start);
        }
        Self { by_slot, starts }
    }

    /// What may have written a slot before operation `pc` reads it: one operation of its block, or all that there are.
    pub fn reaching(&self, pc: u32, slot: Slot) -> &[(u32, u32)] {
        let Some(all) = self.by_slot.get(&slot) else { return &[] };
        let before = all.partition_point(|&(at, _)| at < pc);
        match before.checked_sub(1).filter(|&last| all[last].0 >= self.starts[pc as usize]) {
            Some(last) => &all[last..=last],
            None => all,
        }
    }
}

/// The last operation before `pc` in its block that writes a slot.
pub(crate) fn last_definition(function: &Function, pc: u32, slot: Slot) -> Option<u32> {
    let block = function.blocks.iter().find(|block| (block.start..block.end).contains(&pc))?;
    let writes = |&pc: &u32| {
        defined(function, &function.code[pc as usize])
            .is_some_and(|(first, words)| (first..first + words).contains(&slot))
    };
    (block.start..pc).rev().find(writes)
}
