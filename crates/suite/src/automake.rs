//! automake's suites: `make check` leaves a `.trs` and a `.log` for each test.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::outcome::{Difference, Outcome, TestResult};
use crate::run::{Context, by_exit, finish};

/// How much of a test's log is kept: its end.
const LOG_BYTES: u64 = 1 << 20;

/// Runs `command` and gives the results of all tests that it ran; where it leaves no `.trs`, its own exit status.
pub(crate) fn run(context: &Context<'_>, command: &str) -> Vec<TestResult> {
    let before = trs_files(context.folder);
    let ended = context.shell(command, command);
    let mut whole = finish(command, ended, |ended| by_exit(ended.exit));
    let mut ran: Vec<PathBuf> = trs_files(context.folder)
        .into_iter()
        .filter(|(path, stamp)| before.get(path) != Some(stamp))
        .map(|(path, _)| path)
        .collect();
    ran.sort();
    let mut results: Vec<TestResult> = ran.iter().map(|path| result(context.folder, path)).collect();
    // `make check` as a whole counts where it says more than its tests do: there are none, it was stopped, or it failed
    // while all of them passed.
    let stopped = !matches!(whole.outcome, Outcome::Pass | Outcome::Fail { .. });
    let unexplained = whole.outcome.is_failure() && !results.iter().any(|result| result.outcome.is_failure());
    if results.is_empty() || stopped || unexplained {
        results.push(whole);
    } else if let Some(first) = results.first_mut() {
        first.problems.append(&mut whole.problems);
    }
    results
}

/// All `.trs` files below `folder`, with what tells a new one from an old one of the name.
fn trs_files(folder: &Path) -> HashMap<PathBuf, (u64, i64, i64, u64)> {
    let mut found = HashMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file()
                && path.extension().is_some_and(|extension| extension == "trs")
                && let Ok(meta) = entry.metadata()
            {
                found.insert(path, (meta.ino(), meta.mtime(), meta.mtime_nsec(), meta.len()));
            }
        }
    }
    found
}

/// The result that a `.trs` file tells.
fn result(folder: &Path, trs: &Path) -> TestResult {
    let name = trs.strip_prefix(folder).unwrap_or(trs).with_extension("");
    let name = name.to_string_lossy();
    let outcome = match std::fs::read(trs) {
        Ok(bytes) => outcome(&String::from_utf8_lossy(&bytes)),
        Err(error) => Outcome::Error(format!("cannot read {}: {error}", trs.display())),
    };
    let log = tail(&trs.with_extension("log")).unwrap_or_default();
    TestResult { stdout: log, ..TestResult::new(&name, outcome) }
}

/// `:test-result: PASS` and its like, several of them where the test speaks TAP.
fn outcome(trs: &str) -> Outcome {
    let lines = trs.lines().filter_map(|line| line.trim().strip_prefix(":test-result:")).map(str::trim);
    let mut why = Vec::new();
    let (mut passed, mut any) = (false, false);
    for line in lines {
        any = true;
        match line.split_whitespace().next().unwrap_or_default() {
            "PASS" | "XFAIL" => passed = true,
            "SKIP" => {}
            _ => why.push(Difference::Reported(format!("make check reports {line}"))),
        }
    }
    match (any, why.is_empty(), passed) {
        (false, ..) => Outcome::Error("its .trs file has no result".into()),
        (true, false, _) => Outcome::Fail { why },
        (true, true, true) => Outcome::Pass,
        (true, true, false) => Outcome::Skipped,
    }
}

fn tail(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let len = file.metadata()?.len();
    file.seek(SeekFrom::Start(len.saturating_sub(LOG_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(LOG_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_trs_files() {
        assert_eq!(outcome(":test-result: PASS\n:global-test-result: PASS\n"), Outcome::Pass);
        assert_eq!(outcome(":test-result: XFAIL\n:recheck: no\n"), Outcome::Pass);
        assert_eq!(outcome(":test-result: SKIP\n"), Outcome::Skipped);
        assert_eq!(outcome(":test-result: PASS 1\n:test-result: SKIP 2 # why\n"), Outcome::Pass);
        let failed = outcome(":test-result: PASS 1 - a\n:test-result: FAIL 2 - b\n");
        assert_eq!(failed.reason().unwrap(), "make check reports FAIL 2 - b");
        assert!(outcome(":test-result: XPASS\n").is_failure());
        assert!(outcome(":test-result: ERROR\n").is_failure());
        assert!(matches!(outcome(""), Outcome::Error(_)));
    }
}
