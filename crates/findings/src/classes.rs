//! What `show --classes` lists.

use crate::Location;

/// A class of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// With its scopes.
    pub name: String,
    /// `class`, `struct`, `union`, `enum`.
    pub kind: &'static str,
    /// A library has it.
    pub library: bool,
    /// Where it is defined, where that is known.
    pub location: Option<Location>,
    /// The arguments of each instance, of a template or generic type.
    pub instances: Vec<Vec<String>>,
    /// What it is derived from.
    pub bases: Vec<ClassBase>,
    /// Its methods, in the order of the source.
    pub methods: Vec<ClassMethod>,
}

/// A class that another one is derived from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassBase {
    /// Its name.
    pub name: String,
    /// Where its part begins, in bytes; none for a virtual base.
    pub offset: Option<u64>,
    /// `public`, `protected`, `private`.
    pub visibility: &'static str,
}

/// A method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClassMethod {
    /// Without scopes and arguments.
    pub name: String,
    /// Its own template arguments, of a class that is one instance.
    pub arguments: Vec<String>,
    /// `constructor`, `destructor`, `method`, `static`; none where that is not known.
    pub kind: Option<&'static str>,
    /// What it is called on.
    pub receiver: Option<MethodReceiver>,
    /// Types of the parameters, without the receiver.
    pub parameters: Vec<String>,
    /// Type of the result; empty for none.
    pub result: String,
    /// `public`, `restricted`, `protected`, `private`; none where that is not known.
    pub visibility: Option<&'static str>,
    /// `none`, `virtual`, `pure`.
    pub virtuality: &'static str,
    /// The class whose virtual method it overrides.
    pub overrides: Option<String>,
    /// The compiler made it.
    pub implicit: bool,
    /// It is for the sake of a trait.
    pub implements: Option<MethodTrait>,
    /// Where it is defined, else where it is declared.
    pub location: Option<Location>,
    /// `none`, `inlined`, `compiled`.
    pub code: &'static str,
    /// Symbols of its functions.
    pub symbols: Vec<String>,
}

/// The object that a method is called on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MethodReceiver {
    /// Which parameter, from 1.
    pub parameter: u32,
    /// `value`, `reference`, `mutable-reference`, `pointer`, `smart-pointer`.
    pub passing: &'static str,
    /// The method sees the object as constant.
    pub constant: bool,
}

/// The trait of a method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MethodTrait {
    /// Its name, where it is known.
    pub name: Option<String>,
    /// The trait itself provides the method.
    pub provided: bool,
}
