//! Programs with doctest. Options are given with its prefix, which works where a program has options of its own, too.

use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, told};
use whydunit_process::Exit;

/// What it says when a filter leaves nothing.
const NOTHING: &str = "[doctest] test cases: 0 |";

/// The test cases of a program; those that it skips by itself are left out when they are run.
pub(crate) fn tests(lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let text = lister.answer(program, &["--dt-list-test-cases", "--dt-no-skip", "--dt-reporters=xml"], folder)?;
    let listed = text.find("<doctest").map_or(Ok(Vec::new()), |at| cases(&text[at..]));
    let not_whole =
        |message| Error::at(program, format!("the tests cannot be listed: its listing is no whole XML ({message})"));
    Ok(listed.map_err(not_whole)?.iter().map(|case| test(case, program, folder)).collect())
}

/// A test case as a listing has it.
#[derive(PartialEq, Eq, Debug)]
struct Case {
    name: String,
    suite: Option<String>,
    skipped: bool,
}

fn cases(text: &str) -> Result<Vec<Case>, String> {
    let end = "</doctest>";
    let text = text.find(end).map_or(text, |at| &text[..at + end.len()]);
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let listed = document.root_element().children().filter(|node| node.has_tag_name("TestCase"));
    let case = |node: roxmltree::Node<'_, '_>| {
        Some(Case {
            name: node.attribute("name")?.to_owned(),
            suite: node.attribute("testsuite").map(str::to_owned),
            skipped: node.attribute("skipped") == Some("true"),
        })
    };
    Ok(listed.filter_map(case).collect())
}

fn test(case: &Case, program: &Path, folder: &Path) -> ProgramTest {
    let mut args = vec![format!("--dt-test-case={}", pattern(&case.name))];
    args.extend(case.suite.iter().map(|suite| format!("--dt-test-suite={}", pattern(suite))));
    args.extend(["--dt-case-sensitive=true", "--dt-no-colors=true"].map(str::to_owned));
    let name = case.suite.iter().chain([&case.name]).map(String::as_str).collect::<Vec<_>>().join("/");
    ProgramTest {
        args,
        left_out: case.skipped.then_some(Outcome::Skipped),
        short: Some(case.name.clone()),
        ..ProgramTest::new(name, program.to_path_buf(), folder.to_path_buf())
    }
}

/// A name as a filter: commas part filters, and not every version knows how to have one in a filter; `?` is any character.
fn pattern(name: &str) -> String {
    name.replace([',', '\\', '"'], "?")
}

/// How a run with one test case went.
pub(crate) fn outcome(text: &str, exit: Exit) -> Outcome {
    if text.contains(NOTHING) {
        return Outcome::Error("the program has no such test".into());
    }
    if exit == Exit::Status(0) {
        return Outcome::Pass;
    }
    let is_failure = |line: &&str| line.contains(": ERROR: ") || line.contains(": FATAL ERROR: ");
    told(text.lines().filter(is_failure).map(|line| line.trim().to_owned()).collect(), exit)
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn listings_are_read_with_what_a_main_prints_before_and_after() {
        let text = "<doctest binary=\"./d\" version=\"2.4.9\">\n  <Options order_by=\"file\"/>\n  \
                    <TestCase name=\"a, b\" testsuite=\"s\" filename=\"d.cpp\" line=\"4\" skipped=\"false\"/>\n  \
                    <TestCase name=\"typed&lt;int>\" filename=\"d.cpp\" line=\"7\" skipped=\"true\"/>\n</doctest>\nbye\n";
        let listed = cases(text).unwrap();
        let case = |name: &str, suite: Option<&str>, skipped| Case {
            name: name.into(),
            suite: suite.map(str::to_owned),
            skipped,
        };
        assert_eq!(listed, [case("a, b", Some("s"), false), case("typed<int>", None, true)]);
        let test = test(&listed[0], Path::new("/p"), Path::new("/"));
        assert_eq!(
            (&*test.name, &test.args[..2]),
            ("s/a, b", &["--dt-test-case=a? b".into(), "--dt-test-suite=s".into()][..])
        );
        assert!(cases("<doctest><TestCase").is_err());
    }

    #[test]
    fn failures_are_told_with_their_places() {
        let text = "d.cpp:4: ERROR: CHECK( 1 == 2 ) is NOT correct!\n  values: CHECK( 1 == 2 )\n";
        let failed = outcome(text, Exit::Status(1)).reason().unwrap();
        assert_eq!(failed, "d.cpp:4: ERROR: CHECK( 1 == 2 ) is NOT correct!");
        assert!(matches!(outcome("[doctest] test cases: 0 | 0 passed\n", Exit::Status(0)), Outcome::Error(_)));
        assert_eq!(outcome("", Exit::Status(3)).reason().unwrap(), "exit status 3 instead of 0");
    }
}
