//! The emulated stack while a function runs: entry and return, variadic arguments, setjmp, landing pads.

use whydunit_canonical::layout;
use whydunit_llvm::{AttributePlace, IntPredicate, Opcode, Value};

use crate::safepoints;

use super::{abi::Registers, body::Body, context, frame::native, thunk};

/// The safepoint marker; the first one of a function is where its frame is set up.
pub(crate) fn safepoint(body: &mut Body, marker: Value) {
    let entry = !body.frame.entered;
    body.frame.entered = true;
    if entry && body.frame.variadic {
        variadic_entry(body);
    }
    safepoints::count(body.context.module, &body.context.builder);
    if entry {
        enter(body);
    }
    body.remove(marker);
}

fn enter(body: &mut Body) {
    let context = body.context;
    let builder = &context.builder;
    let int = context.types.i64;
    if body.frame.setjmp {
        let serial = native(context, body.function, 1);
        let counter = context.read_control(int, context::COUNTER);
        builder.store(counter, serial, 8).set_volatile(true);
        body.frame.serial = Some(serial);
        body.frame.before = Some(native(context, body.function, 1));
    }
    if !body.frame.moves && !body.frame.lands {
        return;
    }
    let old = context.read_control(int, context::USP);
    body.frame.old = body.frame.moves.then_some(old);
    let mut usp = old;
    if body.frame.variadic {
        let fixed = Registers::of_params(context.module, body.function);
        let list = native(context, body.function, 3);
        let start = context.intrinsic("llvm.va_start", &[context.types.ptr]);
        builder.call_function(start, &[list]);
        let count = |n: u32| context.types.i32.constant(n.into());
        let area = context.call_runtime(
            "__wd_va_enter",
            context.types.ptr,
            &[list, count(fixed.general), count(fixed.vector)],
        );
        body.frame.area = Some((area, fixed));
        usp = context.read_control(int, context::USP);
    }
    if body.frame.layout.size != 0 {
        let lower = builder.sub(usp, int.constant(body.frame.layout.size));
        let base = builder.and(lower, int.constant(u64::from(body.frame.layout.align).wrapping_neg()));
        context.write_control(base, context::USP);
        usp = base;
        let base = builder.cast(Opcode::LLVMIntToPtr, base, context.types.ptr);
        for slot in std::mem::take(&mut body.frame.layout.slots) {
            let object = builder.offset(base, slot.offset);
            slot.alloca.replace_all_uses_with(object);
            body.erased.insert(slot.alloca);
            body.pass_over(slot.alloca);
            slot.alloca.erase();
        }
        body.here();
    }
    if body.frame.lands {
        body.frame.level = Some(if body.frame.dynamic { native(context, body.function, 1) } else { usp });
        moved(body, usp);
    }
}

/// The emulated stack pointer has a new value.
pub(crate) fn moved(body: &Body, usp: Value) {
    if let (Some(slot), true) = (body.frame.level, body.frame.dynamic) {
        body.context.builder.store(usp, slot, 8);
    }
}

/// A landing pad: captured code is at work again, the emulated stack is as it was at the call.
pub(crate) fn land(body: &mut Body, pad: Value) {
    body.keep(pad);
    let context = body.context;
    let (builder, int) = (&context.builder, context.types.i64);
    let Some(level) = body.frame.level else { return };
    let usp = if body.frame.dynamic { builder.load(int, level, 8) } else { level };
    let exception = builder.cast(Opcode::LLVMPtrToInt, builder.extract(pad, 0), int);
    let selector = builder.cast(Opcode::LLVMSExt, builder.extract(pad, 1), int);
    context.call_runtime("__wd_landed", context.types.void, &[context.site(pad), exception, selector, usp]);
}

/// External code calls a variadic function: there is no thunk that could pass the arguments on.
fn variadic_entry(body: &mut Body) {
    let context = body.context;
    let function = body.function;
    if function.is_local() && !whydunit_canonical::escapes(function) {
        return;
    }
    let (builder, int) = (&context.builder, context.types.i64);
    let flag = native(context, function, 1);
    builder.store(int.zero(), flag, 8);
    let state = context.read_control(int, context::STATE);
    let outside = builder.icmp(IntPredicate::LLVMIntNE, state, int.zero());
    body.when(outside, true, |body| {
        let context = body.context;
        let builder = &context.builder;
        let own = builder.cast(Opcode::LLVMPtrToInt, function, int);
        let captured = builder.icmp(IntPredicate::LLVMIntEQ, state, own);
        context.write_control(int.zero(), context::STATE);
        let called_back = builder.xor(captured, context.types.i1.constant(1));
        body.when(called_back, false, |body| {
            let args: Vec<Value> = function.params().collect();
            thunk::announce(body.context, function, &args);
            body.context.builder.store(int.constant(1), flag, 8);
        });
    });
    body.frame.external = Some(flag);
}

/// Before a return: the emulated stack as it was.
pub(crate) fn leave(body: &mut Body) {
    let context = body.context;
    if let Some(old) = body.frame.old {
        context.write_control(old, context::USP);
    }
    if let Some(flag) = body.frame.external {
        let external = context.builder.load(context.types.i64, flag, 8);
        thunk::comes_back(context, external);
    }
}

/// A dynamic alloca. Static ones went with the entry.
pub(crate) fn alloca(body: &mut Body, alloca: Value) {
    let context = body.context;
    if layout::is_static(alloca) {
        // It stands before the entry's safepoint, where the frame is made.
        return body.keep(alloca);
    }
    let Some(count) = alloca.operand(0) else { return body.keep(alloca) };
    let (builder, int) = (&context.builder, context.types.i64);
    let ty = alloca.allocated_type();
    let align = alloca.alignment().max(context.module.align_of(ty)).max(16);
    let size = int.constant(context.module.size_of(ty));
    let bytes = builder.mul(builder.resize(count, int), size);
    let lower = builder.sub(context.read_control(int, context::USP), bytes);
    let usp = builder.and(lower, int.constant(u64::from(align).wrapping_neg()));
    context.write_control(usp, context::USP);
    moved(body, usp);
    let pointer = builder.cast(Opcode::LLVMIntToPtr, usp, context.types.ptr);
    body.replace(alloca, pointer);
}

/// `va_start`: a list that leads into the area on the emulated stack.
pub(crate) fn va_start(body: &mut Body, call: Value) {
    let context = body.context;
    if let (Some(list), Some((area, fixed))) = (call.arg(0), body.frame.area) {
        let builder = &context.builder;
        let word = |n: u32| context.types.i32.constant(n.into());
        context.store_both(word(8 * fixed.general), list);
        context.store_both(word(48 + 16 * fixed.vector), builder.offset(list, 4));
        context.store_both(builder.offset(area, 176 + fixed.stack % 16), builder.offset(list, 8));
        context.store_both(area, builder.offset(list, 16));
    }
    body.remove(call);
}

/// setjmp and its like: each return is announced with what identifies this call.
pub(crate) fn setjmp(body: &mut Body, call: Value) {
    let context = body.context;
    let (builder, int) = (&context.builder, context.types.i64);
    let (Some(serial), Some(before)) = (body.frame.serial, body.frame.before) else { return body.keep(call) };
    let site = context.site(call);
    let usp = context.read_control(int, context::USP);
    builder.store(usp, before, 8).set_volatile(true);
    context.write_control(int.constant(1), context::STATE);
    let twice = context.module.attribute("returns_twice", 0);
    call.add_attribute(AttributePlace::Function, twice);
    if let Some(callee) = call.called_function() {
        callee.add_attribute(AttributePlace::Function, twice);
    }
    body.keep(call);
    let value = if call.ty().is_int() {
        if call.ty().int_width() < 64 { builder.cast(Opcode::LLVMSExt, call, int) } else { call }
    } else {
        int.zero()
    };
    let slot = |slot| {
        let load = builder.load(int, slot, 8);
        load.set_volatile(true);
        load
    };
    let (serial, usp) = (slot(serial), slot(before));
    context.call_runtime("__wd_ret_setjmp", context.types.void, &[site, value, serial, usp]);
}
