//! Values of fields out of the bytes of an object.

use whydunit_causes::value::{elements, member_bytes, size_of, underlying};
use whydunit_events::{FieldKind, Value};
use whydunit_model::{DebugType, Encoding, Member, Module, TypeId};

/// Longer sequences are none: there is no value yet.
const LONGEST: u64 = 1 << 40;

/// What stands at a member of an object with these bytes. Addresses are given as integers.
pub(crate) fn field(module: &Module, member: &Member, kind: &FieldKind, bytes: &[u8]) -> Option<Value> {
    if *kind == FieldKind::Part {
        return Some(Value::Other);
    }
    let ty = underlying(module, member.ty);
    value(module, ty, &member_bytes(module, member, bytes)?)
}

/// The value of a type with these bytes. Addresses are given as integers.
pub(crate) fn value(module: &Module, ty: TypeId, bytes: &[u8]) -> Option<Value> {
    let ty = underlying(module, ty);
    let kind = module.types.get(ty as usize)?;
    Some(match kind {
        DebugType::Base { encoding: Encoding::Boolean, .. } => Value::Integer((word(bytes) & 1) as i64),
        DebugType::Base { encoding: Encoding::Float, bytes: 4, .. } => {
            float(f64::from(f32::from_bits(word(bytes) as u32)))
        }
        DebugType::Base { encoding: Encoding::Float, .. } => float(f64::from_bits(word(bytes))),
        DebugType::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. } | DebugType::Enum { .. } => {
            Value::Integer(signed(bytes))
        }
        DebugType::Base { .. } => Value::Integer(i64::try_from(word(bytes)).unwrap_or(i64::MAX)),
        DebugType::Pointer { .. } => Value::Integer(word(bytes) as i64),
        DebugType::Sequence { .. } => {
            let (_, length, _) = elements(module, kind, bytes)?;
            if length < LONGEST { Value::Length(length) } else { Value::Unknown }
        }
        DebugType::Array { .. } => {
            Value::Length(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()) as u64)
        }
        DebugType::Variants { .. } => Value::Integer(variant(module, kind, bytes)? as i64),
        _ => return None,
    })
}

/// The number of the variant that a value with these bytes is.
pub(crate) fn variant(module: &Module, kind: &DebugType, bytes: &[u8]) -> Option<usize> {
    let DebugType::Variants { which, variants, .. } = kind else { return None };
    let Some(which) = which else { return (variants.len() == 1).then_some(0) };
    let number = member_bytes(module, which, bytes)?;
    let mask = u64::MAX >> (64 - 8 * size_of(module, which.ty).clamp(1, 8));
    let is = |known: &Option<u64>| known.is_some_and(|known| known & mask == word(&number) & mask);
    let found = variants.iter().position(|(known, _)| is(known));
    found.or_else(|| variants.iter().position(|(known, _)| known.is_none()))
}

/// A number as a stream can hold it: what is no number is not known, and what is without bounds is as large as can be.
fn float(number: f64) -> Value {
    if number.is_nan() { Value::Unknown } else { Value::Float(number.clamp(f64::MIN, f64::MAX)) }
}

pub(crate) fn word(bytes: &[u8]) -> u64 {
    let mut all = [0u8; 8];
    let n = bytes.len().min(8);
    all[..n].copy_from_slice(&bytes[..n]);
    u64::from_le_bytes(all)
}

fn signed(bytes: &[u8]) -> i64 {
    let shift = 64 - 8 * bytes.len().clamp(1, 8) as u32;
    ((word(bytes) << shift) as i64) >> shift
}
