//! The operations that a run executes, by statement.

use std::collections::HashMap;

use whydunit_replay::{Code, FuncId};
use whydunit_symbolic::{FirstRun, Knowledge, Listing, NO_STATEMENT, StatementId};

/// An operation of a statement, and the first execution of its block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub function: FuncId,
    pub pc: u32,
    pub first: FirstRun,
}

/// The operations that a run executes, by statement, each list in the order of first executions.
pub(crate) fn operations(
    code: &Code,
    listing: &Listing,
    knowledge: &Knowledge,
) -> HashMap<StatementId, Vec<Operation>> {
    let mut operations: HashMap<StatementId, Vec<Operation>> = HashMap::new();
    for &first in &listing.blocks {
        let function = first.function;
        let Some(Some(facts)) = knowledge.facts.get(function.0 as usize) else { continue };
        let Some(block) = code.model(function).blocks.get(first.block as usize) else { continue };
        for pc in block.start..block.end {
            let statement = facts.statements[pc as usize];
            if statement != NO_STATEMENT && !knowledge.statements.is_assertion(statement) {
                operations.entry(statement).or_default().push(Operation { function, pc, first });
            }
        }
    }
    operations
}
