//! What a function is given: its arguments and what they point to, as trees over the numbers and texts in them.

use std::collections::HashMap;

use whydunit_causes::value::{ReadBytes, elements, is_char, is_rust, member_bytes, size_of, underlying};
use whydunit_causes::variables::Found;
use whydunit_model::{DebugType, Encoding, Module, TypeId};

use crate::types::written;

/// More numbers and texts than this nobody tries out.
const MOST_LEAVES: usize = 64;
/// So many elements of an object are looked at.
const MOST_ELEMENTS: u64 = 32;
/// The longest text.
const LONGEST: usize = 4096;

/// How a leaf is read and written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer {
        bytes: u64,
        signed: bool,
    },
    Bool,
    Float,
    /// A `char` of Rust.
    Char,
    /// An enumeration of Rust: its name, its variants.
    Enum(String, Vec<(String, i64)>),
    /// Characters in memory, which has room for so many.
    Text(u64),
    /// A string of a library: its type.
    String(String),
}

/// A number or a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// As a path from a parameter: `p.x`, `a[2]`.
    pub name: String,
    pub kind: Kind,
    /// As text.
    pub value: String,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A leaf, by its number.
    Leaf(usize),
    Null,
    /// To the first element of an object, by its number.
    Pointer(usize),
    Struct {
        ty: String,
        members: Vec<(String, Shape)>,
    },
    Array(Vec<Shape>),
    /// A vector or slice of a library: its type.
    Sequence {
        ty: String,
        elements: Vec<Shape>,
    },
}

/// What a pointer points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The type of its elements.
    pub ty: String,
    pub elements: Vec<Shape>,
}

/// What a call is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// Names and values of the parameters.
    pub params: Vec<(String, Shape)>,
    pub objects: Vec<Object>,
    pub leaves: Vec<Leaf>,
}

impl Given {
    /// The values of its leaves, in order.
    pub fn values(&self) -> Vec<String> {
        self.leaves.iter().map(|leaf| leaf.value.clone()).collect()
    }

    /// Whether another call is given the same but for numbers and texts.
    pub fn is_like(&self, other: &Self) -> bool {
        let kinds = |given: &Self| -> Vec<(String, Kind)> {
            // A text may be longer.
            let kind = |leaf: &Leaf| match &leaf.kind {
                Kind::Text(_) => Kind::Text(0),
                other => other.clone(),
            };
            given.leaves.iter().map(|leaf| (leaf.name.clone(), kind(leaf))).collect()
        };
        self.params == other.params && self.objects == other.objects && kinds(self) == kinds(other)
    }
}

/// The live object that an address lies in: its start and its bytes.
pub type Objects<'a> = &'a mut dyn FnMut(u64) -> Option<(u64, u64)>;

/// Reads what parameters hold at a moment. The error is what cannot be given, in words.
pub struct Reader<'a, M> {
    pub module: &'a Module,
    pub memory: &'a M,
    pub objects: Objects<'a>,
    pub given: Given,
    known: HashMap<(u64, TypeId), usize>,
}

impl<'a, M: ReadBytes> Reader<'a, M> {
    pub fn new(module: &'a Module, memory: &'a M, objects: Objects<'a>) -> Self {
        Self { module, memory, objects, given: Given::default(), known: HashMap::new() }
    }

    /// Reads a parameter.
    pub fn param(&mut self, found: &Found) -> Result<(), String> {
        let shape = self.shape(&found.name, found.ty, &found.bytes)?;
        self.given.params.push((found.name.clone(), shape));
        Ok(())
    }

    fn leaf(&mut self, name: &str, kind: Kind, value: String) -> Result<Shape, String> {
        if self.given.leaves.len() == MOST_LEAVES {
            return Err(format!("it is given more than {MOST_LEAVES} numbers and texts"));
        }
        self.given.leaves.push(Leaf { name: name.into(), kind, value });
        Ok(Shape::Leaf(self.given.leaves.len() - 1))
    }

    fn written(&self, ty: TypeId) -> Option<String> {
        match self.module.types.get(underlying(self.module, ty) as usize) {
            Some(DebugType::Sequence { text: true, .. }) if !is_rust(self.module) => Some("std::string".into()),
            Some(DebugType::Sequence { element, .. }) if !is_rust(self.module) => {
                Some(format!("std::vector<{}>", self.written(*element)?))
            }
            Some(DebugType::Struct { name, .. } | DebugType::Enum { name, .. }) if is_rust(self.module) => {
                Some(name.clone())
            }
            _ => written(self.module, ty, !self.module.source.ends_with(".c")),
        }
    }

    fn shape(&mut self, name: &str, ty: TypeId, bytes: &[u8]) -> Result<Shape, String> {
        let module = self.module;
        let kind = module.types.get(underlying(module, ty) as usize);
        let unknown = |what: &str| Err(format!("`{name}` is {what}"));
        let number = |signed: bool| integer(bytes, signed).to_string();
        match kind {
            Some(DebugType::Base { encoding: Encoding::Boolean, .. }) => self.leaf(name, Kind::Bool, number(false)),
            Some(DebugType::Base { encoding: Encoding::Float, bytes: 4, .. }) => {
                let value = f32::from_bits(integer(bytes, false) as u32);
                self.leaf(name, Kind::Float, format!("{value:?}"))
            }
            Some(DebugType::Base { encoding: Encoding::Float, bytes: 8, .. }) => {
                let value = f64::from_bits(integer(bytes, false) as u64);
                self.leaf(name, Kind::Float, format!("{value:?}"))
            }
            Some(DebugType::Base { name: of, .. }) if of == "char" && is_rust(module) => {
                self.leaf(name, Kind::Char, number(false))
            }
            Some(DebugType::Base { bytes: size @ 1..=8, encoding, .. }) if *encoding != Encoding::Float => {
                let signed = matches!(encoding, Encoding::Signed | Encoding::SignedChar);
                self.leaf(name, Kind::Integer { bytes: *size, signed }, number(signed))
            }
            Some(DebugType::Enum { name: of, values, .. }) if is_rust(module) => {
                self.leaf(name, Kind::Enum(of.clone(), values.clone()), number(false))
            }
            Some(DebugType::Enum { bytes: size, values, .. }) => {
                let signed = values.iter().any(|value| value.1 < 0);
                self.leaf(name, Kind::Integer { bytes: *size, signed }, number(signed))
            }
            Some(DebugType::Pointer { to }) => self.pointer(name, *to, integer(bytes, false) as u64),
            Some(DebugType::Struct { union: false, members, .. }) => {
                let Some(ty) = self.written(ty) else { return unknown("of a type without a name") };
                let mut list = Vec::new();
                for member in members {
                    if member.name.is_empty() || member.name.starts_with("_vptr") {
                        return unknown("an object of a class with parts that cannot be given by name");
                    }
                    let Some(bytes) = member_bytes(module, member, bytes) else { return unknown("not known") };
                    let path = format!("{name}.{}", member.name);
                    list.push((member.name.clone(), self.shape(&path, member.ty, &bytes)?));
                }
                Ok(Shape::Struct { ty, members: list })
            }
            Some(DebugType::Array { element, count: Some(count), .. }) if *count <= MOST_ELEMENTS => {
                let size = size_of(module, *element).max(1) as usize;
                let parts = bytes.chunks_exact(size).take(*count as usize).enumerate();
                let parts: Result<_, _> =
                    parts.map(|(at, part)| self.shape(&format!("{name}[{at}]"), *element, part)).collect();
                Ok(Shape::Array(parts?))
            }
            Some(of @ DebugType::Sequence { .. }) => self.sequence(name, of, bytes),
            Some(DebugType::Struct { union: true, .. }) => unknown("a union"),
            Some(DebugType::Array { .. }) => unknown("an array that is too long"),
            Some(DebugType::Variants { .. }) => unknown("an enumeration with fields"),
            _ => unknown("of a type that cannot be given"),
        }
    }

    fn sequence(&mut self, name: &str, of: &DebugType, bytes: &[u8]) -> Result<Shape, String> {
        let Some((address, length, element)) = elements(self.module, of, bytes) else {
            return Err(format!("what `{name}` has is not known"));
        };
        let DebugType::Sequence { name: ty, text, .. } = of else { return Err(format!("`{name}` is no sequence")) };
        if *text {
            let known =
                if length == 0 { Some(Vec::new()) } else { self.memory.read(address, length.min(1 << 16) as usize) };
            let text = known.and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.filter(|text| text.len() <= LONGEST && !text.contains('\0'));
            let Some(text) = text else { return Err(format!("`{name}` is no text that can be given")) };
            return self.leaf(name, Kind::String(ty.clone()), text);
        }
        let size = size_of(self.module, element);
        if length > MOST_ELEMENTS || size == 0 {
            return Err(format!("`{name}` has more than {MOST_ELEMENTS} elements"));
        }
        let bytes = if length == 0 { Some(Vec::new()) } else { self.memory.read(address, (length * size) as usize) };
        let Some(bytes) = bytes else { return Err(format!("what `{name}` has is not known")) };
        let parts = bytes.chunks_exact(size as usize).enumerate();
        let parts: Result<_, _> = parts.map(|(at, part)| self.shape(&format!("{name}[{at}]"), element, part)).collect();
        let ty = match is_rust(self.module) {
            true => ty.clone(),
            false => {
                let element = self.written(element).ok_or_else(|| format!("`{name}` has elements without a name"))?;
                format!("std::vector<{element}>")
            }
        };
        Ok(Shape::Sequence { ty, elements: parts? })
    }

    fn pointer(&mut self, name: &str, to: TypeId, address: u64) -> Result<Shape, String> {
        if address == 0 {
            return Ok(Shape::Null);
        }
        if let Some(&known) = self.known.get(&(address, to)) {
            return Ok(Shape::Pointer(known));
        }
        let size = size_of(self.module, to);
        let room = (self.objects)(address).map(|(start, bytes)| start + bytes - address);
        if is_char(self.module, to)
            && let Some(text) = self.text(address, room)
        {
            return self.leaf(name, Kind::Text(room.unwrap_or(0).min(LONGEST as u64)), text);
        }
        let Some(ty) = self.written(to).filter(|_| size > 0) else {
            return Err(format!("`{name}` points to something that cannot be given"));
        };
        let count = room.map_or(1, |room| room / size).max(1);
        if count > MOST_ELEMENTS {
            return Err(format!("`{name}` points to more than {MOST_ELEMENTS} elements"));
        }
        let number = self.given.objects.len();
        self.known.insert((address, to), number);
        self.given.objects.push(Object { ty, elements: Vec::new() });
        let Some(bytes) = self.memory.read(address, (count * size) as usize) else {
            return Err(format!("what `{name}` points to is not known"));
        };
        let is_one = count == 1;
        for (at, part) in bytes.chunks_exact(size as usize).enumerate() {
            let name = if is_one { format!("*{name}") } else { format!("{name}[{at}]") };
            // As members are named that are reached by a pointer.
            let name = match self.module.types.get(underlying(self.module, to) as usize) {
                Some(DebugType::Struct { .. }) => name.trim_start_matches('*').to_string(),
                _ => name,
            };
            let shape = self.shape(&name, to, part)?;
            self.given.objects[number].elements.push(shape);
        }
        Ok(Shape::Pointer(number))
    }

    /// A text that ends where an object does, at the latest.
    fn text(&self, address: u64, room: Option<u64>) -> Option<String> {
        let bytes = self.memory.read(address, room.unwrap_or(LONGEST as u64).min(LONGEST as u64) as usize)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    }
}

/// A number of up to eight bytes.
fn integer(bytes: &[u8], signed: bool) -> i128 {
    let mut word = [0; 8];
    let size = bytes.len().min(8);
    word[..size].copy_from_slice(&bytes[..size]);
    let (value, unused) = (u64::from_le_bytes(word), 64 - 8 * size.max(1) as u32);
    if signed { i128::from((value << unused) as i64 >> unused) } else { value.into() }
}
