//! Variables, values of expressions, and what values come from.

use serde_json::{Value as Json, json};
use whydunit_causes::expression::Value;
use whydunit_causes::parts::type_name;
use whydunit_causes::variables::{Found, View};
use whydunit_causes::why::Moment;
use whydunit_debugger::FrameId;
use whydunit_desk::Cancel;
use whydunit_findings::Step;
use whydunit_inquiry::why;

use crate::arguments::{Evaluate, Variables, read};
use crate::handles::Reference;
use crate::refusal::{Done, Refusal};
use crate::server::{Debugged, Server};

/// So many variables are told at once where no number is asked for.
const MOST: u64 = 1000;
/// So many steps tell what a value comes from.
const STEPS: usize = 12;
/// The variable that tells what another one comes from.
const CAUSE: &str = "⟵ cause";

/// What a value is expanded to: a pointer to what has parts is that.
fn expanded(view: &View<'_>, found: &Found) -> Found {
    let (module, memory) = (view.module(), view.at.memory());
    if found.parts(module, memory) == 1
        && let Some((name, pointee)) = found.part_at(module, memory, 0)
        && name.starts_with('*')
        && pointee.parts(module, memory) > 0
    {
        return pointee;
    }
    found.clone()
}

/// A variable as the protocol has it. `name` is what stands before it.
fn told(debugged: &mut Debugged, frame: FrameId, name: &str, found: Found) -> Result<Json, Refusal> {
    let view = debugged.session.view(frame)?;
    let (module, memory) = (view.module(), view.at.memory());
    let whole = expanded(&view, &found);
    let parts = whole.parts(module, memory);
    let counted = if whole.has_elements(module) { "indexedVariables" } else { "namedVariables" };
    let mut variable = json!({
        "name": name, "value": found.text(module, memory), "type": type_name(module, found.ty),
        "evaluateName": found.name,
    });
    if whole.has_elements(module) {
        variable[counted] = parts.into();
        // What it comes from.
        variable["namedVariables"] = 1.into();
    } else {
        variable[counted] = (parts + 1).into();
    }
    variable["variablesReference"] = debugged.handles.reference(Reference::Value(frame, found)).into();
    Ok(variable)
}

/// The variables of what has some.
pub fn variables(server: &mut Server, arguments: &Json, cancel: &Cancel) -> Done {
    let asked: Variables = read("variables", arguments)?;
    let debugged = server.debugged(cancel)?;
    let reference = debugged.handles.reference_of(asked.variables_reference)?.clone();
    let count = if asked.count == 0 { MOST } else { asked.count.min(MOST) };
    let variables = match reference {
        Reference::Locals(frame) => {
            let found = debugged.session.view(frame)?.in_scope();
            listed(debugged, frame, found, asked.start, count)?
        }
        Reference::Globals(frame) => {
            let found = debugged.session.globals(frame)?.into_iter().map(|global| global.found).collect();
            listed(debugged, frame, found, asked.start, count)?
        }
        Reference::Value(frame, found) => parts(debugged, frame, &found, &asked, count)?,
        Reference::Cause(frame, expression) => causes(debugged, frame, &expression)?.iter().map(of_step).collect(),
    };
    Ok(json!({ "variables": variables }))
}

fn listed(
    debugged: &mut Debugged,
    frame: FrameId,
    found: Vec<Found>,
    start: u64,
    count: u64,
) -> Result<Vec<Json>, Refusal> {
    let wanted = found.into_iter().skip(start as usize).take(count as usize);
    wanted.map(|found| told(debugged, frame, &found.name.clone(), found)).collect()
}

/// The parts of a value that are asked for, and what it comes from.
fn parts(
    debugged: &mut Debugged,
    frame: FrameId,
    found: &Found,
    asked: &Variables,
    count: u64,
) -> Result<Vec<Json>, Refusal> {
    let view = debugged.session.view(frame)?;
    let whole = expanded(&view, found);
    let (module, memory) = (view.module(), view.at.memory());
    let (all, indexed) = (whole.parts(module, memory), whole.has_elements(module));
    let wanted = match (asked.filter.as_deref(), indexed) {
        (Some("indexed"), false) | (Some("named"), true) => 0..0,
        _ => asked.start.min(all)..asked.start.saturating_add(count).min(all),
    };
    let ends = wanted.end;
    let some: Vec<(String, Found)> = wanted.filter_map(|n| whole.part_at(module, memory, n)).collect();
    let mut variables = Vec::new();
    for (name, part) in some {
        variables.push(told(debugged, frame, &name, part)?);
    }
    let is_last = match asked.filter.as_deref() {
        Some("indexed") => !indexed && asked.start == 0,
        Some(_) => true,
        None => ends == all || asked.count == 0,
    };
    if asked.count == 0 && ends < all && variables.len() as u64 == MOST {
        let more = format!("{} more", all - ends);
        variables.push(json!({ "name": "…", "value": more, "variablesReference": 0 }));
    }
    if is_last {
        let reference = debugged.handles.reference(Reference::Cause(frame, found.name.clone()));
        variables.push(json!({
            "name": CAUSE, "value": "…", "variablesReference": reference,
            "presentationHint": { "kind": "virtual", "attributes": ["readOnly"] },
        }));
    }
    Ok(variables)
}

/// The names of a value's parts that have names, so many at most.
pub fn members(debugged: &Debugged, frame: FrameId, found: &Found, most: u64) -> Vec<String> {
    let Ok(view) = debugged.session.view(frame) else { return Vec::new() };
    let whole = expanded(&view, found);
    let (module, memory) = (view.module(), view.at.memory());
    if whole.has_elements(module) {
        return Vec::new();
    }
    let parts = 0..whole.parts(module, memory).min(most);
    parts.filter_map(|n| whole.part_at(module, memory, n)).map(|(name, _)| name).collect()
}

/// The variable of this name among those of a number.
pub fn named(debugged: &Debugged, number: u64, name: &str) -> Result<(FrameId, Found), Refusal> {
    let no_variable = || Refusal::new(format!("there is no variable `{name}` there"));
    match debugged.handles.reference_of(number)? {
        Reference::Locals(frame) => {
            let found = debugged.session.view(*frame)?.in_scope().into_iter().find(|found| found.name == name);
            Ok((*frame, found.ok_or_else(no_variable)?))
        }
        Reference::Globals(frame) => {
            let mut globals = debugged.session.globals(*frame)?.into_iter().map(|global| global.found);
            Ok((*frame, globals.find(|found| found.name == name).ok_or_else(no_variable)?))
        }
        Reference::Value(frame, found) => {
            let view = debugged.session.view(*frame)?;
            let whole = expanded(&view, found);
            let (module, memory) = (view.module(), view.at.memory());
            let number = name.trim_matches(['[', ']']).parse::<u64>().ok().filter(|_| whole.has_elements(module));
            let numbers = match number {
                Some(number) => number..number.saturating_add(1),
                None => 0..whole.parts(module, memory).min(MOST),
            };
            let mut parts = numbers.filter_map(|n| whole.part_at(module, memory, n));
            let part = parts.find(|(known, _)| number.is_some() || known == name);
            Ok((*frame, part.ok_or_else(no_variable)?.1))
        }
        Reference::Cause(..) => Err(no_variable()),
    }
}

/// The value of an expression.
pub fn evaluate(server: &mut Server, asked: &Evaluate, cancel: &Cancel) -> Done {
    let debugged = server.debugged(cancel)?;
    let frame = debugged.frame(asked.frame_id)?;
    match debugged.session.evaluate(frame, &asked.expression)? {
        Value::Found(found) => {
            let mut told = told(debugged, frame, "", found)?;
            if let Some(fields) = told.as_object_mut() {
                let value = fields.remove("value").unwrap_or_default();
                fields.insert("result".into(), value);
                fields.retain(|name, _| name != "name" && name != "evaluateName");
            }
            Ok(told)
        }
        value => {
            let view = debugged.session.view(frame)?;
            Ok(json!({ "result": value.text(view.module(), view.at.memory()), "variablesReference": 0 }))
        }
    }
}

/// The way back from a value through its causes.
pub fn why(server: &mut Server, arguments: &Json, cancel: &Cancel) -> Done {
    let asked: Evaluate = read("whydunit/why", arguments)?;
    let debugged = server.debugged(cancel)?;
    let frame = debugged.frame(asked.frame_id)?;
    let steps = causes(debugged, frame, &asked.expression)?;
    let told = steps.iter().map(|step| {
        let location = step.location.as_ref();
        json!({
            "variable": step.variable, "value": step.value, "kind": step.kind.name(), "note": step.note,
            "condition": step.condition,
            "file": location.map(|location| &location.file), "line": location.map(|location| location.line),
            "text": text_of(step),
        })
    });
    Ok(json!({ "steps": told.collect::<Vec<Json>>() }))
}

/// What the value of an expression comes from, at the present moment; the value itself stands first.
pub fn causes(debugged: &Debugged, frame: FrameId, expression: &str) -> Result<Vec<Step>, Refusal> {
    let at = debugged.session.at();
    if frame.thread != debugged.session.running() || !at.in_frame() {
        return Err(Refusal::new("causes are told of the thread that runs: go to a moment at which this one does"));
    }
    let moment = Moment { instruction: at.instruction(), pc: at.pc, depth: at.depth, frame: frame.depth };
    Ok(why::at(&debugged.desk, &debugged.opened, expression, moment, STEPS)?)
}

/// A step of causes in a line.
pub fn text_of(step: &Step) -> String {
    let mut text = match &step.condition {
        Some(condition) if step.value.is_empty() => condition.clone(),
        Some(condition) => format!("{condition} is {}", step.value),
        None if step.variable.is_empty() => step.value.clone(),
        None => format!("{} = {}", step.variable, step.value),
    };
    if let Some(note) = &step.note {
        text += &format!(" ({note})");
    }
    text
}

/// Where a step stands.
pub fn place_of(step: &Step) -> String {
    step.location.as_ref().map_or_else(|| "?".into(), |location| format!("{}:{}", location.file, location.line))
}

fn of_step(step: &Step) -> Json {
    json!({ "name": place_of(step), "value": text_of(step), "variablesReference": 0 })
}
