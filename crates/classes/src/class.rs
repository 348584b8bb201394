//! What is known of a class.

use whydunit_model::{ClassKind, MethodKind, Receiver, Virtuality, Visibility};

/// A class of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// With its scopes. Of a template or generic type without arguments, unless instances are asked for one by one.
    pub name: String,
    /// How it is declared.
    pub kind: ClassKind,
    /// A library has it: the system's, or one that cargo has got.
    pub library: bool,
    /// Where it is defined; `None` where neither debug information nor a source tells.
    pub position: Option<Position>,
    /// The arguments of each instance in the program, where it is a template or a generic type.
    pub instances: Vec<Vec<String>>,
    /// What it is derived from.
    pub bases: Vec<Base>,
    /// Its methods, in the order of the source.
    pub methods: Vec<Method>,
}

/// A line of a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Path, absolute where the compiler said so.
    pub file: String,
    /// From 1.
    pub line: u32,
}

/// A class that another one is derived from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Base {
    /// Its name.
    pub name: String,
    /// Where its part begins, in bytes; `None` for a virtual base.
    pub offset: Option<u64>,
    /// Who may know of it.
    pub visibility: Visibility,
}

/// Whether a method has code in the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// None: it is only declared, or no instance of it was made.
    None,
    /// Only in the place of calls.
    Inlined,
    /// A function of its own.
    Compiled,
}

impl Code {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Inlined => "inlined",
            Self::Compiled => "compiled",
        }
    }
}

/// A method for the sake of a trait of Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Implements {
    /// The trait as the `impl` names it, without path; `None` where no source tells.
    pub name: Option<String>,
    /// The trait itself provides the method.
    pub provided: bool,
}

/// A method of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// Without scopes and arguments.
    pub name: String,
    /// Its own template arguments, where instances are asked for one by one.
    pub arguments: Vec<String>,
    /// Types of the parameters, without the receiver; `_` where they differ from instance to instance.
    pub parameters: Vec<String>,
    /// Type of the result; empty for none, `_` where it differs.
    pub result: String,
    /// What it does to the life of an object; `None` where that is not told.
    pub kind: Option<MethodKind>,
    /// What it is called on.
    pub receiver: Option<Receiver>,
    /// Who may call it; `None` where that is not told.
    pub visibility: Option<Visibility>,
    /// Whether it is virtual.
    pub virtuality: Virtuality,
    /// The class whose virtual method it overrides: the nearest.
    pub overrides: Option<String>,
    /// The compiler made it.
    pub implicit: bool,
    /// The trait that it is for.
    pub implements: Option<Implements>,
    /// Where it is defined, else where it is declared.
    pub position: Option<Position>,
    /// Whether it has code.
    pub code: Code,
    /// The symbols of its functions: variants of a constructor or destructor, instances.
    pub symbols: Vec<String>,
}
