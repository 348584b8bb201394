//! One function: its instructions in order, each rewritten by what it is.

use std::collections::{HashMap, HashSet};

use whydunit_canonical::{BYVAL_COPY, CHECK_RANGE, NATIVE, SAFEPOINT, calls_setjmp};
use whydunit_llvm::{Block, IntPredicate, Opcode, Type, Value};

use super::{
    arithmetic, assembly, call,
    context::{Context, STATE},
    frame::{self, Frame},
    intrinsic, memory, strip,
};

/// A function being rewritten.
pub(crate) struct Body<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    pub(crate) function: Value,
    pub(crate) frame: Frame,
    /// Instructions that are gone already.
    pub(crate) erased: HashSet<Value>,
    /// The block that now ends in what the original block ended in.
    last: HashMap<Block, Block>,
    /// The blocks that now end in the invokes for the original block's.
    invoking: HashMap<Block, Vec<Block>>,
    original: Block,
    current: Block,
    /// The first instruction that is not rewritten yet.
    next: Value,
}

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
    /// Puts the builder where the next instruction goes: after all that is rewritten.
    pub(crate) fn here(&self) {
        if self.current == self.original {
            self.context.builder.before(self.next);
        } else {
            self.context.builder.at_end(self.current);
        }
    }

    /// Lets the instruction at hand stand after all that is rewritten; code that follows goes behind it.
    pub(crate) fn keep(&mut self, instruction: Value) {
        if self.current != self.original {
            self.context.builder.at_end(self.current);
            self.context.builder.move_here(instruction);
        } else if let Some(next) = instruction.next_instruction() {
            self.next = next;
        }
        if instruction.is_invoke() {
            let after = self.context.builder.append_block(self.function, "");
            instruction.set_normal_target(after);
            self.invoked(after);
        }
        if !instruction.is_terminator() {
            self.here();
        }
    }

    /// A call of `callee` that goes where `call` goes when an exception comes out of it.
    pub(crate) fn same_call(&mut self, call: Value, ty: Type, callee: Value, args: &[Value]) -> Value {
        let builder = &self.context.builder;
        let Some((_, unwind)) = call.invoke_targets() else { return builder.call(ty, callee, args) };
        let after = builder.append_block(self.function, "");
        let invoke = builder.invoke(ty, callee, args, after, unwind);
        self.invoked(after);
        invoke
    }

    /// The current block ends in an invoke that goes on at `after`.
    fn invoked(&mut self, after: Block) {
        self.invoking.entry(self.original).or_default().push(self.current);
        self.current = after;
        self.context.builder.at_end(after);
    }

    /// Replaces the instruction at hand.
    pub(crate) fn replace(&mut self, instruction: Value, value: Value) {
        instruction.replace_all_uses_with(value);
        self.remove(instruction);
    }

    /// Takes the instruction at hand away; nothing may use it any more.
    pub(crate) fn remove(&mut self, instruction: Value) {
        if self.current == self.original {
            self.pass_over(instruction);
        }
        self.erased.insert(instruction);
        instruction.erase();
        self.here();
    }

    /// An instruction is about to be erased out of turn.
    pub(crate) fn pass_over(&mut self, instruction: Value) {
        if self.next == instruction
            && let Some(next) = instruction.next_instruction()
        {
            self.next = next;
        }
    }

    /// Runs `then` where the condition holds, then goes on.
    pub(crate) fn when(&mut self, condition: Value, unlikely: bool, then: impl FnOnce(&mut Self)) {
        let builder = &self.context.builder;
        let yes = builder.append_block(self.function, "");
        let after = builder.append_block(self.function, "");
        self.here();
        let branch = builder.branch(condition, yes, after);
        if unlikely {
            self.context.mark_unlikely(branch);
        }
        self.current = yes;
        builder.at_end(yes);
        then(self);
        self.context.builder.at_end(self.current);
        self.context.builder.jump(after);
        self.current = after;
        self.context.builder.at_end(after);
    }

    /// Code for both outcomes of a condition. Each side gives a value or none.
    pub(crate) fn either(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self) -> Option<Value>,
        otherwise: impl FnOnce(&mut Self) -> Option<Value>,
    ) -> [(Option<Value>, Block); 2] {
        let context = self.context;
        let builder = &context.builder;
        let [yes, no, after] = ["", "", ""].map(|name| builder.append_block(self.function, name));
        self.here();
        builder.branch(condition, yes, no);
        self.current = yes;
        builder.at_end(yes);
        let first = (then(self), self.current);
        builder.at_end(self.current);
        builder.jump(after);
        self.current = no;
        builder.at_end(no);
        let second = (otherwise(self), self.current);
        builder.at_end(self.current);
        builder.jump(after);
        self.current = after;
        builder.at_end(after);
        [first, second]
    }

    /// A block that ends in `unreachable` if the condition holds.
    pub(crate) fn never(&mut self, condition: Value, then: impl FnOnce(&Context)) {
        let builder = &self.context.builder;
        let yes = builder.append_block(self.function, "");
        let after = builder.append_block(self.function, "");
        self.here();
        let branch = builder.branch(condition, yes, after);
        self.context.mark_unlikely(branch);
        builder.at_end(yes);
        then(self.context);
        builder.unreachable();
        self.current = after;
        builder.at_end(after);
    }

    /// A loop that runs `count` times; `turn` adds straight code for a number counted from 0.
    pub(crate) fn repeat(&mut self, count: u64, turn: impl FnOnce(&Context, Value)) {
        let builder = &self.context.builder;
        let int = self.context.types.i64;
        let again = builder.append_block(self.function, "");
        let after = builder.append_block(self.function, "");
        self.here();
        builder.jump(again);
        builder.at_end(again);
        let index = builder.phi(int);
        turn(self.context, index);
        let next = builder.add(index, int.constant(1));
        let more = builder.icmp(IntPredicate::LLVMIntULT, next, int.constant(count));
        builder.branch(more, again, after);
        index.add_incoming(int.zero(), self.current);
        index.add_incoming(next, again);
        self.current = after;
        builder.at_end(after);
    }

    fn rewrite(&mut self, instruction: Value) {
        use Opcode::*;
        self.here();
        strip::instruction(instruction);
        match instruction.opcode() {
            LLVMLoad => memory::load(self, instruction),
            LLVMStore => memory::store(self, instruction),
            LLVMAtomicRMW | LLVMAtomicCmpXchg => memory::atomic(self, instruction),
            LLVMAlloca => frame::alloca(self, instruction),
            LLVMRet => {
                frame::leave(self);
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
            LLVMLandingPad => frame::land(self, instruction),
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
            SAFEPOINT => frame::safepoint(self, call),
            CHECK_RANGE => memory::check_range(self, call),
            BYVAL_COPY => memory::byval_copy(self, call),
            _ if name.starts_with("llvm.") => intrinsic::rewrite(self, call, &name),
            _ if name.starts_with(NATIVE) => intrinsic::native(self, call, &name),
            _ => call::rewrite(self, call, called, &name),
        }
    }

    /// Phis name the blocks that now lead to them.
    fn redirect(&self, phis: &[Value]) {
        for &phi in phis {
            let incoming = phi.incoming();
            if incoming.iter().all(|(_, block)| !self.last.contains_key(block)) {
                continue;
            }
            self.context.builder.before(phi);
            let fresh = self.context.builder.phi(phi.ty());
            let lands = phi.block().is_some_and(|block| block.instructions().any(Value::is_landing_pad));
            for (value, block) in incoming {
                if lands {
                    for &from in self.invoking.get(&block).into_iter().flatten() {
                        fresh.add_incoming(value, from);
                    }
                } else {
                    fresh.add_incoming(value, self.last.get(&block).copied().unwrap_or(block));
                }
            }
            phi.replace_all_uses_with(fresh);
            phi.erase();
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
