//! Thread-local globals: each thread has its own, so none is an operand but through `llvm.threadlocal.address`. clang uses them as they
//! are in the functions that it makes for their initialisation.

use whydunit_llvm::{Builder, Module, Opcode, Value, ValueKind};

use crate::{bodies, instructions, layout};

pub(crate) fn ask_for_addresses(module: &Module) {
    if !module.globals().any(Value::is_thread_local) {
        return;
    }
    let builder = Builder::new(module);
    for instruction in bodies(module).flat_map(instructions).collect::<Vec<_>>() {
        if instruction.called_function().is_some_and(|callee| callee.name().starts_with("llvm.threadlocal.address")) {
            continue;
        }
        let incoming = (instruction.opcode() == Opcode::LLVMPHI).then(|| instruction.incoming());
        for index in 0..instruction.operand_count() {
            let Some((global, offset)) = instruction.operand(index).and_then(|operand| place(module, operand)) else {
                continue;
            };
            let before = match &incoming {
                Some(incoming) => incoming.get(index as usize).and_then(|(_, block)| block.terminator()),
                None => Some(instruction),
            };
            let Some(before) = before else { continue };
            let Some(asks) = module.intrinsic("llvm.threadlocal.address", &[module.ptr_type(0)]) else { return };
            builder.before(before);
            builder.set_location(instruction.debug_location());
            let address = builder.call_function(asks, &[global]);
            instruction.set_operand(index, builder.offset(address, offset));
        }
    }
}

/// The thread-local global that a constant names, and a distance from its start.
fn place(module: &Module, value: Value) -> Option<(Value, u64)> {
    match value.kind() {
        ValueKind::LLVMGlobalVariableValueKind => value.is_thread_local().then_some((value, 0)),
        ValueKind::LLVMGlobalAliasValueKind => place(module, value.aliasee()?).map(|_| (value, 0)),
        ValueKind::LLVMConstantExprValueKind if value.expression_opcode()? == Opcode::LLVMGetElementPtr => {
            let (global, start) = place(module, value.operand(0)?)?;
            let offset = start.wrapping_add_signed(layout::constant_distance(module, value)?);
            Some((global, offset))
        }
        _ => None,
    }
}
