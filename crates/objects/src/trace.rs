//! A whole recorded run as a stream of events.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use whydunit_events::Event;
use whydunit_replay::{At, End, Machine, Observer, ReplayError, Stop};

use crate::catalogue::Catalogue;
use crate::inspectors::{Candidate, Inspectors};
use crate::tracer::Tracer;

/// When the result of a function says that it has failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorRule {
    /// A negative number.
    Negative,
    /// A null pointer.
    Null,
    /// This number.
    Equal(i64),
    /// All but these numbers.
    NoneOf(BTreeSet<i64>),
}

impl ErrorRule {
    /// Whether a result says so.
    pub fn fails(&self, value: i64) -> bool {
        match self {
            Self::Negative => value < 0,
            Self::Null => value == 0,
            Self::Equal(number) => value == *number,
            Self::NoneOf(numbers) => !numbers.contains(&value),
        }
    }
}

/// What is to be traced.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The classes, by their number in the catalogue; `None`: all that are no library's.
    pub classes: Option<BTreeSet<usize>>,
    /// Methods that are asked besides the run, by the class of the object.
    pub inspectors: BTreeMap<usize, Vec<Candidate>>,
    /// How functions of classes say that they have failed.
    pub errors: BTreeMap<usize, ErrorRule>,
    /// Libraries' classes, by number.
    pub libraries: BTreeSet<usize>,
}

impl Wanted {
    pub(crate) fn class(&self, class: usize) -> bool {
        self.classes.as_ref().map_or_else(|| !self.libraries.contains(&class), |classes| classes.contains(&class))
    }

    pub(crate) fn inspects(&self, class: usize) -> bool {
        self.inspectors.get(&class).is_some_and(|known| !known.is_empty())
    }

    pub(crate) fn error_rule(&self, class: usize, _method: &str) -> Option<&ErrorRule> {
        self.errors.get(&class)
    }
}

/// What a tracer works with.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    /// The classes.
    pub catalogue: &'a Catalogue,
    /// What is to be traced.
    pub wanted: &'a Wanted,
    /// The text of a source; `None` for one that is not what was compiled.
    pub text: &'a dyn Fn(&str) -> Option<String>,
}

/// How tracing went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    /// How the run ended.
    pub end: End,
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
            Stop::End(end) => break end,
            Stop::Asked => inspectors.ask(machine, program, &mut tracer)?,
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
