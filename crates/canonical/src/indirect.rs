//! Computed gotos: block addresses are small numbers, indirect branches are switches.

use std::collections::HashMap;

use whydunit_llvm::{Block, Builder, Module, Opcode, Value};

use crate::bodies;

pub(crate) fn lower(module: &Module) {
    let builder = Builder::new(module);
    let (ptr, int) = (module.ptr_type(0), module.int_type(64));
    for function in bodies(module) {
        let branches: Vec<Value> = function
            .blocks()
            .filter_map(|block| block.terminator())
            .filter(|terminator| terminator.opcode() == Opcode::LLVMIndirectBr)
            .collect();
        let mut numbers: HashMap<Block, u64> = HashMap::new();
        for branch in branches {
            let Some(target) = branch.operand(0) else { continue };
            let mut cases = Vec::new();
            for block in branch.successors() {
                let next = numbers.len() as u64 + 1;
                let number = *numbers.entry(block).or_insert(next);
                let case = (int.constant(number), block);
                if !cases.contains(&case) {
                    cases.push(case);
                }
            }
            let nowhere = builder.append_block(function, "indirect.nowhere");
            builder.set_location(branch.debug_location());
            builder.at_end(nowhere);
            builder.unreachable();
            builder.before(branch);
            let number = builder.cast(Opcode::LLVMPtrToInt, target, int);
            builder.switch(number, nowhere, &cases);
            branch.erase();
        }
        for (block, number) in numbers {
            let address = function.block_address_of(block);
            address.replace_all_uses_with(int.constant(number).const_int_to_ptr(ptr));
        }
    }
}
