//! Bitcode of a translation unit, made beside the user's compile.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command as Process,
};

use crate::{
    Error,
    command::{Command, Language},
    context::{Context, INSIDE, normalise},
    depend,
    flags::{Class, Flag},
    recipe::Unit,
    store::{self, Store},
    tools,
};

/// What bitcode is made with after the build's own `-O`: code for each element of a vector is what replay is fast at.
const OPTIMISED: &[&str] = &["-fno-vectorize", "-fno-slp-vectorize"];

/// What all bitcode is made with. Warnings that newer compilers take for errors are none here: whether the source
/// passes is for the user's compiler to say. Debug information defines each class that a unit uses, where clang would leave
/// it declared when another unit has its constructors or virtual functions: that unit may not be captured.
const ALWAYS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-g",
    "-fstandalone-debug",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    SILENT,
    "-Qunused-arguments",
    "-fno-color-diagnostics",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
];

/// What a source is refused by that OpenMP makes threads for: the captured copy would be another program, one with a single thread.
const NO_OPENMP: &[&str] = &["-Wno-everything", "-Werror=source-uses-openmp"];

/// Silences what clang would say, also what it was told to take for an error.
const SILENT: &str = "-w";

/// A unit that was captured.
pub struct Captured {
    /// The unit.
    pub unit: Unit,
    /// The bitcode of an earlier compile was good.
    pub reused: bool,
}

/// Which flags the bitcode is made with, and which not.
#[derive(Debug, Default, PartialEq)]
struct Plan {
    arguments: Vec<String>,
    dropped: Vec<String>,
    sanitizers: Vec<String>,
    refused: Option<String>,
}

fn plan(command: &Command, standard: Option<&str>, optimised: bool) -> Plan {
    let mut plan = Plan::default();
    let mut has_standard = false;
    let mut level = None;
    for flag in command.flags() {
        let value = flag.value.as_deref().unwrap_or_default();
        match flag.class {
            // Fortified functions check sizes at run time through other names; the plain ones are what the source says.
            Class::Meaning if flag.name == "-D" && value.starts_with("_FORTIFY_SOURCE") => {}
            Class::Meaning if flag.name == "-m32" || flag.name == "-mx32" => {
                plan.refused = Some(format!("{} asks for another machine than 64-bit x86", flag.name));
            }
            Class::Meaning => {
                has_standard |= matches!(flag.name.as_str(), "-std=" | "--std=" | "-ansi");
                plan.arguments.extend(flag.given());
            }
            Class::Plain if flag.name == "-O" => level = flag.given().pop(),
            Class::Plain if flag.name == "-f" && value.starts_with("file-prefix-map=") => {
                plan.arguments.push(format!("-fmacro-prefix-map={}", &value["file-prefix-map=".len()..]));
            }
            Class::Preprocessor => preprocessor(value, &mut plan),
            Class::Sanitizer => plan.sanitizers.push(value.to_owned()),
            Class::Gcc => {
                if starts_threads(flag) {
                    plan.arguments.extend(NO_OPENMP.iter().map(|&flag| flag.to_owned()));
                }
                plan.dropped.push(flag.given().join(" "));
            }
            _ => {}
        }
    }
    if let (false, Some(standard)) = (has_standard, standard) {
        plan.arguments.push(format!("-std={standard}"));
    }
    if let Some(level) = level.filter(|level| optimised && level != "-O0") {
        plan.arguments.push(level);
        plan.arguments.extend(OPTIMISED.iter().map(|&flag| flag.to_owned()));
    }
    plan
}

/// Whether a flag makes threads by a source's pragmas; `-fopenmp-simd` does not.
fn starts_threads(flag: &Flag) -> bool {
    flag.name == "-fopenmp" && flag.value.as_deref().is_none_or(|value| value.is_empty() || value.starts_with('='))
}

/// The words of `-Wp,`.
fn preprocessor(words: &str, plan: &mut Plan) {
    let mut words = words.split(',');
    while let Some(word) = words.next() {
        match word {
            "-MD" | "-MMD" | "-MF" | "-MT" | "-MQ" => _ = words.next(),
            "-MP" | "-MG" => {}
            "-include" | "-imacros" | "-isystem" | "-idirafter" | "-iquote" => {
                plan.arguments.push(word.to_owned());
                plan.arguments.extend(words.next().map(str::to_owned));
            }
            _ if word.starts_with("-D_FORTIFY_SOURCE") => {}
            _ if ["-D", "-U", "-I"].iter().any(|name| word.starts_with(name)) => plan.arguments.push(word.to_owned()),
            _ => plan.dropped.push(format!("-Wp,{word}")),
        }
    }
}

/// Makes the bitcode of one source of a compile, or says why that cannot be.
pub fn capture(context: &Context, command: &Command, source: &str, language: Language) -> Result<Captured, String> {
    let standard = if language.is_cxx() { &context.tool.standard_cxx } else { &context.tool.standard };
    let plan = plan(command, standard.as_deref(), context.optimised);
    if let Some(reason) = plan.refused {
        return Err(reason);
    }
    let path = context.absolute(source);
    let key = key(context, &plan.arguments, source, language);
    if let Some(unit) = earlier(context, &key) {
        return Ok(Captured { unit, reused: true });
    }
    let unit = Unit {
        source: path,
        given: source.to_owned(),
        folder: context.folder.clone(),
        arguments: plan.arguments,
        cxx: language.is_cxx(),
        preprocessed: matches!(language, Language::PreprocessedC | Language::PreprocessedCxx),
        dropped: plan.dropped,
        sanitizers: plan.sanitizers,
        ..Unit::default()
    };
    let clang = || tools::command(context, &context.clang);
    let unit = make(&context.store, clang, unit, source, &[])?;
    context.store.keep_compile(&key, &unit).map_err(|error| error.to_string())?;
    Ok(Captured { unit, reused: false })
}

/// Makes the bitcode of a unit once more: the same where the sources are, with more flags another unit under its own id.
pub fn remake(store: &Store, clang: &Path, unit: &Unit, more: &[&str]) -> Result<Unit, String> {
    let command = || {
        let mut command = Process::new(clang);
        command.env(INSIDE, "1").env("PWD", &unit.folder).current_dir(&unit.folder);
        command
    };
    make(store, command, unit.clone(), &unit.given, more)
}

/// Runs clang, without the flags that it turns out not to know, and keeps what it makes.
fn make(
    store: &Store,
    clang: impl Fn() -> Process,
    mut unit: Unit,
    source: &str,
    more: &[&str],
) -> Result<Unit, String> {
    let language = match (unit.cxx, unit.preprocessed) {
        (false, false) => Language::C,
        (false, true) => Language::PreprocessedC,
        (true, false) => Language::Cxx,
        (true, true) => Language::PreprocessedCxx,
    };
    let no_openmp = unit.arguments.iter().any(|argument| NO_OPENMP.contains(&argument.as_str()));
    let overlay = overlay(store).filter(|_| unit.cxx);
    let output = store.temporary(".bc");
    let rule = store.temporary(".d");
    let made = loop {
        let mut command = clang();
        let program = command.get_program().to_string_lossy().into_owned();
        let result = command
            .args(ALWAYS.iter().filter(|&&flag| !(no_openmp && flag == SILENT)))
            .args(overlay.iter().flat_map(|overlay| ["-ivfsoverlay".as_ref(), overlay.as_os_str()]))
            .args(&unit.arguments)
            .args(more)
            .args(["-x", language.captured_as().unwrap_or("c")])
            .args(["-MD", "-MT", "x", "-MF"])
            .arg(&rule)
            .arg("-o")
            .arg(&output)
            .arg(source)
            .env("LC_ALL", "C")
            .stdin(std::process::Stdio::null())
            .output();
        let result = match result {
            Ok(result) => result,
            Err(error) => break Err(format!("{program} does not start: {error}")),
        };
        if result.status.success() {
            break Ok(());
        }
        let errors = String::from_utf8_lossy(&result.stderr).into_owned();
        if errors.contains("-Wsource-uses-openmp") {
            break Err(
                "its threads are made by OpenMP, without which the captured copy would be another program".to_owned()
            );
        }
        match unknown_flag(&errors, &unit.arguments) {
            Some(index) => unit.dropped.push(unit.arguments.remove(index)),
            None => break Err(first_error(&errors, &result.status.to_string())),
        }
    };
    let finished = made.and_then(|()| {
        let text = fs::read_to_string(&rule).unwrap_or_default();
        let files = depend::parse_rule(&text);
        unit.dependencies =
            files.iter().filter_map(|file| depend::describe(&normalise(&unit.folder.join(file)))).collect();
        keep(store, unit, &output).map_err(|error| error.to_string())
    });
    let _ = fs::remove_file(&rule);
    let _ = fs::remove_file(&output);
    finished
}

/// The headers that stand for others while C++ is made into bitcode.
fn overlay(store: &Store) -> Option<PathBuf> {
    Some(store.header_overlay()).filter(|overlay| overlay.is_file())
}

fn keep(store: &Store, mut unit: Unit, bitcode: &Path) -> Result<Unit, Error> {
    unit.id = store::hash(&fs::read(bitcode).map_err(Error::io(bitcode))?);
    // Over one that is there already, which may be damaged.
    store.rename(bitcode, &store.bitcode(&unit.id))?;
    store.describe_unit(&unit)?;
    Ok(unit)
}

/// What decides the outcome of a compile, besides the content of the files that it reads.
fn key(context: &Context, arguments: &[String], source: &str, language: Language) -> String {
    let environment =
        ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"].map(|name| std::env::var_os(name).unwrap_or_default());
    store::hash(
        format!(
            "{ALWAYS:?} {:?} {:?} {arguments:?} {:?} {source:?} {language:?} {environment:?}",
            overlay(&context.store).is_some(),
            context.clang,
            context.folder
        )
        .as_bytes(),
    )
}

fn earlier(context: &Context, key: &str) -> Option<Unit> {
    let unit = context.store.known_compile(key)?;
    (!unit.dependencies.is_empty() && unit.dependencies.iter().all(depend::is_current)).then_some(unit)
}

/// Index of an argument that clang says it does not know.
fn unknown_flag(errors: &str, arguments: &[String]) -> Option<usize> {
    let line = errors.lines().find(|line| {
        line.contains("error: unknown argument")
            || line.contains("error: unsupported option")
            || line.contains("error: unsupported argument")
            || line.contains("error: invalid value")
    })?;
    line.split('\'').skip(1).step_by(2).find_map(|quoted| {
        arguments
            .iter()
            .position(|argument| argument.starts_with('-') && argument.starts_with(quoted))
            .or_else(|| arguments.iter().position(|argument| argument.starts_with('-') && argument.ends_with(quoted)))
    })
}

fn first_error(errors: &str, status: &str) -> String {
    let line = errors.lines().find(|line| line.contains("error:")).or_else(|| errors.lines().next());
    line.map_or_else(|| format!("clang ended with {status}"), |line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::tests::parse;

    #[test]
    fn flags_that_matter_are_kept_and_the_others_sorted() {
        let line = "-O2 -g -Wall -Werror -DX=1 -I inc -std=gnu99 -funsigned-char -D_FORTIFY_SOURCE=2 -fplan9-extensions \
                    -fsanitize=address -Wp,-MD,x.d,-DY -flto -fstack-protector -mavx2 -mtune=native -pthread -include c.h -c a.c";
        let parsed = parse("gcc", line);
        let plan = super::plan(&parsed, Some("gnu17"), false);
        let kept = "-DX=1 -I inc -std=gnu99 -funsigned-char -DY -mavx2 -pthread -include c.h";
        assert_eq!(plan.arguments.join(" "), kept);
        assert_eq!(plan.dropped, ["-fplan9-extensions"]);
        assert_eq!(plan.sanitizers, ["address"]);
        assert_eq!(plan.refused, None);
        let optimised = super::plan(&parsed, Some("gnu17"), true).arguments.join(" ");
        assert_eq!(optimised, format!("{kept} -O2 -fno-vectorize -fno-slp-vectorize"));
    }

    #[test]
    fn threads_by_pragmas_are_refused() {
        let refuses = |line: &str| super::plan(&parse("gcc", line), None, false).arguments == NO_OPENMP;
        assert!(refuses("-fopenmp -c a.c"));
        assert!(refuses("-fopenmp=libomp -c a.c"));
        assert!(!refuses("-fopenmp-simd -c a.c"));
        assert!(!refuses("-c a.c"));
    }

    #[test]
    fn the_last_level_of_optimisation_counts() {
        let arguments = |line: &str| super::plan(&parse("gcc", line), None, true).arguments;
        assert_eq!(arguments("-O3 -c a.c -O"), ["-O", "-fno-vectorize", "-fno-slp-vectorize"]);
        assert_eq!(arguments("-O2 -c a.c -O0"), [""; 0]);
        assert_eq!(arguments("-c a.c"), [""; 0]);
    }

    #[test]
    fn the_compilers_own_standard_is_named() {
        assert_eq!(super::plan(&parse("gcc", "-c a.c"), Some("gnu17"), false).arguments, ["-std=gnu17"]);
        assert!(super::plan(&parse("gcc", "-m32 -c a.c"), None, false).refused.is_some());
    }

    #[test]
    fn a_flag_that_clang_refuses_is_found() {
        let arguments = ["-DX", "-fexec-charset=latin1", "-mfoo"].map(str::to_owned);
        let errors = "clang: error: unknown argument: '-mfoo'\n";
        assert_eq!(unknown_flag(errors, &arguments), Some(2));
        let errors = "clang: error: invalid value 'latin1' in '-fexec-charset=latin1'";
        assert_eq!(unknown_flag(errors, &arguments), Some(1));
        assert_eq!(unknown_flag("a.c:1:1: error: expected 'x'", &arguments), None);
    }
}
