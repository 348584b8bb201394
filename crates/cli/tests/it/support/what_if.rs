//! The law of what-if runs: one in which nothing is changed prints what the recorded run printed, and ends as it did, as far as it
//! goes.

use std::path::Path;
use std::sync::Arc;

use whydunit_capture::Store;
use whydunit_replay::{
    At, End, External, Limits, Listener, Nothing, Observer, OutputEvent, PANICKED, Stop, Stream, WhatIfStop,
    telling_machine,
};
use whydunit_workbench::load;

/// Keeps what is printed to standard output.
#[derive(Default)]
struct Printed {
    text: Vec<u8>,
    /// So much of it was printed when `main` last printed: what is called after it does not belong to what-if runs.
    by_main: usize,
    exits: bool,
}

impl Observer for Printed {
    fn external(&mut self, _: &At<'_>, call: &External<'_>) {
        self.exits |= call.name == "exit";
    }

    fn output(&mut self, at: &At<'_>, event: &OutputEvent) {
        if event.stream == Stream::Descriptor(1) {
            self.text.extend(&event.bytes);
            let outermost = at.core.frames.first().map(|frame| &at.code.model(frame.function).name);
            if outermost.is_some_and(|name| name == "main") && !self.exits {
                self.by_main = self.text.len();
            }
        }
    }
}

/// So many places of a run are tried.
const PLACES: u64 = 4;

/// What what-if runs of a recording came to.
#[derive(Default)]
pub struct Left {
    /// What the recorded run printed, as its replay sees it.
    pub printed: Vec<u8>,
    /// What differs from it.
    pub wrong: Vec<String>,
    /// Where each what-if run came to; nothing where the run cannot be left (threads).
    pub stops: Vec<WhatIfStop>,
}

/// Leaves a recorded run at some places.
pub fn leave(project: &Path, recording: &Path) -> Left {
    let store = Store::open(&project.join(".whydunit")).expect("a store");
    let loaded = load(&store, recording).expect("a recording");
    let stdin = loaded.recording.stdin().unwrap_or_default();
    let arguments = loaded.recording.head().args.iter().map(|arg| arg.0.clone()).collect();
    let mut machine = telling_machine(loaded.program, &loaded.recording).expect("a machine");
    let start = machine.snapshot();
    let mut observers = (Printed::default(), Listener::of(stdin));
    let end = machine.run(&mut observers).expect("a replay");
    let (printed, listener) = observers;
    let counter = machine.core.counter;
    machine.set_recall(Arc::new(listener.recall(arguments)));
    let mut left = Left { printed: printed.text.clone(), ..Left::default() };
    if machine.core.threads.several() {
        return left;
    }
    for place in 0..PLACES {
        machine.restore(&start).expect("a snapshot of this run");
        let mut before = Printed::default();
        let reached = machine.run_until(1 + counter * place / PLACES, &mut before);
        if !matches!(reached, Ok(Stop::Reached)) || machine.core.frames.is_empty() {
            continue;
        }
        let outermost = machine.core.frames[0].function;
        let in_main = machine.code().model(outermost).name == "main";
        let what_if = machine.what_if(&[], Limits::default(), &mut Nothing).expect("a what-if run");
        let its_text: Vec<u8> = {
            let events = what_if.output.iter().filter(|event| event.stream == Stream::Descriptor(1));
            events.flat_map(|event| event.bytes.clone()).collect()
        };
        let text = &printed.text[before.text.len()..];
        let by_main = &text[..printed.by_main.saturating_sub(before.text.len())];
        let stop = &what_if.stop;
        let at = |what: &str| format!("what-if run at {place}/{PLACES} to {}: {what}", what_if.position);
        if !text.starts_with(&its_text) {
            let (its, run) = (String::from_utf8_lossy(&its_text), String::from_utf8_lossy(text));
            left.wrong.push(at(&format!("prints {its:?} and {:?} where the run prints {run:?}", stop)));
        }
        let ends_alike = match (&what_if.stop, &end) {
            (WhatIfStop::Exited { .. }, End::Exited { .. }) if !in_main => true,
            (WhatIfStop::Exited { status }, End::Exited { status: Some(run) }) => status == run && its_text == by_main,
            (WhatIfStop::Trap { signal, .. }, End::Fault { signal: run, .. }) => signal == run && its_text == text,
            (WhatIfStop::Exited { .. }, End::Exited { status: None }) => true,
            // Whether a panic unwinds or aborts is not seen.
            (WhatIfStop::Exited { status: PANICKED }, End::Fault { signal: 6, .. }) => true,
            (WhatIfStop::Exited { .. } | WhatIfStop::Trap { .. }, _) => false,
            _ => true,
        };
        if !ends_alike {
            let its_text = String::from_utf8_lossy(&its_text);
            left.wrong
                .push(at(&format!("ends with {:?} and {its_text:?} where the run ends with {end:?}", what_if.stop)));
        }
        left.stops.push(what_if.stop);
    }
    left
}
