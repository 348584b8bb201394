//! A session: the present moment of a run, and the way to any other.

use std::collections::{BTreeMap, BTreeSet};

use whydunit_causes::failure::Expected;
use whydunit_process::Cancel;
use whydunit_replay::{At, FuncId, Machine, Stop};

use crate::breakpoints::Breakpoints;
use crate::checkpoints::{CLOSEST, Checkpoint, Checkpoints};
use crate::course::Course;
use crate::data::DataBreakpoint;
use crate::exceptional::{Event, EventKind};
use crate::going::{Going, Halts, Nowhere};
use crate::lines::Lines;
use crate::survey::{Printed, Survey, survey};
use crate::{DebugError, Position};

/// A recorded run that is debugged.
pub struct Session {
    pub(crate) machine: Machine,
    pub(crate) course: Course,
    pub(crate) checkpoints: Checkpoints,
    pub(crate) survey: Survey,
    /// Breakpoints at lines and functions.
    pub breakpoints: Breakpoints,
    /// Breakpoints on values.
    pub data: Vec<DataBreakpoint>,
    /// At which events the run stops.
    pub events: BTreeSet<EventKind>,
    /// Ends a movement; the session stays where it is then.
    pub cancel: Cancel,
    sources: BTreeMap<String, BTreeSet<u32>>,
}

impl Session {
    /// Looks over a run, whose machine stands at its start, and stands at its start then. `expected` is what the run should have
    /// done; `told` is told the position now and then while the run is looked over.
    pub fn open(
        machine: Machine,
        expected: Expected,
        cancel: Cancel,
        told: impl FnMut(Position),
    ) -> Result<Self, DebugError> {
        Self::open_closely(machine, expected, cancel, CLOSEST, told)
    }

    /// The same with checkpoints that stand `closest` operations apart as long as there are not too many of them.
    pub fn open_closely(
        mut machine: Machine,
        expected: Expected,
        cancel: Cancel,
        closest: u64,
        told: impl FnMut(Position),
    ) -> Result<Self, DebugError> {
        let (survey, checkpoints) = survey(&mut machine, expected, &cancel, closest.max(1), told)?;
        let sources = sources(&machine);
        let mut session = Self {
            machine,
            course: Course::default(),
            checkpoints,
            breakpoints: Breakpoints::default(),
            data: Vec::new(),
            events: BTreeSet::from([EventKind::Failure]),
            cancel,
            sources,
            survey,
        };
        session.restore(0)?;
        session.seek(session.survey.start)?;
        Ok(session)
    }

    /// Where the session stands.
    pub fn position(&self) -> Position {
        self.course.position
    }
    /// The first position: of the first line of the program's own.
    pub fn start(&self) -> Position {
        self.survey.start
    }
    /// The last position: before the operation that ends the run.
    pub fn last(&self) -> Position {
        self.survey.last
    }
    /// Where the run failed; `None` where it did not, or that is not known.
    pub fn failure(&self) -> Option<&Event> {
        self.survey.failure()
    }
    /// Moments worth going to, in order.
    pub fn events_of_run(&self) -> &[Event] {
        &self.survey.events
    }
    /// Adds moments worth going to, which a check of the run has found.
    pub fn add_events(&mut self, events: Vec<Event>) {
        for event in events {
            let at = self.survey.events.partition_point(|known| known.position <= event.position);
            self.survey.events.insert(at, event);
        }
    }
    /// How the run ended, in words.
    pub fn ending(&self) -> String {
        self.survey.ending()
    }
    /// Whether the run could be replayed to its end.
    pub fn is_whole(&self) -> bool {
        self.survey.end.is_ok()
    }
    /// What the run had printed by a position, from another on.
    pub fn printed(&self, from: Position, until: Position) -> &[Printed] {
        let index = |position| self.survey.printed.partition_point(|printed| printed.position < position);
        &self.survey.printed[index(from)..index(until).max(index(from))]
    }
    /// Whether the run prints more than is kept.
    pub fn prints_more(&self) -> bool {
        self.survey.prints_more
    }
    /// The files that code was compiled of, each with the lines that one can stop at.
    pub fn sources(&self) -> &BTreeMap<String, BTreeSet<u32>> {
        &self.sources
    }
    /// Where the run stands.
    pub fn at(&self) -> At<'_> {
        self.machine.at()
    }
    /// What was followed up to here.
    pub(crate) fn course(&self) -> &Course {
        &self.course
    }

    /// Goes to a position; one before the start or behind the end goes there.
    pub fn goto(&mut self, position: Position) -> Result<(), DebugError> {
        self.seek(position.clamp(self.start(), self.last()))
    }

    /// Goes back to the last checkpoint at or before a position.
    pub(crate) fn restore(&mut self, position: Position) -> Result<(), DebugError> {
        let checkpoint = self.checkpoints.before(position);
        self.machine.restore(&checkpoint.snapshot)?;
        self.course = checkpoint.course.clone();
        Ok(())
    }

    /// Goes to a position, and leaves checkpoints on the way.
    pub(crate) fn seek(&mut self, position: Position) -> Result<(), DebugError> {
        let from = self.course.position;
        if position < from || self.checkpoints.before(position).position() > from {
            self.restore(position)?;
        }
        while self.course.position < position {
            let until = self.checkpoints.next_near(self.course.position).min(position);
            self.run_until(until, &mut Nowhere)?;
            if self.checkpoints.lacks_near(self.course.position) {
                let snapshot = self.machine.snapshot();
                self.checkpoints.add_near(Checkpoint { snapshot, course: self.course.clone() });
            }
        }
        // Before the first operation of a run no frame is entered: it is by the time that the operation is begun.
        if !self.machine.at().in_frame() {
            self.run_until(position, &mut Nowhere)?;
        }
        self.settle();
        Ok(())
    }

    /// Runs on to a position, or to where `halts` says; whether it was the latter.
    pub(crate) fn run_until<H: Halts>(&mut self, until: Position, halts: &mut H) -> Result<bool, DebugError> {
        let Self { machine, course, cancel, .. } = self;
        let stop = machine.run_until(u64::MAX, &mut Going { course, halts, until, cancel })?;
        self.settle();
        match stop {
            Stop::End(_) => Ok(false),
            _ if self.course.position >= until => Ok(false),
            _ if self.cancel.is_cancelled() => Err(DebugError::Cancelled),
            _ => Ok(true),
        }
    }

    /// Takes in what holds before the next operation.
    fn settle(&mut self) {
        let Self { machine, course, .. } = self;
        course.stopped(&machine.at());
    }

    /// How many checkpoints are kept.
    pub fn checkpoints(&self) -> usize {
        self.checkpoints.count()
    }
}

/// The files of a run's code with the lines that one can stop at.
fn sources(machine: &Machine) -> BTreeMap<String, BTreeSet<u32>> {
    let (code, mut lines) = (machine.code(), Lines::default());
    let mut sources: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for function in (0..code.functions()).map(FuncId) {
        let files = &code.module_of(function).files;
        for line in lines.of(code, function).iter().filter(|line| line.line != 0) {
            if let Some(file) = files.get(line.file as usize) {
                match sources.get_mut(file) {
                    Some(lines) => _ = lines.insert(line.line),
                    None => _ = sources.insert(file.clone(), BTreeSet::from([line.line])),
                }
            }
        }
    }
    sources
}
