//! Where values live in a frame.
//!
//! Values that are used in their own block only share slots one after another, so that frames stay small enough for the
//! caches of the machine that replays. Values that debug records name, phis, and all values of functions that call
//! setjmp (which may come back to an old point) have slots of their own.

use std::collections::HashMap;

use whydunit_llvm::{Value, ValueKind};
use whydunit_model::Slot;

const NEVER: u32 = u32::MAX;

struct Use {
    block: u32,
    position: u32,
    /// Position of the last use in the block; [`NEVER`] for values that live longer.
    last: u32,
}

/// The lives of a function's instructions.
pub struct Lives {
    number: HashMap<Value, u32>,
    uses: Vec<Use>,
}

impl Lives {
    /// Looks at all instructions of `function`. With `keep`, nothing shares.
    pub fn of(function: Value, keep: bool) -> Lives {
        let mut lives = Lives { number: HashMap::new(), uses: Vec::new() };
        for (block, label) in (0..).zip(function.blocks()) {
            for (position, instruction) in (0..).zip(label.instructions()) {
                lives.number.insert(instruction, lives.uses.len() as u32);
                let last = if keep || instruction.is_phi() { NEVER } else { position };
                lives.uses.push(Use { block, position, last });
            }
        }
        if keep {
            return lives;
        }
        for (block, label) in (0..).zip(function.blocks()) {
            for (position, instruction) in (0..).zip(label.instructions()) {
                let phi = instruction.is_phi();
                for operand in operands(instruction) {
                    lives.note(operand, block, position, phi);
                }
                for record in instruction.debug_records() {
                    if let Some(value) = record.value() {
                        lives.note(value, block, position, true);
                    }
                }
            }
        }
        lives
    }

    fn note(&mut self, value: Value, block: u32, position: u32, long: bool) {
        let Some(&number) = self.number.get(&value) else { return };
        let lived = &mut self.uses[number as usize];
        if long || lived.block != block || lived.position >= position {
            lived.last = NEVER;
        } else if lived.last != NEVER {
            lived.last = lived.last.max(position);
        }
    }

    /// Position of the last use of an instruction's value in its block, where the value does not outlive it.
    pub fn last_use(&self, instruction: Value) -> Option<u32> {
        let lived = &self.uses[*self.number.get(&instruction)? as usize];
        (lived.last != NEVER).then_some(lived.last)
    }
}

/// Operands that are instructions (the only ones whose lives end).
pub fn operands(instruction: Value) -> impl Iterator<Item = Value> {
    instruction.operands().filter(|operand| operand.kind() == ValueKind::LLVMInstructionValueKind)
}

/// Hands out slots.
#[derive(Default)]
pub struct Slots {
    count: u32,
    // Freed runs of one and of two slots; longer ones are not used again.
    free: [Vec<Slot>; 2],
}

impl Slots {
    /// A run of `n` slots that nobody else ever has.
    pub fn own(&mut self, n: u32) -> Slot {
        let first = self.count;
        self.count += n.max(1);
        first
    }

    /// A run of `n` slots until it is freed.
    pub fn take(&mut self, n: u32) -> Slot {
        let list = n.max(1) as usize - 1;
        match self.free.get_mut(list).and_then(Vec::pop) {
            Some(slot) => slot,
            None => self.own(n),
        }
    }

    /// Gives back what [`Slots::take`] handed out.
    pub fn give(&mut self, first: Slot, n: u32) {
        if let Some(list) = self.free.get_mut(n.max(1) as usize - 1) {
            list.push(first);
        }
    }

    /// Slots of the whole frame.
    pub fn count(&self) -> u32 {
        self.count
    }
}
