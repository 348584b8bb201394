//! Why a line ran, or did not.

use std::collections::{HashMap, HashSet};

use whydunit_model::Op;
use whydunit_replay::{At, Code, FuncId};

use super::Moment;
use crate::branch::deciders;

/// When each branch of the functions that a line stands in was executed last.
#[derive(Default)]
pub(super) struct Branches {
    latest: HashMap<(FuncId, u32), Moment>,
}

/// What decided whether a line ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decision {
    pub function: FuncId,
    /// The operation whose being executed was decided.
    pub pc: u32,
    /// When that was decided last.
    pub moment: Moment,
}

impl Branches {
    /// A branch is executed.
    pub fn note(&mut self, at: &At<'_>, op: &Op, moment: Moment) {
        if matches!(op, Op::Branch { .. } | Op::Switch { .. }) {
            self.latest.insert((at.function, at.pc), moment);
        }
    }

    /// What decided last that none of these operations of functions was executed. None where no branch did: their function
    /// was not called, or the run ended before.
    pub fn decision(&self, code: &Code, operations: impl Iterator<Item = (FuncId, u32)>) -> Option<Decision> {
        operations.filter_map(|(function, pc)| self.of(code, function, pc)).max_by_key(|found| found.moment.instruction)
    }

    /// The nearest branches that were executed, going out from an operation.
    fn of(&self, code: &Code, function: FuncId, pc: u32) -> Option<Decision> {
        let model = code.model(function);
        let (mut level, mut seen) = (vec![pc], HashSet::from([pc]));
        while !level.is_empty() {
            let mut outer = Vec::new();
            let mut best: Option<Decision> = None;
            for pc in level {
                for branch in deciders(model, pc) {
                    match self.latest.get(&(function, branch)) {
                        Some(&moment) if best.is_none_or(|best| best.moment.instruction < moment.instruction) => {
                            best = Some(Decision { function, pc, moment });
                        }
                        Some(_) => {}
                        None if seen.insert(branch) => outer.push(branch),
                        None => {}
                    }
                }
            }
            if best.is_some() {
                return best;
            }
            level = outer;
        }
        None
    }
}
