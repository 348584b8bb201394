//! Commands in a client's console, for those whose client has no buttons for them.

use serde_json::{Value, json};
use whydunit_debugger::{Direction, Step};
use whydunit_desk::Cancel;

use crate::arguments::{Evaluate, read};
use crate::moving::Movement;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::values;

const HELP: &str = "\
:back, :back-in, :back-out   steps back: over calls, into them, out of the function
:reverse                     back to the last thing that stops the run
:start, :end, :failure       there
:events                      failures, panics, exceptions and the like, by number
:event N, :goto N            to an event, to a position
:position                    where this is
:why EXPRESSION              what a value comes from";

/// What a request to evaluate something gives, and where to go then.
pub fn evaluate(server: &mut Server, arguments: &Value, cancel: &Cancel) -> Result<(Value, Option<Movement>), Refusal> {
    let asked: Evaluate = read("evaluate", arguments)?;
    let command = asked.expression.trim().strip_prefix(':').filter(|_| asked.context.as_deref() == Some("repl"));
    let Some(command) = command else { return Ok((values::evaluate(server, &asked, cancel)?, None)) };
    let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
    let debugged = server.debugged(cancel)?;
    let session = &debugged.session;
    let thread = session.running();
    let say = |text: String| Ok((json!({ "result": text, "variablesReference": 0 }), None));
    let go = |movement| Ok((json!({ "result": "", "variablesReference": 0 }), Some(movement)));
    let number = || rest.trim().parse::<u64>().map_err(|_| Refusal::new(format!("`:{word}` needs a number")));
    match word {
        "back" => go(Movement::Step(thread, Step::Over, Direction::Backward)),
        "back-in" => go(Movement::Step(thread, Step::In, Direction::Backward)),
        "back-out" => go(Movement::Step(thread, Step::Out, Direction::Backward)),
        "reverse" => go(Movement::Resume(Direction::Backward)),
        "start" => go(Movement::Goto(session.start())),
        "end" => go(Movement::Goto(session.last())),
        "failure" => match session.failure() {
            Some(failure) => go(Movement::Goto(failure.position)),
            None => Err(Refusal::new("this run did not fail, as far as is known")),
        },
        "goto" => go(Movement::Goto(number()?)),
        "event" => {
            let index = usize::try_from(number()?).ok().and_then(|number| number.checked_sub(1));
            let event = index.and_then(|index| session.events_of_run().get(index));
            let event = event.ok_or_else(|| Refusal::new("there is no such event: `:events` lists them"))?;
            go(Movement::Goto(event.position))
        }
        "events" => say(events(session)),
        "position" => say(format!("{} of {} to {}", session.position(), session.start(), session.last())),
        "why" => say(why(server, rest.trim(), &asked, cancel)?),
        "help" => say(HELP.into()),
        other => Err(Refusal::new(format!("there is no command `:{other}`; `:help` lists them"))),
    }
}

/// The events of a run in lines.
fn events(session: &whydunit_debugger::Session) -> String {
    const SHOWN: usize = 100;
    let events = session.events_of_run();
    let line = |(index, event): (usize, &whydunit_debugger::Event)| {
        format!("{}  at {}  {}: {}", index + 1, event.position, event.kind.name(), event.text)
    };
    let mut lines: Vec<String> = events.iter().enumerate().take(SHOWN).map(line).collect();
    match events.len() {
        0 => lines.push("none".into()),
        count if count > SHOWN => lines.push(format!("and {} more", count - SHOWN)),
        _ => {}
    }
    lines.join("\n")
}

fn why(server: &mut Server, expression: &str, asked: &Evaluate, cancel: &Cancel) -> Result<String, Refusal> {
    let debugged = server.debugged(cancel)?;
    let steps = values::causes(debugged, debugged.frame(asked.frame_id)?, expression)?;
    let line = |step| format!("{}  {}", values::place_of(step), values::text_of(step));
    Ok(steps.iter().map(line).collect::<Vec<String>>().join("\n"))
}
