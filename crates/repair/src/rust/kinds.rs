//! Kinds of values, by the types that rustc names.

use crate::expression::{Class, Width, hash};

/// The integers.
const WIDTHS: [(&str, Option<u8>, bool); 12] = [
    ("i8", Some(8), true),
    ("i16", Some(16), true),
    ("i32", Some(32), true),
    ("i64", Some(64), true),
    ("i128", Some(128), true),
    ("isize", None, true),
    ("u8", Some(8), false),
    ("u16", Some(16), false),
    ("u32", Some(32), false),
    ("u64", Some(64), false),
    ("u128", Some(128), false),
    ("usize", None, false),
];

/// A type in one way of writing: without lifetimes, with single blanks.
pub(crate) fn plain(ty: &str) -> String {
    let mut out = String::new();
    let mut rest = ty.trim().chars().peekable();
    while let Some(at) = rest.next() {
        match at {
            '\'' => {
                while rest.next_if(|next| next.is_alphanumeric() || *next == '_').is_some() {}
                while rest.next_if(|next| next.is_whitespace()).is_some() {}
            }
            blank if blank.is_whitespace() => {
                if !out.ends_with([' ', '<', '&', '(', '[']) {
                    out.push(' ');
                }
            }
            other => out.push(other),
        }
    }
    out
}

/// Of what kind a value of a type is.
pub(crate) fn class_of(ty: &str) -> Class {
    let ty = plain(ty);
    if let Some((_, bits, signed)) = WIDTHS.iter().find(|(name, ..)| *name == ty) {
        return Class::Sized(Width { bits: *bits, signed: *signed });
    }
    match ty.as_str() {
        "bool" => Class::Bool,
        "char" => Class::Char,
        "integer" => Class::Int,
        "f32" | "f64" | "floating-point number" => Class::Float,
        reference if reference.starts_with('&') => Class::Pointer(hash(reference)),
        other => Class::Record(hash(other)),
    }
}

/// Whether this is a type of numbers or truth values.
pub(crate) fn is_type(word: &str) -> bool {
    matches!(class_of(word), Class::Sized(_) | Class::Bool | Class::Char | Class::Float)
}

/// The type of `usize`, which lengths have.
pub(crate) const LENGTH: Class = Class::Sized(Width { bits: None, signed: false });

/// What a type refers to, and how often it has to be followed.
pub(crate) fn target(ty: &str) -> (String, usize) {
    let mut ty = plain(ty);
    let mut steps = 0;
    while let Some(to) = ty.strip_prefix('&') {
        ty = to.trim_start_matches("mut ").trim().to_string();
        steps += 1;
    }
    (ty, steps)
}

/// The name of a type without its path and arguments.
pub(crate) fn name(ty: &str) -> &str {
    let head = ty.split('<').next().unwrap_or(ty).trim();
    head.rsplit("::").next().unwrap_or(head)
}

/// The name of a type as code can have it, where its values are numbers or truth values.
pub(crate) fn scalar(class: Class, ty: &str) -> Option<String> {
    let known = matches!(class, Class::Sized(_) | Class::Bool | Class::Char) || matches!(ty, "f32" | "f64");
    known.then(|| ty.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_kinds() {
        assert_eq!(class_of("usize"), LENGTH);
        assert_eq!(class_of("&'a str"), class_of("&str"));
        assert_ne!(class_of("Vec<u8>"), class_of("Vec<u16>"));
        assert_eq!(target("&'a mut [Vec<T>]"), ("[Vec<T>]".into(), 1));
        assert_eq!(name("std::vec::Vec<a::B>"), "Vec");
    }
}
