//! States of a run that a session goes back to: some all over the run, and some near the present.

use whydunit_replay::Snapshot;

use crate::Position;
use crate::course::Course;

/// A state of a run.
#[derive(Clone)]
pub struct Checkpoint {
    /// The machine's.
    pub snapshot: Snapshot,
    /// What was followed.
    pub course: Course,
}

impl Checkpoint {
    /// Where it is.
    pub fn position(&self) -> Position {
        self.course.position
    }
}

/// So many checkpoints are kept of a whole run.
const KEPT: usize = 192;
/// So many are kept near the present.
const NEAR: usize = 64;
/// Closer together than so many operations no checkpoint pays.
const CLOSEST: u64 = 1 << 12;

/// The checkpoints of a run.
pub struct Checkpoints {
    /// All over the run, in order; the first is its start.
    kept: Vec<Checkpoint>,
    /// How far apart those are.
    apart: u64,
    /// Between two of those, in order.
    near: Vec<Checkpoint>,
}

impl Checkpoints {
    /// Of a run at its start.
    pub fn new(start: Checkpoint) -> Self {
        Self { kept: vec![start], apart: CLOSEST, near: Vec::new() }
    }

    /// Where the next checkpoint of the whole run belongs.
    pub fn next(&self) -> Position {
        self.kept.last().map_or(0, Checkpoint::position) + self.apart
    }

    /// Adds one behind all others. Where there are too many every other one goes, and from then on they stand twice as far apart.
    pub fn add(&mut self, checkpoint: Checkpoint) {
        self.kept.push(checkpoint);
        if self.kept.len() > KEPT {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.apart *= 2;
        }
    }

    /// How far apart those near the present are.
    fn near_apart(&self) -> u64 {
        (self.apart / NEAR as u64).max(CLOSEST)
    }

    /// The last checkpoint at or before a position.
    pub fn before(&self, position: Position) -> &Checkpoint {
        let kept = &self.kept[last_until(&self.kept, position).unwrap_or(0)];
        match last_until(&self.near, position).map(|index| &self.near[index]) {
            Some(near) if near.position() > kept.position() => near,
            _ => kept,
        }
    }

    /// Where the run is to stop on its way from `from` on for a checkpoint near the present.
    pub fn next_near(&self, from: Position) -> Position {
        (from / self.near_apart() + 1) * self.near_apart()
    }

    /// Whether one more belongs near the present, at this position.
    pub fn lacks_near(&self, position: Position) -> bool {
        position.is_multiple_of(self.near_apart()) && self.before(position).position() + self.near_apart() <= position
    }

    /// Adds one near the present. Those far from it go.
    pub fn add_near(&mut self, checkpoint: Checkpoint) {
        let position = checkpoint.position();
        let reach = self.apart.max(self.near_apart() * 2);
        self.near.retain(|near| near.position().abs_diff(position) <= reach);
        let at = self.near.partition_point(|near| near.position() < position);
        self.near.insert(at, checkpoint);
        if self.near.len() > 2 * NEAR {
            self.near.remove(if at > NEAR { 0 } else { self.near.len() - 1 });
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kept.len() + self.near.len()
    }
}

/// The last checkpoint of some in order that is at or before a position.
fn last_until(checkpoints: &[Checkpoint], position: Position) -> Option<usize> {
    checkpoints.partition_point(|checkpoint| checkpoint.position() <= position).checked_sub(1)
}
