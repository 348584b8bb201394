//! Bugs of a history.

use whydunit_findings::{
    BiasCheck, CommitVerdict, History, HistoryBug, HistoryCommit, Introduced, Minimised, TestSides,
};

/// A bug with a test and one without, and what came of other commits.
pub fn historied() -> History {
    let commit = |id: &str, subject: &str, verdict| HistoryCommit {
        id: id.into(),
        subject: subject.into(),
        author: "A <a@example.org>".into(),
        time: 1_700_000_000,
        score: 1.0,
        verdict,
        ..HistoryCommit::default()
    };
    let broken = HistoryCommit {
        reason: Some("compiler".into()),
        detail: Some("the parent: a.c:3:1: error: expected `;`".into()),
        churned: Some(7),
        severity: Some("major".into()),
        ..commit("0ddc", "Fix it", CommitVerdict::NotBuilt)
    };
    History {
        repository: "/home/a/project".into(),
        catalogue: "/home/a/project/.whydunit/history".into(),
        commits: vec![
            commit("0aaa", "Add it", CommitVerdict::NoFix),
            commit("0bbb", "Fix sides that are <equal> & \u{1b}[2J", CommitVerdict::Bug),
            commit("0ccc", "Fix the rest", CommitVerdict::NoTest),
            broken,
        ],
        bugs: vec![
            shown(),
            HistoryBug {
                id: "0ccc".into(),
                message: "Fix the rest".into(),
                lines_churned: 60,
                ..HistoryBug::default()
            },
        ],
        bias: vec![
            BiasCheck { what: "lines churned".into(), kept: 3.0, others: 33.5, probability: Some(0.04) },
            BiasCheck { what: "severity".into(), kept: 3.0, others: 0.0, probability: None },
        ],
        ..History::default()
    }
}

fn shown() -> HistoryBug {
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    HistoryBug {
        id: "0bbb".into(),
        fix: "0bbbbbbb".into(),
        parent: "0aaaaaaa".into(),
        message: "Fix sides that are <equal> & \u{1b}[2J\n\nFixes: #7\n".into(),
        author: "A <a@example.org>".into(),
        time: 1_700_000_000,
        score: 4.0,
        reasons: texts(&["it speaks of a fix (+1)", "a trailer names what is fixed (+3)"]),
        issues: texts(&["7"]),
        severity: Some("major".into()),
        files: texts(&["triangle.c"]),
        test_files: texts(&["cases.jsonl"]),
        functions: texts(&["classify"]),
        hunks: 2,
        lines_added: 1,
        lines_modified: 2,
        lines_churned: 3,
        fingerprint: "KZ".into(),
        full_fingerprint: texts(&["K-if", "O-==", "Z-if"]),
        kind: "output".into(),
        tests: texts(&["equal"]),
        flaky: texts(&["clock"]),
        outcomes: vec![TestSides {
            test: "equal".into(),
            before: "absent".into(),
            with_tests: "fail".into(),
            after: "pass".into(),
            says: "stdout differs".into(),
        }],
        passing: 9,
        minimised: Some(Minimised {
            changed: 3,
            needed: 1,
            changed_code: 2,
            needed_code: 1,
            needed_alone: 1,
            needed_alone_code: 1,
            complete: false,
            patch: "diff --git a/triangle.c b/triangle.c\n-    if (a < b)\n+    if (a <= b)\n".into(),
            places: vec![("triangle.c".into(), 3)],
        }),
        introduced: Some(Introduced { commit: "0abc".into(), subject: "Compare".into(), seconds: 200_000 }),
        ..HistoryBug::default()
    }
}
