//! A whole recorded run as a stream of events.

use std::rc::Rc;

use whydunit_events::Event;
use whydunit_replay::{End, Machine, Nothing, Observer, ReplayError, Stop};

use crate::asking::Asking;
use crate::inspectors::Inspectors;
use crate::stand::Stand;
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

/// Who pauses a run after calls on objects ([`Wanted::pauses`](crate::Wanted::pauses)).
pub trait Pauses {
    /// Watches the run beside the tracer.
    type Watch: Observer;

    /// Who watches.
    fn watch(&mut self) -> &mut Self::Watch;

    /// The run stands right after calls on objects; whether it is to go on.
    fn pause(&mut self, stand: &mut Stand<'_, '_>) -> Result<bool, ReplayError>;
}

/// Nobody pauses; somebody may watch.
pub struct NoPauses<O>(pub O);

impl<O: Observer> Pauses for NoPauses<O> {
    type Watch = O;

    fn watch(&mut self) -> &mut O {
        &mut self.0
    }

    fn pause(&mut self, _: &mut Stand<'_, '_>) -> Result<bool, ReplayError> {
        Ok(true)
    }
}

/// Traces the run that a machine is at the start of.
pub fn trace(
    machine: &mut Machine,
    program: Program<'_>,
    run: &str,
    sink: &mut dyn FnMut(&Event),
) -> Result<Traced, ReplayError> {
    trace_pausing(machine, program, run, sink, &mut NoPauses(Nothing))
}

/// The same; somebody watches beside the tracer, and pauses the run.
pub fn trace_pausing<P: Pauses>(
    machine: &mut Machine,
    program: Program<'_>,
    run: &str,
    sink: &mut dyn FnMut(&Event),
    pauses: &mut P,
) -> Result<Traced, ReplayError> {
    let mut tracer = Tracer::new(program, run, sink);
    let mut inspectors = Inspectors::default();
    let asking = Asking(tracer.asking());
    let inspects = program.wanted.inspectors.values().any(|known| !known.is_empty());
    let stops = inspects || !program.wanted.pauses.is_empty();
    let end = loop {
        let both = &mut (&mut tracer, pauses.watch());
        let stop = match stops {
            true => machine.run_until(u64::MAX, &mut (both, Asking(Rc::clone(&asking.0))))?,
            false => machine.run_until(u64::MAX, both)?,
        };
        match stop {
            Stop::End(end) => break Some(end),
            Stop::Asked if asking.0.get() => {
                let objects = tracer.asks().to_vec();
                inspectors.ask(machine, program, &mut tracer)?;
                let mut stand = Stand { machine, program, tracer: &mut tracer, inspectors: &mut inspectors, objects };
                if !pauses.pause(&mut stand)? {
                    break None;
                }
            }
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
