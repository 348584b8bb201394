//! Constants: as words of the constant pool and as content of globals.

use whydunit_llvm::{Opcode, Type, TypeKind, Value, ValueKind};
use whydunit_model::{Const, ConstExpr, Initializer, Scalar, Symbol};

use crate::Context;

impl Context<'_> {
    /// The words of a constant, leaf after leaf; none where the model cannot say it.
    pub(crate) fn constant_words(&mut self, value: Value) -> Option<Vec<Const>> {
        let mut out = Vec::new();
        self.push_words(value, &mut out).then_some(out)
    }

    fn push_words(&mut self, value: Value, out: &mut Vec<Const>) -> bool {
        let ty = value.ty();
        if value.is_null() || value.is_undef_or_poison() {
            let Some(shape) = self.types.shape(ty) else { return false };
            out.extend(std::iter::repeat_n(Const::Bits(0), shape.slots as usize));
            return true;
        }
        if ty.is_aggregate() || ty.is_vector() {
            return (0..ty.element_count()).all(|index| {
                value.aggregate_element(index as u32).is_some_and(|element| self.push_words(element, out))
            });
        }
        let Some(scalar) = self.types.scalar(ty) else { return false };
        if let Some(words) = value.int_words().or_else(|| value.float_bits()) {
            out.extend(words.iter().take(scalar.slots() as usize).map(|&word| Const::Bits(word)));
            return true;
        }
        if scalar.slots() != 1 {
            // A 128-bit integer made from an address.
            let (Scalar::Int(_), Some(Opcode::LLVMPtrToInt), Some(address)) =
                (scalar, value.expression_opcode(), value.operand(0).and_then(|operand| self.address(operand)))
            else {
                return false;
            };
            out.extend([address, Const::Bits(0)]);
            return true;
        }
        match self.address(value) {
            Some(word) => {
                out.push(word);
                true
            }
            None => false,
        }
    }

    /// A constant of one word: a number, an address or an expression over them.
    pub(crate) fn address(&mut self, value: Value) -> Option<Const> {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind => value.int_value().map(Const::Bits),
            ValueKind::LLVMConstantPointerNullValueKind => Some(Const::Bits(0)),
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Some(Const::Bits(0)),
            ValueKind::LLVMConstantFPValueKind => value.float_bits().map(|words| Const::Bits(words[0])),
            ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalIFuncValueKind => {
                self.symbols.function(value).map(|index| Const::Addr(Symbol::Function(index), 0))
            }
            // Each thread has its own.
            ValueKind::LLVMGlobalVariableValueKind if value.is_thread_local() => None,
            ValueKind::LLVMGlobalVariableValueKind => {
                self.symbols.global(value).map(|index| Const::Addr(Symbol::Global(index), 0))
            }
            ValueKind::LLVMGlobalAliasValueKind => self.address(value.aliasee()?),
            ValueKind::LLVMConstantExprValueKind => self.expression(value),
            _ => None,
        }
    }

    fn expression(&mut self, value: Value) -> Option<Const> {
        let width = |ty: Type| if ty.is_pointer() { 64 } else { ty.int_width() };
        match value.expression_opcode()? {
            Opcode::LLVMGetElementPtr => {
                let base = self.address(value.operand(0)?)?;
                let offset = self.constant_offset(value)?;
                Some(add(base, Const::Bits(offset as u64)))
            }
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMTrunc | Opcode::LLVMIntToPtr => {
                let inner = value.operand(0)?;
                let word = self.address(inner)?;
                let (from, to) = (width(inner.ty()), width(value.ty()));
                Some(if to < from { truncate(to as u8, word) } else { word })
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => {
                let inner = value.operand(0)?;
                if self.types.scalar(inner.ty())?.slots() != 1 {
                    return None;
                }
                self.address(inner)
            }
            opcode @ (Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMXor) => {
                let a = self.address(value.operand(0)?)?;
                let b = self.address(value.operand(1)?)?;
                let word = match opcode {
                    Opcode::LLVMAdd => add(a, b),
                    Opcode::LLVMSub => subtract(a, b),
                    Opcode::LLVMMul => Const::Expr(Box::new(ConstExpr::Mul(a, b))),
                    _ => Const::Expr(Box::new(ConstExpr::Xor(a, b))),
                };
                let width = value.ty().int_width();
                Some(if width < 64 { truncate(width as u8, word) } else { word })
            }
            _ => None,
        }
    }

    /// Bytes that a GEP with constant indices adds.
    pub(crate) fn constant_offset(&mut self, gep: Value) -> Option<i64> {
        let mut offset = 0i64;
        let mut ty = gep.gep_source_type();
        for position in 1..gep.operand_count() {
            let index = gep.operand(position)?.int_value_signed()?;
            if position == 1 {
                offset = offset.wrapping_add(index.wrapping_mul(self.module.size_of(ty) as i64));
            } else if ty.is_struct() {
                offset = offset.wrapping_add(self.module.offset_of(ty, index as u32) as i64);
                ty = ty.element(index as u64)?;
            } else {
                ty = ty.element(0)?;
                offset = offset.wrapping_add(index.wrapping_mul(self.module.size_of(ty) as i64));
            }
        }
        Some(offset)
    }

    /// The content of a defined global; also the texts of parts that the model cannot say (left zero).
    pub(crate) fn initializer(&mut self, value: Value) -> (Initializer, Vec<String>) {
        let mut out = Content { init: Initializer::default(), problems: Vec::new() };
        self.write(value, 0, &mut out);
        while out.init.bytes.last() == Some(&0) {
            out.init.bytes.pop();
        }
        (out.init, out.problems)
    }

    fn write(&mut self, value: Value, offset: u64, out: &mut Content) {
        if value.is_null() || value.is_undef_or_poison() {
            return;
        }
        if let Some(bytes) = value.data_bytes() {
            out.put(offset, &bytes);
            return;
        }
        let ty = value.ty();
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                for index in 0..ty.element_count() as u32 {
                    if let Some(element) = value.aggregate_element(index) {
                        self.write(element, offset + self.module.offset_of(ty, index), out);
                    }
                }
                return;
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                let Some(element_type) = ty.element(0) else { return };
                let bits = self.module.bits_of(element_type);
                if ty.is_vector() && !bits.is_multiple_of(8) {
                    self.write_bits(value, offset, bits, out);
                    return;
                }
                let step = if ty.is_vector() { bits / 8 } else { self.module.size_of(element_type) };
                for index in 0..ty.element_count() as u32 {
                    if let Some(element) = value.aggregate_element(index) {
                        self.write(element, offset + u64::from(index) * step, out);
                    }
                }
                return;
            }
            _ => {}
        }
        let size = match self.types.scalar(ty) {
            Some(scalar) => scalar.bytes() as usize,
            None => self.module.store_size_of(ty) as usize,
        };
        if let Some(words) = value.int_words().or_else(|| value.float_bits()) {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            out.put(offset, &bytes[..size.min(16)]);
            return;
        }
        match self.address(value) {
            Some(Const::Bits(word)) => out.put(offset, &word.to_le_bytes()[..size.min(8)]),
            Some(word) => out.init.addresses.push((offset, size.min(8) as u8, word)),
            None => out.problems.push(value.print()),
        }
    }

    /// Elements of a vector that are no whole bytes, bit after bit.
    fn write_bits(&mut self, value: Value, offset: u64, bits: u64, out: &mut Content) {
        let count = value.ty().element_count();
        let mut bytes = vec![0u8; (count * bits).div_ceil(8) as usize];
        for index in 0..count {
            let word = value.aggregate_element(index as u32).and_then(Value::int_words).unwrap_or_default();
            for bit in 0..bits.min(128) {
                if word[(bit / 64) as usize] >> (bit % 64) & 1 == 1 {
                    let at = index * bits + bit;
                    bytes[(at / 8) as usize] |= 1 << (at % 8);
                }
            }
        }
        out.put(offset, &bytes);
    }
}

struct Content {
    init: Initializer,
    problems: Vec<String>,
}

impl Content {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let Some(last) = bytes.iter().rposition(|&byte| byte != 0) else { return };
        let (start, end) = (offset as usize, offset as usize + last + 1);
        if self.init.bytes.len() < end {
            self.init.bytes.resize(end, 0);
        }
        self.init.bytes[start..end].copy_from_slice(&bytes[..=last]);
    }
}

fn add(a: Const, b: Const) -> Const {
    match (a, b) {
        (Const::Bits(a), Const::Bits(b)) => Const::Bits(a.wrapping_add(b)),
        (Const::Addr(symbol, at), Const::Bits(by)) | (Const::Bits(by), Const::Addr(symbol, at)) => {
            Const::Addr(symbol, at.wrapping_add(by as i64))
        }
        (a, Const::Bits(0)) | (Const::Bits(0), a) => a,
        (a, b) => Const::Expr(Box::new(ConstExpr::Add(a, b))),
    }
}

fn subtract(a: Const, b: Const) -> Const {
    match (a, b) {
        (a, Const::Bits(b)) => add(a, Const::Bits(b.wrapping_neg())),
        (Const::Addr(first, a), Const::Addr(second, b)) if first == second => Const::Bits(a.wrapping_sub(b) as u64),
        (a, b) => Const::Expr(Box::new(ConstExpr::Sub(a, b))),
    }
}

fn truncate(width: u8, word: Const) -> Const {
    match word {
        Const::Bits(bits) if width < 64 => Const::Bits(bits & ((1 << width) - 1)),
        word if width >= 64 => word,
        word => Const::Expr(Box::new(ConstExpr::Trunc(width, word))),
    }
}
