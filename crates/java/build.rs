//! Compiles the tracer into the archives that the crate carries. Without a Java compiler or ASM they are empty, and the program says so
//! when it is asked to trace.
// How a build script speaks to cargo.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The tracer's sources.
const SOURCES: &str = "../../java";
/// Where Debian has ASM; another place may be named in `WHYDUNIT_ASM`.
const ASM: &str = "/usr/share/java/asm.jar";
const ARCHIVES: [&str; 3] = ["agent", "recorder", "tracer"];
/// The oldest virtual machine that the tracer runs in.
const RELEASE: &str = "11";

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed={SOURCES}");
    println!("cargo::rerun-if-env-changed=WHYDUNIT_ASM");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo has not set OUT_DIR")?);
    let asm = PathBuf::from(std::env::var_os("WHYDUNIT_ASM").unwrap_or_else(|| ASM.into()));
    let has_compiler = ["javac", "jar"].iter().all(|tool| Command::new(tool).arg("--version").output().is_ok());
    if !has_compiler || !asm.exists() {
        for archive in ARCHIVES {
            write(&out.join(format!("{archive}.jar")), b"")?;
        }
        return Ok(());
    }
    // Texts are put together without the virtual machine's own means for it, which load classes while others are being loaded.
    let internal = ["-source", RELEASE, "-target", RELEASE, "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"];
    let open = ["--release", RELEASE];
    let folder = |name: &str| out.join(name);
    compile("recorder", &internal, &[], &folder("recorder"))?;
    compile("tracer", &open, &[&asm, &folder("recorder")], &folder("tracer"))?;
    compile("agent", &open, &[], &folder("agent"))?;
    run(Command::new("jar").arg("xf").arg(&asm).current_dir(folder("tracer")))?;
    let manifest = out.join("manifest");
    write(&manifest, b"Premain-Class: whydunit.agent.Agent\nCan-Retransform-Classes: true\n")?;
    for archive in ARCHIVES {
        let mut jar = Command::new("jar");
        jar.arg("cfm").arg(out.join(format!("{archive}.jar"))).arg(&manifest);
        run(jar.arg("-C").arg(folder(archive)).args(["whydunit"]).args(asm_of(archive, &folder(archive))))?;
    }
    Ok(())
}

/// The tracer's archive has ASM as well.
fn asm_of(archive: &str, folder: &Path) -> Vec<std::ffi::OsString> {
    if archive == "tracer" { vec!["-C".into(), folder.into(), "org".into()] } else { Vec::new() }
}

fn compile(name: &str, options: &[&str], path: &[&Path], out: &Path) -> Result<(), String> {
    let sources = Path::new(SOURCES).join(name).join("whydunit").join(name);
    let listed = std::fs::read_dir(&sources).map_err(|error| format!("cannot read {}: {error}", sources.display()))?;
    let files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let _ = std::fs::remove_dir_all(out);
    std::fs::create_dir_all(out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-g", "-XDstringConcat=inline"]).args(options);
    javac.arg("-cp").arg(path).arg("-d").arg(out).args(files);
    run(&mut javac)
}

fn run(command: &mut Command) -> Result<(), String> {
    let told = format!("{command:?}");
    let output = command.output().map_err(|error| format!("cannot run {told}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{told} fails:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
