//! Programs that others make: those without which nothing is captured, and those that projects use.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use whydunit_capture::clang;
use whydunit_desk::chain;
use whydunit_findings::{HealthCheck, HealthState, HealthTopic};
use whydunit_process::{Cancel, Limits, Program, Stdin, Watch, run};
use whydunit_suite::{BuildHow, compiler_of, find_program};
use whydunit_workbench::Project;

use super::commands;

/// A program that some projects need.
struct Tool {
    program: &'static str,
    /// What a build or a test calls that needs it, besides itself.
    called: &'static [&'static str],
    /// Debian's package; empty where Debian has none that is new enough.
    package: &'static str,
    /// What needs it.
    purpose: &'static str,
}

/// In the order in which they are told.
const TOOLS: &[Tool] = &[
    Tool { program: "cc", called: &["gcc", "clang"], package: "gcc", purpose: "compiles and links C" },
    Tool { program: "c++", called: &["g++", "clang++"], package: "g++", purpose: "compiles and links C++" },
    Tool { program: "ld", called: &[], package: "binutils", purpose: "joins the parts of recorded programs" },
    Tool { program: "git", called: &[], package: "git", purpose: "for explain, review, history and mine --against" },
    Tool { program: "make", called: &[], package: "make", purpose: "for projects that make builds" },
    Tool { program: "cmake", called: &["ctest"], package: "cmake", purpose: "for projects that CMake builds" },
    Tool { program: "meson", called: &[], package: "meson", purpose: "for projects that Meson builds" },
    Tool { program: "ninja", called: &["meson"], package: "ninja-build", purpose: "for projects that Meson builds" },
    Tool { program: "autoreconf", called: &[], package: "autoconf", purpose: "for projects that autoconf builds" },
    Tool { program: "cargo", called: &[], package: "", purpose: "for projects in Rust" },
];

/// Without these nothing is recorded, whatever the project is.
const ALWAYS: [&str; 2] = ["cc", "ld"];

/// A program that is asked for its version answers within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// The newest LLVM whose bitcode is read.
const LLVM: u32 = 22;

/// All tools. What `project` calls is needed; of one that cannot be opened nothing is known.
pub(super) fn checks(project: Option<&Project>, folder: &Path, cancel: &Cancel) -> Vec<HealthCheck> {
    let called = project.map(called).unwrap_or_default();
    let mut checks = vec![bitcode_compiler(folder, cancel)];
    for tool in TOOLS {
        let needed = ALWAYS.contains(&tool.program)
            || std::iter::once(&tool.program).chain(tool.called).any(|name| called.iter().any(|word| word == name));
        checks.push(one(tool, needed, folder, cancel));
        if tool.program == "cargo" {
            checks.extend(rust_compiler(folder, cancel));
        }
    }
    checks
}

/// The words of a project's commands, without the folders of those that have one; for sources without a build their compiler.
fn called(project: &Project) -> Vec<String> {
    let mut words: Vec<String> = commands(project).into_iter().flat_map(words).collect();
    if let Some(BuildHow::Sources { sources, .. }) = &project.config.build.how {
        words.push(compiler_of(sources).to_owned());
    }
    words
}

fn words(command: &str) -> Vec<String> {
    let parts = command.split(|c: char| c.is_whitespace() || "\"'(){};&|=".contains(c));
    parts.filter_map(|part| part.rsplit('/').next()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn check(name: &str, state: HealthState, found: String) -> HealthCheck {
    HealthCheck::new(HealthTopic::Tools, name, state, found)
}

fn bitcode_compiler(folder: &Path, cancel: &Cancel) -> HealthCheck {
    let name = "clang 22";
    match clang() {
        Ok(path) => {
            let told = version(&path, folder, cancel).unwrap_or_else(|| "22".into());
            check(name, HealthState::Good, format!("{told}, {}", path.display()))
        }
        Err(error) => {
            check(name, HealthState::Missing, format!("makes the bitcode of what is built: {}", chain(&error)))
                .remedy(install("clang-22"))
        }
    }
}

fn one(tool: &Tool, needed: bool, folder: &Path, cancel: &Cancel) -> HealthCheck {
    let Some(path) = find_program(Path::new(tool.program)) else {
        let state = if needed { HealthState::Missing } else { HealthState::Absent };
        let remedy = match tool.package {
            "" => format!("install {} as https://rustup.rs says", tool.program),
            package => install(package),
        };
        return check(tool.program, state, tool.purpose.into()).remedy(remedy);
    };
    match version(&path, folder, cancel) {
        Some(told) => check(tool.program, HealthState::Good, format!("{told}, {}", path.display())),
        None => check(tool.program, HealthState::Doubtful, format!("{} does not tell its version", path.display())),
    }
}

/// Whether rustc's bitcode can be read; `None` where there is no rustc.
fn rust_compiler(folder: &Path, cancel: &Cancel) -> Option<HealthCheck> {
    let path = find_program(Path::new("rustc"))?;
    let name = "rustc's LLVM";
    let Some(told) = ask(&path, "-vV", folder, cancel) else {
        return Some(check(name, HealthState::Doubtful, format!("{} does not tell it", path.display())));
    };
    let line = told.lines().find_map(|line| line.strip_prefix("LLVM version: "))?;
    let major: u32 = line.split('.').next()?.parse().ok()?;
    Some(match major <= LLVM {
        true => check(name, HealthState::Good, line.to_owned()),
        false => check(name, HealthState::Doubtful, format!("{line}, and bitcode of LLVM {LLVM} and older is read"))
            .remedy("choose an older toolchain for the project: rustup override set VERSION"),
    })
}

/// The version that a program tells: the first word of its first line that starts with a digit and has a dot.
fn version(program: &Path, folder: &Path, cancel: &Cancel) -> Option<String> {
    let told = ask(program, "--version", folder, cancel)?;
    let mut words = told.lines().next()?.split(|c: char| c.is_whitespace() || c == '(' || c == ')' || c == ',');
    words.find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')).map(str::to_owned)
}

/// What a program prints when it is called with one argument; `None` where it fails or does not end.
fn ask(program: &Path, argument: &str, folder: &Path, cancel: &Cancel) -> Option<String> {
    let mut env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    // Asking installs nothing.
    env.retain(|(name, _)| name != "RUSTUP_AUTO_INSTALL");
    env.push(("RUSTUP_AUTO_INSTALL".into(), "0".into()));
    let program = Program {
        executable: PathBuf::from(program),
        arg0: program.into(),
        args: vec![argument.into()],
        env,
        folder: folder.to_path_buf(),
        randomise_addresses: true,
    };
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let ended = run(&program, Stdin::Null, &limits, Watch { cancel: Some(cancel), on_output: None }).ok()?;
    (ended.stop.is_none() && ended.exit == whydunit_process::Exit::Status(0))
        .then(|| String::from_utf8_lossy(&ended.stdout).into_owned())
}

/// How a package is installed on this system.
fn install(package: &str) -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    match is_debian(&release) {
        true => format!("apt-get install {package}"),
        false => format!("install it by your system's means (Debian's package is {package})"),
    }
}

/// Whether what /etc/os-release says is Debian or made of it.
fn is_debian(release: &str) -> bool {
    let value =
        |key: &str| release.lines().find_map(|line| line.strip_prefix(key)).map(|value| value.trim_matches('"'));
    ["ID=", "ID_LIKE="].into_iter().filter_map(value).any(|names| names.split(' ').any(|name| name == "debian"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_calls_its_words_whatever_stands_around_them() {
        let words = words("{ test -e \"$B/build.ninja\" || /usr/bin/meson setup . ; } && CC=gcc make -C sub;ctest");
        for called in ["meson", "gcc", "make", "ctest"] {
            assert!(words.iter().any(|word| word == called), "{called}: {words:?}");
        }
        assert!(!words.iter().any(|word| word == "ninja"), "{words:?}");
    }

    #[test]
    fn a_system_made_of_debian_has_its_packages() {
        assert!(is_debian("NAME=x\nID=debian\n") && is_debian("ID=ubuntu\nID_LIKE=\"debian other\"\n"));
        assert!(!is_debian("ID=fedora\nVERSION=debian\n"));
    }

    #[test]
    fn a_tool_that_is_needed_is_missing_and_another_absent() {
        let tool = Tool { program: "no-such-program", called: &[], package: "nothing", purpose: "for none" };
        let state = |needed| one(&tool, needed, Path::new("/"), &Cancel::new()).state;
        assert_eq!([state(true), state(false)], [HealthState::Missing, HealthState::Absent]);
    }
}
