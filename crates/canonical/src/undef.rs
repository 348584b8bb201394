//! No operand is `undef` or `poison`: it is zero, in both copies.

use whydunit_llvm::{Module, Value, ValueKind};

use crate::{bodies, instructions};

pub(crate) fn to_zero(module: &Module) {
    for instruction in bodies(module).flat_map(instructions) {
        for index in 0..instruction.operand_count() {
            let Some(operand) = instruction.operand(index) else { continue };
            if let Some(defined) = defined(module, operand) {
                instruction.set_operand(index, defined);
            }
        }
    }
}

/// The constant with zeros for what is undefined; none where nothing is.
fn defined(module: &Module, value: Value) -> Option<Value> {
    if value.is_undef_or_poison() {
        return Some(value.ty().zero());
    }
    let kind = value.kind();
    if !matches!(
        kind,
        ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantVectorValueKind
    ) {
        return None;
    }
    let elements: Vec<Value> = (0..value.operand_count()).filter_map(|index| value.operand(index)).collect();
    let replaced: Vec<Option<Value>> = elements.iter().map(|&element| defined(module, element)).collect();
    if replaced.iter().all(Option::is_none) {
        return None;
    }
    let elements: Vec<Value> = elements.iter().zip(&replaced).map(|(&old, new)| new.unwrap_or(old)).collect();
    Some(match kind {
        ValueKind::LLVMConstantStructValueKind => module.const_struct_of(value.ty(), &elements),
        ValueKind::LLVMConstantArrayValueKind => module.const_array(elements[0].ty(), &elements),
        _ => module.const_vector(&elements),
    })
}
