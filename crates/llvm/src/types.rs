//! Types.

use std::ffi::CStr;

use llvm_sys::{LLVMTypeKind, core};

use crate::{Type, module::take_string};

pub use llvm_sys::LLVMTypeKind as TypeKind;

impl Type {
    /// Kind of the type.
    pub fn kind(self) -> TypeKind {
        // SAFETY: a live type.
        unsafe { core::LLVMGetTypeKind(self.0) }
    }

    /// Whether values of it have a size.
    pub fn is_sized(self) -> bool {
        // SAFETY: a live type.
        !matches!(self.kind(), LLVMTypeKind::LLVMVoidTypeKind | LLVMTypeKind::LLVMFunctionTypeKind)
            && unsafe { core::LLVMTypeIsSized(self.0) != 0 }
    }

    /// Whether it is `void`.
    pub fn is_void(self) -> bool {
        self.kind() == TypeKind::LLVMVoidTypeKind
    }

    /// Whether it is an integer type.
    pub fn is_int(self) -> bool {
        self.kind() == TypeKind::LLVMIntegerTypeKind
    }

    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        self.kind() == TypeKind::LLVMPointerTypeKind
    }

    /// Whether a value of it is one number or address.
    pub fn is_scalar(self) -> bool {
        self.is_int() || self.is_pointer() || self.is_float()
    }

    /// Whether it is a vector of fixed length.
    pub fn is_vector(self) -> bool {
        self.kind() == TypeKind::LLVMVectorTypeKind
    }

    /// Whether it is a structure.
    pub fn is_struct(self) -> bool {
        self.kind() == TypeKind::LLVMStructTypeKind
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == TypeKind::LLVMArrayTypeKind
    }

    /// Whether it is a structure or an array.
    pub fn is_aggregate(self) -> bool {
        self.is_struct() || self.is_array()
    }

    /// Whether it is a scalar floating type.
    pub fn is_float(self) -> bool {
        use LLVMTypeKind::*;
        matches!(
            self.kind(),
            LLVMHalfTypeKind
                | LLVMBFloatTypeKind
                | LLVMFloatTypeKind
                | LLVMDoubleTypeKind
                | LLVMX86_FP80TypeKind
                | LLVMFP128TypeKind
                | LLVMPPC_FP128TypeKind
        )
    }

    /// Bits of an integer type; 0 for others.
    pub fn int_width(self) -> u32 {
        // SAFETY: an integer type.
        if self.is_int() { unsafe { core::LLVMGetIntTypeWidth(self.0) } } else { 0 }
    }

    /// Address space of a pointer type.
    pub fn address_space(self) -> u32 {
        // SAFETY: a pointer type.
        if self.is_pointer() { unsafe { core::LLVMGetPointerAddressSpace(self.0) } } else { 0 }
    }

    /// Elements of a structure, array or vector; 0 for others.
    pub fn element_count(self) -> u64 {
        // SAFETY: the getter fits the kind.
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMStructTypeKind => core::LLVMCountStructElementTypes(self.0).into(),
                LLVMTypeKind::LLVMArrayTypeKind => core::LLVMGetArrayLength2(self.0),
                LLVMTypeKind::LLVMVectorTypeKind => core::LLVMGetVectorSize(self.0).into(),
                _ => 0,
            }
        }
    }

    /// Type of element `index` of a structure, array or vector.
    pub fn element(self, index: u64) -> Option<Type> {
        // SAFETY: the getter fits the kind, the index is in range.
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMStructTypeKind if index < self.element_count() => {
                    Type::new(core::LLVMStructGetTypeAtIndex(self.0, index as u32))
                }
                LLVMTypeKind::LLVMArrayTypeKind | LLVMTypeKind::LLVMVectorTypeKind => {
                    Type::new(core::LLVMGetElementType(self.0))
                }
                _ => None,
            }
        }
    }

    /// All element types of a structure.
    pub fn elements(self) -> Vec<Type> {
        if !self.is_struct() {
            return Vec::new();
        }
        (0..self.element_count()).filter_map(|index| self.element(index)).collect()
    }

    /// Whether a structure is packed.
    pub fn is_packed(self) -> bool {
        // SAFETY: a structure type.
        self.is_struct() && unsafe { core::LLVMIsPackedStruct(self.0) != 0 }
    }

    /// Name of a named structure.
    pub fn struct_name(self) -> Option<String> {
        if !self.is_struct() {
            return None;
        }
        // SAFETY: a structure type; null where unnamed.
        unsafe {
            let name = core::LLVMGetStructName(self.0);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// Result of a function type.
    pub fn return_type(self) -> Option<Type> {
        if self.kind() != LLVMTypeKind::LLVMFunctionTypeKind {
            return None;
        }
        // SAFETY: a function type.
        Type::new(unsafe { core::LLVMGetReturnType(self.0) })
    }

    /// Fixed parameters of a function type.
    pub fn param_types(self) -> Vec<Type> {
        if self.kind() != LLVMTypeKind::LLVMFunctionTypeKind {
            return Vec::new();
        }
        // SAFETY: a function type; the buffer has the counted length.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); core::LLVMCountParamTypes(self.0) as usize];
            core::LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type).collect()
        }
    }

    /// Whether a function type takes variable arguments.
    pub fn is_variadic(self) -> bool {
        // SAFETY: a function type.
        self.kind() == LLVMTypeKind::LLVMFunctionTypeKind && unsafe { core::LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// The type as text.
    pub fn print(self) -> String {
        // SAFETY: a message to dispose.
        unsafe { take_string(core::LLVMPrintTypeToString(self.0)) }
    }
}
