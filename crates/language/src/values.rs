//! Values of the failing run, where people point at a variable: hover, hints at lines, and where a value was set.

use std::path::Path;

use lsp_types::{GotoDefinitionParams, HoverParams, InlayHintParams, Position, TextDocumentPositionParams};
use serde_json::{Value, json};
use whydunit_debugger::{RunValues, VariableValues};

use crate::known::source;
use crate::position;
use crate::refusal::Done;
use crate::run::FailingRun;
use crate::server::Server;
use crate::tracking::Lines;

/// A file as it is now, with where the lines are that it had when it was built.
struct Place<'a> {
    run: &'a FailingRun,
    values: &'a RunValues,
    root: &'a Path,
    path: &'a Path,
    text: String,
    lines: Lines,
}

impl<'a> Place<'a> {
    /// `None` where nothing is known of the file.
    fn of(server: &'a Server, path: &'a Path) -> Option<Self> {
        let project = server.project_at(path)?;
        let (run, known) = (project.run.as_ref()?, project.values.as_ref()?.as_ref().ok()?);
        let before = known.texts.get(path)?;
        let text = server.documents.text(path)?;
        let lines = Lines::between(before, &text);
        Some(Self { run, values: &known.values, root: &project.root, path, text, lines })
    }

    fn is_it(&self, file: &str) -> bool {
        source(self.root, file) == self.path
    }

    /// The variable at a position.
    fn variable(&self, position: Position, server: &Server) -> Option<&'a VariableValues> {
        let line = position::lines(&self.text).get(position.line as usize).copied()?.to_owned();
        let name = position::word_at(&line, server.client.encoding.byte(&line, position.character))?;
        let built = self.lines.from(position.line)?;
        self.values.at(|file| self.is_it(file), built + 1, name)
    }
}

/// What is known of the variable at a position.
pub fn hover(server: &Server, parameters: &HoverParams) -> Done {
    let found = at(
        server,
        &parameters.text_document_position_params,
        |place, variable, _| json!({ "contents": { "kind": "markdown", "value": told(place, variable) } }),
    );
    Ok(found.unwrap_or(Value::Null))
}

/// Where the value of the variable at a position was set last.
pub fn cause(server: &Server, parameters: &GotoDefinitionParams) -> Done {
    let found = at(server, &parameters.text_document_position_params, |place, variable, server| {
        let set = variable.last_set.and_then(|line| place.lines.to(line.checked_sub(1)?));
        let (Some(line), Some(uri)) = (set, server.documents.uri(place.path)) else { return Value::Null };
        let lines = position::lines(&place.text);
        let location = whydunit_findings::Location::default();
        json!([{ "uri": uri, "range": position::range(&lines, line, &location, server.client.encoding) }])
    });
    Ok(found.unwrap_or(Value::Null))
}

fn at(
    server: &Server,
    at: &TextDocumentPositionParams,
    give: impl FnOnce(&Place<'_>, &VariableValues, &Server) -> Value,
) -> Option<Value> {
    let path = server.documents.path(&at.text_document.uri)?;
    let place = Place::of(server, &path)?;
    let variable = place.variable(at.position, server)?;
    Some(give(&place, variable, server))
}

/// The values that the lines of a range have set.
pub fn hints(server: &Server, parameters: &InlayHintParams) -> Done {
    let Some(path) = server.documents.path(&parameters.text_document.uri) else { return Ok(json!([])) };
    let Some(place) = Place::of(server, &path) else { return Ok(json!([])) };
    let text = position::lines(&place.text);
    let mut hints = Vec::new();
    let of_file = place.values.variables.iter().filter(|variable| place.is_it(&variable.file));
    for (line, variable, set) in of_file.flat_map(|it| it.set.iter().map(move |(line, set)| (*line, it, set))) {
        let Some(now) = line.checked_sub(1).and_then(|line| place.lines.to(line)) else { continue };
        if now < parameters.range.start.line || now > parameters.range.end.line {
            continue;
        }
        let Some(end) = text.get(now as usize).map(|line| server.client.encoding.units(line)) else { continue };
        let times = if set.times > 1 { format!(" ({} times)", set.times) } else { String::new() };
        hints.push((
            now,
            json!({
                "position": Position::new(now, end),
                "label": format!("{} = {}{times}", variable.name, set.last),
                "paddingLeft": true,
                "tooltip": format!("what this line set last in the failing run of {}", place.run.name()),
            }),
        ));
    }
    hints.sort_by_key(|(line, hint)| (*line, hint["label"].as_str().unwrap_or_default().to_owned()));
    Ok(hints.into_iter().map(|(_, hint)| hint).collect())
}

/// What is known of a variable, for people.
fn told(place: &Place<'_>, variable: &VariableValues) -> String {
    let code = |text: &str| format!("`{}`", text.replace('`', "'"));
    let number = |n: u64, noun: &str| if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") };
    let of = |n: u64| if n == 1 { String::new() } else { format!(", in {}", number(n, "call")) };
    let mut text = format!("whydunit: {} in the failing run of {}\n\n", code(&variable.name), code(&place.run.name()));
    if variable.changes == 0 && variable.first == variable.last {
        text += &format!("always {}{}\n", code(&variable.last), of(variable.calls));
    } else {
        let changes = number(variable.changes, "change");
        text += &format!(
            "first {}, last {}, {changes}{}\n",
            code(&variable.first),
            code(&variable.last),
            of(variable.calls)
        );
    }
    for (&line, set) in &variable.set {
        let last = if variable.last_set == Some(line) { ", the last one" } else { "" };
        let line = match place.lines.to(line - 1) {
            Some(now) => format!("line {}", now + 1),
            None => "a line that was changed since".into(),
        };
        text += &format!("\n- {line}: {} ({}{last})", code(&set.last), number(set.times, "time"));
    }
    if place.values.cut {
        text += "\n\nTime was up, or the replay parted from the recording: this is of the run up to there.";
    }
    text
}
