//! Values as words of the log.

use whydunit_llvm::{Opcode, Type, TypeKind, Value};

use super::context::Context;

/// A value of at most 64 bits as a word.
pub(crate) fn word(context: &Context, value: Value) -> Option<Value> {
    let builder = &context.builder;
    let ty = value.ty();
    if ty.is_pointer() {
        return Some(builder.cast(Opcode::LLVMPtrToInt, value, context.types.i64));
    }
    let bits = match ty.kind() {
        TypeKind::LLVMIntegerTypeKind if ty.int_width() <= 64 => value,
        TypeKind::LLVMHalfTypeKind | TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => {
            let int = context.module.int_type(context.module.bits_of(ty) as u32);
            builder.cast(Opcode::LLVMBitCast, value, int)
        }
        _ => return None,
    };
    Some(builder.resize(bits, context.types.i64))
}

/// The words of a value as the model lays it out: one for each scalar, two for those over 64 bits.
pub(crate) fn words_of(context: &Context, value: Value, words: &mut Vec<Value>) {
    let builder = &context.builder;
    let ty = value.ty();
    if let Some(word) = word(context, value) {
        words.push(word);
    } else if ty.is_aggregate() {
        for index in 0..ty.element_count() {
            words_of(context, builder.extract(value, index as u32), words);
        }
    } else if ty.is_vector() {
        for index in 0..ty.element_count() {
            words_of(context, builder.extract_element(value, context.types.i32.constant(index)), words);
        }
    } else {
        let wide: Type = context.module.int_type(128);
        let exact = context.module.int_type(context.module.bits_of(ty) as u32);
        let bits = builder.resize(builder.cast(Opcode::LLVMBitCast, value, exact), wide);
        words.push(builder.resize(bits, context.types.i64));
        let high = builder.lshr(bits, wide.constant(64));
        words.push(builder.resize(high, context.types.i64));
    }
}
