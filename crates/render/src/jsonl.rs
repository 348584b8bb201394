//! JSON lines: one object a line, each with one key that says what it is.

use serde_json::{Map, Value};
use whydunit_findings::Report;

use crate::json::object;

/// The lists whose items become lines, and the key of such a line.
const LISTS: [(&str, &str); 10] = [
    ("tests", "test"),
    ("findings", "finding"),
    ("correction_sets", "correction_set"),
    ("lines", "line"),
    ("failures", "failure"),
    ("executables", "executable"),
    ("recordings", "recording"),
    ("memory_errors", "memory_error"),
    ("undefined_behaviours", "undefined_behaviour"),
    ("problems", "problem"),
];

/// The object of [`json`](crate::json()) in lines: first `{"report": …}` with what is no long list, then the items of the
/// lists, last `{"stats": …}`.
pub fn jsonl(report: &Report) -> String {
    let mut head = object(report);
    let lists: Vec<_> = LISTS.iter().map(|(list, name)| (name, head.shift_remove(*list))).collect();
    let stats = head.shift_remove("stats");
    let mut out = String::new();
    let mut line = |name: &str, value: Value| {
        let object = Value::Object(Map::from_iter([(name.to_string(), value)]));
        out += &object.to_string();
        out.push('\n');
    };
    line("report", Value::Object(head));
    for (name, list) in lists {
        if let Some(Value::Array(items)) = list {
            items.into_iter().for_each(|item| line(name, item));
        }
    }
    if let Some(stats) = stats {
        line("stats", stats);
    }
    out
}
