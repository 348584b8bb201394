//! The answers of several shards of `test`, put together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::Error as _;
use whydunit_findings::{
    Access, Body, Location, MemoryError, MemoryObject, Outcome, Printed, Problem, Report, RunErrors, Runs, TestResult,
    UndefinedBehaviour,
};

use crate::error::ShardError;
use crate::location::JsonLocation;

/// The common report, and what it lacks.
#[derive(Debug)]
pub struct Merged {
    /// The report, as one run of the whole suite gives it.
    pub report: Report,
    /// How many shards there are to be.
    pub of: usize,
    /// The numbers of those that are not there.
    pub missing: Vec<usize>,
    /// The numbers of those that were interrupted.
    pub interrupted: Vec<usize>,
}

#[derive(Deserialize)]
struct Answer {
    shard: ShardOf,
    tests: Vec<JsonTest>,
    problems: Vec<JsonProblem>,
    stats: JsonStats,
}

/// As much of an answer as tells whether it is one of a shard.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    command: Option<String>,
    shard: Option<serde_json::Value>,
}

#[derive(Deserialize, PartialEq, Eq)]
struct ShardOf {
    number: usize,
    of: usize,
    suite: String,
    complete: bool,
}

#[derive(Deserialize)]
struct JsonTest {
    name: String,
    outcome: String,
    seconds: f64,
    reason: Option<String>,
    runs: Option<u32>,
    failures: Option<u32>,
    check: Option<String>,
    output: Option<Vec<String>>,
    #[serde(default)]
    output_left_out: usize,
    #[serde(default)]
    memory_errors: Vec<JsonMemoryError>,
    #[serde(default)]
    undefined_behaviours: Vec<JsonUndefined>,
}

#[derive(Deserialize)]
struct JsonProblem {
    message: String,
    location: Option<JsonLocation>,
    help: Option<String>,
}

#[derive(Deserialize)]
struct JsonStats {
    #[serde(default)]
    test_runs: u64,
    #[serde(default)]
    builds: u64,
}

#[derive(Deserialize)]
struct JsonMemoryError {
    kind: String,
    location: Option<JsonLocation>,
    function: String,
    message: String,
    access: Option<JsonAccess>,
    object: Option<JsonObject>,
    #[serde(default)]
    stack: Vec<JsonCall>,
}

#[derive(Deserialize)]
struct JsonAccess {
    kind: String,
    size: u64,
}

#[derive(Deserialize)]
struct JsonObject {
    kind: String,
    name: String,
    size: u64,
    offset: i64,
    allocated: Option<JsonLocation>,
    freed: Option<JsonLocation>,
    #[serde(default)]
    wrappers: Vec<String>,
    #[serde(default)]
    allocated_stack: Vec<JsonCall>,
    #[serde(default)]
    freed_stack: Vec<JsonCall>,
}

#[derive(Deserialize)]
struct JsonUndefined {
    kind: String,
    location: Option<JsonLocation>,
    function: String,
    message: String,
    times: u64,
    #[serde(default)]
    stack: Vec<JsonCall>,
}

#[derive(Deserialize)]
struct JsonCall {
    function: String,
    location: Option<JsonLocation>,
}

/// Puts together the answers that lie in these folders: the files there whose names end in `.json` and that are answers of shards;
/// others are left alone. All must be of one suite.
pub fn merge(folders: &[PathBuf]) -> Result<Merged, ShardError> {
    let mut files = Vec::new();
    for folder in folders {
        files.extend(json_files(folder)?);
    }
    let mut shards: BTreeMap<usize, (PathBuf, Answer)> = BTreeMap::new();
    for path in files {
        let Some(answer) = answer(&path)? else { continue };
        if let Some((other, first)) = shards.values().next()
            && (first.shard.of != answer.shard.of || first.shard.suite != answer.shard.suite)
        {
            return Err(ShardError::Different(other.clone(), path));
        }
        let number = answer.shard.number;
        if let Some((other, _)) = shards.insert(number, (path.clone(), answer)) {
            return Err(ShardError::Twice { number, files: [other, path] });
        }
    }
    let Some((_, (_, first))) = shards.first_key_value() else { return Err(ShardError::None(folders.to_vec())) };
    let of = first.shard.of;
    let missing = (1..=of).filter(|number| !shards.contains_key(number)).collect();
    let interrupted = shards.iter().filter(|(_, (_, it))| !it.shard.complete).map(|(number, _)| *number).collect();
    let mut report = Report::new(Body::Test);
    // In the order of their numbers, which is that of the suite.
    for (path, answer) in shards.into_values() {
        for test in answer.tests {
            report.tests.push(self::test(test).map_err(|error| ShardError::NoAnswer(path.clone(), error))?);
        }
        for problem in answer.problems.into_iter().map(problem) {
            // What is true of the project is said by each shard.
            if !report.problems.contains(&problem) {
                report.problems.push(problem);
            }
        }
        report.stats.test_runs += answer.stats.test_runs;
        report.stats.builds += answer.stats.builds;
    }
    Ok(Merged { report, of, missing, interrupted })
}

/// The files of a folder and of those in it whose names end in `.json`, in order.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let unreadable = |error| ShardError::Unreadable(folder.to_path_buf(), error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() && !path.is_symlink() {
            files.extend(json_files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The answer of a shard in a file; `None` where it is none.
fn answer(path: &Path) -> Result<Option<Answer>, ShardError> {
    let bytes = std::fs::read(path).map_err(|error| ShardError::Unreadable(path.to_path_buf(), error))?;
    let Ok(head) = serde_json::from_slice::<Head>(&bytes) else { return Ok(None) };
    let ours = head.schema.as_deref() == Some(whydunit_render::SCHEMA) && head.command.as_deref() == Some("test");
    if !ours || head.shard.is_none() {
        return Ok(None);
    }
    let broken = |error| ShardError::NoAnswer(path.to_path_buf(), error);
    let answer: Answer = serde_json::from_slice(&bytes).map_err(broken)?;
    match (1..=answer.shard.of).contains(&answer.shard.number) {
        true => Ok(Some(answer)),
        false => Err(broken(serde_json::Error::custom("the number of the shard is not one of its suite's"))),
    }
}

fn test(it: JsonTest) -> Result<TestResult, serde_json::Error> {
    let outcome = Outcome::named(&it.outcome)
        .ok_or_else(|| serde_json::Error::custom(format!("`{}` is no outcome of a test", it.outcome)))?;
    let printed = |lines| Printed { check: it.check, lines, left_out: it.output_left_out };
    Ok(TestResult {
        name: it.name,
        outcome,
        seconds: it.seconds,
        reason: it.reason,
        runs: it.runs.map(|runs| Runs { runs, failures: it.failures.unwrap_or_default() }),
        printed: it.output.map(printed),
        errors: RunErrors {
            memory: it.memory_errors.into_iter().map(memory_error).collect(),
            undefined: it.undefined_behaviours.into_iter().map(undefined).collect(),
        },
    })
}

fn problem(it: JsonProblem) -> Problem {
    Problem { message: it.message, location: it.location.map(Into::into), help: it.help }
}

fn memory_error(it: JsonMemoryError) -> MemoryError {
    MemoryError {
        kind: it.kind,
        location: it.location.map(Into::into),
        function: it.function,
        message: it.message,
        access: it.access.map(|access| Access { write: access.kind == "write", size: access.size }),
        stack: calls(it.stack),
        object: it.object.map(|object| MemoryObject {
            kind: object.kind,
            name: object.name,
            size: object.size,
            offset: object.offset,
            allocated: object.allocated.map(Into::into),
            freed: object.freed.map(Into::into),
            allocation: calls(object.allocated_stack),
            wrappers: object.wrappers,
            freeing: calls(object.freed_stack),
        }),
    }
}

fn undefined(it: JsonUndefined) -> UndefinedBehaviour {
    UndefinedBehaviour {
        kind: it.kind,
        location: it.location.map(Into::into),
        function: it.function,
        message: it.message,
        stack: calls(it.stack),
        times: it.times,
    }
}

fn calls(calls: Vec<JsonCall>) -> Vec<(String, Option<Location>)> {
    calls.into_iter().map(|call| (call.function, call.location.map(Into::into))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::ShardOf as Part;
    use whydunit_render::json;

    fn place(line: u32) -> Option<Location> {
        Some(Location::point("a.c", line, 5))
    }

    /// Tests with all that a test can have.
    fn suite() -> Vec<TestResult> {
        let stack = vec![("main".to_owned(), place(9)), ("start".to_owned(), None)];
        let memory = MemoryError {
            kind: "out-of-bounds".into(),
            location: place(3),
            function: "f".into(),
            message: "writes 4 bytes".into(),
            access: Some(Access { write: true, size: 4 }),
            stack: stack.clone(),
            object: Some(MemoryObject {
                kind: "heap".into(),
                name: "f".into(),
                size: 8,
                offset: -4,
                allocated: place(1),
                freed: None,
                allocation: stack.clone(),
                wrappers: vec!["need".into()],
                freeing: vec![],
            }),
        };
        let undefined = UndefinedBehaviour {
            kind: "shift".into(),
            location: None,
            function: "g".into(),
            message: "shifts by 40".into(),
            stack,
            times: 2,
        };
        let named =
            |name: &str, outcome| TestResult { name: name.into(), outcome, seconds: 0.25, ..TestResult::default() };
        vec![
            named("plain", Outcome::Pass),
            TestResult {
                reason: Some("exit status 1".into()),
                printed: Some(Printed { check: Some("n < 3".into()), lines: vec!["a\u{1b}".into()], left_out: 7 }),
                ..named("wrong", Outcome::Fail)
            },
            TestResult { runs: Some(Runs { runs: 3, failures: 1 }), ..named("unsteady", Outcome::Flaky) },
            TestResult {
                errors: RunErrors { memory: vec![memory], undefined: vec![undefined] },
                ..named("checked", Outcome::Error)
            },
            named("skipped", Outcome::Skip),
        ]
    }

    /// Writes the answer of a part of the suite.
    fn write(folder: &Path, number: usize, of: usize, part: &[TestResult]) -> PathBuf {
        let shard = Some(Part { number, of, suite: format!("suite of {}", suite().len()), complete: true });
        let mut report = Report { tests: part.to_vec(), shard, ..Report::new(Body::Test) };
        report.problems.push(Problem::new("said by each"));
        report.stats.test_runs = part.len() as u64;
        let path = folder.join(format!("{number}.json"));
        std::fs::write(&path, json(&report)).expect("written");
        path
    }

    #[test]
    fn the_whole_is_the_same_whatever_the_parts() {
        for cuts in [vec![0, 5], vec![0, 2, 5], vec![0, 1, 2, 3, 4, 5], vec![0, 0, 5]] {
            let folder = tempfile::tempdir().expect("a folder");
            for (index, cut) in cuts.windows(2).enumerate() {
                write(folder.path(), index + 1, cuts.len() - 1, &suite()[cut[0]..cut[1]]);
            }
            std::fs::write(folder.path().join("other.json"), "{\"command\": \"build\"}").expect("written");
            std::fs::write(folder.path().join("notes.json"), "no JSON").expect("written");
            let merged = merge(&[folder.path().to_path_buf()]).expect("merged");
            assert_eq!(merged.report.tests, suite());
            assert_eq!(merged.report.problems, [Problem::new("said by each")]);
            assert_eq!((merged.report.stats.test_runs, merged.missing.len()), (5, 0));
        }
    }

    #[test]
    fn what_is_missing_or_does_not_go_together_is_told() {
        let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let folders = [one.path().to_path_buf(), other.path().to_path_buf()];
        assert!(matches!(merge(&folders), Err(ShardError::None(_))));
        write(one.path(), 3, 3, &suite()[3..]);
        assert_eq!(merge(&folders).expect("merged").missing, [1, 2]);
        let second = write(other.path(), 3, 3, &suite()[3..]);
        assert!(matches!(merge(&folders), Err(ShardError::Twice { number: 3, .. })));
        std::fs::remove_file(second).expect("removed");
        let second = write(other.path(), 1, 2, &suite()[..1]);
        assert!(matches!(merge(&folders), Err(ShardError::Different(..))));
        let broken = std::fs::read_to_string(&second).expect("read").replace("\"pass\"", "\"well\"");
        std::fs::write(&second, broken.replace("\"of\": 2", "\"of\": 3")).expect("written");
        assert!(matches!(merge(&folders), Err(ShardError::NoAnswer(..))));
        assert!(matches!(merge(&[one.path().join("gone")]), Err(ShardError::Unreadable(..))));
    }
}
