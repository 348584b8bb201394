//! Operations whose result LLVM leaves open, done as docs/engine.md says; floating arithmetic at run time.

use whydunit_llvm::{AttributePlace, FloatPredicate, IntPredicate, Opcode, Type, TypeKind, Value};

use super::{body::Body, context::Context};

/// Division: by zero and the overflowing one trap explicitly.
pub(crate) fn divide(body: &mut Body, division: Value) {
    let context = body.context;
    let builder = &context.builder;
    let (Some(a), Some(b)) = (division.operand(0), division.operand(1)) else { return body.keep(division) };
    let signed = matches!(division.opcode(), Opcode::LLVMSDiv | Opcode::LLVMSRem);
    let ty = b.ty();
    let ones = builder_ones(ty);
    let constant = b.is_constant() && b.int_words().is_some();
    if constant && b != ty.zero() && !(signed && b == ones) {
        return body.keep(division);
    }
    let site = context.site(division);
    let mut traps = builder.icmp(IntPredicate::LLVMIntEQ, b, ty.zero());
    if signed {
        let least = builder.icmp(IntPredicate::LLVMIntEQ, a, least(ty));
        let minus_one = builder.icmp(IntPredicate::LLVMIntEQ, b, ones);
        traps = builder.or(traps, builder.and(least, minus_one));
    }
    body.never(traps, |context| {
        context.call_runtime("__wd_trap_div", context.types.void, &[site]);
    });
    body.keep(division);
}

fn builder_ones(ty: Type) -> Value {
    ty.wide_constant(&[u64::MAX, u64::MAX])
}

fn least(ty: Type) -> Value {
    let width = ty.int_width();
    if width <= 64 { ty.constant(1 << (width - 1)) } else { ty.wide_constant(&[0, 1 << (width - 65)]) }
}

/// Shift: the amount modulo the width.
pub(crate) fn shift(body: &mut Body, shift: Value) {
    let context = body.context;
    let Some(amount) = shift.operand(1) else { return body.keep(shift) };
    let ty = amount.ty();
    let width = ty.int_width();
    let small = amount.int_words().is_some_and(|words| words[1] == 0 && words[0] < width.into());
    if width != 0 && !small {
        let masked = if width.is_power_of_two() {
            context.builder.and(amount, ty.constant(u64::from(width) - 1))
        } else {
            context.builder.urem(amount, ty.constant(width.into()))
        };
        shift.set_operand(1, masked);
    }
    body.keep(shift);
}

/// Floating arithmetic in the rounding mode of the moment.
pub(crate) fn float(body: &mut Body, operation: Value) {
    let name = match operation.opcode() {
        Opcode::LLVMFAdd => "fadd",
        Opcode::LLVMFSub => "fsub",
        Opcode::LLVMFMul => "fmul",
        Opcode::LLVMFDiv => "fdiv",
        Opcode::LLVMFRem => "frem",
        Opcode::LLVMFPTrunc => "fptrunc",
        Opcode::LLVMFPExt => "fpext",
        Opcode::LLVMSIToFP => "sitofp",
        Opcode::LLVMUIToFP => "uitofp",
        _ => return body.keep(operation),
    };
    if operation.ty().is_vector() {
        return body.keep(operation);
    }
    let args: Vec<Value> = operation.operands().collect();
    let value = constrained(body.context, name, operation.ty(), &args);
    body.replace(operation, value);
}

/// A constrained intrinsic: nothing is folded that depends on the mode or makes a NaN.
pub(crate) fn constrained(context: &Context, name: &str, ty: Type, args: &[Value]) -> Value {
    let module = context.module;
    let converts = matches!(name, "fptrunc" | "fpext" | "sitofp" | "uitofp");
    let overloads = if converts { vec![ty, args[0].ty()] } else { vec![ty] };
    let function = context.intrinsic(&format!("llvm.experimental.constrained.{name}"), &overloads);
    let text = |text| module.metadata_argument(module.metadata_text_node(text));
    let mut all = args.to_vec();
    if !matches!(name, "fpext" | "floor" | "ceil" | "trunc" | "round" | "roundeven") {
        all.push(text("round.dynamic"));
    }
    all.push(text("fpexcept.strict"));
    let call = context.builder.call_function(function, &all);
    call.add_attribute(AttributePlace::Function, module.attribute("strictfp", 0));
    call
}

/// Float to integer, with the machine's results for what is out of range.
pub(crate) fn float_to_int(body: &mut Body, conversion: Value) {
    let context = body.context;
    let Some(mut value) = conversion.operand(0) else { return body.keep(conversion) };
    let signed = conversion.opcode() == Opcode::LLVMFPToSI;
    let ty = conversion.ty();
    if !ty.is_int() {
        return body.keep(conversion);
    }
    if value.ty().kind() == TypeKind::LLVMHalfTypeKind {
        value = constrained(context, "fpext", context.module.float_type(), &[value]);
    }
    let source = match value.ty().kind() {
        TypeKind::LLVMFloatTypeKind => "f32",
        TypeKind::LLVMDoubleTypeKind => "f64",
        TypeKind::LLVMX86_FP80TypeKind => "x87",
        _ => return body.keep(conversion),
    };
    let width = ty.int_width();
    let result = if width > 64 {
        let int = context.module.int_type(128);
        let name = format!("__wd_{source}_to_{}128", if signed { 'i' } else { 'u' });
        context.call_plain(&name, int, &[value])
    } else if source == "x87" {
        let (name, int) = match (width, signed) {
            (..=16, _) | (..=32, true) => ("__wd_x87_to_i32", context.types.i32),
            (..=32, false) | (_, true) => ("__wd_x87_to_i64", context.types.i64),
            _ => ("__wd_x87_to_u64", context.types.i64),
        };
        context.call_plain(name, int, &[value])
    } else {
        match (width, signed) {
            (..=16, _) | (..=32, true) => machine(context, value, false),
            (..=32, false) | (_, true) => machine(context, value, true),
            _ => unsigned(context, value),
        }
    };
    let result = context.builder.resize(result, ty);
    body.replace(conversion, result);
}

/// cvttss2si or cvttsd2si.
fn machine(context: &Context, value: Value, wide: bool) -> Value {
    let double = value.ty() == context.module.double_type();
    let name = match (double, wide) {
        (false, false) => "llvm.x86.sse.cvttss2si",
        (false, true) => "llvm.x86.sse.cvttss2si64",
        (true, false) => "llvm.x86.sse2.cvttsd2si",
        (true, true) => "llvm.x86.sse2.cvttsd2si64",
    };
    let vector = context.module.vector_type(value.ty(), if double { 2 } else { 4 });
    let value = context.builder.insert_element(vector.zero(), value, context.types.i32.zero());
    context.builder.call_function(context.intrinsic(name, &[]), &[value])
}

fn unsigned(context: &Context, value: Value) -> Value {
    let builder = &context.builder;
    let limit = value.ty().real((1u64 << 63) as f64);
    let low = builder.fcmp(FloatPredicate::LLVMRealOLT, value, limit);
    let shifted = constrained(context, "fsub", value.ty(), &[value, limit]);
    let direct = machine(context, value, true);
    let high = builder.xor(machine(context, shifted, true), context.types.i64.constant(1 << 63));
    builder.select(low, direct, high)
}
