//! Programs with Boost.Test.

use std::collections::HashSet;
use std::path::Path;

use super::Lister;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::program::{ProgramTest, told};
use whydunit_process::Exit;

/// A program says by this status that no test was chosen, or that it could not begin.
const NOT_RUN: Exit = Exit::Status(200);

/// The test cases of a program, by their paths: `suite/case`.
pub(crate) fn tests(lister: &Lister<'_>, program: &Path, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    let listing = lister.ask(program, &["--list_content"], folder)?;
    let listed = cases(&String::from_utf8_lossy(&listing.stderr));
    let mut known = HashSet::new();
    Ok(listed
        .iter()
        .map(|case| test(case, program, folder))
        .filter(|test| known.insert(test.args[0].clone()))
        .collect())
}

/// A test case as a listing has it.
#[derive(PartialEq, Eq, Debug)]
struct Case {
    path: Vec<String>,
    enabled: bool,
}

/// The leaves of a listing: a line for each suite and case, indented by four blanks a level. Behind a name stands a mark where it is
/// run by default, and maybe a description.
fn cases(listing: &str) -> Vec<Case> {
    let lines: Vec<(usize, String, bool)> = listing.lines().filter_map(unit).collect();
    let mut path: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (n, (depth, name, enabled)) in lines.iter().enumerate() {
        path.truncate(*depth);
        path.push(name.clone());
        let is_leaf = lines.get(n + 1).is_none_or(|(next, ..)| next <= depth);
        if is_leaf && path.len() == depth + 1 {
            found.push(Case { path: path.clone(), enabled: *enabled });
        }
    }
    found
}

fn unit(line: &str) -> Option<(usize, String, bool)> {
    let name = line.trim_start_matches(' ');
    let indented = line.len() - name.len();
    let described =
        [("*: ", true), (" : ", false)].into_iter().find_map(|(end, on)| Some((name.split_once(end)?.0, on)));
    let (name, enabled) =
        described.unwrap_or_else(|| name.strip_suffix('*').map_or((name.trim_end(), false), |name| (name, true)));
    (indented.is_multiple_of(4) && !name.is_empty()).then(|| (indented / 4, name.to_owned(), enabled))
}

fn test(case: &Case, program: &Path, folder: &Path) -> ProgramTest {
    let path: Vec<String> = case.path.iter().map(|name| pattern(name)).collect();
    let name = if path == case.path { case.path.join("/") } else { path.join("/") };
    ProgramTest {
        args: vec![
            format!("--run_test={name}"),
            "--color_output=no".into(),
            "--report_level=no".into(),
            "--catch_system_errors=no".into(),
        ],
        left_out: (!case.enabled).then_some(Outcome::Skipped),
        short: path.last().cloned(),
        ..ProgramTest::new(name, program.to_path_buf(), folder.to_path_buf())
    }
}

/// A name as a filter, which has no way to mean these characters themselves: cases of a template that differ behind one are run as one.
fn pattern(name: &str) -> String {
    match name.find([',', ':', '*', '/', '!', '@', '+']) {
        Some(at) => format!("{}*", &name[..at]),
        None => name.to_owned(),
    }
}

/// How a run with one test case went.
pub(crate) fn outcome(text: &str, exit: Exit) -> Outcome {
    if exit == Exit::Status(0) {
        return Outcome::Pass;
    }
    let is_failure = |line: &&str| line.contains("error: in \"");
    let failed: Vec<String> = text.lines().filter(is_failure).map(|line| line.trim().to_owned()).collect();
    if exit == NOT_RUN && failed.is_empty() {
        return Outcome::Error("the program has no such test, or could not begin it".into());
    }
    told(failed, exit)
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn leaves_of_a_listing_are_cases() {
        let listing = "free*\ns*\n    ok*\n    off \n    in*\n        crash*: it: crashes\n        typed<std::string>*\n        \
                       typed<std::map<int, int>>*\n        data*\n            _0*\n            _1*\n";
        let listed = cases(listing);
        let paths: Vec<(String, bool)> = listed.iter().map(|case| (case.path.join("/"), case.enabled)).collect();
        let case = |path: &str, enabled| (path.to_owned(), enabled);
        assert_eq!(
            paths[..4],
            [case("free", true), case("s/ok", true), case("s/off", false), case("s/in/crash", true)]
        );
        assert_eq!(paths[6..], [case("s/in/data/_0", true), case("s/in/data/_1", true)]);
        let names: Vec<String> = listed.iter().map(|case| test(case, Path::new("/p"), Path::new("/")).name).collect();
        assert_eq!((&*names[4], &*names[5]), ("s/in/typed<std*", "s/in/typed<std*"));
    }

    #[test]
    fn failures_are_told_with_their_places() {
        let text = "Running 1 test case...\nb.cpp(5): error: in \"free\": check 1 == 2 has failed [1 != 2]\n";
        let failed = outcome(text, Exit::Status(201)).reason().unwrap();
        assert_eq!(failed, "b.cpp(5): error: in \"free\": check 1 == 2 has failed [1 != 2]");
        assert!(matches!(outcome("", NOT_RUN), Outcome::Error(_)));
        let thrown = "unknown location(0): fatal error: in \"s/t\": std::runtime_error: bad\n";
        assert!(outcome(thrown, NOT_RUN).is_failure());
    }
}
