//! Calls of a function of Rust as source: a driver, and a test.

use std::fmt::Write;

use whydunit_symbolic::ENTRY;

use super::calls::Signature;
use super::given::{Given, Kind, Leaf, Shape};

/// What a driver needs.
const COMMON: &str = include_str!("driver.rs.in");

/// A module with a driver, to stand at the end of the function's file.
pub fn driver(signature: &Signature, given: &Given) -> String {
    let writer = Writer { given, values: None };
    let (objects, call) = writer.call();
    let mut body = objects;
    _ = writeln!(body, "        let result = {}({call});", path(signature));
    if !signature.void {
        body.push_str("        (&Shown(&result)).show();\n");
    }
    for number in 0..given.objects.len() {
        _ = writeln!(body, "        (&Shown(&whydunit_{number})).show();");
    }
    COMMON
        .replace("ENTRY", ENTRY)
        .replace("VARIABLE", super::VARIABLE)
        .replace("WANTED", &(given.leaves.len() + 1).to_string())
        .replace("        BODY\n", &body)
}

/// A test that calls the function with these values.
pub fn unit_test(signature: &Signature, given: &Given, values: &[String], file: &str) -> String {
    let writer = Writer { given, values: Some(values) };
    let (objects, call) = writer.call();
    let objects: String =
        objects.lines().map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line))).collect();
    let own = signature.name.rsplit("::").next().unwrap_or_default();
    format!("// To be put into {file}.\n#[test]\nfn {own}_again() {{\n{objects}    {}({call});\n}}\n", path(signature))
}

/// The function, from the root of its crate.
fn path(signature: &Signature) -> String {
    let name = signature.name.replace(['<', '>'], "");
    match name.split_once("::") {
        Some((_, inside)) => format!("crate::{inside}"),
        None => name,
    }
}

struct Writer<'a> {
    given: &'a Given,
    /// None: from the program's arguments.
    values: Option<&'a [String]>,
}

impl Writer<'_> {
    fn leaf(&self, number: usize) -> String {
        let Leaf { kind, .. } = &self.given.leaves[number];
        let argument = format!("*argv.add({})", number + 1);
        let value = match (self.values, kind) {
            (None, Kind::Integer { bytes: 8, signed: false }) => format!("unsigned({argument})"),
            (None, Kind::Float) => format!("float({argument})"),
            (None, Kind::Text(_) | Kind::String(_)) => format!("text({argument})"),
            (None, _) => format!("integer({argument})"),
            (Some(values), Kind::Text(_) | Kind::String(_)) => format!("{:?}", values[number]),
            (Some(values), Kind::Float) => match &values[number][..] {
                "inf" => "f64::INFINITY as _".into(),
                "-inf" => "f64::NEG_INFINITY as _".into(),
                "NaN" => "f64::NAN as _".into(),
                value => value.into(),
            },
            (Some(values), _) => values[number].clone(),
        };
        match kind {
            Kind::Enum(name, _) if let Some(values) = self.values => {
                format!("{}::{}", last(name), self.given.leaves[number].shown(&values[number]))
            }
            Kind::Bool if self.values.is_some() => if value == "0" { "false" } else { "true" }.into(),
            Kind::Integer { .. } | Kind::Float if self.values.is_some() => value,
            Kind::Integer { .. } | Kind::Float => format!("{value} as _"),
            Kind::Bool => format!("{value} != 0"),
            Kind::Char => format!("char::from_u32({value} as u32).unwrap_or('?')"),
            Kind::Enum(name, variants) => {
                let arms = variants.iter().map(|(variant, of)| format!("{of} => {}::{variant}, ", last(name)));
                format!("match {value} {{ {}_ => std::process::exit(2) }}", arms.collect::<String>())
            }
            Kind::Text(_) => value,
            Kind::String(ty) if ty == "String" => format!("String::from({value})"),
            Kind::String(_) => value,
        }
    }

    fn value(&self, shape: &Shape) -> String {
        let list = |parts: &[Shape]| parts.iter().map(|part| self.value(part)).collect::<Vec<_>>().join(", ");
        match shape {
            Shape::Leaf(number) => self.leaf(*number),
            Shape::Null => "std::ptr::null_mut()".into(),
            Shape::Pointer(object) => format!("&mut whydunit_{object}"),
            Shape::Struct { ty, members } if ty.starts_with('(') => {
                let parts: String = members.iter().map(|(_, member)| format!("{}, ", self.value(member))).collect();
                format!("({parts})")
            }
            Shape::Struct { ty, members } => {
                let named = members.iter().map(|(name, member)| format!("{}: {}", field(name), self.value(member)));
                format!("{} {{ {} }}", last(ty), named.collect::<Vec<_>>().join(", "))
            }
            Shape::Array(parts) => format!("[{}]", list(parts)),
            Shape::Sequence { ty, elements } if ty.starts_with("Vec<") => format!("vec![{}]", list(elements)),
            Shape::Sequence { elements, .. } => format!("&mut [{}][..]", list(elements)),
        }
    }

    /// What has to be there, and the arguments of the call.
    fn call(&self) -> (String, String) {
        let mut out = String::new();
        // What is pointed to is made first.
        for (number, object) in self.given.objects.iter().enumerate().rev() {
            let parts: Vec<String> = object.elements.iter().map(|element| self.value(element)).collect();
            _ = writeln!(out, "        let mut whydunit_{number} = {};", parts.join(", "));
        }
        let arguments: Vec<String> = self.given.params.iter().map(|(_, shape)| self.value(shape)).collect();
        (out, arguments.join(", "))
    }
}

/// A name without its modules and what it is generic over.
fn last(name: &str) -> &str {
    let bare = name.split('<').next().unwrap_or(name);
    bare.rsplit("::").next().unwrap_or(bare)
}

/// A field, which debug information names `__0` where it has a number.
fn field(name: &str) -> &str {
    name.strip_prefix("__").filter(|rest| rest.chars().all(|c| c.is_ascii_digit())).unwrap_or(name)
}
