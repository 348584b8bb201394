//! Classes and methods while they are gathered, with what only completing and merging them needs.

use whydunit_model::{Language, Origin, Template};

use crate::{Class, Method, Position};

/// A class while it is gathered: of one instance.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub class: Class,
    pub language: Language,
    pub template: Option<Template>,
    pub methods: Vec<GatheredMethod>,
    /// Its definition is known, not only a declaration.
    pub complete: bool,
}

/// A method while it is gathered.
#[derive(Debug)]
pub(crate) struct GatheredMethod {
    pub method: Method,
    pub origin: Origin,
    /// Where it is declared: what the instances of a method have in common.
    pub declared: Option<Position>,
    /// The class that it returns an object of.
    pub returns: Option<String>,
    /// Types of the parameters and the result as the source writes them, for all instances.
    pub written: Option<(Vec<String>, String)>,
}
