//! What a function is given: its arguments and what they point to, as trees over the numbers and texts in them.

use std::collections::HashMap;

use whydunit_causes::value::{ReadBytes, elements, is_rust, member_bytes, size_of, underlying};
use whydunit_causes::variables::Found;
use whydunit_model::{DebugType, Encoding, Module, TypeId};

use crate::types::{named, written};

/// More numbers and texts than this nobody tries out.
const MOST_LEAVES: usize = 64;
/// So many elements of an object are looked at.
const MOST_ELEMENTS: u64 = 32;
/// The longest text.
const LONGEST: usize = 4096;
/// The largest room for one.
const LARGEST: u64 = 1 << 20;

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
    /// An enumeration: its name, its values.
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

impl Leaf {
    /// A value as the driver reads it: of what is no number, none.
    pub fn read(&self, text: String) -> String {
        match self.kind {
            Kind::Text(_) | Kind::String(_) => text,
            Kind::Float => format!("{:?}", text.parse::<f64>().unwrap_or_default()),
            _ => text.parse::<i128>().unwrap_or_default().to_string(),
        }
    }

    /// Whether its constraint allows a value.
    fn may_be(&self, value: Option<i128>) -> bool {
        let Some(value) = value else { return false };
        match &self.kind {
            Kind::Integer { .. } => i64::try_from(value).is_ok(),
            Kind::Bool => (0..=1).contains(&value),
            Kind::Enum(_, values) => values.iter().any(|(_, known)| i128::from(*known) == value),
            Kind::Char | Kind::Float | Kind::Text(_) | Kind::String(_) => true,
        }
    }

    /// A value as a person writes it: the name of an enumerator, a text in quotes.
    pub fn shown(&self, value: &str) -> String {
        match &self.kind {
            Kind::Enum(_, values) => {
                let known = values.iter().find(|(_, known)| known.to_string() == value);
                known.map_or(value.into(), |(name, _)| name.clone())
            }
            Kind::Text(_) | Kind::String(_) => format!("{value:?}"),
            _ => value.into(),
        }
    }

    /// The values that it may have, as a constraint of a domain on this name; none where it may be any text.
    pub fn constraint(&self, name: &str) -> Option<String> {
        match &self.kind {
            Kind::Integer { bytes, signed } => {
                let bits = 8 * *bytes as u32;
                let (low, high) = match signed {
                    true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                    // Domains know numbers of 64 bits with a sign.
                    false => (0, ((1i128 << bits) - 1).min(i64::MAX.into())),
                };
                Some(format!("{name} in {low}..{high}"))
            }
            Kind::Bool => Some(format!("{name} in 0..1")),
            Kind::Char => Some(format!("{name} in 0..{}", u32::from(char::MAX))),
            Kind::Enum(_, values) => {
                let values: Vec<String> = values.iter().map(|(_, value)| value.to_string()).collect();
                Some(format!("{name} in {{{}}}", values.join(", ")))
            }
            Kind::Float | Kind::Text(_) | Kind::String(_) => None,
        }
    }
}

impl Given {
    /// The values that its leaves may have, as a domain over a program's arguments. What a call is given shows what may be: flags
    /// are no enumerators.
    pub fn domain(&self, calls: &[Vec<String>]) -> String {
        let numbered = self.leaves.iter().enumerate();
        let lines = numbered.filter_map(|(at, leaf)| {
            let may_be = |value: &String| leaf.may_be(value.parse().ok());
            let line = leaf.constraint(&format!("arg{}", at + 1))?;
            calls.iter().filter_map(|values| values.get(at)).all(may_be).then(|| line + "\n")
        });
        lines.collect()
    }

    /// The values of its leaves, in order.
    pub fn values(&self) -> Vec<String> {
        self.leaves.iter().map(|leaf| leaf.value.clone()).collect()
    }

    /// The names of the structures in it.
    pub fn structures(&self) -> Vec<&str> {
        fn add<'g>(shape: &'g Shape, names: &mut Vec<&'g str>) {
            match shape {
                Shape::Struct { ty, members } => {
                    names.push(ty);
                    members.iter().for_each(|(_, member)| add(member, names));
                }
                Shape::Array(parts) | Shape::Sequence { elements: parts, .. } => {
                    parts.iter().for_each(|part| add(part, names));
                }
                Shape::Leaf(_) | Shape::Null | Shape::Pointer(_) => {}
            }
        }
        let mut names = Vec::new();
        self.params.iter().for_each(|(_, shape)| add(shape, &mut names));
        self.objects.iter().flat_map(|object| &object.elements).for_each(|shape| add(shape, &mut names));
        names
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

/// A type, and the module that has it.
type Typed<'a> = (&'a Module, TypeId);

/// Reads what parameters hold at a moment. The error is what cannot be given, in words.
pub struct Reader<'a, M> {
    /// Of the function.
    module: &'a Module,
    /// Of the program: what a module only declares, another one may define.
    modules: Vec<&'a Module>,
    memory: &'a M,
    objects: Objects<'a>,
    given: Given,
    known: HashMap<(u64, String), usize>,
    /// Objects that are pointed into, by where they start.
    starts: HashMap<u64, String>,
}

impl<'a, M: ReadBytes> Reader<'a, M> {
    pub fn new(module: &'a Module, modules: Vec<&'a Module>, memory: &'a M, objects: Objects<'a>) -> Self {
        Self {
            module,
            modules,
            memory,
            objects,
            given: Given::default(),
            known: HashMap::new(),
            starts: HashMap::new(),
        }
    }

    /// Reads parameters.
    pub fn read(mut self, params: &[Found]) -> Result<Given, String> {
        for found in params {
            let shape = self.shape(&found.name, (self.module, found.ty), &found.bytes)?;
            self.given.params.push((found.name.clone(), shape));
        }
        Ok(self.given)
    }

    /// What a type is, and where that is said whole.
    fn kind(&self, (module, ty): Typed<'a>) -> (&'a Module, Option<&'a DebugType>) {
        let kind = module.types.get(underlying(module, ty) as usize);
        let Some(DebugType::Struct { name, members, .. }) = kind else { return (module, kind) };
        if !members.is_empty() {
            return (module, kind);
        }
        let whole = |kind: &&DebugType| match kind {
            DebugType::Struct { name: other, members, .. } => other == name && !members.is_empty(),
            DebugType::Sequence { name: other, .. } => other == name,
            _ => false,
        };
        let found = self.modules.iter().find_map(|other| Some((*other, other.types.iter().find(whole)?)));
        found.map_or((module, kind), |(module, kind)| (module, Some(kind)))
    }

    fn leaf(&mut self, name: &str, kind: Kind, value: String) -> Result<Shape, String> {
        if self.given.leaves.len() == MOST_LEAVES {
            return Err(format!("it is given more than {MOST_LEAVES} numbers and texts"));
        }
        self.given.leaves.push(Leaf { name: name.into(), kind, value });
        Ok(Shape::Leaf(self.given.leaves.len() - 1))
    }

    fn written(&self, typed: Typed<'a>) -> Option<String> {
        let rust = is_rust(self.module);
        match self.kind(typed) {
            (_, Some(DebugType::Sequence { text: true, .. })) if !rust => Some("std::string".into()),
            (module, Some(DebugType::Sequence { element, .. })) if !rust => {
                Some(format!("std::vector<{}>", self.written((module, *element))?))
            }
            (_, Some(DebugType::Struct { name, .. } | DebugType::Enum { name, .. })) if rust => Some(name.clone()),
            _ if self.module.source.ends_with(".c") => named(typed.0, typed.1),
            _ => written(typed.0, typed.1, true),
        }
    }

    fn shape(&mut self, name: &str, typed: Typed<'a>, bytes: &[u8]) -> Result<Shape, String> {
        let (module, kind) = self.kind(typed);
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
            Some(DebugType::Enum { name: of, values, .. }) => {
                let signed = values.iter().any(|value| value.1 < 0);
                self.leaf(name, Kind::Enum(of.clone(), values.clone()), number(signed))
            }
            Some(DebugType::Pointer { to }) => self.pointer(name, (module, *to), integer(bytes, false) as u64),
            Some(DebugType::Struct { union: false, members, .. }) => {
                let Some(ty) = self.written(typed) else { return unknown("of a type without a name") };
                let mut list = Vec::new();
                for member in members {
                    if member.name.is_empty() || member.name.starts_with("_vptr") {
                        return unknown("an object of a class with parts that cannot be given by name");
                    }
                    let Some(bytes) = member_bytes(module, member, bytes) else { return unknown("not known") };
                    let path = format!("{name}.{}", member.name);
                    list.push((member.name.clone(), self.shape(&path, (module, member.ty), &bytes)?));
                }
                Ok(Shape::Struct { ty, members: list })
            }
            Some(DebugType::Array { element, count: Some(count), .. }) if *count <= MOST_ELEMENTS => {
                let size = size_of(module, *element).max(1) as usize;
                let parts = bytes.chunks_exact(size).take(*count as usize).enumerate();
                let parts: Result<_, _> =
                    parts.map(|(at, part)| self.shape(&format!("{name}[{at}]"), (module, *element), part)).collect();
                Ok(Shape::Array(parts?))
            }
            Some(of @ DebugType::Sequence { .. }) => self.sequence(name, module, of, bytes),
            Some(DebugType::Struct { union: true, .. }) => unknown("a union"),
            Some(DebugType::Array { .. }) => unknown("an array that is too long"),
            Some(DebugType::Variants { .. }) => unknown("an enumeration with fields"),
            _ => unknown("of a type that cannot be given"),
        }
    }

    fn sequence(&mut self, name: &str, module: &'a Module, of: &DebugType, bytes: &[u8]) -> Result<Shape, String> {
        let Some((address, length, element)) = elements(module, of, bytes) else {
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
        let size = size_of(module, element);
        if length > MOST_ELEMENTS || size == 0 {
            return Err(format!("`{name}` has more than {MOST_ELEMENTS} elements"));
        }
        let bytes = if length == 0 { Some(Vec::new()) } else { self.memory.read(address, (length * size) as usize) };
        let Some(bytes) = bytes else { return Err(format!("what `{name}` has is not known")) };
        let parts = bytes.chunks_exact(size as usize).enumerate();
        let parts: Result<_, _> =
            parts.map(|(at, part)| self.shape(&format!("{name}[{at}]"), (module, element), part)).collect();
        let ty = match is_rust(self.module) {
            true => ty.clone(),
            false => {
                let element =
                    self.written((module, element)).ok_or_else(|| format!("`{name}` has elements without a name"))?;
                format!("std::vector<{element}>")
            }
        };
        Ok(Shape::Sequence { ty, elements: parts? })
    }

    fn pointer(&mut self, name: &str, to: Typed<'a>, address: u64) -> Result<Shape, String> {
        if address == 0 {
            return Ok(Shape::Null);
        }
        let size = size_of(to.0, to.1);
        let room = (self.objects)(address).map(|(start, bytes)| start + bytes - address);
        if is_plain_char(to)
            && let Some(text) = self.text(address, room)
        {
            self.alone(name, address)?;
            return self.leaf(name, Kind::Text(room.unwrap_or(0).min(LARGEST)), text);
        }
        let Some(ty) = self.written(to).filter(|_| size > 0) else {
            return Err(format!("`{name}` points to something that cannot be given"));
        };
        if let Some(&known) = self.known.get(&(address, ty.clone())) {
            return Ok(Shape::Pointer(known));
        }
        // A reference of Rust is to one.
        let count = if is_rust(self.module) { 1 } else { room.map_or(1, |room| room / size).max(1) };
        if count > MOST_ELEMENTS {
            return Err(format!("`{name}` points to more than {MOST_ELEMENTS} elements"));
        }
        self.alone(name, address)?;
        let number = self.given.objects.len();
        self.known.insert((address, ty.clone()), number);
        self.given.objects.push(Object { ty, elements: Vec::new() });
        let Some(bytes) = self.memory.read(address, (count * size) as usize) else {
            return Err(format!("what `{name}` points to is not known"));
        };
        let is_one = count == 1;
        for (at, part) in bytes.chunks_exact(size as usize).enumerate() {
            let name = if is_one { format!("*{name}") } else { format!("{name}[{at}]") };
            // As members are named that are reached by a pointer.
            let name = match self.kind(to) {
                (_, Some(DebugType::Struct { .. } | DebugType::Sequence { .. })) => {
                    name.trim_start_matches('*').to_string()
                }
                _ => name,
            };
            let shape = self.shape(&name, to, part)?;
            self.given.objects[number].elements.push(shape);
        }
        Ok(Shape::Pointer(number))
    }

    /// Two pointers into one object would be pointers into two.
    fn alone(&mut self, name: &str, address: u64) -> Result<(), String> {
        let Some((start, _)) = (self.objects)(address) else { return Ok(()) };
        match self.starts.insert(start, name.to_string()) {
            Some(other) => Err(format!("`{other}` and `{name}` point into the same object")),
            None => Ok(()),
        }
    }

    /// A text that ends where an object does, at the latest.
    fn text(&self, address: u64, room: Option<u64>) -> Option<String> {
        let bytes = self.memory.read(address, room.unwrap_or(LONGEST as u64).min(LONGEST as u64) as usize)?;
        let end = bytes.iter().position(|&byte| byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    }
}

/// Whether texts are made of it: other types of one byte are numbers.
fn is_plain_char((module, ty): Typed<'_>) -> bool {
    let kind = module.types.get(underlying(module, ty) as usize);
    matches!(kind, Some(DebugType::Base { name, .. }) if name == "char")
}

/// A number of up to eight bytes.
fn integer(bytes: &[u8], signed: bool) -> i128 {
    let mut word = [0; 8];
    let size = bytes.len().min(8);
    word[..size].copy_from_slice(&bytes[..size]);
    let (value, unused) = (u64::from_le_bytes(word), 64 - 8 * size.max(1) as u32);
    if signed { i128::from((value << unused) as i64 >> unused) } else { value.into() }
}
