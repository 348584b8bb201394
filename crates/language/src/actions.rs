//! What can be done at a place: lenses above tests, and actions at tests, failures and patches.

use std::path::Path;

use lsp_types::{CodeActionKind, CodeActionParams, CodeLensParams, Position, Range, TextEdit};
use serde_json::{Value, json};
use whydunit_reports::{KeptPatch, KeptReplacement, Kind};

use crate::commands::{Command, arguments, name};
use crate::declared::{declared, named};
use crate::paths;
use crate::position::{self, Encoding};
use crate::refusal::Done;
use crate::server::Server;

/// Lenses above the tests that a file declares.
pub fn lenses(server: &Server, asked: &CodeLensParams) -> Done {
    let Some(path) = server.documents.path(&asked.text_document.uri) else { return Ok(json!([])) };
    let mut lenses = Vec::new();
    for (line, project, test) in tests(server, &path) {
        let at = Position::new(line, 0);
        for (title, command) in
            [("run", Command::Test), ("record", Command::Record), ("why does it fail?", Command::Locate)]
        {
            lenses.push(json!({
                "range": Range::new(at, at),
                "command": { "title": title, "command": name(command), "arguments": arguments(&project, &test) },
            }));
        }
    }
    Ok(json!(lenses))
}

/// The tests of a file: their lines, projects and names in the suite.
fn tests(server: &Server, path: &Path) -> Vec<(u32, std::path::PathBuf, String)> {
    let Some(project) = server.project_at(path) else { return Vec::new() };
    let (Some(suite), Some(text)) = (&project.tests, server.documents.text(path)) else { return Vec::new() };
    let of = declared(path, &text).into_iter();
    of.filter_map(|it| Some((it.line, project.root.clone(), named(&it.name, path, suite)?.clone()))).collect()
}

/// What can be done in a range.
pub fn actions(server: &Server, asked: &CodeActionParams) -> Done {
    let Some(path) = server.documents.path(&asked.text_document.uri) else { return Ok(json!([])) };
    let Some(project) = server.project_at(&path) else { return Ok(json!([])) };
    let store = whydunit_suite::store_of(&project.root);
    let mut actions = Vec::new();
    for patch in whydunit_reports::patches(&store) {
        actions.extend(apply(server, &project.root, &path, asked.range, &patch));
    }
    let here = |line: u32| asked.range.start.line <= line && line <= asked.range.end.line;
    let declared = tests(server, &path).into_iter().filter(|(line, ..)| here(*line)).map(|(_, _, test)| test);
    let failed = asked.context.diagnostics.iter().filter_map(|diagnostic| {
        let data = diagnostic.data.as_ref().filter(|data| data["command"] == "show")?;
        data["test"].as_str().map(str::to_owned)
    });
    let mut tests: Vec<String> = declared.chain(failed).collect();
    tests.dedup();
    for test in tests {
        for (title, command) in [
            ("why does it fail?", Command::Locate),
            ("record it", Command::Record),
            ("make its input smaller", Command::Shrink),
            ("look for a call that is missing", Command::Anomalies),
        ] {
            let arguments = arguments(&project.root, &test);
            actions.push(command_action(&format!("{test}: {title}"), CodeActionKind::EMPTY, command, &arguments));
        }
    }
    if Kind::Locate.page(&store).is_file() {
        let arguments = json!([{ "project": project.root.to_string_lossy() }]);
        actions.push(command_action(
            "open the report of the last locate",
            CodeActionKind::SOURCE,
            Command::Report,
            &arguments,
        ));
    }
    if let Some(only) = &asked.context.only {
        let wanted = |action: &Value| {
            let kind = action["kind"].as_str().unwrap_or_default();
            only.iter().any(|only| kind == only.as_str() || kind.starts_with(&format!("{}.", only.as_str())))
        };
        actions.retain(wanted);
    }
    Ok(json!(actions))
}

fn command_action(title: &str, kind: CodeActionKind, command: Command, arguments: &Value) -> Value {
    let mut action = json!({
        "title": format!("whydunit: {title}"),
        "command": { "title": title, "command": name(command), "arguments": arguments },
    });
    if kind != CodeActionKind::EMPTY {
        action["kind"] = json!(kind);
    }
    action
}

/// A patch as an action, where it is about a place in the range, and all that it replaces still stands there.
fn apply(server: &Server, root: &Path, path: &Path, range: Range, patch: &KeptPatch) -> Option<Value> {
    let file = |replaced: &KeptReplacement| paths::real(&root.join(&replaced.location.file));
    let mut changes = std::collections::BTreeMap::<String, Vec<TextEdit>>::new();
    let mut is_here = false;
    for replaced in &patch.replaced {
        let of = file(replaced);
        let edit = edit(server, &of, replaced)?;
        is_here |= of == path && edit.range.start.line <= range.end.line && range.start.line <= edit.range.end.line;
        changes.entry(server.documents.uri(&of)?.as_str().to_owned()).or_default().push(edit);
    }
    let first = patch.replaced.first().filter(|_| is_here)?;
    let title = format!("whydunit: {} ({} patch)", what(first), patch.grade);
    Some(json!({
        "title": title,
        "kind": CodeActionKind::QUICKFIX,
        "isPreferred": patch.grade == "verified",
        "edit": { "changes": changes },
    }))
}

/// What a replacement does, in words: what is inserted where the rest stays.
fn what(replaced: &KeptReplacement) -> String {
    let (before, after) = (replaced.before.trim(), replaced.after.trim());
    let inserted = after.strip_suffix(before).or_else(|| after.strip_prefix(before)).map(str::trim);
    match inserted.filter(|inserted| !inserted.is_empty()) {
        // A word that grows is another word.
        Some(inserted) if before.is_empty() || inserted.ends_with([';', '}']) => format!("insert `{inserted}`"),
        _ => format!("replace `{before}` by `{after}`"),
    }
}

/// One replacement, where what it replaces still stands.
fn edit(server: &Server, path: &Path, replaced: &KeptReplacement) -> Option<TextEdit> {
    let text = server.documents.text(path)?;
    let encoding = server.client.encoding;
    let lines = position::lines(&text);
    let line = replaced.location.line.checked_sub(1)?;
    let start = position::range(&lines, line, &replaced.location, encoding).start;
    let end = end_of(&lines, start, &replaced.before, encoding)?;
    Some(TextEdit { range: Range::new(start, end), new_text: replaced.after.clone() })
}

/// Where a text ends that begins at a place; `None` where another one stands there.
fn end_of(lines: &[&str], start: Position, text: &str, encoding: Encoding) -> Option<Position> {
    let mut at = start;
    for (index, part) in text.split('\n').enumerate() {
        if index > 0 {
            // The line before ends here, too.
            let before = lines.get(at.line as usize)?;
            if at.character != encoding.units(before) {
                return None;
            }
            at = Position::new(at.line + 1, 0);
        }
        let line = lines.get(at.line as usize)?;
        line.get(encoding.byte(line, at.character)..)?.strip_prefix(part.trim_end_matches('\r'))?;
        at.character += encoding.units(part.trim_end_matches('\r'));
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_only_for_what_still_stands() {
        let lines = ["x = ä +", "  b;", ""];
        let end = |line, character, text: &str| {
            let end = end_of(&lines, Position::new(line, character), text, Encoding::Utf16)?;
            Some((end.line, end.character))
        };
        assert_eq!(end(0, 4, "ä +"), Some((0, 7)));
        assert_eq!(end(0, 4, "ä +\n  b"), Some((1, 3)));
        assert_eq!(end(0, 4, "ä +\r\n  b"), Some((1, 3)));
        assert_eq!((end(0, 4, "ä\n"), end(0, 4, "a"), end(7, 0, "x"), end(1, 2, "b;\n\n")), (None, None, None, None));
    }
}
