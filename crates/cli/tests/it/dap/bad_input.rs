//! What a client does wrong gets one clear error, and ends nothing.

use super::{FAILING, path, till};
use crate::support::adapter::Client;
use crate::support::numbers::Numbers;
use crate::support::project::Project;
use serde_json::{Value, json};
use whydunit_adapter::{Answer, REQUESTS};

#[test]
fn requests_out_of_order_and_unknown_ones_are_refused_in_words() {
    let project = Project::new();
    let mut client = Client::bare(&project);
    for request in REQUESTS.iter().filter(|request| request.answer == Answer::Answered) {
        let done_before = ["initialize", "launch", "attach", "cancel", "pause", "disconnect", "terminate"];
        if !done_before.contains(&request.command) {
            // What is wrong with the arguments may be told first.
            let why = client.refused(request.command, json!({ "threadId": 1, "targetId": 1, "frameId": 1 }));
            assert!(why.contains("`launch` comes first") || why.contains("cannot be understood"), "{why}");
        }
    }
    for request in REQUESTS {
        if let Answer::Refused(reason) = request.answer {
            let why = client.refused(request.command, json!({}));
            assert_eq!(why, format!("`{}` is not supported: {reason}", request.command));
        }
    }
    assert!(client.refused("nonsense", Value::Null).contains("no request of the Debug Adapter Protocol"));
    assert!(client.refused("initialize", json!({ "linesStartAt1": "yes" })).contains("cannot be understood"));
    assert!(client.refused("launch", json!({ "test": 7 })).contains("cannot be understood"));
    assert!(client.refused("launch", json!({ "test": "a", "recording": "b" })).contains("both given"));
    let nothing = client.refused("launch", json!({}));
    assert!(nothing.contains("no captured build") && nothing.contains("whydunit build"), "{nothing}");
    assert!(client.refused("launch", json!({ "project": "/nowhere/at/all" })).contains("/nowhere/at/all"));
    client.ask("disconnect", json!({}));
    assert_eq!(client.end(), 0);
}

#[test]
fn numbers_of_an_earlier_stop_and_wrong_ones_are_refused() {
    let (project, _) = till();
    let mut client = Client::new(&project);
    client.launch(json!({ "test": FAILING }), &[]);
    let frame = client.frame(0);
    let scopes = client.ask("scopes", json!({ "frameId": frame }));
    let locals = scopes["scopes"][0]["variablesReference"].clone();
    client.variables(&locals);
    client.go("stepBack");
    assert!(client.refused("scopes", json!({ "frameId": frame })).contains("no frame"));
    assert!(client.refused("variables", json!({ "variablesReference": locals })).contains("no variables"));
    for (command, arguments) in [
        ("stackTrace", json!({ "threadId": 99 })),
        ("stackTrace", json!({ "threadId": 0 })),
        ("next", json!({ "threadId": 99 })),
        ("stepBack", json!({})),
        ("goto", json!({ "threadId": 1, "targetId": 5 })),
        ("scopes", json!({ "frameId": u64::MAX })),
        ("variables", json!({ "variablesReference": -1 })),
        ("evaluate", json!({ "expression": "" })),
        ("evaluate", json!({ "expression": "f(1)" })),
        ("evaluate", json!({ "expression": "(".repeat(2000) })),
        ("evaluate", json!({ "expression": ":nonsense", "context": "repl" })),
        ("evaluate", json!({ "expression": ":goto x", "context": "repl" })),
        ("source", json!({ "source": { "path": "/etc/passwd" } })),
        ("setBreakpoints", json!({ "breakpoints": [] })),
        ("launch", json!({})),
    ] {
        assert!(!client.refused(command, arguments.clone()).is_empty(), "{command} {arguments}");
    }
    assert_eq!(
        client.ask("source", json!({ "source": { "path": path(&project, "offer.c") } }))["content"],
        project.read("offer.c")
    );
    // It goes on as if nothing had been.
    assert_eq!(client.go("continue").reason, "exception");
    assert_eq!(client.end(), 0);
}

#[test]
fn recordings_that_are_not_whole_or_of_other_sources_are_told() {
    let (project, _) = till();
    let (_, _, errors) = project.json(&["record", FAILING]);
    assert_eq!(project.recordings().len(), 1, "{errors}");
    let mut client = Client::new(&project);
    let unknown = client.refused("launch", json!({ "recording": "never" }));
    assert!(unknown.contains("never") && unknown.contains(FAILING), "{unknown}");
    let unknown = client.refused("launch", json!({ "test": "never" }));
    assert!(unknown.contains("never"), "{unknown}");
    // Sources changed since.
    project.edit("offer.c", "long started", "long  started");
    client.launch(json!({ "recording": FAILING }), &[]);
    let told: String = client.said.iter().map(|(_, text)| text.as_str()).collect();
    assert!(told.contains("changed or gone since") && told.contains("offer.c"), "{told}");
    assert_eq!(client.end(), 0);
    // Cut off.
    let recording = project.path(&format!(".whydunit/recordings/{FAILING}.rec"));
    let bytes = std::fs::read(&recording).expect("a recording");
    for share in [3, 2] {
        std::fs::write(&recording, &bytes[..bytes.len() * (share - 1) / share]).expect("it is written");
        let mut client = Client::new(&project);
        let number = client.send("launch", json!({ "recording": FAILING }));
        let response = client.response(number);
        let told = format!("{response} {:?}", client.said);
        assert!(told.contains("damaged") || response["success"] == false, "{told}");
        assert_eq!(client.end(), 0);
    }
    std::fs::write(&recording, b"no recording").expect("it is written");
    let mut client = Client::new(&project);
    assert!(!client.refused("launch", json!({ "recording": FAILING })).is_empty());
}

#[test]
fn what_is_no_message_is_told_and_passed_over() {
    let project = Project::new();
    let mut client = Client::bare(&project);
    for content in
        ["", "{", "[]", "7", "{}", "{\"type\":\"request\"}", "{\"type\":\"request\",\"command\":7}", "\u{0}\u{1}"]
    {
        client.wire.send_raw(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
    }
    client
        .wire
        .send_message(&json!({ "type": "response", "seq": 1, "request_seq": 1, "success": true, "command": "x" }));
    client.wire.send_message(&json!({ "type": "request", "command": "threads" }));
    assert_eq!(client.response(0)["success"], false);
    client.wire.send_raw(b"Content-Length: 17000000\r\n\r\n");
    client.wire.send_raw(&vec![b' '; 17_000_000]);
    assert_eq!(client.ask("initialize", Value::Null)["supportsStepBack"], true);
    let told: Vec<&String> = client.said.iter().map(|(_, text)| text).collect();
    assert_eq!(told.iter().filter(|text| text.contains("cannot be understood")).count(), 8, "{told:?}");
    assert!(told.iter().any(|text| text.contains("too long")), "{told:?}");
    client.wire.send_raw(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(client.end(), 2);
}

impl Numbers {
    /// Any value; of arguments of requests more often than not.
    fn value(&mut self, depth: usize) -> Value {
        const WORDS: [&str; 12] =
            ["", "a", "o->group", "*p", "x[", "write", "repl", ":back", ":why n", "memory 8 8", "{n}", "\u{1F980}"];
        match self.below(if depth > 2 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(9)),
            3 => json!(-(self.below(1 << 40) as i64)),
            4 => json!(u64::MAX - self.below(3) as u64),
            5 => json!(WORDS[self.below(WORDS.len())]),
            6 => (0..self.below(4)).map(|_| self.value(depth + 1)).collect(),
            _ => self.arguments(depth + 1),
        }
    }

    fn arguments(&mut self, depth: usize) -> Value {
        const KEYS: [&str; 20] = [
            "threadId",
            "frameId",
            "variablesReference",
            "expression",
            "context",
            "source",
            "path",
            "breakpoints",
            "line",
            "condition",
            "hitCondition",
            "logMessage",
            "filters",
            "name",
            "dataId",
            "targetId",
            "start",
            "count",
            "levels",
            "requestId",
        ];
        let mut fields = serde_json::Map::new();
        for _ in 0..self.below(6) {
            fields.insert(KEYS[self.below(KEYS.len())].into(), self.value(depth));
        }
        Value::Object(fields)
    }
}

#[test]
fn no_sequence_of_requests_ends_a_session() {
    let (project, _) = till();
    let mut client = Client::new(&project);
    client.launch(json!({ "test": FAILING }), &[]);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let ending = ["disconnect", "terminate", "launch", "attach"];
    let commands: Vec<&str> = REQUESTS.iter().map(|r| r.command).filter(|command| !ending.contains(command)).collect();
    for _ in 0..2000 {
        let command = commands[numbers.below(commands.len())];
        let arguments = if numbers.below(3) == 0 { json!({ "threadId": 1 }) } else { numbers.arguments(0) };
        let number = client.send(command, arguments);
        let response = client.response(number);
        assert!(response["success"].is_boolean(), "{response}");
    }
    assert_eq!(client.end(), 0);
}
