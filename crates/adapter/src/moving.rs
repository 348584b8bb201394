//! Movements through the run, and where they end.

use serde_json::{Value, json};
use whydunit_debugger::{Breakpoint, DebugError, Direction, FuncId, Place, Position, Reason, Step, Stopped};
use whydunit_desk::Cancel;

use crate::arguments::{Goto, InSource, OfThread, StepIn, StepInTargets, read};
use crate::outgoing::Outgoing;
use crate::refusal::{Done, Refusal};
use crate::server::{Debugged, Server, thread_in, thread_out};

/// A movement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Movement {
    /// To the next thing that stops the run.
    Resume(Direction),
    /// Into a function that the rest of a thread's line calls.
    Into(u32, FuncId),
    /// A step of a thread.
    Step(u32, Step, Direction),
    /// To a position.
    Goto(Position),
}

/// The movement that a request asks for; `None` where it asks for none.
pub fn of_request(
    server: &mut Server,
    command: &str,
    arguments: &Value,
    cancel: &Cancel,
) -> Result<Option<Movement>, Refusal> {
    use Direction::{Backward, Forward};
    let step = |step, direction| {
        let asked: OfThread = read(command, arguments)?;
        Ok(Some(Movement::Step(thread_in(asked.thread_id)?, step, direction)))
    };
    let debugged = |server: &mut Server| server.debugged(cancel).map(drop);
    let movement = match command {
        "continue" => Ok(Some(Movement::Resume(Forward))),
        "reverseContinue" => Ok(Some(Movement::Resume(Backward))),
        "next" => step(Step::Over, Forward),
        "stepIn" => {
            let asked: StepIn = read(command, arguments)?;
            let Some(target) = asked.target_id else { return step_in(server, asked.thread_id, cancel) };
            let targets = &server.debugged(cancel)?.step_targets;
            let index = usize::try_from(target).ok().and_then(|number| number.checked_sub(1));
            let function = index.and_then(|index| targets.get(index)).copied();
            let function = function.ok_or_else(|| Refusal::new(format!("there is no target {target} at this stop")))?;
            Ok(Some(Movement::Into(thread_in(asked.thread_id)?, function)))
        }
        "stepOut" => step(Step::Out, Forward),
        "stepBack" | "whydunit/stepBackOver" => step(Step::Over, Backward),
        "whydunit/stepBackIn" => step(Step::In, Backward),
        "whydunit/stepBackOut" => step(Step::Out, Backward),
        "goto" => {
            let asked: Goto = read(command, arguments)?;
            let targets = &server.debugged(cancel)?.targets;
            let index = usize::try_from(asked.target_id).ok().and_then(|number| number.checked_sub(1));
            let position = index.and_then(|index| targets.get(index));
            let position = position.ok_or_else(|| Refusal::new(format!("there is no target {}", asked.target_id)))?;
            Ok(Some(Movement::Goto(*position)))
        }
        "restart" => Ok(Some(Movement::Goto(server.debugged(cancel)?.begin))),
        _ => return Ok(None),
    };
    debugged(server)?;
    if let Ok(Some(Movement::Step(thread, ..) | Movement::Into(thread, _))) = movement {
        let threads = server.debugged(cancel)?.session.threads();
        if !threads.iter().any(|known| known.number == thread) {
            return Err(DebugError::NoThread(thread).into());
        }
    }
    movement
}

/// A step into whatever is called first.
fn step_in(server: &mut Server, thread: u64, cancel: &Cancel) -> Result<Option<Movement>, Refusal> {
    let thread = thread_in(thread)?;
    let threads = server.debugged(cancel)?.session.threads();
    if !threads.iter().any(|known| known.number == thread) {
        return Err(DebugError::NoThread(thread).into());
    }
    Ok(Some(Movement::Step(thread, Step::In, Direction::Forward)))
}

/// The functions that the rest of a frame's line calls.
pub fn step_targets(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: StepInTargets = read("stepInTargets", arguments)?;
    let debugged = server.debugged(cancel)?;
    let frame = debugged.handles.frame_of(asked.frame_id)?;
    let calls = debugged.session.calls_ahead(frame)?;
    let mut told = Vec::new();
    for call in calls {
        debugged.step_targets.push(call.function);
        let (id, label) = (debugged.step_targets.len(), call.name);
        told.push((id, label, call.line, call.column));
    }
    let told = told.into_iter().map(|(id, label, line, column)| {
        json!({ "id": id, "label": label, "line": server.line_out(line), "column": server.column_out(column) })
    });
    Ok(json!({ "targets": told.collect::<Vec<Value>>() }))
}

/// Makes a movement, and tells the client where it ended.
pub fn go(server: &mut Server, movement: Movement, cancel: &Cancel) -> Result<(), Refusal> {
    let outgoing = server.outgoing.clone();
    let debugged = server.debugged(cancel)?;
    debugged.handles.clear();
    debugged.step_targets.clear();
    let stopped = match movement {
        Movement::Resume(direction) => debugged.session.resume(direction),
        Movement::Into(thread, function) => debugged.session.step_into(thread, function),
        Movement::Step(thread, step, direction) => debugged.session.step(thread, step, direction),
        Movement::Goto(position) => {
            debugged.session.goto(position).map(|()| Stopped { reason: Reason::Goto, said: Vec::new() })
        }
    };
    let stopped = match stopped {
        Ok(stopped) => stopped,
        Err(DebugError::Cancelled) => Stopped { reason: Reason::Paused, said: Vec::new() },
        Err(error) => {
            // The client waits for a stop.
            tell(&outgoing, debugged, &Stopped { reason: Reason::Paused, said: vec![error.to_string()] });
            return Err(error.into());
        }
    };
    tell(&outgoing, debugged, &stopped);
    Ok(())
}

/// Tells the client where the session stands first.
pub fn begin(server: &mut Server, cancel: &Cancel) -> Result<(), Refusal> {
    let outgoing = server.outgoing.clone();
    let debugged = server.debugged(cancel)?;
    if debugged.started {
        return Ok(());
    }
    debugged.started = true;
    let begin = debugged.begin;
    debugged.session.goto(begin)?;
    let failure = debugged
        .session
        .events_of_run()
        .iter()
        .position(|event| event.position == begin && event.kind == whydunit_debugger::EventKind::Failure);
    let reason = failure.map_or(Reason::Start, Reason::Event);
    let mut said = vec![debugged.session.ending()];
    if failure.is_some() {
        said.push("this is where the run failed: step back from here, or continue in reverse".into());
    }
    tell(&outgoing, debugged, &Stopped { reason, said });
    Ok(())
}

/// Tells what was said and printed on the way, and why the session stands where it does.
fn tell(outgoing: &Outgoing, debugged: &mut Debugged, stopped: &Stopped) {
    for said in &stopped.said {
        outgoing.say(said);
    }
    let session = &debugged.session;
    let here = session.position();
    for printed in session.printed(debugged.told, here) {
        let category = if printed.errors { "stderr" } else { "stdout" };
        outgoing.output(category, String::from_utf8_lossy(&printed.bytes));
    }
    debugged.told = debugged.told.max(here);
    let mut body = json!({ "threadId": thread_out(session.running()), "allThreadsStopped": true });
    let described = |reason: &str, description: String| (reason.to_owned(), description);
    let (reason, description) = match &stopped.reason {
        Reason::Start => described("entry", "the start of the run".into()),
        Reason::End => described("pause", format!("the end of the run: {}", session.ending())),
        Reason::Step => described("step", String::new()),
        Reason::Goto => described("goto", String::new()),
        Reason::Paused => described("pause", String::new()),
        Reason::Breakpoints(numbers) => {
            body["hitBreakpointIds"] = json!(numbers);
            let function = debugged.functions.iter().any(|known| numbers.contains(&known.number));
            described(if function { "function breakpoint" } else { "breakpoint" }, String::new())
        }
        Reason::Data(number) => {
            body["hitBreakpointIds"] = json!([number]);
            described("data breakpoint", "a value changes".into())
        }
        Reason::Event(index) => {
            let event = session.events_of_run().get(*index);
            described("exception", event.map_or_else(String::new, |event| event.text.clone()))
        }
    };
    body["reason"] = reason.into();
    if !description.is_empty() {
        body["text"] = description.clone().into();
        body["description"] = description.into();
    }
    outgoing.event("stopped", body);
}

/// The executions of a line that can be gone to: the last one before now, and the next one.
pub fn targets(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: InSource = read("gotoTargets", arguments)?;
    let line = server.line_in(asked.line);
    let debugged = server.debugged(cancel)?;
    let names = debugged.sources.names(asked.source.path.as_deref().unwrap_or_default());
    let here: Vec<Breakpoint> = names
        .into_iter()
        .filter(|file| !debugged.session.lines(file, line, line).is_empty())
        .map(|file| Breakpoint::new(0, Place::Line { file: file.clone(), line }))
        .collect();
    let mut targets = Vec::new();
    if !here.is_empty() {
        for (direction, label) in [(Direction::Backward, "the last time before"), (Direction::Forward, "the next time")]
        {
            if let Some(position) = debugged.session.nearest(here.clone(), direction)? {
                debugged.targets.push(position);
                targets.push(json!({ "id": debugged.targets.len(), "label": label, "line": asked.line }));
            }
        }
    }
    Ok(json!({ "targets": targets }))
}

/// What happens at the present moment.
pub fn exception(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Done {
    let asked: OfThread = read("exceptionInfo", arguments)?;
    let thread = thread_in(asked.thread_id)?;
    let session = &server.debugged(cancel)?.session;
    let here = session.events_of_run().iter().filter(|event| event.position == session.position());
    // The failure says most.
    let event = here.max_by_key(|event| event.kind).filter(|event| event.thread == thread);
    let event = event.ok_or_else(|| Refusal::new("nothing exceptional happens in this thread at this moment"))?;
    let mut details = json!({ "message": event.text, "typeName": event.kind.name() });
    if let Some(predicate) = &event.predicate {
        details["message"] = format!("{}; what should have held: {predicate}", event.text).into();
    }
    Ok(json!({
        "exceptionId": event.kind.name(), "description": event.text, "breakMode": "always", "details": details,
    }))
}
