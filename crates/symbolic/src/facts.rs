//! What is known of a function without running it: its shape, and which values leave their statement.

use whydunit_dataflow::{Shape, SlotSet, asserts};
use whydunit_model::{Function, Module, Slot, defined, for_each_read};

use crate::statement::{NO_STATEMENT, StatementId, Statements};

/// Facts of a function.
pub struct Facts {
    /// Where its branches join, from where it returns, what is live.
    pub shape: Shape,
    /// For each operation its statement.
    pub statements: Vec<StatementId>,
    /// For each operation whether its result is used by another statement.
    pub leaves: Vec<bool>,
    reads: Vec<Slot>,
    first_read: Vec<u32>,
}

impl Facts {
    /// Of a function of `module`.
    pub fn of(module: &Module, function: &Function, numbers: &mut Statements) -> Self {
        let statements: Vec<_> = (0..function.code.len()).map(|pc| numbers.of(module, function, pc)).collect();
        let (mut reads, mut first_read) = (Vec::new(), Vec::with_capacity(function.code.len() + 1));
        for op in &function.code {
            first_read.push(reads.len() as u32);
            for_each_read(function, op, |slot| reads.push(slot));
        }
        first_read.push(reads.len() as u32);
        for (pc, &statement) in statements.iter().enumerate() {
            if asserts(module, function, pc) {
                numbers.assertion(statement);
            }
        }
        let mut facts = Self { shape: Shape::of(function), statements, leaves: Vec::new(), reads, first_read };
        facts.leaves = facts.leaving(function);
        facts
    }

    /// The slots that an operation reads.
    #[inline]
    pub fn reads(&self, pc: u32) -> &[Slot] {
        let pc = pc as usize;
        &self.reads[self.first_read[pc] as usize..self.first_read[pc + 1] as usize]
    }

    /// Which results are used by an operation of another statement, or after their block.
    fn leaving(&self, function: &Function) -> Vec<bool> {
        let mut leaves = vec![false; function.code.len()];
        for (number, block) in function.blocks.iter().enumerate() {
            let mut live = SlotSet::new(function.slots);
            for &next in &self.shape.flow.successors[number] {
                live.union(&self.shape.live[next as usize]);
            }
            // Statement that reads a slot next; several of them count as another one.
            let mut readers = vec![NO_READER; function.slots as usize];
            live.iter().for_each(|slot| readers[slot as usize] = OTHERS);
            for pc in (block.start..block.end).rev() {
                let statement = self.statements[pc as usize];
                if let Some((slot, words)) = defined(function, &function.code[pc as usize]) {
                    for slot in slot..slot + words {
                        let reader = std::mem::replace(&mut readers[slot as usize], NO_READER);
                        leaves[pc as usize] |= reader != NO_READER && reader != u64::from(statement);
                    }
                }
                for &slot in self.reads(pc) {
                    let reader = &mut readers[slot as usize];
                    let other = block.edge || *reader != NO_READER && *reader != u64::from(statement);
                    *reader = if other { OTHERS } else { statement.into() };
                }
            }
        }
        leaves.iter_mut().zip(&self.statements).for_each(|(leaves, &statement)| *leaves &= statement != NO_STATEMENT);
        leaves
    }
}

const NO_READER: u64 = u64::MAX;
const OTHERS: u64 = u64::MAX - 1;
