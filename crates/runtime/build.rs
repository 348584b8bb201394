//! Compiles the C runtime into the libraries and archives that the crate carries.
// How a build script speaks to cargo.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries of their own; all other files are the recorder.
const REDIRECT: &str = "redirect.c";
const OPENED: &str = "opened.c";
const SPECTRUM: &str = "spectrum.c";

/// Also named in `CLANG` at build time, for systems that call it otherwise.
const COMPILER: &str = "clang-22";

fn main() {
    if let Err(message) = build() {
        eprintln!("whydunit-runtime: {message}");
        std::process::exit(1);
    }
}

fn build() -> Result<(), String> {
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-env-changed=WHYDUNIT_CLANG");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo has not set OUT_DIR")?);
    let clang = std::env::var("WHYDUNIT_CLANG").unwrap_or_else(|_| COMPILER.to_owned());
    if Command::new(&clang).arg("--version").output().map_or(true, |output| !output.status.success()) {
        return Err(format!(
            "the C compiler `{clang}` cannot be run; install it (Debian: apt-get install clang-22) or name another clang 22 in \
             WHYDUNIT_CLANG"
        ));
    }
    let mut sources: Vec<PathBuf> = std::fs::read_dir("c")
        .map_err(|error| format!("cannot read the folder c: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    sources.sort();
    let (redirect, sources): (Vec<_>, Vec<_>) = sources.into_iter().partition(|path| path.ends_with(REDIRECT));
    let (opened, sources): (Vec<_>, Vec<_>) = sources.into_iter().partition(|path| path.ends_with(OPENED));
    let (spectrum, sources): (Vec<_>, Vec<_>) = sources.into_iter().partition(|path| path.ends_with(SPECTRUM));

    let shared = compile(&clang, &sources, &out.join("shared"), &[])?;
    // Constructors of other libraries may call the program.
    link(&clang, &shared, &out.join("libwhydunit_rt.so"), &["-lm", "-Wl,-z,initfirst"])?;
    let redirect = compile(&clang, &redirect, &out.join("redirect"), &[])?;
    link(&clang, &redirect, &out.join("libwhydunit_redirect.so"), &[])?;
    let opened = compile(&clang, &opened, &out.join("opened"), &[])?;
    link(&clang, &opened, &out.join("libwhydunit_opened.so"), &[])?;
    let shared = compile(&clang, &spectrum, &out.join("spectrum"), &[])?;
    link(&clang, &shared, &out.join("libwhydunit_spectrum.so"), &[])?;
    let objects = compile(&clang, &spectrum, &out.join("spectrum-static"), &["-DWD_STATIC"])?;
    archive(&objects, &out.join("libwhydunit_spectrum.a"))?;
    let objects = compile(&clang, &sources, &out.join("static"), &["-DWD_STATIC"])?;
    archive(&objects, &out.join("libwhydunit_rt.a"))
}

fn compile(clang: &str, sources: &[PathBuf], folder: &Path, more: &[&str]) -> Result<Vec<PathBuf>, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut objects = Vec::new();
    let mut running = Vec::new();
    let limit = std::thread::available_parallelism().map_or(1, usize::from);
    for source in sources {
        let name = source.file_stem().unwrap_or_default();
        let object = folder.join(name).with_extension("o");
        let mut command = Command::new(clang);
        command
            .args(["-c", "-O2", "-fPIC", "-fvisibility=hidden", "-mfsgsbase", "-std=gnu17", "-D_GNU_SOURCE"])
            // Nothing may become a call of a library function that the program has replaced.
            .args(["-fno-builtin", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-fno-strict-aliasing"])
            .args(["-Wall", "-Wextra", "-Werror", "-Wno-deprecated-declarations", "-ffile-prefix-map=c/=whydunit/"])
            .args(more)
            .arg(source)
            .arg("-o")
            .arg(&object);
        if running.len() >= limit {
            finish(running.remove(0))?;
        }
        let child = command.spawn().map_err(|error| format!("cannot run {clang}: {error}"))?;
        running.push((source.clone(), child));
        objects.push(object);
    }
    running.into_iter().try_for_each(finish)?;
    Ok(objects)
}

fn finish((source, mut child): (PathBuf, std::process::Child)) -> Result<(), String> {
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{} does not compile", source.display())),
    }
}

fn link(clang: &str, objects: &[PathBuf], library: &Path, more: &[&str]) -> Result<(), String> {
    let name = library.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut command = Command::new(clang);
    command
        .args(["-shared", "-Wl,-z,now", "-Wl,--build-id=none", "-Wl,--no-undefined"])
        .arg(format!("-Wl,-soname,{name}"));
    command.args(objects).args(more).arg("-o").arg(library);
    // The linker warns of functions that programs should not use; they have wrappers nevertheless.
    let output = command.output().map_err(|error| format!("cannot run {clang}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} does not link:\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn archive(objects: &[PathBuf], archive: &Path) -> Result<(), String> {
    let _ = std::fs::remove_file(archive);
    for tool in ["llvm-ar-22", "ar"] {
        let made = Command::new(tool).arg("rcsD").arg(archive).args(objects).status();
        if made.is_ok_and(|status| status.success()) {
            return Ok(());
        }
    }
    Err(format!("cannot make {}: neither llvm-ar-22 nor ar works", archive.display()))
}
