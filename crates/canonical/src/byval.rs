//! By-value parameters: the callee's copy is an object of its own frame, the caller vouches for the source.

use whydunit_llvm::{AttributePlace, Builder, Module, Value};

use crate::{BYVAL_COPY, CHECK_RANGE, bodies, instructions, layout};

pub(crate) fn lower(module: &Module) {
    let builder = Builder::new(module);
    builder.set_location(None);
    let (ptr, int) = (module.ptr_type(0), module.int_type(64));
    let copy_type = module.function_type(module.void_type(), &[ptr, ptr, int], false);
    let check_type = module.function_type(module.void_type(), &[ptr, int], false);
    for function in bodies(module) {
        for call in instructions(function).filter(|instruction| instruction.calls()).collect::<Vec<_>>() {
            for index in 0..call.arg_count() {
                let Some(ty) = byval(call, index) else { continue };
                let Some(arg) = call.arg(index) else { continue };
                builder.before(call);
                builder.set_location(call.debug_location());
                let check = module.get_or_declare(CHECK_RANGE, check_type);
                builder.call(check_type, check, &[arg, int.constant(module.size_of(ty))]);
            }
        }
        builder.set_location(None);
        for (param, index) in function.params().zip(0..) {
            let Some(ty) = byval(function, index) else { continue };
            let Some(first) = after_allocas(function) else { continue };
            let align = function.int_attribute(AttributePlace::Param(index), "align").unwrap_or(1) as u32;
            builder.before(first);
            let object = builder.alloca(ty);
            object.set_alignment(align.max(module.align_of(ty)));
            object.set_name(&format!("{}.copy", param.name()));
            param.replace_all_uses_with(object);
            builder.before(first);
            let copy = module.get_or_declare(BYVAL_COPY, copy_type);
            builder.call(copy_type, copy, &[object, param, int.constant(module.size_of(ty))]);
        }
        group_allocas(function, &builder);
    }
}

fn byval(value: Value, index: u32) -> Option<whydunit_llvm::Type> {
    value.type_attribute(AttributePlace::Param(index), "byval")
}

/// The first instruction of a function that is no static alloca.
pub(crate) fn after_allocas(function: Value) -> Option<Value> {
    function.entry_block()?.instructions().find(|&instruction| !layout::is_static(instruction))
}

/// With several by-value parameters the copies stand between the allocas: the allocas go first.
fn group_allocas(function: Value, builder: &Builder) {
    let Some(entry) = function.entry_block() else { return };
    let Some(first) = after_allocas(function) else { return };
    let late: Vec<Value> = entry
        .instructions()
        .skip_while(|&instruction| instruction != first)
        .filter(|&instruction| layout::is_static(instruction) && instruction.name().ends_with(".copy"))
        .collect();
    builder.before(first);
    for alloca in late {
        builder.move_here(alloca);
    }
}
