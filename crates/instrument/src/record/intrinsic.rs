//! Intrinsics that canonical IR keeps, and the stand-ins for those that the model does not have.

use whydunit_canonical::NATIVE;
use whydunit_llvm::{Opcode, Value};

use super::{arithmetic::constrained, body::Body, call, context, memory, stack};

pub(crate) fn rewrite(body: &mut Body, call: Value, name: &str) {
    let context = body.context;
    let operation = name.split('.').nth(1).unwrap_or_default();
    match operation {
        "memcpy" | "memmove" => memory::move_memory(body, call),
        "memset" => memory::set_memory(body, call),
        "va_start" => stack::va_start(body, call),
        "va_copy" => {
            if let (Some(to), Some(from)) = (call.arg(0), call.arg(1)) {
                memory::move_inline(context, to, from, 24);
            }
            body.remove(call);
        }
        "va_end" => body.remove(call),
        "stacksave" => {
            let usp = context.read_control(context.types.i64, context::USP);
            let pointer = context.builder.cast(Opcode::LLVMIntToPtr, usp, call.ty());
            body.replace(call, pointer);
        }
        "stackrestore" => {
            if let Some(pointer) = call.arg(0) {
                let usp = context.builder.cast(Opcode::LLVMPtrToInt, pointer, context.types.i64);
                context.write_control(usp, context::USP);
                stack::moved(body, usp);
            }
            body.remove(call);
        }
        // Their second argument says that some operand gives poison.
        "abs" | "ctlz" | "cttz" => {
            call.set_arg(1, context.types.i1.zero());
            body.keep(call);
        }
        "sqrt" | "fma" | "rint" | "nearbyint" if !call.ty().is_vector() => {
            let args: Vec<Value> = call.args().collect();
            let value = constrained(context, operation, call.ty(), &args);
            body.replace(call, value);
        }
        _ => body.keep(call),
    }
}

/// The intrinsic itself again; its result is recorded like that of an external call.
pub(crate) fn native(body: &mut Body, call: Value, name: &str) {
    let context = body.context;
    let site = context.site(call);
    if let Some(intrinsic) = context.module.function(&name[NATIVE.len()..]) {
        call.set_called(intrinsic);
    }
    body.keep(call);
    call::returned(body, call, site);
}
