//! The structure of functions, as clang tells it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Deserializer, Value, json as value};
use tempfile::TempDir;

use super::ast::Node;
use crate::Error;

/// How a source is compiled.
#[derive(Clone, Debug)]
pub struct Compile {
    /// The compiler: clang or clang++.
    pub compiler: PathBuf,
    /// The source.
    pub source: PathBuf,
    /// Where the compile runs.
    pub folder: PathBuf,
    /// Its arguments, without those for output.
    pub arguments: Vec<String>,
    /// A header that it includes, where that is what is looked at.
    pub header: Option<PathBuf>,
}

/// The functions of a source, or of a header that it includes, that have this name, with their bodies, as clang's syntax tree; `text`
/// is that of the file, and `within` the class that a function belongs to, which may be a template. Of templates one instance stands
/// for all.
pub fn functions(compile: &Compile, text: &str, name: &str, within: Option<&str>) -> Result<Vec<Value>, Error> {
    let here = |value: &Value| is_named(Node(value), text, name);
    let mut found: Vec<Value> = dumped(compile, name)?.into_iter().flat_map(whole).filter(here).collect();
    // Of a class that is a template the functions of its instances are not dumped by their names.
    if found.is_empty()
        && let Some(class) = within
    {
        let classes = dumped(compile, class)?.into_iter().filter(|value| Node(value).kind() == "ClassTemplateDecl");
        for mut class in classes {
            let instances = inner(&mut class).into_iter().filter(|value| Node(value).is(&[INSTANCE]));
            found.extend(instances.flat_map(|mut instance| inner(&mut instance)).flat_map(whole).filter(here));
        }
        found.truncate(1);
    }
    Ok(found)
}

/// An instance of a class that is a template.
const INSTANCE: &str = "ClassTemplateSpecializationDecl";

/// A function with a body, an instance of one that is a template.
fn whole(mut value: Value) -> Option<Value> {
    let is_function = |value: &Value| {
        let node = Node(value);
        let known = node.is(&["FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl"]);
        known && node.children().any(|child| child.kind() == "CompoundStmt")
    };
    if Node(&value).kind() == "FunctionTemplateDecl" {
        let is_instance = |value: &Value| Node(value).children().any(|child| child.kind() == "TemplateArgument");
        return inner(&mut value).into_iter().find(|value| is_function(value) && is_instance(value));
    }
    // What depends on a template's parameters says little.
    (is_function(&value) && !is_dependent(Node(&value))).then_some(value)
}

/// Whether types are not known before a template is used.
fn is_dependent(node: Node<'_>) -> bool {
    node.written_type() == "<dependent type>" || node.children().any(is_dependent)
}

/// What stands in a node, which is taken out of it.
fn inner(value: &mut Value) -> Vec<Value> {
    value.get_mut("inner").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default()
}

/// Whether a text has a declaration with this name where it says that its name stands: others are of other files.
fn is_named(node: Node<'_>, text: &str, name: &str) -> bool {
    let at = &node.0["loc"];
    let at = at.get("expansionLoc").unwrap_or(at);
    let offset = at["offset"].as_u64().map_or(usize::MAX, |offset| offset as usize);
    node.text("name") == name && text.get(offset..).is_some_and(|rest| rest.starts_with(name))
}

/// Declarations whose names have a text in them.
fn dumped(compile: &Compile, name: &str) -> Result<Vec<Value>, Error> {
    let mut command = Command::new(&compile.compiler);
    command.args(&compile.arguments).args(["-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-Xclang"]);
    command.arg(format!("-ast-dump-filter={name}")).arg(&compile.source);
    command.current_dir(&compile.folder).stdin(Stdio::null());
    let output = command.output().map_err(Error::io(&compile.compiler))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let says = said.lines().find(|line| line.contains("error")).unwrap_or("it fails").to_string();
        let compiler = compile.compiler.display().to_string();
        return Err(Error::Compiler { path: compile.source.clone(), compiler, says });
    }
    // Declarations in a row, between lines that say what is dumped.
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = Vec::new();
    let mut rest = &*text;
    while let Some(at) = rest.find('{') {
        let mut values = Deserializer::from_str(&rest[at..]).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else { break };
        rest = &rest[at + values.byte_offset()..];
        found.push(value);
    }
    Ok(found)
}

/// Where a text has an error, when it is compiled in the place of the source or of its header: lines, as `#line` has them, and columns
/// in bytes, both from 1. None where it compiles.
pub fn errors(compile: &Compile, text: &str) -> Result<Vec<(u32, u32)>, Error> {
    let mut command = Command::new(&compile.compiler);
    command.args(&compile.arguments).args(["-w", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"]);
    command.args(["-fno-color-diagnostics"]).current_dir(&compile.folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let (name, _folder) = match &compile.header {
        None => {
            let cxx = compile.compiler.to_string_lossy().contains("++");
            command.args(["-x", if cxx { "c++" } else { "c" }]);
            // What it includes by a name in quotes is beside it.
            if let Some(folder) = compile.source.parent() {
                command.arg("-iquote").arg(folder);
            }
            command.arg("-");
            ("<stdin>", None)
        }
        Some(header) => {
            let (folder, overlay) = overlaid(header, text)?;
            command.arg("-ivfsoverlay").arg(overlay).arg(&compile.source);
            (header.file_name().and_then(|name| name.to_str()).unwrap_or_default(), Some(folder))
        }
    };
    let failed = |error| Error::io(&compile.compiler)(error);
    let mut child = command.spawn().map_err(failed)?;
    let input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            // It may end before it has read all: then it does not compile.
            input.map(|mut input| input.write_all(text.as_bytes()).ok());
        });
        child.wait_with_output()
    });
    let output = output.map_err(failed)?;
    if output.status.success() {
        return Ok(Vec::new());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let place = |line: &str| -> Option<(u32, u32)> {
        let (file, rest) = line.split_at(line.find(name)? + name.len());
        let mut parts = rest.strip_prefix(':').filter(|_| file.ends_with(name))?.splitn(3, ':');
        let at = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        parts.next()?.contains("error").then_some(at)
    };
    let places: Vec<(u32, u32)> = said.lines().filter_map(place).collect();
    // Where it is somewhere else it is an error all the same.
    Ok(if places.is_empty() { vec![(0, 0)] } else { places })
}

/// A file system in which a header has another text, in a folder that is gone with what is returned.
fn overlaid(header: &Path, text: &str) -> Result<(TempDir, PathBuf), Error> {
    let folder = tempfile::tempdir().map_err(Error::io(header))?;
    let (other, overlay) = (folder.path().join("header"), folder.path().join("overlay.json"));
    let roots = value!({
        "version": 0,
        "use-external-names": false,
        "roots": [{ "type": "file", "name": header, "external-contents": other }],
    });
    fs::write(&other, text).map_err(Error::io(&other))?;
    fs::write(&overlay, roots.to_string()).map_err(Error::io(&overlay))?;
    Ok((folder, overlay))
}
