//! Values of Rust, as one writes them in Rust.

use whydunit_model::{DebugType, Encoding, Member, Module, TypeId};

use super::writer::Writer;
use super::{ReadBytes, member_bytes, signed, size_of, word};

/// How many scalars of a register or two an argument of this type is passed as; none where that depends on its layout.
pub fn scalars(module: &Module, ty: TypeId) -> Option<usize> {
    match module.types.get(super::underlying(module, ty) as usize)? {
        _ if size_of(module, ty) == 0 => Some(0),
        DebugType::Base { bytes: ..=8, .. } | DebugType::Enum { .. } | DebugType::Pointer { .. } => Some(1),
        DebugType::Sequence { bytes: 16, .. } => Some(2),
        _ => None,
    }
}

impl<M: ReadBytes> Writer<'_, M> {
    /// Writes a value; false where it is written as in C.
    pub fn rust(&mut self, kind: &DebugType, bytes: &[u8]) -> bool {
        match kind {
            DebugType::Base { name, .. } if name == "()" => self.out.push_str("()"),
            DebugType::Base { encoding: Encoding::UnsignedChar, bytes: 4, .. } => {
                match char::from_u32(word(bytes) as u32) {
                    Some(c) => self.out.push_str(&format!("{c:?}")),
                    None => return false,
                }
            }
            DebugType::Enum { values, .. } => match values.iter().find(|(_, value)| is_same(*value, bytes)) {
                Some((name, _)) => self.out.push_str(name),
                None => return false,
            },
            &DebugType::Pointer { to } => {
                let size = size_of(self.module, to) as usize;
                let target = (size > 0 && self.nests()).then(|| self.memory.read(word(bytes), size)).flatten();
                let Some(target) = target.filter(|_| word(bytes) != 0) else { return false };
                self.out.push('&');
                self.inner(to, &target);
            }
            DebugType::Sequence { .. } => return self.sequence(kind, bytes),
            DebugType::Variants { .. } => {
                let Some(variant) = variant_of(self.module, kind, bytes) else { return false };
                let payload = member_bytes(self.module, variant, bytes).unwrap_or_default();
                self.out.push_str(&variant.name);
                if let Some(DebugType::Struct { members, .. }) = self.module.types.get(variant.ty as usize) {
                    self.fields(members, &payload);
                }
            }
            DebugType::Struct { name, members, union: false, .. } => {
                let name = name.split('<').next().unwrap_or(name);
                // Tuples are called by their types.
                if !name.starts_with(['(', '&', '*', '{']) {
                    self.out.push_str(name);
                }
                self.fields(members, bytes);
            }
            DebugType::Array { element, .. } => self.list(*element, bytes, false),
            _ => return false,
        }
        true
    }

    /// `(1, 2)` or ` { a: 1, b: 2 }`; nothing of a structure without fields.
    fn fields(&mut self, members: &[Member], bytes: &[u8]) {
        let tuple = members.iter().all(|member| member.name.starts_with("__"));
        if !members.is_empty() {
            self.members(if tuple { ["(", "", ")"] } else { [" { ", ": ", " }"] }, members, bytes);
        }
    }
}

/// The variant that an enum of this type with these bytes has; `None` where it is no such enum, or that is not known.
pub fn variant<'a>(module: &'a Module, ty: TypeId, bytes: &[u8]) -> Option<&'a Member> {
    variant_of(module, module.types.get(super::underlying(module, ty) as usize)?, bytes)
}

fn variant_of<'a>(module: &Module, kind: &'a DebugType, bytes: &[u8]) -> Option<&'a Member> {
    let DebugType::Variants { which, variants, .. } = kind else { return None };
    let value = which.as_ref().and_then(|which| member_bytes(module, which, bytes));
    let found = variants.iter().find(|(number, _)| match (number, &value) {
        (Some(number), Some(value)) => is_same(*number as i64, value),
        _ => false,
    });
    let found = found.or_else(|| variants.iter().find(|(number, _)| number.is_none()));
    found.map(|(_, variant)| variant)
}

/// Whether bytes hold a number, as wide as they are.
fn is_same(number: i64, bytes: &[u8]) -> bool {
    let bits = 8 * bytes.len().clamp(1, 8);
    number == signed(bytes) || number as u64 & (u64::MAX >> (64 - bits)) == word(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::format;
    use super::super::tests::Memory;
    use super::*;

    fn types() -> Module {
        let base = |name: &str, bytes, encoding| DebugType::Base { name: name.into(), bytes, encoding };
        let member = |name: &str, ty, byte: u64| Member { name: name.into(), ty, bit_offset: 8 * byte, bit_size: 0 };
        let tuple = |members| DebugType::Struct { name: "Some".into(), bytes: 8, members, union: false };
        let sequence = |element, text| DebugType::Sequence {
            name: String::new(),
            bytes: 16,
            address: 0,
            length: 8,
            ends: false,
            element,
            text,
        };
        Module {
            source: "/a/src/lib.rs/@/a.1-cgu.0".into(),
            types: vec![
                base("u32", 4, Encoding::Unsigned),
                base("u8", 1, Encoding::Unsigned),
                sequence(1, true),
                sequence(0, false),
                tuple(vec![member("__0", 0, 4)]),
                tuple(Vec::new()),
                DebugType::Variants {
                    name: "Option<u32>".into(),
                    bytes: 8,
                    which: Some(member("", 0, 0)),
                    variants: vec![(Some(0), member("None", 5, 0)), (Some(1), member("Some", 4, 0))],
                },
                DebugType::Struct {
                    name: "Point<u32>".into(),
                    bytes: 8,
                    members: vec![member("x", 0, 0), member("y", 0, 4)],
                    union: false,
                },
                base("char", 4, Encoding::UnsignedChar),
                DebugType::Pointer { to: 0 },
                DebugType::Array { element: 1, count: Some(3), bytes: 3 },
            ],
            ..Module::default()
        }
    }

    #[test]
    fn values_read_as_in_rust() {
        let module = types();
        let mut bytes = "hé\n".as_bytes().to_vec();
        bytes.resize(8, 0);
        bytes.extend([7, 0, 0, 0, 9, 0, 0, 0]);
        let memory = Memory(0x1000, bytes);
        let two = |a: u64, b: u64| [a.to_le_bytes(), b.to_le_bytes()].concat();
        let text = |ty, bytes: &[u8]| format(&module, ty, bytes, &memory);
        assert_eq!(text(2, &two(0x1000, 4)), "\"hé\\n\"");
        assert_eq!(text(3, &two(0x1008, 2)), "[7, 9]");
        assert_eq!(text(3, &two(8, 0)), "[]");
        assert_eq!(text(3, &two(0x9000, 3)), "[…; 3]");
        assert_eq!(text(6, &[1, 0, 0, 0, 5, 0, 0, 0]), "Some(5)");
        assert_eq!(text(6, &[0; 8]), "None");
        assert_eq!(text(7, &[1, 0, 0, 0, 2, 0, 0, 0]), "Point { x: 1, y: 2 }");
        assert_eq!(text(8, &u32::from('é').to_le_bytes()), "'é'");
        assert_eq!(text(9, &0x1008u64.to_le_bytes()), "&7");
        assert_eq!(text(10, &[1, 2, 3]), "[1, 2, 3]");
    }
}
