//! Builds that run the tests of a project, as `make` of many small ones does, and end with an error because one of these fails.

/// Whether a build says nothing worse than that what is called a test or a check has failed: it is built then, and its suite tells the rest.
pub(crate) fn only_tests_failed(said: &str) -> bool {
    let mut failed = said.lines().filter_map(target).peekable();
    failed.peek().is_some() && failed.all(is_of_tests) && !said.lines().any(is_error)
}

/// The target that make could not make, as a line says: `make[1]: *** [Makefile:12: test] Error 1`.
fn target(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("*** [")?;
    let (target, end) = rest.rsplit_once(']')?;
    // What was killed or could not be started is no outcome of a test.
    let name = target.rsplit(' ').next().unwrap_or(target);
    Some(if end.trim_start().starts_with("Error 127") { "" } else { name })
}

fn is_of_tests(target: &str) -> bool {
    let name = target.rsplit('/').next().unwrap_or(target).to_lowercase();
    // An object or a program of the tests that cannot be made is none that fails.
    (name.contains("test") || name.contains("check")) && !name.contains('.')
}

/// Whether a compiler, a linker or a tool of the build says an error in a line.
fn is_error(line: &str) -> bool {
    let line = line.to_lowercase();
    let said =
        [": error:", ": fatal error:", "undefined reference", "no rule to make", "cmake error", "command not found"];
    line.starts_with("error") || said.iter().any(|words| line.contains(words))
}

#[cfg(test)]
mod tests {
    use super::only_tests_failed;

    #[test]
    fn a_test_that_fails_is_told_from_what_is_not_built() {
        assert!(only_tests_failed(
            "cc -o test_1 tests.c\n./test_1\nTests failed: 1\nmake: *** [Makefile:16: test] Error 1\n"
        ));
        assert!(only_tests_failed(
            "make[1]: *** [Makefile:9: check] Error 2\nmake: *** [Makefile:3: run-tests] Error 2\n"
        ));
        for said in [
            "",
            "make: *** No rule to make target 'tests/a.c', needed by 'test'.  Stop.\n",
            "tests.c:3:1: error: expected ';'\nmake: *** [Makefile:16: test] Error 1\n",
            "make: *** [Makefile:16: tests.o] Error 1\n",
            "make: *** [Makefile:16: program] Error 1\nmake: *** [Makefile:20: test] Error 1\n",
            "sh: 1: tclsh: not found\nmake: *** [Makefile:16: test] Error 127\n",
            "tests.c: undefined reference to `f'\nmake: *** [Makefile:16: test] Error 1\n",
        ] {
            assert!(!only_tests_failed(said), "{said}");
        }
    }
}
