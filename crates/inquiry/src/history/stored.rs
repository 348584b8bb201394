//! The file of a catalogue, read again.

use std::path::{Path, PathBuf};

use serde_json::Value;
use whydunit_findings::{
    BiasCheck, BugClass, CommitVerdict, History, HistoryBug, HistoryCommit, Introduced, Minimised, TestSides,
};

use super::HistoryError;

/// The file of a catalogue.
pub fn file(folder: &Path) -> PathBuf {
    folder.join("bugs.json")
}

/// Reads a catalogue; fails where there is none, or where it is not of this form.
pub fn read(folder: &Path) -> Result<History, HistoryError> {
    let path = file(folder);
    let text = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(HistoryError::NoCatalogue { folder: folder.to_path_buf() });
        }
        Err(source) => return Err(HistoryError::Unread { path, source }),
        Ok(text) => text,
    };
    let damaged = |reason: String| HistoryError::Damaged { path: path.clone(), reason };
    let value: Value = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    if value["schema"] != "whydunit-history/1" {
        return Err(damaged("it is no catalogue of this version: its schema is not whydunit-history/1".into()));
    }
    Ok(History {
        repository: text_of(&value["repository"]),
        catalogue: folder.display().to_string(),
        commits: list(&value["commits"], commit),
        bugs: list(&value["bugs"], bug_of),
        bias: list(&value["bias"], bias),
        flags: texts(&value["flags"]),
        ..History::default()
    })
}

/// The bug whose name begins so.
pub fn bug<'a>(history: &'a History, id: &str) -> Result<&'a HistoryBug, HistoryError> {
    let begins: Vec<&HistoryBug> = history.bugs.iter().filter(|bug| bug.id.starts_with(id) || bug.fix == id).collect();
    let names = |bugs: &mut dyn Iterator<Item = &HistoryBug>| bugs.take(5).map(|bug| bug.id.clone()).collect();
    match begins[..] {
        [] => Err(HistoryError::NoBug { id: id.to_owned(), known: names(&mut history.bugs.iter()) }),
        [one] => Ok(one),
        _ => match begins.iter().find(|bug| bug.id == id) {
            Some(one) => Ok(one),
            None => Err(HistoryError::SeveralBugs { id: id.to_owned(), known: names(&mut begins.into_iter()) }),
        },
    }
}

fn list<T>(value: &Value, of: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().into_iter().flatten().map(of).collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    list(value, text_of)
}

fn option(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn commit(value: &Value) -> HistoryCommit {
    let verdict = value["verdict"].as_str().unwrap_or_default();
    HistoryCommit {
        id: text_of(&value["id"]),
        subject: text_of(&value["subject"]),
        author: text_of(&value["author"]),
        time: value["time"].as_i64().unwrap_or(0),
        score: value["score"].as_f64().unwrap_or(0.0),
        verdict: CommitVerdict::ALL.into_iter().find(|it| it.name() == verdict).unwrap_or_default(),
        reason: option(&value["reason"]),
        detail: option(&value["detail"]),
        churned: value["lines_churned"].as_u64(),
        severity: option(&value["severity"]),
    }
}

fn bug_of(value: &Value) -> HistoryBug {
    HistoryBug {
        id: text_of(&value["id"]),
        fix: text_of(&value["fix"]),
        parent: text_of(&value["parent"]),
        message: text_of(&value["message"]),
        author: text_of(&value["author"]),
        time: value["time"].as_i64().unwrap_or(0),
        score: value["score"].as_f64().unwrap_or(0.0),
        reasons: texts(&value["reasons"]),
        issues: texts(&value["issues"]),
        priority: option(&value["priority"]),
        severity: option(&value["severity"]),
        files: texts(&value["files"]),
        test_files: texts(&value["test_files"]),
        functions: texts(&value["functions"]),
        types: texts(&value["types"]),
        hunks: number(&value["hunks"]),
        lines_added: number(&value["lines_added"]),
        lines_deleted: number(&value["lines_deleted"]),
        lines_modified: number(&value["lines_modified"]),
        lines_churned: number(&value["lines_churned"]),
        fingerprint: text_of(&value["fingerprint"]),
        full_fingerprint: texts(&value["full_fingerprint"]),
        kind: text_of(&value["kind"]),
        classes: list(&value["classes"], class),
        tests: texts(&value["tests"]),
        flaky: texts(&value["flaky"]),
        outcomes: list(&value["outcomes"], sides),
        passing: number(&value["passing"]),
        left_out: texts(&value["left_out"]),
        locked: value["locked"].as_bool().unwrap_or(false),
        minimised: value["lines_needed"].is_object().then(|| minimised(value)),
        introduced: value["introduced"].is_object().then(|| introduced(&value["introduced"])),
    }
}

fn class(value: &Value) -> BugClass {
    BugClass { name: text_of(&value["name"]), likely: value["likely"].as_bool().unwrap_or(false) }
}

fn sides(value: &Value) -> TestSides {
    TestSides {
        test: text_of(&value["test"]),
        before: text_of(&value["before"]),
        with_tests: text_of(&value["with_tests"]),
        after: text_of(&value["after"]),
        says: text_of(&value["says"]),
    }
}

fn minimised(bug: &Value) -> Minimised {
    let lines = &bug["lines_needed"];
    let place = |place: &Value| (text_of(&place["file"]), number(&place["line"]) as u32);
    Minimised {
        changed: number(&lines["changed"]),
        needed: number(&lines["needed"]),
        changed_code: number(&lines["changed_code"]),
        needed_code: number(&lines["needed_code"]),
        needed_alone: number(&lines["needed_alone"]),
        needed_alone_code: number(&lines["needed_alone_code"]),
        complete: lines["complete"].as_bool().unwrap_or(false),
        patch: text_of(&bug["minimised"]),
        places: list(&bug["places"], place),
    }
}

fn introduced(value: &Value) -> Introduced {
    Introduced {
        commit: text_of(&value["commit"]),
        subject: text_of(&value["subject"]),
        seconds: value["seconds"].as_i64().unwrap_or(0),
    }
}

fn bias(value: &Value) -> BiasCheck {
    BiasCheck {
        what: text_of(&value["what"]),
        kept: value["kept"].as_f64().unwrap_or(0.0),
        others: value["others"].as_f64().unwrap_or(0.0),
        probability: value["probability"].as_f64(),
    }
}
