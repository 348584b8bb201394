//! The bugs of a repository's history: an answer, and the file of a catalogue.

use serde_json::{Map, Value, json as value};
use whydunit_findings::{BiasCheck, History, HistoryBug, HistoryCommit, Minimised, TestSides};

use super::{list, number, option, text};

/// Name and version of the file of a catalogue.
const CATALOGUE: &str = "whydunit-history/1";

/// The text of a catalogue's file.
pub fn catalogue(history: &History) -> String {
    let mut object = Map::new();
    object.insert("schema".into(), CATALOGUE.into());
    put(history, &mut |key, value| _ = object.insert(key.into(), value));
    object.remove("catalogue");
    let mut text = format!("{:#}", Value::Object(object));
    text.push('\n');
    text
}

/// The keys of `history`.
pub(super) fn put(history: &History, put: &mut dyn FnMut(&str, Value)) {
    put("repository", text(&history.repository));
    put("catalogue", text(&history.catalogue));
    put("bugs", list(&history.bugs, bug));
    put("commits", list(&history.commits, commit));
    put("bias", list(&history.bias, bias));
    put("flags", texts(&history.flags));
}

fn texts(all: &[String]) -> Value {
    list(all, |one| text(one))
}

fn bug(bug: &HistoryBug) -> Value {
    let mut object = value!({
        "id": text(&bug.id),
        "fix": text(&bug.fix),
        "parent": text(&bug.parent),
        "message": text(&bug.message),
        "author": text(&bug.author),
        "time": bug.time,
        "score": number(bug.score),
        "reasons": texts(&bug.reasons),
        "issues": texts(&bug.issues),
        "priority": option(&bug.priority, |it| text(it)),
        "severity": option(&bug.severity, |it| text(it)),
        "files": texts(&bug.files),
        "test_files": texts(&bug.test_files),
        "functions": texts(&bug.functions),
        "types": texts(&bug.types),
        "hunks": bug.hunks,
        "lines_added": bug.lines_added,
        "lines_deleted": bug.lines_deleted,
        "lines_modified": bug.lines_modified,
        "lines_churned": bug.lines_churned,
        "fingerprint": bug.fingerprint,
        "full_fingerprint": texts(&bug.full_fingerprint),
        "kind": bug.kind,
        "classes": list(&bug.classes, |class| value!({ "name": class.name, "likely": class.likely })),
        "tests": texts(&bug.tests),
        "flaky": texts(&bug.flaky),
        "outcomes": list(&bug.outcomes, sides),
        "passing": bug.passing,
        "left_out": texts(&bug.left_out),
        "locked": bug.locked,
    });
    object["minimised"] = option(&bug.minimised, |it| text(&it.patch));
    object["lines_needed"] = option(&bug.minimised, lines);
    let place = |(file, line): &(String, u32)| value!({ "file": text(file), "line": line });
    object["places"] = option(&bug.minimised, |it| list(&it.places, place));
    if let Some(introduced) = &bug.introduced {
        let (commit, subject) = (text(&introduced.commit), text(&introduced.subject));
        object["introduced"] = value!({ "commit": commit, "subject": subject, "seconds": introduced.seconds });
    }
    object
}

fn lines(minimised: &Minimised) -> Value {
    value!({
        "changed": minimised.changed,
        "needed": minimised.needed,
        "changed_code": minimised.changed_code,
        "needed_code": minimised.needed_code,
        "needed_alone": minimised.needed_alone,
        "needed_alone_code": minimised.needed_alone_code,
        "complete": minimised.complete,
    })
}

fn sides(test: &TestSides) -> Value {
    value!({
        "test": text(&test.test),
        "before": test.before,
        "with_tests": test.with_tests,
        "after": test.after,
        "says": text(&test.says),
    })
}

fn commit(commit: &HistoryCommit) -> Value {
    value!({
        "id": text(&commit.id),
        "subject": text(&commit.subject),
        "author": text(&commit.author),
        "time": commit.time,
        "score": number(commit.score),
        "verdict": commit.verdict.name(),
        "reason": option(&commit.reason, |it| text(it)),
        "detail": option(&commit.detail, |it| text(it)),
        "lines_churned": commit.churned,
        "severity": option(&commit.severity, |it| text(it)),
    })
}

fn bias(check: &BiasCheck) -> Value {
    value!({
        "what": check.what,
        "kept": number(check.kept),
        "others": number(check.others),
        "probability": option(&check.probability, |it| number(*it)),
    })
}
