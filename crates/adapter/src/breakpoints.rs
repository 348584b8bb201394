//! Breakpoints of every kind.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use whydunit_causes::variables::Store;
use whydunit_debugger::{Breakpoint, DataBreakpoint, EventKind, Place, Watched};
use whydunit_desk::Cancel;

use crate::arguments::{
    self, DataBreakpointInfo, InSource, SetBreakpoints, SetDataBreakpoints, SetExceptionBreakpoints,
    SetFunctionBreakpoints, SourceBreakpoint, read,
};
use crate::refusal::{Done, Refusal};
use crate::server::{Debugged, Server};
use crate::values;

/// So many lines behind the one asked for a breakpoint moves at most.
const NEAR: u32 = 50;
/// More breakpoints of one kind are refused.
const MOST: usize = 1000;

fn refused(number: u32, why: &str) -> Value {
    json!({ "id": number, "verified": false, "message": why, "reason": "failed" })
}

fn few(count: usize) -> Result<(), Refusal> {
    if count > MOST {
        return Err(Refusal::new(format!("{count} breakpoints are more than the {MOST} that can be set")));
    }
    Ok(())
}

/// A breakpoint with what the client asks of it.
fn with_options(breakpoint: Breakpoint, asked: &SourceBreakpoint) -> Result<Breakpoint, String> {
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let mut breakpoint = breakpoint;
    if let Some(condition) = given(&asked.condition) {
        breakpoint = breakpoint.on_condition(&condition)?;
    }
    if let Some(hits) = given(&asked.hit_condition) {
        breakpoint = breakpoint.on_hits(&hits)?;
    }
    if let Some(message) = given(&asked.log_message) {
        breakpoint = breakpoint.saying(&message)?;
    }
    Ok(breakpoint)
}

/// Sets the breakpoints of a file, all of them.
pub fn set_lines(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let mut asked: SetBreakpoints = read("setBreakpoints", arguments)?;
    let path = asked.source.path.take().ok_or_else(|| Refusal::new("`setBreakpoints` needs the path of a source"))?;
    let wanted = asked.breakpoints.take().unwrap_or_else(|| {
        asked.lines.iter().map(|line| SourceBreakpoint { line: *line, ..SourceBreakpoint::default() }).collect()
    });
    few(wanted.len())?;
    let lines: Vec<u32> = wanted.iter().map(|wanted| server.line_in(wanted.line)).collect();
    let counts_from_1 = server.client.lines_start_at1;
    let debugged = server.debugged(cancel)?;
    let (mut set, mut told) = (Vec::new(), Vec::new());
    for (wanted, line) in wanted.iter().zip(lines) {
        let number = debugged.next_number();
        match at_line(debugged, &path, line, number, wanted) {
            Ok((breakpoints, line)) => {
                let source = breakpoints.first().and_then(|breakpoint| match &breakpoint.place {
                    Place::Line { file, .. } => Some(debugged.sources.shown(file)),
                    Place::Function(_) => None,
                });
                let line = line - u32::from(!counts_from_1);
                told.push(json!({ "id": number, "verified": true, "line": line, "source": source }));
                set.extend(breakpoints);
            }
            Err(why) => told.push(refused(number, &why)),
        }
    }
    debugged.lines.insert(path, set);
    apply(debugged)?;
    Ok(json!({ "breakpoints": told }))
}

/// The breakpoints that one at a line of a client's file is, and the line where it comes to stand.
fn at_line(
    debugged: &Debugged,
    path: &str,
    line: u32,
    number: u32,
    wanted: &SourceBreakpoint,
) -> Result<(Vec<Breakpoint>, u32), String> {
    let names = debugged.sources.names(path);
    if names.is_empty() {
        return Err("the file is no source of the recorded program".into());
    }
    let lines = |name: &&String| debugged.session.lines(name, line, line.saturating_add(NEAR)).first().copied();
    let nearest = names.iter().filter_map(lines).min();
    let nearest = nearest.ok_or("no statement stands at this line or near behind it")?;
    let here = names.into_iter().filter(|name| !debugged.session.lines(name, nearest, nearest).is_empty());
    let breakpoint = |file: &String| Breakpoint::new(number, Place::Line { file: file.clone(), line: nearest });
    let set: Result<Vec<Breakpoint>, String> = here.map(|file| with_options(breakpoint(file), wanted)).collect();
    Ok((set?, nearest))
}

/// Sets the function breakpoints, all of them.
pub fn set_functions(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: SetFunctionBreakpoints = read("setFunctionBreakpoints", arguments)?;
    few(asked.breakpoints.len())?;
    let debugged = server.debugged(cancel)?;
    let (mut set, mut told) = (Vec::new(), Vec::new());
    for wanted in asked.breakpoints {
        let number = debugged.next_number();
        if debugged.session.functions_named(&wanted.name) == 0 {
            told.push(refused(number, &format!("the recorded program has no function `{}`", wanted.name)));
            continue;
        }
        let options = SourceBreakpoint {
            condition: wanted.condition,
            hit_condition: wanted.hit_condition,
            ..SourceBreakpoint::default()
        };
        match with_options(Breakpoint::new(number, Place::Function(wanted.name)), &options) {
            Ok(breakpoint) => {
                set.push(breakpoint);
                told.push(json!({ "id": number, "verified": true }));
            }
            Err(why) => told.push(refused(number, &why)),
        }
    }
    debugged.functions = set;
    apply(debugged)?;
    Ok(json!({ "breakpoints": told }))
}

fn apply(debugged: &mut Debugged) -> Result<(), Refusal> {
    let all = debugged.lines.values().flatten().chain(&debugged.functions).cloned().collect();
    Ok(debugged.session.set_breakpoints(all)?)
}

/// Sets at which events the run stops.
pub fn set_exceptions(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: SetExceptionBreakpoints = read("setExceptionBreakpoints", arguments)?;
    let debugged = server.debugged(cancel)?;
    let filters: Vec<String> =
        asked.filters.into_iter().chain(asked.filter_options.into_iter().map(|options| options.filter_id)).collect();
    few(filters.len())?;
    let kind = |filter: &String| EventKind::ALL.into_iter().find(|kind| kind.name() == filter);
    let kinds: BTreeSet<EventKind> = filters.iter().filter_map(kind).collect();
    if !debugged.checked && kinds.iter().any(|kind| kind.needs_check()) {
        let task = debugged.desk.task("checking the run", None);
        let found = whydunit_inquiry::errors::events(&debugged.desk, &debugged.opened)?;
        drop(task);
        debugged.session.add_events(found);
        debugged.checked = true;
    }
    debugged.session.events = kinds;
    let told = filters.iter().map(|filter| match kind(filter) {
        Some(_) => json!({ "verified": true }),
        None => json!({ "verified": false, "message": format!("there is no filter `{filter}`") }),
    });
    Ok(json!({ "breakpoints": told.collect::<Vec<Value>>() }))
}

/// The lines of a part of a file at which one can stop.
pub fn locations(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: InSource = read("breakpointLocations", arguments)?;
    let from = server.line_in(asked.line);
    let until = asked.end_line.map_or(from, |line| server.line_in(line));
    let debugged = server.debugged(cancel)?;
    let names = debugged.sources.names(asked.source.path.as_deref().unwrap_or_default());
    let lines: BTreeSet<u32> = names.iter().flat_map(|name| debugged.session.lines(name, from, until)).collect();
    let told: Vec<Value> = lines.into_iter().map(|line| json!({ "line": server.line_out(line) })).collect();
    Ok(json!({ "breakpoints": told }))
}

/// What is watched, as the client keeps it.
fn data_id(watched: &Watched) -> String {
    match watched {
        Watched::Memory { address, size } => format!("memory {address} {size}"),
        Watched::Variable { entered, depth, name } => format!("variable {entered} {depth} {name}"),
    }
}

/// The same back.
fn watched(id: &str) -> Option<Watched> {
    let mut words = id.splitn(4, ' ');
    let (kind, first, second) = (words.next()?, words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    match (kind, words.next()) {
        ("memory", None) if second > 0 => {
            Some(Watched::Memory { address: first, size: second }).filter(|_| second <= 1 << 16)
        }
        ("variable", Some(name)) => {
            Some(Watched::Variable { entered: first, depth: usize::try_from(second).ok()?, name: name.into() })
        }
        _ => None,
    }
}

/// Whether a value can be watched.
pub fn data_info(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: DataBreakpointInfo = read("dataBreakpointInfo", arguments)?;
    let debugged = server.debugged(cancel)?;
    let watched = match asked.variables_reference.filter(|number| *number > 0) {
        Some(number) => {
            let (frame, found) = values::named(debugged, number, &asked.name)?;
            match found.store {
                Store::Memory(address) if !found.bytes.is_empty() && found.bytes.len() <= 1 << 16 => {
                    Ok(Watched::Memory { address, size: found.bytes.len() as u64 })
                }
                _ => debugged.session.watch(frame, &found.name),
            }
        }
        None => debugged.session.watch(debugged.frame(asked.frame_id)?, &asked.name),
    };
    Ok(match watched {
        Ok(watched) => json!({
            "dataId": data_id(&watched), "description": format!("{} changes", asked.name),
            "accessTypes": ["write"], "canPersist": false,
        }),
        Err(why) => json!({ "dataId": null, "description": why.to_string() }),
    })
}

/// Sets the data breakpoints, all of them.
pub fn set_data(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: SetDataBreakpoints = read("setDataBreakpoints", arguments)?;
    few(asked.breakpoints.len())?;
    let debugged = server.debugged(cancel)?;
    let (mut set, mut told) = (Vec::new(), Vec::new());
    for wanted in asked.breakpoints {
        let number = debugged.next_number();
        match of_data(number, &wanted) {
            Ok(breakpoint) => {
                set.push(breakpoint);
                told.push(json!({ "id": number, "verified": true }));
            }
            Err(why) => told.push(refused(number, &why)),
        }
    }
    debugged.session.set_data(set)?;
    Ok(json!({ "breakpoints": told }))
}

fn of_data(number: u32, wanted: &arguments::DataBreakpoint) -> Result<DataBreakpoint, String> {
    if let Some(access) = wanted.access_type.as_ref().filter(|access| *access != "write") {
        return Err(format!("only writes are stopped at, and not `{access}`"));
    }
    let watched =
        watched(&wanted.data_id).ok_or_else(|| format!("`{}` is nothing that can be watched", wanted.data_id))?;
    let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
    let mut breakpoint = DataBreakpoint::new(number, watched);
    if let Some(condition) = given(&wanted.condition) {
        breakpoint = breakpoint.on_condition(&condition)?;
    }
    if let Some(hits) = given(&wanted.hit_condition) {
        breakpoint = breakpoint.on_hits(&hits)?;
    }
    Ok(breakpoint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_watched_is_kept_by_the_client() {
        let name = "a b".to_owned();
        for one in [Watched::Memory { address: 1 << 63, size: 8 }, Watched::Variable { entered: 7, depth: 0, name }] {
            assert_eq!(watched(&data_id(&one)), Some(one));
        }
        for wrong in ["", "memory 1", "memory 1 0", "memory 1 99999999", "variable 1 2", "other 1 2", "memory x 1"] {
            assert_eq!(watched(wrong), None, "{wrong}");
        }
    }
}
