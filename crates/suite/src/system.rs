//! Build systems: how each builds a project with its tests.

use std::fs;
use std::path::Path;

use crate::switches;

/// A build system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum System {
    Cargo,
    Make,
    Configure,
    Cmake,
    Meson,
    Autoconf,
}

/// Options of CMake with which those that were given are forgotten again.
fn as_they_are(options: &[String]) -> String {
    let forgotten = options.iter().filter_map(|option| option.strip_prefix("-D")?.split_once('='));
    forgotten.map(|(name, _)| format!("-U{name}")).collect::<Vec<_>>().join(" ")
}

/// A `configure` with options, or without them where it does not end well so.
pub(crate) fn with_options(configure: &str, options: &[String]) -> String {
    match options.is_empty() {
        true => configure.into(),
        false => format!("{{ {configure} {} || {configure}; }}", options.join(" ")),
    }
}

impl System {
    /// What builds, the tests' programs among it, out of the sources where the system can do that; `tests` are options that
    /// turn tests on, without which it is configured where that fails with them.
    pub fn command(self, tests: &[String]) -> String {
        const CMAKE: &str = "cmake -S . -B \"$WHYDUNIT_BUILD_DIR\" -DCMAKE_BUILD_TYPE=Debug";
        const MESON: &str = "meson setup \"$WHYDUNIT_BUILD_DIR\" .";
        match self {
            System::Cargo => "cargo test --no-run".into(),
            System::Make => "make".into(),
            System::Configure => format!("{} && make", with_options("./configure", tests)),
            System::Cmake => {
                // What is in the build folder's cache is kept there.
                let with = tests.join(" ");
                let configured = match tests.is_empty() {
                    true => CMAKE.to_owned(),
                    false => format!("{{ {CMAKE} {with} || {CMAKE} {}; }}", as_they_are(tests)),
                };
                format!("{configured} && cmake --build \"$WHYDUNIT_BUILD_DIR\" -j2")
            }
            System::Meson => {
                let configured = match tests.is_empty() {
                    true => MESON.to_owned(),
                    false => format!("{MESON} {} || {MESON}", tests.join(" ")),
                };
                format!(
                    "{{ test -e \"$WHYDUNIT_BUILD_DIR/build.ninja\" || {configured}; }} && meson compile -C \"$WHYDUNIT_BUILD_DIR\""
                )
            }
            System::Autoconf => format!("autoreconf -i && {} && make", with_options("./configure", tests)),
        }
    }

    /// Options of its build in a folder that turn tests on.
    pub fn options_for_tests(self, folder: &Path) -> Vec<String> {
        match self {
            System::Cmake => switches::of_cmake(folder),
            System::Meson => switches::of_meson(folder),
            System::Configure | System::Autoconf => switches::of_configure(folder),
            System::Cargo | System::Make => Vec::new(),
        }
    }

    /// The file that tells it.
    pub fn sign(self, folder: &Path) -> &'static str {
        match self {
            System::Cargo => "Cargo.toml",
            System::Make => makefile(folder).unwrap_or("Makefile"),
            System::Configure => "configure",
            System::Cmake => "CMakeLists.txt",
            System::Meson => "meson.build",
            System::Autoconf => "configure.ac",
        }
    }
}

/// The names of makefiles, in the order in which make looks for them.
const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The makefile in a folder that make takes.
pub(crate) fn makefile(folder: &Path) -> Option<&'static str> {
    MAKEFILES.into_iter().find(|name| folder.join(name).is_file())
}

/// What has to be added to `make` in a folder whose Makefile names compilers by their paths, so that they are looked for by name
/// (` CC=gcc`): nothing can be put in the place of a path. Empty where it does not.
pub fn compilers_by_name(folder: &Path) -> String {
    let text = makefile(folder).and_then(|name| fs::read(folder.join(name)).ok()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let set = text.lines().filter_map(|line| {
        let (variable, value) = line.split_once('=')?;
        let variable = variable.trim_end_matches([':', '?', ' ', '\t']);
        let path = Path::new(value.split_whitespace().next()?);
        let name = path.file_name()?.to_str()?;
        (matches!(variable, "CC" | "CXX" | "LD") && path.is_absolute()).then(|| format!(" {variable}={name}"))
    });
    set.collect()
}
