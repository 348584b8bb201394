//! Memory errors and undefined behaviour stop a run where the check finds them, forwards and backwards.

use std::collections::BTreeSet;

use crate::support::adapter::{At, Client};
use serde_json::json;

use super::recorded;

const FILTERS: [&str; 2] = ["memory-error", "undefined-behaviour"];

/// The stops in a direction, up to the end of the run.
fn stops(client: &mut Client, command: &str) -> Vec<At> {
    let mut stops = Vec::new();
    loop {
        let at = client.go(command);
        if at.reason != "exception" {
            return stops;
        }
        stops.push(at);
        assert!(stops.len() < 100, "it stops too often");
    }
}

#[test]
fn errors_that_the_check_finds_are_stopped_at_both_ways() {
    for (file, kind) in [
        ("heap_write_past.c", "memory error (out-of-bounds)"),
        ("use_after_free.c", "memory error (use-after-free)"),
        ("uninitialised_branch.c", "memory error (uninitialised)"),
        ("undefined_kept.c", "undefined behaviour ("),
    ] {
        let project = recorded(file, &["clang-22", "-g", "-o", "program", file]);
        let (_, shown, _) = project.json(&["show"]);
        let list = |key: &str| shown[key].as_array().cloned().unwrap_or_default();
        let errors = [list("memory_errors"), list("undefined_behaviours")].concat();
        let lines: BTreeSet<u64> = errors.iter().filter_map(|error| error["location"]["line"].as_u64()).collect();
        assert!(!lines.is_empty(), "{file}: {shown}");
        let mut client = Client::new(&project);
        client.launch(json!({ "stopOnEntry": true }), &[]);
        client.ask("setExceptionBreakpoints", json!({ "filters": FILTERS }));
        let there = stops(&mut client, "continue");
        assert_eq!(there.iter().map(|at| at.line).collect::<BTreeSet<u64>>(), lines, "{file}");
        let mut back = stops(&mut client, "reverseContinue");
        back.reverse();
        assert_eq!(there, back, "{file}");
        // The first one, in words.
        client.go("continue");
        let info = client.ask("exceptionInfo", json!({ "threadId": 1 }));
        assert!(info["description"].as_str().is_some_and(|text| text.starts_with(kind)), "{file}: {info}");
        // Where nobody asks for them they stop nothing.
        client.ask("setExceptionBreakpoints", json!({ "filters": ["throw"] }));
        assert_eq!(client.go("reverseContinue").reason, "entry", "{file}");
        assert_eq!(client.go("continue").reason, "pause", "{file}");
    }
}

#[test]
fn a_run_without_errors_is_not_stopped() {
    let project = recorded("aggregates.c", &["clang-22", "-g", "-o", "program", "aggregates.c"]);
    let mut client = Client::new(&project);
    client.launch(json!({ "stopOnEntry": true }), &[]);
    let set = client.ask("setExceptionBreakpoints", json!({ "filters": FILTERS }));
    assert_eq!(set["breakpoints"], json!([{ "verified": true }, { "verified": true }]));
    assert_eq!(stops(&mut client, "continue"), []);
    assert_eq!(stops(&mut client, "reverseContinue"), []);
}
