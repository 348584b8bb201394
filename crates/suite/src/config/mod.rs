//! `whydunit.toml`.

mod parse;
mod units;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Error;
use crate::framework::Framework;
use crate::paths::STORE;
use whydunit_process::Limits;

pub(crate) use units::{show_duration, show_size};

/// The file's name.
pub const FILE_NAME: &str = "whydunit.toml";
/// A variable that tells build commands which folder is there for them to build in.
pub const BUILD_VARIABLE: &str = "WHYDUNIT_BUILD_DIR";
/// The machine that cargo's programs are for.
pub(crate) const CARGO_TARGET: &str = "x86_64-unknown-linux-gnu";

/// How a project is built and tested.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Config {
    /// The folder that all paths are relative to.
    pub folder: PathBuf,
    /// The file that says so; none where it was found out.
    pub file: Option<PathBuf>,
    /// The folder of what this program keeps, where it is not `.whydunit` in the project.
    pub store: Option<PathBuf>,
    /// `[build]`.
    pub build: BuildConfig,
    /// `[tests]`.
    pub tests: TestsConfig,
    /// `[mine.X]`, by class.
    pub mine: BTreeMap<String, MineConfig>,
    /// `[history]`.
    pub history: HistoryConfig,
}

/// `[history]`: how fixes are told from other commits.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HistoryConfig {
    /// Regular expressions; a message that one matches is most likely of a fix.
    pub patterns: Vec<String>,
    /// The score from which on a message counts as a fix.
    pub least: Option<f64>,
    /// Paths of the tests' files; a star stands for anything.
    pub tests: Vec<String>,
}

/// `[mine.X]`: how the objects of a class are seen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MineConfig {
    /// The fields and inspectors that make a state; none: all.
    pub state: Option<Vec<String>>,
    /// Fields and inspectors that are left out.
    pub leave_out: Vec<String>,
    /// How values are seen, by path: `sign`, `value`, `emptiness`, `null`.
    pub abstraction: BTreeMap<String, String>,
    /// Functions of C that make an object.
    pub constructors: Vec<String>,
    /// Functions of C that end one.
    pub destructors: Vec<String>,
    /// Functions of C that are methods; a star stands for anything. None: those that debug information tells of.
    pub methods: Vec<String>,
    /// When the result of a function says that it has failed: `< 0`, `NULL`, `== N`, `not in {…}`.
    pub error: Option<String>,
}

/// `[build]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BuildConfig {
    /// How; none where it is to be found out.
    pub how: Option<BuildHow>,
    /// What the tests run, relative to the project.
    pub executable: Option<PathBuf>,
    /// Capture code as optimised as the build asks for it; `None` where nothing is said: no.
    pub optimised: Option<bool>,
    /// Set in the environment of builds and of listings of tests, over all else; a caller's, no file says it.
    pub env: Vec<(OsString, OsString)>,
}

impl BuildConfig {
    /// Whether code is captured as optimised as the build asks for it.
    pub fn is_optimised(&self) -> bool {
        self.optimised.unwrap_or(false)
    }
}

/// How a project is built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildHow {
    /// By this shell command, in the project's folder.
    Command(String),
    /// These files are compiled and linked.
    Sources {
        /// Relative to the project.
        sources: Vec<PathBuf>,
        /// For compiler and linker.
        flags: Vec<String>,
    },
}

/// The command that compiles and links files: that of C++ where one of them is C++.
pub fn compiler_of(sources: &[PathBuf]) -> &'static str {
    let is_cpp = |source: &PathBuf| {
        let ending = source.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("cpp" | "cc" | "cxx" | "c++" | "C" | "cp" | "CPP"))
    };
    if sources.iter().any(is_cpp) { "c++" } else { "cc" }
}

/// `[tests]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TestsConfig {
    /// Which; none where it is to be found out.
    pub kind: Option<TestsKind>,
    /// Where the command of an automake suite runs, where that is not the project's folder.
    pub folder: Option<PathBuf>,
    /// For one test (automake: for the whole `make check`).
    pub timeout: Option<Duration>,
    /// Tests side by side.
    pub jobs: Option<NonZeroUsize>,
    /// Bytes of memory for all processes of a test.
    pub memory: Option<u64>,
    /// Bytes of output of a test.
    pub output: Option<u64>,
    /// Processes of a test at a time.
    pub processes: Option<usize>,
    /// Bytes of the largest file that a test writes.
    pub file_size: Option<u64>,
    /// How often failing tests are run again to see whether they are flaky.
    pub reruns: Option<u32>,
}

/// Where tests come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestsKind {
    /// A table of cases, or a folder of them; relative to the project.
    Cases(PathBuf),
    /// Shell commands in the project's folder, one a test, that exit 0 or not.
    Script(Vec<String>),
    /// A shell command in the project's folder that runs an automake suite.
    Automake(String),
    /// `cargo test …` or `cargo nextest run …`, in the project's folder.
    Cargo(String),
    /// CTest's tests, of a build folder.
    Ctest(PathBuf),
    /// Meson's tests, of a build folder.
    Meson(PathBuf),
    /// Programs with a test framework; none: the executable.
    Programs(Framework, Vec<PathBuf>),
    /// Shell commands in the project's folder that print TAP.
    Tap(Vec<String>),
}

impl TestsKind {
    /// Whether a tool or the programs themselves tell which tests there are, so that each is a run of a program.
    pub fn is_listed(&self) -> bool {
        use TestsKind::{Cargo, Ctest, Meson, Programs};
        matches!(self, Cargo(_) | Ctest(_) | Meson(_) | Programs(..))
    }
}

impl Config {
    /// Reads a `whydunit.toml`.
    pub fn read(file: &Path) -> Result<Config, Error> {
        let text = std::fs::read_to_string(file).map_err(Error::io("read the configuration", file))?;
        parse::parse(file, &text)
    }

    /// Reads the text of a `whydunit.toml` that would lie at `file`.
    pub fn parse(file: &Path, text: &str) -> Result<Config, Error> {
        parse::parse(file, text)
    }

    /// The configuration of the project that `folder` is in: the nearest `whydunit.toml` there or above.
    pub fn find(folder: &Path) -> Result<Option<Config>, Error> {
        for folder in folder.ancestors() {
            let file = folder.join(FILE_NAME);
            if file.is_file() {
                return Config::read(&file).map(Some);
            }
        }
        Ok(None)
    }

    /// The limits of a test, with defaults by kind where nothing is said.
    pub fn limits(&self) -> Limits {
        let tests = &self.tests;
        let defaults = match &tests.kind {
            None | Some(TestsKind::Cases(_)) => Limits::default(),
            Some(kind) if kind.is_listed() => {
                Limits { time: Some(Duration::from_secs(120)), processes: Some(512), ..Limits::default() }
            }
            // A script or `make check` is a whole suite's work.
            Some(TestsKind::Automake(_)) => Limits {
                time: Some(Duration::from_secs(3600)),
                processes: Some(2048),
                memory: None,
                output: 64 << 20,
                ..Limits::default()
            },
            Some(_) => Limits { time: Some(Duration::from_secs(600)), processes: Some(512), ..Limits::default() },
        };
        Limits {
            time: tests.timeout.or(defaults.time),
            memory: tests.memory.or(defaults.memory),
            output: tests.output.unwrap_or(defaults.output),
            processes: tests.processes.or(defaults.processes),
            file_size: tests.file_size.or(defaults.file_size),
            ..defaults
        }
    }

    /// Where the executable lies, absolute. What is compiled from `sources` lies in `.whydunit/programs`, unless said otherwise.
    pub fn executable(&self) -> Option<PathBuf> {
        let path = match (&self.build.executable, &self.build.how) {
            (Some(path), _) => path.clone(),
            (None, Some(BuildHow::Sources { sources, .. })) => {
                Path::new(".whydunit/programs").join(sources.first()?.file_stem()?)
            }
            _ => return None,
        };
        Some(self.path(&path))
    }

    /// A path of the configuration, absolute. What begins with `.whydunit` lies in the store, wherever that is.
    pub fn path(&self, path: &Path) -> PathBuf {
        let plain = path.strip_prefix(".").unwrap_or(path);
        match (&self.store, plain.strip_prefix(STORE)) {
            (Some(store), Ok(rest)) => crate::paths::absolute(store, rest),
            _ => crate::paths::absolute(&self.folder, path),
        }
    }

    /// Where builds that can be kept out of the sources go, absolute.
    pub fn build_folder(&self) -> PathBuf {
        self.path(&Path::new(STORE).join("build"))
    }

    /// What tests find in their environment.
    pub fn test_environment(&self) -> Vec<(OsString, OsString)> {
        vec![(BUILD_VARIABLE.into(), self.build_folder().into_os_string())]
    }

    /// What builds and listings of tests find in their environment.
    pub fn build_environment(&self) -> Vec<(OsString, OsString)> {
        let mut environment = self.test_environment();
        if let Some(TestsKind::Cargo(_)) = self.tests.kind {
            environment.push(("CARGO_TARGET_DIR".into(), self.build_folder().into_os_string()));
            // With a machine named, cargo tells what is for the program from build scripts and procedural macros.
            environment.push(("CARGO_BUILD_TARGET".into(), CARGO_TARGET.into()));
            environment.push(("CARGO_INCREMENTAL".into(), "0".into()));
        }
        environment.extend(self.build.env.iter().cloned());
        environment
    }
}
