//! cargo: the tests of a package or workspace, those of its documentation among them, each run for itself.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use cargo_metadata::{Message, Metadata, Package, TargetKind};

use super::{Lister, documentation, find_program, libraries, libtest, make_unique, nextest, words};
use crate::config::CARGO_TARGET;
use crate::error::Error;
use crate::program::ProgramTest;

/// Arguments that keep `cargo test` to some targets: without them it also tests the documentation.
const TARGETS: &[&str] = &[
    "--lib",
    "--bins",
    "--bin",
    "--examples",
    "--example",
    "--tests",
    "--test",
    "--benches",
    "--bench",
    "--all-targets",
];

/// The tests of `cargo test …` or `cargo nextest run …` in the project's folder. Builds them where they are not built.
pub(crate) fn tests(lister: &Lister<'_>, command: &str, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let wrong = |message: String| Error::at(folder, format!("the tests cannot be listed: {message}"));
    let words = words(command).map_err(wrong)?;
    let mut tests = match words.get(1).map(String::as_str) {
        Some("nextest") => nextest::tests(lister, &words, folder)?,
        Some("test" | "t") => plain(lister, &words, folder)?,
        _ => return Err(wrong(format!("`{command}` is neither `cargo test …` nor `cargo nextest run …`"))),
    };
    make_unique(&mut tests);
    Ok(tests)
}

fn plain(lister: &Lister<'_>, words: &[String], folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let cargo = Path::new(&words[0]);
    // What stands behind `--` is for the harness.
    let own: Vec<&str> = words[2..].iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let mut args = vec!["test", "--no-run", "--message-format=json-render-diagnostics"];
    args.extend(&own);
    let messages = lister.answer(cargo, &args, folder)?;
    let metadata = metadata(lister, cargo, &own, folder)?;
    let rust = libraries::of_rust(lister, folder);
    let (mut tests, mut libraries) = (Vec::new(), Vec::new());
    for message in Message::parse_stream(BufReader::new(messages.as_bytes())).flatten() {
        let Message::CompilerArtifact(artifact) = message else { continue };
        let Some(package) = metadata.packages.iter().find(|package| package.id == artifact.package_id) else {
            continue;
        };
        if artifact.profile.test && artifact.target.kind.iter().any(is_library) && artifact.target.doctest {
            libraries.push(package);
        }
        if let (true, Some(program)) = (artifact.profile.test, &artifact.executable) {
            let id = binary_id(package, &artifact.target.name, &artifact.target.kind);
            tests.extend(of_program(
                lister,
                program.as_std_path(),
                package,
                &id,
                &environment(package, &metadata, rust.as_deref()),
            )?);
        }
    }
    if !own.iter().any(|word| TARGETS.contains(&word.split('=').next().unwrap_or(word))) {
        for package in libraries {
            tests.extend(documentation::tests(lister, cargo, &own, package, folder)?);
        }
    }
    Ok(tests)
}

fn metadata(lister: &Lister<'_>, cargo: &Path, own: &[&str], folder: &Path) -> Result<Metadata, Error> {
    let mut args = vec!["metadata", "--no-deps", "--format-version", "1"];
    if let Some(at) = own.iter().position(|word| *word == "--manifest-path") {
        args.extend(own.iter().skip(at).take(2));
    }
    let text = lister.answer(cargo, &args, folder)?;
    serde_json::from_str(&text).map_err(|error| {
        Error::at(folder, format!("the tests cannot be listed: `cargo metadata` gives no such JSON: {error}"))
    })
}

fn is_library(kind: &TargetKind) -> bool {
    use TargetKind::{CDyLib, DyLib, Lib, ProcMacro, RLib, StaticLib};
    matches!(kind, Lib | RLib | DyLib | CDyLib | StaticLib | ProcMacro)
}

/// What nextest calls a program with tests: `package`, `package::test`, `package::bin/name`.
fn binary_id(package: &Package, target: &str, kinds: &[TargetKind]) -> String {
    match kinds.first() {
        Some(kind) if is_library(kind) => package.name.to_string(),
        Some(TargetKind::Test) | None => format!("{}::{target}", package.name),
        Some(kind) => format!("{}::{kind}/{target}", package.name),
    }
}

fn folder_of(package: &Package) -> PathBuf {
    package.manifest_path.parent().map(|folder| folder.as_std_path().to_path_buf()).unwrap_or_default()
}

/// The environment that cargo gives a package's tests; `rust` is where the toolchain has its libraries.
fn environment(package: &Package, metadata: &Metadata, rust: Option<&str>) -> Vec<(String, String)> {
    let mut env = vec![
        ("CARGO_MANIFEST_DIR".to_owned(), folder_of(package).display().to_string()),
        ("CARGO_MANIFEST_PATH".to_owned(), package.manifest_path.to_string()),
        ("CARGO_PKG_NAME".to_owned(), package.name.to_string()),
        ("CARGO_PKG_VERSION".to_owned(), package.version.to_string()),
    ];
    if let Some(cargo) = find_program(Path::new("cargo")) {
        env.push(("CARGO".to_owned(), cargo.display().to_string()));
    }
    // Libraries that are loaded at run time lie there: those of the target, and of what the build itself runs.
    let of_build = metadata.target_directory.as_std_path();
    let profile = of_build.join(CARGO_TARGET).join("debug");
    env.push(libraries::search_path(&[profile.join("deps"), profile, of_build.join("debug").join("deps")], rust));
    env
}

/// The tests of a program; itself as one test where it has a harness of its own.
fn of_program(
    lister: &Lister<'_>,
    program: &Path,
    package: &Package,
    id: &str,
    env: &[(String, String)],
) -> Result<Vec<ProgramTest>, Error> {
    let folder = folder_of(package);
    let listed = libtest::tests(&lister.with(env), program, &folder, id)?;
    let mut tests = listed.unwrap_or_else(|| vec![ProgramTest::new(id, program.to_path_buf(), folder)]);
    for test in &mut tests {
        test.env = env.to_vec();
    }
    Ok(tests)
}
