//! Which handler does a message.

use std::path::PathBuf;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, NumberOrString, Uri,
    WorkDoneProgressCancelParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::actions;
use crate::capabilities::capabilities;
use crate::client::{Client, folders};
use crate::commands;
use crate::documents::Document;
use crate::paths;
use crate::refusal::{Done, Refusal};
use crate::server::{Server, Stage};
use crate::values;

/// Does what a client says.
pub fn message(server: &mut Server, message: Message) {
    match message {
        Message::Request(request) => {
            let id = request.id.clone();
            if let Some(done) = self::request(server, request) {
                server.outgoing.respond(&id, done);
            }
        }
        Message::Notification(notification) => {
            let method = notification.method.clone();
            if let Err(refusal) = self::notification(server, notification) {
                server.outgoing.log(lsp_types::MessageType::ERROR, &format!("{method}: {}", refusal.text));
            }
        }
        // Nothing depends on what our requests come to.
        Message::Response(_) => {}
    }
}

/// What parameters say.
pub fn read<P: DeserializeOwned>(parameters: Value) -> Result<P, Refusal> {
    serde_json::from_value(parameters).map_err(|error| {
        Refusal::new(ErrorCode::InvalidParams, format!("the parameters cannot be understood: {error}"))
    })
}

/// The response to a request; `None` where it comes later.
fn request(server: &mut Server, request: Request) -> Option<Done> {
    let Request { id, method, params } = request;
    match (server.stage, method.as_str()) {
        (Stage::New, "initialize") => Some(initialize(server, params)),
        (Stage::New, _) => Some(Err(Refusal::new(ErrorCode::ServerNotInitialized, "`initialize` comes first"))),
        (Stage::ShutDown | Stage::Ended, _) => {
            Some(Err(Refusal::new(ErrorCode::InvalidRequest, "the server was shut down")))
        }
        (Stage::Running, "initialize") => {
            Some(Err(Refusal::new(ErrorCode::InvalidRequest, "the server is initialized already")))
        }
        (Stage::Running, "shutdown") => {
            server.stage = Stage::ShutDown;
            let asked = server.projects.values_mut().flat_map(|project| project.take_waiting());
            let asked: Vec<RequestId> = asked.map(|request| request.id).collect();
            for waiting in server.jobs.end().into_iter().chain(asked) {
                server.outgoing.respond(&waiting, Err(Refusal::cancelled()));
            }
            Some(Ok(Value::Null))
        }
        (Stage::Running, "textDocument/hover" | "textDocument/definition" | "textDocument/inlayHint") => {
            of_values(server, Request { id, method, params })
        }
        (Stage::Running, "textDocument/codeLens") => of_tests(server, Request { id, method, params }),
        (Stage::Running, "textDocument/codeAction") => {
            Some(read(params).and_then(|asked| actions::actions(server, &asked)))
        }
        (Stage::Running, "workspace/executeCommand") => match read(without_null(params, "arguments")) {
            Ok(asked) => commands::execute(server, id, asked),
            Err(refusal) => Some(Err(refusal)),
        },
        (Stage::Running, _) => {
            Some(Err(Refusal::new(ErrorCode::MethodNotFound, format!("`{method}` is not answered by this server"))))
        }
    }
}

/// What asks for values of the failing run; `None` where it is asked again when they are known.
fn of_values(server: &mut Server, request: Request) -> Option<Done> {
    let path = path(server, &request);
    if path.is_some_and(|path| !server.has_values(&path, &request)) {
        return None;
    }
    Some(match request.method.as_str() {
        "textDocument/hover" => read(request.params).and_then(|asked| values::hover(server, &asked)),
        "textDocument/definition" => read(request.params).and_then(|asked| values::cause(server, &asked)),
        _ => read(request.params).and_then(|asked| values::hints(server, &asked)),
    })
}

/// Without a field that says nothing, where some clients have `null`.
fn without_null(mut parameters: Value, field: &str) -> Value {
    if let Some(object) = parameters.as_object_mut().filter(|object| object.get(field) == Some(&Value::Null)) {
        object.remove(field);
    }
    parameters
}

/// What asks for tests; `None` where it is asked again when they are known.
fn of_tests(server: &mut Server, request: Request) -> Option<Done> {
    let path = path(server, &request);
    if path.is_some_and(|path| !server.has_tests(&path, &request)) {
        return None;
    }
    Some(read(request.params).and_then(|asked| actions::lenses(server, &asked)))
}

/// The file that a request is about.
fn path(server: &Server, request: &Request) -> Option<PathBuf> {
    let document = &request.params["textDocument"]["uri"];
    let uri = read::<Uri>(document.clone()).ok();
    uri.and_then(|uri| server.documents.path(&uri))
}

fn initialize(server: &mut Server, parameters: Value) -> Done {
    let parameters: InitializeParams = read(parameters)?;
    server.client = Client::of(&parameters).map_err(|text| Refusal::new(ErrorCode::InvalidParams, text))?;
    server.jobs.shown = server.client.progress;
    let named = folders(&parameters);
    if !named.is_empty() {
        server.folders = named;
    }
    server.stage = Stage::Running;
    let version = env!("CARGO_PKG_VERSION");
    Ok(json!({
        "capabilities": capabilities(server.client.encoding),
        "serverInfo": { "name": "whydunit", "version": version },
    }))
}

fn notification(server: &mut Server, notification: Notification) -> Result<(), Refusal> {
    let Notification { method, params } = notification;
    if method == "exit" {
        server.orderly = server.stage == Stage::ShutDown;
        server.stage = Stage::Ended;
        return Ok(());
    }
    if server.stage != Stage::Running {
        return Ok(());
    }
    match method.as_str() {
        "initialized" => {
            for folder in server.folders.clone() {
                server.meet(&folder);
            }
            server.look();
        }
        "textDocument/didOpen" => opened(server, read(params)?),
        "textDocument/didChange" => changed(server, read(params)?),
        "textDocument/didSave" => saved(server, &read(params)?),
        "textDocument/didClose" => closed(server, &read(params)?),
        "workspace/didChangeWorkspaceFolders" => folders_changed(server, &read(params)?),
        "window/workDoneProgress/cancel" => {
            server.jobs.cancel_progress(&read::<WorkDoneProgressCancelParams>(params)?.token);
        }
        "$/cancelRequest" => cancel(server, read(params)?),
        // Others say nothing to us.
        _ => {}
    }
    Ok(())
}

fn cancel(server: &mut Server, parameters: CancelParams) {
    let id = match parameters.id {
        NumberOrString::Number(number) => RequestId::from(number),
        NumberOrString::String(text) => RequestId::from(text),
    };
    let mut waits = server.jobs.cancel(&id);
    for project in server.projects.values_mut() {
        waits |= project.forget(&id);
    }
    if waits {
        server.outgoing.respond(&id, Err(Refusal::cancelled()));
    }
}

fn opened(server: &mut Server, parameters: DidOpenTextDocumentParams) {
    let item = parameters.text_document;
    let document = Document { uri: item.uri, version: item.version, text: item.text };
    let Some(path) = server.documents.open(document) else { return };
    server.meet(&path);
    server.look();
    if server.projects.values().any(|project| project.has(&path)) {
        server.publish_file(&path);
    }
}

fn changed(server: &mut Server, parameters: DidChangeTextDocumentParams) {
    let encoding = server.client.encoding;
    let Some(path) = server.documents.path(&parameters.text_document.uri) else { return };
    // What was never opened cannot change.
    let Some(document) = server.documents.get_mut(&path) else { return };
    document.version = parameters.text_document.version;
    for change in parameters.content_changes {
        document.change(change, encoding);
    }
    if server.projects.values().any(|project| project.has(&path)) {
        server.publish_file(&path);
    }
}

fn saved(server: &mut Server, parameters: &DidSaveTextDocumentParams) {
    let Some(path) = server.documents.path(&parameters.text_document.uri) else { return };
    // It may have been built since it was opened.
    server.meet(&path);
    server.look();
    if server.projects.values().any(|project| project.has(&path)) {
        server.publish_file(&path);
    }
    let root = server.project_of(&path).map(|project| {
        // There may be others by now.
        project.tests = None;
        project.root.clone()
    });
    if let Some(root) = root.filter(|_| server.client.options.check_on_save) {
        server.check(&root, Some(&path));
    }
}

fn closed(server: &mut Server, parameters: &DidCloseTextDocumentParams) {
    let Some(path) = server.documents.path(&parameters.text_document.uri) else { return };
    server.documents.close(&path);
    if server.projects.values().any(|project| project.has(&path)) {
        server.publish_file(&path);
    }
}

fn folders_changed(server: &mut Server, parameters: &DidChangeWorkspaceFoldersParams) {
    let real = |folder: &lsp_types::WorkspaceFolder| paths::path(&folder.uri).map(|path| paths::real(&path));
    let gone: Vec<_> = parameters.event.removed.iter().filter_map(real).collect();
    server.folders.retain(|folder| !gone.contains(folder));
    let open = server.documents.paths();
    let left: Vec<_> =
        server.projects.keys().filter(|root| gone.iter().any(|gone| root.starts_with(gone))).cloned().collect();
    for root in left {
        // A project with a file that is open stays.
        if open.iter().any(|path| path.starts_with(&root)) {
            continue;
        }
        if let Some(mut project) = server.projects.remove(&root) {
            project.files().iter().for_each(|path| server.publish_file(path));
        }
    }
    for folder in parameters.event.added.iter().filter_map(real) {
        server.meet(&folder);
        server.folders.push(folder);
    }
    server.look();
}
