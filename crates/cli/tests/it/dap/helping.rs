//! What helps someone who debugs: names that are completed, functions to step into, calls in expressions, conditions on values.

use super::{FAILING, line, path, till};
use crate::support::adapter::Client;
use crate::support::project::Project;
use serde_json::{Value, json};

fn labels(body: &Value) -> Vec<String> {
    let targets = body["targets"].as_array().expect("targets");
    targets.iter().map(|target| target["label"].as_str().expect("a label").to_owned()).collect()
}

/// Stands at the faulty line of the bundled program.
fn at_fault() -> (Project, Client) {
    let (project, faulty) = till();
    let mut client = Client::new(&project);
    let offer = path(&project, "offer.c");
    client.launch(json!({ "test": FAILING }), &[(&offer, json!([{ "line": faulty }]))]);
    assert_eq!(client.go("reverseContinue").line, faulty);
    (project, client)
}

#[test]
fn names_are_completed_by_what_can_be_seen() {
    let (_project, mut client) = at_fault();
    let frame = client.frame(0);
    let mut completed = |text: &str| {
        let column = text.encode_utf16().count() + 1;
        let body = client.ask("completions", json!({ "frameId": frame, "text": text, "column": column }));
        (labels(&body), body["targets"][0].clone())
    };
    let (names, first) = completed("1 + pie");
    assert_eq!(names, ["pieces"]);
    assert_eq!((&first["start"], &first["length"], &first["type"]), (&json!(5), &json!(3), &json!("variable")));
    let (members, first) = completed("o->");
    assert!(members.contains(&"group".to_owned()) && members.contains(&"free".to_owned()), "{members:?}");
    assert!(!members.contains(&"pieces".to_owned()));
    assert_eq!((&first["start"], &first["type"]), (&json!(4), &json!("field")));
    assert_eq!(completed("o->gr").0, ["group"]);
    assert_eq!(completed(":back").0, ["back", "back-in", "back-out"]);
    assert!(completed("nothing.").0.is_empty());
}

#[test]
fn a_step_goes_into_the_function_that_is_chosen() {
    let project = Project::new();
    let source = "static int one(int n) { return n + 1; }\nstatic int two(int n) {\n    return one(n) + 2;\n}\n\
        int main(void) {\n    int sum = one(1) + two(2);\n    return sum - 7;\n}\n";
    project.write("calls.c", source);
    let (status, _, errors) = project.json(&["build", "--", "clang-22", "-g", "-o", "program", "calls.c"]);
    assert_eq!(status, 0, "{errors}");
    project.json(&["record", "--", "./program"]);
    let mut client = Client::new(&project);
    let calls = line(&project, "calls.c", "one(1) + two(2)");
    let file = path(&project, "calls.c");
    client.launch(json!({ "stopOnEntry": true }), &[(&file, json!([{ "line": calls }]))]);
    let at = match client.frames(1)[0]["line"].as_u64() {
        Some(line) if line == calls => line,
        _ => client.go("continue").line,
    };
    assert_eq!(at, calls);
    let frame = client.frame(0);
    let targets = client.ask("stepInTargets", json!({ "frameId": frame }));
    assert_eq!(labels(&targets), ["one", "two"]);
    let number = &targets["targets"][1]["id"];
    let into = client.go_with("stepIn", json!({ "threadId": 1, "targetId": number }));
    assert_eq!((into.function.as_str(), into.line, into.reason.as_str()), ("two", 3, "step"));
    // Back, and by the usual way into the first one.
    assert_eq!(client.go("whydunit/stepBackOut").line, calls);
    assert_eq!(client.go("stepBack").line, calls);
    assert!(client.refused("stepIn", json!({ "threadId": 1, "targetId": number })).contains("no target"));
    client.go_with("restart", json!({}));
    let frame = client.frame(0);
    if client.frames(1)[0]["line"] != calls {
        client.go("continue");
    }
    assert!(client.refused("stepInTargets", json!({ "frameId": frame + 100 })).contains("no frame"));
    assert_eq!(client.go("stepIn").function, "one");
}

#[test]
fn expressions_call_methods_of_cpp_and_rust() {
    let project = Project::new();
    let source = "struct Counter {\n    int seen = 0;\n    int total() const { return seen * 2; }\n    int next() { return ++seen; }\n};\n\
        int main() {\n    Counter counter;\n    Counter *pointer = &counter;\n    pointer->next();\n    counter.next();\n    return counter.total() - 4;\n}\n";
    project.write("counter.cpp", source);
    let (status, _, errors) = project.json(&["build", "--", "clang++-22", "-g", "-o", "program", "counter.cpp"]);
    assert_eq!(status, 0, "{errors}");
    project.json(&["record", "--", "./program"]);
    let mut client = Client::new(&project);
    let last = line(&project, "counter.cpp", "return counter.total()");
    let file = path(&project, "counter.cpp");
    client.launch(json!({ "stopOnEntry": true }), &[(&file, json!([{ "line": last }]))]);
    assert_eq!(client.go("continue").line, last);
    assert_eq!(client.value("counter.total()"), "4");
    assert_eq!(client.value("pointer->total() + 1"), "5");
    let frame = client.frame(0);
    let why = client.refused("evaluate", json!({ "expression": "counter.next()", "frameId": frame }));
    assert!(why.contains("changes more than its own variables"), "{why}");
    assert_eq!(client.value("counter.seen"), "2");
}

#[test]
fn data_breakpoints_have_conditions_and_numbers() {
    let (project, mut client) = at_fault();
    let frame = client.frame(0);
    let info = client.ask("dataBreakpointInfo", json!({ "name": "o->group", "frameId": frame }));
    client.breakpoints(&path(&project, "offer.c"), json!([]));
    let mut with = |options: Value| {
        let mut breakpoint = json!({ "dataId": info["dataId"] });
        breakpoint.as_object_mut().expect("an object").extend(options.as_object().expect("options").clone());
        let set = client.ask("setDataBreakpoints", json!({ "breakpoints": [breakpoint] }));
        let set = set["breakpoints"][0].clone();
        let (back, there) = (client.go("reverseContinue"), client.go("continue"));
        (set, back.reason, there.reason)
    };
    let (set, back, there) = with(json!({ "condition": "out->group == 5" }));
    assert_eq!((&set["verified"], back.as_str(), there.as_str()), (&json!(true), "data breakpoint", "data breakpoint"));
    let (_, back, _) = with(json!({ "condition": "out->group == 77" }));
    assert_eq!(back, "entry");
    let (set, ..) = with(json!({ "condition": "(" }));
    assert_eq!(set["verified"], false, "{set}");
    let (set, ..) = with(json!({ "hitCondition": "often" }));
    assert!(set["message"].as_str().expect("a text").contains("no number of hits"), "{set}");
    let (set, _, there) = with(json!({ "hitCondition": ">= 1" }));
    assert_eq!((&set["verified"], there.as_str()), (&json!(true), "data breakpoint"));
}
