//! Threads, frames, scopes and sources.

use serde_json::{Value, json};
use whydunit_desk::Cancel;

use crate::arguments::{Scopes, SourceText, StackTrace, read};
use crate::handles::Reference;
use crate::refusal::Done;
use crate::server::{Server, thread_in, thread_out};

/// So many frames at most are looked at for one answer.
const MOST: usize = 2000;

/// The threads.
pub fn threads(server: &mut Server, cancel: &Cancel) -> Done {
    let debugged = server.debugged(cancel)?;
    let shown = debugged.session.threads().into_iter().map(|thread| {
        let name = if thread.number == 0 { "main".into() } else { format!("thread {}", thread.number) };
        let state = match (thread.running, thread.frames) {
            (true, _) => "",
            (false, 0) => " (ended)",
            (false, _) => " (waits)",
        };
        json!({ "id": thread_out(thread.number), "name": format!("{name}{state}") })
    });
    Ok(json!({ "threads": shown.collect::<Vec<Value>>() }))
}

/// The frames of a thread.
pub fn stack_trace(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: StackTrace = read("stackTrace", arguments)?;
    let thread = thread_in(asked.thread_id)?;
    let debugged = server.debugged(cancel)?;
    let levels = if asked.levels == 0 { MOST } else { asked.levels.min(MOST) };
    let known = debugged.session.threads().into_iter().find(|known| known.number == thread);
    let physical = known.map_or(0, |known| known.frames);
    let wanted = asked.start_frame.saturating_add(levels);
    let (frames, total) = if wanted <= MOST {
        let mut frames = debugged.session.frames(thread, 0, MOST)?;
        let total = frames.len() + physical.saturating_sub(MOST);
        frames = frames.into_iter().skip(asked.start_frame).take(levels).collect();
        (frames, total)
    } else {
        // Deep below, code that stands in the place of calls is not counted.
        (debugged.session.frames(thread, asked.start_frame, levels)?, physical)
    };
    let mut told = Vec::new();
    for frame in frames {
        let id = debugged.handles.frame(frame.id);
        let source = (!frame.file.is_empty()).then(|| debugged.sources.shown(&frame.file));
        told.push((id, frame, source));
    }
    let shown = told.into_iter().map(|(id, frame, source)| {
        json!({
            "id": id, "name": frame.function, "source": source,
            "line": if frame.line == 0 { 0 } else { server.line_out(frame.line) },
            "column": if frame.column == 0 { 0 } else { server.column_out(frame.column) },
            "presentationHint": if frame.library { "subtle" } else { "normal" },
        })
    });
    Ok(json!({ "stackFrames": shown.collect::<Vec<Value>>(), "totalFrames": total }))
}

/// The scopes of a frame.
pub fn scopes(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: Scopes = read("scopes", arguments)?;
    let debugged = server.debugged(cancel)?;
    let frame = debugged.handles.frame_of(asked.frame_id)?;
    let locals = debugged.handles.reference(Reference::Locals(frame));
    let globals = debugged.handles.reference(Reference::Globals(frame));
    Ok(json!({ "scopes": [
        { "name": "Locals", "presentationHint": "locals", "variablesReference": locals, "expensive": false },
        { "name": "Globals", "variablesReference": globals, "expensive": true },
    ] }))
}

/// The sources of the program that are here.
pub fn loaded_sources(server: &mut Server, cancel: &Cancel) -> Done {
    Ok(json!({ "sources": server.debugged(cancel)?.sources.all() }))
}

/// The text of a source.
pub fn source(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: SourceText = read("source", arguments)?;
    Ok(json!({ "content": server.debugged(cancel)?.sources.text(asked.source.path.as_deref())? }))
}
