//! A recorded session for each feature: what an editor says, and what it is answered, word for word. `UPDATE_SESSIONS=1` writes them
//! anew.

use super::{FAILING, built, place};
use crate::support::editor::{Editor, uri};
use crate::support::project::Project;
use serde_json::{Value, json};

/// A session under way, with what was said until now.
struct Session<'p> {
    project: &'p Project,
    editor: Editor,
    said: String,
}

impl<'p> Session<'p> {
    fn new(project: &'p Project) -> Self {
        let mut session = Self { project, editor: Editor::bare(project), said: String::new() };
        let folders = json!([{ "uri": uri(project.folder()), "name": "project" }]);
        let capabilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
        session
            .ask("initialize", json!({ "processId": null, "capabilities": capabilities, "workspaceFolders": folders }));
        session.tell("initialized", json!({}));
        session
    }

    fn write(&mut self, arrow: &str, what: &str, value: &Value) {
        let text = serde_json::to_string_pretty(value).expect("JSON");
        self.said.push_str(&format!("{arrow} {what}\n{text}\n"));
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.write("->", method, &parameters);
        let number = self.editor.send(method, parameters);
        let mut response = self.editor.response(number);
        let response = response.as_object_mut().expect("an object");
        response.remove("jsonrpc");
        response.remove("id");
        let response = Value::Object(response.clone());
        self.write("<-", method, &response);
        response["result"].clone()
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.write("->", method, &parameters);
        self.editor.notify(method, parameters);
    }

    /// Opens a file; its text is not a part of what is recorded.
    fn open(&mut self, file: &str) {
        self.write("->", "textDocument/didOpen", &json!({ "uri": uri(&self.project.path(file)) }));
        self.editor.open(self.project, file);
    }

    fn shown(&mut self, file: &str, wanted: impl Fn(&[Value]) -> bool) {
        let shown = self.editor.diagnostics(self.project, file, wanted);
        self.write("<-", "textDocument/publishDiagnostics", &json!(shown));
    }

    fn at(&self, file: &str, text: &str) -> Value {
        json!({ "textDocument": { "uri": uri(&self.project.path(file)) }, "position": place(self.project, file, text) })
    }

    /// Ends it, and holds what was said to what was recorded.
    fn end(mut self, name: &str) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.editor.leave(), 0);
        let folder = uri(self.project.folder());
        let path = folder.trim_start_matches("file://").to_owned();
        let said = self.said.replace(&folder, "file:///project").replace(&path, "/project");
        let said = said.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        let file = format!("{}/tests/it/lsp/sessions/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_SESSIONS").is_some() {
            std::fs::write(&file, &said).expect("a file");
        }
        let recorded = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        for (number, (now, then)) in said.lines().zip(recorded.lines()).enumerate() {
            assert_eq!(now, then, "{name}.txt:{}", number + 1);
        }
        assert_eq!(said.lines().count(), recorded.lines().count(), "{name}.txt");
    }
}

#[test]
fn misuse_on_save() {
    let project = built("misuse");
    let mut session = Session::new(&project);
    session.open("lists.c");
    session.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri(&project.path("lists.c")) } }));
    session.shown("lists.c", |all| !all.is_empty());
    session.end("check");
}

#[test]
fn a_failing_run_and_its_values() {
    let project = built("demo");
    project.json(&["record", FAILING]);
    let mut session = Session::new(&project);
    session.open("invoice.c");
    session.shown("invoice.c", |all| !all.is_empty());
    session.open("offer.c");
    session.ask("textDocument/hover", session.at("offer.c", "pieces += started"));
    session.ask("textDocument/definition", session.at("offer.c", "pieces += started"));
    let end = json!({ "line": 60, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let document = json!({ "uri": uri(&project.path("offer.c")) });
    session.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": range }));
    session.end("values");
}

#[test]
fn lenses_and_actions_of_tests() {
    let project = Project::new();
    project.copy("shrink/records.c");
    let cases = [
        json!({ "name": "fine", "stdin": "a = 1\n", "stdout": "" }),
        json!({ "name": "crash", "stdin": "l = 5117\n" }),
    ];
    project.write("cases.jsonl", &cases.map(|case| case.to_string()).join("\n"));
    project.write("whydunit.toml", "[build]\nsources = [\"records.c\"]\n[tests]\ncases = \"cases.jsonl\"\n");
    project.json(&["build"]);
    let mut session = Session::new(&project);
    session.open("cases.jsonl");
    let document = json!({ "uri": uri(&project.path("cases.jsonl")) });
    session.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let at = json!({ "line": 1, "character": 0 });
    let context = json!({ "diagnostics": [] });
    session.ask(
        "textDocument/codeAction",
        json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": context }),
    );
    let argument = json!({ "project": project.folder().canonicalize().expect("a folder"), "test": "crash" });
    session.ask("workspace/executeCommand", json!({ "command": "whydunit.test", "arguments": [argument] }));
    session.end("tests");
}

#[test]
fn mistakes_of_a_client() {
    let project = Project::new();
    let mut session = Session::new(&project);
    session.ask("initialize", json!({ "capabilities": {} }));
    session.ask("textDocument/completion", json!({}));
    session.ask("textDocument/hover", json!({ "textDocument": 7 }));
    session.ask("workspace/executeCommand", json!({ "command": "whydunit.nothing" }));
    session.ask("workspace/executeCommand", json!({ "command": "whydunit.record" }));
    session.end("mistakes");
}
