//! Of which kind the reason is that a version does not build.

/// `dependency`, `build system` or `compiler`, and the first line that says so; what a compiler or a tool of the build printed is read.
pub fn kind(said: &str) -> (&'static str, String) {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = |words: &[&str]| lines.iter().find(|line| words.iter().any(|word| line.to_lowercase().contains(word)));
    if let Some(line) = first(DEPENDENCY) {
        return ("dependency", (*line).to_owned());
    }
    if let Some(line) = missing_header(&lines).or_else(|| in_dependency(&lines)) {
        return ("dependency", line.to_owned());
    }
    // A compiler's own word comes before that of the tool that ran it.
    let compiler =
        lines.iter().find(|line| is_error(line) && !SYSTEM.iter().any(|word| line.to_lowercase().contains(word)));
    if let Some(line) = compiler {
        return ("compiler", (*line).to_owned());
    }
    let line = first(SYSTEM).or(lines.last()).copied().unwrap_or("it says nothing");
    ("build system", line.to_owned())
}

/// Whether a compiler or a linker says an error in a line; `Error::Empty` in a line of a source is none.
fn is_error(line: &str) -> bool {
    let line = line.to_lowercase();
    let starts = ["error:", "error[", "fatal error:"].iter().any(|start| line.starts_with(start));
    starts || line.contains(": error:") || line.contains(": fatal error:") || line.contains("undefined reference")
}

/// The line that says that a header in angle brackets is not there: one of something else than the project.
fn missing_header<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let first = lines.iter().position(|line| is_error(line))?;
    let is_missing = lines[first].contains("No such file or directory") || lines[first].contains("file not found");
    let shown =
        lines.iter().skip(first + 1).take(2).any(|line| line.contains("#include <") || line.contains("# include <"));
    (is_missing && lines[first].contains("fatal error:") && shown).then(|| lines[first])
}

/// The first error, where it is one in the source of a package that cargo fetched.
fn in_dependency<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let first = lines.iter().position(|line| line.starts_with("error"))?;
    let place = lines.iter().skip(first + 1).take(3).find(|line| line.starts_with("-->"))?;
    place.contains("/registry/src/").then(|| lines[first])
}

const DEPENDENCY: &[&str] = &[
    "cannot find -l",
    "no matching package",
    "could not find a package",
    "could not find package",
    "failed to select a version",
    "unable to find library",
    "command not found",
    "is not installed",
    "fatal error: 'gtest",
    "failed to get `",
    "failed to download",
    "could not resolve host",
    "dependency lookup for",
];
const SYSTEM: &[&str] = &[
    "make: ***",
    "make[",
    "cmake error",
    "failed to parse manifest",
    "could not find `cargo.toml`",
    "meson.build:",
    "configure: error",
    "autoreconf",
    "failed to parse lock file",
];

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn reasons_have_kinds() {
        let cases = [
            (
                "cc a.c\na.c:3:1: error: expected ';'\nmake: *** [a] Error 1\n",
                "compiler",
                "a.c:3:1: error: expected ';'",
            ),
            ("CMake Error at CMakeLists.txt:1\n", "build system", "CMake Error at CMakeLists.txt:1"),
            (
                "/usr/bin/ld: cannot find -lfoo\ncollect2: error: ld returned 1\n",
                "dependency",
                "/usr/bin/ld: cannot find -lfoo",
            ),
            ("make: *** No rule to make target 'x.c'.\n", "build system", "make: *** No rule to make target 'x.c'."),
            (
                "a.c:1:10: fatal error: x/y.h: No such file or directory\n    1 | #include <x/y.h>\n",
                "dependency",
                "a.c:1:10: fatal error: x/y.h: No such file or directory",
            ),
            (
                "a.c:1:10: fatal error: y.h: No such file or directory\n    1 | #include \"y.h\"\n",
                "compiler",
                "a.c:1:10: fatal error: y.h: No such file or directory",
            ),
            (
                "error[E0282]: type annotations needed\n   --> /x/registry/src/index/time-0.3.3/src/lib.rs:83:9\n",
                "dependency",
                "error[E0282]: type annotations needed",
            ),
            (
                "warning: x\n  7 |     n.ok_or(Error::Empty);\nerror: cannot find `n`\n",
                "compiler",
                "error: cannot find `n`",
            ),
            ("error[E0425]: cannot find value\n", "compiler", "error[E0425]: cannot find value"),
            ("", "build system", "it says nothing"),
        ];
        for (said, of, line) in cases {
            assert_eq!(kind(said), (of, line.to_owned()), "{said}");
        }
    }
}
