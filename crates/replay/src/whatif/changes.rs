//! Changes to the state of a what-if run.

use whydunit_model::{Op, Opnd};

use crate::divergence::Result;
use crate::machine::{Flow, Machine, Stop};
use crate::observer::Observer;
use crate::run::WhatIfStop;

/// A change to the state of a run, at the operation where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A slot of a frame has another value.
    Slot {
        /// Index of the frame.
        depth: usize,
        /// Slot of it.
        slot: u32,
        /// The value.
        value: u64,
    },
    /// Memory has other bytes.
    Memory {
        /// From here on.
        address: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The branch (or switch, by the number of the block) at which the run stands goes there.
    Branch {
        /// The block.
        to: u32,
    },
    /// The return at which the run stands gives these words.
    Return {
        /// The words.
        words: Vec<u64>,
    },
    /// The call at which the run stands is not made; its result is these words.
    SkipCall {
        /// The words.
        words: Vec<u64>,
    },
    /// The operation at which the run stands, no call and no terminator, is not executed; its result, where it has one, is
    /// this word.
    SkipOp {
        /// The word.
        value: u64,
    },
}

impl Machine {
    /// Changes something in a what-if run. The reason where that is not possible, or where it ends the run.
    pub fn change<O: Observer>(&mut self, change: &Change, observer: &mut O) -> Result<Option<WhatIfStop>> {
        let unfit = |reason: &str| Ok(Some(WhatIfStop::NoChange { reason: reason.to_string() }));
        if self.core.frames.is_empty() {
            return unfit("the run is not in captured code");
        }
        let here = self.at();
        let (depth, pc, base) = (here.depth, here.pc, here.base);
        let op = here.op().clone();
        match change {
            Change::Slot { depth, slot, value } => match self.core.frames.get(*depth) {
                Some(frame) if *slot < self.code.model(frame.function).slots => {
                    let index = frame.base + *slot as usize;
                    self.core.slots[index] = *value;
                }
                _ => return unfit("there is no such slot"),
            },
            Change::Memory { address, bytes } => {
                self.core.memory.write_from(*address, bytes);
                self.know(*address, bytes.len() as u64);
            }
            Change::Branch { to } => {
                let model = here.model;
                if !matches!(op, Op::Branch { .. } | Op::Switch { .. } | Op::Jump { .. }) {
                    return unfit("the run does not stand at a branch");
                }
                let Some(block) = model.blocks.get(*to as usize) else { return unfit("there is no such block") };
                let (start, instructions) = (block.start, u64::from(block.instructions));
                self.core.frames[depth].pc = start;
                self.core.instructions += instructions;
            }
            Change::Return { words } => {
                let Op::Return { n, .. } = op else { return unfit("the run does not stand at a return") };
                // The words lie where a frame of the caller's would: behind this frame's slots.
                let behind = self.code.function(self.core.frames[depth].function).frame_slots();
                let first = base + behind;
                self.core.slots.resize(self.core.slots.len().max(first + words.len() + 256), 0);
                for (index, word) in words.iter().enumerate() {
                    self.core.slots[first + index] = *word;
                }
                if let Flow::Stop(Stop::WhatIf(stopped)) = self.return_from(observer, n, Opnd::slot(behind as u32))? {
                    return Ok(Some(stopped));
                }
            }
            Change::SkipCall { words } => {
                if !matches!(op, Op::Call { .. }) {
                    return unfit("the run does not stand at a call");
                }
                self.returns_silently(observer, words);
            }
            Change::SkipOp { value } => {
                if let Some(dst) = whydunit_model::destination(&op) {
                    self.core.slots[base + dst as usize] = *value;
                } else if !matches!(op, Op::Store { .. }) {
                    return unfit("the operation has no result");
                }
                self.core.frames[depth].pc = pc + 1;
            }
        }
        Ok(None)
    }
}
