//! Debug types.

mod library;

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::{DebugType, Encoding, Member, NO_TYPE, TypeId};

use super::Debug;

/// `DIFlagVirtual`, `DIFlagStaticMember`, `DIFlagBitField`.
pub(super) const VIRTUAL: i32 = 1 << 5;
const STATIC: i32 = 1 << 12;
const BIT_FIELD: i32 = 1 << 19;

pub(super) mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const INHERITANCE: u16 = 0x1c;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
    pub const VARIANT_PART: u16 = 0x33;
}

// Operands of type nodes: 5 is the base type, 6 the elements, or of a variant its number; of a composite type 10 is what
// says which variant it is.
const BASE: usize = 5;
const ELEMENTS: usize = 6;
const WHICH: usize = 10;
impl Debug<'_> {
    pub(super) fn convert(&mut self, node: Metadata) -> TypeId {
        if let Some(&known) = self.type_nodes.get(&node) {
            return known;
        }
        // The place is taken first: types refer to themselves.
        let index = self.types.len() as TypeId;
        self.types.push(DebugType::Function);
        self.type_nodes.insert(node, index);
        let ty = self.converted(node);
        self.types[index as usize] = ty;
        index
    }

    fn converted(&mut self, node: Metadata) -> DebugType {
        let name = node.type_name();
        let bytes = node.type_bits().div_ceil(8);
        match node.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => {
                let text = self.module.metadata_text(node);
                let encoding = text.split_once("encoding: ").map_or("", |(_, rest)| rest);
                DebugType::Base { name, bytes, encoding: encoding_of(encoding.trim_end_matches(')')) }
            }
            MetadataKind::LLVMDISubroutineTypeMetadataKind => DebugType::Function,
            MetadataKind::LLVMDIDerivedTypeMetadataKind => {
                let base = self.operand(node, BASE);
                if let Some(base) = base {
                    self.note_alias(node, base);
                }
                let to = self.type_of(base);
                match node.tag() {
                    tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE => DebugType::Pointer { to },
                    tag::TYPEDEF => DebugType::Alias { name, to },
                    tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                        DebugType::Alias { name: String::new(), to }
                    }
                    _ => DebugType::Other { name, bytes },
                }
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => {
                self.composites.push(node);
                self.composite(node, name, bytes)
            }
            _ => DebugType::Other { name, bytes },
        }
    }

    pub(super) fn elements(&self, node: Metadata) -> Vec<Metadata> {
        match self.operand(node, ELEMENTS) {
            Some(list) => self.module.metadata_operands(list).into_iter().flatten().collect(),
            None => Vec::new(),
        }
    }

    fn composite(&mut self, node: Metadata, name: String, bytes: u64) -> DebugType {
        match node.tag() {
            kind @ (tag::STRUCTURE | tag::CLASS | tag::UNION) => {
                if let Some(part) = self.variant_part(node) {
                    return self.variants(part, name, bytes);
                }
                let members = self.members(self.elements(node));
                let known = self.of_library(node, &name, bytes, &members);
                known.unwrap_or(DebugType::Struct { name, bytes, members, union: kind == tag::UNION })
            }
            tag::ENUMERATION => {
                let values = self.elements(node);
                let values = values
                    .into_iter()
                    .map(|value| (self.string(self.operand(value, 0)), self.enumerator(value)))
                    .collect();
                DebugType::Enum { name, bytes, values }
            }
            tag::ARRAY => self.array(node, bytes),
            _ => DebugType::Other { name, bytes },
        }
    }

    /// What tells the variants of an enum of Rust; `None` for all other types.
    pub(super) fn variant_part(&self, node: Metadata) -> Option<Metadata> {
        self.elements(node).into_iter().find(|element| {
            matches!(element.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind)
                && element.tag() == tag::VARIANT_PART
        })
    }

    /// The members of a structure, those that it has from its base classes among them. Bases that are shared lie where a table
    /// says, and static members elsewhere.
    fn members(&mut self, elements: Vec<Metadata>) -> Vec<Member> {
        let mut members = Vec::new();
        for element in elements {
            if !matches!(element.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind) {
                continue;
            }
            let flags = element.type_flags();
            match element.tag() {
                tag::INHERITANCE if flags & VIRTUAL == 0 => {
                    let base = self.operand(element, BASE);
                    let (base, start) = (self.type_of(base), element.type_offset_bits());
                    let base = self.underlying(base);
                    if let Some(DebugType::Struct { members: own, .. }) = self.types.get(base as usize) {
                        let moved =
                            |member: &Member| Member { bit_offset: start + member.bit_offset, ..member.clone() };
                        members.extend(own.iter().map(moved));
                    }
                }
                tag::MEMBER if flags & STATIC == 0 && !element.type_name().starts_with("_vptr$") => {
                    members.push(self.member(element));
                }
                _ => {}
            }
        }
        members
    }

    fn member(&mut self, member: Metadata) -> Member {
        let base = self.operand(member, BASE);
        let bit_field = member.type_flags() & BIT_FIELD != 0;
        Member {
            name: member.type_name(),
            ty: self.type_of(base),
            bit_offset: member.type_offset_bits(),
            bit_size: if bit_field { member.type_bits() as u32 } else { 0 },
        }
    }

    /// An enum of Rust.
    fn variants(&mut self, part: Metadata, name: String, bytes: u64) -> DebugType {
        let which = self.operand(part, WHICH).map(|member| self.member(member));
        let members: Vec<Metadata> = self.elements(part).into_iter().filter(is_member).collect();
        let variants = members.into_iter().map(|member| {
            let value = self.operand(member, ELEMENTS).and_then(|value| self.module.metadata_int(value));
            (value.map(|value| value as u64), self.member(member))
        });
        DebugType::Variants { name, bytes, variants: variants.collect(), which }
    }

    fn underlying(&self, mut ty: TypeId) -> TypeId {
        while let Some(DebugType::Alias { to, .. }) = self.types.get(ty as usize) {
            ty = *to;
        }
        ty
    }

    fn enumerator(&self, node: Metadata) -> i64 {
        let text = self.module.metadata_text(node);
        let Some((_, rest)) = text.split_once("value: ") else { return 0 };
        let end = rest.find([',', ')']).unwrap_or(rest.len());
        let digits = &rest[..end];
        digits.parse().unwrap_or_else(|_| digits.parse::<u64>().unwrap_or(0) as i64)
    }

    /// An array of several dimensions is an array of arrays; the outermost is made last.
    fn array(&mut self, node: Metadata, bytes: u64) -> DebugType {
        let base = self.operand(node, BASE);
        let mut element = self.type_of(base);
        let counts: Vec<Option<u64>> = self.elements(node).into_iter().map(|range| self.count(range)).collect();
        let mut size = self.size(element);
        for &count in counts.iter().skip(1).rev() {
            size = size.saturating_mul(count.unwrap_or(0));
            self.types.push(DebugType::Array { element, count, bytes: size });
            element = self.types.len() as TypeId - 1;
        }
        DebugType::Array { element, count: counts.first().copied().flatten(), bytes }
    }

    pub(super) fn count(&self, range: Metadata) -> Option<u64> {
        let count = self.operand(range, 0)?;
        self.module.metadata_int(count).and_then(|count| u64::try_from(count).ok())
    }

    fn size(&self, ty: TypeId) -> u64 {
        if ty == NO_TYPE {
            return 0;
        }
        match &self.types[ty as usize] {
            DebugType::Base { bytes, .. }
            | DebugType::Struct { bytes, .. }
            | DebugType::Array { bytes, .. }
            | DebugType::Enum { bytes, .. }
            | DebugType::Sequence { bytes, .. }
            | DebugType::Variants { bytes, .. }
            | DebugType::Other { bytes, .. } => *bytes,
            DebugType::Pointer { .. } => 8,
            DebugType::Alias { to, .. } => self.size(*to),
            DebugType::Function => 0,
        }
    }
}

fn is_member(element: &Metadata) -> bool {
    matches!(element.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind) && element.tag() == tag::MEMBER
}

fn encoding_of(text: &str) -> Encoding {
    match text.split(',').next().unwrap_or_default() {
        "DW_ATE_signed" => Encoding::Signed,
        "DW_ATE_unsigned" => Encoding::Unsigned,
        "DW_ATE_signed_char" => Encoding::SignedChar,
        "DW_ATE_unsigned_char" | "DW_ATE_UTF" => Encoding::UnsignedChar,
        "DW_ATE_boolean" => Encoding::Boolean,
        "DW_ATE_float" => Encoding::Float,
        _ => Encoding::Other,
    }
}
