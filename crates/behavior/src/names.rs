//! Classes, methods and fields of all runs, by name: what a stream calls by number, runs have in common by name.

use rustc_hash::FxHashMap;
use whydunit_events::{ClassId, Event, Field, FieldId, FieldKind, Method, MethodId, MethodRole, Position, SourceId};

/// Index of a class over all runs.
pub type ClassIndex = usize;
/// Index of a method over all runs.
pub type MethodIndex = usize;
/// Index of a field over all runs.
pub type FieldIndex = usize;

/// A class.
pub struct KnownClass {
    /// With its scopes.
    pub name: String,
    /// A library has it.
    pub library: bool,
}

/// A method.
pub struct KnownMethod {
    /// The class that declares it.
    pub class: ClassIndex,
    /// Its name.
    pub name: String,
    /// What it does to the life of an object.
    pub role: MethodRole,
    /// It is declared not to change its object.
    pub constant: bool,
}

/// A field.
pub struct KnownField {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: FieldKind,
    /// It is assigned more than constants.
    pub varies: bool,
    /// Names of values.
    pub names: Vec<(i64, String)>,
}

/// The tables.
#[derive(Default)]
pub struct Names {
    /// The classes.
    pub classes: Vec<KnownClass>,
    /// The methods.
    pub methods: Vec<KnownMethod>,
    /// The fields.
    pub fields: Vec<KnownField>,
    /// What the values of inspectors are.
    pub results: FxHashMap<MethodIndex, FieldKind>,
    class_by_name: FxHashMap<String, ClassIndex>,
    method_by_name: FxHashMap<(ClassIndex, String), MethodIndex>,
    field_by_name: FxHashMap<(ClassIndex, String), FieldIndex>,
    // Of the present stream.
    sources: FxHashMap<SourceId, String>,
    class_of: FxHashMap<ClassId, ClassIndex>,
    method_of: FxHashMap<MethodId, MethodIndex>,
    field_of: FxHashMap<FieldId, FieldIndex>,
}

impl Names {
    /// Takes an event that tells of the program and of nothing that happens; whether it is one.
    pub fn tell(&mut self, event: &Event) -> bool {
        match event {
            Event::Source(source) => self.add_source(source.id, &source.path),
            Event::Class(class) => self.add_class(class.id, &class.name, class.library),
            Event::Method(method) => self.add_method(method),
            Event::Field(field) => self.add_field(field),
            Event::Named { field, value, name } => self.add_value_name(*field, *value, name),
            Event::Varies(field) => {
                if let Some(field) = self.field(*field) {
                    self.fields[field].varies = true;
                }
            }
            _ => return false,
        }
        true
    }

    /// A source of the present stream.
    pub fn add_source(&mut self, id: SourceId, path: &str) {
        self.sources.insert(id, path.to_owned());
    }

    /// A class of the present stream.
    pub fn add_class(&mut self, id: ClassId, name: &str, library: bool) {
        let index = *self.class_by_name.entry(name.to_owned()).or_insert_with(|| {
            self.classes.push(KnownClass { name: name.to_owned(), library });
            self.classes.len() - 1
        });
        self.class_of.insert(id, index);
    }

    /// A method of the present stream.
    pub fn add_method(&mut self, method: &Method) {
        let Some(class) = self.class(method.class) else { return };
        let index = *self.method_by_name.entry((class, method.name.clone())).or_insert_with(|| {
            let (name, role, constant) = (method.name.clone(), method.role, method.constant);
            self.methods.push(KnownMethod { class, name, role, constant });
            self.methods.len() - 1
        });
        self.method_of.insert(method.id, index);
    }

    /// A field of the present stream.
    pub fn add_field(&mut self, field: &Field) {
        let Some(class) = self.class(field.class) else { return };
        let names = match &field.kind {
            FieldKind::Enumeration(names) | FieldKind::Variant(names) => names.clone(),
            _ => Vec::new(),
        };
        let index = *self.field_by_name.entry((class, field.name.clone())).or_insert_with(|| {
            let kind = field.kind.clone();
            self.fields.push(KnownField { name: field.name.clone(), kind, varies: false, names });
            self.fields.len() - 1
        });
        self.field_of.insert(field.id, index);
    }

    /// A value of a field has a name.
    pub fn add_value_name(&mut self, field: FieldId, value: i64, name: &str) {
        if let Some(field) = self.field(field) {
            self.name_value(field, value, name);
        }
    }

    /// Makes what is told of the fields that both have the same.
    pub fn agree_with(&mut self, other: &mut Self) {
        for ((class, name), &field) in &other.field_by_name {
            let class = self.class_named(&other.classes[*class].name);
            let own = class.and_then(|class| self.field_by_name.get(&(class, name.clone())).copied());
            let (Some(own), known) = (own, &mut other.fields[field]) else { continue };
            for (value, name) in &known.names {
                self.name_value(own, *value, name);
            }
            let own = &mut self.fields[own];
            own.varies |= known.varies;
            known.varies = own.varies;
            known.names.clone_from(&own.names);
        }
    }

    fn name_value(&mut self, field: FieldIndex, value: i64, name: &str) {
        let names = &mut self.fields[field].names;
        if !names.iter().any(|(known, _)| *known == value) {
            names.push((value, name.to_owned()));
        }
    }

    /// The class of a number of the present stream.
    pub fn class(&self, id: ClassId) -> Option<ClassIndex> {
        self.class_of.get(&id).copied()
    }

    /// The class of a name.
    pub fn class_named(&self, name: &str) -> Option<ClassIndex> {
        self.class_by_name.get(name).copied()
    }

    /// The method of a number of the present stream.
    pub fn method(&self, id: MethodId) -> Option<MethodIndex> {
        self.method_of.get(&id).copied()
    }

    /// The field of a number of the present stream.
    pub fn field(&self, id: FieldId) -> Option<FieldIndex> {
        self.field_of.get(&id).copied()
    }

    /// The file and the line of a position; empty where they are not known.
    pub fn position(&self, at: Position) -> (String, u32) {
        (self.sources.get(&at.file).cloned().unwrap_or_default(), at.line)
    }

    /// The method's name with its class.
    pub fn full_name(&self, method: MethodIndex) -> String {
        let known = &self.methods[method];
        format!("{}::{}", self.classes[known.class].name, known.name)
    }
}
