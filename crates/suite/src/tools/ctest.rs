//! CTest: the tests of a build folder.
//!
//! A test runs as the command that it is, with its folder, environment and time limit; one with properties that only
//! CTest can serve (fixtures, expressions over the output) is run by `ctest`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::{Lister, find_program, make_unique};
use crate::discover::find_executables;
use crate::error::Error;
use crate::framework::Framework;
use crate::outcome::{Difference, Outcome};
use crate::program::{ProgramTest, Reading};

#[derive(Deserialize)]
struct Listing {
    tests: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    /// Left out where the program is not there.
    #[serde(default)]
    command: Vec<String>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Value,
}

/// Properties that decide nothing about one test by itself, besides those that are served here.
const NO_MATTER: &[&str] = &[
    "LABELS",
    "COST",
    "PROCESSORS",
    "PROCESSOR_AFFINITY",
    "RUN_SERIAL",
    "RESOURCE_LOCK",
    "DEPENDS",
    "MEASUREMENT",
    "ATTACHED_FILES",
    "ATTACHED_FILES_ON_FAIL",
];

/// What GoogleTest's own CMake module says of how a skipped test looks.
const GTEST_SKIPPED: &str = r"\[  SKIPPED \]";

/// Options of a CMake build that name tests and are off, as they would be turned on, for the end of a message; empty where there is
/// none.
fn turned_off(folder: &Path) -> String {
    let cache = std::fs::read(folder.join("CMakeCache.txt")).unwrap_or_default();
    let cache = String::from_utf8_lossy(&cache);
    let off = |line: &str| {
        let (name, value) = line.split_once(":BOOL=")?;
        let off = matches!(value.to_ascii_uppercase().as_str(), "OFF" | "NO" | "FALSE" | "0" | "N" | "");
        (off && name.to_ascii_uppercase().contains("TEST")).then(|| format!("-D{name}=ON"))
    };
    let options: Vec<String> = cache.lines().filter_map(off).collect();
    match options[..] {
        [] => String::new(),
        _ => format!("; it was configured without what {} would add", options.join(" and ")),
    }
}

/// The tests of the build folder `folder`.
pub(crate) fn tests(lister: &Lister<'_>, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    if !folder.join("CTestTestfile.cmake").is_file() {
        let message = format!(
            "no CMake build with tests is here: build first (`whydunit build`), see that CMakeLists.txt calls \
             enable_testing(), or name the build folder as `folder` in [tests]{}",
            turned_off(folder)
        );
        return by_programs(lister, folder, message);
    }
    let text = lister.answer(Path::new("ctest"), &["--show-only=json-v1"], folder)?;
    let listing: Listing = serde_json::from_str(&text).map_err(|error| {
        Error::at(
            folder,
            format!("the tests cannot be listed: `ctest --show-only=json-v1` gives no such JSON: {error}"),
        )
    })?;
    if listing.tests.is_empty() {
        let message = format!("the suite has no tests{}", turned_off(folder));
        return by_programs(lister, folder, message);
    }
    let mut tests = Vec::new();
    for (index, listed) in listing.tests.iter().enumerate() {
        let test = test(listed, index + 1, folder);
        // A program of a framework without arguments is as many tests as it has.
        let whole = listed.command.len() == 1 && test.reading == Reading::PLAIN && test.left_out.is_none();
        match whole.then(|| lister.split(&test)).flatten() {
            Some(parts) => tests.extend(parts),
            None => tests.push(test),
        }
    }
    make_unique(&mut tests);
    Ok(tests)
}

/// The tests of the programs in a build folder that have a test framework, where CTest is not told of any; `none` says that there are none.
fn by_programs(lister: &Lister<'_>, folder: &Path, none: String) -> Result<Vec<ProgramTest>, Error> {
    let tests_of = |program: PathBuf| {
        let name = program.file_name()?.to_string_lossy().into_owned();
        let runs_in = program.parent()?.to_path_buf();
        lister.split(&ProgramTest::new(name, program, runs_in))
    };
    let programs = find_executables(folder).into_iter().take_while(|_| !lister.is_cancelled());
    let mut tests: Vec<ProgramTest> = programs.filter_map(tests_of).flatten().collect();
    if lister.is_cancelled() {
        return Err(Error::at(folder, "the tests of its programs cannot be listed: that was stopped"));
    }
    make_unique(&mut tests);
    if tests.is_empty() { Err(Error::at(folder, none)) } else { Ok(tests) }
}

fn test(listed: &Listed, number: usize, folder: &Path) -> ProgramTest {
    let (mut skip, mut fails, mut own) = (None, false, true);
    let mut test = ProgramTest::new(&listed.name, PathBuf::new(), folder.to_path_buf());
    for Property { name, value } in &listed.properties {
        match name.as_str() {
            "WORKING_DIRECTORY" => test.folder = value.as_str().map_or_else(|| folder.to_path_buf(), PathBuf::from),
            "ENVIRONMENT" => {
                test.env = texts(value).iter().filter_map(|text| text.split_once('=')).map(owned).collect()
            }
            "TIMEOUT" => test.timeout = value.as_f64().filter(|s| *s > 0.0 && *s < 1e9).map(Duration::from_secs_f64),
            "WILL_FAIL" => fails = value.as_bool().unwrap_or(false),
            "SKIP_RETURN_CODE" => skip = value.as_i64().and_then(|status| i32::try_from(status).ok()),
            "DISABLED" if value.as_bool() == Some(true) => test.left_out = Some(Outcome::Skipped),
            "DISABLED" => {}
            "SKIP_REGULAR_EXPRESSION" if texts(value) == [GTEST_SKIPPED] => {}
            name if NO_MATTER.contains(&name) => {}
            _ => own = false,
        }
    }
    let Some((program, args)) = listed.command.split_first() else {
        let message = "its program is not there: build it first";
        test.left_out.get_or_insert(Outcome::Error(message.into()));
        return test;
    };
    if !own && let Some(ctest) = find_program(Path::new("ctest")) {
        let args = ["-I", &format!("{number},{number}"), "-V"].map(str::to_owned).to_vec();
        let left_out = test.left_out;
        return ProgramTest {
            args,
            reading: Reading::Ctest(number),
            left_out,
            ..ProgramTest::new(&listed.name, ctest, folder.to_path_buf())
        };
    }
    test.program = find_program(Path::new(program)).unwrap_or_else(|| program.into());
    test.args = args.to_vec();
    let gtest = args.iter().any(|arg| arg.starts_with("--gtest_filter=") && !arg.contains(['*', ':', '?']));
    test.reading = match (Reading::Exit { fails, skip, error: None }) {
        // A test that GoogleTest's CMake module found.
        Reading::PLAIN if gtest && Framework::of(&test.program) == Some(Framework::Gtest) => {
            Reading::Framework(Framework::Gtest)
        }
        reading => reading,
    };
    test
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What `ctest -V` says of the test of this number.
pub(crate) fn outcome(number: usize, text: &str) -> Outcome {
    let of_ours = format!("#{number}: ");
    // `1/1 Test #3: name ....   Passed    0.01 sec`; what the test itself prints stands behind `3: `.
    let line = text.lines().rev().find(|line| {
        let head = line.split_once(" Test ").filter(|(count, _)| count.trim_start().split('/').all(is_number));
        head.is_some_and(|(_, rest)| rest.trim_start().starts_with(&of_ours))
    });
    let Some(line) = line else {
        return Outcome::Error("ctest did not run it".into());
    };
    let Some((_, verdict)) = line.split_once("***") else {
        return if line.contains(" Passed ") { Outcome::Pass } else { Outcome::Error(format!("ctest says: {line}")) };
    };
    let verdict = verdict.trim();
    let said = match verdict.rsplit_once("  ") {
        Some((said, seconds)) if seconds.ends_with("sec") => said.trim(),
        _ => verdict,
    };
    let why = || vec![Difference::Reported(format!("ctest reports {said}"))];
    if verdict.starts_with("Skipped") || verdict.contains("(Disabled)") {
        Outcome::Skipped
    } else if verdict.starts_with("Timeout") {
        Outcome::Timeout
    } else if verdict.starts_with("Not Run") {
        Outcome::Error(format!("ctest says: {said}"))
    } else {
        Outcome::Fail { why: why() }
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn verdicts_of_ctest() {
        let line = |end: &str| format!("    Start 3: re\n1: 2: #3: x\n1/1 Test #3: re ........{end}\n\n100% tests\n");
        assert_eq!(outcome(3, &line("...   Passed    0.01 sec")), Outcome::Pass);
        assert_eq!(outcome(3, &line("***Skipped   0.01 sec")), Outcome::Skipped);
        assert_eq!(outcome(3, &line("***Not Run (Disabled)   0.00 sec")), Outcome::Skipped);
        assert_eq!(outcome(3, &line("***Timeout   5.00 sec")), Outcome::Timeout);
        let failed = line("***Failed  Required regular expression not found. Regex=[three\n]  0.00 sec");
        assert!(outcome(3, &failed).reason().unwrap().contains("Required regular expression not found"));
        assert!(outcome(3, &line("***Exception: SegFault  0.10 sec")).is_failure());
        assert!(matches!(outcome(4, &line("   Passed    0.01 sec")), Outcome::Error(_)));
    }

    #[test]
    fn properties_that_only_ctest_serves_leave_the_test_to_it() {
        let listed = |properties: &str| -> Listed {
            serde_json::from_str(&format!(
                r#"{{"name":"t","command":["/bin/sh","-c","x"],"properties":[{properties}]}}"#
            ))
            .unwrap()
        };
        let plain = listed(
            r#"{"name":"WORKING_DIRECTORY","value":"/w"},{"name":"ENVIRONMENT","value":["A=b=c"]},{"name":"TIMEOUT","value":2.5},{"name":"WILL_FAIL","value":true}"#,
        );
        let test_of_plain = test(&plain, 1, Path::new("/b"));
        assert_eq!((test_of_plain.folder.as_path(), &test_of_plain.env[0].1[..]), (Path::new("/w"), "b=c"));
        assert_eq!(test_of_plain.timeout, Some(Duration::from_millis(2500)));
        assert_eq!(test_of_plain.reading, Reading::Exit { fails: true, skip: None, error: None });
        let fixture = test(&listed(r#"{"name":"FIXTURES_REQUIRED","value":["db"]}"#), 7, Path::new("/b"));
        assert_eq!((fixture.reading, fixture.args[1].as_str()), (Reading::Ctest(7), "7,7"));
        let gone: Listed = serde_json::from_str(r#"{"name":"t"}"#).unwrap();
        assert!(matches!(test(&gone, 1, Path::new("/b")).left_out, Some(Outcome::Error(_))));
    }
}
