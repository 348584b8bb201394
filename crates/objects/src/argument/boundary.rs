//! Arguments that no call had: the boundary values of a type.

use whydunit_causes::value::{is_char, is_rust, size_of, underlying};
use whydunit_model::{DebugType, Encoding, Module, TypeId};

use super::{Argument, Datum, Target};

/// Enumerators beyond so many are left out.
const MOST: usize = 4;

/// The boundary values of a type: 0, 1, -1 and the largest number, both truths, the enumerators, and the empty text. `null`: a pointer may be
/// null, too. None of a type that has none.
pub(crate) fn boundaries(module: &Module, ty: TypeId, null: bool) -> Vec<Argument> {
    let ty = underlying(module, ty);
    let size = size_of(module, ty) as usize;
    let plain = |text: String, number: i64| {
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.resize(size.max(8), if number < 0 { 0xff } else { 0 });
        bytes.truncate(size);
        Argument { datum: Datum { bytes, pointers: Vec::new() }, text }
    };
    let number = |number: i64| plain(number.to_string(), number);
    match module.types.get(ty as usize) {
        Some(DebugType::Base { encoding: Encoding::Boolean, .. }) => {
            vec![plain("false".into(), 0), plain("true".into(), 1)]
        }
        Some(DebugType::Base { encoding: Encoding::Float, bytes, .. }) => {
            let float = |value: f64| {
                let bits = if *bytes == 4 { i64::from((value as f32).to_bits()) } else { value.to_bits() as i64 };
                plain(format!("{value:?}"), bits)
            };
            if matches!(bytes, 4 | 8) { vec![float(0.0), float(1.0), float(-1.0)] } else { Vec::new() }
        }
        Some(DebugType::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. }) if (1..=8).contains(&size) => {
            vec![number(0), number(1), number(-1), number(i64::MAX >> (64 - 8 * size))]
        }
        Some(DebugType::Base { encoding: Encoding::Unsigned | Encoding::UnsignedChar, .. })
            if (1..=8).contains(&size) =>
        {
            let largest = u64::MAX >> (64 - 8 * size);
            vec![number(0), number(1), plain(largest.to_string(), largest as i64)]
        }
        Some(DebugType::Enum { values, .. }) => {
            values.iter().take(MOST).map(|(name, value)| plain(name.clone(), *value)).collect()
        }
        Some(DebugType::Pointer { to }) => {
            let text = is_char(module, *to) && !is_rust(module);
            let mut found = Vec::new();
            if text {
                let empty = Datum { bytes: vec![0], pointers: Vec::new() };
                let datum = Datum { bytes: vec![0; 8], pointers: vec![(0, Target::Other(empty))] };
                found.push(Argument { datum, text: "\"\"".into() });
            }
            let pointed = underlying(module, *to);
            if let Some(kind @ DebugType::Sequence { text: true, .. }) = module.types.get(pointed as usize)
                && let Some(empty) = empty_text(module, kind, size_of(module, pointed) as usize)
            {
                let datum = Datum { bytes: vec![0; 8], pointers: vec![(0, Target::Other(empty.datum))] };
                found.push(Argument { datum, text: empty.text });
            }
            found.extend(null.then(|| plain("null".into(), 0)));
            found
        }
        Some(kind @ DebugType::Sequence { text: true, .. }) => empty_text(module, kind, size).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// How libstdc++ lays out a text: its address, its length, and room for short ones.
const TEXT: usize = 32;
const ROOM: u64 = 16;

fn empty_text(module: &Module, kind: &DebugType, size: usize) -> Option<Argument> {
    let &DebugType::Sequence { address, .. } = kind else { return None };
    let mut datum = Datum { bytes: vec![0; size], pointers: Vec::new() };
    match size {
        // What is empty points to nothing.
        _ if is_rust(module) => *datum.bytes.get_mut(address as usize)? = 1,
        TEXT if address == 0 => datum.pointers.push((0, Target::Own(ROOM))),
        _ => return None,
    }
    Some(Argument { datum, text: "\"\"".into() })
}
