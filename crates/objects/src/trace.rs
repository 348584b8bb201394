//! A whole recorded run as a stream of events.

use std::cell::Cell;
use std::rc::Rc;

use whydunit_events::Event;
use whydunit_replay::{At, End, Machine, Observer, ReplayError, Stop};

use crate::inspectors::Inspectors;
use crate::tracer::Tracer;
use crate::wanted::Program;

/// How tracing went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    /// How the run ended; `None` where the machine's patience was at an end before that.
    pub end: Option<End>,
    /// Instructions of the run.
    pub instructions: u64,
    /// What-if runs of inspectors.
    pub inspected: u64,
    /// Values of inspectors that were known, as all that they read was the same.
    pub remembered: u64,
    /// Inspectors that are none, with the reason.
    pub dropped: Vec<String>,
}

/// Traces the run that a machine is at the start of.
pub fn trace(
    machine: &mut Machine,
    program: Program<'_>,
    run: &str,
    sink: &mut dyn FnMut(&Event),
) -> Result<Traced, ReplayError> {
    let mut tracer = Tracer::new(program, run, sink);
    let mut inspectors = Inspectors::default();
    let asking = Asking(tracer.asking());
    let inspects = program.wanted.inspectors.values().any(|known| !known.is_empty());
    let end = loop {
        let stop = match inspects {
            true => machine.run_until(u64::MAX, &mut (&mut tracer, Asking(Rc::clone(&asking.0))))?,
            false => machine.run_until(u64::MAX, &mut tracer)?,
        };
        match stop {
            Stop::End(end) => break Some(end),
            Stop::Asked if asking.0.get() => inspectors.ask(machine, program, &mut tracer)?,
            Stop::Asked => break None,
            Stop::Reached | Stop::WhatIf(_) => {}
        }
    };
    tracer.resume(Vec::new());
    Ok(Traced {
        end,
        instructions: machine.core.instructions,
        inspected: inspectors.runs,
        remembered: inspectors.remembered,
        dropped: inspectors.dropped(program),
    })
}

/// Stops a run when inspectors are to be asked.
struct Asking(Rc<Cell<bool>>);

impl Observer for Asking {
    const STOPS: bool = true;

    #[inline(always)]
    fn stop(&mut self, _at: &At<'_>) -> bool {
        self.0.get()
    }
}
