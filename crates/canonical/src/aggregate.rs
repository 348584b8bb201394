//! Loads and stores of structures and arrays become those of their scalars; of vectors of bits, those of the integer that
//! lies in memory for them.

use whydunit_llvm::{Builder, Module, Opcode, Type, Value};

use crate::{bodies, instructions};

/// Splits every aggregate load and store. Padding is not copied.
pub(crate) fn split(module: &Module) {
    let builder = Builder::new(module);
    for instruction in bodies(module).flat_map(instructions) {
        match instruction.opcode() {
            Opcode::LLVMLoad if is_split(module, instruction.ty()) => {
                let Some(address) = instruction.operand(0) else { continue };
                let access = Access::at(&builder, module, instruction);
                let value = access.load(instruction.ty(), address, 0);
                instruction.replace_all_uses_with(value);
                instruction.erase();
            }
            Opcode::LLVMStore => {
                let (Some(value), Some(address)) = (instruction.operand(0), instruction.operand(1)) else { continue };
                if is_split(module, value.ty()) {
                    Access::at(&builder, module, instruction).store(value, address, 0);
                    instruction.erase();
                }
            }
            _ => {}
        }
    }
}

fn is_split(module: &Module, ty: Type) -> bool {
    ty.is_aggregate() || packed(module, ty).is_some()
}

/// The integer that a vector is in memory whose elements are no whole bytes: they lie there bit by bit.
fn packed(module: &Module, ty: Type) -> Option<Type> {
    let element = ty.is_vector().then(|| ty.element(0)).flatten()?;
    let width = if element.is_int() { element.int_width() } else { 8 };
    (!width.is_multiple_of(8)).then(|| module.int_type(width * ty.element_count() as u32))
}

struct Access<'a> {
    builder: &'a Builder,
    module: &'a Module,
    align: u32,
    volatile: bool,
}

impl<'a> Access<'a> {
    fn at(builder: &'a Builder, module: &'a Module, instruction: Value) -> Self {
        builder.before(instruction);
        builder.set_location(instruction.debug_location());
        Access { builder, module, align: instruction.alignment().max(1), volatile: instruction.is_volatile() }
    }

    fn place(&self, address: Value, offset: u64) -> (Value, u32) {
        let align = if offset == 0 { self.align } else { self.align.min(1 << offset.trailing_zeros().min(30)) };
        (self.builder.offset(address, offset), align)
    }

    fn parts(&self, ty: Type) -> Vec<(Type, u64)> {
        (0..ty.element_count())
            .filter_map(|index| {
                let element = ty.element(index)?;
                let offset = if ty.is_struct() {
                    self.module.offset_of(ty, index as u32)
                } else {
                    index * self.module.size_of(element)
                };
                Some((element, offset))
            })
            .collect()
    }

    fn load(&self, ty: Type, address: Value, offset: u64) -> Value {
        if !ty.is_aggregate() {
            let (address, align) = self.place(address, offset);
            let integer = packed(self.module, ty);
            let load = self.builder.load(integer.unwrap_or(ty), address, align);
            load.set_volatile(self.volatile);
            return if integer.is_some() { self.builder.cast(Opcode::LLVMBitCast, load, ty) } else { load };
        }
        let mut whole = ty.zero();
        for ((element, at), index) in self.parts(ty).into_iter().zip(0..) {
            whole = self.builder.insert(whole, self.load(element, address, offset + at), index);
        }
        whole
    }

    fn store(&self, value: Value, address: Value, offset: u64) {
        if !value.ty().is_aggregate() {
            let (address, align) = self.place(address, offset);
            let integer = packed(self.module, value.ty());
            let value = integer.map_or(value, |ty| self.builder.cast(Opcode::LLVMBitCast, value, ty));
            self.builder.store(value, address, align).set_volatile(self.volatile);
            return;
        }
        for ((_, at), index) in self.parts(value.ty()).into_iter().zip(0..) {
            self.store(self.builder.extract(value, index), address, offset + at);
        }
    }
}
