//! Intrinsics that are operations of the model.

mod classify;

use whydunit_llvm::Value;
use whydunit_model::{Demanded, Flags, FloatOp, FloatUnary, IntOp, IntUnary, Op, Opnd, OverflowOp, TrapKind};

use crate::{body::Body, leaves::bits};

/// Nothing happens at run time.
#[rustfmt::skip]
const WITHOUT_EFFECT: [&str; 16] = [
    "va_end", "lifetime.start", "lifetime.end", "assume", "prefetch", "donothing", "sideeffect", "var.annotation",
    "experimental.noalias.scope.decl", "fake.use", "dbg.declare", "dbg.value", "dbg.label", "dbg.assign", "pseudoprobe",
    "codeview.annotation",
];

/// The result is the first argument.
#[rustfmt::skip]
const FIRST_ARGUMENT: [&str; 8] = [
    "expect", "expect.with.probability", "annotation", "ptr.annotation", "launder.invariant.group", "strip.invariant.group",
    "ssa.copy", "arithmetic.fence",
];

/// The operation's name: the parts of an intrinsic's name before its types (`fabs` of `fabs.f64`).
fn base(name: &str) -> &str {
    let is_type = |part: &str| {
        let part = part.trim_start_matches(|c: char| matches!(c, 'v' | 'p' | 'i' | 'f') || c.is_ascii_digit());
        part.is_empty()
    };
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        if !is_type(&name[dot + 1..end]) {
            break;
        }
        end = dot;
    }
    &name[..end]
}

impl Body<'_, '_> {
    /// Lowers a call of the intrinsic `name` (without `llvm.`).
    pub(crate) fn intrinsic(&mut self, value: Value, name: &str) -> Option<()> {
        let operation = base(name);
        match operation {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let (dst, src, len) = (self.input(value, 0)?, self.input(value, 1)?, self.input(value, 2)?);
                self.demand_aligned_argument(value, 0, dst);
                self.demand_aligned_argument(value, 1, src);
                self.emit(Op::MemMove { dst, src, len });
            }
            "memset" | "memset.inline" => {
                let (dst, filler, len) = (self.input(value, 0)?, self.input(value, 1)?, self.input(value, 2)?);
                self.emit(Op::MemSet { dst, value: filler, len });
            }
            "va_start" => {
                let list = self.input(value, 0)?;
                self.emit(Op::VaStart { list });
            }
            "va_copy" => {
                let (dst, src) = (self.input(value, 0)?, self.input(value, 1)?);
                self.emit(Op::VaCopy { dst, src });
            }
            "stacksave" => {
                let dst = self.result(value)?;
                self.emit(Op::StackSave { dst });
            }
            "stackrestore" => {
                let a = self.input(value, 0)?;
                self.emit(Op::StackRestore { a });
            }
            "threadlocal.address" => return self.thread_local(value),
            "trap" => {
                if self.misses_result(value) {
                    let nothing = self.number(0);
                    self.demand(nothing, Demanded::Result);
                }
                self.emit(Op::Trap { kind: TrapKind::Trap });
            }
            "debugtrap" | "ubsantrap" => self.emit(Op::Trap { kind: TrapKind::Trap }),
            hint if WITHOUT_EFFECT.contains(&hint) => {}
            hint if FIRST_ARGUMENT.contains(&hint) => return self.move_operand(value, 0),
            "is.fpclass" => return self.is_class(value),
            "ptrmask" => {
                let (a, b, dst) = (self.input(value, 0)?, self.input(value, 1)?, self.result(value)?);
                self.emit(Op::Int { op: IntOp::And, w: 64, flags: Flags::default(), dst, a, b });
            }
            "fma" => {
                return self.elementwise(value, |body, ty, dst, inputs| {
                    let (a, b, c) = (*inputs.first()?, *inputs.get(1)?, *inputs.get(2)?);
                    body.emit(Op::Fma { ty, dst, a, b, c });
                    Some(())
                });
            }
            "fmuladd" => {
                return self.elementwise(value, |body, ty, dst, inputs| {
                    let (a, b, c) = (*inputs.first()?, *inputs.get(1)?, *inputs.get(2)?);
                    let product = body.temporary(ty.slots());
                    body.emit(Op::Float { op: FloatOp::Mul, ty, dst: product, a, b });
                    body.emit(Op::Float { op: FloatOp::Add, ty, dst, a: Opnd::slot(product), b: c });
                    Some(())
                });
            }
            "fshl" | "fshr" => {
                let left = operation == "fshl";
                return self.elementwise(value, |body, ty, dst, inputs| {
                    let (a, b, amount) = (*inputs.first()?, *inputs.get(1)?, *inputs.get(2)?);
                    let w = bits(ty);
                    if w > 64 {
                        return None;
                    }
                    body.emit(Op::Funnel { left, w, dst, a, b, amount });
                    Some(())
                });
            }
            _ => return self.arithmetic(value, operation),
        }
        Some(())
    }

    fn arithmetic(&mut self, value: Value, operation: &str) -> Option<()> {
        if let Some(op) = float_unary(operation) {
            return self.float_unary(value, op);
        }
        if let Some(op) = float_binary(operation) {
            return self.float_binary(value, op);
        }
        if let Some(op) = int_unary(operation) {
            // The second argument says that the operand which has no result is not given.
            let excluded = value.operand(1).is_some_and(|flag| value.arg_count() > 1 && flag.int_value() == Some(1));
            return self.elementwise(value, |body, ty, dst, inputs| {
                let w = bits(ty);
                match op {
                    IntUnary::Ctlz | IntUnary::Cttz if excluded => {
                        body.demand(*inputs.first()?, Demanded::NotZero { w })
                    }
                    IntUnary::Abs if excluded => body.demand(*inputs.first()?, Demanded::Magnitude { w }),
                    _ => {}
                }
                body.emit(Op::IntUnary { op, w: bits(ty), dst, a: *inputs.first()? });
                Some(())
            });
        }
        if let Some(op) = int_binary(operation) {
            return self.elementwise(value, |body, ty, dst, inputs| body.int_op(op, ty, Flags::default(), dst, inputs));
        }
        if let Some(op) = overflow(operation) {
            let ty = self.scalar(value.operand(0)?.ty())?;
            let (a, b, dst) = (self.input(value, 0)?, self.input(value, 1)?, self.result(value)?);
            self.emit(Op::Overflow { op, w: bits(ty), dst, a, b });
            return Some(());
        }
        self.reduction(value, operation.strip_prefix("vector.reduce.")?)
    }

    /// The elements of a vector, combined in order.
    fn reduction(&mut self, value: Value, name: &str) -> Option<()> {
        let op = match name {
            "add" => IntOp::Add,
            "mul" => IntOp::Mul,
            "and" => IntOp::And,
            "or" => IntOp::Or,
            "xor" => IntOp::Xor,
            "smax" => IntOp::SMax,
            "smin" => IntOp::SMin,
            "umax" => IntOp::UMax,
            "umin" => IntOp::UMin,
            _ => return None,
        };
        let shape = self.shape(value.operand(0)?.ty())?;
        let ty = *shape.leaves.first()?;
        let (source, dst) = (self.input(value, 0)?, self.result(value)?);
        self.copy(ty.slots(), dst, source);
        for index in 1..shape.leaves.len() as u32 {
            self.int_op(op, ty, Flags::default(), dst, &[Opnd::slot(dst), source.word(index * ty.slots())])?;
        }
        Some(())
    }

    fn thread_local(&mut self, value: Value) -> Option<()> {
        let named = value.operand(0)?;
        let target = named.aliasee().unwrap_or(named);
        let global = self.context.symbols.global(target)?;
        let dst = self.result(value)?;
        self.emit(Op::ThreadLocal { dst, global });
        Some(())
    }
}

fn float_unary(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "fabs" => FloatUnary::Abs,
        "sqrt" => FloatUnary::Sqrt,
        "floor" => FloatUnary::Floor,
        "ceil" => FloatUnary::Ceil,
        "trunc" => FloatUnary::Trunc,
        "rint" | "nearbyint" | "roundeven" => FloatUnary::Rint,
        "round" => FloatUnary::Round,
        _ => return None,
    })
}

fn float_binary(name: &str) -> Option<FloatOp> {
    Some(match name {
        "copysign" => FloatOp::CopySign,
        "minnum" => FloatOp::MinNum,
        "maxnum" => FloatOp::MaxNum,
        _ => return None,
    })
}

fn int_unary(name: &str) -> Option<IntUnary> {
    Some(match name {
        "ctpop" => IntUnary::Ctpop,
        "ctlz" => IntUnary::Ctlz,
        "cttz" => IntUnary::Cttz,
        "bswap" => IntUnary::Bswap,
        "bitreverse" => IntUnary::BitReverse,
        "abs" => IntUnary::Abs,
        _ => return None,
    })
}

fn int_binary(name: &str) -> Option<IntOp> {
    Some(match name {
        "umin" => IntOp::UMin,
        "umax" => IntOp::UMax,
        "smin" => IntOp::SMin,
        "smax" => IntOp::SMax,
        "uadd.sat" => IntOp::UAddSat,
        "usub.sat" => IntOp::USubSat,
        "sadd.sat" => IntOp::SAddSat,
        "ssub.sat" => IntOp::SSubSat,
        _ => return None,
    })
}

fn overflow(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "uadd.with.overflow" => OverflowOp::UAdd,
        "sadd.with.overflow" => OverflowOp::SAdd,
        "usub.with.overflow" => OverflowOp::USub,
        "ssub.with.overflow" => OverflowOp::SSub,
        "umul.with.overflow" => OverflowOp::UMul,
        "smul.with.overflow" => OverflowOp::SMul,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn types_are_cut_from_names() {
        for (name, base) in [
            ("fabs.f64", "fabs"),
            ("memcpy.p0.p0.i64", "memcpy"),
            ("memcpy.inline.p0.p0.i64", "memcpy.inline"),
            ("sadd.with.overflow.i32", "sadd.with.overflow"),
            ("vector.reduce.add.v4i32", "vector.reduce.add"),
            ("stacksave.p0", "stacksave"),
            ("trap", "trap"),
        ] {
            assert_eq!(super::base(name), base);
        }
    }
}
