//! Calls that are sure to come back.

use std::collections::{HashMap, HashSet};

use whydunit_library::{Allocation, Known};
use whydunit_llvm::{Block, Opcode, Value};

/// What is known of the functions of a module. A call comes back when the function neither loops nor calls what may not
/// come back, or when it is a library function that only computes or manages memory. That memory may fault is not
/// looked at.
#[derive(Default)]
pub(crate) struct Returning {
    known: HashMap<Value, bool>,
}

impl Returning {
    pub(crate) fn call(&mut self, call: Value) -> bool {
        // Nothing may stand between a tail call that must be one and the return.
        let tail = || call.next_instruction().is_some_and(|next| next.opcode() == Opcode::LLVMRet);
        call.called_function().is_some_and(|function| self.function(function)) || tail() && call.is_must_tail()
    }

    fn function(&mut self, function: Value) -> bool {
        if let Some(&known) = self.known.get(&function) {
            return known;
        }
        // Recursion finds this.
        self.known.insert(function, false);
        let returns = if function.is_declaration() {
            function.name().starts_with("llvm.")
                || whydunit_library::wrapped(&function.name()).is_some_and(only_computes)
        } else {
            !function.is_interposable() && self.body(function)
        };
        self.known.insert(function, returns);
        returns
    }

    fn body(&mut self, function: Value) -> bool {
        acyclic(function)
            && function.blocks().flat_map(|block| block.instructions()).all(|instruction| match instruction.opcode() {
                Opcode::LLVMUnreachable | Opcode::LLVMInvoke | Opcode::LLVMCallBr | Opcode::LLVMIndirectBr => false,
                Opcode::LLVMCall => self.call(instruction),
                _ => true,
            })
    }
}

fn only_computes(known: &Known) -> bool {
    let memory =
        matches!(known.allocation(), Allocation::Malloc | Allocation::Calloc | Allocation::Realloc | Allocation::Free);
    known.log_free() || known.constant() || memory
}

fn acyclic(function: Value) -> bool {
    let Some(entry) = function.entry_block() else { return true };
    let mut open: HashSet<Block> = HashSet::from([entry]);
    let mut seen: HashSet<Block> = HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, targets)) = stack.last_mut() {
        match targets.pop() {
            Some(target) if open.contains(&target) => return false,
            Some(target) if seen.insert(target) => {
                open.insert(target);
                stack.push((target, target.successors()));
            }
            Some(_) => {}
            None => {
                open.remove(block);
                stack.pop();
            }
        }
    }
    true
}
