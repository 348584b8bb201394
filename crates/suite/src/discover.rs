//! Finds out how a project without a `whydunit.toml` is built and tested.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::automake;
use crate::config::{BuildConfig, BuildHow, Config, TestsKind};
use crate::error::Error;
use crate::paths::store_of;
use crate::system::{System, compilers_by_name, makefile, with_options};

/// More C files than this in one folder are a project whose build we do not guess.
const FEW_FILES: usize = 64;

/// What was found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Discovered {
    /// The configuration; parts that could not be found out are empty.
    pub config: Config,
    /// What was decided and from what, a line each.
    pub decisions: Vec<String>,
    /// What could not be found out, and what to write where, a line each.
    pub open: Vec<String>,
}

/// What is known of the project in `folder`: its `whydunit.toml`, completed by what is found out, or all found out.
pub fn configuration(folder: &Path) -> Result<Discovered, Error> {
    let file = folder.join(crate::FILE_NAME);
    if !file.is_file() {
        return discover(folder);
    }
    let mut config = Config { folder: folder.to_path_buf(), ..Config::read(&file)? };
    let (mut decisions, mut open) = (Vec::new(), Vec::new());
    // Cargo builds what it tests; with tests of another kind the build is the user's, who may have made it by another command.
    // One of which only that is said how it is to be captured is found out, as it is without the file.
    let cargo = matches!(config.tests.kind, Some(TestsKind::Cargo(_)));
    if config.build.how.is_none() && (cargo || config.build.optimised.is_some()) {
        let found = Project::at(folder).build(&mut decisions, &mut open);
        config.build.how = found.how;
        config.build.executable = config.build.executable.or(found.executable);
    }
    let tests = complete(config);
    decisions.extend(tests.decisions);
    open.extend(tests.open);
    Ok(Discovered { config: tests.config, decisions, open })
}

/// Looks at the project in `folder`.
pub fn discover(folder: &Path) -> Result<Discovered, Error> {
    // A folder that cannot be read is a mistake; one with nothing in it is not.
    fs::read_dir(folder).map_err(Error::io("read the project's folder", folder))?;
    let (mut decisions, mut open) = (Vec::new(), Vec::new());
    let build = Project::at(folder).build(&mut decisions, &mut open);
    let config = Config { folder: folder.to_path_buf(), build, ..Config::default() };
    let tests = complete(config);
    decisions.extend(tests.decisions);
    open.extend(tests.open);
    Ok(Discovered { config: tests.config, decisions, open })
}

/// Finds out which tests the project of a configuration has, where that does not say it.
pub fn complete(mut config: Config) -> Discovered {
    let (mut decisions, mut open) = (Vec::new(), Vec::new());
    if config.tests.kind.is_none() {
        let project = Project::at(&config.folder);
        let elsewhere = project.place() != Place::Sources;
        config.tests.kind = project.tests(&mut decisions, &mut open);
        if elsewhere && matches!(config.tests.kind, Some(TestsKind::Automake(_))) {
            config.tests.folder.get_or_insert_with(|| BUILD.into());
        }
    }
    Discovered { config, decisions, open }
}

/// The folders right below one in which a build system's files lie, by name.
pub fn builds_below(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir() && Project::at(&entry.path()).system().is_some())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

/// The build folder in a configuration.
const BUILD: &str = ".whydunit/build";
/// Goes to the build folder.
const APART: &str = "mkdir -p \"$WHYDUNIT_BUILD_DIR\" && cd \"$WHYDUNIT_BUILD_DIR\"";
/// Goes to a copy of sources that cannot be written.
const COPY: &str = "mkdir -p \"$WHYDUNIT_BUILD_DIR\" && cp -RL . \"$WHYDUNIT_BUILD_DIR\" && chmod -R u+w \"$WHYDUNIT_BUILD_DIR\" && cd \"$WHYDUNIT_BUILD_DIR\"";

/// Where a project is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In its folder, or where its command says.
    Sources,
    /// In the build folder.
    Apart,
    /// In the build folder, which has a copy of the sources.
    Copy,
}

struct Project<'a> {
    folder: &'a Path,
    /// Nothing can be written there.
    read_only: bool,
}

impl<'a> Project<'a> {
    fn at(folder: &'a Path) -> Self {
        Self { folder, read_only: !store_of(folder).starts_with(folder) }
    }

    fn has(&self, name: &str) -> bool {
        self.folder.join(name).is_file()
    }

    fn makefile(&self) -> Option<&'static str> {
        makefile(self.folder)
    }

    fn build(&self, decisions: &mut Vec<String>, open: &mut Vec<String>) -> BuildConfig {
        let by_command = |decisions: &mut Vec<String>, from: &str, command: &str| {
            decisions.push(format!("build: `{command}`, because there is {from}"));
            BuildConfig { how: Some(BuildHow::Command(command.into())), ..BuildConfig::default() }
        };
        let config = match self.system() {
            None => return self.sources(decisions, open),
            Some(system) => {
                let set = if system == System::Make { compilers_by_name(self.folder) } else { String::new() };
                if !set.is_empty() {
                    let named = self.makefile().unwrap_or("the Makefile");
                    decisions.push(format!("compiler: `{}`, because {named} names it by its path", set.trim()));
                }
                let tested = if system == System::Make { self.what_is_tested() } else { None };
                if let Some(goals) = &tested {
                    let named = self.makefile().unwrap_or("the Makefile");
                    decisions.push(format!("built: `{goals}`, because the first target of {named} runs tests"));
                }
                let tests = system.options_for_tests(self.folder);
                if !tests.is_empty() {
                    decisions.push(format!(
                        "options: `{}`, so that there are tests, and the build does not run them",
                        tests.join(" ")
                    ));
                }
                let goals = tested.map(|goals| format!(" {goals}")).unwrap_or_default();
                let command = match self.place() {
                    Place::Sources => format!("{}{goals}{set}", system.command(&tests)),
                    Place::Apart => {
                        let configure = with_options("\"$OLDPWD/configure\"", &tests);
                        format!("{APART} && {{ test -e Makefile || {configure}; }} && make")
                    }
                    Place::Copy => format!("{COPY} && {}{set}", system.command(&tests)),
                };
                let makes = matches!(system, System::Make | System::Configure | System::Autoconf);
                let command = match makes && automake::has_programs_for_check(self.folder) {
                    true => format!("{command} && {{ make check TESTS={set} || :; }}"),
                    false => command,
                };
                if self.place() == Place::Copy {
                    decisions.push("build: of a copy, because the project's folder cannot be written".into());
                }
                by_command(decisions, system.sign(self.folder), &command)
            }
        };
        // These have tests that name their programs.
        if matches!(self.system(), Some(System::Cargo | System::Cmake | System::Meson)) {
            return config;
        }
        match self.declared_program() {
            Some(program) => {
                let program = if self.place() == Place::Copy { program.replacen('.', BUILD, 1) } else { program };
                decisions
                    .push(format!("executable: `{program}`, because {} says so", self.makefile().unwrap_or("make")));
                BuildConfig { executable: Some(program.into()), ..config }
            }
            None => {
                open.push("executable: the build may make several; set `executable` in [build]".into());
                config
            }
        }
    }

    /// What the first target of a short Makefile needs, where that target runs tests: building it would run them. None of others, and
    /// where it cannot be read here.
    fn what_is_tested(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join(self.makefile()?)).ok()?;
        let elsewhere = ["include ", "-include ", ".DEFAULT_GOAL"];
        if text.lines().any(|line| elsewhere.iter().any(|start| line.starts_with(start))) {
            return None;
        }
        let rules = rules(&text);
        let (_, needs) = rules
            .iter()
            .find(|(target, _)| !target.starts_with('.'))
            .filter(|(target, _)| matches!(*target, "test" | "tests" | "check"))?;
        let needed: Vec<&str> = needs.split_whitespace().collect();
        let is_made = |name: &&str| rules.iter().any(|(target, _)| target == name);
        (!needed.is_empty() && needed.iter().all(is_made)).then(|| needed.join(" "))
    }

    /// The program of a short Makefile: a target of `all` that is linked from a C file of ours or from objects.
    fn declared_program(&self) -> Option<String> {
        let text = fs::read_to_string(self.folder.join(self.makefile()?)).ok()?;
        let targets = rules(&text);
        let is_program = |name: &str| {
            let plain = !name.is_empty() && !name.contains(['$', '%', '.', ' ', '=']);
            let target = targets.iter().find(|(target, _)| *target == name);
            plain
                && target.is_some_and(|(_, needs)| {
                    needs
                        .split_whitespace()
                        .any(|need| need.ends_with(".c") || need.ends_with(".o") || need.contains('$'))
                })
        };
        let all = targets.iter().find(|(target, _)| *target == "all").map(|(_, needs)| *needs);
        // Without `all`, make builds the first target.
        let candidates: Vec<&str> = match all {
            Some(needs) => needs.split_whitespace().collect(),
            None => {
                targets.iter().map(|(target, _)| *target).find(|target| !target.starts_with('.')).into_iter().collect()
            }
        };
        let mut programs = candidates.into_iter().filter(|name| is_program(name));
        match (programs.next(), programs.next()) {
            (Some(one), None) => Some(format!("./{one}")),
            _ => None,
        }
    }

    /// One or a few C files without a build.
    fn sources(&self, decisions: &mut Vec<String>, open: &mut Vec<String>) -> BuildConfig {
        let mut sources = c_files(self.folder, Path::new(""));
        if sources.is_empty() {
            sources = c_files(self.folder, Path::new("src"));
        }
        if sources.is_empty() || sources.len() > FEW_FILES {
            open.push(
                "build: no Makefile, configure, CMakeLists.txt, meson.build or C file; set `command` in [build]".into(),
            );
            return BuildConfig::default();
        }
        let texts: Vec<String> = sources
            .iter()
            .map(|path| String::from_utf8_lossy(&fs::read(self.folder.join(path)).unwrap_or_default()).into_owned())
            .collect();
        let mains: Vec<usize> = (0..texts.len()).filter(|n| defines_main(&texts[*n])).collect();
        let [main] = mains[..] else {
            let message = if mains.is_empty() {
                "build: no C file here has a `main`; set `sources` or `command` in [build]".into()
            } else {
                let names: Vec<String> = mains.iter().map(|n| sources[*n].display().to_string()).collect();
                format!(
                    "build: several files have a `main` ({}); set `sources` in [build] to those of one program",
                    names.join(", ")
                )
            };
            open.push(message);
            return BuildConfig::default();
        };
        let includes = |header: &str| {
            texts.iter().any(|text| {
                text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|line| line.contains(header))
            })
        };
        let mut flags = Vec::new();
        if includes("<math.h>") || includes("<complex.h>") || includes("<tgmath.h>") {
            flags.push("-lm".to_string());
        }
        if includes("<pthread.h>") {
            flags.push("-pthread".to_string());
        }
        // The program is named after the file with `main`.
        let main = sources.remove(main);
        sources.insert(0, main);
        let names: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
        decisions.push(format!("build: {} compiled together, as there is no other build", names.join(", ")));
        BuildConfig { how: Some(BuildHow::Sources { sources, flags }), ..BuildConfig::default() }
    }

    fn tests(&self, decisions: &mut Vec<String>, open: &mut Vec<String>) -> Option<TestsKind> {
        let kind = self.tests_kind(decisions);
        if kind.is_none() {
            open.push(
                "tests: none found; write cases.jsonl (one {\"name\", \"args\", \"stdin\", \"stdout\"} a line) or set `kind` \
                 and `command` in [tests]"
                    .into(),
            );
        }
        kind
    }

    /// Where it is built by a system that builds where it is called.
    fn place(&self) -> Place {
        let builds_in_place = matches!(self.system(), Some(System::Make | System::Configure | System::Autoconf));
        let with_vpath = || {
            let makefile = fs::read(self.folder.join("Makefile.in")).unwrap_or_default();
            // One that was configured in its sources refuses to be configured elsewhere.
            !self.has("config.status") && String::from_utf8_lossy(&makefile).contains("VPATH")
        };
        if self.system() == Some(System::Configure) && with_vpath() {
            Place::Apart
        } else if self.read_only && builds_in_place {
            Place::Copy
        } else {
            Place::Sources
        }
    }

    /// The build system whose files lie in the project's folder.
    fn system(&self) -> Option<System> {
        // A project with several is most often at home in the first of these: packages keep old builds beside new ones.
        let cmake = || self.has("CMakeLists.txt");
        let meson = || self.has("meson.build");
        if self.has("Cargo.toml") {
            Some(System::Cargo)
        } else if self.makefile().is_some() && !(cmake() || meson()) {
            Some(System::Make)
        } else if self.has("configure") && !(cmake() || meson()) {
            Some(System::Configure)
        } else if cmake() {
            Some(System::Cmake)
        } else if meson() {
            Some(System::Meson)
        } else {
            self.has("configure.ac").then_some(System::Autoconf)
        }
    }

    fn tests_kind(&self, decisions: &mut Vec<String>) -> Option<TestsKind> {
        for file in ["cases.jsonl", "tests/cases.jsonl", "test/cases.jsonl"] {
            if self.has(file) {
                decisions.push(format!("tests: the cases in {file}"));
                return Some(TestsKind::Cases(file.into()));
            }
        }
        for folder in ["cases", "tests/cases", "test/cases"] {
            if self.folder.join(folder).is_dir() {
                decisions.push(format!("tests: the folder of cases {folder}"));
                return Some(TestsKind::Cases(folder.into()));
            }
        }
        let build = PathBuf::from(BUILD);
        let listed = match self.system() {
            Some(System::Cargo) => {
                Some((TestsKind::Cargo("cargo test".into()), "`cargo test`, because there is Cargo.toml"))
            }
            Some(System::Cmake) => Some((
                TestsKind::Ctest(build),
                "those that ctest lists, or else those of programs with a test framework, because there is CMakeLists.txt",
            )),
            Some(System::Meson) => {
                Some((TestsKind::Meson(build), "those that meson lists, because there is meson.build"))
            }
            _ => None,
        };
        if let Some((kind, told)) = listed {
            decisions.push(format!("tests: {told}"));
            return Some(kind);
        }
        let automake = self.has("Makefile.am");
        let target = |name: &str| self.makefile().is_some_and(|makefile| has_target(&self.folder.join(makefile), name));
        if automake || target("check") {
            let from = if automake { "there is Makefile.am" } else { "the Makefile has the target `check`" };
            decisions.push(format!("tests: `make check`, because {from}"));
            return Some(TestsKind::Automake("make check".into()));
        }
        if target("test") {
            decisions.push("tests: `make test`, because the Makefile has the target `test`".into());
            let elsewhere = if self.place() == Place::Sources { "" } else { "-C \"$WHYDUNIT_BUILD_DIR\" " };
            return Some(TestsKind::Script(vec![format!("make {elsewhere}test")]));
        }
        let scripts = ["test.sh", "run-tests.sh", "run_tests.sh", "runtests.sh", "tests/run.sh", "tests/run-tests.sh"];
        for script in scripts {
            if self.has(script) {
                let runs = if is_executable(&self.folder.join(script)) {
                    format!("./{script}")
                } else {
                    format!("sh {script}")
                };
                decisions.push(format!("tests: the script {script}"));
                return Some(TestsKind::Script(vec![runs]));
            }
        }
        None
    }
}

/// The C files of a folder of the project, in order.
fn c_files(project: &Path, folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(project.join(folder)).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.path().is_file())
        .map(|entry| folder.join(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// Whether C text defines a function `main`: the word, then a parenthesis, outside comments and texts.
fn defines_main(text: &str) -> bool {
    let code = without_comments(text);
    let bytes = code.as_bytes();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    code.match_indices("main").any(|(at, _)| {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let after = code[at + 4..].trim_start();
        // `main(…);` is a call or a declaration.
        let closes = after.find(')').map(|close| after[close + 1..].trim_start());
        !before.is_some_and(word) && after.starts_with('(') && closes.is_some_and(|rest| !rest.starts_with([';', ',']))
    })
}

/// C text without comments, and with texts and characters emptied.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map_or(rest.len(), |end| end + 4)
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|next| {
                let ends = !escaped && (next == c || next == '\n');
                escaped = !escaped && next == '\\';
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    out
}

/// The rules of a Makefile: target, and what it needs.
fn rules(makefile: &str) -> Vec<(&str, &str)> {
    let lines = makefile.lines().filter(|line| !line.starts_with(['\t', '#', ' ']));
    let rules = lines.filter_map(|line| line.split_once(':')).filter(|(_, needs)| !needs.starts_with('='));
    rules.map(|(target, needs)| (target.trim(), needs.trim())).collect()
}

fn has_target(makefile: &Path, target: &str) -> bool {
    let text = fs::read(makefile).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().any(|line| {
        line.split_once(':').is_some_and(|(targets, rest)| {
            !line.starts_with(['\t', '#'])
                && !rest.starts_with('=')
                && targets.split_whitespace().any(|name| name == target)
        })
    })
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// The ELF programs below a folder (shared libraries and hidden folders left out, but libtool's `.libs` looked into), those
/// nearest to it first. For projects whose executable is known only after the build.
pub fn find_executables(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(0, folder.to_path_buf())];
    while let Some((depth, folder)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() {
                if (!name.starts_with('.') || name == ".libs") && depth < 12 {
                    folders.push((depth + 1, path));
                }
            } else if kind.is_file() && !name.contains(".so") && is_executable(&path) && is_elf_program(&path) {
                found.push((depth, path));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// An ELF executable, position-independent or not, that names an interpreter or an entry.
fn is_elf_program(path: &Path) -> bool {
    let mut head = [0; 32];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let kind = u16::from_le_bytes([head[16], head[17]]);
    let entry = u64::from_le_bytes([head[24], head[25], head[26], head[27], head[28], head[29], head[30], head[31]]);
    read.is_ok() && head.starts_with(b"\x7fELF") && (kind == 2 || kind == 3) && entry != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_first_target_tests_is_built_without_its_tests() {
        let folder = tempfile::tempdir().unwrap();
        let goals = |makefile: &str| {
            fs::write(folder.path().join("makefile"), makefile).unwrap();
            Project::at(folder.path()).what_is_tested()
        };
        let built = "a.out: a.c\n\tcc a.c\n";
        assert_eq!(goals(&format!(".PHONY: test\ntest: a.out\n\t./a.out\n{built}")).as_deref(), Some("a.out"));
        assert_eq!(goals(&format!("all: a.out\ntest: a.out\n\t./a.out\n{built}")), None);
        assert_eq!(goals("test: $(PROGRAMS)\n\t./a.out\n"), None);
        assert_eq!(goals(&format!("include more.mk\ntest: a.out\n\t./a.out\n{built}")), None);
        assert_eq!(goals("test:\n\tcc a.c && ./a.out\n"), None);
    }

    #[test]
    fn main_is_found_where_it_is_defined() {
        for text in ["int main(void) { }", "int\nmain (int argc, char **argv)\n{", "main() {}", "int main(a) int a; {}"]
        {
            assert!(defines_main(text), "{text}");
        }
        for text in [
            "int domain(void) {}",
            "// int main() {}\nint f;",
            "/* main() { */",
            "char *s = \"main() {\";",
            "int main(void);",
            "char c = '\"'; int mainly(void) {} char d = '\"';",
            "int main;",
        ] {
            assert!(!defines_main(text), "{text}");
        }
    }
}
