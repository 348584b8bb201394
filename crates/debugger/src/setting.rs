//! Where breakpoints can be set, and setting them.

use whydunit_causes::variables::Store;

use crate::breakpoints::{Breakpoint, Breakpoints, Counting, named};
use crate::checkpoints::Stretch;
use crate::data::{CountingData, DataBreakpoint, Watched};
use crate::going::Halts;
use crate::inspect::FrameId;
use crate::resume::{Direction, Reason};
use crate::session::Session;
use crate::{DebugError, Position};

/// More bytes than this are not watched.
const MOST: u64 = 1 << 16;

impl Session {
    /// Sets the breakpoints at lines and functions, all of them. Where hits are counted the run is looked through once.
    pub fn set_breakpoints(&mut self, mut list: Vec<Breakpoint>) -> Result<(), DebugError> {
        if let Some(mut counting) = Counting::of(&list, self.at().code) {
            let lines = self.lines_of(counting.breakpoints());
            self.look_through(&mut counting, |stretch| stretch.has_some_of(&lines))?;
            counting.tell(&mut list);
        }
        self.breakpoints = Breakpoints::of(list, self.at().code);
        Ok(())
    }

    /// Sets the breakpoints on values, all of them. Where changes are counted the run is looked through once.
    pub fn set_data(&mut self, mut list: Vec<DataBreakpoint>) -> Result<(), DebugError> {
        let sought = list.clone();
        if let Some(mut counting) = CountingData::of(&sought) {
            self.look_through(&mut counting, |stretch| !sought.iter().all(|one| one.watched.is_unwritten_in(stretch)))?;
            counting.tell(&mut list);
        }
        self.data = list;
        Ok(())
    }

    /// Looks through the stretches of the run in which something is to be seen. The session stays where it is.
    fn look_through<H: Halts>(
        &mut self,
        halts: &mut H,
        concerns: impl Fn(Stretch<'_>) -> bool,
    ) -> Result<(), DebugError> {
        let present = self.position();
        let looked = self.look_at_stretches(halts, concerns);
        self.seek(present)?;
        looked
    }

    fn look_at_stretches<H: Halts>(
        &mut self,
        halts: &mut H,
        concerns: impl Fn(Stretch<'_>) -> bool,
    ) -> Result<(), DebugError> {
        let mut position = 0;
        loop {
            let stretch = self.checkpoints.stretch(position);
            let until = stretch.until.map_or(self.last(), |until| until.position());
            if concerns(stretch) {
                self.restore(position)?;
                self.run_until(until, halts)?;
            }
            if until >= self.last() {
                return Ok(());
            }
            position = until;
        }
    }

    /// The nearest position in a direction at which one of some breakpoints is hit; `None`: there is none. The session stays
    /// where it is.
    pub fn nearest(&mut self, list: Vec<Breakpoint>, direction: Direction) -> Result<Option<Position>, DebugError> {
        let present = self.position();
        let sought = Breakpoints::of(list, self.at().code);
        let own = (std::mem::replace(&mut self.breakpoints, sought), std::mem::take(&mut self.data));
        let events = std::mem::take(&mut self.events);
        let stopped = self.resume(direction);
        (self.breakpoints, self.data) = own;
        self.events = events;
        let position = self.position();
        self.seek(present)?;
        Ok(matches!(stopped?.reason, Reason::Breakpoints(_)).then_some(position))
    }

    /// The lines of a file from one on, up to another, that one can stop at.
    pub fn lines(&self, file: &str, from: u32, until: u32) -> Vec<u32> {
        if from > until {
            return Vec::new();
        }
        self.sources().get(file).map_or_else(Vec::new, |lines| lines.range(from..=until).copied().collect())
    }

    /// How many functions of the program have this name.
    pub fn functions_named(&self, name: &str) -> usize {
        named(self.at().code, name).len()
    }

    /// What has to be watched for the value of an expression in a frame; an error says why it cannot be.
    pub fn watch(&self, frame: FrameId, expression: &str) -> Result<Watched, DebugError> {
        let view = self.view(frame)?;
        let found = self.found(&view, expression)?;
        let no = |why: String| Err(DebugError::Expression(why));
        match found.store {
            Store::Memory(_) if found.bytes.is_empty() => no(format!("the size of `{expression}` is not known")),
            Store::Memory(_) if found.bytes.len() as u64 > MOST => {
                no(format!("`{expression}` has {} bytes: that is too much to be watched", found.bytes.len()))
            }
            Store::Memory(address) => Ok(Watched::Memory { address, size: found.bytes.len() as u64 }),
            Store::Slot(_) | Store::Constant(_) if view.in_scope().iter().any(|known| known.name == expression) => {
                let at = self.at();
                let course = self.course().thread(&at, frame.thread).and_then(|thread| thread.frame(frame.depth));
                let entered = course.ok_or(DebugError::NoFrame)?.entered;
                Ok(Watched::Variable { entered, depth: frame.depth, name: expression.into() })
            }
            Store::Slot(_) | Store::Constant(_) => {
                no(format!("`{expression}` is a part of a value in registers: watch the variable as a whole"))
            }
        }
    }
}
