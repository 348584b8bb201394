//! Values and reads in words, where the source has no type for them.

use whydunit_model::{Op, Scalar};
use whydunit_numerics::arith::sext;

use crate::trace::inputs::Input;
use crate::value::{self, Known};

/// What a library function read, in words.
pub(super) fn read_by(name: &str, inputs: &[Input]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for input in inputs.iter().filter(|input| input.content) {
        if let Known::Text(text) = &input.value {
            let text = value::quoted(text);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    if texts.is_empty() { format!("computed by {name}") } else { format!("{name} read {}", texts.join(" and ")) }
}

/// Numbers that a person writes with a sign are not larger.
const SMALL: i64 = 1 << 16;

/// A value without a type of the source, as the operation that made it says.
pub(super) fn unnamed(model: &whydunit_model::Function, op: &Op, value: u64) -> String {
    if let Op::ICmp { .. } | Op::FCmp { .. } = op {
        return (value & 1 != 0).to_string();
    }
    let scalar = match *op {
        Op::Load { ty, .. } | Op::Store { ty, .. } | Op::Float { ty, .. } | Op::FloatUnary { ty, .. } => Some(ty),
        Op::Fma { ty, .. } => Some(ty),
        Op::FConv { to, .. } | Op::IntToF { to, .. } => Some(to),
        Op::Call { call } => model.calls[call as usize].ret.first().copied(),
        Op::Return { .. } => model.ret.first().copied(),
        _ => None,
    };
    match scalar {
        Some(Scalar::F64) => f64::from_bits(value).to_string(),
        Some(Scalar::F32) => f32::from_bits(value as u32).to_string(),
        Some(Scalar::F80 | Scalar::F16) => "(not kept)".into(),
        Some(Scalar::Int(1)) => (value & 1 != 0).to_string(),
        Some(Scalar::Ptr) => format!("{value:#x}"),
        // Whether it has a sign nobody says: little below 0 it has.
        Some(Scalar::Int(width)) if (-SMALL..0).contains(&sext(value, width)) => sext(value, width).to_string(),
        _ => (value as i64).to_string(),
    }
}

/// So many functions that can have changed memory are named.
const CHANGERS: usize = 4;

/// What changed memory where no captured code did, of the functions that were called since it was written.
pub(super) fn changed_by(names: &[String]) -> String {
    let changed = "changed by external code";
    match names {
        [] => changed.into(),
        [only] => format!("{changed}: since it was written only {only} was called"),
        [..] if names.len() > CHANGERS => changed.into(),
        [first @ .., last] => format!("{changed}: since it was written {} and {last} were called", first.join(", ")),
    }
}
