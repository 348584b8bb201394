//! Options of a build that has no tests unless they are asked for.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// Options of a CMake project's CMakeLists.txt that are about its tests and are off, as they are turned on: `-DBUILD_TESTING=ON`; and those
/// by which the build runs the tests, so that it fails with them, turned off: `-DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF`.
pub(crate) fn of_cmake(folder: &Path) -> Vec<String> {
    static RUNS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r#"(?is)\boption\s*\(\s*(\w*POST_BUILD\w*TEST\w*|\w*TESTS?_(?:AFTER|POST)_BUILD)\s+"[^"]*"\s+ON\s*\)"#)
    });
    static OFF: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [
            r#"(?is)\boption\s*\(\s*(\w+)\s+"[^"]*"\s+(?:OFF|NO|FALSE|0)\s*\)"#,
            r#"(?is)\bcmake_dependent_option\s*\(\s*(\w+)\s+"[^"]*"\s+(?:OFF|NO|FALSE|0)\s"#,
            r"(?i)\bset\s*\(\s*(\w+)\s+(?:OFF|NO|FALSE|0)\b",
        ]
        .map(pattern)
    });
    let text = read(folder, "CMakeLists.txt");
    let off = OFF.iter().flat_map(|pattern| pattern.captures_iter(&text));
    let mut options = turned_on(off.map(|found| found[1].to_owned()), |name| format!("-D{name}=ON"));
    options.extend(RUNS.captures_iter(&text).map(|found| format!("-D{}=OFF", &found[1])));
    options
}

/// Those of a Meson project's list of options: `-Dtests=true`, or `-Dtests=enabled` where it is a feature.
pub(crate) fn of_meson(folder: &Path) -> Vec<String> {
    static OPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)\boption\s*\(\s*'([\w-]+)'([^)]*)\)"));
    static OFF: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bvalue\s*:\s*(false|'disabled'|'false')"));
    let text = ["meson.options", "meson_options.txt"].map(|file| read(folder, file)).concat();
    let off = OPTION.captures_iter(&text).filter_map(|found| {
        let value = OFF.captures(&found[2])?;
        Some((found[1].to_owned(), if &value[1] == "'disabled'" { "enabled" } else { "true" }))
    });
    off.filter(|(name, _)| is_of_tests(name)).map(|(name, on)| format!("-D{name}={on}")).collect()
}

/// Those of a `configure` that has an option for tests, whether it is on or off: `--enable-tests`.
pub(crate) fn of_configure(folder: &Path) -> Vec<String> {
    static OPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*AC_ARG_ENABLE\s*\(\s*\[?\s*([\w-]+)"));
    let text = ["configure.ac", "configure.in"].map(|file| read(folder, file)).concat();
    turned_on(OPTION.captures_iter(&text).map(|found| found[1].to_owned()), |name| format!("--enable-{name}"))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is right")
}

fn read(folder: &Path, file: &str) -> String {
    String::from_utf8_lossy(&fs::read(folder.join(file)).unwrap_or_default()).into_owned()
}

/// The options about tests among those with these names, each once.
fn turned_on(names: impl Iterator<Item = String>, option: impl Fn(&str) -> String) -> Vec<String> {
    let mut options = Vec::new();
    for name in names.filter(|name| is_of_tests(name)) {
        let option = option(&name);
        if !options.contains(&option) {
            options.push(option);
        }
    }
    options
}

/// Whether an option is called as those are that build a project's own tests: `tests`, `BUILD_TESTING`, `PUGIXML_BUILD_TESTS`. Not those
/// of special tests (`FMT_CUDA_TEST`), or of when tests are run (`X_POST_BUILD_TEST`).
fn is_of_tests(name: &str) -> bool {
    const TESTS: [&str; 5] = ["test", "tests", "testing", "unittest", "unittests"];
    const ASKS: [&str; 5] = ["build", "enable", "with", "include", "make"];
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(['_', '-']).collect();
    let Some((last, before)) = words.split_last().filter(|(last, _)| TESTS.contains(last)) else { return false };
    if words.contains(&"post") || words.contains(&"after") {
        return false;
    }
    let before = before.strip_suffix(&["unit"]).unwrap_or(before);
    // What the project is called stands before the word that asks, or that word is not there.
    before.last().is_none_or(|word| ASKS.contains(word)) || before.len() == 1 && *last != "test"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(file: &str, text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(file), text).expect("a file");
        folder
    }

    #[test]
    fn options_of_cmake_that_are_off_are_turned_on() {
        let of = |text: &str| of_cmake(folder("CMakeLists.txt", text).path());
        assert_eq!(of("option(BUILD_TESTING \"Build test programs\" OFF)"), ["-DBUILD_TESTING=ON"]);
        assert_eq!(of("option(\n  UTF8PROC_ENABLE_TESTING\n  \"Enable\" Off)"), ["-DUTF8PROC_ENABLE_TESTING=ON"]);
        assert_eq!(of("if(NOT DEFINED BUILD_TESTING)\n  set(BUILD_TESTING OFF)\nendif()"), ["-DBUILD_TESTING=ON"]);
        assert_eq!(
            of("cmake_dependent_option(PUGIXML_BUILD_TESTS\n  \"Build tests\" OFF\n  \"BUILD_TESTING\" OFF)"),
            ["-DPUGIXML_BUILD_TESTS=ON"]
        );
        assert_eq!(of("option(FOO_TESTS \"Tests\" OFF)\noption(FOO_TESTS \"again\" OFF)"), ["-DFOO_TESTS=ON"]);
        assert_eq!(
            of("option(JSONCPP_WITH_POST_BUILD_UNITTEST \"Automatically run unit-tests\" ON)"),
            ["-DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF"]
        );
        let nothing = "option(BUILD_TESTING \"\" ON)\noption(FMT_CUDA_TEST \"Cuda\" OFF)\noption(A_TEST_COVERAGE \"\" OFF)\n\
                       option(JANSSON_WITHOUT_TESTS \"\" OFF)\noption(FMT_TEST \"\" ${MASTER})\noption(X_FAST \"\" OFF)\noption(X_POST_BUILD_TEST \"\" OFF)";
        assert_eq!(of(nothing), [""; 0]);
    }

    #[test]
    fn options_of_meson_and_configure_are_turned_on() {
        let meson = "option('tests', type : 'boolean', value : false)\noption('unit_tests',\n  type: 'feature', value: 'disabled')\n\
                     option('docs', type: 'boolean', value: false)\noption('testing', type: 'boolean', value: true)";
        assert_eq!(of_meson(folder("meson_options.txt", meson).path()), ["-Dtests=true", "-Dunit_tests=enabled"]);
        let configure = "AC_ARG_ENABLE([tests],\n  AS_HELP_STRING([--enable-tests], [x]))\nAC_ARG_ENABLE(debug, [y])";
        assert_eq!(of_configure(folder("configure.ac", configure).path()), ["--enable-tests"]);
        assert_eq!(of_configure(folder("configure", "").path()), [""; 0]);
    }
}
