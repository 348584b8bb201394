//! Compiling, instrumenting, linking and running small C programs.
#![allow(dead_code)]

use std::{
    collections::HashSet,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use whydunit_canonical::{canonicalise, layout::Layout};
use whydunit_instrument::{Callee, Optimization, emit_object, leave_unoptimised, record, spectrum};
use whydunit_llvm::{AttributePlace, Module};
use whydunit_model::SpectrumTable;

pub const ID: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Runs a command that must work.
pub fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn clang() -> Command {
    let mut command = Command::new("clang-22");
    command.arg("-w");
    command
}

/// Bitcode as capture makes it.
pub fn bitcode(source: &Path, extra: &[&str]) -> Module {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("a.bc");
    run(clang()
        .args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fPIC", "-c", "-emit-llvm"])
        .args(extra)
        .arg(source)
        .arg("-o")
        .arg(&output));
    Module::read(&output).unwrap()
}

/// Bitcode of a source text.
pub fn compile(text: &str) -> Module {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.c");
    std::fs::write(&source, text).unwrap();
    bitcode(&source, &[])
}

/// The record flavour's object.
pub fn recorded(mut module: Module) -> Vec<u8> {
    canonicalise(&mut module).unwrap();
    whydunit_lower::lower(&module, &Layout::of(&module), ID).unwrap();
    record(&mut module, ID, Callee::Recorded).unwrap();
    emit_object(&mut module, Optimization::Record).unwrap()
}

/// The record flavour's object, as if nothing of it were executed.
pub fn recorded_unoptimised(mut module: Module) -> Vec<u8> {
    canonicalise(&mut module).unwrap();
    whydunit_lower::lower(&module, &Layout::of(&module), ID).unwrap();
    let all: HashSet<String> = module.functions().map(|function| function.name()).collect();
    record(&mut module, ID, Callee::Recorded).unwrap();
    leave_unoptimised(&module, |name| all.contains(name));
    let cold = module.functions().filter(|f| f.has_attribute(AttributePlace::Function, "optnone")).count();
    assert!(cold > 0, "something is left as it is");
    emit_object(&mut module, Optimization::Record).unwrap()
}

/// The instrumented and optimised IR of the record flavour.
pub fn recorded_ir(mut module: Module) -> String {
    canonicalise(&mut module).unwrap();
    record(&mut module, ID, Callee::Recorded).unwrap();
    emit_object(&mut module, Optimization::Record).unwrap();
    module.verify().unwrap();
    module.print()
}

/// The spectrum flavour's object and table.
pub fn counted(mut module: Module) -> (Vec<u8>, SpectrumTable) {
    let (table, _) = spectrum(&mut module, ID).unwrap();
    (emit_object(&mut module, Optimization::Spectrum).unwrap(), table)
}

/// Links objects with the flavour's runtime.
pub fn link(folder: &Path, objects: &[Vec<u8>], optimization: Optimization) -> PathBuf {
    let runtime = whydunit_runtime::install(folder).unwrap();
    let library = match optimization {
        Optimization::Record => runtime.so,
        Optimization::Spectrum => runtime.spectrum,
    };
    let program = folder.join("program");
    let mut command = clang();
    for (index, object) in objects.iter().enumerate() {
        let path = folder.join(format!("{index}.o"));
        std::fs::write(&path, object).unwrap();
        command.arg(path);
    }
    let path = format!("-Wl,-rpath,{}", library.parent().unwrap().display());
    run(command.args(["-pie", "-rdynamic", "-o"]).arg(&program).arg(&library).args(["-lm", &path]));
    program
}

/// The program as its author would build it.
pub fn plain(folder: &Path, sources: &[PathBuf]) -> PathBuf {
    let program = folder.join("plain");
    // Without optimisation: what the abstract machine leaves open must not matter here.
    run(clang().args(["-O0", "-fwrapv", "-o"]).arg(&program).args(sources).arg("-lm"));
    program
}

/// Runs a program with some input.
pub fn execute(program: &Path, variable: Option<(&str, &Path)>) -> Output {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some((name, value)) = variable {
        command.env(name, value);
    }
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(b"a banana\n");
    child.wait_with_output().unwrap()
}

/// Sources of the test programs.
pub fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Compares two runs: output, status, death.
pub fn same(what: &Path, plain: &Output, flavour: &Output) {
    let text = |output: &Output| (String::from_utf8_lossy(&output.stdout).into_owned(), format!("{}", output.status));
    let errors = String::from_utf8_lossy(&flavour.stderr);
    assert_eq!(text(plain), text(flavour), "{}: {errors}", what.display());
}
