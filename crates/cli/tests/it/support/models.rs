//! Models of objects as tests compare them.

use std::collections::BTreeSet;

use serde_json::Value;

/// Transitions as `from -[label]> to`, states by the values of some paths; what makes objects is called `made`, where that is given,
/// in the place of its own name.
pub fn transitions(model: &Value, paths: &[&str], made: Option<&str>) -> BTreeSet<String> {
    let states = model["states"].as_array().expect("states");
    let name = |id: &Value| {
        let values = &states[id.as_u64().expect("a number") as usize]["values"];
        let shown: Vec<&str> = paths.iter().filter_map(|path| values[path].as_str()).collect();
        if *id == 0 { "start".to_owned() } else { shown.join(" ") }
    };
    let line = |transition: &Value| {
        let mark = match transition["ending"].as_str() {
            Some("exception") => "!",
            Some("failure") => "?",
            _ => "",
        };
        let made = made.filter(|_| transition["from"] == 0 && mark.is_empty());
        let method = made.or(transition["method"].as_str()).expect("a method");
        format!("{} -{mark}{method}> {}", name(&transition["from"]), name(&transition["to"]))
    };
    model["transitions"].as_array().expect("transitions").iter().map(line).collect()
}

/// These lines, in no order.
pub fn set(lines: &[&str]) -> BTreeSet<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}
