//! The syntax tree of a source, as clang prints it.

use std::path::Path;
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::compiler::{self, Language};
use crate::error::Error;

/// A token's place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    /// As the compiler names it.
    pub file: Rc<str>,
    /// Byte in the file; for what a macro gives, that of its use.
    pub offset: usize,
    /// Bytes.
    pub length: usize,
    /// Whether a macro gives it.
    pub from_macro: bool,
}

/// A node: a declaration, a statement or an expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Empty where an optional part is not there.
    pub kind: String,
    pub begin: Point,
    /// The last token.
    pub end: Point,
    pub name: String,
    /// Without names from typedefs.
    pub type_name: String,
    pub operator: String,
    /// Of a literal.
    pub value: String,
    pub cast: String,
    pub storage: String,
    pub is_expression: bool,
    /// Whether a declared variable has an initial value: its last part.
    pub has_initial: bool,
    /// What a name refers to: the kind of the declaration and its name.
    pub referenced: Option<(String, String)>,
    pub parts: Vec<Node>,
}

/// The tree of a source in a folder.
pub(crate) fn of(folder: &Path, source: &str) -> Result<Node, Error> {
    let output = compiler::run(Language::C, folder, &["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", source])?;
    let path = folder.join(source);
    if !output.status.success() {
        return Err(Error::at(&path, format!("it does not compile: {}", compiler::complaint(&output))));
    }
    let value: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| Error::at(&path, format!("clang's syntax tree is not readable: {error}")))?;
    match &value {
        Value::Object(object) => Ok(node(object, &mut Rc::from(source))),
        _ => Err(Error::at(&path, "clang's syntax tree is no object")),
    }
}

/// Parts are read in the order of the text: a place names its file only where that is another than before.
fn node(object: &Map<String, Value>, file: &mut Rc<str>) -> Node {
    let mut node = Node::default();
    for (key, value) in object {
        let text = || value.as_str().unwrap_or_default().to_string();
        match (key.as_str(), value) {
            ("kind", _) => node.kind = text(),
            ("name", _) => node.name = text(),
            ("opcode", _) => node.operator = text(),
            ("castKind", _) => node.cast = text(),
            ("storageClass", _) => node.storage = text(),
            ("valueCategory", _) => node.is_expression = true,
            ("init", _) => node.has_initial = true,
            ("value", Value::String(text)) => node.value.clone_from(text),
            ("value", Value::Number(number)) => node.value = number.to_string(),
            ("type", _) => {
                let name = value.get("desugaredQualType").or_else(|| value.get("qualType"));
                node.type_name = name.and_then(Value::as_str).unwrap_or_default().to_string();
            }
            ("referencedDecl", _) => {
                let field = |key| value.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
                node.referenced = Some((field("kind"), field("name")));
            }
            ("range", Value::Object(range)) => {
                for (key, value) in range {
                    let point = point(value, file);
                    if key == "begin" { node.begin = point } else { node.end = point }
                }
            }
            ("inner", Value::Array(parts)) => {
                for part in parts.iter().filter_map(Value::as_object) {
                    node.parts.push(self::node(part, file));
                }
            }
            _ => pass(value, file),
        }
    }
    node
}

fn point(value: &Value, file: &mut Rc<str>) -> Point {
    let Some(object) = value.as_object() else { return Point::default() };
    let mut found = Point::default();
    if let Some(name) = object.get("file").and_then(Value::as_str) {
        *file = Rc::from(name);
    }
    let number = |key| object.get(key).and_then(Value::as_u64).unwrap_or_default() as usize;
    if object.contains_key("offset") {
        found = Point { file: file.clone(), offset: number("offset"), length: number("tokLen"), from_macro: false };
    }
    for (key, value) in object {
        match key.as_str() {
            "spellingLoc" => _ = point(value, file),
            "expansionLoc" => found = Point { from_macro: true, ..point(value, file) },
            _ => {}
        }
    }
    found
}

/// Notes the files that places name in a part that is not kept.
fn pass(value: &Value, file: &mut Rc<str>) {
    match value {
        Value::Object(object) => {
            if object.contains_key("offset") || object.contains_key("expansionLoc") {
                point(value, file);
            } else {
                object.iter().filter(|(key, _)| *key != "includedFrom").for_each(|(_, value)| pass(value, file));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| pass(item, file)),
        _ => {}
    }
}
