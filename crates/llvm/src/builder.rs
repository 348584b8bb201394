//! Building instructions.

use std::rc::Rc;

use llvm_sys::{LLVMCallConv, core, prelude::*};

use crate::{
    AtomicOrdering, AtomicRmwOp, Block, FloatPredicate, IntPredicate, Metadata, Module, Opcode, Type, Value,
    module::{Context, c_string},
};

/// Calling convention that keeps nearly all general registers, for cold slow paths.
pub const PRESERVE_MOST: u32 = LLVMCallConv::LLVMPreserveMostCallConv as u32;
/// Calling convention that keeps nearly all registers, vector ones included.
pub const PRESERVE_ALL: u32 = LLVMCallConv::LLVMPreserveAllCallConv as u32;

/// Appends or inserts instructions at a position.
pub struct Builder {
    raw: LLVMBuilderRef,
    context: Rc<Context>,
}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { core::LLVMDisposeBuilder(self.raw) }
    }
}

const NAMELESS: *const std::ffi::c_char = c"".as_ptr();

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident => $build:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self, a: Value, b: Value) -> Value {
            // SAFETY: values of the builder's module; their types are the caller's duty, checked by the verifier.
            Value(unsafe { core::$build(self.raw, a.0, b.0, NAMELESS) })
        }
    )*};
}

impl Builder {
    /// A builder for this module; it has no position yet.
    pub fn new(module: &Module) -> Builder {
        let context = module.context.clone();
        // SAFETY: plain call.
        Builder { raw: unsafe { core::LLVMCreateBuilderInContext(context.raw) }, context }
    }

    /// Goes to the end of a block.
    pub fn at_end(&self, block: Block) {
        // SAFETY: a live block.
        unsafe { core::LLVMPositionBuilderAtEnd(self.raw, block.0) }
    }

    /// Goes before an instruction, after the debug records that stand before it.
    pub fn before(&self, instruction: Value) {
        // SAFETY: a live instruction in a block.
        unsafe { core::LLVMPositionBuilderBefore(self.raw, instruction.0) }
    }

    /// Goes before an instruction and the debug records that stand before it.
    pub fn before_with_records(&self, instruction: Value) {
        // SAFETY: a live instruction in a block.
        unsafe { core::LLVMPositionBuilderBeforeInstrAndDbgRecords(self.raw, instruction.0) }
    }

    /// The block of the position.
    pub fn block(&self) -> Option<Block> {
        // SAFETY: plain call.
        Block::new(unsafe { core::LLVMGetInsertBlock(self.raw) })
    }

    /// Source position of what is built from now on.
    pub fn set_location(&self, location: Option<Metadata>) {
        // SAFETY: a location or null.
        unsafe {
            core::LLVMSetCurrentDebugLocation2(self.raw, location.map_or(std::ptr::null_mut(), |location| location.0));
        }
    }

    /// Takes an instruction out of its block and puts it at the position.
    pub fn move_here(&self, instruction: Value) {
        // SAFETY: a live instruction.
        unsafe {
            core::LLVMInstructionRemoveFromParent(instruction.0);
            core::LLVMInsertIntoBuilder(self.raw, instruction.0);
        }
    }

    binary! {
        /// `add`
        add => LLVMBuildAdd;
        /// `sub`
        sub => LLVMBuildSub;
        /// `mul`
        mul => LLVMBuildMul;
        /// `urem`
        urem => LLVMBuildURem;
        /// `shl`
        shl => LLVMBuildShl;
        /// `lshr`
        lshr => LLVMBuildLShr;
        /// `and`
        and => LLVMBuildAnd;
        /// `or`
        or => LLVMBuildOr;
        /// `xor`
        xor => LLVMBuildXor;
        /// `fadd`
        fadd => LLVMBuildFAdd;
        /// `fsub`
        fsub => LLVMBuildFSub;
        /// `fmul`
        fmul => LLVMBuildFMul;
    }

    /// Binary operation by opcode.
    pub fn binary(&self, opcode: Opcode, a: Value, b: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildBinOp(self.raw, opcode, a.0, b.0, NAMELESS) })
    }

    /// Cast by opcode.
    pub fn cast(&self, opcode: Opcode, value: Value, to: Type) -> Value {
        if value.ty() == to && opcode != Opcode::LLVMAddrSpaceCast {
            return value;
        }
        // SAFETY: the cast's validity is the caller's duty, checked by the verifier.
        Value(unsafe { core::LLVMBuildCast(self.raw, opcode, value.0, to.0, NAMELESS) })
    }

    /// Zero-extension or truncation to an integer type.
    pub fn resize(&self, value: Value, to: Type) -> Value {
        let (from, width) = (value.ty().int_width(), to.int_width());
        match from.cmp(&width) {
            std::cmp::Ordering::Less => self.cast(Opcode::LLVMZExt, value, to),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(Opcode::LLVMTrunc, value, to),
        }
    }

    /// `icmp`
    pub fn icmp(&self, predicate: IntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildICmp(self.raw, predicate, a.0, b.0, NAMELESS) })
    }

    /// `fcmp`
    pub fn fcmp(&self, predicate: FloatPredicate, a: Value, b: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildFCmp(self.raw, predicate, a.0, b.0, NAMELESS) })
    }

    /// `select`
    pub fn select(&self, condition: Value, then: Value, otherwise: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildSelect(self.raw, condition.0, then.0, otherwise.0, NAMELESS) })
    }

    /// `freeze`
    pub fn freeze(&self, value: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildFreeze(self.raw, value.0, NAMELESS) })
    }

    /// `load`, aligned to `align` bytes (0: the type's own alignment).
    pub fn load(&self, ty: Type, address: Value, align: u32) -> Value {
        // SAFETY: as for the others.
        unsafe {
            let load = core::LLVMBuildLoad2(self.raw, ty.0, address.0, NAMELESS);
            if align != 0 {
                core::LLVMSetAlignment(load, align);
            }
            Value(load)
        }
    }

    /// `store`, aligned to `align` bytes (0: the type's own alignment).
    pub fn store(&self, value: Value, address: Value, align: u32) -> Value {
        // SAFETY: as for the others.
        unsafe {
            let store = core::LLVMBuildStore(self.raw, value.0, address.0);
            if align != 0 {
                core::LLVMSetAlignment(store, align);
            }
            Value(store)
        }
    }

    /// `address + offset` bytes.
    pub fn offset(&self, address: Value, offset: u64) -> Value {
        if offset == 0 {
            return address;
        }
        // SAFETY: plain calls on the builder's context.
        unsafe {
            let i8 = core::LLVMInt8TypeInContext(self.context.raw);
            let mut index = [core::LLVMConstInt(core::LLVMInt64TypeInContext(self.context.raw), offset, 0)];
            Value(core::LLVMBuildGEP2(self.raw, i8, address.0, index.as_mut_ptr(), 1, NAMELESS))
        }
    }

    /// `getelementptr` over `ty` with these indices.
    pub fn gep(&self, ty: Type, address: Value, indices: &[Value]) -> Value {
        let mut raw: Vec<_> = indices.iter().map(|index| index.0).collect();
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildGEP2(self.raw, ty.0, address.0, raw.as_mut_ptr(), raw.len() as u32, NAMELESS) })
    }

    /// Call of `callee` with this function type.
    pub fn call(&self, ty: Type, callee: Value, args: &[Value]) -> Value {
        let mut raw: Vec<_> = args.iter().map(|arg| arg.0).collect();
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildCall2(self.raw, ty.0, callee.0, raw.as_mut_ptr(), raw.len() as u32, NAMELESS) })
    }

    /// Invoke of `callee` with this function type.
    pub fn invoke(&self, ty: Type, callee: Value, args: &[Value], normal: Block, unwind: Block) -> Value {
        let mut raw: Vec<_> = args.iter().map(|arg| arg.0).collect();
        let (raw, count) = (raw.as_mut_ptr(), raw.len() as u32);
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildInvoke2(self.raw, ty.0, callee.0, raw, count, normal.0, unwind.0, NAMELESS) })
    }

    /// A landing pad that is there for its code only: it catches nothing.
    pub fn cleanup_pad(&self, ty: Type) -> Value {
        // SAFETY: as for the others; the function has a personality, the caller's duty.
        unsafe {
            let pad = core::LLVMBuildLandingPad(self.raw, ty.0, std::ptr::null_mut(), 0, NAMELESS);
            core::LLVMSetCleanup(pad, 1);
            Value(pad)
        }
    }

    /// `resume`
    pub fn resume(&self, exception: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildResume(self.raw, exception.0) })
    }

    /// Call of a function that is known by its declaration.
    pub fn call_function(&self, function: Value, args: &[Value]) -> Value {
        self.call(function.value_type(), function, args)
    }

    /// `alloca` of one element.
    pub fn alloca(&self, ty: Type) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildAlloca(self.raw, ty.0, NAMELESS) })
    }

    /// `phi` without incoming values.
    pub fn phi(&self, ty: Type) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildPhi(self.raw, ty.0, NAMELESS) })
    }

    /// `extractvalue`
    pub fn extract(&self, aggregate: Value, index: u32) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildExtractValue(self.raw, aggregate.0, index, NAMELESS) })
    }

    /// `insertvalue`
    pub fn insert(&self, aggregate: Value, value: Value, index: u32) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildInsertValue(self.raw, aggregate.0, value.0, index, NAMELESS) })
    }

    /// `extractelement`
    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildExtractElement(self.raw, vector.0, index.0, NAMELESS) })
    }

    /// `insertelement`
    pub fn insert_element(&self, vector: Value, value: Value, index: Value) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildInsertElement(self.raw, vector.0, value.0, index.0, NAMELESS) })
    }

    /// Atomic read-modify-write.
    pub fn atomic_rmw(&self, op: AtomicRmwOp, address: Value, value: Value, ordering: AtomicOrdering) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildAtomicRMW(self.raw, op, address.0, value.0, ordering, 0) })
    }

    /// `br`
    pub fn jump(&self, to: Block) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildBr(self.raw, to.0) })
    }

    /// Conditional `br`
    pub fn branch(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildCondBr(self.raw, condition.0, then.0, otherwise.0) })
    }

    /// `switch`
    pub fn switch(&self, value: Value, default: Block, cases: &[(Value, Block)]) -> Value {
        // SAFETY: as for the others.
        unsafe {
            let switch = core::LLVMBuildSwitch(self.raw, value.0, default.0, cases.len() as u32);
            for (case, block) in cases {
                core::LLVMAddCase(switch, case.0, block.0);
            }
            Value(switch)
        }
    }

    /// `ret`
    pub fn ret(&self, value: Option<Value>) -> Value {
        // SAFETY: as for the others.
        Value(unsafe {
            match value {
                Some(value) => core::LLVMBuildRet(self.raw, value.0),
                None => core::LLVMBuildRetVoid(self.raw),
            }
        })
    }

    /// `unreachable`
    pub fn unreachable(&self) -> Value {
        // SAFETY: as for the others.
        Value(unsafe { core::LLVMBuildUnreachable(self.raw) })
    }

    /// Appends a block to a function.
    pub fn append_block(&self, function: Value, name: &str) -> Block {
        // SAFETY: a live function.
        Block(unsafe { core::LLVMAppendBasicBlockInContext(self.context.raw, function.0, c_string(name).as_ptr()) })
    }

    /// Inserts a block before another one.
    pub fn insert_block(&self, before: Block, name: &str) -> Block {
        // SAFETY: a live block.
        Block(unsafe { core::LLVMInsertBasicBlockInContext(self.context.raw, before.0, c_string(name).as_ptr()) })
    }
}

impl Block {
    /// Moves the block after another one of the same function.
    pub fn move_after(self, other: Block) {
        // SAFETY: live blocks of one function.
        unsafe { core::LLVMMoveBasicBlockAfter(self.0, other.0) }
    }
    /// Deletes a block that nothing refers to.
    pub fn delete(self) {
        // SAFETY: a live block; that nothing uses it is the caller's duty.
        unsafe { core::LLVMDeleteBasicBlock(self.0) }
    }
}

impl Value {
    /// Gives a global default visibility, as local linkage wants it.
    pub fn make_default_visible(self) {
        self.set_visibility(llvm_sys::LLVMVisibility::LLVMDefaultVisibility);
    }

    /// Adds an incoming value to a phi.
    pub fn add_incoming(self, value: Value, block: Block) {
        let (mut values, mut blocks) = ([value.0], [block.0]);
        // SAFETY: a phi.
        unsafe { core::LLVMAddIncoming(self.0, values.as_mut_ptr(), blocks.as_mut_ptr(), 1) }
    }

    /// Erases an instruction that nothing uses.
    pub fn erase(self) {
        // SAFETY: a live instruction; the caller drops all handles of it.
        unsafe { core::LLVMInstructionEraseFromParent(self.0) }
    }

    /// Sets the alignment of a memory access, alloca or global.
    pub fn set_alignment(self, align: u32) {
        // SAFETY: one of those.
        unsafe { core::LLVMSetAlignment(self.0, align) }
    }

    /// Makes a memory access volatile or not.
    pub fn set_volatile(self, volatile: bool) {
        // SAFETY: a memory access.
        unsafe { core::LLVMSetVolatile(self.0, volatile.into()) }
    }

    /// Atomic ordering of a load, store, rmw or fence.
    pub fn ordering(self) -> AtomicOrdering {
        // SAFETY: one of those.
        unsafe { core::LLVMGetOrdering(self.0) }
    }

    /// Sets the atomic ordering of a load, store, rmw or fence.
    pub fn set_ordering(self, ordering: AtomicOrdering) {
        // SAFETY: one of those.
        unsafe { core::LLVMSetOrdering(self.0, ordering) }
    }

    /// Takes away every flag that lets a result be poison or be computed otherwise (nsw, nuw, exact, disjoint, nneg,
    /// samesign, inbounds, fast-math).
    pub fn strip_flags(self) {
        use Opcode::*;
        // SAFETY: each setter is called on the instructions that have the flag.
        unsafe {
            match self.opcode() {
                LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMTrunc => {
                    core::LLVMSetNUW(self.0, 0);
                    core::LLVMSetNSW(self.0, 0);
                }
                LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr => core::LLVMSetExact(self.0, 0),
                LLVMOr => core::LLVMSetIsDisjoint(self.0, 0),
                LLVMZExt | LLVMUIToFP => core::LLVMSetNNeg(self.0, 0),
                LLVMICmp => core::LLVMSetICmpSameSign(self.0, 0),
                LLVMGetElementPtr => core::LLVMGEPSetNoWrapFlags(self.0, 0),
                _ => {}
            }
            if core::LLVMCanValueUseFastMathFlags(self.0) != 0 {
                core::LLVMSetFastMathFlags(self.0, 0);
            }
        }
    }

    /// Replaces the called value of a call or invoke.
    pub fn set_called(self, callee: Value) {
        // SAFETY: the callee is the last operand of a call without bundles.
        unsafe {
            let count = core::LLVMGetNumOperands(self.0);
            core::LLVMSetOperand(self.0, count as u32 - 1, callee.0);
        }
    }

    /// Sets an argument of a call.
    pub fn set_arg(self, index: u32, value: Value) {
        // SAFETY: a call, index in range.
        unsafe { core::LLVMSetArgOperand(self.0, index, value.0) }
    }

    /// Calling convention of a function or call.
    pub fn calling_convention(self) -> u32 {
        // SAFETY: a function or a call.
        unsafe {
            if self.is_function() {
                core::LLVMGetFunctionCallConv(self.0)
            } else {
                core::LLVMGetInstructionCallConv(self.0)
            }
        }
    }

    /// Sets the calling convention of a function or call.
    pub fn set_calling_convention(self, convention: u32) {
        // SAFETY: a function or a call.
        unsafe {
            if self.is_function() {
                core::LLVMSetFunctionCallConv(self.0, convention);
            } else {
                core::LLVMSetInstructionCallConv(self.0, convention);
            }
        }
    }

    /// Makes a call `musttail`, or an ordinary one. An invoke is none.
    pub fn set_must_tail(self, must: bool) {
        use llvm_sys::LLVMTailCallKind::*;
        if !self.is_call() {
            return;
        }
        // SAFETY: a call.
        unsafe {
            core::LLVMSetTailCallKind(self.0, if must { LLVMTailCallKindMustTail } else { LLVMTailCallKindNone });
        }
    }

    /// Attaches metadata under a kind's name.
    pub fn set_metadata(self, kind: u32, node: Option<Metadata>) {
        // SAFETY: an instruction and a node of its context.
        unsafe {
            let value = match node {
                Some(node) => core::LLVMMetadataAsValue(core::LLVMGetTypeContext(self.ty().0), node.0),
                None => std::ptr::null_mut(),
            };
            core::LLVMSetMetadata(self.0, kind, value);
        }
    }

    /// Kinds of the metadata of an instruction, without its source position.
    pub fn metadata_kinds(self) -> Vec<u32> {
        let mut count = 0;
        // SAFETY: an instruction; the entries are ours to dispose.
        unsafe {
            if core::LLVMHasMetadata(self.0) == 0 {
                return Vec::new();
            }
            let entries = core::LLVMInstructionGetAllMetadataOtherThanDebugLoc(self.0, &mut count);
            let kinds = (0..count as u32).map(|index| core::LLVMValueMetadataEntriesGetKind(entries, index)).collect();
            core::LLVMDisposeValueMetadataEntries(entries);
            kinds
        }
    }
}
