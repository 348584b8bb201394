//! An object of the stack, and all that is done with it.

use whydunit_llvm::{Module, Opcode, Type, Value};

use crate::layout;

/// No larger object is split.
const LARGEST: u64 = 128;

/// Nor one with more uses.
const MOST: usize = 400;

/// What is done with a part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A load of a scalar.
    Load(Type),
    /// A store of one.
    Store(Type),
    /// Bytes are copied to it.
    CopyTo,
    /// They are copied from it.
    CopyFrom,
    /// They become zero.
    Zero,
}

/// A use of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The load, store or call.
    pub instruction: Value,
    /// Bytes from the object's start.
    pub offset: u64,
    /// How many.
    pub size: u64,
    pub kind: Kind,
}

/// An object that is only loaded, stored and copied.
#[derive(Debug)]
pub(super) struct Object {
    pub alloca: Value,
    /// Bytes.
    pub size: u64,
    pub accesses: Vec<Access>,
    /// Addresses in it, each after the one that it is computed from.
    pub addresses: Vec<Value>,
}

impl Object {
    /// None where the object's address is used otherwise, or it is a scalar already.
    pub fn of(module: &Module, alloca: Value) -> Option<Self> {
        let ty = alloca.allocated_type();
        let size = module.size_of(ty);
        let one = alloca.operand(0).and_then(Value::int_value) == Some(1);
        if !one || size == 0 || size > LARGEST || ty.is_scalar() || !alloca.has_uses() {
            return None;
        }
        let mut object = Object { alloca, size, accesses: Vec::new(), addresses: Vec::new() };
        object.follow(module, alloca, 0).then_some(object)
    }

    /// Follows an address; false where it goes where it cannot be followed.
    fn follow(&mut self, module: &Module, address: Value, offset: u64) -> bool {
        for user in address.users() {
            if !user.is_instruction() || self.accesses.len() + self.addresses.len() > MOST {
                return false;
            }
            if user.opcode() == Opcode::LLVMGetElementPtr {
                let Some(distance) = layout::constant_distance(module, user) else { return false };
                let Some(offset) = offset.checked_add_signed(distance) else { return false };
                self.addresses.push(user);
                if offset > self.size || !self.follow(module, user, offset) {
                    return false;
                }
                continue;
            }
            let Some((kind, size)) = access(module, user, address) else { return false };
            if offset.checked_add(size).is_none_or(|end| end > self.size) {
                return false;
            }
            // Copied within itself.
            let twice = |known: &Access| known.instruction == user;
            if matches!(kind, Kind::CopyTo | Kind::CopyFrom) && self.accesses.iter().any(twice) {
                return false;
            }
            self.accesses.push(Access { instruction: user, offset, size, kind });
        }
        true
    }
}

/// What an instruction does with the object at an address, and with how many bytes.
fn access(module: &Module, user: Value, address: Value) -> Option<(Kind, u64)> {
    match user.opcode() {
        Opcode::LLVMLoad if plain(user) => Some((Kind::Load(user.ty()), scalar(module, user.ty())?)),
        Opcode::LLVMStore if plain(user) => {
            let value = user.operand(0).filter(|&value| value != address)?;
            Some((Kind::Store(value.ty()), scalar(module, value.ty())?))
        }
        Opcode::LLVMCall => {
            let name = user.called_function()?.name();
            let size = user.arg(2)?.int_value().filter(|&size| size > 0)?;
            if user.arg(3)?.int_value() != Some(0) {
                return None;
            }
            let copies = name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.");
            let to = user.arg(0) == Some(address);
            match copies {
                true if user.arg(0) == user.arg(1) => None,
                true => Some((if to { Kind::CopyTo } else { Kind::CopyFrom }, size)),
                false if name.starts_with("llvm.memset.") && user.arg(1)?.int_value() == Some(0) => {
                    Some((Kind::Zero, size))
                }
                false => None,
            }
        }
        _ => None,
    }
}

fn plain(access: Value) -> bool {
    !access.is_volatile() && !access.is_atomic()
}

/// Bytes of a scalar that a register can have.
fn scalar(module: &Module, ty: Type) -> Option<u64> {
    let size = module.store_size_of(ty);
    let whole = ty.is_int() && u64::from(ty.int_width()) == 8 * size && size.is_power_of_two() && size <= 8;
    (whole || ty.is_pointer() || ty == module.float_type() || ty == module.double_type()).then_some(size)
}
