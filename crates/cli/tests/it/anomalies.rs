//! Calls of a failing test that find objects otherwise than those of passing ones.

use serde_json::Value;

use crate::support::project::{Project, notes};

/// The first anomaly of a test.
fn first(subject: &str, test: &str) -> Value {
    let project = Project::of(subject);
    let (status, answer, errors) = project.json(&["mine", "--failing", test]);
    assert_eq!(status, 0, "{errors}");
    answer["anomalies"].as_array().expect("anomalies").first().unwrap_or_else(|| panic!("{answer:#}")).clone()
}

/// An anomaly: the method, the path, what was found and what is usual, and the lines of the call and of one of passing tests.
fn told(anomaly: &Value) -> [String; 4] {
    ["method", "path", "found", "expected"].map(|key| anomaly[key].as_str().expect("words").to_owned())
}

/// The text of the line that a location names.
fn line(subject: &str, location: &Value) -> String {
    let file = crate::support::project::subjects().join(subject).join(location["file"].as_str().expect("a file"));
    let text = std::fs::read_to_string(file).expect("a source");
    let number = location["line"].as_u64().expect("a line") as usize;
    text.lines().nth(number - 1).expect("it is there").trim().to_owned()
}

#[test]
fn an_acceptor_that_is_unbound_twice_is_told() {
    for subject in ["anomalies/acceptor", "anomalies/acceptor-rust"] {
        let anomaly = first(subject, "reopen");
        assert_eq!(told(&anomaly), ["unbind", "bound", "false", "true"], "{subject}");
        assert_eq!((anomaly["calls"].as_u64(), anomaly["tests"].as_u64()), (Some(8), Some(4)), "{subject}");
        assert_eq!(anomaly["inspector"]["path"], "is_bound()", "{subject}");
        for location in [&anomaly["location"], &anomaly["passing"]["location"]] {
            assert_eq!(line(subject, location), "acceptor.unbind();", "{subject}");
        }
        let text = anomaly["text"].as_str().expect("words");
        assert!(text.contains("`unbind` is called here with bound = false"), "{text}");
        assert!(text.contains("in 8 calls of 4 passing tests it was true"), "{text}");
    }
}

#[test]
fn an_acceptor_of_c_has_no_queue_when_it_is_unbound_again() {
    let anomaly = first("anomalies/acceptor-c", "reopen");
    assert_eq!(told(&anomaly), ["acceptor_unbind", "queue", "null", "not null"]);
    assert_eq!(line("anomalies/acceptor-c", &anomaly["location"]), "acceptor_unbind(acceptor);");
}

#[test]
fn a_manager_whose_transaction_is_not_active_is_told_at_depth_two() {
    for (subject, path) in
        [("anomalies/manager", "transaction.active"), ("anomalies/manager-rust", "transaction.active.value.value")]
    {
        let anomaly = first(subject, "late");
        assert_eq!(told(&anomaly), ["get_object", path, "false", "true"], "{subject}");
        assert_eq!(anomaly["inspector"]["path"], "transaction.is_active()", "{subject}");
        assert!(line(subject, &anomaly["location"]).contains("manager.get_object(3)"), "{subject}");
    }
}

#[test]
fn a_visitor_of_a_declaration_with_errors_is_told_by_the_parameter() {
    for (subject, found, usual) in
        [("anomalies/visitor", "null", "not null"), ("anomalies/visitor-rust", "None", "Some")]
    {
        let anomaly = first(subject, "bad");
        assert_eq!(told(&anomaly), ["visit", "declaration.scope", found, usual], "{subject}");
        assert_eq!(anomaly["inspector"]["path"], "declaration.has_errors()", "{subject}");
        assert_eq!(anomaly["inspector"]["value"], "true", "{subject}");
    }
}

#[test]
fn a_function_of_c_that_is_given_nothing_is_told_and_mended() {
    let anomaly = first("anomalies/registry", "other");
    assert_eq!(told(&anomaly), ["entry_use", "entry", "null", "not null"]);
    let project = Project::of("anomalies/registry");
    let [grade, after, diff] = patch(&project, "other");
    assert_eq!(grade, "plausible");
    assert!(after.contains("if (entry == NULL)\n        return;"), "{after}");
    project.write("fix.diff", &diff);
    project.git_apply("fix.diff");
    assert_eq!(project.json(&["test"]).0, 0);
}

#[test]
fn one_class_is_asked_about() {
    let project = Project::of("anomalies/manager");
    let (_, answer, _) = project.json(&["mine", "Transaction", "--failing", "late"]);
    let methods: Vec<&Value> =
        answer["anomalies"].as_array().expect("anomalies").iter().map(|it| &it["method"]).collect();
    assert_eq!(methods, ["is_active"]);
}

#[test]
fn what_stands_in_the_way_of_anomalies_is_said_in_one_message() {
    let project = Project::of("anomalies/acceptor");
    let cases = project.read("cases.jsonl");
    let only = |kept: &[&str]| -> String {
        let is_kept = |line: &&str| kept.iter().any(|name| line.contains(&format!("\"name\":\"{name}\"")));
        cases.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
    };
    let idle = "{\"name\":\"idle\",\"args\":[\"idle\"],\"stdout\":\"\",\"status\":0}\n";
    project.edit(
        "main.cpp",
        "    Acceptor acceptor;\n",
        "    if (count > 1 && words[1][0] == 'i') return 0;\n    Acceptor acceptor;\n",
    );
    project.write("cases.jsonl", &(only(&["reopen"]) + idle));
    let (status, answer, _) = project.json(&["mine", "--failing", "reopen"]);
    assert_eq!((status, &answer["anomalies"]), (0, &serde_json::json!([])));
    assert!(notes(&answer).contains("no passing test calls a method of those"), "{}", notes(&answer));

    let plain = Project::of("repair/upward");
    let failing = plain.json(&["test"]).1["tests"].as_array().and_then(|tests| {
        tests.iter().find(|test| test["outcome"] == "fail").and_then(|test| test["name"].as_str().map(str::to_owned))
    });
    let (status, answer, _) = plain.json(&["mine", "--failing", &failing.expect("one fails")]);
    assert_eq!((status, &answer["anomalies"]), (0, &serde_json::json!([])));
    assert!(
        notes(&answer).contains("no function near its failure is called on or with an object"),
        "{}",
        notes(&answer)
    );
}

#[test]
fn a_ranking_has_anomalies_beside_it_where_they_are_asked_for() {
    let project = Project::of("anomalies/acceptor");
    let located = |more: &[&str]| {
        let (status, answer, errors) = project.json(&[&["locate", "reopen", "--method", "ochiai"], more].concat());
        assert_eq!(status, 1, "{errors}");
        answer
    };
    let (plain, with) = (located(&[]), located(&["--anomalies"]));
    assert_eq!(plain.get("anomalies"), None);
    assert_eq!(plain["findings"], with["findings"], "the ranking stays as it is");
    assert_eq!(told(&with["anomalies"][0]), ["unbind", "bound", "false", "true"]);
    let text = project.run(&["locate", "reopen", "--method", "ochiai", "--anomalies"]).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("`unbind` is called here with bound = false"), "{text}");
}

/// The first patch of `repair --method pachika`: its grade, what it puts in, and the diff.
fn patch(project: &Project, test: &str) -> [String; 3] {
    let (status, answer, errors) = project.json(&["repair", test, "--method", "pachika", "--patches", "1"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(answer["method"], "pachika");
    assert!(answer["anomalies"].as_array().is_some_and(|all| !all.is_empty()), "{answer:#}");
    let patch = &answer["patches"][0];
    ["grade", "after", "diff"].map(|key| patch[key].as_str().unwrap_or_else(|| panic!("{answer:#}")).to_owned())
}

#[test]
fn an_acceptor_is_bound_again_before_it_is_unbound() {
    for (subject, call) in [
        ("anomalies/acceptor", "acceptor.bind();"),
        ("anomalies/acceptor-c", "acceptor_bind(acceptor);"),
        ("anomalies/acceptor-rust", "acceptor.bind();"),
    ] {
        let project = Project::of(subject);
        let [grade, after, diff] = patch(&project, "reopen");
        assert_eq!((&*grade, after.trim()), ("plausible", call), "{subject}");
        project.write("fix.diff", &diff);
        project.git_apply("fix.diff");
        assert_eq!(project.json(&["test"]).0, 0, "{subject}");
    }
}

#[test]
fn leaving_a_call_out_that_is_counted_meets_another_failure() {
    let project = Project::of("anomalies/acceptor");
    let (_, answer, _) = project.json(&["repair", "reopen", "--method", "pachika", "--patches", "9"]);
    let patches = answer["patches"].as_array().expect("patches");
    assert!(answer["tried"].as_u64() > Some(2), "the call left out was tried, too: {answer:#}");
    for patch in patches {
        assert!(!patch["after"].as_str().expect("a text").contains("if"), "{patch:#}");
    }
}

#[test]
fn a_transaction_begins_before_its_manager_is_asked() {
    for subject in ["anomalies/manager", "anomalies/manager-rust"] {
        let project = Project::of(subject);
        let [grade, after, diff] = patch(&project, "late");
        assert_eq!((&*grade, after.trim()), ("plausible", "tx.begin();"), "{subject}");
        project.write("fix.diff", &diff);
        project.git_apply("fix.diff");
        assert_eq!(project.json(&["test"]).0, 0, "{subject}");
    }
}

#[test]
fn a_visitor_leaves_a_declaration_with_errors_alone() {
    for (subject, condition) in [
        ("anomalies/visitor", "if (declaration.has_errors())"),
        ("anomalies/visitor-rust", "if declaration.has_errors() {"),
    ] {
        let project = Project::of(subject);
        let [grade, after, diff] = patch(&project, "bad");
        assert_eq!(grade, "plausible", "{subject}");
        assert!(after.starts_with(condition) && after.contains("return;"), "{subject}: {after}");
        project.write("fix.diff", &diff);
        project.git_apply("fix.diff");
        assert_eq!(project.json(&["test"]).0, 0, "{subject}");
    }
}

#[test]
fn without_an_anomaly_there_is_no_patch_and_why_is_said() {
    let plain = Project::of("repair/upward");
    let (status, answer, _) = plain.json(&["repair", "--method", "pachika"]);
    assert_eq!((status, &answer["patches"]), (0, &serde_json::json!([])));
    assert!(notes(&answer).contains("no anomalies of"), "{}", notes(&answer));
}
