//! Names that complete what a client's user has begun to write.

use serde_json::{Value as Json, json};
use whydunit_causes::expression::Value;
use whydunit_debugger::FrameId;
use whydunit_desk::Cancel;

use crate::arguments::{Completions, read};
use crate::refusal::Done;
use crate::server::{Debugged, Server};
use crate::values;

/// So many names are told at most.
const MOST: usize = 200;
/// The commands of the console.
const COMMANDS: [&str; 13] = [
    "back", "back-in", "back-out", "reverse", "start", "end", "failure", "events", "event", "goto", "position", "why",
    "help",
];

/// What has been written: the text before the name, and the beginning of the name.
fn begun(text: &str) -> (&str, &str) {
    let start = text.char_indices().rev().take_while(|(_, c)| c.is_alphanumeric() || *c == '_').last();
    text.split_at(start.map_or(text.len(), |(at, _)| at))
}

/// The expression whose members are asked for; `None` where a variable is.
fn object(before: &str) -> Option<&str> {
    let before = before.trim_end();
    let before = before.strip_suffix("->").or_else(|| before.strip_suffix('.'))?;
    // Back over names, members and elements.
    let mut open = 0;
    let start = before.char_indices().rev().take_while(|(_, c)| {
        open += i32::from(matches!(c, ']' | ')')) - i32::from(matches!(c, '[' | '('));
        open > 0 || open == 0 && (c.is_alphanumeric() || "_.[]()>-:".contains(*c))
    });
    start.last().map(|(at, _)| &before[at..])
}

/// The names that go on with what has been written.
pub fn complete(server: &mut Server, arguments: &Json, cancel: &Cancel) -> Done {
    let asked: Completions = read("completions", arguments)?;
    let from_1 = u64::from(server.client.columns_start_at1);
    let units = usize::try_from(asked.column.saturating_sub(from_1)).unwrap_or(usize::MAX);
    let text = cut(&asked.text, units);
    let debugged = server.debugged(cancel)?;
    let (before, name) = begun(text);
    let known = match before.trim() {
        ":" => COMMANDS.iter().map(|command| ((*command).to_owned(), "keyword")).collect(),
        _ => {
            let frame = debugged.frame(asked.frame_id)?;
            names(debugged, frame, object(before))
        }
    };
    let start = before.encode_utf16().count() as u64 + from_1;
    let fitting = known.into_iter().filter(|(known, _)| known.starts_with(name)).take(MOST);
    let told = fitting.map(
        |(label, kind)| json!({ "label": label, "type": kind, "start": start, "length": name.encode_utf16().count() }),
    );
    Ok(json!({ "targets": told.collect::<Vec<Json>>() }))
}

/// The beginning of a text, in units of UTF-16, as the protocol counts.
fn cut(text: &str, units: usize) -> &str {
    let mut seen = 0;
    let end = text.char_indices().find(|(_, c)| {
        seen += c.len_utf16();
        seen > units
    });
    end.map_or(text, |(at, _)| &text[..at])
}

/// The members of an object, or without one the variables that can be seen.
fn names(debugged: &mut Debugged, frame: FrameId, object: Option<&str>) -> Vec<(String, &'static str)> {
    let members = |debugged: &mut Debugged, text: &str| {
        let Ok(Value::Found(found)) = debugged.session.evaluate(frame, text) else { return Vec::new() };
        values::members(debugged, frame, &found, MOST as u64)
    };
    let mut names: Vec<(String, &'static str)> = match object {
        Some(text) => members(debugged, text).into_iter().map(|name| (name, "field")).collect(),
        None => {
            let locals = debugged.session.view(frame).map(|view| view.in_scope()).unwrap_or_default();
            let globals = debugged.session.globals(frame).unwrap_or_default();
            let all = locals.into_iter().chain(globals.into_iter().map(|global| global.found));
            all.map(|found| (found.name, "variable")).collect()
        }
    };
    names.retain(|(name, _)| name.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|(name, _)| seen.insert(name.clone()));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_begun_is_a_name_behind_something() {
        assert_eq!(begun("a + list->ne"), ("a + list->", "ne"));
        assert_eq!(begun("list->"), ("list->", ""));
        assert_eq!(begun("x"), ("", "x"));
        assert_eq!(object("a + list->"), Some("list"));
        assert_eq!(object("b * v[i + 1].x."), Some("v[i + 1].x"));
        assert_eq!((object("a + "), object(""), object(".")), (None, None, None));
        assert_eq!(cut("a\u{1F980}b", 2), "a");
        assert_eq!(cut("ab", 7), "ab");
    }
}
