//! Instructions.

use llvm_sys::{LLVMOpcode, LLVMTailCallKind, core};

use crate::{
    Block, Type, Value,
    module::{c_string, text_of},
};

pub use llvm_sys::{
    LLVMAtomicOrdering as AtomicOrdering, LLVMAtomicRMWBinOp as AtomicRmwOp, LLVMIntPredicate as IntPredicate,
    LLVMOpcode as Opcode, LLVMRealPredicate as FloatPredicate,
};

/// What an attribute belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributePlace {
    /// The function itself.
    Function,
    /// Its result.
    Return,
    /// Parameter or argument, from 0.
    Param(u32),
}

impl AttributePlace {
    pub(crate) fn index(self) -> u32 {
        match self {
            AttributePlace::Function => u32::MAX,
            AttributePlace::Return => 0,
            AttributePlace::Param(index) => index + 1,
        }
    }
}

impl Value {
    /// Opcode of an instruction.
    pub fn opcode(self) -> Opcode {
        // SAFETY: an instruction.
        unsafe { core::LLVMGetInstructionOpcode(self.0) }
    }

    fn is(self, opcode: Opcode) -> bool {
        self.is_instruction() && self.opcode() == opcode
    }

    /// The block of an instruction.
    pub fn block(self) -> Option<Block> {
        // SAFETY: an instruction.
        if self.is_instruction() { Block::new(unsafe { core::LLVMGetInstructionParent(self.0) }) } else { None }
    }

    /// The instruction after this one in its block.
    pub fn next_instruction(self) -> Option<Value> {
        // SAFETY: an instruction.
        Value::new(unsafe { core::LLVMGetNextInstruction(self.0) })
    }

    /// The instruction before this one in its block.
    pub fn previous_instruction(self) -> Option<Value> {
        // SAFETY: an instruction.
        Value::new(unsafe { core::LLVMGetPreviousInstruction(self.0) })
    }

    /// Whether it ends a block.
    pub fn is_terminator(self) -> bool {
        // SAFETY: a live value.
        unsafe { !core::LLVMIsATerminatorInst(self.0).is_null() }
    }

    /// Whether it is an alloca.
    pub fn is_alloca(self) -> bool {
        self.is(LLVMOpcode::LLVMAlloca)
    }

    /// Whether it is a phi.
    pub fn is_phi(self) -> bool {
        self.is(LLVMOpcode::LLVMPHI)
    }

    /// Whether it is a call (invoke and callbr are not).
    pub fn is_call(self) -> bool {
        self.is(LLVMOpcode::LLVMCall)
    }

    /// Whether it is an invoke.
    pub fn is_invoke(self) -> bool {
        self.is(LLVMOpcode::LLVMInvoke)
    }

    /// Whether it is a landing pad.
    pub fn is_landing_pad(self) -> bool {
        self.is(LLVMOpcode::LLVMLandingPad)
    }

    /// Where an invoke goes on: after a return, and after an exception.
    pub fn invoke_targets(self) -> Option<(Block, Block)> {
        if !self.is_invoke() {
            return None;
        }
        // SAFETY: an invoke.
        unsafe { Some((Block(core::LLVMGetNormalDest(self.0)), Block(core::LLVMGetUnwindDest(self.0)))) }
    }

    /// Redirects an invoke's return.
    pub fn set_normal_target(self, block: Block) {
        assert!(self.is_invoke(), "an invoke");
        // SAFETY: an invoke.
        unsafe { core::LLVMSetNormalDest(self.0, block.0) }
    }

    /// Whether a landing pad is entered for every exception, and what else it catches, in order.
    pub fn clauses(self) -> Option<(bool, Vec<Value>)> {
        if !self.is(LLVMOpcode::LLVMLandingPad) {
            return None;
        }
        // SAFETY: a landing pad, indices in range.
        unsafe {
            let clauses =
                (0..core::LLVMGetNumClauses(self.0)).filter_map(|n| Value::new(core::LLVMGetClause(self.0, n)));
            Some((core::LLVMIsCleanup(self.0) != 0, clauses.collect()))
        }
    }

    /// Successors of a terminator.
    pub fn successors(self) -> Vec<Block> {
        if !self.is_terminator() {
            return Vec::new();
        }
        // SAFETY: a terminator, indices in range.
        unsafe {
            (0..core::LLVMGetNumSuccessors(self.0))
                .filter_map(|index| Block::new(core::LLVMGetSuccessor(self.0, index)))
                .collect()
        }
    }

    /// Redirects successor `index` of a terminator.
    pub fn set_successor(self, index: u32, block: Block) {
        // SAFETY: a terminator; the index is the caller's duty, as in LLVM.
        unsafe { core::LLVMSetSuccessor(self.0, index, block.0) }
    }

    /// The condition of a conditional branch.
    pub fn branch_condition(self) -> Option<Value> {
        if !self.is(LLVMOpcode::LLVMBr) {
            return None;
        }
        // SAFETY: a branch.
        unsafe { (core::LLVMIsConditional(self.0) != 0).then(|| Value(core::LLVMGetCondition(self.0))) }
    }

    /// Cases of a switch (value, target) without the default.
    pub fn switch_cases(self) -> Vec<(Value, Block)> {
        if !self.is(LLVMOpcode::LLVMSwitch) {
            return Vec::new();
        }
        // SAFETY: successor 0 is the default; the others have a value.
        unsafe {
            (1..core::LLVMGetNumSuccessors(self.0))
                .map(|index| {
                    (Value(core::LLVMGetSwitchCaseValue(self.0, index)), Block(core::LLVMGetSuccessor(self.0, index)))
                })
                .collect()
        }
    }

    /// Default target of a switch.
    pub fn switch_default(self) -> Option<Block> {
        if !self.is(LLVMOpcode::LLVMSwitch) {
            return None;
        }
        // SAFETY: a switch.
        Block::new(unsafe { core::LLVMGetSwitchDefaultDest(self.0) })
    }

    /// Incoming values of a phi with their blocks.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        if !self.is_phi() {
            return Vec::new();
        }
        // SAFETY: a phi, indices in range.
        unsafe {
            (0..core::LLVMCountIncoming(self.0))
                .map(|index| {
                    (Value(core::LLVMGetIncomingValue(self.0, index)), Block(core::LLVMGetIncomingBlock(self.0, index)))
                })
                .collect()
        }
    }

    /// Predicate of an integer comparison.
    pub fn int_predicate(self) -> IntPredicate {
        assert!(self.is(LLVMOpcode::LLVMICmp), "an icmp");
        // SAFETY: an icmp.
        unsafe { core::LLVMGetICmpPredicate(self.0) }
    }

    /// Predicate of a floating comparison.
    pub fn float_predicate(self) -> FloatPredicate {
        assert!(self.is(LLVMOpcode::LLVMFCmp), "an fcmp");
        // SAFETY: an fcmp.
        unsafe { core::LLVMGetFCmpPredicate(self.0) }
    }

    /// `nuw` of add, sub, mul, shl.
    pub fn is_nuw(self) -> bool {
        // SAFETY: an instruction that has the flag.
        self.may_wrap() && unsafe { core::LLVMGetNUW(self.0) != 0 }
    }

    /// `nsw` of add, sub, mul, shl.
    pub fn is_nsw(self) -> bool {
        // SAFETY: an instruction that has the flag.
        self.may_wrap() && unsafe { core::LLVMGetNSW(self.0) != 0 }
    }

    fn may_wrap(self) -> bool {
        use LLVMOpcode::*;
        self.is_instruction() && matches!(self.opcode(), LLVMAdd | LLVMSub | LLVMMul | LLVMShl)
    }

    fn may_be_exact(self) -> bool {
        use LLVMOpcode::*;
        self.is_instruction() && matches!(self.opcode(), LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr)
    }

    /// `exact` of udiv, sdiv, lshr, ashr.
    pub fn is_exact(self) -> bool {
        // SAFETY: an instruction that has the flag.
        self.may_be_exact() && unsafe { core::LLVMGetExact(self.0) != 0 }
    }

    /// Whether a load, store, rmw or cmpxchg is volatile.
    pub fn is_volatile(self) -> bool {
        use LLVMOpcode::*;
        // SAFETY: one of the instructions that have the flag.
        self.is_instruction()
            && matches!(self.opcode(), LLVMLoad | LLVMStore | LLVMAtomicRMW | LLVMAtomicCmpXchg)
            && unsafe { core::LLVMGetVolatile(self.0) != 0 }
    }

    /// Whether an instruction is an atomic memory operation (fences included).
    pub fn is_atomic(self) -> bool {
        // SAFETY: an instruction.
        self.is_instruction() && unsafe { core::LLVMIsAtomic(self.0) != 0 }
    }

    /// Operation of an atomicrmw.
    pub fn rmw_op(self) -> AtomicRmwOp {
        assert!(self.is(LLVMOpcode::LLVMAtomicRMW), "an atomicrmw");
        // SAFETY: an atomicrmw.
        unsafe { core::LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// Type that an alloca allocates (times its operand 0).
    pub fn allocated_type(self) -> Type {
        assert!(self.is_alloca(), "an alloca");
        // SAFETY: an alloca.
        Type(unsafe { core::LLVMGetAllocatedType(self.0) })
    }

    /// Type that a GEP instruction or expression steps over.
    pub fn gep_source_type(self) -> Type {
        // SAFETY: a GEP, the caller's duty as in LLVM.
        Type(unsafe { core::LLVMGetGEPSourceElementType(self.0) })
    }

    /// Indices of extractvalue and insertvalue.
    pub fn indices(self) -> Vec<u32> {
        use LLVMOpcode::*;
        if !self.is_instruction() || !matches!(self.opcode(), LLVMExtractValue | LLVMInsertValue) {
            return Vec::new();
        }
        // SAFETY: LLVM's own array of that many numbers.
        unsafe {
            let count = core::LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(core::LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// Mask of a shufflevector; none for an undefined element.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        if !self.is(LLVMOpcode::LLVMShuffleVector) {
            return Vec::new();
        }
        // SAFETY: a shufflevector, indices in range.
        unsafe {
            (0..core::LLVMGetNumMaskElements(self.0))
                .map(|index| u32::try_from(core::LLVMGetMaskValue(self.0, index)).ok())
                .collect()
        }
    }

    // Calls.

    /// Called value of a call, invoke or callbr.
    pub fn called(self) -> Option<Value> {
        // SAFETY: one of the instructions that call.
        if self.calls() { Value::new(unsafe { core::LLVMGetCalledValue(self.0) }) } else { None }
    }

    /// Whether it is a call, invoke or callbr.
    pub fn calls(self) -> bool {
        use LLVMOpcode::*;
        self.is_instruction() && matches!(self.opcode(), LLVMCall | LLVMInvoke | LLVMCallBr)
    }

    /// The function that is called directly.
    pub fn called_function(self) -> Option<Value> {
        self.called().filter(|called| called.is_function())
    }

    /// Whether a call gives its own frame up: nothing may stand between it and the return.
    pub fn is_must_tail(self) -> bool {
        // SAFETY: LLVM only asks calls for it.
        self.opcode() == Opcode::LLVMCall
            && unsafe { core::LLVMGetTailCallKind(self.0) } == LLVMTailCallKind::LLVMTailCallKindMustTail
    }

    /// Function type of a call.
    pub fn called_type(self) -> Option<Type> {
        // SAFETY: one of the instructions that call.
        if self.calls() { Type::new(unsafe { core::LLVMGetCalledFunctionType(self.0) }) } else { None }
    }

    /// Number of arguments of a call.
    pub fn arg_count(self) -> u32 {
        // SAFETY: one of the instructions that call.
        if self.calls() { unsafe { core::LLVMGetNumArgOperands(self.0) } } else { 0 }
    }

    /// Argument `index` of a call.
    pub fn arg(self, index: u32) -> Option<Value> {
        if index < self.arg_count() { self.operand(index) } else { None }
    }

    /// Arguments of a call.
    pub fn args(self) -> impl Iterator<Item = Value> {
        (0..self.arg_count()).filter_map(move |index| self.operand(index))
    }

    /// Text and constraints of inline assembly.
    pub fn inline_asm(self) -> Option<(String, String)> {
        if !self.is_inline_asm() {
            return None;
        }
        let (mut text_len, mut constraint_len) = (0, 0);
        // SAFETY: inline assembly; LLVM's own bytes.
        unsafe {
            let text = core::LLVMGetInlineAsmAsmString(self.0, &mut text_len);
            let constraints = core::LLVMGetInlineAsmConstraintString(self.0, &mut constraint_len);
            Some((text_of(text, text_len), text_of(constraints, constraint_len)))
        }
    }

    // Attributes, of functions and of calls (a call's own, not its callee's).

    /// Whether the attribute is there.
    pub fn has_attribute(self, place: AttributePlace, name: &str) -> bool {
        !self.raw_attribute(place, name).is_null()
    }

    /// Type of a type attribute (`byval`, `sret`, `elementtype`).
    pub fn type_attribute(self, place: AttributePlace, name: &str) -> Option<Type> {
        let raw = self.raw_attribute(place, name);
        // SAFETY: checked to be a type attribute.
        unsafe {
            (!raw.is_null() && core::LLVMIsTypeAttribute(raw) != 0).then(|| Type(core::LLVMGetTypeAttributeValue(raw)))
        }
    }

    /// Number of an integer attribute (`align`, `dereferenceable`).
    pub fn int_attribute(self, place: AttributePlace, name: &str) -> Option<u64> {
        let raw = self.raw_attribute(place, name);
        // SAFETY: checked to be an enum attribute.
        unsafe { (!raw.is_null() && core::LLVMIsEnumAttribute(raw) != 0).then(|| core::LLVMGetEnumAttributeValue(raw)) }
    }

    /// Value of a string attribute of a function or call.
    pub fn string_attribute(self, place: AttributePlace, name: &str) -> Option<String> {
        let (key, len) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: a function or call.
        unsafe {
            let raw = if self.is_function() {
                core::LLVMGetStringAttributeAtIndex(self.0, place.index(), key, len)
            } else if self.calls() {
                core::LLVMGetCallSiteStringAttribute(self.0, place.index(), key, len)
            } else {
                std::ptr::null_mut()
            };
            if raw.is_null() {
                return None;
            }
            let mut size = 0;
            let text = core::LLVMGetStringAttributeValue(raw, &mut size);
            Some(text_of(text, size as usize))
        }
    }

    fn raw_attribute(self, place: AttributePlace, name: &str) -> llvm_sys::prelude::LLVMAttributeRef {
        // SAFETY: the kind is one that LLVM knows; the value is a function or call.
        unsafe {
            let name = c_string(name);
            let kind = core::LLVMGetEnumAttributeKindForName(name.as_ptr(), name.as_bytes().len());
            if kind == 0 {
                std::ptr::null_mut()
            } else if self.is_function() {
                core::LLVMGetEnumAttributeAtIndex(self.0, place.index(), kind)
            } else if self.calls() {
                core::LLVMGetCallSiteEnumAttribute(self.0, place.index(), kind)
            } else {
                std::ptr::null_mut()
            }
        }
    }
}
