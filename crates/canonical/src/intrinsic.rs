//! Intrinsics: hints go, the inexact become calls of libm, what the model lacks becomes a declared function.

use whydunit_llvm::{AttributePlace, Builder, FloatPredicate, IntPredicate, Module, Opcode, Type, Value};

use crate::{NATIVE, Notes, bodies, libm};

/// What is done with the calls of an intrinsic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Treatment {
    /// The model has it.
    Keep,
    /// It does nothing.
    Remove,
    /// It is its first argument.
    Argument,
    /// `fmuladd`: multiply, then add.
    MulAdd,
    /// `memcpy.inline`, `memset.inline`: the plain one.
    Inline,
    /// `ptrmask`
    Mask,
    /// `ucmp`, `scmp`: less, equal or greater as a number.
    Compare,
    /// `is.fpclass`
    Classify,
    /// A floating operation under `FENV_ACCESS`: the plain one, both copies respect the rounding mode anyway.
    Constrained,
    /// A function of libm, with result structures or without.
    Math,
    /// None of these.
    Native,
}

/// What is done with intrinsics whose names say enough, the types behind them left out. The first that fits counts.
#[rustfmt::skip]
const BY_NAME: &[(Treatment, &[&str])] = &[
    (Treatment::Inline, &["memcpy.inline", "memset.inline"]),
    (Treatment::Keep, &[
        "umin", "umax", "smin", "smax", "uadd.sat", "usub.sat", "sadd.sat", "ssub.sat", "uadd.with.overflow",
        "sadd.with.overflow", "usub.with.overflow", "ssub.with.overflow", "umul.with.overflow",
        "smul.with.overflow", "fshl", "fshr", "bswap", "ctpop", "ctlz", "cttz", "bitreverse", "abs",
        "memcpy", "memmove", "memset", "va_start", "va_copy", "va_end", "stacksave", "stackrestore", "fabs",
        "copysign", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "roundeven", "round", "minnum",
        "maxnum", "fma", "trap", "debugtrap", "ubsantrap", "threadlocal.address",
    ]),
    (Treatment::Remove, &[
        "lifetime.start", "lifetime.end", "assume", "prefetch", "donothing", "sideeffect", "var.annotation",
        "pseudoprobe", "experimental.noalias.scope.decl", "invariant.start", "invariant.end",
        "codeview.annotation", "fake.use", "dbg.declare", "dbg.value", "dbg.label", "dbg.assign",
    ]),
    (Treatment::Argument, &[
        "expect", "expect.with.probability", "annotation", "ptr.annotation", "launder.invariant.group",
        "strip.invariant.group", "ssa.copy", "arithmetic.fence",
    ]),
    (Treatment::MulAdd, &["fmuladd"]),
    (Treatment::Mask, &["ptrmask"]),
];

fn treatment(name: &str) -> Treatment {
    let base = name.strip_prefix("llvm.").unwrap_or(name);
    let starts =
        |prefix: &&str| base.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let by_name = BY_NAME.iter().find(|(_, names)| names.iter().any(starts));
    if base.starts_with("experimental.constrained.") {
        Treatment::Constrained
    } else if let Some((treatment, _)) = by_name {
        *treatment
    } else if ["ucmp", "scmp"].iter().any(starts) && !base.contains(".v") {
        Treatment::Compare
    } else if starts(&"is.fpclass") && (name.ends_with(".f32") || name.ends_with(".f64")) {
        Treatment::Classify
    } else if libm::function_of(name).is_some() {
        Treatment::Math
    } else {
        Treatment::Native
    }
}

pub(crate) fn lower(module: &Module, notes: &mut Notes) {
    let builder = Builder::new(module);
    let compiled: std::collections::HashSet<Value> = bodies(module).collect();
    let intrinsics: Vec<Value> = module.functions().filter(|function| function.name().starts_with("llvm.")).collect();
    for intrinsic in intrinsics {
        let name = intrinsic.name();
        let treatment = treatment(&name);
        if treatment == Treatment::Keep {
            continue;
        }
        for call in intrinsic.users() {
            let of_body =
                |call: Value| call.block().and_then(|block| block.parent()).is_some_and(|f| compiled.contains(&f));
            if !call.is_call() || !of_body(call) {
                continue;
            }
            builder.before(call);
            builder.set_location(call.debug_location());
            if apply(module, &builder, treatment, &name, call).is_none() {
                notes.lines.push(format!("{name}: not supported"));
            }
        }
    }
}

/// Rewrites one call; none where it cannot be.
fn apply(module: &Module, builder: &Builder, treatment: Treatment, name: &str, call: Value) -> Option<()> {
    let result = match treatment {
        Treatment::Keep => return Some(()),
        Treatment::Remove => {
            // invariant.start gives a token-like pointer that only invariant.end uses.
            if call.has_uses() {
                call.replace_all_uses_with(call.ty().zero());
            }
            call.erase();
            return Some(());
        }
        Treatment::Argument => call.arg(0)?,
        Treatment::MulAdd => {
            let product = builder.fmul(call.arg(0)?, call.arg(1)?);
            builder.fadd(product, call.arg(2)?)
        }
        Treatment::Inline => {
            let plain = if name.starts_with("llvm.memset") { "llvm.memset" } else { "llvm.memcpy" };
            let overloads: Vec<Type> = if plain == "llvm.memset" {
                vec![call.arg(0)?.ty(), call.arg(2)?.ty()]
            } else {
                vec![call.arg(0)?.ty(), call.arg(1)?.ty(), call.arg(2)?.ty()]
            };
            let function = module.intrinsic(plain, &overloads)?;
            let args: Vec<Value> = call.args().collect();
            builder.call_function(function, &args)
        }
        Treatment::Mask => {
            let pointer = call.arg(0)?;
            let mask = call.arg(1)?;
            let bits = builder.cast(Opcode::LLVMPtrToInt, pointer, mask.ty());
            builder.cast(Opcode::LLVMIntToPtr, builder.and(bits, mask), pointer.ty())
        }
        Treatment::Compare => {
            let (a, b) = (call.arg(0)?, call.arg(1)?);
            let (more, less) = match name.starts_with("llvm.ucmp") {
                true => (IntPredicate::LLVMIntUGT, IntPredicate::LLVMIntULT),
                false => (IntPredicate::LLVMIntSGT, IntPredicate::LLVMIntSLT),
            };
            let one = |predicate| builder.cast(Opcode::LLVMZExt, builder.icmp(predicate, a, b), call.ty());
            builder.sub(one(more), one(less))
        }
        Treatment::Classify => classify(module, builder, call.arg(0)?, call.arg(1)?.int_value()?),
        Treatment::Constrained => unconstrained(module, builder, name, call)?,
        Treatment::Math => libm::call(module, builder, name, call)?,
        Treatment::Native => return native(module, name, call),
    };
    if !call.ty().is_void() {
        call.replace_all_uses_with(result);
    }
    call.erase();
    Some(())
}

/// The operation behind `llvm.experimental.constrained.NAME`.
fn unconstrained(module: &Module, builder: &Builder, name: &str, call: Value) -> Option<Value> {
    use Opcode::*;
    let operation = name.strip_prefix("llvm.experimental.constrained.")?;
    let base = operation.split('.').next()?;
    let a = call.arg(0)?;
    let opcode = match base {
        "fadd" => LLVMFAdd,
        "fsub" => LLVMFSub,
        "fmul" => LLVMFMul,
        "fdiv" => LLVMFDiv,
        "frem" => LLVMFRem,
        "fptrunc" => LLVMFPTrunc,
        "fpext" => LLVMFPExt,
        "sitofp" => LLVMSIToFP,
        "uitofp" => LLVMUIToFP,
        "fptosi" => LLVMFPToSI,
        "fptoui" => LLVMFPToUI,
        "fcmp" | "fcmps" => return Some(builder.fcmp(predicate(&call.arg(2)?.print())?, a, call.arg(1)?)),
        "fmuladd" => return Some(builder.fadd(builder.fmul(a, call.arg(1)?), call.arg(2)?)),
        _ => {
            let plain = format!("llvm.{operation}");
            if libm::function_of(&plain).is_some() {
                return libm::call(module, builder, &plain, call);
            }
            let function = module.intrinsic(&format!("llvm.{base}"), &[call.ty()])?;
            let args: Vec<Value> = call.args().take(function.param_count() as usize).collect();
            return Some(builder.call_function(function, &args));
        }
    };
    Some(match opcode {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem => builder.binary(opcode, a, call.arg(1)?),
        _ => builder.cast(opcode, a, call.ty()),
    })
}

/// The predicate that a metadata argument names.
fn predicate(text: &str) -> Option<FloatPredicate> {
    use FloatPredicate::*;
    Some(match text.split('"').nth(1)? {
        "oeq" => LLVMRealOEQ,
        "ogt" => LLVMRealOGT,
        "oge" => LLVMRealOGE,
        "olt" => LLVMRealOLT,
        "ole" => LLVMRealOLE,
        "one" => LLVMRealONE,
        "ord" => LLVMRealORD,
        "uno" => LLVMRealUNO,
        "ueq" => LLVMRealUEQ,
        "ugt" => LLVMRealUGT,
        "uge" => LLVMRealUGE,
        "ult" => LLVMRealULT,
        "ule" => LLVMRealULE,
        "une" => LLVMRealUNE,
        _ => return None,
    })
}

/// The call goes to a declared function that stands for the intrinsic.
fn native(module: &Module, name: &str, call: Value) -> Option<()> {
    let ty = call.called_type()?;
    let passes = |ty: Type| ty.is_void() || ty.is_sized();
    if !passes(ty.return_type()?) || !ty.param_types().into_iter().all(passes) {
        return None;
    }
    call.set_called(module.get_or_declare(&format!("{NATIVE}{name}"), ty));
    for index in 0..call.arg_count() {
        call.remove_attribute(AttributePlace::Param(index), module.attribute("immarg", 0));
    }
    Some(())
}

/// `is.fpclass` of a float or double with integer operations: `mask` has a bit for each class.
fn classify(module: &Module, builder: &Builder, value: Value, mask: u64) -> Value {
    let double = value.ty() == module.double_type();
    let (width, fraction) = if double { (64, 52) } else { (32, 23) };
    let int = module.int_type(width);
    let (quiet, normal) = (1u64 << (fraction - 1), 1u64 << fraction);
    let infinity = if double { 0x7ff << 52 } else { 0xff << 23 };
    let bits = builder.cast(Opcode::LLVMBitCast, value, int);
    let magnitude = builder.and(bits, int.constant((1 << (width - 1)) - 1));
    let negative = builder.icmp(IntPredicate::LLVMIntSLT, bits, int.zero());
    let positive = builder.xor(negative, module.int_type(1).constant(1));
    let within = |low: u64, count: u64| {
        let distance = builder.sub(magnitude, int.constant(low));
        builder.icmp(IntPredicate::LLVMIntULT, distance, int.constant(count))
    };
    // (bit of the negative class, bit of the positive one, first magnitude, how many)
    let classes = [
        (0, 0, infinity + 1, quiet - 1),
        (1, 1, infinity | quiet, quiet),
        (2, 9, infinity, 1),
        (3, 8, normal, infinity - normal),
        (4, 7, 1, normal - 1),
        (5, 6, 0, 1),
    ];
    let mut result = module.int_type(1).zero();
    for (below, above, low, count) in classes {
        let (below, above) = (mask >> below & 1 == 1, mask >> above & 1 == 1);
        if !below && !above {
            continue;
        }
        let mut holds = within(low, count);
        if below != above {
            holds = builder.and(holds, if below { negative } else { positive });
        }
        result = builder.or(result, holds);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_are_told_apart_by_whole_names() {
        assert_eq!(treatment("llvm.trunc.f64"), Treatment::Keep);
        assert_eq!(treatment("llvm.memcpy.inline.p0.p0.i64"), Treatment::Inline);
        assert_eq!(treatment("llvm.memcpy.p0.p0.i64"), Treatment::Keep);
        assert_eq!(treatment("llvm.absorb"), Treatment::Native);
        assert_eq!(treatment("llvm.expect.i64"), Treatment::Argument);
        assert_eq!(treatment("llvm.is.fpclass.f80"), Treatment::Native);
        assert_eq!(treatment("llvm.pow.f64"), Treatment::Math);
        assert_eq!(treatment("llvm.lifetime.start.p0"), Treatment::Remove);
    }
}
