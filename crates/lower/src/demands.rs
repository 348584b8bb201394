//! What LLVM's types, attributes and alignments say that the language of the source demands of a run.

use whydunit_llvm::{AttributePlace, Opcode, Type, Value};
use whydunit_model::{Demand, Demanded, Language, Op, Opnd, Scalar};

use crate::body::Body;

/// Of such languages indices of arrays are not checked by the program itself.
const fn has_unchecked_arrays(language: Language) -> bool {
    matches!(language, Language::C | Language::Cxx)
}

impl Body<'_, '_> {
    /// Demands something of an operand of the next operation.
    pub(crate) fn demand(&mut self, value: Opnd, what: Demanded) {
        let pc = self.function.code.len() as u32;
        self.function.demands.push(Demand { pc, value, what });
    }

    /// Demands that what a reference is bound to is there: of the assignment, where the last operation is one.
    pub(crate) fn demand_bound(&mut self, value: Opnd, variable: u32) {
        let what = Demanded::Reference(variable);
        let last = self.function.code.last();
        if let Some(Op::Copy { n: 1, dst, a }) = last
            && Opnd::slot(*dst) == value
        {
            let demand = Demand { pc: self.function.code.len() as u32 - 1, value: *a, what };
            let at = self.function.demands.partition_point(|other| other.pc <= demand.pc);
            return self.function.demands.insert(at, demand);
        }
        self.demand(value, what);
    }

    /// Whether a byte that is made one bit is a truth value in memory.
    pub(crate) fn has_truths(&self) -> bool {
        has_unchecked_arrays(self.context.debug.language)
    }

    /// Demands of the next load or store, which is a leaf of what `access` moves, how its address lies, where that is not as the
    /// ABI has it. `leaf`: its scalar, and the words of the value before it.
    pub(crate) fn demand_alignment(&mut self, access: Value, ty: Type, leaf: (Scalar, u32), addr: Opnd) {
        let (scalar, before) = leaf;
        let Some(shape) = self.shape(ty) else { return };
        let mut words = 0;
        let offset = shape.leaves.iter().zip(&shape.offsets).find_map(|(other, offset)| {
            let here = words == before;
            words += other.slots();
            here.then_some(*offset)
        });
        let whole = u64::from(access.alignment().max(1));
        let offset = offset.unwrap_or(0);
        let own = if offset == 0 { whole } else { whole.min(1 << offset.trailing_zeros()) };
        // What is read in parts is only aligned as a whole where each part says so.
        let own = if shape.leaves.len() > 1 { own.min(scalar.alignment().into()) } else { own };
        if own != u64::from(scalar.alignment()) {
            self.demand(addr, Demanded::Aligned(own as u32));
        }
    }

    /// Demands that an argument of a call which moves memory is aligned as the call says.
    pub(crate) fn demand_aligned_argument(&mut self, call: Value, argument: u32, address: Opnd) {
        let stated = call.int_attribute(AttributePlace::Param(argument), "align").unwrap_or(1);
        if stated > 1 {
            self.demand(address, Demanded::Aligned(stated as u32));
        }
    }

    /// Which operands of an address computation index arrays of known size, and what that demands. An array at the end of a
    /// structure may have more elements than its type says (C17, 6.7.2.1; older code gives it one), and a pointer that comes
    /// from elsewhere may lead to a union that ends in one: of those nothing is demanded.
    pub(crate) fn bounds(&mut self, address: Value) -> Vec<(u32, Demanded)> {
        let mut found = Vec::new();
        if !has_unchecked_arrays(self.context.debug.language) {
            return found;
        }
        let (mut ty, mut known) = (address.gep_source_type(), address.operand(0).is_some_and(is_whole_array));
        for position in 2..address.operand_count() {
            let Some(index) = address.operand(position) else { break };
            if ty.is_struct() {
                let (Some(field), Some(part)) = (index.int_value(), index.int_value().and_then(|n| ty.element(n)))
                else {
                    break;
                };
                known = !is_last(ty, field);
                ty = part;
                continue;
            }
            let count = if ty.is_array() { ty.element_count() } else { 0 };
            let last = position + 1 == address.operand_count();
            let accessed = !last || is_accessed(address);
            let breaks = |number: u64| number > count || number == count && accessed;
            // The decay of an array to a pointer is an index, too: it is 0.
            if known && count > 1 && index.int_value().is_none_or(breaks) {
                let w = index.ty().int_width().min(64) as u8;
                found.push((position, Demanded::Index { w, count, accessed }));
            }
            let Some(element) = ty.element(0) else { break };
            (ty, known) = (element, true);
        }
        found
    }

    /// Whether a trap stands where a function of C++ ends that gives no result, as far as LLVM tells: at the same place the
    /// code ends. (C++20, 8.7.4, paragraph 2; clang 22 makes such a trap without optimisation.)
    pub(crate) fn misses_result(&self, trap: Value) -> bool {
        let next = trap.next_instruction().filter(|next| next.opcode() == Opcode::LLVMUnreachable);
        let place = |value: Value| value.debug_location().map(|location| (location.line(), location.column()));
        self.context.debug.language == Language::Cxx
            && next.is_some_and(|next| place(next).is_none_or(|end| place(trap) == Some(end)))
    }
}

/// Whether what the last index of an address computation leads to is read or written there.
fn is_accessed(address: Value) -> bool {
    address.users().into_iter().any(|user| match user.opcode() {
        Opcode::LLVMLoad => true,
        Opcode::LLVMStore => user.operand(1) == Some(address),
        Opcode::LLVMGetElementPtr => user.operand(0) == Some(address) && user.operand_count() > 2,
        _ => false,
    })
}

/// Whether a pointer leads to an array that has the elements which its type says: a variable, an element of an array of arrays, or
/// a member that is not its structure's last.
fn is_whole_array(pointer: Value) -> bool {
    if pointer.is_alloca() || pointer.is_global_variable() {
        return true;
    }
    if !pointer.is_instruction() || pointer.opcode() != Opcode::LLVMGetElementPtr {
        return false;
    }
    let (mut ty, mut whole) =
        (pointer.gep_source_type(), pointer.operand_count() == 2 && pointer.gep_source_type().is_array());
    for position in 2..pointer.operand_count() {
        let Some(index) = pointer.operand(position).map(Value::int_value) else { return false };
        match index {
            Some(field) if ty.is_struct() => {
                whole = !is_last(ty, field);
                let Some(part) = ty.element(field) else { return false };
                ty = part;
            }
            _ => {
                whole = ty.is_array();
                let Some(element) = ty.element(0) else { return false };
                ty = element;
            }
        }
    }
    whole
}

/// Whether nothing but padding follows the field of a structure.
fn is_last(ty: Type, field: u64) -> bool {
    let padding = |part: &Type| {
        let byte = if part.is_array() { part.element(0) } else { Some(*part) };
        byte.is_some_and(|byte| byte.is_int() && byte.int_width() == 8)
    };
    ty.elements().iter().skip(field as usize + 1).all(padding)
}
