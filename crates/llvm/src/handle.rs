//! The handle types.

use llvm_sys::prelude::*;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(pub(crate) $raw);
        impl $name {
            /// The handle, or none for LLVM's null.
            #[allow(dead_code)]
            pub(crate) fn new(raw: $raw) -> Option<Self> {
                (!raw.is_null()).then_some(Self(raw))
            }
        }
    };
}

handle!(
    /// Any value: constant, global, function, argument, instruction.
    Value, LLVMValueRef
);
handle!(
    /// A basic block.
    Block, LLVMBasicBlockRef
);
handle!(
    /// A type.
    Type, LLVMTypeRef
);
handle!(
    /// A metadata node.
    Metadata, LLVMMetadataRef
);
