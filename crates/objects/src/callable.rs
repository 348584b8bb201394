//! Methods that can be called on the objects of a class by whoever has one.

use whydunit_classes::{Class, Code, Method};
use whydunit_model::{MethodKind, Visibility};

use crate::catalogue::Catalogue;

/// A method that can be called on an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callable {
    /// The class that has it, in the catalogue.
    pub class: usize,
    /// The method, there.
    pub method: usize,
    /// From the object to the part of it that is of that class.
    pub offset: u64,
    /// Its name.
    pub name: String,
    /// Why it cannot be called after all: it has no code of its own, or several.
    pub hindrance: Option<&'static str>,
}

/// Why a method is not called of which a program has several functions.
pub(crate) const SEVERAL: &str = "it has several instances";

/// The methods of a class and of its bases that are called on an object and that everybody may call. In C what ends an object is one, too.
pub fn callables(catalogue: &Catalogue, class: usize) -> Vec<Callable> {
    let mut found = Vec::new();
    collect(catalogue, class, 0, &mut found);
    found
}

fn collect(catalogue: &Catalogue, class: usize, offset: u64, found: &mut Vec<Callable>) {
    let known: &Class = &catalogue.classes()[class];
    // What a class has hides what its bases have of that name.
    let hidden: Vec<String> = found.iter().map(|it| it.name.clone()).collect();
    for (number, method) in known.methods.iter().enumerate() {
        if is_callable(method) && !hidden.contains(&method.name) {
            let hindrance = match (method.code, method.symbols.len()) {
                // Programs of a suite may have one each: which of them is called depends on the program.
                (Code::Compiled, 1..) if method.symbols.len() == 1 || known.instances.len() < 2 => None,
                (Code::Compiled, _) => Some(SEVERAL),
                (Code::Inlined, _) => Some("its code stands only in the place of calls"),
                (Code::None, _) => Some("it has no code in the program"),
            };
            found.push(Callable { class, method: number, offset, name: method.name.clone(), hindrance });
        }
    }
    for base in &known.bases {
        if let (Some(inner), Some(at)) = (catalogue.class(&base.name), base.offset) {
            collect(catalogue, inner, offset + at, found);
        }
    }
}

fn is_callable(method: &Method) -> bool {
    let public = method.visibility.is_none_or(|visibility| visibility == Visibility::Public);
    // A destructor of C++ or Rust is called by the language, once.
    let ends = method.kind == Some(MethodKind::Destructor) && method.visibility.is_none();
    let called = method.kind == Some(MethodKind::Instance) || ends;
    called && public && method.receiver.is_some() && !method.implicit
}
