//! Constants.

use llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind, core};

use crate::{Block, Type, Value, module::bytes_of};

impl Value {
    /// Whether it is the null or zero of its type.
    pub fn is_null(self) -> bool {
        // SAFETY: a live value.
        unsafe { core::LLVMIsNull(self.0) != 0 }
    }

    /// Whether it is `undef` or `poison`.
    pub fn is_undef_or_poison(self) -> bool {
        matches!(self.kind(), LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind)
    }

    /// Words of an integer constant of up to 128 bits, low word first, zero-extended.
    pub fn int_words(self) -> Option<[u64; 2]> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind || !self.ty().is_int() {
            return None;
        }
        let width = self.ty().int_width();
        if width <= 64 {
            // SAFETY: an integer constant of at most 64 bits.
            return Some([unsafe { core::LLVMConstIntGetZExtValue(self.0) }, 0]);
        }
        // There is no getter for wide constants: their text is their exact decimal value.
        let text = self.print();
        let digits = text.rsplit(' ').next()?;
        let value = match digits.strip_prefix('-') {
            Some(rest) => (rest.parse::<u128>().ok()?).wrapping_neg(),
            None => digits.parse::<u128>().ok()?,
        };
        let value = if width < 128 { value & ((1 << width) - 1) } else { value };
        (width <= 128).then_some([value as u64, (value >> 64) as u64])
    }

    /// Value of an integer constant of at most 64 bits, zero-extended.
    pub fn int_value(self) -> Option<u64> {
        (self.ty().int_width() <= 64).then(|| self.int_words()).flatten().map(|words| words[0])
    }

    /// Value of an integer constant of at most 64 bits, sign-extended.
    pub fn int_value_signed(self) -> Option<i64> {
        let width = self.ty().int_width();
        let value = self.int_value()?;
        Some(((value << (64 - width)) as i64) >> (64 - width))
    }

    /// The exact bits of a floating constant, low word first.
    pub fn float_bits(self) -> Option<[u64; 2]> {
        if self.kind() != LLVMValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let width = match self.ty().kind() {
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => 16,
            LLVMTypeKind::LLVMFloatTypeKind => 32,
            LLVMTypeKind::LLVMDoubleTypeKind => 64,
            LLVMTypeKind::LLVMX86_FP80TypeKind => 80,
            LLVMTypeKind::LLVMFP128TypeKind => 128,
            _ => return None,
        };
        // SAFETY: LLVM folds the cast of a floating constant to an integer of its width.
        let bits = unsafe {
            let context = core::LLVMGetTypeContext(self.ty().0);
            Value(core::LLVMConstBitCast(self.0, core::LLVMIntTypeInContext(context, width)))
        };
        bits.int_words()
    }

    /// Element `index` of a constant aggregate or vector.
    pub fn aggregate_element(self, index: u32) -> Option<Value> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: a constant; null out of range.
        Value::new(unsafe { core::LLVMGetAggregateElement(self.0, index) })
    }

    /// The bytes of a constant data array or vector (elements in the target's byte order).
    pub fn data_bytes(self) -> Option<Vec<u8>> {
        if !matches!(
            self.kind(),
            LLVMValueKind::LLVMConstantDataArrayValueKind | LLVMValueKind::LLVMConstantDataVectorValueKind
        ) {
            return None;
        }
        let mut len: usize = 0;
        // SAFETY: constant data; LLVM's own bytes. The binding declares the out parameter `size_t *` as a number.
        unsafe {
            let data = core::LLVMGetRawDataValues(self.0, (&raw mut len).expose_provenance());
            Some(bytes_of(data, len))
        }
    }

    /// Opcode of a constant expression.
    pub fn expression_opcode(self) -> Option<LLVMOpcode> {
        // SAFETY: a constant expression.
        (self.kind() == LLVMValueKind::LLVMConstantExprValueKind).then(|| unsafe { core::LLVMGetConstOpcode(self.0) })
    }

    /// Function and block of a `blockaddress`.
    pub fn block_address(self) -> Option<(Value, Block)> {
        if self.kind() != LLVMValueKind::LLVMBlockAddressValueKind {
            return None;
        }
        // SAFETY: a block address.
        unsafe {
            Some((Value(core::LLVMGetBlockAddressFunction(self.0)), Block(core::LLVMGetBlockAddressBasicBlock(self.0))))
        }
    }

    /// Type of the source of a cast.
    pub fn source_type(self) -> Option<Type> {
        self.operand(0).map(Value::ty)
    }
}
