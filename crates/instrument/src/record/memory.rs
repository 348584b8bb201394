//! Loads, stores, atomics, and the moving of memory: the real one and its shadow.

use whydunit_llvm::{AtomicOrdering, IntPredicate, Opcode, Type, TypeKind, Value};

use super::{
    body::Body,
    context::{Context, Memory},
};

/// Constant sizes up to this are moved or set in line.
const INLINE_BYTES: u64 = 64;

/// How a scalar stands in memory.
enum Form {
    /// As this type; a pointer or an integer of whole bytes.
    Whole(Type),
    /// As the zero-extended integer of that type.
    Extended(Type),
    /// A floating value, compared as the integer of that type.
    Bits(Type),
    /// x87: ten bytes.
    X87,
    /// A vector or other that canonical IR hardly has: compared as an integer of its size.
    Other(Type),
}

fn form(context: &Context, ty: Type) -> Form {
    match ty.kind() {
        TypeKind::LLVMPointerTypeKind => Form::Whole(ty),
        TypeKind::LLVMIntegerTypeKind if ty.int_width().is_multiple_of(8) => Form::Whole(ty),
        TypeKind::LLVMIntegerTypeKind => Form::Extended(context.module.int_type(ty.int_width().next_multiple_of(8))),
        TypeKind::LLVMX86_FP80TypeKind => Form::X87,
        _ if ty.is_float() => Form::Bits(context.module.int_type(context.module.bits_of(ty) as u32)),
        _ => Form::Other(context.module.int_type(context.module.store_size_of(ty) as u32 * 8)),
    }
}

/// A load: the value really there, and the news if the shadow has another.
pub(crate) fn load(body: &mut Body, load: Value) {
    let context = body.context;
    let Some(address) = load.operand(0) else { return body.keep(load) };
    let site = context.site(load);
    let ty = load.ty();
    let value = match form(context, ty) {
        Form::Whole(int) => checked(body, load, address, int, site),
        Form::Extended(int) => {
            let wide = checked(body, load, address, int, site);
            context.builder.cast(Opcode::LLVMTrunc, wide, ty)
        }
        Form::Bits(int) | Form::Other(int) => {
            let bits = checked(body, load, address, int, site);
            let exact = context.module.bits_of(ty) as u32;
            let bits = context.builder.resize(bits, context.module.int_type(exact));
            context.builder.cast(Opcode::LLVMBitCast, bits, ty)
        }
        Form::X87 => {
            check_x87(body, address, site);
            let value = context.load(ty, address, Memory::Real);
            value.set_volatile(load.is_volatile());
            context.builder.freeze(value)
        }
    };
    body.replace(load, value);
}

/// Loads an integer or pointer as the original instruction does and checks it.
fn checked(body: &mut Body, original: Value, address: Value, ty: Type, site: Value) -> Value {
    let context = body.context;
    let real = context.load(ty, address, Memory::Real);
    real.set_volatile(original.is_volatile());
    if original.is_atomic() {
        real.set_alignment(original.alignment());
        real.set_ordering(original.ordering());
    }
    let real = context.builder.freeze(real);
    compare(body, real, address, site);
    real
}

/// Compares a value with the shadow of its address; tells the runtime where they differ.
fn compare(body: &mut Body, real: Value, address: Value, site: Value) {
    let context = body.context;
    let ty = real.ty();
    let shadow = context.load(ty, context.shadow_of(address), Memory::Shadow);
    let differ = context.builder.icmp(IntPredicate::LLVMIntNE, real, context.builder.freeze(shadow));
    let size = context.module.store_size_of(ty);
    body.when(differ, true, |body| {
        let context = body.context;
        let bytes = context.types.i32.constant(size);
        if size <= 8 {
            let bits = if ty.is_pointer() {
                context.builder.cast(Opcode::LLVMPtrToInt, real, context.types.i64)
            } else {
                context.builder.resize(real, context.types.i64)
            };
            let shadow = context.shadow_of(address);
            let call = context.call_runtime("__wd_load8", context.types.void, &[site, shadow, bits, bytes]);
            context.make_cold(call);
            context.mends_argument(call);
        } else {
            let call = context.call_runtime("__wd_load", context.types.void, &[site, address, bytes]);
            context.make_cold(call);
        }
    });
}

fn check_x87(body: &mut Body, address: Value, site: Value) {
    let context = body.context;
    let builder = &context.builder;
    let (low_type, high_type) = (context.types.i64, context.module.int_type(16));
    let high_address = builder.offset(address, 8);
    let differs = |ty, address| {
        let real = context.load(ty, address, Memory::Real);
        let shadow = context.load(ty, context.shadow_of(address), Memory::Shadow);
        builder.icmp(IntPredicate::LLVMIntNE, builder.freeze(real), builder.freeze(shadow))
    };
    let differ = builder.or(differs(low_type, address), differs(high_type, high_address));
    body.when(differ, true, |body| {
        let context = body.context;
        let bytes = context.types.i32.constant(10);
        let call = context.call_runtime("__wd_load", context.types.void, &[site, address, bytes]);
        context.make_cold(call);
    });
}

/// A store: to the real memory, then to its shadow.
pub(crate) fn store(body: &mut Body, store: Value) {
    let context = body.context;
    let (Some(value), Some(address)) = (store.operand(0), store.operand(1)) else { return body.keep(store) };
    let stored = match form(context, value.ty()) {
        Form::Extended(int) => context.builder.cast(Opcode::LLVMZExt, value, int),
        _ => value,
    };
    let real = context.store(stored, address, Memory::Real);
    real.set_volatile(store.is_volatile());
    if store.is_atomic() {
        real.set_alignment(store.alignment());
        real.set_ordering(store.ordering());
    }
    context.store(stored, context.shadow_of(address), Memory::Shadow);
    body.remove(store);
}

/// atomicrmw and cmpxchg: what is there is checked first, then the operation is done and the shadow takes over.
pub(crate) fn atomic(body: &mut Body, operation: Value) {
    let context = body.context;
    let (Some(address), Some(value)) = (operation.operand(0), operation.operand(1)) else {
        return body.keep(operation);
    };
    let site = context.site(operation);
    let ty = context.module.int_type(context.module.store_size_of(value.ty()) as u32 * 8);
    let before = context.load(ty, address, Memory::Real);
    // The optimiser must not take it for the operation's result.
    before.set_alignment(operation.alignment().max(1));
    before.set_ordering(AtomicOrdering::LLVMAtomicOrderingMonotonic);
    let before = context.builder.freeze(before);
    compare(body, before, address, site);
    body.keep(operation);
    let after = context.load(ty, address, Memory::Real);
    after.set_alignment(operation.alignment().max(1));
    after.set_ordering(AtomicOrdering::LLVMAtomicOrderingMonotonic);
    context.store(after, context.shadow_of(address), Memory::Shadow);
}

/// The marker before a by-value argument.
pub(crate) fn check_range(body: &mut Body, marker: Value) {
    let context = body.context;
    if let (Some(address), Some(bytes)) = (marker.arg(0), marker.arg(1)) {
        let site = context.site(marker);
        context.call_runtime("__wd_check_range", context.types.void, &[site, address, bytes]);
    }
    body.remove(marker);
}

/// The marker that copies a by-value parameter: its shadow becomes what is really there.
pub(crate) fn byval_copy(body: &mut Body, marker: Value) {
    let context = body.context;
    if let (Some(to), Some(from), Some(bytes)) =
        (marker.arg(0), marker.arg(1), marker.arg(2).and_then(Value::int_value))
    {
        let pieces: Vec<_> = pieces(bytes).collect();
        if bytes <= 4 * INLINE_BYTES {
            for (offset, size) in pieces {
                let ty = context.module.int_type(size as u32 * 8);
                let value = context.load(ty, context.builder.offset(from, offset), Memory::Real);
                context.store_both(context.builder.freeze(value), context.builder.offset(to, offset));
            }
        } else {
            let length = context.types.i64.constant(bytes);
            let copy = context.intrinsic("llvm.memcpy", &[to.ty(), from.ty(), length.ty()]);
            let plain = context.types.i1.zero();
            context.builder.call_function(copy, &[to, from, length, plain]);
            // Now that the frame has the bytes both memories are moved from it: the shadow of the frame, too, is
            // written from the real one.
            let shadow = context.shadow_of(to);
            copy_loop(body, from, shadow, bytes);
        }
    }
    body.remove(marker);
}

/// Copies real bytes to a shadow address, eight at a time.
fn copy_loop(body: &mut Body, from: Value, shadow: Value, bytes: u64) {
    let context = body.context;
    let whole = bytes / 8 * 8;
    body.repeat(whole / 8, |context, index| {
        let offset = context.builder.mul(index, context.types.i64.constant(8));
        let i8 = context.module.int_type(8);
        let value = context.load(context.types.i64, context.builder.gep(i8, from, &[offset]), Memory::Real);
        context.store(context.builder.freeze(value), context.builder.gep(i8, shadow, &[offset]), Memory::Shadow);
    });
    for (offset, size) in pieces(bytes - whole) {
        let ty = context.module.int_type(size as u32 * 8);
        let value = context.load(ty, context.builder.offset(from, whole + offset), Memory::Real);
        context.store(context.builder.freeze(value), context.builder.offset(shadow, whole + offset), Memory::Shadow);
    }
}

/// memcpy and memmove: both memories are moved. Many bytes are compared first: what external code has put there is found at
/// once, and not byte by byte where the copy is read.
pub(crate) fn move_memory(body: &mut Body, call: Value) {
    let context = body.context;
    if let (Some(to), Some(from), Some(bytes)) = (call.arg(0), call.arg(1), call.arg(2)) {
        match bytes.int_value() {
            Some(bytes) if bytes <= INLINE_BYTES => move_inline(context, to, from, bytes),
            Some(_) => _ = context.call_plain("__wd_memmove", context.types.ptr, &[to, from, bytes]),
            None => {
                let bytes = context.builder.resize(bytes, context.types.i64);
                let site = context.site(call);
                context.call_runtime("__wd_memmove_checked", context.types.void, &[site, to, from, bytes]);
            }
        }
    }
    body.remove(call);
}

/// Moves a few bytes of both memories: all is read before anything is written.
pub(crate) fn move_inline(context: &Context, to: Value, from: Value, bytes: u64) {
    let builder = &context.builder;
    let values: Vec<_> = pieces(bytes)
        .map(|(offset, size)| {
            let ty = context.module.int_type(size as u32 * 8);
            let address = builder.offset(from, offset);
            let real = context.load(ty, address, Memory::Real);
            let shadow = context.load(ty, context.shadow_of(address), Memory::Shadow);
            (offset, builder.freeze(real), builder.freeze(shadow))
        })
        .collect();
    for (offset, real, shadow) in values {
        let address = builder.offset(to, offset);
        context.store(real, address, Memory::Real);
        context.store(shadow, context.shadow_of(address), Memory::Shadow);
    }
}

/// memset of both memories.
pub(crate) fn set_memory(body: &mut Body, call: Value) {
    let context = body.context;
    let builder = &context.builder;
    if let (Some(to), Some(byte), Some(bytes)) = (call.arg(0), call.arg(1), call.arg(2)) {
        match bytes.int_value() {
            Some(bytes) if bytes <= INLINE_BYTES => {
                for (offset, size) in pieces(bytes) {
                    let ty = context.module.int_type(size as u32 * 8);
                    let ones = ty.constant(0x0101_0101_0101_0101);
                    let value = builder.mul(builder.resize(byte, ty), ones);
                    context.store_both(value, builder.offset(to, offset));
                }
            }
            _ => {
                let byte = builder.resize(byte, context.types.i32);
                let bytes = builder.resize(bytes, context.types.i64);
                context.call_plain("__wd_memset", context.types.ptr, &[to, byte, bytes]);
            }
        }
    }
    body.remove(call);
}

/// Offsets and sizes of the machine words that cover so many bytes.
fn pieces(bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let rest = bytes - offset;
        let size = [8, 4, 2, 1].into_iter().find(|&size| size <= rest)?;
        offset += size;
        Some((offset - size, size))
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn pieces_cover_all_bytes_once() {
        assert_eq!(super::pieces(0).count(), 0);
        assert_eq!(super::pieces(15).collect::<Vec<_>>(), [(0, 8), (8, 4), (12, 2), (14, 1)]);
    }
}
