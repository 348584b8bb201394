//! States that a machine can go back to, and long runs divided by them.

use crate::divergence::{ReplayError, Result};
use crate::end::End;
use crate::events::Mark;
use crate::heap::Heap;
use crate::machine::{Machine, Stop};
use crate::memory::MemorySnapshot;
use crate::observer::{Nothing, Observer};
use crate::run::{Run, WhatIfRun};
use crate::state::{DynamicObject, Frame, JumpTarget, Threads};

/// A state of a machine. Pages are shared until they are written.
#[derive(Clone)]
pub struct Snapshot {
    memory: MemorySnapshot,
    slots: Vec<u64>,
    frames: Vec<Frame>,
    dynamic: Vec<DynamicObject>,
    jumps: Vec<JumpTarget>,
    landed: [u64; 2],
    threads: Threads,
    heap: Heap,
    usp: u64,
    counter: u64,
    instructions: u64,
    run: Run,
    mark: Mark,
    taken: u64,
    what_if: Option<Box<WhatIfRun>>,
}

impl Snapshot {
    /// Safepoints counted.
    pub fn counter(&self) -> u64 {
        self.counter
    }
    /// Instructions executed.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }
    /// How many frames the running thread has.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }
    /// Its memory.
    pub fn memory(&self) -> &MemorySnapshot {
        &self.memory
    }
}

impl Machine {
    /// Keeps the present state.
    pub fn snapshot(&mut self) -> Snapshot {
        let core = &mut self.core;
        let top = core.frames.last().map_or(0, |frame| frame.base + self.code.function(frame.function).frame_slots());
        let top = if core.threads.several() { core.slots.len() } else { top };
        Snapshot {
            memory: core.memory.snapshot(),
            slots: core.slots[..top].to_vec(),
            frames: core.frames.clone(),
            dynamic: core.dynamic.clone(),
            jumps: core.jumps.clone(),
            landed: core.landed,
            threads: core.threads.clone(),
            heap: core.heap.clone(),
            usp: core.usp,
            counter: core.counter,
            instructions: core.instructions,
            run: self.run.clone(),
            mark: self.events.mark(),
            taken: self.events.taken,
            what_if: self.what_if.clone(),
        }
    }

    /// Goes back (or on) to a state of this machine.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        if !self.core.memory.restore(&snapshot.memory) {
            return Err(ReplayError::ForeignSnapshot);
        }
        let core = &mut self.core;
        // The slots of other threads lie behind all there are when the second one begins: with each way back they would move on.
        if core.threads.several() && !snapshot.threads.several() {
            core.slots.truncate(snapshot.slots.len());
        }
        if core.slots.len() < snapshot.slots.len() {
            core.slots.resize(snapshot.slots.len(), 0);
        }
        core.slots[..snapshot.slots.len()].copy_from_slice(&snapshot.slots);
        core.frames.clone_from(&snapshot.frames);
        core.dynamic.clone_from(&snapshot.dynamic);
        core.jumps.clone_from(&snapshot.jumps);
        core.landed = snapshot.landed;
        core.threads.clone_from(&snapshot.threads);
        core.heap = snapshot.heap.clone();
        core.usp = snapshot.usp;
        core.counter = snapshot.counter;
        core.instructions = snapshot.instructions;
        self.run = snapshot.run.clone();
        self.what_if.clone_from(&snapshot.what_if);
        let pages = self.what_if.as_ref().map(|what_if| what_if.knowledge.pages().clone());
        core.memory.set_partly(pages.unwrap_or_default());
        self.events
            .seek(snapshot.mark)
            .map_err(|reason| ReplayError::Recording { instruction: snapshot.instructions, reason })?;
        self.events.taken = snapshot.taken;
        self.set_limit();
        Ok(())
    }
}

/// A run divided by snapshots. Segment `k` goes from snapshot `k` to snapshot `k + 1`, the last one to the end of the run.
pub struct Segments {
    snapshots: Vec<Snapshot>,
    /// None where the last segment ends before the run does.
    end: Option<End>,
    until: u64,
    instructions: u64,
}

impl Segments {
    /// Replays the run of a machine from its start to its end and divides it into at most `most` segments of about equal
    /// length, none shorter than `shortest` instructions.
    pub fn divide(machine: &mut Machine, most: usize, shortest: u64) -> Result<Self> {
        Self::divide_watched(machine, most, shortest, &mut Nothing)
    }

    /// The same with an observer of the whole run.
    pub fn divide_watched<O: Observer>(
        machine: &mut Machine,
        most: usize,
        shortest: u64,
        observer: &mut O,
    ) -> Result<Self> {
        let first = machine.snapshot();
        Self::divide_until(machine, first, u64::MAX, most, shortest, observer)
    }

    /// Divides one segment further, into parts of about `length` instructions. The machine must be the one that was divided.
    pub fn inside(&self, machine: &mut Machine, segment: usize, length: u64) -> Result<Self> {
        let Some(start) = self.snapshots.get(segment) else { return Err(ReplayError::ForeignSnapshot) };
        machine.restore(start)?;
        Self::divide_until(machine, start.clone(), self.until(segment), usize::MAX, length, &mut Nothing)
    }

    /// Divides what comes up to the safepoint `until`.
    fn divide_until<O: Observer>(
        machine: &mut Machine,
        first: Snapshot,
        until: u64,
        most: usize,
        shortest: u64,
        observer: &mut O,
    ) -> Result<Self> {
        let most = most.max(2);
        let mut step = shortest.max(1);
        let mut snapshots = vec![first];
        loop {
            // Safepoints stand some ten instructions apart: the count is corrected as the run goes.
            let start = (machine.core.instructions, machine.core.counter);
            let mut target = start.1 + (step / 16).max(1);
            let end = loop {
                match machine.run_until(target.min(until), observer)? {
                    Stop::End(end) => break Some(Some(end)),
                    Stop::Asked | Stop::WhatIf(_) => {
                        break Some(Some(End::RecordingEnds { reason: "the run was stopped".into() }));
                    }
                    Stop::Reached => {}
                }
                if machine.core.counter >= until {
                    break Some(None);
                }
                let done = machine.core.instructions - start.0;
                if done >= step {
                    break None;
                }
                let counted = (machine.core.counter - start.1).max(1);
                let rest = ((step - done) as u128 * u128::from(counted) / u128::from(done.max(1))) as u64;
                target = machine.core.counter + rest.max(1);
            };
            if let Some(end) = end {
                return Ok(Self { snapshots, end, until, instructions: machine.core.instructions });
            }
            snapshots.push(machine.snapshot());
            if snapshots.len() > most {
                // Every other one goes, and from here on they stand twice as far apart.
                let mut index = 0;
                snapshots.retain(|_| {
                    index += 1;
                    index % 2 == 1
                });
                step = step.saturating_mul(2);
            }
        }
    }

    /// The safepoint count at which a segment ends.
    fn until(&self, segment: usize) -> u64 {
        self.snapshots.get(segment + 1).map_or(self.until, |next| next.counter)
    }

    /// How many segments there are; at least one.
    pub fn len(&self) -> usize {
        self.snapshots.len()
    }
    /// Never.
    pub fn is_empty(&self) -> bool {
        self.snapshots.is_empty()
    }
    /// How the run ended; none where the last segment ends before the run does.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }
    /// Instructions up to the end of the last segment.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }
    /// The state at the start of a segment.
    pub fn start(&self, segment: usize) -> Option<&Snapshot> {
        self.snapshots.get(segment)
    }
    /// The segment in which an instruction count falls.
    pub fn segment_of(&self, instruction: u64) -> usize {
        self.snapshots.partition_point(|snapshot| snapshot.instructions < instruction).saturating_sub(1)
    }
    /// Replays a segment. The machine must be the one that was divided.
    pub fn replay<O: Observer>(&self, machine: &mut Machine, segment: usize, observer: &mut O) -> Result<Stop> {
        let Some(start) = self.snapshots.get(segment) else { return Ok(Stop::Reached) };
        machine.restore(start)?;
        machine.run_until(self.until(segment), observer)
    }
    /// Segments from the last to the first: each is replayed with the observer that `make` gives for it, which is then shown
    /// to `take`; that says whether to go on.
    pub fn backwards<O: Observer>(
        &self,
        machine: &mut Machine,
        mut make: impl FnMut(usize, &Machine) -> O,
        mut take: impl FnMut(usize, O) -> bool,
    ) -> Result<()> {
        for segment in (0..self.len()).rev() {
            machine.restore(&self.snapshots[segment])?;
            let mut observer = make(segment, machine);
            self.replay(machine, segment, &mut observer)?;
            if !take(segment, observer) {
                break;
            }
        }
        Ok(())
    }
}
