//! Where the fields of a class lie, and what their values are.

use whydunit_causes::value::{is_rust, size_of, underlying};
use whydunit_events::FieldKind;
use whydunit_model::{DebugType, Encoding, Member, Module, TypeId};

use crate::catalogue::Catalogue;

/// Fields of a class beyond so many are left out.
const MOST_FIELDS: usize = 200;
/// Parts inside of parts.
const DEEPEST: usize = 6;

/// A field and where it lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    /// Its name; of a field of a part with the part's before it.
    pub name: String,
    /// Where it is, relative to the object.
    pub member: Member,
    pub kind: FieldKind,
    /// The class that a reference leads to, or that a part is of.
    pub leads_to: Option<usize>,
    /// It may change behind a shared reference: a cell, an atomic.
    pub cell: bool,
    /// From what is referred to to the object: what smart pointers count with lies before it.
    pub skip: u64,
}

/// The fields of a structure, as one module has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub class: usize,
    pub size: u64,
    pub fields: Vec<Spot>,
    pub rust: bool,
}

/// The layout of a type that is a class; `None` where it is no structure.
pub(crate) fn of(catalogue: &Catalogue, module: &Module, ty: TypeId, class: usize) -> Option<Layout> {
    let ty = underlying(module, ty);
    let mut layout = Layout { class, size: size_of(module, ty), fields: Vec::new(), rust: is_rust(module) };
    let mut reader = Reader { catalogue, module, fields: &mut layout.fields, cell: false };
    match module.types.get(ty as usize)? {
        DebugType::Struct { members, union: false, .. } => {
            members.iter().for_each(|member| reader.member("", 0, member, 0));
        }
        // The object is the variant that it is.
        DebugType::Variants { .. } => {
            let member = Member { name: String::new(), ty, bit_offset: 0, bit_size: 0 };
            reader.value("variant".into(), member, 0);
        }
        DebugType::Enum { .. } => {
            let member = Member { name: String::new(), ty, bit_offset: 0, bit_size: 0 };
            reader.value("value".into(), member, 0);
        }
        _ => return None,
    }
    Some(layout)
}

/// What the values of a type are, where it is read at once; `None` for what has no value by itself.
pub(crate) fn kind(module: &Module, ty: TypeId) -> Option<FieldKind> {
    let kind = match module.types.get(underlying(module, ty) as usize)? {
        DebugType::Base { bytes: 9.., .. } => return None,
        DebugType::Base { encoding: Encoding::Boolean, .. } => FieldKind::Boolean,
        DebugType::Base { encoding: Encoding::Float, bytes: 4 | 8, .. } => FieldKind::Float,
        DebugType::Base { encoding: Encoding::Float | Encoding::Other, .. } => return None,
        DebugType::Base { bytes: 0, .. } => return None,
        DebugType::Base { .. } => FieldKind::Integer,
        DebugType::Enum { values, .. } => {
            FieldKind::Enumeration(values.iter().map(|(name, value)| (*value, name.clone())).collect())
        }
        DebugType::Pointer { .. } => FieldKind::Reference,
        DebugType::Sequence { .. } => FieldKind::Sequence,
        DebugType::Variants { variants, .. } => FieldKind::Variant(
            variants.iter().enumerate().map(|(number, (_, member))| (number as i64, member.name.clone())).collect(),
        ),
        DebugType::Array { element, .. } if is_text(module, *element) => FieldKind::Sequence,
        _ => return None,
    };
    Some(kind)
}

fn is_text(module: &Module, element: TypeId) -> bool {
    !is_rust(module) && whydunit_causes::value::is_char(module, element)
}

/// What smart pointers of the libraries are called, and how many bytes lie before the object that they lead to.
const SMART: &[(&str, u64)] =
    &[("unique_ptr<", 0), ("shared_ptr<", 0), ("Box<", 0), ("Rc<", 16), ("Arc<", 16), ("NonNull<", 0)];

/// What may change behind shared references.
const CELLS: &[&str] = &["Cell<", "RefCell<", "UnsafeCell<", "OnceCell<", "Atomic"];

struct Reader<'a> {
    catalogue: &'a Catalogue,
    module: &'a Module,
    fields: &'a mut Vec<Spot>,
    /// Inside of a cell.
    cell: bool,
}

impl Reader<'_> {
    fn member(&mut self, prefix: &str, start: u64, member: &Member, depth: usize) {
        let name = member.name.trim_start_matches("__");
        // Tables of virtual methods are no state.
        if member.name.starts_with("_vptr") || member.name.starts_with("vtable") || self.fields.len() >= MOST_FIELDS {
            return;
        }
        let path = match (prefix, name) {
            ("", name) => name.to_owned(),
            (prefix, "") => prefix.to_owned(),
            (prefix, name) => format!("{prefix}.{name}"),
        };
        let member = Member { bit_offset: start + member.bit_offset, ..member.clone() };
        self.value(path, member, depth);
    }

    fn value(&mut self, name: String, member: Member, depth: usize) {
        let ty = underlying(self.module, member.ty);
        let Some(debug) = self.module.types.get(ty as usize) else { return };
        if let DebugType::Struct { name: own, members, union, .. } = debug {
            if let Some((_, skip)) = SMART.iter().find(|(start, _)| own.starts_with(start)) {
                return self.smart(name, &member, own, *skip);
            }
            if let Some(class) = self.class_of(own).filter(|class| self.has_methods(*class)) {
                return self.push(name, member, FieldKind::Part, Some(class), 0);
            }
            let is_library = own.starts_with("basic_") || own.starts_with("std::") || own.starts_with('_');
            if !union && !is_library && depth < DEEPEST {
                let start = member.bit_offset;
                let cell = self.cell || CELLS.iter().any(|it| own.starts_with(it));
                let outside = std::mem::replace(&mut self.cell, cell);
                members.iter().for_each(|inner| self.member(&name, start, inner, depth + 1));
                self.cell = outside;
            }
            return;
        }
        let Some(kind) = kind(self.module, ty) else { return };
        let leads_to = match debug {
            DebugType::Pointer { to } => self.class_of_type(*to),
            _ => None,
        };
        self.push(name, member, kind, leads_to, 0);
    }

    /// A smart pointer: its first word is the address.
    fn smart(&mut self, name: String, member: &Member, own: &str, skip: u64) {
        let inner = own.split_once('<').map_or("", |(_, rest)| rest);
        let end = inner.find([',', '>', '<']).unwrap_or(inner.len());
        let leads_to = self.class_of(&inner[..end]);
        let address = self.module.types.iter().position(|ty| matches!(ty, DebugType::Pointer { .. }));
        let Some(ty) = address else { return };
        let member = Member { name: String::new(), ty: ty as TypeId, ..member.clone() };
        self.push(name, member, FieldKind::Reference, leads_to, skip);
    }

    fn push(&mut self, name: String, member: Member, kind: FieldKind, leads_to: Option<usize>, skip: u64) {
        if !self.fields.iter().any(|known| known.name == name) {
            self.fields.push(Spot { name, member, kind, leads_to, skip, cell: self.cell });
        }
    }

    fn has_methods(&self, class: usize) -> bool {
        !self.catalogue.classes()[class].library
            && self.catalogue.classes()[class].methods.iter().any(|method| !method.implicit && method.kind.is_some())
    }

    fn class_of_type(&self, ty: TypeId) -> Option<usize> {
        class_of_type(self.catalogue, self.module, ty)
    }

    fn class_of(&self, name: &str) -> Option<usize> {
        class_of(self.catalogue, self.module, name)
    }
}

/// The class that a type of a module is.
pub(crate) fn class_of_type(catalogue: &Catalogue, module: &Module, ty: TypeId) -> Option<usize> {
    match module.types.get(underlying(module, ty) as usize)? {
        DebugType::Struct { name, .. } | DebugType::Variants { name, .. } => class_of(catalogue, module, name),
        _ => None,
    }
}

/// Types have their names without scopes: the module's class of the type says which it is.
fn class_of(catalogue: &Catalogue, module: &Module, name: &str) -> Option<usize> {
    let ends = |full: &str| full == name || full.strip_suffix(name).is_some_and(|scope| scope.ends_with("::"));
    let class = module.classes.iter().find(|class| ends(&class.name));
    class.and_then(|class| catalogue.class(&class.name)).or_else(|| catalogue.class(name))
}
