//! A function being rewritten: where code goes, and which blocks now stand for the original ones.

use std::collections::{HashMap, HashSet};

use whydunit_llvm::{Block, IntPredicate, Type, Value};

use super::{context::Context, frame::Frame};

/// A function being rewritten.
pub(crate) struct Body<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    pub(crate) function: Value,
    pub(crate) frame: Frame,
    /// Instructions that are gone already.
    pub(crate) erased: HashSet<Value>,
    /// The block that now ends in what the original block ended in.
    pub(super) last: HashMap<Block, Block>,
    /// The blocks that now end in the invokes for the original block's.
    pub(super) invoking: HashMap<Block, Vec<Block>>,
    pub(super) original: Block,
    pub(super) current: Block,
    /// The first instruction that is not rewritten yet.
    pub(super) next: Value,
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

    /// Phis name the blocks that now lead to them.
    pub(super) fn redirect(&self, phis: &[Value]) {
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
