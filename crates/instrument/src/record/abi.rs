//! How System V passes arguments on x86-64, as far as variadic functions show it.

use whydunit_llvm::{AttributePlace, Module, Type, TypeKind, Value};

/// Registers and stack bytes that arguments take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) general: u32,
    pub(crate) vector: u32,
    pub(crate) stack: u64,
}

impl Registers {
    /// Adds one argument, passed by value from memory where `byval` has a size and an alignment.
    pub(crate) fn add(&mut self, module: &Module, ty: Type, byval: Option<(u64, u64)>) {
        if let Some((size, align)) = byval {
            return self.push(size, align);
        }
        match ty.kind() {
            TypeKind::LLVMX86_FP80TypeKind => self.push(16, 16),
            TypeKind::LLVMIntegerTypeKind if ty.int_width() > 64 => {
                if self.general + 2 <= 6 {
                    self.general += 2;
                } else {
                    self.push(16, 16);
                }
            }
            TypeKind::LLVMIntegerTypeKind | TypeKind::LLVMPointerTypeKind => {
                if self.general < 6 {
                    self.general += 1;
                } else {
                    self.push(8, 8);
                }
            }
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind => {
                for element in (0..ty.element_count()).filter_map(|index| ty.element(index)) {
                    self.add(module, element, None);
                }
            }
            _ => {
                let size = module.size_of(ty);
                if self.vector < 8 {
                    self.vector += 1;
                } else {
                    self.push(size, if size > 8 { 16 } else { 8 });
                }
            }
        }
    }

    fn push(&mut self, size: u64, align: u64) {
        self.stack = self.stack.next_multiple_of(align.max(8)) + size.next_multiple_of(8);
    }

    /// What the fixed parameters of a function take.
    pub(crate) fn of_params(module: &Module, function: Value) -> Registers {
        let mut registers = Registers::default();
        for (param, index) in function.params().zip(0..) {
            registers.add(module, param.ty(), byval(module, function, index));
        }
        registers
    }

    /// What the arguments of a call take: the fixed ones, and all.
    pub(crate) fn of_call(module: &Module, call: Value, fixed: u32) -> (Registers, Registers) {
        let (mut registers, mut before) = (Registers::default(), Registers::default());
        for (arg, index) in call.args().zip(0..) {
            if index == fixed {
                before = registers;
            }
            registers.add(module, arg.ty(), byval(module, call, index));
        }
        if call.arg_count() <= fixed {
            before = registers;
        }
        (before, registers)
    }
}

/// Size and alignment of a by-value parameter or argument.
pub(crate) fn byval(module: &Module, value: Value, index: u32) -> Option<(u64, u64)> {
    let place = AttributePlace::Param(index);
    let ty = value.type_attribute(place, "byval")?;
    let align = value.int_attribute(place, "align").unwrap_or(module.align_of(ty).into());
    Some((module.size_of(ty), align))
}
