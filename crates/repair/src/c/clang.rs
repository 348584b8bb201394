//! The structure of functions, as clang tells it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Deserializer, Value};

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
}

/// The functions of a source that have this name, with their bodies, as clang's syntax tree.
pub fn functions(compile: &Compile, name: &str) -> Result<Vec<Value>, Error> {
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
        let node = Node(&value);
        let is_function = matches!(node.kind(), "FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl");
        if is_function && node.text("name") == name && node.children().any(|child| child.kind() == "CompoundStmt") {
            found.push(value);
        }
    }
    Ok(found)
}

/// Where a text has an error, when it is compiled in the place of the source: lines, as `#line` has them, and columns in bytes,
/// both from 1. None where it compiles.
pub fn errors(compile: &Compile, text: &str) -> Result<Vec<(u32, u32)>, Error> {
    let cxx = compile.compiler.to_string_lossy().contains("++");
    let mut command = Command::new(&compile.compiler);
    command.args(&compile.arguments).args(["-w", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"]);
    command.args(["-fno-color-diagnostics", "-x", if cxx { "c++" } else { "c" }]);
    // What it includes by a name in quotes is beside it.
    if let Some(folder) = compile.source.parent() {
        command.arg("-iquote").arg(folder);
    }
    command.arg("-").current_dir(&compile.folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
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
        let mut parts = line.strip_prefix("<stdin>:")?.splitn(3, ':');
        let at = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        parts.next()?.contains("error").then_some(at)
    };
    let places: Vec<(u32, u32)> = said.lines().filter_map(place).collect();
    // Where it is somewhere else it is an error all the same.
    Ok(if places.is_empty() { vec![(0, 0)] } else { places })
}
