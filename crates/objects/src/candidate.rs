//! Methods that may be inspectors.

use whydunit_classes::{Class, Method};
use whydunit_events::FieldKind;
use whydunit_model::{MethodKind, Passing};

use crate::catalogue::Catalogue;

/// A method that may be an inspector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The class that has it, in the catalogue.
    pub class: usize,
    /// The method, there.
    pub method: usize,
    /// From the object to the part of it that is of that class.
    pub offset: u64,
    /// What its values are.
    pub kind: FieldKind,
    /// Bits of the result.
    pub bits: u32,
    /// Whether the highest bit says that it is negative.
    pub signed: bool,
}

/// The methods of a class and of its bases that take nothing, are declared not to change the object and return a plain value.
pub fn candidates(catalogue: &Catalogue, class: usize) -> Vec<Candidate> {
    let mut found: Vec<(String, Candidate)> = Vec::new();
    collect(catalogue, class, 0, &mut found);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

fn collect(catalogue: &Catalogue, class: usize, offset: u64, found: &mut Vec<(String, Candidate)>) {
    let known: &Class = &catalogue.classes()[class];
    for (number, method) in known.methods.iter().enumerate() {
        if is_candidate(method)
            && (method.symbols.len() == 1 || known.instances.len() < 2)
            && !found.iter().any(|(name, _)| *name == method.name)
            && let Some((kind, bits, signed)) = plain(&method.result)
        {
            let candidate = Candidate { class, method: number, offset, kind, bits, signed };
            found.push((method.name.clone(), candidate));
        }
    }
    for base in &known.bases {
        if let (Some(inner), Some(at)) = (catalogue.class(&base.name), base.offset) {
            collect(catalogue, inner, offset + at, found);
        }
    }
}

fn is_candidate(method: &Method) -> bool {
    let receiver = method
        .receiver
        .is_some_and(|receiver| receiver.constant && matches!(receiver.passing, Passing::Pointer | Passing::Reference));
    method.kind == Some(MethodKind::Instance)
        && receiver
        && method.parameters.is_empty()
        && !method.implicit
        && !method.symbols.is_empty()
}

/// What the values of a type of this name are, how many bits they have, and whether they may be negative.
fn plain(result: &str) -> Option<(FieldKind, u32, bool)> {
    let integer = |bits, signed| Some((FieldKind::Integer, bits, signed));
    match result {
        "bool" | "_Bool" => Some((FieldKind::Boolean, 1, false)),
        "int" | "i32" => integer(32, true),
        "unsigned int" | "u32" => integer(32, false),
        "short" | "i16" => integer(16, true),
        "unsigned short" | "u16" => integer(16, false),
        "long" | "long long" | "i64" | "isize" => integer(64, true),
        "unsigned long" | "unsigned long long" | "u64" | "usize" | "size_t" | "std::size_t" => integer(64, false),
        "signed char" | "i8" => integer(8, true),
        "unsigned char" | "u8" => integer(8, false),
        _ => None,
    }
}
