//! Calls, and what comes back from external code.

use whydunit_canonical::layout;
use whydunit_library::Known;
use whydunit_llvm::{IntPredicate, Linkage, Opcode, Value};

use super::{
    abi::Registers,
    body::Body,
    context::{self, Context},
    stack, strip, thunk,
    words::{word, words_of},
};

/// A call of anything but intrinsics, markers and assembly.
pub(crate) fn rewrite(body: &mut Body, call: Value, called: Value, name: &str) {
    let context = body.context;
    let target = context.bodies.get(&called).copied().unwrap_or(called);
    if !layout::is_defined(target)
        && let Some(known) = whydunit_library::wrapped(name)
    {
        return wrapped(body, call, called, known);
    }
    if layout::is_setjmp(call) {
        return stack::setjmp(body, call);
    }
    if target.is_function() && layout::is_defined(target) && calls_own(context, called) {
        variadic_registers(context, call);
        call.set_called(target);
        body.keep(call);
        restrict(context, call);
        return;
    }
    variadic_registers(context, call);
    if !called.is_function() {
        return protocol(body, call, called);
    }
    // Whether the function is captured the linker knows.
    let direct = direct_name(context, called);
    let args: Vec<Value> = call.args().collect();
    let Some(ty) = call.called_type() else { return body.keep(call) };
    let users = call.users();
    let captured = context.builder.icmp(IntPredicate::LLVMIntNE, direct, context.types.ptr.zero());
    let sides = body.either(
        captured,
        |body| {
            let fresh = body.same_call(call, ty, direct, &args);
            strip::copy_attributes(call, fresh, 0);
            restrict(body.context, fresh);
            Some(fresh)
        },
        |body| {
            protocol(body, call, called);
            Some(call)
        },
    );
    if !users.is_empty() {
        let joined = context.builder.phi(call.ty());
        for user in users {
            for index in 0..user.operand_count() {
                if user.operand(index) == Some(call) {
                    user.set_operand(index, joined);
                }
            }
        }
        for (value, block) in sides {
            joined.add_incoming(value.unwrap_or(call), block);
        }
    }
}

/// Whether calls of a function that is defined in the module go to the definition there.
fn calls_own(context: &Context, called: Value) -> bool {
    let one = !called.is_interposable() && !layout::is_preemptible(context.module, called);
    one || layout::is_alike_everywhere(called)
}

/// A call of what may be captured or external: the state says afterwards which it was.
fn protocol(body: &mut Body, call: Value, called: Value) {
    let context = body.context;
    let site = context.site(call);
    let address = context.builder.cast(Opcode::LLVMPtrToInt, called, context.types.i64);
    context.write_control(address, context::STATE);
    poll(body);
    body.keep(call);
    restrict(context, call);
    let state = context.read_control(context.types.i64, context::STATE);
    let external = context.builder.icmp(IntPredicate::LLVMIntNE, state, context.types.i64.zero());
    body.when(external, false, |body| returned(body, call, site));
}

/// The symbol of a function's code past its thunk; null where no captured module defines the function.
fn direct_name(context: &Context, called: Value) -> Value {
    if let Some(&known) = context.direct.borrow().get(&called) {
        return known;
    }
    let direct = context.module.add_function(&format!("{}{}", called.name(), thunk::DIRECT), called.value_type());
    direct.set_linkage(Linkage::LLVMExternalWeakLinkage);
    direct.set_visibility(called.visibility());
    context.direct.borrow_mut().insert(called, direct);
    direct
}

fn restrict(context: &Context, call: Value) {
    let attribute = context.module.attribute("nobuiltin", 0);
    call.add_attribute(whydunit_llvm::AttributePlace::Function, attribute);
}

/// The runtime has a function that does the call and all that is to be logged of it.
fn wrapped(body: &mut Body, call: Value, called: Value, known: &Known) {
    let context = body.context;
    let Some(ty) = call.called_type() else { return body.keep(call) };
    let mut params = vec![context.types.ptr, context.types.i32];
    let mut args = vec![context.descriptor, context.site(call)];
    if known.wants_itself() {
        params.push(context.types.ptr);
        args.push(called);
    }
    let more = params.len() as u32;
    params.extend(ty.param_types());
    args.extend(call.args());
    let ret = ty.return_type().unwrap_or(context.types.void);
    let ty = context.module.function_type(ret, &params, ty.is_variadic());
    let wrapper = context.module.get_or_declare(&known.wrapper(), ty);
    let fresh = body.same_call(call, ty, wrapper, &args);
    strip::copy_attributes(call, fresh, more);
    restrict(context, fresh);
    body.replace(call, fresh);
}

/// Signals that wait are delivered before external code runs.
fn poll(body: &mut Body) {
    let context = body.context;
    let pending = context.read_control(context.types.i32, context::SIGNAL_PENDING);
    let waits = context.builder.icmp(IntPredicate::LLVMIntNE, pending, context.types.i32.zero());
    body.when(waits, true, |body| {
        let call = body.context.call_plain("__wd_poll", body.context.types.void, &[]);
        body.context.make_cold(call);
    });
}

/// For a variadic call: what a captured callee must know to copy its arguments.
fn variadic_registers(context: &Context, call: Value) {
    let Some(ty) = call.called_type().filter(|ty| ty.is_variadic()) else { return };
    let fixed = ty.param_types().len() as u32;
    let (before, all) = Registers::of_call(context.module, call, fixed);
    let stack = all.stack - before.stack;
    for (value, offset) in [(u64::from(all.general), 0), (all.vector.into(), 4), (stack, 8)] {
        context.write_control(context.types.i32.constant(value), context::VA_GP + offset);
    }
}

/// Tells the runtime what external code returned.
pub(crate) fn returned(body: &mut Body, call: Value, site: Value) {
    let context = body.context;
    let builder = &context.builder;
    let ty = call.ty();
    if ty.is_void() {
        context.call_runtime("__wd_ret_void", context.types.void, &[site]);
    } else if let Some(bits) = word(context, call) {
        context.call_runtime("__wd_ret_int", context.types.void, &[site, bits]);
    } else {
        let mut words = Vec::new();
        words_of(context, call, &mut words);
        let buffer = body.frame.buffer(context, body.function, words.len() as u64);
        for (&word, index) in words.iter().zip(0..) {
            builder.store(word, builder.offset(buffer, index * 8), 8);
        }
        let bytes = context.types.i64.constant(words.len() as u64 * 8);
        context.call_runtime("__wd_ret_bytes", context.types.void, &[site, buffer, bytes]);
    }
}
