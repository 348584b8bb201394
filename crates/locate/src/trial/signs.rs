//! Whether the numbers of a function have a sign: `==` does not say, and another comparison in its place needs to know.

use whydunit_model::{DebugType, Encoding, Function, Op, Opnd, TypeId};

/// By slot whether what it has is a number with a sign; `None` where nothing says.
pub(super) struct Signs(Vec<Option<bool>>);

impl Signs {
    /// Of a function whose module has these types: what variables hold is as they are declared, what was made wider is as it was.
    pub fn of(model: &Function, types: &[DebugType]) -> Self {
        let mut signs = vec![None; model.slots as usize];
        let mut set = |slot: u32, signed: Option<bool>| {
            if let (Some(sign), Some(_)) = (signs.get_mut(slot as usize), signed) {
                *sign = signed;
            }
        };
        let mut places = Vec::new();
        for op in &model.code {
            match *op {
                // What is made wider without a sign is never negative, and compared as what has a sign.
                Op::SExt { dst, .. } | Op::ZExt { dst, .. } => set(dst, Some(true)),
                Op::StackAddr { dst, offset, .. } => places.push((dst, offset)),
                _ => {}
            }
        }
        for op in &model.code {
            let Op::Load { dst, addr, .. } = *op else { continue };
            let place = places.iter().find(|(slot, _)| !addr.is_const() && *slot == addr.index());
            let is_at = |object: u32, offset: u64| {
                model.stack.get(object as usize).is_some_and(|object| !object.dynamic && object.offset == offset)
            };
            let variable = place.and_then(|(_, offset)| {
                model.variables.iter().find(|variable| variable.object.is_some_and(|object| is_at(object, *offset)))
            });
            set(dst, variable.filter(|variable| !variable.indirect).and_then(|variable| has_sign(types, variable.ty)));
        }
        for value in &model.debug_values {
            let variable = model.variables.get(value.variable as usize).filter(|variable| !variable.indirect);
            if let (Some(slot), Some(variable)) = (value.value.filter(|value| !value.is_const()), variable) {
                set(slot.index(), has_sign(types, variable.ty));
            }
        }
        Self(signs)
    }

    /// Whether a slot has a number with a sign; `None` where nothing says.
    pub fn of_slot(&self, slot: u32) -> Option<bool> {
        self.0.get(slot as usize).copied().flatten()
    }

    /// Whether these two are compared as numbers with a sign: one without is enough for both. `None` where nothing says.
    pub fn compared(&self, operands: [Opnd; 2]) -> Option<bool> {
        let sign = |operand: Opnd| if operand.is_const() { None } else { self.of_slot(operand.index()) };
        let [one, other] = operands.map(sign);
        match (one, other) {
            (Some(one), Some(other)) => Some(one && other),
            (one, other) => one.or(other),
        }
    }
}

/// Whether a number of a type has a sign; `None` for what is no number.
pub(super) fn has_sign(types: &[DebugType], mut ty: TypeId) -> Option<bool> {
    // An alias of itself is no type.
    for _ in 0..types.len().min(64) {
        match types.get(ty as usize)? {
            DebugType::Alias { to, .. } => ty = *to,
            DebugType::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. } => return Some(true),
            DebugType::Base { encoding: Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Boolean, .. }
            | DebugType::Pointer { .. } => return Some(false),
            _ => return None,
        }
    }
    None
}
