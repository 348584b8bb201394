//! Types, constants, globals and functions that are made, not read.

use llvm_sys::{LLVMInlineAsmDialect, comdat, core, debuginfo};

use crate::{Linkage, Metadata, Module, Type, Value, module::c_string};

impl Module {
    /// Integer type.
    pub fn int_type(&self, bits: u32) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMIntTypeInContext(self.context.raw, bits) })
    }
    /// Pointer type of an address space.
    pub fn ptr_type(&self, address_space: u32) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMPointerTypeInContext(self.context.raw, address_space) })
    }
    /// `void`
    pub fn void_type(&self) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMVoidTypeInContext(self.context.raw) })
    }
    /// `float`
    pub fn float_type(&self) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMFloatTypeInContext(self.context.raw) })
    }
    /// `double`
    pub fn double_type(&self) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMDoubleTypeInContext(self.context.raw) })
    }
    /// `x86_fp80`
    pub fn x87_type(&self) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMX86FP80TypeInContext(self.context.raw) })
    }
    /// `metadata`
    pub fn metadata_type(&self) -> Type {
        // SAFETY: plain call.
        Type(unsafe { core::LLVMMetadataTypeInContext(self.context.raw) })
    }
    /// Function type.
    pub fn function_type(&self, ret: Type, params: &[Type], variadic: bool) -> Type {
        let mut raw: Vec<_> = params.iter().map(|ty| ty.0).collect();
        // SAFETY: types of this context.
        Type(unsafe { core::LLVMFunctionType(ret.0, raw.as_mut_ptr(), raw.len() as u32, variadic.into()) })
    }
    /// Literal structure type.
    pub fn struct_type(&self, elements: &[Type]) -> Type {
        let mut raw: Vec<_> = elements.iter().map(|ty| ty.0).collect();
        // SAFETY: types of this context.
        Type(unsafe { core::LLVMStructTypeInContext(self.context.raw, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }
    /// Array type.
    pub fn array_type(&self, element: Type, count: u64) -> Type {
        // SAFETY: a type of this context.
        Type(unsafe { core::LLVMArrayType2(element.0, count) })
    }
    /// Vector type.
    pub fn vector_type(&self, element: Type, count: u32) -> Type {
        // SAFETY: a type of this context.
        Type(unsafe { core::LLVMVectorType(element.0, count) })
    }

    /// Constant bytes, without a NUL at the end.
    pub fn const_bytes(&self, bytes: &[u8]) -> Value {
        // SAFETY: the bytes are copied.
        Value(unsafe { core::LLVMConstStringInContext2(self.context.raw, bytes.as_ptr().cast(), bytes.len(), 1) })
    }
    /// Constant structure.
    pub fn const_struct(&self, values: &[Value]) -> Value {
        let mut raw: Vec<_> = values.iter().map(|value| value.0).collect();
        // SAFETY: constants of this context.
        Value(unsafe { core::LLVMConstStructInContext(self.context.raw, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }
    /// Constant of a structure type, named or literal.
    pub fn const_struct_of(&self, ty: Type, values: &[Value]) -> Value {
        if ty.struct_name().is_none() && !ty.is_packed() {
            return self.const_struct(values);
        }
        let mut raw: Vec<_> = values.iter().map(|value| value.0).collect();
        // SAFETY: constants that fit the type's elements.
        Value(unsafe {
            if ty.struct_name().is_some() {
                core::LLVMConstNamedStruct(ty.0, raw.as_mut_ptr(), raw.len() as u32)
            } else {
                core::LLVMConstStructInContext(self.context.raw, raw.as_mut_ptr(), raw.len() as u32, 1)
            }
        })
    }
    /// Constant vector.
    pub fn const_vector(&self, values: &[Value]) -> Value {
        let mut raw: Vec<_> = values.iter().map(|value| value.0).collect();
        // SAFETY: constants of this context.
        Value(unsafe { core::LLVMConstVector(raw.as_mut_ptr(), raw.len() as u32) })
    }
    /// Constant array.
    pub fn const_array(&self, element: Type, values: &[Value]) -> Value {
        let mut raw: Vec<_> = values.iter().map(|value| value.0).collect();
        // SAFETY: constants of this context.
        Value(unsafe { core::LLVMConstArray2(element.0, raw.as_mut_ptr(), raw.len() as u64) })
    }

    /// The function of that name, declared if it is not there.
    pub fn get_or_declare(&self, name: &str, ty: Type) -> Value {
        self.function(name).unwrap_or_else(|| self.add_function(name, ty))
    }
    /// A new declaration.
    pub fn add_function(&self, name: &str, ty: Type) -> Value {
        // SAFETY: plain call.
        Value(unsafe { core::LLVMAddFunction(self.raw, c_string(name).as_ptr(), ty.0) })
    }
    /// Declaration of an intrinsic with these overloaded types; none when LLVM has no such.
    pub fn intrinsic(&self, name: &str, types: &[Type]) -> Option<Value> {
        let mut raw: Vec<_> = types.iter().map(|ty| ty.0).collect();
        // SAFETY: the number is one that LLVM gave.
        unsafe {
            let id = core::LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            (id != 0).then(|| Value(core::LLVMGetIntrinsicDeclaration(self.raw, id, raw.as_mut_ptr(), raw.len())))
        }
    }
    /// A new global variable without initialiser.
    pub fn add_global(&self, name: &str, ty: Type) -> Value {
        // SAFETY: plain call.
        Value(unsafe { core::LLVMAddGlobal(self.raw, ty.0, c_string(name).as_ptr()) })
    }
    /// A new alias.
    pub fn add_alias(&self, name: &str, ty: Type, of: Value) -> Value {
        // SAFETY: a constant of this module.
        Value(unsafe { core::LLVMAddAlias2(self.raw, ty.0, 0, of.0, c_string(name).as_ptr()) })
    }
    /// Inline assembly (AT&T syntax) of a function type.
    pub fn asm(&self, ty: Type, text: &str, constraints: &str, side_effect: bool) -> Value {
        // SAFETY: the texts are copied.
        Value(unsafe {
            core::LLVMGetInlineAsm(
                ty.0,
                text.as_ptr().cast(),
                text.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                side_effect.into(),
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            )
        })
    }

    /// Number of a metadata kind.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: plain call.
        unsafe { core::LLVMGetMDKindIDInContext(self.context.raw, name.as_ptr().cast(), name.len() as u32) }
    }
    /// A metadata string.
    pub fn metadata_text_node(&self, text: &str) -> Metadata {
        // SAFETY: the text is copied.
        Metadata(unsafe { core::LLVMMDStringInContext2(self.context.raw, text.as_ptr().cast(), text.len()) })
    }
    /// A metadata node.
    pub fn metadata_node(&self, operands: &[Metadata]) -> Metadata {
        let mut raw: Vec<_> = operands.iter().map(|node| node.0).collect();
        // SAFETY: nodes of this context.
        Metadata(unsafe { core::LLVMMDNodeInContext2(self.context.raw, raw.as_mut_ptr(), raw.len()) })
    }
    /// Metadata as an argument of an intrinsic.
    pub fn metadata_argument(&self, node: Metadata) -> Value {
        // SAFETY: a node of this context.
        Value(unsafe { core::LLVMMetadataAsValue(self.context.raw, node.0) })
    }
    /// A constant as metadata.
    pub fn constant_metadata(&self, value: Value) -> Metadata {
        // SAFETY: a constant.
        Metadata(unsafe { core::LLVMValueAsMetadata(value.0) })
    }

    /// Drops all debug information.
    pub fn strip_debug_info(&self) {
        // SAFETY: plain call.
        unsafe { debuginfo::LLVMStripModuleDebugInfo(self.raw) };
    }

    /// Puts a function or variable into the COMDAT of another, where that has one.
    pub fn join_comdat(&self, object: Value, other: Value) {
        // SAFETY: both live; a null COMDAT is none.
        unsafe { comdat::LLVMSetComdat(object.0, comdat::LLVMGetComdat(other.0)) }
    }

    /// Takes a function or global variable out of its COMDAT.
    pub fn leave_comdat(&self, object: Value) {
        // SAFETY: a global object of this module; a null COMDAT means none.
        unsafe { comdat::LLVMSetComdat(object.0, std::ptr::null_mut()) }
    }
}

impl Type {
    /// Zero or null of this type.
    pub fn zero(self) -> Value {
        // SAFETY: a type with values.
        Value(unsafe { core::LLVMConstNull(self.0) })
    }
    /// Poison of this type.
    pub fn poison(self) -> Value {
        // SAFETY: a type with values.
        Value(unsafe { core::LLVMGetPoison(self.0) })
    }
    /// Integer constant (the low bits of `value`, zero-extended beyond 64).
    pub fn constant(self, value: u64) -> Value {
        // SAFETY: an integer type. Widths below 64 take the low bits explicitly: LLVM asserts otherwise.
        let width = self.int_width();
        let value = if width < 64 { value & ((1 << width) - 1) } else { value };
        Value(unsafe { core::LLVMConstInt(self.0, value, 0) })
    }
    /// Integer constant of several words, low first.
    pub fn wide_constant(self, words: &[u64]) -> Value {
        // SAFETY: an integer type.
        Value(unsafe { core::LLVMConstIntOfArbitraryPrecision(self.0, words.len() as u32, words.as_ptr()) })
    }
    /// Floating constant.
    pub fn real(self, value: f64) -> Value {
        // SAFETY: a floating type.
        Value(unsafe { core::LLVMConstReal(self.0, value) })
    }
}

impl Value {
    /// An integer constant as a pointer.
    pub fn const_int_to_ptr(self, ty: Type) -> Value {
        // SAFETY: a constant.
        Value(unsafe { core::LLVMConstIntToPtr(self.0, ty.0) })
    }
    /// Sets a global's initialiser.
    pub fn set_initializer(self, value: Value) {
        // SAFETY: a global and a constant of its type.
        unsafe { core::LLVMSetInitializer(self.0, value.0) }
    }
    /// Deletes a global that nothing uses.
    pub fn delete_global(self) {
        // SAFETY: a live global; that nothing uses it is the caller's duty.
        unsafe { core::LLVMDeleteGlobal(self.0) }
    }
    /// Deletes a function that nothing uses.
    pub fn delete_function(self) {
        // SAFETY: a live function; that nothing uses it is the caller's duty.
        unsafe { core::LLVMDeleteFunction(self.0) }
    }
    /// Sets the section of a global or function.
    pub fn set_section(self, section: &str) {
        // SAFETY: a global object.
        unsafe { core::LLVMSetSection(self.0, c_string(section).as_ptr()) }
    }
    /// Whether a linkage lets another definition be the one at link time.
    pub fn is_interposable(self) -> bool {
        use Linkage::*;
        matches!(
            self.linkage(),
            LLVMWeakAnyLinkage
                | LLVMWeakODRLinkage
                | LLVMLinkOnceAnyLinkage
                | LLVMLinkOnceODRLinkage
                | LLVMLinkOnceODRAutoHideLinkage
                | LLVMCommonLinkage
                | LLVMExternalWeakLinkage
                | LLVMAvailableExternallyLinkage
        )
    }
    /// Block address of a block as a constant of its function.
    pub fn block_address_of(self, block: crate::Block) -> Value {
        // SAFETY: a function and one of its blocks.
        Value(unsafe { core::LLVMBlockAddress(self.0, block.0) })
    }
}
