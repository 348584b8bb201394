//! The events of a recording, with what decides quickly whether the next one concerns the present operation.

use std::sync::Arc;

use whydunit_recording::{Entry, Event, EventReader, Recording, RunEnd};

/// What the next event is, in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A load's value.
    Load,
    /// Changed memory before an operation.
    Fix,
    /// A synchronous signal.
    Fault,
    /// A signal handler at a safepoint.
    Signal,
    /// Another thread runs: at a safepoint, or inside an external call.
    Switch,
    /// The variadic area of a function being entered.
    Variadic,
    /// Anything that happens inside or at the return of an external call.
    Outside,
    /// There is none.
    End,
}

/// The next event in short; `counter` is `u64::MAX` when there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub counter: u64,
    pub kind: Kind,
    pub site: u32,
}

enum Source {
    Recording(Box<EventReader>),
    List { entries: Arc<[Entry]>, at: usize },
}

/// A place in the events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    Recording(whydunit_recording::Position),
    List(usize),
}

/// Where a machine gets its events from.
pub struct Events {
    source: Source,
    end: RunEnd,
    /// Safepoints counted in the whole run, where known.
    last_counter: Option<u64>,
    pub(crate) next: Next,
    pub(crate) taken: u64,
}

impl Events {
    /// The events of a recording.
    pub fn of(recording: &Recording) -> Self {
        let last_counter = recording.is_complete().then(|| recording.control().counter);
        Self::new(Source::Recording(Box::new(recording.events())), recording.end().clone(), last_counter)
    }

    /// Events at hand, for runs made by tests.
    pub fn list(entries: impl Into<Arc<[Entry]>>, end: RunEnd) -> Self {
        Self::new(Source::List { entries: entries.into(), at: 0 }, end, None)
    }

    fn new(source: Source, end: RunEnd, last_counter: Option<u64>) -> Self {
        Self { source, end, last_counter, next: Next { counter: 0, kind: Kind::Outside, site: 0 }, taken: 0 }
    }

    pub(crate) fn end(&self) -> &RunEnd {
        &self.end
    }

    pub(crate) fn last_counter(&self) -> Option<u64> {
        self.last_counter
    }

    pub(crate) fn peek(&mut self) -> Result<Option<&Entry>, String> {
        match &mut self.source {
            Source::Recording(reader) => reader.peek().map_err(|error| error.to_string()),
            Source::List { entries, at } => Ok(entries.get(*at)),
        }
    }

    /// Moves past the next event and gives it.
    pub(crate) fn take(&mut self) -> Result<Option<Entry>, String> {
        let entry = self.peek()?.cloned();
        match &mut self.source {
            Source::Recording(reader) => reader.advance(),
            Source::List { at, .. } => *at += 1,
        }
        self.taken += 1;
        self.look()?;
        Ok(entry)
    }

    /// Sets `next`.
    pub(crate) fn look(&mut self) -> Result<(), String> {
        self.next = match self.peek()? {
            None => Next { counter: u64::MAX, kind: Kind::End, site: 0 },
            Some(entry) => Next {
                counter: entry.counter,
                site: entry.event.site().unwrap_or(0),
                kind: match entry.event {
                    Event::Load { .. } => Kind::Load,
                    Event::Fix { .. } => Kind::Fix,
                    Event::Fault { .. } => Kind::Fault,
                    Event::Signal { .. } => Kind::Signal,
                    Event::Switch(_) => Kind::Switch,
                    Event::Variadic { .. } => Kind::Variadic,
                    _ => Kind::Outside,
                },
            },
        };
        Ok(())
    }

    pub(crate) fn mark(&self) -> Mark {
        match &self.source {
            Source::Recording(reader) => Mark::Recording((**reader).position()),
            Source::List { at, .. } => Mark::List(*at),
        }
    }

    pub(crate) fn seek(&mut self, mark: Mark) -> Result<(), String> {
        match (&mut self.source, mark) {
            (Source::Recording(reader), Mark::Recording(position)) => reader.seek(position),
            (Source::List { at, .. }, Mark::List(to)) => *at = to,
            _ => {}
        }
        self.look()
    }
}
