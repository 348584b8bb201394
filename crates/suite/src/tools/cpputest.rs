//! Programs with CppUTest.

use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, told};
use whydunit_process::Exit;

/// The tests of a program, in the order of its sources.
pub(crate) fn tests(lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let listing = lister.answer(program, &["-ln"], folder)?;
    // It lists them backwards, as it runs them.
    Ok(listing.split_whitespace().rev().filter_map(|name| test(name, program, folder)).collect())
}

fn test(name: &str, program: &Path, folder: &Path) -> Option<ProgramTest> {
    let (group, own) = name.split_once('.')?;
    Some(ProgramTest {
        args: ["-sg", group, "-sn", own].map(str::to_owned).to_vec(),
        short: Some(own.to_owned()),
        ..ProgramTest::new(name, program.to_path_buf(), folder.to_path_buf())
    })
}

/// How a run with one test went.
pub(crate) fn outcome(text: &str, exit: Exit) -> Outcome {
    if text.contains("Errors (ran nothing") {
        return Outcome::Error("the program has no such test".into());
    }
    if exit == Exit::Status(0) {
        return if text.contains(", 0 ran, ") && text.contains(", 1 ignored, ") {
            Outcome::Skipped
        } else {
            Outcome::Pass
        };
    }
    let lines: Vec<&str> = text.lines().collect();
    let failures = lines.iter().enumerate().filter_map(|(n, line)| {
        let (place, _) = line.split_once(": error: Failure in ")?;
        let said: Vec<&str> =
            lines[n + 1..].iter().map(|line| line.trim()).take_while(|line| !line.is_empty()).collect();
        Some(format!("{place}: {}", said.join(" ")))
    });
    told(failures.collect(), exit)
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn names_are_groups_and_tests() {
        let one = test("First.ok", Path::new("/p"), Path::new("/")).unwrap();
        assert_eq!((&*one.name, one.args.join(" ")), ("First.ok", "-sg First -sn ok".into()));
        assert!(test("noise", Path::new("/p"), Path::new("/")).is_none());
    }

    #[test]
    fn failures_are_told_with_what_was_expected() {
        let text = "\nu.cpp:5: error: Failure in TEST(First, bad)\n\tLONGS_EQUAL(1, 2) failed\n\texpected <1 (0x1)>\n\tbut was  <2 (0x2)>\n\n.\n\
                    Errors (1 failures, 7 tests, 1 ran, 1 checks, 0 ignored, 6 filtered out, 0 ms)\n";
        let failed = outcome(text, Exit::Status(1)).reason().unwrap();
        assert_eq!(failed, "u.cpp:5: LONGS_EQUAL(1, 2) failed expected <1 (0x1)> but was  <2 (0x2)>");
        let ignored = "!\nOK (7 tests, 0 ran, 0 checks, 1 ignored, 6 filtered out, 0 ms)\n";
        assert_eq!(outcome(ignored, Exit::Status(0)), Outcome::Skipped);
        let nothing = "Errors (ran nothing, 7 tests, 0 ran, 0 checks, 0 ignored, 7 filtered out, 0 ms)\n";
        assert!(matches!(outcome(nothing, Exit::Status(1)), Outcome::Error(_)));
    }
}
