//! What a changed value is called in the source, and how it is written there.

use whydunit_causes::access::{Named, Names};
use whydunit_causes::value::{ReadBytes, format, underlying};
use whydunit_locate::{Change, Witness, tested};
use whydunit_model::{Callee, DebugType, Encoding, Function, Op, Opnd, Scalar, defined};
use whydunit_replay::{Code, FuncId};
use whydunit_symbolic::{Free, FreeKind};

/// A changed value as the source says it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Told {
    /// Where the source tests what a branch depends on, by line and column.
    pub tested: Option<(u32, u32)>,
    /// The variable, element or member that has the value; of an argument the parameter.
    pub name: Option<String>,
    /// What it would have to be, and was: `2 instead of 3`.
    pub values: String,
    /// It is what the function returns.
    pub returned: bool,
}

impl Told {
    /// Of a witness: what is printed says itself.
    pub fn of_witness(code: &Code, witness: &Witness) -> Self {
        match witness {
            Witness::Value(change) => Self::of(code, change),
            Witness::Printed(_) => Self::default(),
        }
    }

    /// Of a change.
    pub fn of(code: &Code, change: &Change) -> Self {
        let free = &change.free;
        let tested = tested(code, free.function, free.pc);
        let named = named(code, free);
        let model = code.model(free.function);
        let is_result = free.kind == FreeKind::Returned || free.kind == FreeKind::Value && returns(model, free);
        if named.is_none() && is_result {
            // A word that is moved says nothing of its type.
            let scalar = model.ret.first().copied().unwrap_or(free.scalar);
            let width = if matches!(scalar, Scalar::Int(_)) { free.width } else { 8 * scalar.bytes() };
            let change = Change { free: Free { scalar, width, ..*free }, ..*change };
            return Self { tested, returned: true, values: values(code, free.function, None, &change), name: None };
        }
        let values = match &named {
            Some((function, named)) => values(code, *function, Some(named), change),
            None => values(code, free.function, None, change),
        };
        Self { tested, name: named.map(|(_, named)| named.text), values, returned: false }
    }
}

/// The place in the source that has a value, and the function that knows its type.
fn named(code: &Code, free: &Free) -> Option<(FuncId, Named)> {
    let model = code.model(free.function);
    let names = Names::of(code.module_of(free.function), model);
    let op = model.code.get(free.pc as usize)?;
    let own = |named: Named| Some((free.function, named));
    match (free.kind, op) {
        (FreeKind::Stored, Op::Store { addr, .. }) => own(names.place(free.pc, *addr)?),
        (FreeKind::Value | FreeKind::Result, _) => own(holder(model, &names, free.pc, free.slot?)?),
        (FreeKind::Argument, Op::Call { call }) => {
            let Callee::Direct(index) = model.calls.get(*call as usize)?.callee else { return None };
            let loaded = code.loaded_module_of(free.function)?;
            let callee = FuncId(loaded.first.0 + index);
            let parameter = Names::of(code.module_of(callee), code.model(callee)).variable(free.slot?)?;
            Some((callee, parameter))
        }
        _ => None,
    }
}

/// Whether a value is carried to a return.
fn returns(model: &Function, free: &Free) -> bool {
    let Some(operand) = free.slot.map(Opnd::slot) else { return false };
    matches!(model.code.get(free.pc as usize), Some(Op::Copy { .. }))
        && model.code.iter().any(|op| matches!(op, Op::Return { n: 1, a } if *a == operand))
}

/// What holds the value that operation `pc` leaves in a slot, until another one leaves one there.
fn holder(model: &Function, names: &Names<'_>, pc: u32, slot: u32) -> Option<Named> {
    let operand = Opnd::slot(slot);
    let again = |at: usize| defined(model, &model.code[at]).is_some_and(|(dst, _)| dst == slot);
    let end = (pc as usize + 1..model.code.len()).find(|&at| again(at)).unwrap_or(model.code.len());
    let declared = model.debug_values.iter().filter(|value| value.value == Some(operand));
    let declared = declared.filter(|value| value.pc > pc && value.pc as usize <= end).min_by_key(|value| value.pc);
    if let Some(variable) = declared.and_then(|value| model.variables.get(value.variable as usize)) {
        return Some(Named { text: variable.name.clone(), ty: variable.ty });
    }
    let stored = (pc as usize + 1..end).find_map(|at| match model.code[at] {
        Op::Store { addr, value, .. } if value == operand => names.place(at as u32, addr),
        _ => None,
    });
    // What goes from one block into another has a slot of its own.
    stored.or_else(|| names.variable(slot).filter(|_| matches!(model.code[pc as usize], Op::Copy { .. })))
}

/// What a value would have to be, and was.
fn values(code: &Code, function: FuncId, named: Option<&Named>, change: &Change) -> String {
    let module = code.module_of(function);
    let kind = named.and_then(|named| module.types.get(underlying(module, named.ty) as usize));
    let scalar = change.free.scalar;
    let is_number = matches!(kind, Some(DebugType::Base { .. } | DebugType::Enum { .. }));
    if matches!(kind, Some(DebugType::Pointer { .. })) || !is_number && scalar == Scalar::Ptr {
        return match (change.now, change.free.value) {
            (0, _) => "NULL instead of an address".into(),
            (_, 0) => "an address instead of NULL".into(),
            _ => "another address".into(),
        };
    }
    // A word that is no number and may be an address: as a number it says nothing, and is another one in the next run.
    let is_word = !is_number && scalar == Scalar::Int(64);
    if is_word && [change.now, change.free.value].into_iter().any(may_be_address) {
        return "another value".into();
    }
    // Of a truth value the program looks at the lowest bit.
    let is_truth = matches!(kind, Some(DebugType::Base { encoding: Encoding::Boolean, .. }));
    let seen = |bits: u64| if is_truth { bits & 1 } else { bits };
    if is_truth && seen(change.now) == seen(change.free.value) {
        return "another value".into();
    }
    let value = |bits: u64| match (kind, named) {
        (Some(DebugType::Base { bytes, .. } | DebugType::Enum { bytes, .. }), Some(named)) => {
            let bytes = &bits.to_le_bytes()[..(*bytes as usize).clamp(1, 8)];
            format(module, named.ty, bytes, &Unread)
        }
        _ => number(bits, change.free.width, scalar),
    };
    format!("{} instead of {}", value(seen(change.now)), value(seen(change.free.value)))
}

/// Whether a word lies where programs have their memory.
fn may_be_address(word: u64) -> bool {
    word >> 40 != 0 && word >> 47 == 0
}

/// Memory of which nothing is known.
struct Unread;

impl ReadBytes for Unread {
    fn read(&self, _: u64, _: usize) -> Option<Vec<u8>> {
        None
    }
}

/// A number of which only the machine's type is known.
fn number(bits: u64, width: u32, scalar: Scalar) -> String {
    let width = match scalar {
        Scalar::Int(bits) => u32::from(bits).min(width),
        _ => width,
    };
    let shift = 64 - width.clamp(1, 64);
    let signed = ((bits << shift) as i64) >> shift;
    match (scalar, width) {
        (Scalar::F64, 64) => f64::from_bits(bits).to_string(),
        (Scalar::F32, 32) => f32::from_bits(bits as u32).to_string(),
        (_, 1) => (bits & 1).to_string(),
        _ if signed.unsigned_abs() < 1 << 48 => signed.to_string(),
        _ => format!("{bits:#x}"),
    }
}
