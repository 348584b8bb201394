//! Runs on, forwards and backwards, to what stops a run.

use whydunit_replay::At;

use crate::checkpoints::SomeLines;
use crate::course::Course;
use crate::data::DataState;
use crate::going::{Halts, Nowhere};
use crate::session::Session;
use crate::{DebugError, Position};

/// Which way a run goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// As it went.
    Forward,
    /// Back.
    Backward,
}

/// Why the session stands where it does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The run begins here.
    Start,
    /// The run ends here.
    End,
    /// A step ended.
    Step,
    /// It was gone to.
    Goto,
    /// Breakpoints, by their numbers.
    Breakpoints(Vec<u32>),
    /// A data breakpoint, by its number.
    Data(u32),
    /// The event with this number of [`Session::events_of_run`].
    Event(usize),
    /// The end of the movement was asked for.
    Paused,
}

/// Where a movement ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// Why.
    pub reason: Reason,
    /// What log points said on the way, and conditions that have no value.
    pub said: Vec<String>,
}

/// Stops at breakpoints and data breakpoints, and where else `other` says.
struct Stopping<'a, H> {
    session: Stops<'a>,
    other: H,
    from: Position,
    reason: Option<Reason>,
    said: Vec<String>,
}

/// What stops a run.
struct Stops<'a> {
    breakpoints: &'a crate::Breakpoints,
    data: DataState<'a>,
}

impl Stops<'_> {
    fn are_none(&self) -> bool {
        self.breakpoints.is_empty() && self.data.is_empty()
    }
}

impl<H: Halts> Halts for Stopping<'_, H> {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        let changed = self.session.data.changed(at, course);
        if course.position > self.from {
            self.said.extend(changed.said);
            if let Some(number) = changed.numbers.first() {
                self.reason = Some(Reason::Data(*number));
                return true;
            }
        }
        if course.position > self.from
            && let Some(hit) = self.session.breakpoints.hit(at, course)
        {
            self.said.extend(hit.said);
            if !hit.numbers.is_empty() {
                self.reason = Some(Reason::Breakpoints(hit.numbers));
                return true;
            }
        }
        self.other.halts(at, course)
    }
}

/// Notes the last stop before a position.
struct Last<'a> {
    session: Stops<'a>,
    floor: Position,
    before: Position,
    found: Option<(Position, Reason)>,
    said: Vec<String>,
}

impl Halts for Last<'_> {
    fn halts(&mut self, at: &At<'_>, course: &mut Course) -> bool {
        let position = course.position;
        let changed = self.session.data.changed(at, course);
        // The operation before did it.
        let write = position.saturating_sub(1);
        if (self.floor..self.before).contains(&write) {
            self.said.extend(changed.said);
            if let Some(number) = changed.numbers.first() {
                self.found = Some((write, Reason::Data(*number)));
            }
        }
        if (self.floor..self.before).contains(&position)
            && let Some(hit) = self.session.breakpoints.hit(at, course)
        {
            self.said.extend(hit.said);
            if !hit.numbers.is_empty() {
                self.found = Some((position, Reason::Breakpoints(hit.numbers)));
            }
        }
        false
    }
}

impl Session {
    /// Runs to the next thing that stops it, or to the end or the start of the run.
    pub fn resume(&mut self, direction: Direction) -> Result<Stopped, DebugError> {
        match direction {
            // Nothing has to be looked for on the way.
            Direction::Forward if self.breakpoints.is_empty() && self.data.is_empty() => {
                let event = self.event(Direction::Forward);
                let (goal, reason) = event.map_or((self.last(), Reason::End), |(at, index)| (at, Reason::Event(index)));
                self.seek(goal)?;
                Ok(Stopped { reason, said: Vec::new() })
            }
            Direction::Forward => self.onward(),
            Direction::Backward => self.backward(self.start(), Reason::Start),
        }
    }

    /// The nearest event in a direction that stops the run.
    fn event(&self, direction: Direction) -> Option<(Position, usize)> {
        let events = self.events_of_run().iter().enumerate();
        let mut stopping = events.filter(|(_, event)| self.events.contains(&event.kind));
        let found = match direction {
            Direction::Forward => stopping.find(|(_, event)| event.position > self.position()),
            Direction::Backward => stopping.rfind(|(_, event)| event.position < self.position()),
        };
        found.map(|(index, event)| (event.position, index))
    }

    /// Runs forwards to what stops the run; stretches in which nothing can are passed over.
    fn onward(&mut self) -> Result<Stopped, DebugError> {
        let event = self.event(Direction::Forward);
        let limit = event.map_or(self.last(), |(position, _)| position);
        let from = self.position();
        let (breakpoints, data) = (std::mem::take(&mut self.breakpoints), std::mem::take(&mut self.data));
        let mut said = Vec::new();
        let found = self.next_stop(from, limit, (&breakpoints, &data), &mut said);
        (self.breakpoints, self.data) = (breakpoints, data);
        let reason = match (found, event) {
            (Err(DebugError::Cancelled), _) => Reason::Paused,
            (Err(error), _) => return Err(error),
            (Ok(Some(reason)), _) => reason,
            (Ok(None), Some((_, index))) => Reason::Event(index),
            (Ok(None), None) => Reason::End,
        };
        Ok(Stopped { reason, said })
    }

    /// Goes to the next stop before a position, and else to that; why it is one.
    fn next_stop(
        &mut self,
        mut from: Position,
        limit: Position,
        (breakpoints, data): (&crate::Breakpoints, &Vec<crate::DataBreakpoint>),
        said: &mut Vec<String>,
    ) -> Result<Option<Reason>, DebugError> {
        let lines = self.lines_of(breakpoints);
        loop {
            let stretch = self.checkpoints.stretch(self.position());
            let until = stretch.until.map_or(limit, |until| until.position().min(limit));
            let concerns = stretch.has_some_of(&lines) || !data.iter().all(|one| one.watched.is_unwritten_in(stretch));
            if !concerns && until < limit {
                self.restore(until)?;
                continue;
            }
            if !concerns {
                self.seek(limit)?;
            }
            let session = Stops { breakpoints, data: DataState::new(data) };
            let mut stopping = Stopping { session, other: Nowhere, from, reason: None, said: Vec::new() };
            let went = self.run_until(until, &mut stopping);
            said.append(&mut stopping.said);
            if went? || stopping.reason.is_some() {
                return Ok(stopping.reason);
            }
            if self.position() >= limit {
                return Ok(None);
            }
            // What is hit where two stretches meet was told.
            from = self.position();
        }
    }

    /// The lines at which some breakpoints may be hit.
    pub(crate) fn lines_of(&self, breakpoints: &crate::Breakpoints) -> SomeLines {
        let code = self.machine.code();
        self.checkpoints.lines(|function, line| breakpoints.may_be_hit(code, function, line))
    }

    /// Runs forwards to where `other` says, for `reason`, or to what stops it before.
    pub(crate) fn forward<H: Halts>(&mut self, other: H, reason: Reason) -> Result<Stopped, DebugError> {
        let event = self.event(Direction::Forward);
        let limit = event.map_or(self.last(), |(position, _)| position);
        let from = self.position();
        // The session lends them to the movement.
        let (breakpoints, data) = (std::mem::take(&mut self.breakpoints), std::mem::take(&mut self.data));
        let stops = Stops { breakpoints: &breakpoints, data: DataState::new(&data) };
        let mut stopping = Stopping { session: stops, other, from, reason: None, said: Vec::new() };
        let went = self.run_until(limit, &mut stopping);
        let Stopping { reason: halted, said, .. } = stopping;
        (self.breakpoints, self.data) = (breakpoints, data);
        let reason = match (went, halted, event) {
            (Err(DebugError::Cancelled), ..) => Reason::Paused,
            (Err(error), ..) => return Err(error),
            (Ok(_), Some(halted), _) => halted,
            (Ok(true), None, _) => reason,
            (Ok(false), None, Some((_, index))) => Reason::Event(index),
            (Ok(false), None, None) => Reason::End,
        };
        Ok(Stopped { reason, said })
    }

    /// Goes back to `goal`, for `reason`, or to what stops it on the way.
    pub(crate) fn backward(&mut self, goal: Position, reason: Reason) -> Result<Stopped, DebugError> {
        let present = self.position();
        if present <= self.start() {
            return Ok(Stopped { reason: Reason::Start, said: Vec::new() });
        }
        let event = self.event(Direction::Backward).filter(|(position, _)| *position > goal);
        let floor = event.map_or(goal, |(position, _)| position).min(present);
        let otherwise = match event {
            Some((_, index)) => Reason::Event(index),
            None if goal <= self.start() => Reason::Start,
            None => reason,
        };
        let (breakpoints, data) = (std::mem::take(&mut self.breakpoints), std::mem::take(&mut self.data));
        let found = self.last_stop(floor, present, (&breakpoints, &data));
        (self.breakpoints, self.data) = (breakpoints, data);
        let (found, said) = found?;
        let (position, reason) = found.unwrap_or((floor, otherwise));
        // Where it is known, one goes there even if that was to be ended.
        let cancel = std::mem::take(&mut self.cancel);
        let went = self.seek(position);
        self.cancel = cancel;
        went?;
        Ok(Stopped { reason, said })
    }

    /// The last stop in a part of the run; pausing is a stop where everything behind was looked at.
    #[expect(clippy::type_complexity, reason = "a position with its reason, and what was said")]
    fn last_stop(
        &mut self,
        floor: Position,
        before: Position,
        (breakpoints, data): (&crate::Breakpoints, &Vec<crate::DataBreakpoint>),
    ) -> Result<(Option<(Position, Reason)>, Vec<String>), DebugError> {
        let mut said = Vec::new();
        let mut upper = before;
        let lines = self.lines_of(breakpoints);
        while upper > floor {
            let stops = Stops { breakpoints, data: DataState::new(data) };
            if stops.are_none() {
                break;
            }
            let stretch = self.checkpoints.stretch(upper - 1);
            if !stretch.has_some_of(&lines) && data.iter().all(|one| one.watched.is_unwritten_in(stretch)) {
                upper = stretch.from.position();
                continue;
            }
            self.restore(upper - 1)?;
            let lower = self.position();
            let mut last = Last { session: stops, floor, before: upper, found: None, said: Vec::new() };
            match self.run_until(upper, &mut last) {
                Err(DebugError::Cancelled) => return Ok((Some((upper.min(before), Reason::Paused)), said)),
                other => other?,
            };
            said.splice(0..0, last.said);
            if last.found.is_some() {
                return Ok((last.found, said));
            }
            upper = lower;
        }
        Ok((None, said))
    }
}
