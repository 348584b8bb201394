//! Safepoints: the places that the recording counts, and where asynchronous signals are delivered.

use std::collections::HashSet;

use whydunit_llvm::{Block, Builder, Module, Opcode, Value};

use crate::{SAFEPOINT, bodies, byval::after_allocas, instructions, layout::is_marker};

pub(crate) fn insert(module: &Module) {
    let builder = Builder::new(module);
    builder.set_location(None);
    let ty = module.function_type(module.void_type(), &[], false);
    let marker = module.get_or_declare(SAFEPOINT, ty);
    for function in bodies(module) {
        let place = |before: Value| {
            builder.before(before);
            builder.call(ty, marker, &[]);
        };
        let calls = instructions(function).any(counts);
        let targets = retreating_targets(function);
        for block in function.blocks() {
            if targets.contains(&block) {
                block.instructions().find(|instruction| !instruction.is_phi()).into_iter().for_each(place);
            }
            let returns = block.terminator().filter(|terminator| terminator.opcode() == Opcode::LLVMRet);
            if calls {
                returns.into_iter().for_each(place);
            }
        }
        after_allocas(function).into_iter().for_each(place);
    }
}

/// Whether an instruction is a call that makes its function end with a safepoint.
fn counts(instruction: Value) -> bool {
    if !instruction.is_call() {
        return false;
    }
    match instruction.called_function() {
        Some(callee) => {
            let name = callee.name();
            !name.starts_with("llvm.") && !is_marker(&name) && !log_free(&name)
        }
        None => true,
    }
}

fn log_free(name: &str) -> bool {
    whydunit_runtime::lookup(name).is_some_and(|external| external.log_free)
}

/// Targets of the edges that go back to a block on the path of the depth-first walk.
pub(crate) fn retreating_targets(function: Value) -> HashSet<Block> {
    let mut targets = HashSet::new();
    let Some(entry) = function.entry_block() else { return targets };
    let (mut seen, mut open) = (HashSet::from([entry]), HashSet::from([entry]));
    let mut path = vec![(entry, entry.successors().into_iter())];
    while let Some((block, successors)) = path.last_mut() {
        match successors.next() {
            Some(next) if seen.insert(next) => {
                open.insert(next);
                path.push((next, next.successors().into_iter()));
            }
            Some(next) => {
                if open.contains(&next) {
                    targets.insert(next);
                }
            }
            None => {
                open.remove(block);
                path.pop();
            }
        }
    }
    targets
}
