//! automake's suites: `make check` leaves a `.trs` and a `.log` for each test.

use std::collections::HashMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::outcome::{Difference, Outcome, TestResult};
use crate::run::{Context, by_exit, finish};
use crate::test::Test;

/// How much of a test's log is kept: its end.
const LOG_BYTES: u64 = 1 << 20;

/// Folders below a project's whose Makefile.am is read: `tests`, `src/tests`.
const DEPTH: usize = 2;

/// Whether the project in a folder has programs that `make` leaves to `make check`.
pub(crate) fn has_programs_for_check(folder: &Path) -> bool {
    let variables = ["check_PROGRAMS", "check_LTLIBRARIES", "check_LIBRARIES"];
    let is_told = |folder: &Path| {
        let text = fs::read(folder.join("Makefile.am")).unwrap_or_default();
        variables.iter().any(|variable| String::from_utf8_lossy(&text).contains(variable))
    };
    let mut folders = vec![folder.to_owned()];
    if !folder.join("Makefile.am").is_file() {
        return false;
    }
    for _ in 0..=DEPTH {
        if folders.iter().any(|folder| is_told(folder)) {
            return true;
        }
        let below = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().filter_map(Result::ok);
        folders =
            below.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect();
    }
    false
}

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

/// The tests that an earlier run of `command` left `.trs` files of and that `make` can run one by one: those of automake's
/// parallel harness, where the command is a plain call of `make`.
pub(crate) fn single_tests(folder: &Path, command: &str) -> Vec<Test> {
    let Some(make) = plain_make(command) else { return Vec::new() };
    let mut trs: Vec<PathBuf> = trs_files(folder).into_keys().collect();
    trs.sort();
    let single = |trs: PathBuf| {
        let makefile = harness(folder, &trs)?;
        let log = trs.strip_prefix(&makefile).ok()?.with_extension("log");
        let command = format!("{make} -C {} check-am TEST_LOGS={}", quoted(&makefile)?, quoted(&log)?);
        Some(Test::AutomakeSingle { name: name_of(folder, &trs), command, trs })
    };
    trs.into_iter().filter_map(single).collect()
}

/// Runs one test, which leaves `trs`.
pub(crate) fn run_single(context: &Context<'_>, name: &str, command: &str, trs: &Path) -> TestResult {
    let before = stamp(trs);
    let ended = context.shell(name, command);
    let whole = finish(name, ended, |ended| by_exit(ended.exit));
    let stopped = !matches!(whole.outcome, Outcome::Pass | Outcome::Fail { .. });
    if stopped {
        return whole;
    }
    if stamp(trs).is_none_or(|stamp| Some(stamp) == before) {
        let text = String::from_utf8_lossy(&whole.stderr);
        let said = text.lines().find(|line| line.contains("***")).or(text.lines().last()).unwrap_or("nothing").trim();
        let outcome = Outcome::Error(format!("`{command}` did not run it, it says: {said}"));
        return TestResult { outcome, ..whole };
    }
    let TestResult { outcome, stdout, .. } = result(context.folder, trs);
    TestResult { outcome, stdout, ..whole }
}

/// A call of `make` without its target `check`; none of what a shell has to make sense of.
fn plain_make(command: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || " -_=./,+:@%".contains(c);
    let words: Vec<&str> = command.split_whitespace().collect();
    let make = words.first().is_some_and(|word| matches!(word.rsplit('/').next(), Some("make" | "gmake")));
    let check = words.contains(&"check");
    let words: Vec<&str> = words.into_iter().filter(|word| *word != "check").collect();
    (make && check && command.chars().all(plain)).then(|| words.join(" "))
}

/// The folder, from that of a `.trs` file up to the project's, whose Makefile runs tests by the parallel harness.
fn harness(project: &Path, trs: &Path) -> Option<PathBuf> {
    let folders = trs.ancestors().skip(1).take_while(|folder| folder.starts_with(project));
    let parallel = |folder: &&Path| {
        fs::read(folder.join("Makefile")).is_ok_and(|text| String::from_utf8_lossy(&text).contains("TEST_LOGS ="))
    };
    folders.into_iter().find(parallel).map(Path::to_path_buf)
}

/// A path as a word of a shell; none where make would make something else of it.
fn quoted(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    (!text.contains(['\'', '$', '#', '%', ' ', '\n'])).then(|| format!("'{text}'"))
}

/// What a test is called: the path of its `.trs` file without the ending.
fn name_of(folder: &Path, trs: &Path) -> String {
    trs.strip_prefix(folder).unwrap_or(trs).with_extension("").to_string_lossy().into_owned()
}

/// What tells a new file from an old one of the name.
type Stamp = (u64, i64, i64, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok()?;
    Some((meta.ino(), meta.mtime(), meta.mtime_nsec(), meta.len()))
}

/// All `.trs` files below `folder`, with what tells a new one from an old one of the name.
fn trs_files(folder: &Path) -> HashMap<PathBuf, Stamp> {
    let mut found = HashMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
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
                && let Some(stamp) = stamp(&path)
            {
                found.insert(path, stamp);
            }
        }
    }
    found
}

/// The result that a `.trs` file tells.
fn result(folder: &Path, trs: &Path) -> TestResult {
    let name = name_of(folder, trs);
    let outcome = match fs::read(trs) {
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
    let mut file = fs::File::open(path)?;
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
    fn a_plain_call_of_make_can_run_single_tests() {
        assert_eq!(plain_make("make check").as_deref(), Some("make"));
        assert_eq!(plain_make("make -j2 check V=1").as_deref(), Some("make -j2 V=1"));
        for command in ["make", "make test", "cd b && make check", "make check; true", "ninja check", "make check $X"] {
            assert_eq!(plain_make(command), None, "{command}");
        }
    }

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
