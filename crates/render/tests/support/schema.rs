//! Holds a JSON value to a schema of `docs/schema/`.
//!
//! Knows the keywords that those schemas use; any other keyword is an error, so that nothing stands in a schema
//! unchecked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The schemas of a folder.
pub struct Schemas {
    files: BTreeMap<String, Value>,
}

impl Schemas {
    /// Those of this repository.
    pub fn of_repository() -> Self {
        Self::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema"))
    }

    fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(folder).expect("the folder of schemas") {
            let path: PathBuf = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a schema");
            let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            files.insert(path.file_name().expect("a name").to_string_lossy().into_owned(), value);
        }
        Self { files }
    }

    /// Every way in which `value` breaks the schema in `file`.
    pub fn violations(&self, file: &str, value: &Value) -> Vec<String> {
        let mut found = Vec::new();
        self.check(file, self.root(file), value, "$", &mut found);
        found
    }

    fn root(&self, file: &str) -> &Value {
        self.files.get(file).unwrap_or_else(|| panic!("there is no schema {file}"))
    }

    fn check(&self, file: &str, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
        let object = schema.as_object().unwrap_or_else(|| panic!("{file}: the schema at {at} is no object"));
        let none = serde_json::Map::new();
        for (keyword, rule) in object {
            match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" => {}
                "$ref" => {
                    let reference = rule.as_str().expect("a reference");
                    let (target, pointer) = reference.split_once('#').expect("a reference with a fragment");
                    let target = if target.is_empty() { file } else { target };
                    let inner = self.root(target).pointer(pointer);
                    let inner = inner.unwrap_or_else(|| panic!("{file}: {reference} is not there"));
                    self.check(target, inner, value, at, found);
                }
                "anyOf" => {
                    let fits = |choice: &Value| {
                        let mut inner = Vec::new();
                        self.check(file, choice, value, at, &mut inner);
                        inner.is_empty()
                    };
                    if !rule.as_array().expect("choices").iter().any(fits) {
                        found.push(format!("{at}: {value} fits none of the choices"));
                    }
                }
                "type" => {
                    let names: Vec<_> = rule.as_array().map_or(vec![rule], |names| names.iter().collect());
                    if !names.iter().any(|name| is_type(value, name.as_str().expect("a type"))) {
                        found.push(format!("{at}: {value} is no {rule}"));
                    }
                }
                "const" if value != rule => found.push(format!("{at}: {value} is not {rule}")),
                "enum" if !rule.as_array().expect("values").contains(value) => {
                    found.push(format!("{at}: {value} is none of {rule}"));
                }
                "minimum" if value.as_f64() < rule.as_f64() => found.push(format!("{at}: {value} is below {rule}")),
                "maximum" if value.as_f64() > rule.as_f64() => found.push(format!("{at}: {value} is above {rule}")),
                "const" | "enum" | "minimum" | "maximum" => {}
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(file, rule, item, &format!("{at}[{index}]"), found);
                    }
                }
                "required" => {
                    for name in rule.as_array().expect("names").iter().map(|name| name.as_str().expect("a name")) {
                        if value.is_object() && value.get(name).is_none() {
                            found.push(format!("{at}: `{name}` is missing"));
                        }
                    }
                }
                "properties" => {
                    for (name, inner) in rule.as_object().expect("properties") {
                        if let Some(member) = value.get(name) {
                            self.check(file, inner, member, &format!("{at}.{name}"), found);
                        }
                    }
                }
                "additionalProperties" => {
                    let known = object.get("properties").and_then(Value::as_object).unwrap_or(&none);
                    for (name, member) in value.as_object().unwrap_or(&none) {
                        match rule {
                            _ if known.contains_key(name) => {}
                            Value::Bool(true) => {}
                            Value::Bool(false) => found.push(format!("{at}: `{name}` is not in the schema")),
                            inner => self.check(file, inner, member, &format!("{at}.{name}"), found),
                        }
                    }
                }
                other => panic!("{file}: the keyword `{other}` is not known to this check"),
            }
        }
    }
}

fn is_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("there is no type {other}"),
    }
}
