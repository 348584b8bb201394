//! Which handler does a request.

use serde_json::{Value, json};
use whydunit_desk::Cancel;

use crate::reading::Message;
use crate::refusal::{Done, Refusal};
use crate::requests::{Answer, REQUESTS};
use crate::server::Server;
use crate::{breakpoints, completing, console, launch, moving, stack, values};

/// Does a request; false where the session ends by it.
pub fn handle(server: &mut Server, message: &Message) -> bool {
    let outgoing = server.outgoing.clone();
    let Message { number, command, arguments } = message;
    let refuse = |refusal: &Refusal| outgoing.refuse(number, command, refusal.short, &refusal.text);
    let Some(cancel) = server.current.begin(number) else {
        refuse(&Refusal::cancelled());
        return true;
    };
    let mut goes_on = true;
    match command.as_str() {
        "launch" | "attach" => match launch::launch(server, command, arguments, &cancel) {
            Ok(()) => {
                outgoing.respond(number, command, Value::Null);
                outgoing.event("initialized", json!({}));
            }
            Err(refusal) => refuse(&refusal),
        },
        "configurationDone" => match server.debugged(&cancel).map(drop) {
            Ok(()) => {
                outgoing.respond(number, command, Value::Null);
                moving::begin(server, &cancel).unwrap_or_else(|refusal| outgoing.say(&refusal.text));
            }
            Err(refusal) => refuse(&refusal),
        },
        "evaluate" => match console::evaluate(server, arguments, &cancel) {
            Ok((body, movement)) => {
                outgoing.respond(number, command, body);
                if let Some(movement) = movement {
                    go(server, movement, &cancel);
                }
            }
            Err(refusal) => refuse(&refusal),
        },
        "disconnect" | "terminate" => {
            outgoing.respond(number, command, Value::Null);
            outgoing.event("terminated", json!({}));
            goes_on = command == "terminate";
        }
        _ => match moving::of_request(server, command, arguments, &cancel) {
            Ok(Some(movement)) => {
                outgoing.respond(number, command, json!({ "allThreadsContinued": true }));
                go(server, movement, &cancel);
            }
            Ok(None) => match answer(server, command, arguments, &cancel) {
                Ok(body) => outgoing.respond(number, command, body),
                Err(refusal) => refuse(&refusal),
            },
            Err(refusal) => refuse(&refusal),
        },
    }
    server.current.done();
    goes_on
}

fn go(server: &mut Server, movement: moving::Movement, cancel: &Cancel) {
    // The client has its response already.
    if let Err(refusal) = moving::go(server, movement, cancel) {
        server.outgoing.output("stderr", format!("{}\n", refusal.text));
    }
}

/// The answer to a request that goes nowhere.
fn answer(server: &mut Server, command: &str, arguments: &Value, cancel: &Cancel) -> Done {
    match command {
        "initialize" => launch::initialize(server, arguments),
        "breakpointLocations" => breakpoints::locations(server, arguments, cancel),
        "setBreakpoints" => breakpoints::set_lines(server, arguments, cancel),
        "setFunctionBreakpoints" => breakpoints::set_functions(server, arguments, cancel),
        "setExceptionBreakpoints" => breakpoints::set_exceptions(server, arguments, cancel),
        "dataBreakpointInfo" => breakpoints::data_info(server, arguments, cancel),
        "setDataBreakpoints" => breakpoints::set_data(server, arguments, cancel),
        "threads" => stack::threads(server, cancel),
        "stackTrace" => stack::stack_trace(server, arguments, cancel),
        "scopes" => stack::scopes(server, arguments, cancel),
        "loadedSources" => stack::loaded_sources(server, cancel),
        "source" => stack::source(server, arguments, cancel),
        "variables" => values::variables(server, arguments, cancel),
        "completions" => completing::complete(server, arguments, cancel),
        "stepInTargets" => moving::step_targets(server, arguments, cancel),
        "whydunit/why" => values::why(server, arguments, cancel),
        "gotoTargets" => moving::targets(server, arguments, cancel),
        "exceptionInfo" => moving::exception(server, arguments, cancel),
        // What they ask for was done when they were read.
        "pause" | "cancel" => Ok(Value::Null),
        other => Err(refused(other)),
    }
}

/// Why a request is not answered at all.
fn refused(command: &str) -> Refusal {
    match REQUESTS.iter().find(|request| request.command == command).map(|request| request.answer) {
        Some(Answer::Refused(why)) => Refusal::new(format!("`{command}` is not supported: {why}")),
        _ => Refusal::new(format!("`{command}` is no request of the Debug Adapter Protocol")),
    }
}
