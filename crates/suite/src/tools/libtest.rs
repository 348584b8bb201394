//! Programs with Rust's own test harness.

use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, Reading, told};
use whydunit_process::Exit;

/// The tests of a program, those of a name `prefix NAME`; none where it has another harness.
pub(crate) fn tests(
    lister: &Lister<'_>,
    program: &Path,
    folder: &Path,
    prefix: &str,
) -> Result<Option<Vec<ProgramTest>>, Error> {
    let list = |args: &[&str]| -> Result<Option<Vec<String>>, Error> {
        let ended = lister.ask(program, args, folder)?;
        Ok((ended.exit == Exit::Status(0)).then(|| names(&String::from_utf8_lossy(&ended.stdout))).flatten())
    };
    let Some(all) = list(&["--list", "--format", "terse"])? else { return Ok(None) };
    let ignored = list(&["--list", "--format", "terse", "--ignored"])?.unwrap_or_default();
    let test = |name: String| {
        let left_out = ignored.contains(&name);
        test(prefix, &name, left_out, program, folder)
    };
    Ok(Some(all.into_iter().map(test).collect()))
}

/// Whether a command line, the program first, is one of a test that runs alone in Rust's harness, as [`test`] makes it.
pub fn is_of_harness(arguments: &[String]) -> bool {
    matches!(arguments, [_, exact, _, uncaptured] if exact == "--exact" && uncaptured == "--nocapture")
}

/// One test of a program.
pub(crate) fn test(prefix: &str, name: &str, ignored: bool, program: &Path, folder: &Path) -> ProgramTest {
    ProgramTest {
        args: vec!["--exact".into(), name.to_owned(), "--nocapture".into()],
        reading: Reading::Libtest,
        left_out: ignored.then_some(Outcome::Skipped),
        short: Some(name.to_owned()),
        ..ProgramTest::new(format!("{prefix} {name}"), program.to_path_buf(), folder.to_path_buf())
    }
}

/// The names of a terse listing; none where it is no such listing.
pub(crate) fn names(listing: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for line in listing.lines().filter(|line| !line.trim().is_empty()) {
        match (line.strip_suffix(": test"), line.strip_suffix(": benchmark")) {
            (Some(name), _) => names.push(name.to_owned()),
            (None, Some(_)) => {}
            (None, None) => return None,
        }
    }
    Some(names)
}

/// The names of the examples that rustdoc lists, one harness after the other, with words of its own between them (edition 2024).
pub(crate) fn examples(listing: &str) -> Vec<String> {
    listing.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// How a run with one test went.
pub(crate) fn outcome(stdout: &str, stderr: &str, exit: Exit) -> Outcome {
    if stdout.contains("running 0 tests") {
        return Outcome::Error("the program has no such test: build again".into());
    }
    if exit == Exit::Status(0) {
        return Outcome::Pass;
    }
    told(panics(&stderr.lines().chain(stdout.lines()).collect::<Vec<_>>()), exit)
}

/// How an example of a documentation went, maybe among others.
pub(crate) fn outcome_of_doctest(name: &str, stdout: &str, exit: Exit) -> Outcome {
    // What is to panic, or not to compile, is listed without saying so.
    let word = |text: &str| -> Option<String> {
        let (kind, word) = text.strip_prefix("test ")?.strip_prefix(name)?.split_once(" ... ")?;
        (kind.is_empty() || kind.starts_with(" - ")).then(|| word.to_string())
    };
    match stdout.lines().find_map(word) {
        Some(word) if word.starts_with("ok") => Outcome::Pass,
        Some(word) if word.starts_with("ignored") => Outcome::Skipped,
        Some(_) => {
            let head = format!("---- {name} ");
            let own =
                stdout.lines().skip_while(|text| !(text.starts_with(&head) && text.ends_with(" stdout ----"))).skip(1);
            let own: Vec<&str> = own.take_while(|text| !text.starts_with("---- ") && *text != "failures:").collect();
            let mut lines = panics(&own);
            // One that does not compile.
            lines.extend(own.iter().find(|line| line.starts_with("error")).map(|line| (*line).to_owned()));
            told(lines, if exit == Exit::Status(0) { Exit::Status(101) } else { exit })
        }
        None => match exit {
            Exit::Status(0) => Outcome::Error("the documentation has no such test".into()),
            exit => Outcome::Error(format!("cargo did not come to run it: {exit}")),
        },
    }
}

/// Panics, each with its place.
fn panics(lines: &[&str]) -> Vec<String> {
    let panics = lines.iter().enumerate().filter_map(|(n, line)| {
        let (_, place) = line.split_once(" panicked at ")?;
        let said: Vec<&str> = lines[n + 1..]
            .iter()
            .take_while(|line| !line.starts_with("note: ") && !line.is_empty() && !line.starts_with("test "))
            .map(|line| line.trim())
            .take(4)
            .collect();
        Some(format!("{place} {}", said.join(" ")).trim().to_owned())
    });
    panics.collect()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn command_lines_of_a_test_that_runs_alone_are_known() {
        let mut line = vec!["deps/area-0a".to_string()];
        assert!(!is_of_harness(&line));
        line.extend(test("area", "a::b", false, Path::new("area"), Path::new(".")).args);
        assert!(is_of_harness(&line));
        line.pop();
        assert!(!is_of_harness(&line));
    }

    #[test]
    fn terse_listings_are_read_and_others_refused() {
        assert_eq!(
            names("a::b: test\nspeed: benchmark\nsrc/lib.rs - f (line 3): test\n").unwrap(),
            ["a::b", "src/lib.rs - f (line 3)"]
        );
        assert_eq!(names("").unwrap(), [""; 0]);
        assert_eq!(names("running my own tests\nok\n"), None);
    }

    #[test]
    fn examples_are_listed_whatever_rustdoc_says_besides() {
        let listing = "src/lib.rs - f (line 3): test\nall doctests ran in 1.05s; merged doctests compilation took 1.04s\n\
                       src/lib.rs - g (line 9): test\n";
        assert_eq!(examples(listing), ["src/lib.rs - f (line 3)", "src/lib.rs - g (line 9)"]);
    }

    #[test]
    fn panics_are_told_with_their_places() {
        let (stdout, stderr) = (
            "\nrunning 1 test\ntest a ... FAILED\n",
            "thread 'a' (7) panicked at src/lib.rs:4:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with\n",
        );
        assert_eq!(
            outcome(stdout, stderr, Exit::Status(101)).reason().unwrap(),
            "src/lib.rs:4:5: assertion `left == right` failed left: 1 right: 2"
        );
        assert!(matches!(outcome("\nrunning 0 tests\n", "", Exit::Status(0)), Outcome::Error(_)));
        assert_eq!(outcome("\nrunning 1 test\ntest a ... ok\n", "", Exit::Status(0)), Outcome::Pass);
    }

    #[test]
    fn an_example_is_read_among_others() {
        let text = "running 2 tests\ntest src/lib.rs - f (line 3) ... ok\ntest src/lib.rs - f (line 13) ... FAILED\n\nfailures:\n\n\
                    ---- src/lib.rs - f (line 13) stdout ----\nthread 'main' (9) panicked at src/lib.rs:14:1:\nno\n\n\nfailures:\n";
        assert_eq!(outcome_of_doctest("src/lib.rs - f (line 3)", text, Exit::Status(101)), Outcome::Pass);
        let failed = outcome_of_doctest("src/lib.rs - f (line 13)", text, Exit::Status(101));
        assert_eq!(failed.reason().unwrap(), "src/lib.rs:14:1: no");
        let kinds = "test src/lib.rs - h (line 8) - compile fail ... ok\ntest src/lib.rs - h (line 80) - should panic ... FAILED\n";
        assert_eq!(outcome_of_doctest("src/lib.rs - h (line 8)", kinds, Exit::Status(101)), Outcome::Pass);
        assert!(outcome_of_doctest("src/lib.rs - h (line 80)", kinds, Exit::Status(101)).is_failure());
        assert!(matches!(outcome_of_doctest("src/lib.rs - g (line 1)", text, Exit::Status(0)), Outcome::Error(_)));
    }
}
