//! Programs with Catch2, version 2 or 3.

use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, told};
use whydunit_process::Exit;

/// The test cases of a program; hidden ones, which do not run by themselves, are left out as it leaves them out.
pub(crate) fn tests(lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    // Version 2 takes the reporter for that of a run, and lists for people.
    let listing = lister.ask(program, &["--list-tests", "--reporter", "xml"], folder)?;
    let text = String::from_utf8_lossy(&listing.stdout);
    let names = match text.find("<MatchingTests>") {
        Some(at) => names_of_xml(&text[at..]).map_err(|message| {
            Error::at(program, format!("the tests cannot be listed: its listing is no whole XML ({message})"))
        })?,
        None => {
            // Ends with the number of tests.
            let listing = lister.ask(program, &["--list-test-names-only"], folder)?;
            String::from_utf8_lossy(&listing.stdout).lines().filter_map(name_of_line).collect()
        }
    };
    Ok(names.into_iter().map(|name| test(name, program, folder)).collect())
}

fn test(name: String, program: &Path, folder: &Path) -> ProgramTest {
    ProgramTest {
        args: vec![escaped(&name), "--reporter".into(), "compact".into()],
        short: Some(name.clone()),
        ..ProgramTest::new(name, program.to_path_buf(), folder.to_path_buf())
    }
}

/// A line of version 2, which puts names that begin with a `#` in quotes.
fn name_of_line(line: &str) -> Option<String> {
    let name = line.trim_end();
    let name =
        name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).filter(|n| n.starts_with('#')).unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

fn names_of_xml(text: &str) -> Result<Vec<String>, String> {
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let cases = document.root_element().children().filter(|node| node.has_tag_name("TestCase"));
    let name = |case: roxmltree::Node<'_, '_>| {
        case.children().find(|node| node.has_tag_name("Name")).and_then(|node| node.text()).map(str::to_owned)
    };
    Ok(cases.filter_map(name).collect())
}

/// A name as a filter that means it alone.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if "\\,[]\"".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// How a run with one test case went.
pub(crate) fn outcome(text: &str, exit: Exit) -> Outcome {
    if text.contains("No test cases matched") || text.contains("No tests ran") {
        return Outcome::Error("the program has no such test".into());
    }
    /// That all tests were skipped, in version 3.
    const SKIPPED: Exit = Exit::Status(4);
    let failed: Vec<String> =
        text.lines().filter(|line| line.contains(": failed")).map(|line| line.trim().to_owned()).collect();
    match exit {
        Exit::Status(0) => Outcome::Pass,
        SKIPPED if failed.is_empty() && text.contains(": skipped") => Outcome::Skipped,
        _ => told(failed, exit),
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn listings_of_both_versions_are_read() {
        let xml = "<MatchingTests>\n  <TestCase>\n    <Name>a &lt;b> [c]</Name>\n    <ClassName/>\n    <Tags>[x]</Tags>\n  \
                   </TestCase>\n  <TestCase><Name>d</Name></TestCase>\n</MatchingTests>\n";
        assert_eq!(names_of_xml(xml).unwrap(), ["a <b> [c]", "d"]);
        assert!(names_of_xml("<MatchingTests><TestCase>").is_err());
        let lines = "sum, of [two]\n\"#hash\"\n\nfine\n";
        assert_eq!(lines.lines().filter_map(name_of_line).collect::<Vec<_>>(), ["sum, of [two]", "#hash", "fine"]);
        assert_eq!(escaped("sum, of [two]"), "sum\\, of \\[two\\]");
    }

    #[test]
    fn outcomes_of_the_compact_reporter() {
        let failed = "a.cc:3: failed: 1 + 1 == 3 for: 2 == 3\nFailed 1 test case, failed 1 assertion.\n";
        assert_eq!(outcome(failed, Exit::Status(1)).reason().unwrap(), "a.cc:3: failed: 1 + 1 == 3 for: 2 == 3");
        assert_eq!(outcome("a.cc:3: skipped: 'no net'\n", Exit::Status(4)), Outcome::Skipped);
        assert!(outcome(&"a.cc:3: failed: x\n".repeat(4), Exit::Status(4)).is_failure());
        assert!(matches!(outcome("No test cases matched 'x'\n", Exit::Status(0)), Outcome::Error(_)));
    }
}
