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
        let inspector = &anomaly["inspector"];
        assert!(subject.ends_with("rust") || inspector["path"] == "declaration.has_errors()", "{subject}");
    }
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
