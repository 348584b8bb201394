//! Programs with GoogleTest.

use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, told};
use whydunit_process::Exit;

/// The tests of a program.
pub(crate) fn tests(lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let listing = lister.answer(program, &["--gtest_list_tests"], folder)?;
    Ok(names(&listing).into_iter().map(|name| test(name, program, folder)).collect())
}

fn test(name: String, program: &Path, folder: &Path) -> ProgramTest {
    // Those are left out by GoogleTest itself.
    let disabled = name.split(['.', '/']).any(|part| part.starts_with("DISABLED_"));
    ProgramTest {
        args: vec![format!("--gtest_filter={name}"), "--gtest_color=no".into()],
        left_out: disabled.then_some(Outcome::Skipped),
        short: Some(name.clone()),
        ..ProgramTest::new(name, program.to_path_buf(), folder.to_path_buf())
    }
}

/// The full names of a listing: a line for each suite, which ends with a dot, and an indented line for each of its tests.
fn names(listing: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut suite = None;
    for line in listing.lines() {
        let plain = line.split("  # ").next().unwrap_or(line).trim_end();
        match (plain.strip_prefix("  "), suite) {
            (Some(name), Some(suite)) if !name.is_empty() && !name.contains(' ') => {
                names.push(format!("{suite}{name}"))
            }
            _ => suite = (plain.ends_with('.') && !plain.contains(' ')).then_some(plain),
        }
    }
    names
}

/// How a run with one test went.
pub(crate) fn outcome(text: &str, exit: Exit) -> Outcome {
    if text.contains("[==========] Running 0 tests") {
        return Outcome::Error("the program has no such test".into());
    }
    if exit == Exit::Status(0) {
        return if text.contains("[  SKIPPED ] ") { Outcome::Skipped } else { Outcome::Pass };
    }
    let lines: Vec<&str> = text.lines().collect();
    let failures = lines.iter().enumerate().filter_map(|(n, line)| {
        let place = line.strip_suffix(": Failure")?;
        let is_end = |line: &&&str| !line.is_empty() && !line.starts_with('[') && !line.ends_with(": Failure");
        let said: Vec<&str> = lines[n + 1..].iter().take_while(is_end).map(|line| line.trim()).take(8).collect();
        Some(format!("{place}: {}", said.join(" ")))
    });
    told(failures.collect(), exit)
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn listings_are_read_with_what_a_main_prints_before() {
        let listing = "Running main() from gtest_main.cc\nHello there.\n  not a test\nA.\n  B\n  DISABLED_C\nTyped/0.  # TypeParam = int\n  \
                       D\nI/P.\n  Q/0  # GetParam() = \"a  # b\"\n";
        assert_eq!(names(listing), ["A.B", "A.DISABLED_C", "Typed/0.D", "I/P.Q/0"]);
        let tests: Vec<ProgramTest> =
            names(listing).into_iter().map(|name| test(name, Path::new("/p"), Path::new("/"))).collect();
        let left_out: Vec<bool> = tests.iter().map(|test| test.left_out.is_some()).collect();
        assert_eq!(left_out, [false, true, false, false]);
    }

    #[test]
    fn failures_are_told_with_their_places() {
        let text = "[ RUN      ] A.B\na.cc:2: Failure\nExpected equality of these values:\n  1\n  2\nwhy\na.cc:3: Failure\nFailed\n[  FAILED  ] A.B (0 ms)\n";
        let failed = outcome(text, Exit::Status(1)).reason().unwrap();
        assert_eq!(failed, "a.cc:2: Expected equality of these values: 1 2 why; a.cc:3: Failed");
        assert_eq!(outcome("[  SKIPPED ] A.S (0 ms)", Exit::Status(0)), Outcome::Skipped);
        assert!(matches!(
            outcome("[==========] Running 0 tests from 0 test suites.", Exit::Status(0)),
            Outcome::Error(_)
        ));
        assert_eq!(outcome("", Exit::Status(3)).reason().unwrap(), "exit status 3 instead of 0");
    }
}
