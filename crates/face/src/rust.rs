//! rustc, as cargo's `RUSTC_WRAPPER`.
//!
//! A compile for the machine that the program runs on, which cargo tells by `--target`, leaves LLVM bitcode beside each
//! object; build scripts and procedural macros are compiled as they are. Where no machine is named, a crate that only they
//! use cannot be told from one of the program, and leaves bitcode too. Members of a library get their marks when rustc
//! has written it. Objects of a program are gone by then: rustc starts the linker itself, whose face marks them before it
//! reads them ([`mark_object`]).

use std::{
    collections::HashMap,
    env,
    ffi::{OsStr, OsString},
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
};

use crate::{
    archive,
    bitcode::Captured,
    compile,
    context::Context,
    depend, elf,
    recipe::{Dependency, Unit},
    store::{self, Store},
    tools,
};

/// Name that the face has as a wrapper.
pub const NAME: &str = "whydunit-rustc";
/// The root source of the crate that rustc is compiling, for the linker's face that it starts.
const SOURCE: &str = "WHYDUNIT_RUST_SOURCE";
/// The machine that programs are recorded on.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What a captured compile is done with besides what the user asked. Of options that come twice rustc takes the last.
/// Generic code of the standard library is made for each crate: what is precompiled would stay external.
const ALWAYS: &[&str] =
    &["--emit=llvm-bc", "-Cdebuginfo=2", "-Clto=off", "-Clinker-plugin-lto=no", "-Cstrip=none", "-Zshare-generics=no"];

/// Code as the source has it. Small functions that ask for it (`#[inline]`: iterators, indices) are inlined: a recorded run
/// takes half the time, and each instruction still says which line it is from.
const PLAIN: &[&str] = &[
    "-Copt-level=0",
    "-Zinline-mir=yes",
    "-Zinline-mir-threshold=0",
    "-Zinline-mir-hint-threshold=100",
    "-Zcross-crate-inline-threshold=never",
];

/// Code as optimised as it is asked for; code for each element of a vector is what replay is fast at.
const OPTIMISED: &[&str] = &["-Cno-vectorize-loops", "-Cno-vectorize-slp"];

/// What cargo calls the crates of build scripts, to begin with.
const BUILD_SCRIPT: &str = "build_script_";

/// A compile, as far as it matters.
#[derive(Debug, Default, PartialEq)]
struct Compile {
    name: String,
    extra: String,
    source: String,
    folder: String,
    target: Option<String>,
    kinds: Vec<String>,
    links: bool,
    optimised: bool,
    assertions: bool,
    overflow: bool,
}

impl Compile {
    fn parse(arguments: &[String]) -> Compile {
        let mut compile = Compile::default();
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) if word.starts_with("--") => (name, Some(value)),
                _ => (word, None),
            };
            let mut value = || value.or_else(|| rest.next()).unwrap_or_default();
            match name {
                "--crate-name" => compile.name = value().to_owned(),
                "--crate-type" => compile.kinds.extend(value().split(',').map(str::to_owned)),
                "--target" => compile.target = Some(value().to_owned()),
                "--out-dir" => compile.folder = value().to_owned(),
                "--emit" => compile.links |= value().split(',').any(|kind| kind.split('=').next() == Some("link")),
                "-O" => compile.optimised = true,
                "-C" | "--codegen" => compile.option(value()),
                _ if name.starts_with("-C") => compile.option(&word[2..]),
                "--test" | "-v" | "--verbose" | "-g" => {}
                // All others have a value, or it stands in the same word.
                _ if name.starts_with("--") && name != word => {}
                _ if name.starts_with('-') && !name.starts_with("--") && name.len() > 2 => {}
                _ if name.starts_with('-') => _ = value(),
                _ if word.ends_with(".rs") => compile.source = word.to_owned(),
                _ => {}
            }
        }
        compile
    }

    fn option(&mut self, option: &str) {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        match name.replace('_', "-").as_str() {
            "extra-filename" => self.extra = value.to_owned(),
            "opt-level" => self.optimised = value != "0",
            "debug-assertions" => self.assertions = true,
            "overflow-checks" => self.overflow = true,
            _ => {}
        }
    }

    /// Whether the crate is part of what runs, and the result is linked or linkable; `named`: the build names the machine for
    /// its programs.
    fn is_wanted(&self, named: bool) -> bool {
        let for_program = match &self.target {
            Some(target) => target == TARGET,
            None => !named && !self.name.starts_with(BUILD_SCRIPT),
        };
        for_program && self.links && !self.source.is_empty() && !self.kinds.iter().any(|kind| kind == "proc-macro")
    }

    /// Options that decide how the code is optimised, and those in whose place unoptimised code would have other defaults.
    fn more(&self, optimised: bool) -> Vec<&'static str> {
        if optimised && self.optimised {
            return OPTIMISED.to_vec();
        }
        let mut more = PLAIN.to_vec();
        if self.optimised && !self.assertions {
            more.push("-Cdebug-assertions=no");
        }
        if self.optimised && !self.assertions && !self.overflow {
            more.push("-Coverflow-checks=no");
        }
        more
    }
}

/// Whether the environment names the machine that cargo compiles for.
fn names_machine() -> bool {
    env::var_os("CARGO_BUILD_TARGET").is_some_and(|target| !target.is_empty())
}

/// Runs as `RUSTC_WRAPPER`: the first argument is the rustc that is meant.
pub fn wrapper(context: &Context, arguments: &[OsString]) -> ExitCode {
    let Some((rustc, rest)) = arguments.split_first() else {
        eprintln!("whydunit: {NAME} is a wrapper: its first argument is the rustc to run");
        return ExitCode::from(127);
    };
    let text: Option<Vec<String>> = rest.iter().map(|word| word.to_str().map(str::to_owned)).collect();
    let compile = text.as_deref().map(Compile::parse).unwrap_or_default();
    let (true, Some(words)) = (context.capturing() && compile.is_wanted(names_machine()), text) else {
        return tools::end_as(context, run(Command::new(rustc).args(rest), rustc));
    };
    let source = context.absolute(&compile.source);
    let mut command = Command::new(rustc);
    let words = without_incremental(&words).into_iter().map(|word| through_face(word, context));
    command.args(words).args(ALWAYS).args(compile.more(context.optimised));
    // The compiler is the user's; this lets it take the unstable options.
    command.env("RUSTC_BOOTSTRAP", "1").env(SOURCE, &source);
    if let Err(reason) = run_first(&mut command) {
        // It is for the compile as it was asked for to say why.
        let status = run(Command::new(rustc).args(rest), rustc);
        if status.success() {
            let reason = format!("rustc compiles it, but not with bitcode beside: {reason}");
            compile::external(context, &source.display().to_string(), &reason);
        }
        return tools::end_as(context, status);
    }
    let folder = context.absolute(&compile.folder);
    let prefix = format!("{}{}", compile.name, compile.extra);
    for library in [format!("lib{prefix}.rlib"), format!("lib{prefix}.a")] {
        let library = folder.join(library);
        if library.is_file()
            && let Err(reason) = mark_library(context, &source, &library, &folder)
        {
            compile::external(context, &source.display().to_string(), &reason);
        }
    }
    remove_bitcode(&folder, &prefix);
    ExitCode::SUCCESS
}

fn run(command: &mut Command, rustc: &OsStr) -> ExitStatus {
    use std::os::unix::process::ExitStatusExt;
    command.status().unwrap_or_else(|error| {
        eprintln!("whydunit: {} does not start: {error}", rustc.to_string_lossy());
        ExitStatus::from_raw(127 << 8)
    })
}

/// Runs a compile that is done again where it fails: what it says is passed on up to its first error, and the rest where it
/// succeeds all the same. Gives that error.
fn run_first(command: &mut Command) -> Result<(), String> {
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let (mut first, mut held) = (None, Vec::new());
    for line in child.stderr.take().into_iter().flat_map(|pipe| BufReader::new(pipe).split(b'\n')).flatten() {
        first = first.or_else(|| error_in(&line));
        held.extend(line);
        held.push(b'\n');
        if first.is_none() {
            let _ = std::io::stderr().write_all(&held);
            held.clear();
        }
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    if status.success() {
        let _ = std::io::stderr().write_all(&held);
        return Ok(());
    }
    Err(first.unwrap_or_else(|| status.to_string()))
}

/// The error that a line of rustc tells, as text or as JSON.
fn error_in(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    if line.starts_with("error") {
        return Some(line.into_owned());
    }
    let told: serde_json::Value = serde_json::from_str(line.strip_prefix('{').map(|_| &*line)?).ok()?;
    (told["level"] == "error").then(|| format!("error: {}", told["message"].as_str().unwrap_or_default()))
}

/// Reused objects of an incremental compile would have no bitcode.
fn without_incremental(words: &[String]) -> Vec<&String> {
    let mut kept: Vec<&String> = Vec::with_capacity(words.len());
    for word in words {
        let option = word.strip_prefix("-C").or_else(|| word.strip_prefix("--codegen="));
        if option.is_some_and(|option| option.starts_with("incremental=")) {
            continue;
        }
        if word.starts_with("incremental=") && kept.last().is_some_and(|last| *last == "-C" || *last == "--codegen") {
            kept.pop();
            continue;
        }
        kept.push(word);
    }
    kept
}

/// A linker that is named by its path is started through its face, as one is that is named alone.
fn through_face(word: &str, context: &Context) -> OsString {
    let path = word.split_once("linker=").filter(|(before, _)| matches!(*before, "" | "-C" | "--codegen="));
    let face = path.and_then(|(before, path)| {
        let name = Path::new(path).file_name()?;
        let real = fs::canonicalize(context.faces.join(".real").join(name)).ok()?;
        let same = path.starts_with('/') && fs::canonicalize(path).ok()? == real;
        same.then(|| {
            let mut word = OsString::from(format!("{before}linker="));
            word.push(context.faces.join(name));
            word
        })
    });
    face.unwrap_or_else(|| word.into())
}

/// The bitcode of an object: beside it where there are several, else under the crate's name.
fn bitcode_of(folder: &Path, object: &str) -> Option<PathBuf> {
    let stem = object.strip_suffix(".rcgu.o")?;
    let several = folder.join(format!("{stem}.rcgu.bc"));
    if several.is_file() {
        return Some(several);
    }
    // Without `-cgu.0` it is the shim of the allocator.
    stem.ends_with("-cgu.0").then_some(())?;
    let single = folder.join(format!("{}.bc", object.split('.').next()?));
    single.is_file().then_some(single)
}

/// Marks an object on the line of a link that rustc started, where there is bitcode for it.
pub fn mark_object(context: &Context, object: &Path) {
    let (Some(source), Some(folder)) = (env::var_os(SOURCE), object.parent()) else { return };
    let name = object.file_name().unwrap_or_default().to_string_lossy();
    let Some(bitcode) = bitcode_of(folder, &name) else { return };
    let source = PathBuf::from(source);
    let marked = capture(context, &source, &bitcode)
        .and_then(|unit| elf::mark(object, [&unit.id], None).map(|()| unit).map_err(|error| error.to_string()));
    match marked {
        Ok(unit) => compile::log_captured(context, &Captured { unit, reused: false }),
        Err(reason) => compile::external(context, &source.display().to_string(), &reason),
    }
}

/// Marks the members of a library.
fn mark_library(context: &Context, source: &Path, library: &Path, folder: &Path) -> Result<(), String> {
    let text = |error: std::io::Error| format!("{}: {error}", library.display());
    let data = fs::read(library).map_err(text)?;
    let members = archive::read(library, &data).map_err(text)?;
    let scratch = context.store.temporary(".d");
    fs::create_dir_all(&scratch).map_err(text)?;
    let marked = (|| {
        let (mut units, mut changed) = (Vec::new(), HashMap::new());
        for (number, member) in members.iter().enumerate() {
            let Some(bitcode) = bitcode_of(folder, &member.name) else { continue };
            let unit = capture(context, source, &bitcode)?;
            let object = scratch.join(&member.name);
            fs::write(&object, &member.data).map_err(text)?;
            elf::mark(&object, [&unit.id], None).map_err(text)?;
            changed.insert(number, fs::read(&object).map_err(text)?);
            units.push(unit);
        }
        if !changed.is_empty() {
            replace(library, &archive::replace(&data, &changed).map_err(text)?).map_err(text)?;
        }
        Ok::<_, String>(units)
    })();
    let _ = fs::remove_dir_all(&scratch);
    for unit in marked? {
        compile::log_captured(context, &Captured { unit, reused: false });
    }
    Ok(())
}

/// Puts other content in the place of a library; others may have the file that was there linked.
fn replace(library: &Path, content: &[u8]) -> std::io::Result<()> {
    let copy = library.with_extension("whydunit");
    let done = fs::write(&copy, content).and_then(|()| fs::rename(&copy, library));
    let _ = fs::remove_file(&copy);
    done
}

/// Keeps a file of bitcode as a unit.
fn capture(context: &Context, source: &Path, bitcode: &Path) -> Result<Unit, String> {
    let data = fs::read(bitcode).map_err(|error| format!("{}: {error}", bitcode.display()))?;
    let unit = Unit {
        id: store::hash(&data),
        source: source.to_owned(),
        folder: context.folder.clone(),
        rust: true,
        dependencies: dependencies(context, bitcode),
        ..Unit::default()
    };
    keep(&context.store, &unit, &data).map_err(|error| error.to_string())?;
    Ok(unit)
}

/// Writes a unit to the store.
pub(crate) fn keep(store: &Store, unit: &Unit, bitcode: &[u8]) -> Result<(), crate::Error> {
    store.keep_content(&store.bitcode(&unit.id), bitcode)?;
    store.describe_unit(unit)
}

/// What the compile read, as rustc has written it down for cargo beside the bitcode.
fn dependencies(context: &Context, bitcode: &Path) -> Vec<Dependency> {
    let name = bitcode.file_name().unwrap_or_default().to_string_lossy();
    let rules = bitcode.with_file_name(format!("{}.d", name.split('.').next().unwrap_or_default()));
    let files = depend::parse_rule(&fs::read_to_string(rules).unwrap_or_default());
    files.iter().filter_map(|file| depend::describe(&context.absolute(file))).collect()
}

/// Takes away what was emitted for us.
fn remove_bitcode(folder: &Path, prefix: &str) {
    let _ = fs::remove_file(folder.join(format!("{prefix}.bc")));
    let start = format!("{prefix}.");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with(&start) && name.ends_with(".rcgu.bc")) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_read_as_text_and_as_json() {
        let told = |line: &str| error_in(line.as_bytes());
        assert_eq!(told("error: unknown unstable option: `x`").as_deref(), Some("error: unknown unstable option: `x`"));
        let json = r#"{"$message_type":"diagnostic","message":"no `x`","code":null,"level":"error","spans":[]}"#;
        assert_eq!(told(json).as_deref(), Some("error: no `x`"));
        assert_eq!(told(&json.replace("\"error\"", "\"warning\"")), None);
        assert_eq!(told(r#"{"$message_type":"artifact","artifact":"error","emit":"link"}"#), None);
        assert_eq!(told("warning: error"), None);
    }

    fn parse(line: &str) -> Compile {
        Compile::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn compiles_for_the_program_are_told_from_those_for_the_build() {
        let line = "--crate-name one --edition=2021 src/lib.rs --error-format=json --crate-type lib \
                    --emit=dep-info,metadata,link -C embed-bitcode=no -C debuginfo=2 -C metadata=ab -C extra-filename=-ab \
                    --out-dir /t/deps --target x86_64-unknown-linux-gnu -L dependency=/t/deps --cap-lints warn";
        let compile = parse(line);
        assert!(compile.is_wanted(true));
        let named = (&*compile.name, &*compile.extra, &*compile.source, &*compile.folder);
        assert_eq!(named, ("one", "-ab", "src/lib.rs", "/t/deps"));
        let unnamed = line.replace("--target x86_64-unknown-linux-gnu ", "");
        assert!(!parse(&unnamed).is_wanted(true) && parse(&unnamed).is_wanted(false));
        assert!(!parse(&unnamed.replace("name one", "name build_script_build")).is_wanted(false));
        assert!(!parse(&unnamed.replace("type lib", "type proc-macro")).is_wanted(false));
        assert!(!parse(&line.replace("x86_64", "i686")).is_wanted(false));
        assert!(parse(&format!("-Dwarnings -Aunused -L/x -l z --cap-lints allow {line}")).is_wanted(true));
        assert!(!parse(&line.replace("metadata,link", "metadata")).is_wanted(true));
        assert!(!parse(&line.replace("type lib", "type proc-macro")).is_wanted(true));
    }

    #[test]
    fn checks_stay_as_the_profile_has_them() {
        let more = |line: &str| parse(line).more(false).split_off(PLAIN.len());
        assert_eq!(more("a.rs -C opt-level=0"), [""; 0]);
        assert_eq!(more("a.rs -C opt-level=3"), ["-Cdebug-assertions=no", "-Coverflow-checks=no"]);
        assert_eq!(more("a.rs -Copt-level=3 -C overflow-checks=on"), ["-Cdebug-assertions=no"]);
        assert_eq!(more("a.rs -O -C debug-assertions=on"), [""; 0]);
        assert_eq!(parse("a.rs -O").more(true), OPTIMISED);
        assert_eq!(parse("a.rs").more(true), parse("a.rs").more(false));
    }

    #[test]
    fn incremental_compilation_is_left_out() {
        let words = ["-C", "incremental=/x", "-Cincremental=/y", "-C", "metadata=1"].map(str::to_owned);
        assert_eq!(without_incremental(&words), ["-C", "metadata=1"]);
    }

    #[test]
    fn the_bitcode_of_an_object_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["one-ab.bc", "two-ab.two.12-cgu.1.rcgu.bc"] {
            fs::write(at(name), "").unwrap();
        }
        let found = |object: &str| bitcode_of(folder.path(), object);
        assert_eq!(found("one-ab.one.34-cgu.0.rcgu.o"), Some(at("one-ab.bc")));
        assert_eq!(found("one-ab.9c8cv6.rcgu.o"), None);
        assert_eq!(found("two-ab.two.12-cgu.1.rcgu.o"), Some(at("two-ab.two.12-cgu.1.rcgu.bc")));
        assert_eq!(found("lib.rmeta"), None);
    }
}
