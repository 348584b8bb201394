//! What a stream tells of a program: sources, classes, methods, fields. Their numbers are the stream's own.

use serde::{Deserialize, Serialize};

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);
    };
}

number!(
    /// Number of a class.
    ClassId
);
number!(
    /// Number of a method.
    MethodId
);
number!(
    /// Number of a field.
    FieldId
);
number!(
    /// Number of a source file.
    SourceId
);

/// A run: the events up to the next one are of it. Numbers of objects and threads are each run's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The test that it is of, or what else it is called.
    pub name: String,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its number.
    pub id: SourceId,
    /// Its path.
    pub path: String,
}

/// A line of a source; line 0 where it is not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Position {
    /// The file.
    pub file: SourceId,
    /// From 1.
    pub line: u32,
}

/// A class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Class {
    /// Its number.
    pub id: ClassId,
    /// With its scopes; of a template or generic type without arguments.
    pub name: String,
    /// A library has it.
    pub library: bool,
}

/// What a method does to the life of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodRole {
    /// Makes an object.
    Constructor,
    /// Ends an object.
    Destructor,
    /// Is called on an object.
    Instance,
    /// Is called without an object.
    Static,
}

/// A method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Method {
    /// Its number.
    pub id: MethodId,
    /// The class that declares it.
    pub class: ClassId,
    /// Without scopes and arguments; variants of one name are one method.
    pub name: String,
    /// What it does to the life of an object.
    pub role: MethodRole,
    /// It is declared not to change its object.
    pub constant: bool,
    /// Only the class itself may call it.
    pub private: bool,
    /// Where it is defined, where that is known.
    pub position: Option<Position>,
}

/// What the values of a field are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// Numbers without a fraction.
    Integer,
    /// True and false.
    Boolean,
    /// Numbers with names.
    Enumeration(Vec<(i64, String)>),
    /// Numbers with a fraction.
    Float,
    /// References to objects, smart ones among them.
    Reference,
    /// An object of its own that lies inside: its values are references to it.
    Part,
    /// Texts, arrays, containers: known by how many elements they have.
    Sequence,
    /// One of several forms, known by its number.
    Variant(Vec<(i64, String)>),
}

/// A field of a class, those of its bases and of parts that are no objects themselves among them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Its number.
    pub id: FieldId,
    /// The class whose objects have it.
    pub class: ClassId,
    /// Its name; of a field of a part the path to it, with dots.
    pub name: String,
    /// What its values are.
    pub kind: FieldKind,
}
