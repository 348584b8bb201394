//! What a failing run executes, statement by statement: the values that could be others, the operations that could do
//! something else, and states of the run to begin from.

use std::collections::{HashMap, HashSet, VecDeque};

use whydunit_model::BlockId;
use whydunit_replay::{FuncId, Snapshot};

use crate::fork::Fork;
use crate::frame::FrameState;
use crate::free::Free;
use crate::region::{Instance, Regions};
use crate::statement::{NO_STATEMENT, StatementId};

/// So many values of a statement are listed from its first executions, and as many from its last.
const KEPT: usize = 6;

/// States of the run are so many instructions apart, at least.
const APART: u64 = 1000;

/// A state of the run from which it can be encoded: nothing before depends on what may change.
#[derive(Clone)]
pub struct Checkpoint {
    /// The machine's state.
    pub snapshot: Snapshot,
    pub(crate) frames: Vec<FrameState>,
    pub(crate) regions: Regions<Fork>,
    pub(crate) callbacks: u64,
    /// What was printed since the run's start.
    pub printed: Vec<u8>,
}

impl Checkpoint {
    /// The start of a run, or of the part of it that is looked at.
    pub fn start(snapshot: Snapshot) -> Self {
        Self { snapshot, frames: Vec::new(), regions: None, callbacks: 0, printed: Vec::new() }
    }
}

/// Values of a statement on the run.
#[derive(Clone, Debug, Default)]
pub struct Values {
    first: Vec<Free>,
    last: VecDeque<Free>,
    /// How many there are in all.
    pub count: u64,
}

impl Values {
    fn add(&mut self, free: Free) {
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(free);
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        self.last.push_back(free);
    }

    /// Those of its first executions and of its last, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Free> + Clone {
        self.first.iter().chain(&self.last)
    }
}

/// The first execution of a block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstRun {
    /// The function.
    pub function: FuncId,
    /// Its block.
    pub block: BlockId,
    /// Instruction count there ([`At::instruction`](whydunit_replay::At::instruction)).
    pub instruction: u64,
    /// The last checkpoint before it, by its place among them.
    pub checkpoint: usize,
}

/// What a run executes.
#[derive(Default)]
pub struct Listing {
    /// By statement.
    pub values: HashMap<StatementId, Values>,
    /// Blocks in the order of their first executions.
    pub blocks: Vec<FirstRun>,
    /// Checkpoints in order; the first one is the start.
    pub checkpoints: Vec<Checkpoint>,
    /// The branches under way at the failure point.
    pub open: HashSet<Instance>,
    /// The statements that are executed, but for assertions.
    pub executed: Vec<StatementId>,
    /// The failure point was reached.
    pub reached: bool,
    seen: Vec<Vec<bool>>,
    last_checkpoint: u64,
}

impl Listing {
    pub(crate) fn of(start: Checkpoint) -> Self {
        Self { last_checkpoint: start.snapshot.instructions(), checkpoints: vec![start], ..Self::default() }
    }

    pub(crate) fn value(&mut self, free: Free) {
        if free.statement != NO_STATEMENT {
            self.values.entry(free.statement).or_default().add(free);
        }
    }

    /// A block of a function of so many is entered. Whether a checkpoint is due.
    pub(crate) fn enters(&mut self, function: FuncId, block: BlockId, blocks: usize, instruction: u64) -> bool {
        let index = function.0 as usize;
        if index >= self.seen.len() {
            self.seen.resize(index + 1, Vec::new());
        }
        let seen = &mut self.seen[index];
        if seen.is_empty() {
            seen.resize(blocks, false);
        }
        if std::mem::replace(&mut seen[block as usize], true) {
            return false;
        }
        let due = instruction > self.last_checkpoint + APART;
        let checkpoint = self.checkpoints.len() - usize::from(!due);
        if due {
            self.last_checkpoint = instruction;
        }
        self.blocks.push(FirstRun { function, block, instruction, checkpoint });
        due
    }
}
