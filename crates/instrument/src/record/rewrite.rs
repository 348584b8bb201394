//! One function: its instructions in order, each rewritten by what it is.

use std::collections::{HashMap, HashSet};

use whydunit_canonical::{BYVAL_COPY, CHECK_RANGE, NATIVE, SAFEPOINT, calls_setjmp};
use whydunit_llvm::{Opcode, Value};

use super::{
    arithmetic, assembly,
    body::Body,
    call,
    context::{Context, STATE},
    frame::Frame,
    intrinsic, memory, stack, strip,
};

/// Rewrites a function in place.
pub(crate) fn instrument(context: &mut Context, function: Value) {
    let Some(entry) = function.entry_block() else { return };
    let Some(first) = entry.first_instruction() else { return };
    let setjmp = calls_setjmp(function);
    let mut body = Body {
        frame: Frame::of(context, function, setjmp),
        context,
        function,
        erased: HashSet::new(),
        last: HashMap::new(),
        invoking: HashMap::new(),
        original: entry,
        current: entry,
        next: first,
    };
    let mut phis = Vec::new();
    for block in function.blocks().collect::<Vec<_>>() {
        (body.original, body.current) = (block, block);
        for instruction in block.instructions().collect::<Vec<_>>() {
            if body.erased.contains(&instruction) {
                continue;
            }
            body.next = instruction;
            if instruction.is_phi() {
                phis.push(instruction);
                strip::instruction(instruction);
            } else {
                body.rewrite(instruction);
            }
        }
        if body.current != block {
            body.last.insert(block, body.current);
        }
    }
    body.redirect(&phis);
    let notes = std::mem::take(&mut body.frame.notes);
    context.notes.extend(notes);
}

impl Body<'_, '_> {
    fn rewrite(&mut self, instruction: Value) {
        use Opcode::*;
        self.here();
        strip::instruction(instruction);
        match instruction.opcode() {
            LLVMLoad => memory::load(self, instruction),
            LLVMStore => memory::store(self, instruction),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => memory::atomic(self, instruction),
            LLVMAlloca => stack::alloca(self, instruction),
            LLVMRet => {
                stack::leave(self);
                self.keep(instruction);
            }
            LLVMUnreachable => {
                let trap = self.context.intrinsic("llvm.trap", &[]);
                self.context.builder.call_function(trap, &[]);
                self.keep(instruction);
            }
            LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem => arithmetic::divide(self, instruction),
            LLVMShl | LLVMLShr | LLVMAShr => arithmetic::shift(self, instruction),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFPTrunc | LLVMFPExt | LLVMSIToFP
            | LLVMUIToFP => arithmetic::float(self, instruction),
            LLVMFPToSI | LLVMFPToUI => arithmetic::float_to_int(self, instruction),
            LLVMCall => self.call(instruction),
            LLVMInvoke => self.invoke(instruction),
            LLVMLandingPad => stack::land(self, instruction),
            LLVMResume => {
                let context = self.context;
                context.write_control(context.types.i64.constant(1), STATE);
                self.keep(instruction);
            }
            _ => self.keep(instruction),
        }
    }

    /// An invoke is rewritten as a call is, in a block of its own: code for after the call comes to the block after it.
    fn invoke(&mut self, invoke: Value) {
        let Some((normal, _)) = invoke.invoke_targets() else { return self.keep(invoke) };
        let builder = &self.context.builder;
        let own = builder.append_block(self.function, "");
        builder.jump(own);
        self.current = own;
        builder.at_end(own);
        self.call(invoke);
        self.context.builder.at_end(self.current);
        self.context.builder.jump(normal);
    }

    fn call(&mut self, call: Value) {
        let Some(called) = call.called() else { return self.keep(call) };
        if called.is_inline_asm() {
            return assembly::run(self, call);
        }
        let name = if called.is_function() { called.name() } else { String::new() };
        match name.as_str() {
            SAFEPOINT => stack::safepoint(self, call),
            CHECK_RANGE => memory::check_range(self, call),
            BYVAL_COPY => memory::byval_copy(self, call),
            _ if name.starts_with("llvm.") => intrinsic::rewrite(self, call, &name),
            _ if name.starts_with(NATIVE) => intrinsic::native(self, call, &name),
            _ => call::rewrite(self, call, called, &name),
        }
    }
}

/// A function that is not instrumented keeps none of the markers.
pub(crate) fn replace_markers(context: &Context, function: Value) {
    for call in function.blocks().flat_map(|block| block.instructions()).filter(|call| call.is_call()) {
        let name = call.called_function().map(Value::name).unwrap_or_default();
        match name.as_str() {
            SAFEPOINT | CHECK_RANGE => call.erase(),
            BYVAL_COPY => {
                let (Some(to), Some(from), Some(bytes)) = (call.arg(0), call.arg(1), call.arg(2)) else { continue };
                let copy = context.intrinsic("llvm.memcpy", &[to.ty(), from.ty(), bytes.ty()]);
                context.builder.before(call);
                context.builder.call_function(copy, &[to, from, bytes, context.types.i1.zero()]);
                call.erase();
            }
            _ if name.starts_with(NATIVE) => {
                if let Some(intrinsic) = context.module.function(&name[NATIVE.len()..]) {
                    call.set_called(intrinsic);
                }
            }
            _ => {}
        }
    }
}
