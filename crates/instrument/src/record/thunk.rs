//! Thunks: what carries a function's name when it is called from elsewhere. They tell captured callers from external
//! ones.

use whydunit_canonical::{escapes, layout};
use whydunit_llvm::{AttributePlace, IntPredicate, Linkage, Opcode, Value};

use super::{
    abi,
    context::{self, ARGUMENT_WORDS, ARGUMENTS, Context},
    strip,
    words::words_of,
};
use crate::{Callee, native_name, stand_in};

/// Gives the name of each function that may be called from elsewhere to a new thunk; the body becomes internal.
/// A variadic function looks for itself (see [`super::frame`]).
pub(crate) fn separate(context: &mut Context, bodies: &[Value]) {
    let module = context.module;
    for &function in bodies {
        if function.value_type().is_variadic() {
            direct_name(context, function, function);
            continue;
        }
        if function.is_local() && !escapes(function) {
            continue;
        }
        let thunk = stand_in::of(module, function, BODY);
        direct_name(context, thunk, function);
        context.thunks.insert(function, thunk);
        context.bodies.insert(thunk, function);
    }
}

/// The code of a function that has a thunk is called like it, with this ending.
pub(crate) const BODY: &str = ".wd.body";

/// An exported function's code is there for captured callers in other modules under the name with this ending.
pub(crate) const DIRECT: &str = ".wd";

/// Exports the code of a function past its thunk, bound as the function is.
fn direct_name(context: &mut Context, exported: Value, code: Value) {
    if exported.is_local() {
        return;
    }
    let name = format!("{}{DIRECT}", exported.name());
    let alias = context.module.add_alias(&name, code.value_type(), code);
    // What another definition may replace at run time must not be taken for this one here.
    let replaceable = layout::is_preemptible(context.module, exported);
    alias.set_linkage(if replaceable { Linkage::LLVMWeakAnyLinkage } else { exported.linkage() });
    alias.set_visibility(exported.visibility());
    context.direct.borrow_mut().insert(exported, alias);
    // A wrapper that gets the function itself calls this one.
    let wrapped = whydunit_library::wrapped(&exported.name()).is_some_and(|known| !known.wants_itself());
    if wrapped && !code.value_type().is_variadic() {
        stand_in(context, exported, code);
    }
}

/// The program has its own function of a name that the runtime has a wrapper for (getopt_long, index, …): modules that only
/// declare it call the wrapper, and this one takes the wrapper's place.
fn stand_in(context: &Context, exported: Value, code: Value) {
    let (module, builder) = (context.module, &context.builder);
    let own = code.value_type();
    let mut params = vec![context.types.ptr, context.types.i32];
    params.extend(own.param_types());
    let ty = module.function_type(own.return_type().unwrap_or(context.types.void), &params, false);
    let wrapper = module.get_or_declare(&format!("__wd_w_{}", exported.name()), ty);
    strip::copy_attributes(code, wrapper, 2);
    strip::restrict(context, wrapper);
    wrapper.set_linkage(exported.linkage());
    wrapper.set_visibility(exported.visibility());
    builder.at_end(builder.append_block(wrapper, ""));
    let args: Vec<Value> = wrapper.params().skip(2).collect();
    let call = builder.call_function(code, &args);
    strip::copy_attributes(code, call, 0);
    call.set_calling_convention(code.calling_convention());
    builder.ret((!call.ty().is_void()).then_some(call));
}

/// The code of all thunks.
pub(crate) fn build(context: &Context, callee: Callee) {
    for (&function, &thunk) in &context.thunks {
        // What is the module's own has no copy elsewhere.
        let native = callee == Callee::Native && !thunk.is_local();
        let native = native.then(|| context.module.get_or_declare(&native_name(&thunk.name()), function.value_type()));
        fill(context, function, thunk, native);
    }
}

fn fill(context: &Context, function: Value, thunk: Value, native: Option<Value>) {
    let builder = &context.builder;
    let int = context.types.i64;
    let [entry, fast, slow, plain, callback] = ["", "", "", "", ""].map(|name| builder.append_block(thunk, name));
    let args: Vec<Value> = thunk.params().collect();

    builder.at_end(entry);
    let state = context.read_control(int, context::STATE);
    let outside = builder.icmp(IntPredicate::LLVMIntNE, state, int.zero());
    context.mark_unlikely(builder.branch(outside, slow, fast));

    // Mostly a tail call, which is for the code generator to say: it gives up on one that must be and cannot.
    let pass_on_to = |callee: Value| {
        let call = builder.call_function(callee, &args);
        strip::copy_attributes(function, call, 0);
        call.set_calling_convention(function.calling_convention());
        (!call.ty().is_void()).then_some(call)
    };
    let pass_on = || pass_on_to(function);
    builder.at_end(fast);
    builder.ret(pass_on());

    builder.at_end(slow);
    let own = builder.cast(Opcode::LLVMPtrToInt, thunk, int);
    let captured = builder.icmp(IntPredicate::LLVMIntEQ, state, own);
    builder.branch(captured, plain, callback);

    builder.at_end(plain);
    context.write_control(int.zero(), context::STATE);
    builder.ret(pass_on());

    builder.at_end(callback);
    if let Some(native) = native {
        strip::copy_attributes(function, native, 0);
        native.set_calling_convention(function.calling_convention());
        builder.ret(pass_on_to(native));
        return;
    }
    announce(context, function, &args);
    if function.has_attribute(AttributePlace::Function, "nounwind") {
        let result = pass_on();
        comes_back(context, int.constant(1));
        builder.ret(result);
        return;
    }
    let [done, left] = ["", ""].map(|name| builder.append_block(thunk, name));
    let usp = context.read_control(int, context::USP);
    let call = builder.invoke(function.value_type(), function, &args, done, left);
    strip::copy_attributes(function, call, 0);
    call.set_calling_convention(function.calling_convention());
    builder.at_end(done);
    comes_back(context, int.constant(1));
    builder.ret((!call.ty().is_void()).then_some(call));

    builder.at_end(left);
    thunk.set_personality(function.personality().unwrap_or_else(|| {
        // That of C, which knows clean-ups and nothing else.
        let ty = context.module.function_type(context.types.i32, &[], true);
        context.module.get_or_declare("__gcc_personality_v0", ty)
    }));
    let pad = builder.cleanup_pad(context.module.struct_type(&[context.types.ptr, context.types.i32]));
    context.write_control(usp, context::USP);
    let number = context.symbols.function(function).unwrap_or(u32::MAX);
    context.call_runtime("__wd_callback_unwound", context.types.void, &[context.types.i32.constant(number.into())]);
    builder.resume(pad);
}

/// Before the return of a function: external code had called it if `external` is 1 and not 0, and is at work again.
pub(crate) fn comes_back(context: &Context, external: Value) {
    let callbacks = context.read_control(context.types.i64, context::CALLBACKS);
    context.write_control(context.builder.sub(callbacks, external), context::CALLBACKS);
    context.write_control(external, context::STATE);
}

/// Tells the runtime of a callback: the arguments as words, by-value ones as written by external code.
pub(crate) fn announce(context: &Context, function: Value, args: &[Value]) {
    let mut words = Vec::new();
    for (&arg, index) in args.iter().zip(0..) {
        words_of(context, arg, &mut words);
        if let Some((bytes, _)) = abi::byval(context.module, function, index) {
            let bytes = context.types.i64.constant(bytes);
            context.call_runtime("__wd_write", context.types.void, &[arg, bytes]);
        }
    }
    words.truncate(ARGUMENT_WORDS as usize);
    for (&word, index) in words.iter().zip(0..) {
        context.write_control(word, ARGUMENTS + 8 * index);
    }
    let number = context.symbols.function(function).unwrap_or(u32::MAX);
    let number = context.types.i32.constant(number.into());
    let count = context.types.i32.constant(words.len() as u64);
    context.call_runtime("__wd_callback_enter", context.types.void, &[number, count]);
}
