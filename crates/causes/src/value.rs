//! Values as a person would write them: bytes read through debug types.

mod rust;
mod sequence;
mod writer;

use std::rc::Rc;

pub use rust::{scalars, variant};
pub use sequence::elements;
use whydunit_model::{DebugType, Encoding, Member, Module, TypeId};

use writer::Writer;

/// How many bytes of a text are shown.
const SHOWN_TEXT: usize = 64;

/// Read access to the emulated memory.
pub trait ReadBytes {
    /// The `len` bytes at `address`; none where nothing is known to be mapped.
    fn read(&self, address: u64, len: usize) -> Option<Vec<u8>>;
}

/// Whether a module is of a crate.
pub fn is_rust(module: &Module) -> bool {
    module.source.contains(".rs/@/")
}

/// A value at a moment, with as much as is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// Its first word.
    Word(u64),
    /// All of its bytes.
    Bytes(Rc<[u8]>),
    /// The text that stands there; more than that is of no interest.
    Text(Rc<[u8]>),
}

impl Known {
    /// Its first word.
    pub fn word(&self) -> u64 {
        match self {
            Known::Word(value) => *value,
            Known::Bytes(bytes) | Known::Text(bytes) => word(bytes),
        }
    }
}

/// Strips typedefs and qualifiers.
pub fn underlying(module: &Module, mut ty: TypeId) -> TypeId {
    for _ in 0..64 {
        match module.types.get(ty as usize) {
            Some(DebugType::Alias { to, .. }) => ty = *to,
            _ => break,
        }
    }
    ty
}

/// Whether a type is a structure, a union or an array.
pub fn is_aggregate(module: &Module, ty: TypeId) -> bool {
    use DebugType::{Array, Sequence, Struct, Variants};
    let ty = module.types.get(underlying(module, ty) as usize);
    matches!(ty, Some(Struct { .. } | Array { .. } | Sequence { .. } | Variants { .. }))
}

/// Size of a type in bytes; 0 when unknown.
pub fn size_of(module: &Module, ty: TypeId) -> u64 {
    match module.types.get(underlying(module, ty) as usize) {
        Some(DebugType::Base { bytes, .. })
        | Some(DebugType::Struct { bytes, .. })
        | Some(DebugType::Enum { bytes, .. })
        | Some(DebugType::Sequence { bytes, .. })
        | Some(DebugType::Variants { bytes, .. })
        | Some(DebugType::Other { bytes, .. }) => *bytes,
        Some(DebugType::Array { element, count, bytes }) => {
            if *bytes > 0 {
                *bytes
            } else {
                count.unwrap_or(0).saturating_mul(size_of(module, *element))
            }
        }
        Some(DebugType::Pointer { .. }) | Some(DebugType::Function) => 8,
        _ => 0,
    }
}

/// The text of a value of type `ty` with these bytes.
pub fn format(module: &Module, ty: TypeId, bytes: &[u8], memory: &impl ReadBytes) -> String {
    let mut writer = Writer::new(module, memory);
    writer.value(ty, bytes);
    writer.finish()
}

fn word(bytes: &[u8]) -> u64 {
    let mut all = [0u8; 8];
    let n = bytes.len().min(8);
    all[..n].copy_from_slice(&bytes[..n]);
    u64::from_le_bytes(all)
}

fn signed(bytes: &[u8]) -> i64 {
    let n = bytes.len().clamp(1, 8) as u32;
    let shift = 64 - 8 * n;
    ((word(bytes) << shift) as i64) >> shift
}

fn raw(bytes: &[u8]) -> String {
    match bytes.len() {
        0 => "?".into(),
        1..=8 => format!("{:#x}", word(bytes)),
        n => format!("<{n} bytes>"),
    }
}

fn base(encoding: Encoding, bytes: &[u8]) -> String {
    match encoding {
        Encoding::Boolean => (word(bytes) != 0).to_string(),
        Encoding::SignedChar | Encoding::UnsignedChar if bytes.len() == 1 => {
            let value = if encoding == Encoding::SignedChar { signed(bytes) } else { word(bytes) as i64 };
            match bytes[0] {
                c @ 0x20..=0x7e => format!("{value} '{}'", c as char),
                b'\n' => format!("{value} '\\n'"),
                b'\t' => format!("{value} '\\t'"),
                _ => value.to_string(),
            }
        }
        Encoding::Float => match bytes.len() {
            4 => f32::from_bits(word(bytes) as u32).to_string(),
            8 => f64::from_bits(word(bytes)).to_string(),
            10..=16 => extended(bytes).to_string(),
            _ => raw(bytes),
        },
        _ if bytes.len() > 8 => {
            let mut all = [0u8; 16];
            let n = bytes.len().min(16);
            all[..n].copy_from_slice(&bytes[..n]);
            if encoding == Encoding::Signed {
                i128::from_le_bytes(all).to_string()
            } else {
                u128::from_le_bytes(all).to_string()
            }
        }
        Encoding::Signed | Encoding::SignedChar => signed(bytes).to_string(),
        _ => word(bytes).to_string(),
    }
}

/// An x87 extended value, rounded to double for display.
fn extended(bytes: &[u8]) -> f64 {
    let significand = word(bytes);
    let head = u16::from_le_bytes([bytes[8], bytes[9]]);
    let sign = if head & 0x8000 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from(head & 0x7fff);
    if exponent == 0x7fff {
        return if significand << 1 == 0 { sign * f64::INFINITY } else { f64::NAN };
    }
    sign * (significand as f64) * 2f64.powi(exponent - 16383 - 63)
}

/// Whether values of the type are characters.
pub fn is_char(module: &Module, ty: TypeId) -> bool {
    matches!(
        module.types.get(underlying(module, ty) as usize),
        Some(DebugType::Base { encoding: Encoding::SignedChar | Encoding::UnsignedChar, bytes: 1, .. })
    )
}

/// A text in quotes, escaped as in C, and shortened where it is long.
pub fn quoted(text: &[u8]) -> String {
    let shown = text.len().min(SHOWN_TEXT);
    quote(&text[..shown], shown < text.len())
}

fn quote(bytes: &[u8], cut: bool) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            0x20..=0x7e => out.push(byte as char),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out.push('"');
    if cut {
        out.push('…');
    }
    out
}

/// The bytes of a member inside its structure's bytes; a bit-field is shifted down and extended to its type.
pub fn member_bytes(module: &Module, member: &Member, bytes: &[u8]) -> Option<Vec<u8>> {
    let size = size_of(module, member.ty) as usize;
    if member.bit_size == 0 {
        let start = (member.bit_offset / 8) as usize;
        return bytes.get(start..start.checked_add(size)?).map(<[u8]>::to_vec);
    }
    let mut value = 0u64;
    for bit in 0..u64::from(member.bit_size).min(64) {
        let at = member.bit_offset + bit;
        if bytes.get((at / 8) as usize)? >> (at % 8) & 1 == 1 {
            value |= 1 << bit;
        }
    }
    let is_signed = matches!(
        module.types.get(underlying(module, member.ty) as usize),
        Some(DebugType::Base { encoding: Encoding::Signed | Encoding::SignedChar, .. })
    );
    if is_signed && member.bit_size < 64 && value >> (member.bit_size - 1) & 1 == 1 {
        value |= u64::MAX << member.bit_size;
    }
    Some(value.to_le_bytes()[..size.clamp(1, 8)].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_model::NO_TYPE;

    /// Bytes from an address on.
    pub(super) struct Memory(pub u64, pub Vec<u8>);
    impl ReadBytes for Memory {
        fn read(&self, address: u64, len: usize) -> Option<Vec<u8>> {
            let start = address.checked_sub(self.0)? as usize;
            self.1.get(start..start + len).map(<[u8]>::to_vec)
        }
    }

    fn types() -> Module {
        let base = |name: &str, bytes, encoding| DebugType::Base { name: name.into(), bytes, encoding };
        Module {
            types: vec![
                base("int", 4, Encoding::Signed),
                base("char", 1, Encoding::SignedChar),
                DebugType::Pointer { to: 1 },
                DebugType::Struct {
                    name: "s".into(),
                    bytes: 8,
                    union: false,
                    members: vec![
                        Member { name: "a".into(), ty: 0, bit_offset: 0, bit_size: 3 },
                        Member { name: "b".into(), ty: 0, bit_offset: 32, bit_size: 0 },
                    ],
                },
                DebugType::Alias { name: "t".into(), to: 3 },
                DebugType::Array { element: 0, count: Some(2), bytes: 8 },
                DebugType::Enum { name: "e".into(), bytes: 4, values: vec![("RED".into(), 1)] },
                base("long double", 16, Encoding::Float),
            ],
            ..Module::default()
        }
    }

    #[test]
    fn values_read_as_a_person_writes_them() {
        let module = types();
        let memory = Memory(0x1000, b"hi\n\0".to_vec());
        let text = |ty, bytes: &[u8]| format(&module, ty, bytes, &memory);
        assert_eq!(text(0, &(-5i32).to_le_bytes()), "-5");
        assert_eq!(text(1, b"A"), "65 'A'");
        assert_eq!(text(2, &0x1000u64.to_le_bytes()), "0x1000 \"hi\\n\"");
        assert_eq!(text(2, &0u64.to_le_bytes()), "NULL");
        assert_eq!(text(2, &0x9000u64.to_le_bytes()), "0x9000");
        assert_eq!(text(4, &[6, 0, 0, 0, 7, 0, 0, 0]), "{a = -2, b = 7}");
        assert_eq!(text(5, &[1, 0, 0, 0, 2, 0, 0, 0]), "{1, 2}");
        assert_eq!(text(6, &[1, 0, 0, 0]), "RED (1)");
        let mut one = [0u8; 16];
        one[7] = 0x80;
        one[8..10].copy_from_slice(&0x3fffu16.to_le_bytes());
        assert_eq!(text(7, &one), "1");
        assert_eq!(text(NO_TYPE, &[1, 2]), "0x201");
    }
}
