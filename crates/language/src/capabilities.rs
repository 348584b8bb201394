//! What the server can do, and which methods of the protocol that answers.

use serde_json::{Value, json};

use crate::commands::COMMANDS;
use crate::position::Encoding;

/// A method of the protocol that is answered, or a notification that is listened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// As the protocol names it.
    pub name: &'static str,
    /// It has a response.
    pub request: bool,
    /// What it does here, in words.
    pub what: &'static str,
}

const fn request(name: &'static str, what: &'static str) -> Method {
    Method { name, request: true, what }
}

const fn notification(name: &'static str, what: &'static str) -> Method {
    Method { name, request: false, what }
}

/// All of them, by their names.
pub const METHODS: &[Method] = &[
    notification("$/cancelRequest", "ends a request under way, by its number"),
    notification("exit", "ends the server"),
    request("initialize", "capabilities; folders of the workspace"),
    notification("initialized", "looks at the projects of the workspace"),
    request("shutdown", "ends what is under way; only `exit` comes after it"),
    request("textDocument/codeAction", "patches, why a test fails, recording it, a smaller input, the report"),
    request("textDocument/codeLens", "run, record and locate above tests"),
    request("textDocument/definition", "where the failing run set the variable last"),
    notification("textDocument/didChange", "findings move with their lines"),
    notification("textDocument/didClose", "what is on the disk counts again"),
    notification("textDocument/didOpen", "looks at the project of the file"),
    notification("textDocument/didSave", "checks the project"),
    request("textDocument/hover", "the values of a variable in the failing run"),
    request("textDocument/inlayHint", "the values that lines set last in the failing run"),
    notification("window/workDoneProgress/cancel", "ends what is under way, by its progress"),
    notification("workspace/didChangeWorkspaceFolders", "folders that come and go"),
    request("workspace/executeCommand", "the commands below"),
];

/// What the server says when a client begins.
pub fn capabilities(encoding: Encoding) -> Value {
    let commands: Vec<&str> = COMMANDS.iter().map(|known| known.0).collect();
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "source"] },
        "codeLensProvider": {},
        "executeCommandProvider": { "commands": commands, "workDoneProgress": true },
        "hoverProvider": true,
        "definitionProvider": true,
        "inlayHintProvider": true,
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
    })
}
