//! Classes and their methods, as debug information tells of them.
//!
//! A class is a class, structure or union of C++, a structure, union or enum of Rust, or a structure of C that functions are
//! called with. What debug information does not tell stays `None` here: it is for whoever has the sources to complete.

use serde::{Deserialize, Serialize};

use crate::{ClassId, Loc, TypeId};

/// The language that a unit is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Language {
    C,
    Cxx,
    Rust,
    /// Another one, or none that is told.
    #[default]
    Other,
}

/// With which word a class is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ClassKind {
    Class,
    Struct,
    Union,
    Enum,
}

impl ClassKind {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
        }
    }
}

/// Who may use a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Some modules of Rust: `pub(crate)` and its like.
    Restricted,
    /// The class and what is derived from it.
    Protected,
    /// The class, or in Rust its module.
    Private,
}

impl Visibility {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Restricted => "restricted",
            Self::Protected => "protected",
            Self::Private => "private",
        }
    }
}

/// A class, as one unit knows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Class {
    /// With its scopes and arguments: `shop::Ring<int, 4>`. Namespaces without a name are `(anonymous)`.
    pub name: String,
    /// How it is declared.
    pub kind: ClassKind,
    /// Its fields.
    pub ty: TypeId,
    /// Where it is defined; `None` where that is not told, as in Rust.
    pub loc: Option<Loc>,
    /// Classes of the same name in other units are other classes, unless they are defined at the same place: C, namespaces
    /// without a name, functions.
    pub local: bool,
    /// This unit has its definition, with bases and methods.
    pub complete: bool,
    /// The template or generic type that it is an instance of.
    pub template: Option<Template>,
    /// What it is derived from.
    pub bases: Vec<Base>,
}

/// What an instance is an instance of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Template {
    /// The name of the template or generic type, with its scopes and without arguments: `shop::Ring`.
    pub name: String,
    /// The arguments, those of the classes around it first.
    pub arguments: Vec<String>,
}

/// A class that another one is derived from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Base {
    /// Which.
    pub class: ClassId,
    /// Where its part begins, in bytes; `None` for a virtual base: a table says so at run time.
    pub offset: Option<u64>,
    /// Who may know of it.
    pub visibility: Visibility,
}

impl Base {
    /// Whether the derived objects share one part of it.
    pub fn is_virtual(&self) -> bool {
        self.offset.is_none()
    }
}

/// What a method does to the life of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum MethodKind {
    /// Makes an object. In Rust a function without receiver that returns one: bare, in `Option`, `Result`, `Box` or `Arc`.
    Constructor,
    /// Ends an object.
    Destructor,
    /// Is called on an object.
    Instance,
    /// Is called without an object: static functions of C++, associated functions of Rust, functions of C that return a
    /// pointer to a structure and get none.
    Static,
}

impl MethodKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constructor => "constructor",
            Self::Destructor => "destructor",
            Self::Instance => "method",
            Self::Static => "static",
        }
    }
}

/// How the object is passed that a method is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Passing {
    /// The object itself.
    Value,
    /// `&self`, or a reference to const of C++.
    Reference,
    /// `&mut self`, or another reference of C++.
    MutableReference,
    /// A pointer: `this` of C++, and what functions of C get.
    Pointer,
    /// A pointer that is a type of its own: `Box`, `Rc`, `Arc`, `Pin`.
    SmartPointer,
}

impl Passing {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Reference => "reference",
            Self::MutableReference => "mutable-reference",
            Self::Pointer => "pointer",
            Self::SmartPointer => "smart-pointer",
        }
    }
}

/// The object that a method is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Receiver {
    /// Which parameter it is, from 1, as in [`Variable::arg`](crate::Variable::arg).
    pub parameter: u32,
    /// How it is passed.
    pub passing: Passing,
    /// The method sees it as constant: const methods of C++, `&self` of Rust, pointers to const of C.
    pub constant: bool,
}

/// Whether the class of the object decides which method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Virtuality {
    /// No.
    #[default]
    None,
    /// Yes.
    Virtual,
    /// Yes, and this one has no definition.
    Pure,
}

impl Virtuality {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Virtual => "virtual",
            Self::Pure => "pure",
        }
    }
}

/// Where a method stands besides its class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// In the class, or in an `impl` of Rust for nothing but the type.
    Class,
    /// In the `impl` of a trait, whose path is given (`shop::{impl#1}`); which trait is not told.
    TraitImpl(String),
    /// In the trait of this path, which provides it for the class.
    Trait(String),
}

/// A method of a class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Method {
    /// Of which class; `None` where debug information does not tell.
    pub class: Option<ClassId>,
    /// As in the source, without scopes and arguments: `push`, `operator+`, `~Item`.
    pub name: String,
    /// The name for the linker of its declaration, which for constructors and destructors of C++ stands for all their
    /// variants. Empty where there is none.
    pub symbol: String,
    /// Where it is declared in its class.
    pub declared: Option<Loc>,
    /// Where it is defined; `None` where this unit has neither its code nor a call in whose place it stands.
    pub defined: Option<Loc>,
    /// What it does to the life of an object; `None` where it is not told whether the first parameter is a receiver.
    pub kind: Option<MethodKind>,
    /// What it is called on; `None` for static ones and for constructors of Rust, and where that is not told.
    pub receiver: Option<Receiver>,
    /// Who may call it; `None` where that is not told.
    pub visibility: Option<Visibility>,
    /// Whether it is virtual.
    pub virtuality: Virtuality,
    /// The compiler made it.
    pub implicit: bool,
    /// Where it stands.
    pub origin: Origin,
    /// Its own template arguments, without those of the class.
    pub arguments: Vec<String>,
    /// Types of the parameters, without the receiver.
    pub parameters: Vec<String>,
    /// Type of the result; empty for none.
    pub result: String,
    /// The class that it returns an object of, or a pointer to one, where it has no receiver.
    pub returns: Option<ClassId>,
}
