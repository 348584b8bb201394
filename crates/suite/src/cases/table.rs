//! `cases.jsonl`: one object a line.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Case, Content, signal_number};
use crate::error::Error;
use crate::nearest::unknown;
use crate::paths::stays_inside;
use whydunit_process::signal_name;

const FIELDS: &[&str] = &["name", "args", "stdin", "files", "env", "stdout", "status", "signal"];

pub(super) fn read(path: &Path) -> Result<Vec<Case>, Error> {
    let bytes = std::fs::read(path).map_err(Error::io("read the cases", path))?;
    let mut cases = Vec::new();
    let mut lines: HashMap<String, usize> = HashMap::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let number = number + 1;
        let error = |message: String| Error::line(path, number, message);
        let line = std::str::from_utf8(line).map_err(|_| error("this line is not UTF-8".into()))?;
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(line).map_err(|reason| {
            // The parser saw one line: its line number says nothing.
            let text = reason.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            error(format!("this is no JSON object: {text} at column {}", reason.column()))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let case = of_json(&value, folder).map_err(error)?;
        if let Some(first) = lines.insert(case.name.clone(), number) {
            return Err(error(format!("the name `{}` is already used in line {first}", case.name)));
        }
        cases.push(case);
    }
    Ok(cases)
}

pub(super) fn of_json(value: &Value, folder: &Path) -> Result<Case, String> {
    let Value::Object(object) = value else {
        return Err("a line must hold a JSON object: {\"name\": …}".into());
    };
    case(object, folder)
}

fn case(object: &Map<String, Value>, folder: &Path) -> Result<Case, String> {
    if let Some(field) = object.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        return Err(unknown("field", field, FIELDS));
    }
    let mut case = Case::default();
    match object.get("name") {
        Some(Value::String(name)) if !name.is_empty() => case.name.clone_from(name),
        Some(other) => return Err(wrong("name", "a text", other)),
        None => return Err("the field `name` is missing".into()),
    }
    let field = |name: &str| object.get(name);
    if let Some(args) = field("args") {
        let Value::Array(args) = args else { return Err(wrong("args", "a list of texts", args)) };
        for (n, arg) in args.iter().enumerate() {
            case.args.push(text(&format!("args[{n}]"), arg)?);
        }
    }
    case.stdin = field("stdin").map(|value| content("stdin", value, folder)).transpose()?;
    case.stdout = field("stdout").map(|value| content("stdout", value, folder)).transpose()?;
    if let Some(files) = field("files") {
        let Value::Object(files) = files else { return Err(wrong("files", "an object: name to content", files)) };
        for (name, value) in files {
            check_file_name(name)?;
            case.files.insert(name.clone(), content(&format!("files[\"{name}\"]"), value, folder)?);
        }
    }
    if let Some(env) = field("env") {
        let Value::Object(env) = env else { return Err(wrong("env", "an object: name to value", env)) };
        for (name, value) in env {
            check_variable(name)?;
            case.env.insert(name.clone(), text(&format!("env[\"{name}\"]"), value)?);
        }
    }
    if let Some(status) = field("status") {
        let number = status.as_i64().filter(|status| (0..=255).contains(status));
        case.status = Some(number.ok_or_else(|| wrong("status", "a number from 0 to 255", status))? as i32);
    }
    if let Some(signal) = field("signal") {
        let name = text("signal", signal)?;
        let number = signal_number(&name);
        case.signal =
            Some(number.ok_or_else(|| format!("`signal`: `{name}` is no signal; write SIGABRT, SIGSEGV, …"))?);
    }
    if case.status.is_some() && case.signal.is_some() {
        return Err("`status` and `signal` are both given: a process ends by one of them".into());
    }
    Ok(case)
}

/// A name below the working folder.
pub(super) fn check_file_name(name: &str) -> Result<(), String> {
    if stays_inside(Path::new(name)) && !name.contains('\0') {
        return Ok(());
    }
    Err(format!("`files`: `{name}` does not lie in the working folder; give a relative path without `..`"))
}

/// A name of a variable.
pub(super) fn check_variable(name: &str) -> Result<(), String> {
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(format!("`env`: `{name}` is no name of a variable"));
    }
    Ok(())
}

fn text(field: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) if text.contains('\0') => Err(format!("`{field}` must not contain a zero byte")),
        Value::String(text) => Ok(text.clone()),
        other => Err(wrong(field, "a text", other)),
    }
}

fn content(field: &str, value: &Value, folder: &Path) -> Result<Content, String> {
    match value {
        Value::String(text) => Ok(Content::Inline(text.clone().into_bytes())),
        Value::Object(object) => match object.get("file") {
            Some(Value::String(written)) if object.len() == 1 && !written.is_empty() => {
                let path = folder.join(written);
                if !path.is_file() {
                    return Err(format!("`{field}`: there is no file {}", path.display()));
                }
                Ok(Content::File { path, written: written.clone() })
            }
            _ => Err(format!("`{field}` must be a text or {{\"file\": \"path\"}}")),
        },
        other => Err(wrong(field, "a text or {\"file\": \"path\"}", other)),
    }
}

fn wrong(field: &str, wanted: &str, got: &Value) -> String {
    let mut shown = got.to_string();
    if shown.chars().count() > 40 {
        shown = shown.chars().take(40).chain("…".chars()).collect();
    }
    format!("`{field}` must be {wanted}, not {shown}")
}

pub(super) fn to_json(case: &Case) -> Value {
    let content = |content: &Content| match content {
        Content::Inline(bytes) => Value::String(String::from_utf8_lossy(bytes).into_owned()),
        Content::File { written, .. } => json!({ "file": written }),
    };
    let mut object = Map::new();
    object.insert("name".into(), case.name.clone().into());
    if !case.args.is_empty() {
        object.insert("args".into(), case.args.clone().into());
    }
    if let Some(stdin) = &case.stdin {
        object.insert("stdin".into(), content(stdin));
    }
    if !case.files.is_empty() {
        let files: BTreeMap<_, _> = case.files.iter().map(|(name, file)| (name.clone(), content(file))).collect();
        object.insert("files".into(), Value::Object(files.into_iter().collect()));
    }
    if !case.env.is_empty() {
        let env = case.env.iter().map(|(name, value)| (name.clone(), value.clone().into()));
        object.insert("env".into(), Value::Object(env.collect()));
    }
    if let Some(stdout) = &case.stdout {
        object.insert("stdout".into(), content(stdout));
    }
    if let Some(status) = case.status {
        object.insert("status".into(), status.into());
    }
    if let Some(signal) = case.signal {
        object.insert("signal".into(), signal_name(signal).into());
    }
    Value::Object(object)
}
