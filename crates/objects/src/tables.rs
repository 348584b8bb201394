//! What the stream was told of the program, by number.

use rustc_hash::FxHashMap;
use whydunit_classes::Method;
use whydunit_events::{
    Class, ClassId, Event, Field, FieldId, FieldKind, MethodId, MethodRole, Position, SourceFile, SourceId,
};
use whydunit_model::{MethodKind, Visibility};

use crate::catalogue::Catalogue;

/// Numbers of sources, classes, methods and fields; each is told of when it is first named.
#[derive(Default)]
pub(crate) struct Tables {
    sources: FxHashMap<String, SourceId>,
    classes: FxHashMap<usize, ClassId>,
    methods: FxHashMap<(usize, String), MethodId>,
    fields: FxHashMap<(usize, String), FieldId>,
    pub events: Vec<Event>,
}

impl Tables {
    pub fn position(&mut self, file: &str, line: u32) -> Position {
        if let Some(&file) = self.sources.get(file) {
            return Position { file, line };
        }
        let id = SourceId(self.sources.len() as u32);
        self.sources.insert(file.to_owned(), id);
        self.events.push(Event::Source(SourceFile { id, path: file.to_owned() }));
        Position { file: id, line }
    }

    pub fn class(&mut self, catalogue: &Catalogue, class: usize) -> ClassId {
        if let Some(&known) = self.classes.get(&class) {
            return known;
        }
        let id = ClassId(self.classes.len() as u32);
        self.classes.insert(class, id);
        let known = &catalogue.classes()[class];
        self.events.push(Event::Class(Class { id, name: known.name.clone(), library: known.library }));
        id
    }

    pub fn method(&mut self, catalogue: &Catalogue, class: usize, method: &Method, role: MethodRole) -> MethodId {
        let key = (class, method.name.clone());
        if let Some(&known) = self.methods.get(&key) {
            return known;
        }
        let class = self.class(catalogue, class);
        let position = method.position.as_ref().map(|at| self.position(&at.file, at.line));
        let id = MethodId(self.methods.len() as u32);
        self.methods.insert(key, id);
        self.events.push(Event::Method(whydunit_events::Method {
            id,
            class,
            name: method.name.clone(),
            role,
            constant: method.receiver.is_some_and(|receiver| receiver.constant),
            private: matches!(method.visibility, Some(Visibility::Private | Visibility::Protected)),
            position,
        }));
        id
    }

    pub fn field(&mut self, catalogue: &Catalogue, class: usize, name: &str, kind: &FieldKind) -> FieldId {
        let key = (class, name.to_owned());
        if let Some(&known) = self.fields.get(&key) {
            return known;
        }
        let class = self.class(catalogue, class);
        let id = FieldId(self.fields.len() as u32);
        self.fields.insert(key, id);
        self.events.push(Event::Field(Field { id, class, name: name.to_owned(), kind: kind.clone() }));
        id
    }
}

pub(crate) fn role(kind: MethodKind) -> MethodRole {
    match kind {
        MethodKind::Constructor => MethodRole::Constructor,
        MethodKind::Destructor => MethodRole::Destructor,
        MethodKind::Instance => MethodRole::Instance,
        MethodKind::Static => MethodRole::Static,
    }
}
