//! Structures of the libraries of C++ and Rust that are more than their members: strings, slices, vectors, and pointers that own.

use whydunit_llvm::Metadata;
use whydunit_model::{DebugType, Member, NO_TYPE, TypeId};

use super::Debug;

// Operands: of a composite type 8 are the arguments of its template, of such an argument 1 is the type.
const ARGUMENTS: usize = 8;
const TYPE: usize = 1;

/// Where a sequence says what it has: see [`DebugType::Sequence`].
struct Sequence {
    address: u64,
    length: u64,
    ends: bool,
    element: TypeId,
    text: bool,
}

impl Sequence {
    /// One that says how many elements it has.
    fn counted(address: u64, length: u64, element: TypeId) -> Self {
        Self { address, length, ends: false, element, text: false }
    }

    /// One of characters.
    fn text(address: u64, length: u64, element: TypeId) -> Self {
        Self { text: true, ..Self::counted(address, length, element) }
    }
}

/// Offset of the member of this name.
fn offset(members: &[Member], name: &str) -> Option<u64> {
    member(members, name).map(|member| member.bit_offset / 8)
}

fn member<'a>(members: &'a [Member], name: &str) -> Option<&'a Member> {
    members.iter().find(|member| member.name == name)
}

impl Debug<'_> {
    /// The type that a structure of a library is; none of one that is nothing but its members.
    pub(super) fn of_library(
        &mut self,
        node: Metadata,
        name: &str,
        bytes: u64,
        members: &[Member],
    ) -> Option<DebugType> {
        if let Some(Sequence { address, length, ends, element, text }) = self.sequence(node, name, members) {
            return Some(DebugType::Sequence { name: name.into(), bytes, address, length, ends, element, text });
        }
        self.pointed(name, bytes, members).map(|to| DebugType::Alias { name: name.into(), to })
    }

    /// Where a slice, a string or a vector says that its elements are.
    fn sequence(&mut self, node: Metadata, name: &str, members: &[Member]) -> Option<Sequence> {
        if name.starts_with("basic_string<char,") || name.starts_with("basic_string_view<char,") {
            return cpp_string(members);
        }
        if name.starts_with("vector<") {
            return self.cpp_vector(members);
        }
        if members.len() == 2 && offset(members, "data_ptr").is_some() && offset(members, "length").is_some() {
            return self.slice(name, members);
        }
        if let ("String", [only]) = (name, members)
            && let DebugType::Sequence { address, length, element, .. } = &self.types[only.ty as usize]
        {
            let start = only.bit_offset / 8;
            return Some(Sequence::text(start + address, start + length, *element));
        }
        if name.starts_with("Vec<") { self.vector(node, members) } else { None }
    }

    /// `std::vector`: where it starts and where it ends.
    fn cpp_vector(&self, members: &[Member]) -> Option<Sequence> {
        let parts = member(members, "_M_impl")?;
        let Some(DebugType::Struct { members, .. }) = self.types.get(parts.ty as usize) else { return None };
        let (start, finish) = (member(members, "_M_start")?, member(members, "_M_finish")?);
        let at = |member: &Member| (parts.bit_offset + member.bit_offset) / 8;
        let Some(DebugType::Pointer { to }) = self.types.get(self.underlying(start.ty) as usize) else { return None };
        Some(Sequence { ends: true, ..Sequence::counted(at(start), at(finish), *to) })
    }

    /// A slice of Rust, `str` among them.
    fn slice(&self, name: &str, members: &[Member]) -> Option<Sequence> {
        let (data, length) = (member(members, "data_ptr")?, offset(members, "length")?);
        let DebugType::Pointer { to } = self.types[data.ty as usize] else { return None };
        let text = name.ends_with("str") || name.contains("<str,") || name.contains("<str>");
        Some(Sequence { text, ..Sequence::counted(data.bit_offset / 8, length, to) })
    }

    /// `Vec` of Rust.
    fn vector(&mut self, node: Metadata, members: &[Member]) -> Option<Sequence> {
        let (buffer, length) = (member(members, "buf")?, offset(members, "len")?);
        let address = buffer.bit_offset / 8 + self.address_in(buffer.ty, 0)?;
        let arguments = self.operand(node, ARGUMENTS)?;
        let first = self.module.metadata_operands(arguments).into_iter().flatten().next()?;
        let element = self.operand(first, TYPE);
        Some(Sequence::counted(address, length, self.type_of(element)))
    }

    /// What a structure of C++ is that is nothing but a pointer: `std::unique_ptr` and the iterators of vectors and strings.
    fn pointed(&self, name: &str, bytes: u64, members: &[Member]) -> Option<TypeId> {
        let known = name.starts_with("unique_ptr<") || name.starts_with("__normal_iterator<");
        if !known || bytes != 8 {
            return None;
        }
        let mut open: Vec<TypeId> = members.iter().map(|member| member.ty).collect();
        for _ in 0..8 {
            let ty = self.underlying(open.pop()?);
            match self.types.get(ty as usize)? {
                DebugType::Pointer { .. } => return Some(ty),
                DebugType::Struct { members, .. } => open.extend(members.iter().rev().map(|member| member.ty)),
                _ => {}
            }
        }
        None
    }

    /// Offset of the first pointer in a structure.
    fn address_in(&self, ty: TypeId, depth: usize) -> Option<u64> {
        match self.types.get(ty as usize)? {
            DebugType::Pointer { .. } => Some(0),
            DebugType::Struct { members, .. } if depth < 8 => {
                members.iter().find_map(|member| Some(member.bit_offset / 8 + self.address_in(member.ty, depth + 1)?))
            }
            _ => None,
        }
    }
}

/// `std::string` and `std::string_view`.
fn cpp_string(members: &[Member]) -> Option<Sequence> {
    let (address, length) = match offset(members, "_M_str") {
        Some(address) => (address, offset(members, "_M_len")?),
        None => (offset(members, "_M_dataplus")?, offset(members, "_M_string_length")?),
    };
    Some(Sequence::text(address, length, NO_TYPE))
}
