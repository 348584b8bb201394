//! The machine: a run's state, its code, and the events that drive it.

mod allocator;
mod external;
mod fast;
mod frames;
mod models;
mod ops;
mod outside;
mod ranges;
mod threads;
mod unwind;

use std::sync::Arc;

use whydunit_model::{Function, Op, names};
use whydunit_process::Cancel;
use whydunit_recording::{Entry, Event, Recording, RunEnd, Start};

pub(crate) use self::external::Target;
pub(crate) use self::frames::push_frame;
pub(crate) use self::outside::accessed;
pub(crate) use self::unwind::{pad_of, unwinds_to};
use crate::code::{Code, Constants, LoadedModule, Program};
use crate::divergence::{Divergence, ReplayError, Result};
use crate::end::End;
use crate::events::{Events, Kind};
use crate::function_id::FuncId;
use crate::observer::{At, Observer};
use crate::recall::Recall;
use crate::run::{Formats, Run, WhatIfRun, WhatIfStop};
use crate::state::{Core, Waits};
use crate::streams;
use crate::track::Track;

/// Runs a program by its recording.
pub struct Machine {
    program: Program,
    /// Memory, frames, slots, counts.
    pub core: Core,
    pub(crate) code: Code,
    pub(crate) run: Run,
    pub(crate) events: Events,
    /// The safepoint count from which on safepoints need a closer look.
    pub(crate) limit: u64,
    /// Where the caller wants the run to stop.
    pub(crate) until: u64,
    /// Set in a what-if run.
    pub(crate) what_if: Option<Box<WhatIfRun>>,
    /// Constants that what-if runs know in full.
    pub(crate) constants: Option<Constants>,
    /// What external calls gave, for what-if runs.
    pub(crate) recall: Option<Arc<Recall>>,
    /// Operations in whose place something else stands: calls under way return to them.
    pub(crate) patched: Vec<(FuncId, u32, Op)>,
    /// What recorded runs print by Rust's library.
    pub(crate) formats: Formats,
    /// What is followed of the run.
    pub(crate) track: Option<Box<Track>>,
    /// Cancelled when the run is to stop.
    patience: Option<Cancel>,
}

/// So many safepoints lie between two looks at whether a run is to stop: some 20 million instructions.
const PATIENCE: u64 = 1 << 21;

/// What the inner loops tell the outer one.
#[derive(Debug)]
pub(crate) enum Flow {
    /// Go on with the innermost frame.
    Continue,
    /// The run stops here.
    Stop(Stop),
}

/// Why [`Machine::run`] came back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The run ended.
    End(End),
    /// The safepoint count asked for is reached; the run can go on.
    Reached,
    /// The observer asked for it; the run can go on.
    Asked,
    /// A what-if run stopped.
    WhatIf(WhatIfStop),
}

impl Machine {
    /// A machine at the start of a recorded run.
    pub fn new(program: Program, recording: &Recording) -> Result<Self> {
        Self::with_events(program, Events::of(recording))
    }

    /// A machine at the start of a run that consists of these events.
    pub fn with_events(program: Program, events: Events) -> Result<Self> {
        let mut machine = Self {
            program,
            core: Core::new(),
            code: Code::new(),
            run: Run::default(),
            events,
            limit: 0,
            until: u64::MAX,
            what_if: None,
            constants: None,
            recall: None,
            patched: Vec::new(),
            formats: Formats::default(),
            track: None,
            patience: None,
        };
        machine.events.look().map_err(|reason| ReplayError::Recording { instruction: 0, reason })?;
        machine.set_limit();
        Ok(machine)
    }

    /// Loaded modules and functions.
    pub fn code(&self) -> &Code {
        &self.code
    }
    /// The models.
    pub fn program(&self) -> &Program {
        &self.program
    }
    /// What the process said at its start, once that is known.
    pub fn start(&self) -> Option<&Start> {
        self.run.start.as_ref()
    }
    /// How the run ended, once it has.
    pub fn ended(&self) -> Option<&End> {
        self.run.ended.as_ref()
    }
    /// How many events were taken.
    pub fn events_taken(&self) -> u64 {
        self.events.taken
    }

    /// Where the run stands.
    pub fn at(&self) -> At<'_> {
        at(&self.core, &self.code)
    }

    /// From here on a run stops, as if its observer had asked for it, soon after `patience` is cancelled; `None`: it never does.
    pub fn set_patience(&mut self, patience: Option<Cancel>) {
        self.patience = patience;
    }

    /// Whether the patience that it was given is over: then a run stands where it happened to be.
    pub fn is_out_of_patience(&self) -> bool {
        self.patience.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Runs to the end.
    pub fn run<O: Observer>(&mut self, observer: &mut O) -> Result<End> {
        match self.run_until(u64::MAX, observer)? {
            Stop::End(end) => Ok(end),
            Stop::Reached | Stop::Asked | Stop::WhatIf(_) => {
                Ok(End::RecordingEnds { reason: "the run was stopped".into() })
            }
        }
    }

    /// Runs until `counter` safepoints have been counted or the run ends.
    pub fn run_until<O: Observer>(&mut self, counter: u64, observer: &mut O) -> Result<Stop> {
        if let Some(end) = &self.run.ended {
            return Ok(Stop::End(end.clone()));
        }
        if self.core.counter >= counter {
            return Ok(Stop::Reached);
        }
        let stop = loop {
            let next = match &self.patience {
                Some(_) => self.core.counter.saturating_add(PATIENCE).min(counter),
                None => counter,
            };
            self.until = next;
            self.set_limit();
            let stop = self.run_loop(observer);
            self.until = u64::MAX;
            match stop? {
                Stop::Reached if next < counter => {
                    if self.is_out_of_patience() {
                        break Stop::Asked;
                    }
                }
                stop => break stop,
            }
        };
        if let Stop::End(end) = &stop {
            self.run.ended = Some(end.clone());
            observer.end(&at(&self.core, &self.code), end);
        }
        Ok(stop)
    }

    /// Runs until `counter` safepoints have been counted and then to the first operation for which `here` holds (the present
    /// one included). False when the run ended before.
    pub fn run_to<O: Observer>(
        &mut self,
        counter: u64,
        here: impl FnMut(&At<'_>) -> bool,
        observer: &mut O,
    ) -> Result<bool> {
        struct Until<F>(F);
        impl<F: FnMut(&At<'_>) -> bool> Observer for Until<F> {
            const STOPS: bool = true;
            fn stop(&mut self, at: &At<'_>) -> bool {
                (self.0)(at)
            }
        }
        if let Stop::End(_) = self.run_until(counter, observer)? {
            return Ok(false);
        }
        let stop = self.run_until(u64::MAX, &mut (observer, Until(here)))?;
        Ok(stop == Stop::Asked)
    }

    pub(crate) fn run_loop<O: Observer>(&mut self, observer: &mut O) -> Result<Stop> {
        loop {
            let flow = match self.core.frames.last() {
                None => self.outside(observer)?,
                Some(frame) if frame.waits != Waits::No => self.outside(observer)?,
                Some(_) => self.run_code(observer)?,
            };
            if let Flow::Stop(stop) = flow {
                return Ok(stop);
            }
        }
    }

    pub(crate) fn run_code<O: Observer>(&mut self, observer: &mut O) -> Result<Flow> {
        let watched = O::WATCHED;
        // Near a synchronous signal every access is looked at.
        if watched || self.events_are_near() || !self.enter_fast::<O>() {
            self.run_ops(observer)
        } else {
            self.run_fast(observer)
        }
    }

    /// Recomputes from which safepoint count on safepoints need a closer look.
    pub(crate) fn set_limit(&mut self) {
        if self.what_if.is_some() {
            self.limit = self.core.counter;
            return;
        }
        let next = &self.events.next;
        let mut limit = match next.kind {
            // A signal or a switch comes before the next count, anything else after the count of its number.
            Kind::End => match self.events.end() {
                RunEnd::Killed { counter } => counter.saturating_sub(1),
                RunEnd::Orderly | RunEnd::Exec => self.events.last_counter().unwrap_or(u64::MAX),
                _ => 0,
            },
            Kind::Signal | Kind::Switch => next.counter,
            _ => next.counter.saturating_sub(1),
        };
        limit = limit.min(self.until.saturating_sub(1));
        self.limit = limit;
    }

    /// The next event, which is at the present safepoint count.
    pub(crate) fn take_event(&mut self) -> Result<Entry> {
        let instruction = self.core.instructions;
        let taken = self.events.take().map_err(|reason| ReplayError::Recording { instruction, reason })?;
        self.set_limit();
        taken.ok_or_else(|| ReplayError::Recording { instruction, reason: "there are no more events".into() })
    }

    /// Whether the next event is at the present count.
    #[inline]
    pub(crate) fn event_is_now(&self) -> bool {
        self.events.next.counter == self.core.counter
    }

    /// The error for a replay that is not where the recording is.
    pub(crate) fn diverged(&mut self, got: impl Into<String>) -> ReplayError {
        let expected = self.describe_next();
        self.divergence(expected, got)
    }

    pub(crate) fn divergence(&self, expected: impl Into<String>, got: impl Into<String>) -> ReplayError {
        let at = self.at();
        ReplayError::Divergence(Box::new(Divergence {
            position: at.position(),
            instruction: self.core.instructions,
            counter: self.core.counter,
            expected: expected.into(),
            got: got.into(),
        }))
    }

    /// The next event in words.
    pub(crate) fn describe_next(&mut self) -> String {
        let code = &self.code;
        let end = self.events.end().clone();
        match self.events.peek() {
            Err(error) => error,
            Ok(None) => match end {
                RunEnd::Killed { counter } => format!("the run to be killed at safepoint {counter}"),
                end => format!("the end of the recording ({end:?})"),
            },
            Ok(Some(entry)) => {
                let mut text = format!("{} at safepoint {}", entry.event.name(), entry.counter);
                match &entry.event {
                    Event::Load { value, .. } => text += &format!(" of {value:?}"),
                    Event::Callback { function, .. } | Event::Signal { function, .. } => {
                        text += &format!(" of {}", code.name_at(&self.run.symbols, *function));
                    }
                    Event::Fault { signal, address } => text += &format!(" {signal} with address {address:#x}"),
                    Event::Fix { address, bytes, .. } => text += &format!(" of {} bytes at {address:#x}", bytes.len()),
                    _ => {}
                }
                if let Some(site) = entry.event.site() {
                    text += &format!(", {}", code.describe_site(site));
                }
                text
            }
        }
    }

    pub(crate) fn load_module(&mut self, event: &whydunit_recording::ModuleLoaded) -> Result<u32> {
        let memory = &mut self.core.memory;
        let number = self.code.load(&self.program, &mut self.run.symbols, event, |address, bytes| {
            memory.write_from(address, bytes);
        })?;
        let module = &self.code.modules()[number as usize];
        self.run.operators.add(module);
        self.run.formatter = self.run.formatter.or_else(|| formatter(module));
        for stream in streams::StandardStream::of(&module.model, &module.globals) {
            if !self.run.streams.iter().any(|known| known.is_of(&stream)) {
                self.run.streams.push(stream);
            }
        }
        Ok(number)
    }

    /// The captured function at an address.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.run.symbols.function_at(address)
    }
}

/// The function of a module that formats values for programs of Rust.
fn formatter(module: &LoadedModule) -> Option<FuncId> {
    let index = module.model.functions.iter().position(formats_values)?;
    Some(FuncId(module.first.0 + index as u32))
}

/// Whether a function is the one of Rust's library that formats values.
pub(crate) fn formats_values(function: &Function) -> bool {
    let is_it = || names::readable(&function.name).as_deref() == Some("core::fmt::write");
    function.is_defined() && function.name.contains("3fmt5write") && is_it()
}

/// Where a run stands.
pub(crate) fn at<'a>(core: &'a Core, code: &'a Code) -> At<'a> {
    match core.frames.last() {
        Some(frame) => At {
            core,
            code,
            model: code.model(frame.function),
            consts: code.consts(frame.function),
            depth: core.frames.len() - 1,
            function: frame.function,
            pc: frame.pc,
            base: frame.base,
        },
        None => At {
            core,
            code,
            model: code.model(FuncId::NONE),
            consts: &[],
            depth: 0,
            function: FuncId::NONE,
            pc: 0,
            base: 0,
        },
    }
}
