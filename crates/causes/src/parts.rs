//! What values consist of, and the names of their types: for who looks into a value step by step.

use whydunit_model::{DebugType, Encoding, Member, Module, NO_TYPE, TypeId};

use crate::value::{self, ReadBytes, is_char, is_rust, member_bytes, size_of, underlying};
use crate::variables::{Found, Store};

/// Types nest so deep in a name at most.
const DEEPEST: usize = 16;

impl Found {
    /// Its first word.
    pub fn word(&self) -> u64 {
        let mut all = [0; 8];
        let n = self.bytes.len().min(8);
        all[..n].copy_from_slice(&self.bytes[..n]);
        u64::from_le_bytes(all)
    }

    /// How many parts it has: members, elements, or what it points to.
    pub fn parts(&self, module: &Module, memory: &impl ReadBytes) -> u64 {
        match module.types.get(underlying(module, self.ty) as usize) {
            Some(DebugType::Struct { members, .. }) => members.len() as u64,
            Some(DebugType::Array { element, .. }) if !is_char(module, *element) => {
                let size = size_of(module, *element);
                (self.bytes.len() as u64).checked_div(size).unwrap_or(0)
            }
            Some(kind @ DebugType::Sequence { text: false, .. }) => {
                let (address, length, element) = value::elements(module, kind, &self.bytes).unwrap_or_default();
                let size = size_of(module, element);
                // What is not initialised yet says nothing of where elements are.
                let is_there = length > 0 && size > 0 && memory.read(address, size as usize).is_some();
                if is_there { length } else { 0 }
            }
            Some(DebugType::Variants { .. }) => u64::from(self.variant(module).is_some()),
            Some(DebugType::Pointer { to }) => {
                let size = size_of(module, *to) as usize;
                let is_text = is_char(module, *to);
                u64::from(!is_text && size > 0 && self.word() != 0 && memory.read(self.word(), size).is_some())
            }
            _ => 0,
        }
    }

    /// Whether its parts are elements, which have numbers for names.
    pub fn has_elements(&self, module: &Module) -> bool {
        let ty = module.types.get(underlying(module, self.ty) as usize);
        matches!(ty, Some(DebugType::Array { .. } | DebugType::Sequence { .. }))
    }

    /// Part number `n` under its own short name, as it is told beside the others.
    pub fn part_at(&self, module: &Module, memory: &impl ReadBytes, n: u64) -> Option<(String, Found)> {
        match module.types.get(underlying(module, self.ty) as usize)? {
            DebugType::Struct { members, .. } => {
                let member = members.get(n as usize)?;
                let name = match member.name.strip_prefix("__") {
                    Some(number) if is_rust(module) => number.to_owned(),
                    _ if member.name.is_empty() => type_name(module, member.ty),
                    _ => member.name.clone(),
                };
                let mut found = self.member(module, member)?;
                found.name = format!("{}.{name}", self.grouped());
                Some((name, found))
            }
            DebugType::Array { .. } => {
                let found = self.part(module, n as usize)?;
                Some((format!("[{n}]"), Found { name: format!("{}[{n}]", self.grouped()), ..found }))
            }
            kind @ DebugType::Sequence { .. } => {
                let (address, length, element) = value::elements(module, kind, &self.bytes)?;
                let size = size_of(module, element);
                let address = address.checked_add(n.checked_mul(size)?).filter(|_| n < length)?;
                let bytes = memory.read(address, size as usize)?;
                let name = format!("{}[{n}]", self.grouped());
                Some((format!("[{n}]"), Found { name, ty: element, store: Store::Memory(address), bytes }))
            }
            DebugType::Variants { .. } => {
                let member = self.variant(module)?;
                let bytes = member_bytes(module, member, &self.bytes)?;
                let store = self.store.at(member.bit_offset / 8);
                Some((member.name.clone(), Found { name: self.name.clone(), ty: member.ty, store, bytes }))
            }
            DebugType::Pointer { to } => {
                let bytes = memory.read(self.word(), size_of(module, *to) as usize)?;
                let name = format!("*{}", self.name);
                Some((name.clone(), Found { name, ty: *to, store: Store::Memory(self.word()), bytes }))
            }
            _ => None,
        }
    }

    /// Its name, in parentheses where something in front of it would be taken for its parts'.
    fn grouped(&self) -> String {
        if self.name.starts_with('*') { format!("({})", self.name) } else { self.name.clone() }
    }

    /// The variant that an enum of Rust has; `None` where it is none, or that is not known.
    fn variant<'a>(&self, module: &'a Module) -> Option<&'a Member> {
        value::variant(module, self.ty, &self.bytes)
    }
}

/// The name of a type as its language writes it.
pub fn type_name(module: &Module, ty: TypeId) -> String {
    name(module, ty, 0)
}

fn name(module: &Module, ty: TypeId, depth: usize) -> String {
    if depth > DEEPEST {
        return "…".into();
    }
    let of = |ty| name(module, ty, depth + 1);
    let rust = is_rust(module);
    match (ty != NO_TYPE).then(|| module.types.get(ty as usize)).flatten() {
        Some(DebugType::Alias { name, to }) if name.is_empty() => of(*to),
        Some(
            DebugType::Base { name, .. }
            | DebugType::Struct { name, .. }
            | DebugType::Sequence { name, .. }
            | DebugType::Variants { name, .. }
            | DebugType::Enum { name, .. }
            | DebugType::Alias { name, .. }
            | DebugType::Other { name, .. },
        ) => name.clone(),
        Some(DebugType::Pointer { to }) if rust => format!("&{}", of(*to)),
        Some(DebugType::Pointer { to }) => format!("{} *", of(*to)).replace("* *", "**"),
        Some(DebugType::Array { element, count, .. }) => match (count, rust) {
            (Some(count), true) => format!("[{}; {count}]", of(*element)),
            (Some(count), false) => format!("{}[{count}]", of(*element)),
            (None, _) => format!("{}[]", of(*element)),
        },
        Some(DebugType::Function) => "function".into(),
        None if rust => "()".into(),
        None => "void".into(),
    }
}

/// Whether values of a type are numbers that are read as integers.
pub fn is_integer(module: &Module, ty: TypeId) -> bool {
    let ty = module.types.get(underlying(module, ty) as usize);
    matches!(ty, Some(DebugType::Base { encoding, .. }) if !matches!(encoding, Encoding::Float | Encoding::Other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_in_their_language() {
        let base = |name: &str| DebugType::Base { name: name.into(), bytes: 4, encoding: Encoding::Signed };
        let pointer = DebugType::Pointer { to: 0 };
        let array = DebugType::Array { element: 0, count: Some(3), bytes: 12 };
        let constant = DebugType::Alias { name: String::new(), to: 1 };
        let types = vec![base("int"), pointer, array, constant, DebugType::Pointer { to: 3 }];
        let module = Module { types, ..Module::default() };
        let names: Vec<String> = (0..5).map(|ty| type_name(&module, ty)).collect();
        assert_eq!(names, ["int", "int *", "int[3]", "int *", "int **"]);
        assert_eq!(type_name(&module, NO_TYPE), "void");
    }
}
