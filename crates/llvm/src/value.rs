//! Values of all kinds, functions, globals and blocks.

use llvm_sys::{LLVMOpcode, LLVMValueKind, LLVMVisibility, core};

use crate::{
    Block, Type, Value,
    module::{chain, take_string, text_of},
};

pub use llvm_sys::{LLVMLinkage as Linkage, LLVMValueKind as ValueKind};

impl Value {
    /// Kind of the value.
    pub fn kind(self) -> ValueKind {
        // SAFETY: a live value.
        unsafe { core::LLVMGetValueKind(self.0) }
    }

    /// Its type (of a function or global: `ptr`; see [`Value::value_type`]).
    pub fn ty(self) -> Type {
        // SAFETY: every value has a type.
        Type(unsafe { core::LLVMTypeOf(self.0) })
    }

    /// Name, empty for unnamed values.
    pub fn name(self) -> String {
        let mut len = 0;
        // SAFETY: LLVM's own bytes.
        unsafe { text_of(core::LLVMGetValueName2(self.0, &mut len), len) }
    }

    /// Names the value (LLVM makes it unique).
    pub fn set_name(self, name: &str) {
        // SAFETY: the bytes are copied.
        unsafe { core::LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// The value as text (a whole function or global with its body).
    pub fn print(self) -> String {
        // SAFETY: a message to dispose.
        unsafe { take_string(core::LLVMPrintValueToString(self.0)) }
    }

    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        // SAFETY: a live value.
        unsafe { !core::LLVMIsAInstruction(self.0).is_null() }
    }

    /// Whether it is a parameter of a function.
    pub fn is_argument(self) -> bool {
        self.kind() == LLVMValueKind::LLVMArgumentValueKind
    }

    /// Whether it is a constant (globals and functions included).
    pub fn is_constant(self) -> bool {
        // SAFETY: a live value.
        unsafe { core::LLVMIsConstant(self.0) != 0 }
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    /// Whether it is a global variable.
    pub fn is_global_variable(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }

    /// Whether it is a function, a global variable, an alias or an ifunc.
    pub fn is_global_value(self) -> bool {
        // SAFETY: a live value.
        unsafe { !core::LLVMIsAGlobalValue(self.0).is_null() }
    }

    /// Whether it is inline assembly.
    pub fn is_inline_asm(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInlineAsmValueKind
    }

    /// The block, where the value is one.
    pub fn as_block(self) -> Option<Block> {
        // SAFETY: checked.
        unsafe { (core::LLVMValueIsBasicBlock(self.0) != 0).then(|| Block(core::LLVMValueAsBasicBlock(self.0))) }
    }

    /// Number of operands.
    pub fn operand_count(self) -> u32 {
        // SAFETY: LLVM answers 0 for what is no user.
        unsafe { if core::LLVMIsAUser(self.0).is_null() { 0 } else { core::LLVMGetNumOperands(self.0).max(0) as u32 } }
    }

    /// Operand `index`.
    pub fn operand(self, index: u32) -> Option<Value> {
        // SAFETY: the index is in range.
        if index < self.operand_count() { Value::new(unsafe { core::LLVMGetOperand(self.0, index) }) } else { None }
    }

    /// All operands.
    pub fn operands(self) -> impl Iterator<Item = Value> {
        (0..self.operand_count()).filter_map(move |index| self.operand(index))
    }

    /// Replaces operand `index`.
    pub fn set_operand(self, index: u32, value: Value) {
        assert!(index < self.operand_count(), "operand index out of range");
        // SAFETY: in range.
        unsafe { core::LLVMSetOperand(self.0, index, value.0) }
    }

    /// The values that use this one, one entry for each use.
    pub fn users(self) -> Vec<Value> {
        let mut out = Vec::new();
        // SAFETY: the use list of a live value.
        unsafe {
            let mut current = core::LLVMGetFirstUse(self.0);
            while !current.is_null() {
                out.push(Value(core::LLVMGetUser(current)));
                current = core::LLVMGetNextUse(current);
            }
        }
        out
    }

    /// Whether anything uses it.
    pub fn has_uses(self) -> bool {
        // SAFETY: a live value.
        unsafe { !core::LLVMGetFirstUse(self.0).is_null() }
    }

    /// Makes all users use `other` instead.
    pub fn replace_all_uses_with(self, other: Value) {
        // SAFETY: both live, the same type is the caller's duty.
        unsafe { core::LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    // Globals and functions.

    /// Type of a global's content or of a function (not the pointer's).
    pub fn value_type(self) -> Type {
        assert!(self.is_global_value(), "only globals have a value type");
        // SAFETY: a global value.
        Type(unsafe { core::LLVMGlobalGetValueType(self.0) })
    }

    /// Linkage of a global value.
    pub fn linkage(self) -> Linkage {
        // SAFETY: LLVM answers for global values only; the assertion guards it.
        assert!(self.is_global_value(), "only globals have linkage");
        unsafe { core::LLVMGetLinkage(self.0) }
    }

    /// Sets the linkage of a global value.
    pub fn set_linkage(self, linkage: Linkage) {
        assert!(self.is_global_value(), "only globals have linkage");
        // SAFETY: a global value.
        unsafe { core::LLVMSetLinkage(self.0, linkage) }
    }

    /// Whether the linkage is internal or private.
    pub fn is_local(self) -> bool {
        matches!(self.linkage(), Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage)
    }

    /// Whether a global value has hidden visibility.
    pub fn is_hidden(self) -> bool {
        assert!(self.is_global_value(), "only globals have visibility");
        // SAFETY: a global value.
        unsafe { core::LLVMGetVisibility(self.0) == LLVMVisibility::LLVMHiddenVisibility }
    }

    /// Visibility of a global value.
    pub fn visibility(self) -> LLVMVisibility {
        assert!(self.is_global_value(), "only globals have visibility");
        // SAFETY: a global value.
        unsafe { core::LLVMGetVisibility(self.0) }
    }

    /// Sets the visibility of a global value.
    pub fn set_visibility(self, visibility: LLVMVisibility) {
        assert!(self.is_global_value(), "only globals have visibility");
        // SAFETY: a global value.
        unsafe { core::LLVMSetVisibility(self.0, visibility) }
    }

    /// Whether a global value is only declared. `available_externally` counts as defined here.
    pub fn is_declaration(self) -> bool {
        // SAFETY: a global value.
        !self.is_global_value() || unsafe { core::LLVMIsDeclaration(self.0) != 0 }
    }

    /// Section of a global or function; empty for none.
    pub fn section(self) -> String {
        if !self.is_global_value() {
            return String::new();
        }
        // SAFETY: a NUL-ended string of LLVM's, or null.
        unsafe {
            let section = core::LLVMGetSection(self.0);
            if section.is_null() {
                return String::new();
            }
            std::ffi::CStr::from_ptr(section).to_string_lossy().into_owned()
        }
    }

    /// Whether a global variable is thread-local.
    pub fn is_thread_local(self) -> bool {
        // SAFETY: a global variable.
        self.is_global_variable() && unsafe { core::LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Whether a global variable is constant.
    pub fn is_global_constant(self) -> bool {
        // SAFETY: a global variable.
        self.is_global_variable() && unsafe { core::LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Initialiser of a global variable.
    pub fn initializer(self) -> Option<Value> {
        if !self.is_global_variable() {
            return None;
        }
        // SAFETY: a global variable; null where there is none.
        Value::new(unsafe { core::LLVMGetInitializer(self.0) })
    }

    /// Explicit alignment of a global, alloca, load or store; 0 for none.
    pub fn alignment(self) -> u32 {
        let fits = self.is_global_variable()
            || self.is_function()
            || self.is_instruction()
                && matches!(
                    self.opcode(),
                    LLVMOpcode::LLVMAlloca
                        | LLVMOpcode::LLVMLoad
                        | LLVMOpcode::LLVMStore
                        | LLVMOpcode::LLVMAtomicRMW
                        | LLVMOpcode::LLVMAtomicCmpXchg
                );
        // SAFETY: one of the values that have an alignment; LLVM stops on others.
        if fits { unsafe { core::LLVMGetAlignment(self.0) } } else { 0 }
    }

    /// What an alias stands for, all aliases and constant casts on the way included.
    pub fn aliasee(self) -> Option<Value> {
        if self.kind() != LLVMValueKind::LLVMGlobalAliasValueKind {
            return None;
        }
        // SAFETY: an alias.
        Value::new(unsafe { core::LLVMAliasGetAliasee(self.0) })
    }

    /// Resolver of an ifunc.
    pub fn ifunc_resolver(self) -> Option<Value> {
        if self.kind() != LLVMValueKind::LLVMGlobalIFuncValueKind {
            return None;
        }
        // SAFETY: an ifunc.
        Value::new(unsafe { core::LLVMGetGlobalIFuncResolver(self.0) })
    }

    /// Number of parameters of a function.
    pub fn param_count(self) -> u32 {
        // SAFETY: a function.
        if self.is_function() { unsafe { core::LLVMCountParams(self.0) } } else { 0 }
    }

    /// Parameter `index` of a function.
    pub fn param(self, index: u32) -> Option<Value> {
        // SAFETY: a function, in range.
        if index < self.param_count() { Value::new(unsafe { core::LLVMGetParam(self.0, index) }) } else { None }
    }

    /// Parameters of a function.
    pub fn params(self) -> impl Iterator<Item = Value> {
        (0..self.param_count()).filter_map(move |index| self.param(index))
    }

    /// Blocks of a function, in order. The current one may be erased.
    pub fn blocks(self) -> impl Iterator<Item = Block> {
        // SAFETY: a function.
        let first =
            if self.is_function() { unsafe { core::LLVMGetFirstBasicBlock(self.0) } } else { std::ptr::null_mut() };
        chain(Block::new(first), |block| {
            // SAFETY: a live block.
            Block::new(unsafe { core::LLVMGetNextBasicBlock(block.0) })
        })
    }

    /// Entry block of a function with a body.
    pub fn entry_block(self) -> Option<Block> {
        self.blocks().next()
    }

    /// The function that the unwinder asks about a function's landing pads.
    pub fn personality(self) -> Option<Value> {
        // SAFETY: a function that has one.
        unsafe {
            let has = self.is_function() && core::LLVMHasPersonalityFn(self.0) != 0;
            has.then(|| Value(core::LLVMGetPersonalityFn(self.0)))
        }
    }

    /// Sets the function that the unwinder asks about a function's landing pads.
    pub fn set_personality(self, personality: Value) {
        assert!(self.is_function(), "a function");
        // SAFETY: a function.
        unsafe { core::LLVMSetPersonalityFn(self.0, personality.0) }
    }

    /// Number of an intrinsic; 0 for other functions.
    pub fn intrinsic_id(self) -> u32 {
        // SAFETY: a function.
        if self.is_function() { unsafe { core::LLVMGetIntrinsicID(self.0) } } else { 0 }
    }
}

impl Block {
    /// Name, empty for unnamed ones.
    pub fn name(self) -> String {
        self.as_value().name()
    }

    /// The block as a value.
    pub fn as_value(self) -> Value {
        // SAFETY: a live block.
        Value(unsafe { core::LLVMBasicBlockAsValue(self.0) })
    }

    /// The function that it belongs to.
    pub fn parent(self) -> Option<Value> {
        // SAFETY: a live block.
        Value::new(unsafe { core::LLVMGetBasicBlockParent(self.0) })
    }

    /// Instructions, in order. The current one may be erased.
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        // SAFETY: a live block and its instructions.
        chain(Value::new(unsafe { core::LLVMGetFirstInstruction(self.0) }), |value| {
            Value::new(unsafe { core::LLVMGetNextInstruction(value.0) })
        })
    }

    /// First instruction.
    pub fn first_instruction(self) -> Option<Value> {
        // SAFETY: a live block.
        Value::new(unsafe { core::LLVMGetFirstInstruction(self.0) })
    }

    /// Last instruction where it ends the block.
    pub fn terminator(self) -> Option<Value> {
        // SAFETY: a live block.
        Value::new(unsafe { core::LLVMGetBasicBlockTerminator(self.0) })
    }

    /// The block after it in the function.
    pub fn next(self) -> Option<Block> {
        // SAFETY: a live block.
        Block::new(unsafe { core::LLVMGetNextBasicBlock(self.0) })
    }

    /// Successors in the terminator's order, with repetitions.
    pub fn successors(self) -> Vec<Block> {
        self.terminator().map(|terminator| terminator.successors()).unwrap_or_default()
    }
}
