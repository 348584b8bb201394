//! What a client does wrong gets one clear error, and ends nothing.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::built;
use crate::support::editor::{Editor, uri};
use crate::support::numbers::Numbers;
use crate::support::project::Project;
use serde_json::{Value, json};
use whydunit_language::METHODS;

/// The numbers of the protocol for what is wrong.
const NOT_INITIALIZED: i64 = -32002;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMETERS: i64 = -32602;
const UNKNOWN: i64 = -32601;

#[test]
fn messages_out_of_order_and_unknown_ones_are_refused_in_words() {
    let project = Project::new();
    let mut editor = Editor::bare(&project);
    for method in METHODS.iter().filter(|method| method.request && method.name != "initialize") {
        assert_eq!(editor.refused(method.name, json!({})).0, NOT_INITIALIZED, "{}", method.name);
    }
    assert_eq!(editor.refused("initialize", json!({ "capabilities": 7 })).0, INVALID_PARAMETERS);
    let options = json!({ "capabilities": {}, "initializationOptions": { "checkOnSave": "maybe" } });
    assert!(editor.refused("initialize", options).1.contains("checkOnSave") || project.folder().exists());
    editor.initialize(&project, json!({}));
    assert_eq!(editor.refused("initialize", json!({ "capabilities": {} })).0, INVALID_REQUEST);
    let (code, words) = editor.refused("textDocument/nonsense", json!({}));
    assert!(code == UNKNOWN && words.contains("`textDocument/nonsense`"), "{words}");
    // Of what was never opened nothing is known.
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///a.c", "version": 1 }, "contentChanges": [] }),
    );
    editor.notify("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:7" } }));
    editor.notify("$/cancelRequest", json!({ "id": 4711 }));
    editor.notify("textDocument/didOpen", json!({ "textDocument": 7 }));
    let logged = editor.told("window/logMessage");
    assert!(logged["message"].as_str().expect("words").starts_with("textDocument/didOpen: "), "{logged}");
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.refused("shutdown", Value::Null).0, INVALID_REQUEST);
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": "file:///a.c" } }));
    editor.notify("exit", Value::Null);
    assert_eq!(editor.leave(), 0);
}

#[test]
fn who_ends_without_having_said_so_has_failed() {
    let project = Project::new();
    let mut editor = Editor::new(&project);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.leave(), 1);
    assert_eq!(Editor::new(&project).leave(), 1);
}

#[test]
fn what_is_no_message_is_refused_and_passed_over() {
    let project = Project::new();
    let mut editor = Editor::new(&project);
    for content in ["", "{", "[]", "7", "{}", "{\"id\":1.5,\"method\":\"shutdown\"}", "\u{0}\u{1}"] {
        editor.wire.send_raw(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
        let refused = editor.wire.receive().expect("it goes on");
        assert!(refused["error"]["message"].as_str().expect("words").contains("cannot be understood"), "{refused}");
    }
    editor.wire.send_raw(b"Content-Length: 17000000\r\n\r\n");
    editor.wire.send_raw(&vec![b' '; 17_000_000]);
    let refused = editor.wire.receive().expect("it goes on");
    assert!(refused["error"]["message"].as_str().expect("words").contains("too long"), "{refused}");
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    editor.wire.send_raw(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    assert_eq!(editor.wire.receive().expect("it goes on")["error"]["code"], -32700);
    editor.wire.send_raw(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(editor.leave(), 2);
}

#[test]
fn files_with_any_names_and_line_ends_are_followed() {
    let project = built("misuse");
    let crlf = project.read("streams.c").replace('\n', "\r\n");
    project.write("streams.c", &crlf);
    let name = project.folder().join(OsStr::from_bytes(b"\xff\xfe.c"));
    std::fs::write(&name, b"int x; // \xe4\r\n").expect("a file");
    let mut editor = Editor::new(&project);
    let strange = format!("{}/%FF%FE.c", uri(project.folder()));
    let document = json!({ "uri": strange, "languageId": "c", "version": 1, "text": "int x;\r\n\u{1F980}" });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let (start, end) = (json!({ "line": 1, "character": 1 }), json!({ "line": 9, "character": 9 }));
    let change = json!({ "range": { "start": start, "end": end }, "text": "\u{1F980}" });
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": strange, "version": 2 }, "contentChanges": [change] }),
    );
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": strange } }));
    editor.open(&project, "streams.c");
    editor.save(&project, "streams.c");
    let shown = editor.diagnostics(&project, "streams.c", |all| !all.is_empty());
    let text: Vec<&str> = crlf.split("\r\n").collect();
    for diagnostic in &shown {
        let range = &diagnostic["range"];
        let number = |value: &Value| value.as_u64().expect("a number") as usize;
        let line = text[number(&range["start"]["line"])];
        assert!(number(&range["end"]["character"]) <= line.len(), "{diagnostic} in `{line}`");
        assert!(number(&range["start"]["character"]) < number(&range["end"]["character"]), "{diagnostic}");
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn two_editors_on_one_project_do_not_disturb_each_other() {
    let project = built("misuse");
    let mut editors = [Editor::new(&project), Editor::new(&project)];
    for editor in &mut editors {
        editor.open(&project, "streams.c");
        editor.save(&project, "streams.c");
    }
    let shown: Vec<Vec<Value>> =
        editors.iter_mut().map(|editor| editor.diagnostics(&project, "streams.c", |all| !all.is_empty())).collect();
    assert_eq!(shown[0], shown[1]);
    for editor in editors {
        assert_eq!(editor.end(), 0);
    }
    project.assert_clean();
}

/// Any parameters of requests, with names and values that these have.
fn parameters(numbers: &mut Numbers, project: &Project, depth: usize) -> Value {
    const KEYS: [&str; 18] = [
        "textDocument",
        "uri",
        "position",
        "line",
        "character",
        "range",
        "start",
        "end",
        "contentChanges",
        "text",
        "version",
        "context",
        "diagnostics",
        "command",
        "arguments",
        "token",
        "id",
        "event",
    ];
    let words = [
        uri(&project.path("streams.c")),
        "file:///nowhere".into(),
        "untitled:1".into(),
        "whydunit.locate".into(),
        "\u{1F980}".into(),
        String::new(),
    ];
    match numbers.below(if depth > 3 { 5 } else { 9 }) {
        0 => Value::Null,
        1 => json!(numbers.below(9)),
        2 => json!(u64::MAX - numbers.below(3) as u64),
        3 => json!(words[numbers.below(words.len())]),
        4 => json!(-1),
        5 => (0..numbers.below(3)).map(|_| parameters(numbers, project, depth + 1)).collect(),
        _ => {
            let keys: Vec<&str> = (0..1 + numbers.below(4)).map(|_| KEYS[numbers.below(KEYS.len())]).collect();
            keys.into_iter().map(|key| (key.to_owned(), parameters(numbers, project, depth + 1))).collect()
        }
    }
}

#[test]
fn no_parameters_end_a_session() {
    let project = built("misuse");
    let mut editor = Editor::new(&project);
    editor.open(&project, "streams.c");
    let mut numbers = Numbers(20_261_127);
    let methods: Vec<_> = METHODS.iter().filter(|method| !["exit", "shutdown"].contains(&method.name)).collect();
    for round in 0..3000 {
        let method = methods[numbers.below(methods.len())];
        let mut parameters = parameters(&mut numbers, &project, 0);
        // More often than not it is at least about a file.
        if round % 2 == 0 && parameters.is_object() {
            parameters["textDocument"] = json!({ "uri": uri(&project.path("streams.c")), "version": round, "text": "int x;", "languageId": "c" });
            let (line, character) = (numbers.below(9), numbers.below(9));
            let at = json!({ "line": line, "character": character });
            parameters["position"] = at.clone();
            parameters["range"] = json!({ "start": at, "end": { "line": numbers.below(9), "character": 1 } });
            parameters["contentChanges"] = json!([{ "range": parameters["range"], "text": "\u{1F980}\n" }]);
        }
        match method.request {
            true => _ = editor.send(method.name, parameters),
            false => editor.notify(method.name, parameters),
        }
    }
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}

#[test]
fn places_behind_tabs_and_long_letters_are_counted_as_the_client_counts() {
    let project = built("misuse");
    project.edit("across.c", "    return fgetc(f); /* wrong", "\t/* \u{1F980}\u{e4} */ return fgetc(f); /* wrong");
    let text = project.read("across.c");
    let (number, line) = (0..).zip(text.lines()).find(|(_, line)| line.contains('\u{1F980}')).expect("the line");
    let before = line.split("fgetc").next().expect("a text");
    for (encoding, units) in [("utf-16", before.encode_utf16().count()), ("utf-8", before.len())] {
        let mut editor = Editor::bare(&project);
        let begun = editor.initialize(&project, json!({ "general": { "positionEncodings": [encoding] } }));
        assert_eq!(begun["capabilities"]["positionEncoding"], encoding);
        editor.open(&project, "across.c");
        editor.save(&project, "across.c");
        let of_line = |one: &&Value| one["range"]["start"]["line"] == number;
        let shown = editor.diagnostics(&project, "across.c", |all| all.iter().any(|one| of_line(&one)));
        let found = shown.iter().find(of_line).expect("a finding");
        assert_eq!(found["range"]["start"]["character"], units, "{encoding}: {found}");
        assert_eq!(editor.end(), 0);
    }
}

#[test]
fn messages_that_are_changed_at_random_end_no_session() {
    let project = built("misuse");
    let mut editor = Editor::new(&project);
    let mut numbers = Numbers(20_261_129);
    let document = json!({ "uri": uri(&project.path("streams.c")) });
    let place = json!({ "line": 3, "character": 4 });
    let range = json!({ "start": place, "end": place });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 900, "method": "textDocument/hover", "params": { "textDocument": document, "position": place } }),
        json!({ "jsonrpc": "2.0", "id": 901, "method": "textDocument/codeAction", "params": { "textDocument": document, "range": range, "context": { "diagnostics": [] } } }),
        json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": 900 } }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": { "textDocument": { "uri": document["uri"], "version": 2 }, "contentChanges": [{ "range": range, "text": "x" }] } }),
        json!({ "jsonrpc": "2.0", "id": 902, "method": "workspace/executeCommand", "params": { "command": "whydunit.report", "arguments": [{}] } }),
    ];
    editor.open(&project, "streams.c");
    for _ in 0..2000 {
        let mut bytes = messages[numbers.below(messages.len())].to_string().into_bytes();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(bytes.len());
            match numbers.below(4) {
                0 => bytes[at] = numbers.below(256) as u8,
                1 if bytes.len() > 1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"{}[]\":,0-e\\\xff"[numbers.below(12)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        // What would end the session for good is no mistake.
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("\"exit\"") || text.contains("\"shutdown\"") {
            continue;
        }
        editor.wire.send_raw(format!("Content-Length: {}\r\n\r\n", bytes.len()).as_bytes());
        editor.wire.send_raw(&bytes);
    }
    assert_eq!(editor.end(), 0);
    project.assert_clean();
}
