//! Meson: the tests of a build folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{Lister, find_program, libtest, make_unique};
use crate::error::Error;
use crate::program::{ProgramTest, Reading};
use whydunit_process::Exit;

/// A test as `meson introspect --tests` tells it.
#[derive(Deserialize)]
struct Listed {
    name: String,
    cmd: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    workdir: Option<String>,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    suite: Vec<String>,
    #[serde(default)]
    protocol: String,
}

/// Meson tells which tests are to fail only in what it keeps for itself.
const EXPECTED_TO_FAIL: &str = "import json, pickle\nwith open('meson-private/meson_test_setup.dat', 'rb') as f: tests = pickle.load(f)\n\
                                print(json.dumps([[t.name, bool(t.should_fail)] for t in tests]))";

/// The tests of the build folder `folder`.
pub(crate) fn tests(lister: &Lister<'_>, folder: &Path) -> Result<Vec<ProgramTest>, Error> {
    if !folder.join("meson-private").is_dir() {
        let message =
            "no Meson build is here: build first (`whydunit build`), or name the build folder as `folder` in [tests]";
        return Err(Error::at(folder, message));
    }
    let text = lister.answer(Path::new("meson"), &["introspect", "--tests"], folder)?;
    let listing: Vec<Listed> = serde_json::from_str(&text).map_err(|error| {
        Error::at(folder, format!("the tests cannot be listed: `meson introspect --tests` gives no such JSON: {error}"))
    })?;
    let to_fail = expected_to_fail(lister, folder).unwrap_or_default();
    let mut tests = Vec::new();
    for (index, listed) in listing.iter().enumerate() {
        let fails = to_fail.get(index).is_some_and(|(name, fails)| *fails && *name == listed.name);
        let twice = listing.iter().filter(|other| other.name == listed.name).count() > 1;
        let Some(test) = test(listed, folder, twice, fails) else { continue };
        let split = match listed.protocol.as_str() {
            _ if !test.args.is_empty() || fails => None,
            "rust" => libtest::tests(lister, &test.program, &test.folder, &test.name)?
                .map(|tests| tests.into_iter().map(|one| ProgramTest { env: test.env.clone(), ..one }).collect()),
            "exitcode" | "gtest" => lister.split(&test),
            _ => None,
        };
        match split {
            Some(parts) => tests.extend(parts),
            None => tests.push(test),
        }
    }
    make_unique(&mut tests);
    Ok(tests)
}

fn test(listed: &Listed, folder: &Path, twice: bool, fails: bool) -> Option<ProgramTest> {
    let (program, args) = listed.cmd.split_first()?;
    let name = match listed.suite.first() {
        Some(suite) if twice => format!("{suite}/{}", listed.name),
        _ => listed.name.clone(),
    };
    let program = find_program(Path::new(program)).unwrap_or_else(|| folder.join(program));
    let workdir = listed.workdir.as_ref().map_or_else(|| folder.to_path_buf(), |workdir| folder.join(workdir));
    let reading = match listed.protocol.as_str() {
        "tap" if !fails => Reading::Tap,
        "exitcode" => Reading::Exit { fails, skip: Some(77), error: Some(99) },
        _ => Reading::Exit { fails, skip: None, error: None },
    };
    let mut env: Vec<(String, String)> = listed.env.clone().into_iter().collect();
    env.push(("MESON_TEST_ITERATION".into(), "1".into()));
    Some(ProgramTest {
        args: args.to_vec(),
        env,
        timeout: listed.timeout.filter(|s| *s > 0.0 && *s < 1e9).map(Duration::from_secs_f64),
        reading,
        short: twice.then(|| listed.name.clone()),
        ..ProgramTest::new(name, program, workdir)
    })
}

/// By the Python that Meson runs in; none where that does not go.
fn expected_to_fail(lister: &Lister<'_>, folder: &Path) -> Option<Vec<(String, bool)>> {
    let meson = std::fs::read(find_program(Path::new("meson"))?).ok()?;
    let first = String::from_utf8_lossy(&meson).lines().next()?.strip_prefix("#!")?.trim().to_owned();
    let python: PathBuf = first.split_whitespace().last()?.into();
    let ended = lister.ask(&python, &["-c", EXPECTED_TO_FAIL], folder).ok()?;
    (ended.exit == Exit::Status(0)).then(|| serde_json::from_slice(&ended.stdout).ok()).flatten()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn tests_are_told_by_their_protocol() {
        let listed: Vec<Listed> = serde_json::from_str(
            r#"[{"name":"a","cmd":["/bin/sh","-c","x"],"env":{"A":"b"},"workdir":null,"timeout":30,"suite":["p"],"protocol":"exitcode","depends":[]},
                {"name":"a","cmd":["/bin/sh"],"env":{},"workdir":"/w","timeout":0,"suite":["q"],"protocol":"tap"}]"#,
        )
        .unwrap();
        let first = test(&listed[0], Path::new("/b"), true, true).unwrap();
        assert_eq!(
            (first.name.as_str(), first.short.as_deref(), first.folder.as_path()),
            ("p/a", Some("a"), Path::new("/b"))
        );
        assert_eq!(first.reading, Reading::Exit { fails: true, skip: Some(77), error: Some(99) });
        assert_eq!(first.timeout, Some(Duration::from_secs(30)));
        let second = test(&listed[1], Path::new("/b"), false, false).unwrap();
        assert_eq!((second.reading, second.timeout, second.folder.as_path()), (Reading::Tap, None, Path::new("/w")));
    }
}
