//! Debug types.

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::{DebugType, Encoding, Member, NO_TYPE, TypeId};

use super::Debug;

/// `DIFlagBitField`.
const BIT_FIELD: i32 = 1 << 19;

mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const CLASS: u16 = 0x02;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const REFERENCE: u16 = 0x10;
    pub const STRUCTURE: u16 = 0x13;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const RVALUE_REFERENCE: u16 = 0x42;
    pub const ATOMIC: u16 = 0x47;
}

// Operands of type nodes: 5 is the base type, 6 the elements.
const BASE: usize = 5;
const ELEMENTS: usize = 6;

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
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite(node, name, bytes),
            _ => DebugType::Other { name, bytes },
        }
    }

    fn elements(&self, node: Metadata) -> Vec<Metadata> {
        match self.operand(node, ELEMENTS) {
            Some(list) => self.module.metadata_operands(list).into_iter().flatten().collect(),
            None => Vec::new(),
        }
    }

    fn composite(&mut self, node: Metadata, name: String, bytes: u64) -> DebugType {
        match node.tag() {
            kind @ (tag::STRUCTURE | tag::CLASS | tag::UNION) => {
                let members = self.elements(node);
                let members = members
                    .into_iter()
                    .filter(|member| matches!(member.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind))
                    .filter(|member| member.tag() == tag::MEMBER)
                    .map(|member| {
                        let base = self.operand(member, BASE);
                        let bit_field = member.type_flags() & BIT_FIELD != 0;
                        Member {
                            name: member.type_name(),
                            ty: self.type_of(base),
                            bit_offset: member.type_offset_bits(),
                            bit_size: if bit_field { member.type_bits() as u32 } else { 0 },
                        }
                    })
                    .collect();
                DebugType::Struct { name, bytes, members, union: kind == tag::UNION }
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

    fn count(&self, range: Metadata) -> Option<u64> {
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
            | DebugType::Other { bytes, .. } => *bytes,
            DebugType::Pointer { .. } => 8,
            DebugType::Alias { to, .. } => self.size(*to),
            DebugType::Function => 0,
        }
    }
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
