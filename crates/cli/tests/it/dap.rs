//! `whydunit dap`: recordings of C, C++ and Rust are debugged by messages of the protocol, forwards and backwards.

mod bad_input;
mod errors;
mod helping;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::support::adapter::Client;
use crate::support::project::{Project, WHYDUNIT};
use serde_json::{Value, json};
use whydunit_adapter::{Answer, REQUESTS};

/// The line of a project's file that has this text.
fn line(project: &Project, file: &str, text: &str) -> u64 {
    let source = project.read(file);
    source.lines().position(|line| line.contains(text)).expect("a line") as u64 + 1
}

fn path(project: &Project, file: &str) -> String {
    project.path(file).to_string_lossy().into_owned()
}

/// The bundled program with its faulty line, built.
fn till() -> (Project, u64) {
    let project = Project::of("demo");
    let (status, _, errors) = project.json(&["build"]);
    assert_eq!(status, 0, "{errors}");
    let faulty = line(&project, "offer.c", "pieces += started - o->free");
    (project, faulty)
}

/// The manual's table is that of the program.
#[test]
fn the_manual_has_every_request() {
    let page = include_str!("../../../../docs/book/src/dap.md");
    let (_, table) = page.split_once("| request | answer |").expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    let all: Vec<String> = REQUESTS
        .iter()
        .map(|request| match request.answer {
            Answer::Answered => format!("| `{}` | answered", request.command),
            Answer::Refused(why) => format!("| `{}` | refused: {why} |", request.command),
        })
        .collect();
    assert_eq!(rows.len(), all.len());
    for (row, start) in rows.iter().zip(all) {
        assert!(row.starts_with(&start), "{row} is not `{start}`");
    }
}

const FAILING: &str = "five-for-three-high-rest";

#[test]
fn a_failing_test_is_recorded_and_walked_back_from_its_failure_to_the_fault() {
    let (project, faulty) = till();
    let mut client = Client::new(&project);
    let offer = path(&project, "offer.c");
    // Nothing was recorded yet.
    let at = client.launch(json!({ "test": FAILING }), &[(&offer, json!([{ "line": faulty }]))]);
    assert_eq!((at.reason.as_str(), at.function.as_str()), ("exception", "print_line"));
    assert_eq!(project.recordings(), [format!("{FAILING}.rec")]);
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert!(info["description"].as_str().expect("a text").contains("standard output differs"), "{info}");
    // What the run had printed by then.
    assert!(client.said.iter().any(|(category, text)| category == "stdout" && text.contains("Invoice 1")));
    let at = client.go("reverseContinue");
    assert_eq!((at.reason.as_str(), at.function.as_str(), at.line), ("breakpoint", "free_pieces", faulty));
    assert_eq!(client.value("started"), "4");
    assert_eq!(client.value("started > o->group - o->free && o->kind == 1"), "true");
    let locals = client.locals();
    assert!(locals.contains(&("pieces".into(), "4".into())), "{locals:?}");
    // A structure behind a pointer has its members, and what they come from.
    let frame = client.frame(0);
    let o = client.ask("evaluate", json!({ "expression": "o", "frameId": frame, "context": "hover" }));
    let members = client.variables(&o["variablesReference"]);
    let group = members.iter().find(|member| member["name"] == "group").expect("a member");
    assert_eq!((&group["value"], &group["evaluateName"]), (&json!("5"), &json!("(*o).group")));
    let inside = client.variables(&group["variablesReference"]);
    assert_eq!(inside.last().expect("a cause")["name"], "⟵ cause");
    let causes = client.variables(&inside.last().expect("a cause")["variablesReference"]);
    let of_take = line(&project, "offer.c", "out->group = ");
    assert!(causes.iter().any(|cause| cause["name"] == format!("offer.c:{of_take}")), "{causes:?}");
    let why = client.ask("whydunit/why", json!({ "expression": "started", "frameId": frame }));
    assert!(why["steps"].as_array().expect("steps").iter().any(|step| step["text"] == "quantity = 14"), "{why}");
    // The same place forwards, from the start.
    assert_eq!(client.go("reverseContinue").reason, "entry");
    assert_eq!(client.go("stepBack").reason, "entry");
    let again = client.go("continue");
    assert_eq!((again.function.as_str(), again.line), ("free_pieces", faulty));
    assert_eq!(client.go("continue").reason, "exception");
    assert_eq!(client.go("continue").reason, "pause");
    assert_eq!(client.end(), 0);
    project.assert_clean();
}

#[test]
fn steps_lead_over_into_and_out_of_functions_both_ways() {
    let (project, _) = till();
    let mut client = Client::new(&project);
    let calls = line(&project, "offer.c", "return free_pieces(o, quantity) * unit_price;");
    let offer = path(&project, "offer.c");
    client.launch(json!({ "test": FAILING, "stopOnEntry": true }), &[(&offer, json!([{ "line": calls }]))]);
    let call = client.go("continue");
    assert_eq!((call.function.as_str(), call.line), ("offer_discount", calls));
    let first = client.go("stepIn");
    assert_eq!(first.function, "free_pieces");
    let second = client.go("next");
    assert_eq!((second.function.as_str(), second.line), ("free_pieces", first.line + 1));
    assert_eq!(client.go("stepBack"), first);
    assert_eq!(client.go("stepBack").line, calls);
    client.go("stepIn");
    let out = client.go("stepOut");
    assert_eq!((out.function.as_str(), out.line), ("offer_discount", calls));
    // Into the function that was called on the way here: its last line.
    let last = client.go("whydunit/stepBackIn");
    assert_eq!(last.function, "free_pieces");
    let before = client.go("whydunit/stepBackOut");
    assert_eq!((before.function.as_str(), before.line), ("offer_discount", calls));
    let over = client.go("next");
    assert_ne!(over.function, "free_pieces");
    // The console has the same.
    let number = client.send("evaluate", json!({ "expression": ":back", "context": "repl" }));
    assert_eq!(client.response(number)["success"], true);
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    assert_eq!(client.go_with("restart", json!({})).function, "main");
    // A line's executions can be gone to.
    let targets = client.ask("gotoTargets", json!({ "source": { "path": offer }, "line": calls }));
    assert_eq!(targets["targets"][0]["label"], "the next time");
    let there = client.go_with("goto", json!({ "threadId": 1, "targetId": targets["targets"][0]["id"] }));
    assert_eq!((there.reason.as_str(), there.line), ("goto", calls));
}

#[test]
fn breakpoints_have_conditions_numbers_and_messages() {
    let (project, _) = till();
    let money = path(&project, "money.c");
    let round = line(&project, "money.c", "amount = amount * 10 + (*p - '0');");
    let mut client = Client::new(&project);
    client.launch(json!({ "test": FAILING, "stopOnEntry": true }), &[]);
    let stops = |client: &mut Client, breakpoint: Value, command: &str| {
        let set = client.breakpoints(&money, json!([breakpoint]));
        assert_eq!(set[0]["verified"], true, "{set:?}");
        let mut values = Vec::new();
        while client.go(command).reason == "breakpoint" {
            values.push(client.value("amount"));
        }
        values
    };
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    let all = stops(&mut client, json!({ "line": round }), "continue");
    assert!(all.len() > 4, "{all:?}");
    let mut back = stops(&mut client, json!({ "line": round }), "reverseContinue");
    back.reverse();
    assert_eq!(back, all);
    let some = stops(&mut client, json!({ "line": round, "condition": "amount > 10 && *p != '.'" }), "continue");
    let expected: Vec<String> =
        all.iter().filter(|value| value.parse::<i64>().expect("a number") > 10).cloned().collect();
    assert_eq!(some, expected);
    // A number means the same hit both ways.
    assert_eq!(stops(&mut client, json!({ "line": round, "hitCondition": "3" }), "reverseContinue"), all[2..3]);
    let each: Vec<String> = all.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(stops(&mut client, json!({ "line": round, "hitCondition": "% 2" }), "continue"), each);
    client.go_with("restart", json!({}));
    let said = stops(&mut client, json!({ "line": round, "logMessage": "amount is {amount}" }), "continue");
    assert!(said.is_empty());
    let texts: Vec<&str> = client.said.iter().map(|(_, text)| text.trim_end()).collect();
    assert!(all.iter().all(|value| texts.contains(&format!("amount is {value}").as_str())), "{texts:?}");
    let wrong = client.breakpoints(&money, json!([{ "line": round, "condition": "amount >" }, { "line": 100_000 }]));
    assert!(wrong.iter().all(|breakpoint| breakpoint["verified"] == false && breakpoint["message"].is_string()));
    let elsewhere = client.breakpoints("/nowhere/else.c", json!([{ "line": 1 }]));
    assert!(elsewhere[0]["message"].as_str().expect("a text").contains("no source of the recorded program"));
}

#[test]
fn a_value_is_followed_to_its_writes_both_ways() {
    let (project, faulty) = till();
    let offer = path(&project, "offer.c");
    let mut client = Client::new(&project);
    client.launch(json!({ "test": FAILING }), &[(&offer, json!([{ "line": faulty }]))]);
    client.go("reverseContinue");
    client.breakpoints(&offer, json!([]));
    let frame = client.frame(0);
    let info = client.ask("dataBreakpointInfo", json!({ "name": "o->group", "frameId": frame }));
    assert_eq!(info["accessTypes"], json!(["write"]));
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": info["dataId"] }] }));
    // Before the write: it has another value there.
    let before = client.go("reverseContinue");
    assert_eq!(before.reason, "data breakpoint");
    assert_eq!(before.function, "parse_offer");
    let after = client.go("continue");
    assert_eq!((after.reason.as_str(), after.function), ("data breakpoint", before.function));
    assert_eq!(client.value("out->group"), "5");
    // A variable in registers is one of its frame.
    client.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
    client.breakpoints(&offer, json!([{ "line": faulty }]));
    assert_eq!(client.go("continue").line, faulty);
    let frame = client.frame(0);
    let info = client.ask("dataBreakpointInfo", json!({ "name": "pieces", "frameId": frame }));
    let set =
        client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": info["dataId"] }, { "dataId": "x" }] }));
    assert_eq!((&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]), (&json!(true), &json!(false)));
    assert_eq!(client.go("continue").reason, "data breakpoint");
    assert_eq!(client.value("pieces"), "6");
    assert_eq!(client.go("reverseContinue").reason, "data breakpoint");
    assert_eq!(client.value("pieces"), "4");
    let nothing = client.ask("dataBreakpointInfo", json!({ "name": "nothing" }));
    assert!(nothing["dataId"].is_null());
}

/// A program of one file, recorded.
fn recorded(source: &str, build: &[&str]) -> Project {
    let project = Project::new();
    project.copy(&format!("constructs/{source}"));
    let (status, _, errors) = project.json(&[&["build", "--"], build].concat());
    assert_eq!(status, 0, "{errors}");
    project.json(&["record", "--", "./program"]);
    project
}

#[test]
fn exceptions_of_cpp_stop_a_run_both_ways() {
    let file = "cpp_exceptions.cpp";
    let project = recorded(file, &["clang++-22", "-g", "-o", "program", file]);
    let mut client = Client::new(&project);
    client.launch(json!({ "stopOnEntry": true }), &[]);
    client.ask("setExceptionBreakpoints", json!({ "filters": ["throw"] }));
    let first = client.go("continue");
    assert_eq!((first.reason.as_str(), first.function.as_str()), ("exception", "half"));
    assert_eq!(client.ask("exceptionInfo", json!({ "threadId": 1 }))["exceptionId"], "throw");
    assert_eq!(client.value("n % 2"), "1");
    let second = client.go("continue");
    assert_eq!(second.reason, "exception");
    assert_eq!(client.go("reverseContinue"), first);
    assert!(client.refused("exceptionInfo", json!({ "threadId": 9 })).contains("nothing exceptional"));
    // Functions are stopped at by their names, and members of objects are there.
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    let set = client.ask(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [
        { "name": "nested", "condition": "depth == 0" }, { "name": "there_is_none" }
    ] }),
    );
    assert_eq!((&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]), (&json!(true), &json!(false)));
    client.go_with("restart", json!({}));
    let nested = client.go("continue");
    assert_eq!((nested.reason.as_str(), nested.function.as_str()), ("function breakpoint", "nested"));
    assert_eq!(client.value("depth"), "0");
    assert!(client.frames(1).iter().filter(|frame| frame["name"] == "nested").count() > 1);
    // Over the lines of this frame and back.
    let next = client.go("next");
    assert_eq!(next.function, "nested");
    assert_eq!(client.go("stepBack").line, nested.line);
}

#[test]
fn a_panic_of_rust_is_walked_back_from() {
    let project = Project::of("crate");
    let mut client = Client::new(&project);
    let at = client.launch(json!({ "test": "tests::middle_comes_first" }), &[]);
    assert_eq!(
        (at.reason.as_str(), at.function.as_str()),
        ("exception", "small::tests::middle_comes_first"),
        "{:?}",
        client.said
    );
    let lib = path(&project, "src/lib.rs");
    let fault = line(&project, "src/lib.rs", "middle = y; // the fault: x");
    let set = client.breakpoints(&lib, json!([{ "line": fault }]));
    assert_eq!(set[0]["verified"], true, "{set:?}");
    let at = client.go("reverseContinue");
    assert_eq!((at.reason.as_str(), at.line), ("breakpoint", fault));
    assert_eq!(client.value("x < z && y < x"), "true");
    let over = client.go("next");
    assert_eq!(client.go("stepBack").line, fault);
    assert_ne!(over.line, fault);
}

#[test]
fn threads_have_stacks_and_variables_of_their_own() {
    let file = "threads_cpp.cpp";
    let project = recorded(file, &["clang++-22", "-g", "-pthread", "-o", "program", file]);
    let mut client = Client::new(&project);
    client.launch(json!({ "stopOnEntry": true }), &[]);
    let mut most = 0;
    for _ in 0..200 {
        let threads = client.ask("threads", json!({}));
        let threads = threads["threads"].as_array().expect("threads").clone();
        for thread in &threads {
            for frame in client.frames(thread["id"].as_u64().expect("a number")) {
                client.ask("scopes", json!({ "frameId": frame["id"] }));
            }
        }
        most = most.max(threads.len());
        let at = client.go("stepIn");
        if at.reason != "step" || most > 2 {
            break;
        }
    }
    client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
    client.go("continue");
    let threads = client.ask("threads", json!({}));
    assert!(threads["threads"].as_array().expect("threads").len() > 1, "{threads}");
}

#[test]
fn clients_are_served_at_a_port_one_after_the_other() {
    let project = Project::new();
    let mut command = project.bare_command(WHYDUNIT);
    let mut adapter = command.args(["dap", "--port", "0"]).stderr(Stdio::piped()).spawn().expect("whydunit starts");
    let mut line = String::new();
    BufReader::new(adapter.stderr.take().expect("its errors")).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("waiting for an editor at ").expect("an address").to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    for _ in 0..2 {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        for command in ["initialize", "disconnect"] {
            let text = json!({ "seq": 1, "type": "request", "command": command }).to_string();
            write!(stream, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        }
        let mut answers = String::new();
        stream.take(1 << 16).read_to_string(&mut answers).expect("answers");
        assert!(answers.contains("supportsStepBack") && answers.contains("terminated"), "{answers}");
    }
    adapter.kill().expect("it runs");
    adapter.wait().expect("it ends");
}
